"""Transforms of the bags that were read last, so that many frames of one bag are read once."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from framescope.core.system.caches import FileCache
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.tf_log import read_poses, read_tf
from framescope.features.bags.core.tf_tracks import Tracks, tracks_of

KEPT_BAGS = 4
"""Bags whose transforms are kept."""


class BagTransforms:
    """The transforms of a bag, each namespace read when it is first asked for; from any thread."""

    def __init__(self, path: Path) -> None:
        self._path, self._read, self._lock = path, dict[tuple[str, str], Tracks](), Lock()

    def tracks(self, namespace: str, topic: str = "") -> Tracks:
        """Return the transforms of a namespace, or the poses of a topic, sorted out; raise as `open_bag`."""
        with self._lock:
            found = self._read.get((namespace, topic))
            if found is None:
                with open_bag(self._path) as bag:
                    log = read_poses(bag, topic) if topic else read_tf(bag, namespace)
                found = self._read[namespace, topic] = tracks_of(log)
            return found


transforms_of = FileCache(BagTransforms, KEPT_BAGS)
"""The transforms of a bag at a path, as long as the file is as it was."""
