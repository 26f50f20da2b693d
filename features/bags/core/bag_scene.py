"""Scene of a bag: one frame for each recorded frame, whose motion names the bag instead of holding its data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import numpy as np

from framescope.core.errors import Problem, counted
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import WORLD, Frame, Scene, TimeRange
from framescope.core.scene.schema.motions import MAX_BAG_NAME, BagParent, Transforms, Unconnected
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.stamps import NS, stamp_text
from framescope.core.scene.schema.view import Trail, View
from framescope.features.bags.core.clock_jumps import ClockRun, runs_of
from framescope.features.bags.core.tf_log import Whole, namespace_of
from framescope.features.bags.core.tf_path import first_stamp_ns
from framescope.features.bags.core.tf_tracks import Tracks, gap_limit_ns, tracks_of

MAX_PARENTS = 100
"""Limit of parents of one frame in a scene."""

LONGEST_NAME = 190
"""Limit of characters of a name, without the suffix that makes it unique."""

EARLY = 0.1
"""Latest time, as a fraction of a recording, at which its scene may begin so that all frames are known."""

LEAST_S = 1.0
"""Duration of the scene of a recording without extent, s."""


@dataclass(frozen=True)
class BagChoices:
    """Parts of a bag that become a scene.

    Attributes
    ----------
    namespaces
        Namespaces of the transforms; None for all.
    topics
        Topics of poses that become frames, too.
    robots
        Topics of robot descriptions whose shapes are drawn on their frames; None for all.
    """

    namespaces: tuple[str, ...] | None = None
    topics: tuple[str, ...] = ()
    robots: tuple[str, ...] | None = None


AddItems = Callable[[Scene, Path], tuple[Scene, tuple[Problem, ...]]]
"""Function of a feature that adds items to the scene of the bag at a path, and returns their problems."""


class SentFrames:
    """Frames of the scene of a bag by their names in the bag."""

    def __init__(self, scene: Scene) -> None:
        self._frames = scene.frames
        self._sent = {
            (frame.motion.namespace, frame.motion.frame): name
            for name, frame in scene.frames.items()
            if isinstance(frame.motion, Transforms)
        }
        self._is_alone = len({namespace for namespace, _ in self._sent}) <= 1

    def named(self, name: str, topic: str) -> str | None:
        """Return the frame that a message names: in the topic's namespace, with it as a prefix, or plainly."""
        space = namespace_of(topic)
        prefixed = f"{space.strip('/')}/{name}"
        ways = [(space, name), *(("", other) for other in (prefixed, name))]
        if self._is_alone:
            ways += [(namespace, name) for namespace, _ in self._sent][:1]
        of_roots = [prefixed, *([name] if self._is_alone else [])]
        names = (self._sent[way] for way in ways if way in self._sent)
        return next(names, None) or next((name for name in of_roots if name in self._frames), None)


@dataclass(frozen=True)
class Source:
    """Transforms that become frames, from one namespace or from one topic of poses."""

    tracks: Tracks
    namespace: str = ""
    topic: str = ""


