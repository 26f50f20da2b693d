"""Scene of a bag: a frame for each frame that was sent, which names the bag and takes its motion from there."""

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
from framescope.features.bags.core.clock_jumps import Run, runs_of
from framescope.features.bags.core.tf_log import Whole
from framescope.features.bags.core.tf_path import first_stamp_ns
from framescope.features.bags.core.tf_tracks import Tracks, gap_limit_ns, tracks_of

MAX_PARENTS = 100
"""Parents of one frame that a scene takes."""

LONGEST_NAME = 190
"""Characters of a name, less those that tell it from others."""

EARLY = 0.1
"""Part of a recording within which frames have to be known that its scene begins when all are."""

LEAST_S = 1.0
"""A recording without a length lasts so long, s."""


@dataclass(frozen=True)
class BagChoices:
    """What of a bag becomes a scene.

    Attributes
    ----------
    namespaces
        Whose transforms are taken; None for all.
    topics
        Topics of poses that become frames, too.
    robots
        Topics of descriptions of robots whose shapes are drawn on their frames; None for all.
    """

    namespaces: tuple[str, ...] | None = None
    topics: tuple[str, ...] = ()
    robots: tuple[str, ...] | None = None


AddItems = Callable[[Scene, Path], tuple[Scene, tuple[Problem, ...]]]
"""Function of a feature that adds items to the scene of a bag at a path, and returns problems besides."""


@dataclass(frozen=True)
class Source:
    """Transforms that become frames: of a namespace, or of a topic of poses."""

    tracks: Tracks
    namespace: str = ""
    topic: str = ""


def scene_of(sources: Sequence[Source], file: str) -> tuple[Scene, tuple[Problem, ...]]:
    """Return the scene of a bag, and what is left out; it holds no data, and is compiled with them.

    A frame hangs on the parent that most of its samples have, and on the others when they have those; what would make
    it its own ancestor is left out, which is told. Of frames without a parent one stands in the world: the frame
    ``world``, or else the one with the most below it. How the others stand to it nobody knows: they are not connected.
    Where the clock jumps back the recording has several runs, and the longest is taken.

    Parameters
    ----------
    sources
        The transforms of each namespace, and of topics of poses.
    file
        Name of the bag as the scene is to write it.
    """
    left_out = [
        _too_long("topic", name) for each in sources if len(name := each.topic or each.namespace) > MAX_BAG_NAME
    ]
    whole = [each for each in sources if max(len(each.topic), len(each.namespace)) <= MAX_BAG_NAME]
    runs = [runs_of(source.tracks) for source in whole]
    taken = [max(each, key=lambda run: run.last_ns - run.first_ns) for each in runs]
    sources = [_of_run(source, run) for source, run in zip(whole, taken, strict=True)]
    several = len({source.namespace for source in sources if not source.topic}) > 1
    zero = min((z for source in sources if (z := first_stamp_ns(source.tracks))), default=0)
    made, begin, end = _Frames(left_out=left_out), zero, 0
    for source, run in zip(sources, taken, strict=True):
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
    frames = _parents_first(_with_roots(made.made, has_world=WORLD in made.names.values()))
    scene = Scene(
        title=file.removesuffix("/metadata.yaml").rpartition("/")[2],
        time=time,
        frames=FrozenDict(frames),
        view=View(trails=tuple(_trail(frames))),
    )
    return scene, tuple(made.left_out)


def _too_long(kind: str, name: str) -> Problem:
    """Return the problem of a name that no scene can hold."""
    message = f'the {kind} "{name[:20]}…{name[-10:]}" is left out: its name has {counted(len(name), "character")}.'
    return Problem((), message, f"A scene holds names of up to {MAX_BAG_NAME}.", "amber", kind="bag-name")


def _of_run(source: Source, run: Run) -> Source:
    if run.from_ns is None and run.until_ns is None:
        return source
    return replace(source, tracks=tracks_of(source.tracks.log.rows(run.holds(source.tracks))))


