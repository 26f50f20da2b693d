"""The current theme on the Qt side: its value, how it is applied, and the signal of its change.

Setting the application's stylesheet sends every widget a `StyleChange` event and repaints it, so a widget that reads
`current()` while it paints follows a change of theme automatically. Only objects built once from colours (icons, pens
of plots) connect to `signals.theme_changed`.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QDir, QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from framescope.ui.theme import fonts, stylesheet
from framescope.ui.theme.icon_svg import tint_icon
from framescope.ui.theme.tokens import DARK, LIGHT, THEMES, Theme


class ThemeSignals(QObject):
    """Carrier of the signals of this module.

    Signals
    -------
    about_to_change()
        Another theme will be applied: sizes are those of the present one until `theme_changed`.
    theme_changed(Theme)
        Another theme has been applied.
    """

    about_to_change = Signal()
    theme_changed = Signal(object)


signals = ThemeSignals()

_current: Theme = DARK
# Stylesheets load images from files only; this folder holds the few tinted ones and is deleted with the process.
_image_folder: TemporaryDirectory[str] | None = None


def current() -> Theme:
    """Return the theme in use."""
    return _current


def color(role: str) -> str:
    """Return `#RRGGBB` of a role of the current theme; a plain colour is returned unchanged."""
    return role if role.startswith("#") else getattr(_current, role)


def qcolor(role: str, alpha: float = 1.0) -> QColor:
    """Return the colour of a role (or a plain colour) for painting, with an opacity from 0 to 1."""
    result = QColor(color(role))
    result.setAlphaF(alpha)
    return result


def theme_named(choice: str) -> Theme:
    """Return the theme "dark" or "light", or for "system" the one of the desktop, dark where that is unknown."""
    if choice == "system":
        return LIGHT if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Light else DARK
    return THEMES[choice]


@contextmanager
def painted_in(theme: Theme) -> Generator[None]:
    """Paint in the colours of another theme within the context, without applying it to widgets; for pictures."""
    global _current  # noqa: PLW0603 - painting code reads the current theme
    before, _current = _current, theme
    try:
        yield
    finally:
        _current = before


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Apply a theme to the whole application, at start-up or later."""
    global _current  # noqa: PLW0603 - one process has one application, and so one theme
    signals.about_to_change.emit()
    _current = theme
    if app.style().name() != "fusion" and not app.styleSheet():
        # The same base on every desktop; the stylesheet draws on top of it.
        app.setStyle("Fusion")
    # Clear it first: if one stylesheet replaces another, Qt restyles each widget once for itself and once for each of
    # its ancestors, eight times on average.
    app.setStyleSheet("")
    app.setFont(fonts.text())
    app.setPalette(palette(theme))
    _write_images(theme)
    app.setStyleSheet(stylesheet.stylesheet(theme))
    signals.theme_changed.emit(theme)


def dress(widget: QWidget, theme: Theme) -> None:
    """Give one widget, and all in it, the look of a theme, whatever the application has; for pictures."""
    widget.setFont(fonts.text())
    widget.setPalette(palette(theme))
    if _image_folder is None:
        _write_images(theme)
    widget.setStyleSheet(stylesheet.stylesheet(theme))


def palette(theme: Theme) -> QPalette:
    """Return the palette of a theme, for parts that no stylesheet reaches."""
    roles = {
        QPalette.ColorRole.Window: theme.panel,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.Base: theme.field,
        QPalette.ColorRole.AlternateBase: theme.panel,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.PlaceholderText: theme.quiet,
        QPalette.ColorRole.Button: theme.raised,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.BrightText: theme.red,
        QPalette.ColorRole.ToolTipBase: theme.raised,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.Highlight: theme.accent,
        QPalette.ColorRole.HighlightedText: theme.on_accent,
        QPalette.ColorRole.Link: theme.accent_text,
        QPalette.ColorRole.LinkVisited: theme.accent_text,
    }
    result = QPalette()
    for role, value in roles.items():
        result.setColor(role, QColor(value))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.disabled))
    return result


def _write_images(theme: Theme) -> None:
    global _image_folder  # noqa: PLW0603 - created once, on first use
    if _image_folder is None:
        # Qt's own temporary folder knows only TMPDIR, even if it does not exist, and would then be the current folder.
        _image_folder = TemporaryDirectory(prefix="framescope-images-", ignore_cleanup_errors=True)
        QDir.addSearchPath(stylesheet.IMAGE_SCHEME, _image_folder.name)
    folder = Path(_image_folder.name)
    for file, (name, role) in stylesheet.images(theme).items():
        (folder / file).write_bytes(tint_icon(name, getattr(theme, role)))