def scene_of(sources: Sequence[Source], file: str) -> tuple[Scene, tuple[Problem, ...]]:
    """Return the scene of a bag, and the problems of omitted parts; its motions refer to the bag and hold no data.

    A frame's parent is the parent of most of its samples; at samples with another parent its parent changes. A parent
    that would make the frame its own ancestor is left out and reported. One of the frames without a parent is placed in
    the world: the frame ``world``, else the frame with the most descendants. The poses of the others are unknown, so
    that they stay unconnected. If the clock jumps back, the recording has several runs: the scene shows the longest.

    Parameters
    ----------
    sources
        Transforms of each namespace and of topics of poses.
    file
        Path of the bag as written in the scene.
    """
    left_out = [
        _too_long("topic", name) for source in sources if len(name := source.topic or source.namespace) > MAX_BAG_NAME
    ]
    whole = [source for source in sources if max(len(source.topic), len(source.namespace)) <= MAX_BAG_NAME]
    runs = [runs_of(source.tracks) for source in whole]
    longest = [max(own_runs, key=lambda run: run.last_ns - run.first_ns) for own_runs in runs]
    sources = [_of_run(source, run) for source, run in zip(whole, longest, strict=True)]
    several = len({source.namespace for source in sources if not source.topic}) > 1
    zero = min((z for source in sources if (z := first_stamp_ns(source.tracks))), default=0)
    made, begin, end = _Frames(left_out=left_out), zero, 0
    for source, run in zip(sources, longest, strict=True):
        prefix = f"{source.namespace.strip('/')}/" if several and source.namespace.strip("/") else ""
        motion = Transforms(
            file=file,
            frame="-",
            namespace=source.namespace,
            topic=source.topic,
            zero=stamp_text(zero),
        ).model_copy(update=_bounds(run))
        first, last = _add(made, source, prefix, motion)
        begin, end = max(begin, first), max(end, last)
    start, length = (begin - zero) / NS, (end - zero) / NS
    if start > EARLY * length:
        start = 0.0
    time = TimeRange(
        start=Quantity(round(start, 9), "s"), end=Quantity(round(length, 9) if length > start else LEAST_S, "s")
    )
    frames = _parents_first(_with_roots(made.frames, has_world=WORLD in made.names.values()))
    scene = Scene(
        title=file.removesuffix("/metadata.yaml").rpartition("/")[2],
        time=time,
        frames=FrozenDict(frames),
        view=View(trails=tuple(_trail(frames))),
    )
    return scene, tuple(made.left_out)


def _too_long(kind: str, name: str) -> Problem:
    """Return the problem of a name too long for a scene."""
    message = f'the {kind} "{name[:20]}…{name[-10:]}" is left out: its name has {counted(len(name), "character")}.'
    return Problem((), message, f"A scene holds names of up to {MAX_BAG_NAME}.", "amber", kind="bag-name")


def _of_run(source: Source, run: ClockRun) -> Source:
    if run.from_ns is None and run.until_ns is None:
        return source
    return replace(source, tracks=tracks_of(source.tracks.log.rows(run.holds(source.tracks))))


def _bounds(run: ClockRun) -> dict[str, str]:
    bounds = {"received_from": run.from_ns, "received_until": run.until_ns}
    return {key: stamp_text(ns) for key, ns in bounds.items() if ns is not None}


@dataclass
class _Frames:
    """Frames of the scene being built, each below a frame that exists already."""

    frames: dict[str, Frame] = field(default_factory=dict[str, Frame])
    possible: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    names: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    left_out: list[Problem] = field(default_factory=list[Problem])

    def name(self, prefix: str, name: str) -> str:
        """Return the unique name in the scene of a frame of the bag."""
        key = (prefix, name)
        if key not in self.names:
            taken = {*self.names.values(), WORLD}
            plain = "".join(c if c.isprintable() else "?" for c in f"{prefix}{name}").strip()[:LONGEST_NAME] or "?"
            numbered = (f"{plain} ({i})" for i in count(2))
            free_name = WORLD if (prefix, name) == ("", WORLD) else plain
            while free_name in taken and (free_name != WORLD or WORLD in self.names.values()):
                free_name = next(numbered)
            self.names[key] = free_name
        return self.names[key]

    def takes(self, kind: str, name: str) -> bool:
        """Return whether a name is short enough for a scene; report a longer one as left out."""
        is_short = len(name) <= MAX_BAG_NAME
        if not is_short:
            self.left_out.append(_too_long(kind, name))
        return is_short

    def is_below(self, name: str, other: str) -> bool:
        """Return whether a frame is another frame or may be its ancestor."""
        stack, seen = [other], set[str]()
        while stack:
            current = stack.pop()
            if current == name:
                return True
            if current not in seen:
                seen.add(current)
                stack += self.possible.get(current, ())
        return False