def _bounds(run: Run) -> dict[str, str]:
    bounds = {"received_from": run.from_ns, "received_until": run.until_ns}
    return {key: stamp_text(ns) for key, ns in bounds.items() if ns is not None}


@dataclass
class _Frames:
    """Frames as they come, each below those that are there."""

    made: dict[str, Frame] = field(default_factory=dict[str, Frame])
    possible: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    names: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    left_out: list[Problem] = field(default_factory=list[Problem])

    def name(self, prefix: str, name: str) -> str:
        """Return what a frame of a bag is called in the scene."""
        key = (prefix, name)
        if key not in self.names:
            taken = {*self.names.values(), WORLD}
            plain = "".join(c if c.isprintable() else "?" for c in f"{prefix}{name}").strip()[:LONGEST_NAME] or "?"
            numbered = (f"{plain} ({i})" for i in count(2))
            found = WORLD if (prefix, name) == ("", WORLD) else plain
            while found in taken and (found != WORLD or WORLD in self.names.values()):
                found = next(numbered)
            self.names[key] = found
        return self.names[key]

    def takes(self, kind: str, name: str) -> bool:
        """Return whether a scene can hold the name of a frame of a bag; where it cannot, note that it is left out."""
        is_short = len(name) <= MAX_BAG_NAME
        if not is_short:
            self.left_out.append(_too_long(kind, name))
        return is_short

    def is_below(self, name: str, other: str) -> bool:
        """Return whether a frame can be an ancestor of another, or is it."""
        rest, seen = [other], set[str]()
        while rest:
            one = rest.pop()
            if one == name:
                return True
            if one not in seen:
                seen.add(one)
                rest += self.possible.get(one, ())
        return False


def _add(made: _Frames, source: Source, prefix: str, motion: Transforms) -> tuple[int, int]:
    """Add the frames of one source; return from when on all that moves is known, and until when any, ns."""
    tracks, first, last = source.tracks, 0, 0
    for track in tracks.by_frame:
        child = tracks.names[track.child]
        if not made.takes("frame", child):
            continue
        name = made.name(prefix, child)
        if name == WORLD or name in made.made:  # the world stands; a topic may tell of a frame that there is
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
            made.made[name] = Frame(parent=parents[0].frame, motion=motion.model_copy(update=update))
        if not track.is_static:
            begin, end = _span_ns(track.stamp_ns)
            first, last = max(first, begin), max(last, end)
    for name in made.names.values():
        if name != WORLD:
            made.made.setdefault(name, Frame(parent=WORLD))
    return first, last


def _span_ns(stamp_ns: Whole) -> tuple[int, int]:
    """Return the first and the last of some stamps, ns, less one that is far ahead of the others."""
    stamps = np.sort(stamp_ns)
    return int(stamps[0]), int(stamps[stamps <= np.median(stamps[-3:]) + gap_limit_ns(stamps)][-1])


def _with_roots(frames: Mapping[str, Frame], *, has_world: bool) -> dict[str, Frame]:
    """Return frames with those that have no parent not connected, but for the one that stands in the world."""
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
    """Return frames in an order in which each stands below the one it hangs on."""
    children: dict[str, list[str]] = {}
    for name, frame in frames.items():
        children.setdefault(frame.parent, []).append(name)
    ordered: dict[str, Frame] = {}
    rest = list(reversed(children.get(WORLD, [])))
    while rest:
        name = rest.pop()
        ordered[name] = frames[name]
        rest += reversed(children.get(name, []))
    return ordered


def _trail(frames: Mapping[str, Frame]) -> Iterable[Trail]:
    """Yield the trail of the one moving frame on which most others hang, such as the base of a robot."""
    children = Counter(frame.parent for frame in frames.values())
    moving = [name for name, frame in frames.items() if frame.motion is not None and frame.parent != WORLD]
    best = max(moving, key=lambda name: children[name], default="")
    if children[best]:
        yield Trail(frame=best)
