"""Lucide icons tinted by the theme.

A colour is the name of a role of `Theme` or a plain `#RRGGBB`. `dress` gives a button or an action an icon that follows
a change of theme; `icon` and `pixmap` are for widgets that paint or repaint themselves.
"""

from functools import cache
from typing import TypeAlias
from weakref import WeakKeyDictionary

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton
from shiboken6 import isValid

from framescope.ui.theme import current_theme
from framescope.ui.theme.icon_svg import tint_icon
from framescope.ui.theme.tokens import METRICS

Dressed: TypeAlias = QAction | QAbstractButton

# Icon of each button and action, to update it for another theme.
_icons_in_use: WeakKeyDictionary[Dressed, tuple[str, str, str | None, int]] = WeakKeyDictionary()


def icon(name: str, color: str = "quiet", size: int = METRICS.icon, checked_color: str | None = None) -> QIcon:
    """Return an icon in a colour of the current theme.

    Parameters
    ----------
    name : str
        Name of the icon, as in `assets/third_party/icons`.
    color : str
        Role of the theme or `#RRGGBB`.
    size : int
        Side length in device-independent pixels.
    checked_color : str, optional
        Colour while the button or action is checked.
    """
    result = QIcon()
    result.addPixmap(pixmap(name, color, size))
    result.addPixmap(pixmap(name, "disabled", size), QIcon.Mode.Disabled)
    if checked_color is not None:
        result.addPixmap(pixmap(name, checked_color, size), QIcon.Mode.Normal, QIcon.State.On)
    return result


def pixmap(name: str, color: str = "quiet", size: int = METRICS.icon, ratio: float | None = None) -> QPixmap:
    """Return a cached tinted pixmap for a device pixel ratio (by default the largest one of all screens)."""
    if ratio is None:
        screens = QGuiApplication.screens()
        ratio = max((screen.devicePixelRatio() for screen in screens), default=1.0)
    return _pixmap(name, current_theme.color(color), size, ratio)


def dress(
    target: Dressed, name: str, color: str = "quiet", checked_color: str | None = None, size: int = METRICS.icon
) -> None:
    """Set the icon of a button or an action, now and after every change of theme."""
    _icons_in_use[target] = (name, color, checked_color, size)
    target.setIcon(icon(name, color, size, checked_color))
    if isinstance(target, QAbstractButton):
        target.setIconSize(QSize(size, size))


@cache
def _pixmap(name: str, color: str, size: int, ratio: float) -> QPixmap:
    # Loaded first: a missing icon must not leave an active painter behind.
    drawing = QSvgRenderer(QByteArray(tint_icon(name, color)))
    result = QPixmap(QSize(size, size) * ratio)
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    drawing.render(painter, QRectF(0, 0, size * ratio, size * ratio))
    painter.end()
    result.setDevicePixelRatio(ratio)
    return result


def _update_icons() -> None:
    for target, (name, color, checked_color, size) in list(_icons_in_use.items()):
        # Qt may have deleted the object while Python still holds its wrapper.
        if isValid(target):
            target.setIcon(icon(name, color, size, checked_color))


current_theme.signals.theme_changed.connect(_update_icons)