def _add(made: _Frames, source: Source, prefix: str, motion: Transforms) -> tuple[int, int]:
    """Add the frames of one source; return the time from which all moving frames are known, and their last time, ns."""
    tracks, first, last = source.tracks, 0, 0
    for track in tracks.by_frame:
        child = tracks.names[track.child]
        if not made.takes("frame", child):
            continue
        name = made.name(prefix, child)
        if name == WORLD or name in made.frames:  # the world is fixed; a topic may send a frame that exists already
            name = made.name(prefix, f"{child} ({source.topic or source.namespace or 'bag'})")
        counts = Counter(map(int, track.parent))
        order = sorted(counts, key=lambda parent: (-counts[parent], int(np.argmax(track.parent == parent))))
        order = [number for number in order if made.takes("parent", tracks.names[number])]
        parents: list[BagParent] = []
        for number in order[:MAX_PARENTS]:
            parent = made.name(prefix, tracks.names[number])
            if made.is_below(name, parent):
                message = f"{child} in {tracks.names[number]} ({counted(counts[number], 'sample')}) is left out:"
                message += " the frames would be each other's parents."
                place = ("frames", name, "motion", "parents")
                made.left_out.append(Problem(place, message, "framescope check on the bag says who sent it.", "amber"))
            else:
                made.possible.setdefault(name, set()).add(parent)
                parents.append(BagParent(name=tracks.names[number], frame=parent))
        if parents:
            update = {"frame": child, "parents": tuple(parents)}
            made.frames[name] = Frame(parent=parents[0].frame, motion=motion.model_copy(update=update))
        if not track.is_static:
            begin, end = _span_ns(track.stamp_ns)
            first, last = max(first, begin), max(last, end)
    for name in made.names.values():
        if name != WORLD:
            made.frames.setdefault(name, Frame(parent=WORLD))
    return first, last


def _span_ns(stamp_ns: Whole) -> tuple[int, int]:
    """Return the first and last of some stamps, ns, ignoring a last stamp far ahead of the others."""
    stamps = np.sort(stamp_ns)
    return int(stamps[0]), int(stamps[stamps <= np.median(stamps[-3:]) + gap_limit_ns(stamps)][-1])


def _with_roots(frames: Mapping[str, Frame], *, has_world: bool) -> dict[str, Frame]:
    """Return frames in which roots become unconnected, except the root that is placed in the world."""
    roots = [name for name, frame in frames.items() if frame.motion is None]
    below = Counter(_root_of(name, frames) for name in frames)
    main = "" if has_world else max(roots, key=lambda name: below[name], default="")
    others = {name: frames[name].model_copy(update={"motion": Unconnected()}) for name in roots if name != main}
    return {**frames, **others}


def _root_of(name: str, frames: Mapping[str, Frame]) -> str:
    while (parent := frames[name].parent) != WORLD:
        name = parent
    return name


def _parents_first(frames: Mapping[str, Frame]) -> dict[str, Frame]:
    """Return frames in an order in which each frame follows its parent."""
    children: dict[str, list[str]] = {}
    for name, frame in frames.items():
        children.setdefault(frame.parent, []).append(name)
    ordered: dict[str, Frame] = {}
    stack = list(reversed(children.get(WORLD, [])))
    while stack:
        name = stack.pop()
        ordered[name] = frames[name]
        stack += reversed(children.get(name, []))
    return ordered


def _trail(frames: Mapping[str, Frame]) -> Iterable[Trail]:
    """Yield the trail of the moving frame with the most children, such as the base of a robot."""
    children = Counter(frame.parent for frame in frames.values())
    moving = [name for name, frame in frames.items() if frame.motion is not None and frame.parent != WORLD]
    best = max(moving, key=lambda name: children[name], default="")
    if children[best]:
        yield Trail(frame=best)
