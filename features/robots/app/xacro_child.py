"""Child process that runs xacro, with packages beside the file and on the search path of ROS."""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path
from types import ModuleType

from framescope.core.system.optional_packages import XACRO
from framescope.core.system.xml_elements import MAX_BYTES
from framescope.features.robots.core.package_files import folders_of_package, ros_folders
from framescope.features.robots.core.xacro_faults import fault_text


def main() -> None:
    """Read a path and arguments from standard input; write the URDF, the error and the included files as JSON."""
    name, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301 - sent by the parent process
    path, made, fault = Path(name), "", ""
    includes: list[str] = []
    out, sys.stdout = sys.stdout, sys.stderr  # the xacro file may print
    _find_packages_for(path)
    try:
        xacro = XACRO.part()
        made = xacro.process_file(str(path), mappings=arguments).toprettyxml(indent="  ")
        includes = [str(file) for file in getattr(xacro, "all_includes", ())]
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it runs foreign code
        loaded = sys.modules.get("xacro")
        fault = fault_text(
            error, path, (*(getattr(loaded, "filestack", None) or ()), *getattr(loaded, "all_includes", ()))
        )
    if len(made) > MAX_BYTES:
        made, fault = "", f"the robot that it makes has {len(made):,} bytes, more than {MAX_BYTES:,}."
    out.write(json.dumps((made, fault, includes)))


def _find_packages_for(robot: Path) -> None:
    """Let ``$(find package)`` find packages without a ROS environment."""

    def get_package_share_directory(package: str) -> str:
        places = (*folders_of_package(robot, package), *ros_folders(package, os.environ))
        if not places:
            raise LookupError(f"there is no package {package}, neither beside the file nor in ROS_PACKAGE_PATH.")
        return str(places[0])

    index, packages = ModuleType("ament_index_python"), ModuleType("ament_index_python.packages")
    vars(packages)["get_package_share_directory"] = get_package_share_directory
    vars(index)["packages"] = packages
    sys.modules.update({"ament_index_python": index, "ament_index_python.packages": packages})


if __name__ == "__main__":
    main()
