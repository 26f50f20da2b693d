"""Replacement of a widget in its layout."""

from PySide6.QtWidgets import QBoxLayout, QWidget


def swap(box: QBoxLayout, old: QWidget, new: QWidget) -> None:
    """Replace a widget in its layout by another, and delete the old one.

    `QLayout.replaceWidget` would return the old layout item to the caller, which Python cannot delete.
    """
    place = box.indexOf(old)
    stretch = box.stretch(place)
    box.removeWidget(old)
    box.insertWidget(place, new, stretch)
    old.hide()
    old.deleteLater()
