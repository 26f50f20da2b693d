"""Importers of robots: files in URDF, SDF and MJCF, and programs in xacro that produce a URDF."""

from __future__ import annotations

from framescope.app.importers.importer import Importer, import_later
from framescope.core.system.optional_packages import XACRO

_ROBOT = "framescope.features.robots.app.robot_reader"
_XACRO = "framescope.features.robots.app.xacro_reader"

XACRO_IMPORTER = Importer(
    "robots in xacro",
    (".xacro",),
    import_later(f"{_XACRO}:is_xacro"),
    import_later(f"{_XACRO}:read"),
    is_scene=True,
    opens="program",
    extra=XACRO,
)

IMPORTER = Importer(
    "robots",
    (".urdf", ".sdf"),
    import_later(f"{_ROBOT}:is_robot"),
    import_later(f"{_ROBOT}:read"),
    file_in=import_later("framescope.features.robots.app.robot_folders:robot_in_folder"),
    is_scene=True,
    takes_long=import_later(f"{_ROBOT}:is_compiled"),
)
