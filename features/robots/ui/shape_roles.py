"""Row of buttons that show and hide the shapes of a robot by role: visual, collision and mass."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from framescope.core.scene.edits.roles import ROLE_TITLES, ROLES
from framescope.core.scene.schema.bodies import Role
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button

TOOLTIPS: Mapping[Role, str] = {
    "visual": "Shapes for display",
    "collision": "Shapes for collisions",
    "inertia": "For each link the homogeneous ellipsoid of the same mass and inertia, and its centre of mass",
}


class ShapeRoles(QWidget):
    """Button for each role of the scene's shapes; hidden if no shape has a role.

    Signals
    -------
    toggled(str, bool)
        The role, and whether its shapes are shown.
    """

    toggled = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[Role, QPushButton] = {
            role: push_button(ROLE_TITLES[role], kind="small", checkable=True) for role in ROLES
        }
        for role, button in self.buttons.items():
            button.setToolTip(TOOLTIPS[role])
            button.setAccessibleName(f"{ROLE_TITLES[role]} shapes")
            button.clicked.connect(lambda is_on, role=role: self.toggled.emit(role, is_on))
        title = layouts.label("Shapes", "quiet")
        layouts.row(title, *self.buttons.values(), layouts.STRETCH, on=self, margins=0, spacing=METRICS.inner)

    def set_shown(self, shown: Mapping[Role, bool]) -> None:
        """Show buttons for the roles of the scene, checked if they are drawn."""
        self.setVisible(bool(shown))
        for role, button in self.buttons.items():
            button.setVisible(role in shown)
            button.setChecked(shown.get(role, False))
