"""Bags of ROS and Foxglove: a scene that names the bag, with a frame for each frame that was sent."""

from __future__ import annotations

from pathlib import Path

from framescope.app.importers.bag_robots import descriptions_in, dressed
from framescope.app.importers.contents import Contents
from framescope.core.errors import FramescopeError
from framescope.core.recordings.bags.bag import Bag
from framescope.core.recordings.bags.bag_file import is_bag, named_file, open_bag
from framescope.core.recordings.bags.bag_scene import BagChoices, Source, scene_of
from framescope.core.recordings.bags.kept_transforms import transforms_of
from framescope.core.recordings.bags.tf_log import carries_poses, namespaces
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.system.cooperative_yield import part

__all__ = ["is_bag", "pose_topics", "read", "read_chosen"]


def read(path: Path) -> Contents:
    """Return the scene of all transforms in a bag; of its topics of poses where there are none."""
    return read_chosen(path, BagChoices())


def read_chosen(path: Path, choices: BagChoices) -> Contents:
    """Return the scene of what is chosen of a bag; raise a `FramescopeError` where nothing of it says where frames are.

    On any thread: what is read is kept for compiling the scene.
    """
    with open_bag(path) as bag:
        descriptions = descriptions_in(bag, choices.robots)
        found = namespaces(bag.channels) if choices.namespaces is None else choices.namespaces
        topics = choices.topics or (() if found else pose_topics(bag))
    file = named_file(path)
    kept = transforms_of(file)
    wanted = [*((name, "") for name in found), *(("", topic) for topic in topics)]
    sources: list[Source] = []
    for i, (namespace, topic) in enumerate(wanted):
        with part(i / len(wanted), (i + 1) / len(wanted)):
            sources.append(Source(kept.tracks(namespace, topic), namespace=namespace, topic=topic))
    scene, left_out = scene_of(sources, file.relative_to(path.parent).as_posix())
    if not scene.frames:
        raise FramescopeError(f"{path.name} has neither transforms between frames nor poses: there is nothing to see.")
    scene, wrong = dressed(scene, descriptions, path)
    return Contents(LoadedScene(scene, path, "", {}), problems=(*left_out, *wrong))


def pose_topics(bag: Bag) -> tuple[str, ...]:
    """Return the topics of a bag whose messages are the pose of one thing."""
    return tuple(dict.fromkeys(channel.topic for channel in bag.channels if carries_poses(channel)))
