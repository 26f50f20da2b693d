"""Connections of robots with the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from framescope.features.robots.app.package_controller import PackageController
from framescope.features.robots.app.robot_controller import RobotController
from framescope.features.robots.app.xacro_controller import XacroController
from framescope.features.robots.core.scene_joints import has_joints

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring


def connect_robots(wiring: Wiring) -> None:
    """Connect the controllers of robots."""
    session, window = wiring.session, wiring.window
    robots = RobotController(session, window, wiring.watcher)
    wiring.files.other_ways.append(robots.way_to_save)
    PackageController(session, window)
    XacroController(window, wiring.files)
    wiring.watcher.files_changed.connect(robots.follow)

    def show_joints() -> None:
        """Show the joints of a robot that the user opened: they can be moved."""
        if session.document.made_of and has_joints(session.document.scene):
            window.show_dock("joints")

    session.document_opened.connect(show_joints)
    wiring.opened.connect(show_joints)
