"""Reader of bags of ROS and Foxglove: a scene that refers to the bag, with a frame for each recorded frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.core.errors import FramescopeError, Problem
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.system.cooperative_yield import part
from framescope.core.system.features import entries
from framescope.features.bags.core.bag import Channel
from framescope.features.bags.core.bag_file import is_bag, named_file, open_bag
from framescope.features.bags.core.bag_problems import damage_problem
from framescope.features.bags.core.bag_scene import BagChoices, Source, scene_of
from framescope.features.bags.core.joint_states import TYPE as JOINT_STATES
from framescope.features.bags.core.kept_transforms import transforms_of
from framescope.features.bags.core.tf_log import carries_poses, namespaces

__all__ = ["is_bag", "pose_topics", "read", "read_chosen"]


def read(path: Path) -> Contents:
    """Return the scene of all transforms in a bag, or of its topics of poses if it has no transforms."""
    return read_chosen(path, BagChoices())


def read_chosen(path: Path, choices: BagChoices) -> Contents:
    """Return the scene of selected topics of a bag; raise `FramescopeError` if none of them has poses of frames.

    May be called on any thread. The transforms stay in a cache for compiling the scene.
    """
    with open_bag(path) as bag:
        adders = [read_items(bag, choices) for read_items in entries(lambda feature: feature.bag_scenes)]
        sent = [channel for channel in bag.channels if channel.count]
        spaces = namespaces(sent) if choices.namespaces is None else choices.namespaces
        topics = choices.topics or (() if spaces else pose_topics(sent))
        damages = list(bag.damages)
    file = named_file(path)
    cached = transforms_of(file)
    selection = [*((name, "") for name in spaces), *(("", topic) for topic in topics)]
    sources: list[Source] = []
    for i, (namespace, topic) in enumerate(selection):
        with part(i / len(selection), (i + 1) / len(selection)):
            sources.append(Source(cached.tracks(namespace, topic), namespace=namespace, topic=topic))
    scene, left_out = scene_of(sources, file.relative_to(path.parent).as_posix())
    wrong = list[Problem]()
    for add_items in adders:
        scene, problems = add_items(scene, path)
        wrong += problems
    if not scene.frames:
        damages += (text for source in sources for text in source.tracks.log.damages)
        raise FramescopeError(_reason(path, sent, sources, (*dict.fromkeys(damages),), left_out))
    notes = tuple(_notes(sources, damages))
    return Contents(LoadedScene(scene, path, "", {}), problems=(*left_out, *notes, *wrong))


def pose_topics(channels: Iterable[Channel]) -> tuple[str, ...]:
    """Return the topics of a bag whose messages are poses of a single object."""
    return tuple(dict.fromkeys(channel.topic for channel in channels if carries_poses(channel)))


def _reason(
    path: Path, sent: list[Channel], sources: list[Source], damages: tuple[str, ...], left_out: Sequence[Problem]
) -> str:
    """Return the reason why a bag has nothing to show."""
    if damages:
        return f"Nothing in {path.name} can be shown. It is damaged: {'; '.join(damages[:3])}."
    if not sent:
        return f"{path.name} is empty: it has no messages."
    if left_out:
        return f"Nothing in {path.name} can be shown: {left_out[0].message}"
    if any(len(source.tracks.log) for source in sources):
        return f"tf2 rejects all transforms and poses of {path.name}. framescope check gives the reasons."
    notes = [note for source in sources for note in source.tracks.log.notes]
    if notes:
        return f"Nothing in {path.name} can be shown over time. {notes[0]}"
    kinds = {channel.type for channel in sent}
    types = ", ".join(sorted(kind or "no type" for kind in kinds)[:5])
    way = "It has joint states: open the file of their robot, and there, in Joints, play this bag on the joints. "
    return (
        f"{path.name} has neither transforms between frames nor poses ({types}), so there is nothing to show. "
        f"{way if JOINT_STATES in kinds else ''}framescope check lists its topics."
    )


def _notes(sources: Iterable[Source], damages: Iterable[str]) -> Iterator[Problem]:
    """Yield notes about unreadable parts, and about assumed values."""
    sources = tuple(sources)
    read = (text for source in sources for text in source.tracks.log.damages)
    yield from map(damage_problem, dict.fromkeys([*damages, *read]))
    for source in sources:
        for text in source.tracks.log.notes:
            yield Problem((), text, "", "note", kind="bag-assumed")
