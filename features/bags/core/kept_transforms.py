"""Cache of transforms of the bags that were read last, so that many frames of one bag read it once."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from framescope.core.system.caches import FileCache
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.tf_log import read_poses, read_tf
from framescope.features.bags.core.tf_tracks import Tracks, tracks_of

CACHED_BAGS = 4
"""Number of bags whose transforms stay in memory."""


class BagTransforms:
    """Transforms of a bag. Each namespace is read on first use, from any thread."""

    def __init__(self, path: Path) -> None:
        self._path, self._read, self._lock = path, dict[tuple[str, str], Tracks](), Lock()

    def tracks(self, namespace: str, topic: str = "") -> Tracks:
        """Return the transforms of a namespace, or the poses of a topic, by frame; raise as `open_bag`."""
        with self._lock:
            tracks = self._read.get((namespace, topic))
            if tracks is None:
                with open_bag(self._path) as bag:
                    log = read_poses(bag, topic) if topic else read_tf(bag, namespace)
                tracks = self._read[namespace, topic] = tracks_of(log)
            return tracks


transforms_of = FileCache(BagTransforms, CACHED_BAGS)
"""Transforms of the bag at a path, cached until the file changes."""
