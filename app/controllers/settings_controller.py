"""Controller of the settings: the dialog, the actions of menus that change a setting, and their effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from framescope.app.controllers.setting_rows import ROWS, values_of
from framescope.app.controllers.tool_docks import ToolDocks
from framescope.app.session.session import Session
from framescope.app.storage.settings import Settings
from framescope.core.orientation import QuaternionOrder
from framescope.ui.palette.command import Command
from framescope.ui.scene_view.interaction.navigation import PRESETS
from framescope.ui.theme import current_theme
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.ui.dialogs.settings.settings_dialog import SettingsDialog


class SettingsController(QObject):
    """Stores the settings that the user changes, and applies them to the window at once.

    Parameters
    ----------
    instruments
        Panels that are created later and follow the settings, too.
    set_scale
        Function that stores the size of everything and restarts the program in it.
    """

    def __init__(
        self,
        session: Session,
        window: MainWindow,
        settings: Settings,
        instruments: ToolDocks,
        set_scale: Callable[[float], None],
    ) -> None:
        super().__init__(window)
        self._session, self._window, self._settings, self._instruments = session, window, settings, instruments
        self.dialog: SettingsDialog | None = None
        self._effects: dict[str, Callable[[Any], None]] = {
            "theme": self._apply_theme,
            "angle_unit": self._apply_unit,
            "quaternion_order": self._apply_order,
            "sequence": self._apply_sequence,
            "navigation": self._apply_navigation,
            "font_scale": set_scale,
        }
        """Function that applies each setting to the window. The export dialog reads those of films when it opens."""
        actions = window.commands
        actions.settings.triggered.connect(lambda: self.show_dialog(""))
        actions.theme.triggered.connect(self._switch_theme)
        for unit, action in actions.units.items():
            action.triggered.connect(partial(self.set_value, "angle_unit", unit))
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_desktop)
        for name in ("angle_unit", "quaternion_order", "sequence", "navigation"):
            self._effects[name](getattr(settings, name))

    def set_value(self, name: str, value: object, _is_checked: bool = True) -> None:
        """Store a setting and apply it."""
        setattr(self._settings, name, value)
        if (apply := self._effects.get(name)) is not None:
            apply(value)
        self.refresh()

    def refresh(self) -> None:
        """Show the present settings in the dialog, if it is open."""
        if self.dialog is not None:
            self.dialog.show_values(values_of(self._settings))

    def show_dialog(self, name: str) -> None:
        """Open the dialog at a setting; without a name at its search."""
        from framescope.ui.dialogs.settings.settings_dialog import SettingsDialog

        if self.dialog is None:
            file = str(self._settings.store.file)
            self.dialog = dialog = SettingsDialog(ROWS, values_of(self._settings), file, self._window)
            dialog.chosen.connect(self.set_value)
            dialog.finished.connect(self._forget_dialog)
            self._window.closed.connect(dialog.close)
            dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()
        if name:
            self.dialog.go_to(name)

    @property
    def shown(self) -> str | None:
        """Name of the setting with the focus in the open dialog, empty for none; None if the dialog is closed."""
        return None if self.dialog is None else self.dialog.focused

    def commands(self) -> Iterator[Command]:
        """Yield a command for each setting that opens the dialog there."""
        for row in ROWS:
            yield Command(
                f"Settings: {row.title}", "edit", "", partial(self.show_dialog, row.name), f"{row.words} {row.text}"
            )

    def _forget_dialog(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None

    # Effects

    def _switch_theme(self) -> None:
        self.set_value("theme", "light" if current_theme.current().is_dark else "dark")

    def _on_desktop(self) -> None:
        if self._settings.theme == "system":
            self._apply_theme("system")

    def _apply_theme(self, choice: str) -> None:
        theme, app = current_theme.theme_named(choice), QApplication.instance()
        if theme is current_theme.current() or not isinstance(app, QApplication):
            return
        current_theme.apply_theme(app, theme)
        self._window.scene_view.set_theme(theme)
        self._window.set_theme_icon(theme.is_dark)

    def _apply_unit(self, unit: str) -> None:
        window = self._window
        chosen = "rad" if unit == "rad" else "deg"
        for view in (window.inspector, window.readouts, window.plots, window.scene_view):
            view.set_angle_unit(chosen)
        window.commands.units[chosen].setChecked(True)

    def _apply_order(self, order: QuaternionOrder) -> None:
        self._window.inspector.orientation.set_quaternion_order(order)
        self._instruments.set_quaternion_order(order)

    def _apply_sequence(self, sequence: str) -> None:
        window = self._window
        self._session.new_sequence = window.outline.sequence = window.scene_view.manipulation.sequence = sequence
        window.inspector.set_default_sequence(sequence)
        window.readouts.set_default_sequence(sequence)

    def _apply_navigation(self, key: str) -> None:
        self._window.scene_view.set_navigation(PRESETS[key])
