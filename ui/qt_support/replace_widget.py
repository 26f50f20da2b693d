"""Replacement of a widget in its layout."""

from PySide6.QtWidgets import QBoxLayout, QWidget


def swap(box: QBoxLayout, old: QWidget, new: QWidget) -> None:
    """Put a widget in the place of another, which goes.

    `QLayout.replaceWidget` would give the item of the other to a caller who, in Python, cannot delete it.
    """
    place = box.indexOf(old)
    stretch = box.stretch(place)
    box.removeWidget(old)
    box.insertWidget(place, new, stretch)
    old.hide()
    old.deleteLater()
