"""Caches of the bags that were read last: transforms, so that many frames of one bag read it once, and other topics."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from framescope.core.system.caches import FileCache
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.tf_log import namespaces, read_poses, read_tf
from framescope.features.bags.core.tf_tracks import Tracks, tracks_of
from framescope.features.bags.core.topic_series import TopicContents, read_topics

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


@dataclass(frozen=True, eq=False)
class OtherTopics:
    """Contents of a bag other than transforms.

    Attributes
    ----------
    contents
        Contents of the topics.
    namespaces
        Namespaces of all transforms of the bag.
    damages
        Messages about unreadable parts of the bag and of the topics.
    """

    contents: TopicContents
    namespaces: tuple[str, ...]
    damages: tuple[str, ...]


def _read_other_topics(path: Path) -> OtherTopics:
    with open_bag(path) as bag:
        contents = read_topics(bag)
        return OtherTopics(contents, namespaces(bag.channels), (*bag.damages, *contents.damages))


other_topics_of = FileCache(_read_other_topics, CACHED_BAGS)
"""Other topics of the bag at a path, cached until the file changes; raises as `open_bag`."""
