"""Importer of bags of ROS and Foxglove."""

from __future__ import annotations

from framescope.app.importers.importer import Importer, import_later
from framescope.features.bags.core.bag_file import is_bag, is_bag_folder

IMPORTER = Importer(
    "bags",
    (".bag", ".mcap", ".db3"),
    is_bag,
    import_later("framescope.features.bags.app.bag_reader:read"),
    claims=is_bag_folder,
    is_scene=True,
    opens="bag",
    check=import_later("framescope.features.bags.app.bag_report:print_report"),
)
