"""Formats of exports that hold a tree of frames: robots, launch files, code and a table."""

from __future__ import annotations

from framescope.ui.exports.format import TREE_GROUP, Format

_MODULE = "framescope.features.calibrations.app.tree_export"
_LIBRARY = ("library",)


def _format(key: str, suffix: str, called: str, title: str = "", use: str = "", more: tuple[str, ...] = ()) -> Format:
    """Return a format of trees; one without a title is not in the dialog."""
    takes = frozenset({"frame", "moment", *more})
    return Format(key, suffix, TREE_GROUP, title, use, _MODULE, called, takes, summary=f"{_MODULE}:summary")


URDF = _format("urdf", ".urdf", "a URDF", "Robot, URDF", "Links and fixed joints, for ROS")
SDF = _format("sdf", ".sdf", "an SDF", "Robot, SDF", "The same for Gazebo")
LAUNCH_PYTHON = _format(
    "launch-python", ".launch.py", "a launch file", "Launch file", "Publishers of static transforms, for ROS 2"
)
LAUNCH_XML = _format("launch-xml", ".launch.xml", "a launch file")
LAUNCH_YAML = _format("launch-yaml", ".launch.yaml", "a launch file")
LAUNCH_ROS1 = _format("launch-ros1", ".launch", "a launch file")
PYTHON = _format("python", ".py", "code in Python", "Code, Python", "Poses as matrices of numpy", _LIBRARY)
CPP = _format("cpp", ".cpp", "code in C++", "Code, C++", "Poses as Eigen::Isometry3d", _LIBRARY)
HPP = _format("hpp", ".hpp", "code in C++", more=_LIBRARY)
HEADER = _format("h", ".h", "code in C++", more=_LIBRARY)
MATLAB = _format("matlab", ".m", "code in MATLAB", "Code, MATLAB", "Poses as matrices, without a toolbox")
TABLE = _format("tree-csv", ".tree.csv", "a table of the tree", "Table of the tree, CSV", "A row for each frame")

TREES = URDF, SDF, LAUNCH_PYTHON, LAUNCH_XML, LAUNCH_YAML, LAUNCH_ROS1, PYTHON, CPP, HPP, HEADER, MATLAB, TABLE
"""All formats of trees."""
