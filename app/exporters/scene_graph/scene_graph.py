"""Scene graph: a scene as a tree of animated nodes, for formats that keep shapes and motions apart: GLB, USD, HTML.

The frames are the tree. Axes and bodies hang on them; rings, arrows and elements hang on the root, where each is moved
and stretched by itself. Shapes are those of the picture, and so are their places: they are asked of the same visuals.

All are sampled here, for all formats, by their errors between samples (`framescope.core.kernels.sampled_tracks`): what
turns fast has many samples, what stands still has one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.request import ExportRequest
from framescope.app.exporters.scene_graph.animated_frames import (
    LOOSE,
    FrameMotion,
    FrameReach,
    Rows,
    still_pose,
    turns_about_axes,
)
from framescope.app.exporters.scene_graph.followed_frames import Followed, followed_frames
from framescope.core import quaternions
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.kernels.sampled_tracks import (
    MOST_TURN,
    Allowed,
    ErrorBound,
    SampledTracks,
    States,
    Track,
    join_states,
    sample_motion,
    still,
    thin_out,
)
from framescope.core.kernels.validation import Array
from framescope.core.snapshot import moments
from framescope.ui.scene_view.base.animated_nodes import (
    UNBOUND,
    AnimatedItem,
    AnimatedItems,
    RingNodes,
    StandingNode,
    ValueText,
)
from framescope.ui.scene_view.base.node_shapes import NodeShape
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import BARE, Visual
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.scene_view.scene_renderer import SceneRenderer, camera_of
from framescope.ui.theme.tokens import Theme, channels, mix

ROOT = -1

FIRST_HZ = 60.0
"""How often frames are looked at, at least: what is over sooner is seen if it comes near the middle between."""
FEWEST, MOST_FIRST = 64, 20_000
"""How often they are looked at first, at least and at most."""

MOST_NUMBERS = 40_000_000
"""Numbers that are kept while a scene is sampled."""
MOST_LOOKS = 400_000
"""Times at which it is looked at, at most."""
MOST_PICTURED = 60_000
"""Times at which the picture is asked for arrows and the like, at most."""

TOO_WRONG = math.radians(30.0)
"""A model that is off by so much would show another motion."""

LOOSE_PLACES = 20.0
"""How much more the places of arrows and the like may be off."""

ITEMS_HZ = 30.0
"""How often they are looked at, at least."""

LOOKED_AT = 20_000
"""Frames times moments that are evaluated at once for the picture."""

AT_ORIGIN = still((0.0, 0.0, 0.0)), still((0.0, 0.0, 0.0, 1.0)), still((1.0, 1.0, 1.0))
"""Tracks of what stands at the origin of its parent, unturned and in its own size."""
HALF = 0.5
"""Of what is allowed, for looking at the motion; the rest is for leaving samples out."""


@dataclass(frozen=True, eq=False)
class Node:
    """Something that moves relative to its parent.

    Attributes
    ----------
    parent
        The place of the parent in `AnimatedNodes.nodes`, before this one; `ROOT` for the world.
    p : track of (3,)
        Where it is in its parent, m.
    Q : track of (4,)
        How it is turned there: x, y, z, w of the quaternion that takes vectors into the parent; signs are continuous.
    size : track of (3,)
        By how much it is stretched along its own axes; zero where it is not to be seen.
    shapes
        What it looks like; nodes that look the same share one tuple.
    is_frame
        Whether it is a frame of the scene.
    is_standing
        Whether it stands on its parent, however that moves.
    follows
        Which frames say where it is; None of one of which that is not known.
    """

    name: str
    parent: int
    p: Track
    Q: Track
    size: Track
    shapes: tuple[NodeShape, ...] = ()
    is_frame: bool = False
    is_standing: bool = False
    follows: Followed | None = None


@dataclass(frozen=True, eq=False)
class Mark:
    """A value that stands somewhere: at the foot `p` of an arrow `v`, (3,), or at `p` on an arc of the angle `v`, (1,).

    The value is `factor` times the length of the arrow; without one there is nothing to say. `node` is what an arc goes
    about, `role` the name of its colour in a theme, and `follows` as of nodes.
    """

    symbol: str
    name: str
    unit: str
    factor: float
    role: str
    is_angle: bool
    node: int
    p: Track
    v: Track
    follows: Followed | None = None


@dataclass(frozen=True, eq=False)
class AnimatedCamera:
    """Animated camera; `first` at the start. `Q` takes what the camera sees, y up and -z ahead, to world."""

    first: CameraState
    position: Track
    focal: Track
    up: Track
    angle: Track
    Q: Track


@dataclass(frozen=True)
class Accuracy:
    """Accuracy of a model between its samples.

    Attributes
    ----------
    bound
        What was asked for.
    reached
        By how much it may be off all the same, in parts of the bound: more than 1 where samples were too many.
    jumps
        How many times a frame or the camera jumps; there, readers see a very quick motion.
    most
        Samples of what has the most.
    """

    bound: ErrorBound
    reached: float
    jumps: int
    most: int

    @property
    def kept(self) -> ErrorBound:
        """The bound that is kept."""
        factor = max(1.0, self.reached)
        return ErrorBound(factor * self.bound.angle, factor * self.bound.length)


@dataclass(frozen=True, eq=False)
class AnimatedNodes:
    """All nodes of a scene, and its camera, from `start` to `stop`, s.

    `node_of` has the place of each frame's node by its row; `ROOT` for the world. `rings` are the rows of frames in a
    gimbal, each with the place of the first of the four nodes of that. `origin` is a place in the middle of
    the scene, in world, m, and zero for scenes that are not far from there; nodes are told in world all the same.
    """

    start: float
    stop: float
    nodes: tuple[Node, ...]
    node_of: tuple[int, ...]
    rings: tuple[tuple[int, int], ...]
    marks: tuple[Mark, ...]
    camera: AnimatedCamera
    accuracy: Accuracy
    origin: tuple[float, float, float]


def animated_nodes(request: ExportRequest, *, has_links: bool = True) -> AnimatedNodes:
    """Return what moves in a scene, with as many samples as its error asks for; `has_links`: lines to parents, too.

    Raises
    ------
    ExportError
        When so many samples would be needed that what can be kept shows another motion.
    """
    plan, theme = request.plan, request.theme
    start, stop = request.start, request.stop
    tree = plan.tree
    posed = tree.order[1:]
    moves = np.array([not np.isfinite(tree.still_p_PF[row]).all() for row in posed.tolist()], dtype=bool)
    moving_rows = posed[moves] if len(posed) else posed
    reach = FrameReach(plan, start, stop, moving_rows, request.accuracy)
    bound = ErrorBound(request.accuracy, reach.length)
    renderer = SceneRenderer(theme, decorations=BARE)
    renderer.set_plan(plan)
    renderer.show(evaluate(plan, start))
    drawn = {visual: list(visual.nodes()) for visual in renderer.visuals}
    found_nodes = list(chain.from_iterable(drawn.values()))
    gimbals = [node for node in found_nodes if isinstance(node, RingNodes) and turns_about_axes(plan, node.i_frame)]
    rings = np.array([gimbal.i_frame for gimbal in gimbals], dtype=np.intp)
    links = _linked_rows(plan) if has_links else np.zeros(0, dtype=np.intp)
    motion = FrameMotion(plan, moving_rows, rings, links)
    if motion.turns(start, stop) * 4 > MOST_LOOKS:  # of which not even quarters of turns could be kept
        raise _refused(request)
    report = _Report(request)
    frames = _sampled_frames(request, motion, motion.allowed(reach), report)
    animated = {visual: [node for node in nodes if isinstance(node, AnimatedItems)] for visual, nodes in drawn.items()}
    sources = {visual: items for visual, items in animated.items() if items}
    items = _flat(sources)
    loose = ErrorBound(LOOSE * bound.angle, LOOSE_PLACES * bound.angle * reach.scale)
    pictured = _sampled_items(request, sources, loose, _first_of_items(request, frames), report) if items else None
    camera, seen = _camera(request, renderer, bound)
    found = _Nodes(plan, frames, motion.allowed(reach))
    found.add_frames(moving_rows)
    found.add_rings(gimbals, len(moving_rows))
    found.add_links(links, len(moving_rows) + 3 * len(rings), theme)
    found.add_standing(node for node in found_nodes if isinstance(node, StandingNode))
    if pictured is not None:
        found.add_items(items, followed_frames(plan, sources), pictured, Allowed(*allowances(items, loose)))
    all_sampled = [one for one in (frames, pictured, seen) if one is not None]
    reached = max(one.reached for one in all_sampled)
    if reached * bound.angle > TOO_WRONG:
        raise _refused(request)
    nodes = tuple(found.nodes)
    most = max((len(track.times) for node in nodes for track in (node.p, node.Q, node.size)), default=1)
    jumps = sum(one.jumps for one in (frames, seen) if one is not None)  # what is drawn of them comes and goes
    accuracy = Accuracy(bound, reached, jumps, most)
    origin = _origin(reach, bound)
    placed = found.node_of, tuple(found.rings), tuple(found.marks)
    return AnimatedNodes(start, stop, nodes, *placed, camera, accuracy, origin)


def _refused(request: ExportRequest) -> ExportError:
    return ExportError(
        f"stop: from {request.start:g} to {request.stop:g} s something moves too often to be kept: no more than"
        f" {MOST_LOOKS} moments are looked at. Export a shorter part of the time."
    )


def _origin(reach: FrameReach, bound: ErrorBound) -> tuple[float, float, float]:
    """Return a whole place from which single precision, of 24 bits, tells the scene within the bound."""
    is_far = np.abs(reach.center).max() * 2.0**-24 > 0.1 * bound.length
    x, y, z = (float(round(at)) if is_far else 0.0 for at in reach.center.tolist())
    return x, y, z


def _linked_rows(plan: Plan) -> Rows:
    parents = plan.tree.parents
    has_link = plan.view_data.has_link & (parents >= 0) & (np.arange(len(parents)) > 0)
    return np.flatnonzero(has_link)


def _flat(sources: Mapping[Visual, Sequence[AnimatedItems]]) -> list[AnimatedItem]:
    """Return the items of all sources, their parents counted among all of them."""
    items: list[AnimatedItem] = []
    for source in chain.from_iterable(sources.values()):
        first = len(items)
        items += [item if item.parent is None else replace(item, parent=first + item.parent) for item in source.items]
    return items


class _Report:
    """Progress of work whose whole is not known before."""

    def __init__(self, request: ExportRequest) -> None:
        self._request, self._done, self._expected = request, 0, 1

    def expect(self, count: int) -> None:
        """Say how many times are still to be looked at, at least."""
        self._expected = max(self._expected, self._done + count)

    def step(self, count: int = 1) -> None:
        """Count some; raise `ExportCancelledError` when the export was given up."""
        self._request.stop_if_cancelled()
        self._done += count
        self._request.progress(self._done, max(self._expected, self._done) + 1)


def _sampled_frames(request: ExportRequest, motion: FrameMotion, allowed: Allowed, report: _Report) -> SampledTracks:
    start, stop = request.start, request.stop
    count = int(min(max(FEWEST, FIRST_HZ * (stop - start)), MOST_FIRST)) if motion.count else 1
    most = max(MOST_FIRST, min(MOST_LOOKS, MOST_NUMBERS // max(1, 12 * motion.count)))

    def sample(times: Array) -> States:
        report.step()
        return motion.sample(times)

    return sample_motion(sample, np.linspace(start, stop, count + 1), allowed.fraction(HALF), most)


def _sampled_items(
    request: ExportRequest,
    sources: Mapping[Visual, Sequence[AnimatedItems]],
    bound: ErrorBound,
    first: Array,
    report: _Report,
) -> SampledTracks:
    """Ask the visuals where their items are."""
    plan = request.plan
    step = max(1, LOOKED_AT // len(plan.names))

    def sample(times: Array) -> States:
        report.expect(len(times))
        for k in range(0, len(times), step):
            at_once = evaluate(plan, times[k : k + step])
            shown = {visual: [one for one in each if not one.take_all(at_once)] for visual, each in sources.items()}
            shown = {visual: each for visual, each in shown.items() if each}
            if not shown:
                report.step(len(at_once.t))
                continue
            for snapshot in moments(at_once):
                report.step()
                tick = Tick(snapshot, plan, {})
                for visual, its_sources in shown.items():
                    visual.show(tick)
                    for source in its_sources:
                        source.take()
        return join_states([source.states() for each in sources.values() for source in each], axis=1)

    items = _flat(sources)
    allowed = Allowed(*allowances(items, bound)).fraction(HALF)
    most = min(max(MOST_PICTURED, 2 * len(first)), max(4 * FEWEST, MOST_NUMBERS // (12 * len(items))))
    # One look at each interval, off its middle: to draw takes longer than to look at all frames.
    return sample_motion(sample, first, allowed, most, inner=(0.4142,))


def _first_of_items(request: ExportRequest, frames: SampledTracks) -> Array:
    """Return when to look at items at first: often enough, too, that no frame turns far in between."""
    start, stop = request.start, request.stop
    count = int(min(max(FEWEST, ITEMS_HZ * (stop - start)), MOST_FIRST))
    even = np.linspace(start, stop, count + 1)
    fastest = frames.states.rates.max(axis=1, initial=0.0)
    turned = np.concatenate([[0.0], np.cumsum(0.5 * (fastest[1:] + fastest[:-1]) * np.diff(frames.times))])
    marks = np.arange(0.0, turned[-1], 0.9 * MOST_TURN)
    return np.union1d(even, frames.times[np.searchsorted(turned, marks)])


def _camera(
    request: ExportRequest, renderer: SceneRenderer, bound: ErrorBound
) -> tuple[AnimatedCamera, SampledTracks | None]:
    """Return where the scene is seen from, and how that was sampled if it moves."""
    path, first = request.plan.view_data.camera_path, renderer.camera()
    if path is None:
        position, focal, up, angle = map(still, (first.position, first.focal_point, first.up, (first.view_angle,)))
        return AnimatedCamera(first, position, focal, up, angle, still(_looking((first,))[0])), None
    scale = first.distance

    def sample(times: Array) -> States:
        seen = [path.at(t) for t in times.tolist()]
        states = [camera_of(c) for c in seen]
        p = np.zeros((len(times), 4, 3))
        for k, c in enumerate(seen):
            p[k, :3] = c.position, c.focal_point, scale * c.up
            p[k, 3, 0] = scale * c.view_angle
        Q = np.tile(np.array((0.0, 0.0, 0.0, 1.0)), (len(times), 4, 1))
        Q[:, 0] = _looking(states)
        ones = np.ones((len(times), 4))
        return States(p, Q, np.ones_like(p), ones.astype(bool), 0.0 * ones)

    lengths = np.full(4, bound.angle * scale)
    allowed = Allowed(np.full(4, bound.angle), lengths, lengths, np.full(4, 1e30))
    start, stop = request.start, request.stop
    found = sample_motion(sample, np.linspace(start, stop, FEWEST + 1), allowed.fraction(HALF), MOST_FIRST)
    position, focal, up, angle = (thin_out(found.times, found.states.p[:, k], HALF * lengths[k]) for k in range(4))
    Q = thin_out(found.times, quaternions.continuous_signs(found.states.Q[:, 0]), HALF * bound.angle, is_turn=True)
    up = Track(up.times, up.values / scale)
    angle = Track(angle.times, angle.values[:, :1] / scale)
    first = camera_of(path.at(start))
    return AnimatedCamera(first, position, focal, up, angle, Q), found


def _looking(cameras: Sequence[CameraState]) -> Array:
    """Return how cameras are turned (n, 4), which look along their -z with y up."""
    return quaternions.from_T(np.stack([camera.axes() for camera in cameras]))


class _Nodes:
    """The nodes that are put together, parents before their children."""

    def __init__(self, plan: Plan, frames: SampledTracks, allowed: Allowed) -> None:
        self._plan, self._frames, self._allowed = plan, frames, allowed
        self.nodes: list[Node] = []
        self.rings: list[tuple[int, int]] = []
        self.marks: list[Mark] = []
        places = [ROOT] * len(plan.names)
        ordered = plan.tree.order[1:].tolist()
        nowhere = sorted(set(range(1, len(plan.names))) - set(ordered))
        for k, row in enumerate([*ordered, *nowhere]):
            places[row] = k
        self._order, self._posed = [*ordered, *nowhere], set(ordered)
        self.node_of = tuple(places)

    def _parent(self, row: int) -> int:
        parent = int(self._plan.tree.parents[row])
        return ROOT if row not in self._posed or parent < 0 else self.node_of[parent]

    def _tracks(
        self, sampled_: SampledTracks, k: int, allowed: Allowed, *, comes_and_goes: bool = True
    ) -> tuple[Track, Track, Track]:
        """Return place, turn and size of the k-th thing that was sampled; the size is zero where it is not there."""
        times, states = sampled_.times, sampled_.states
        is_seen = states.is_seen[:, k]
        angle, length, size = (float(values[k]) for values in allowed[:3])
        limits: float | Array = HALF * angle
        if allowed.extents is not None and allowed.extents[k] < 1e30:
            spread = allowed.extents[k] * states.size[:, k, 0] + states.size[:, k, 2]
            limits = HALF * np.maximum(angle, length / np.maximum(spread, 1e-300))
        p, Q, stretch = (_held(is_seen, values[:, k]) for values in (states.p, states.Q, states.size))
        Q = quaternions.continuous_signs(Q)
        shown = stretch * is_seen[:, None] if comes_and_goes else stretch
        turned = thin_out(times, Q, limits, is_turn=True)
        return thin_out(times, p, HALF * length), turned, thin_out(times, shown, HALF * size)

    def add_frames(self, moving_rows: Rows) -> None:
        """Add a node for each frame but the world."""
        column = {row: k for k, row in enumerate(moving_rows.tolist())}
        for row in self._order:
            name, parent = self._plan.names[row], self._parent(row)
            if row in column:
                tracks = self._tracks(self._frames, column[row], self._allowed)
            elif row in self._posed and (pose := still_pose(self._plan, row)) is not None:
                p, Q = pose
                tracks = still(p), still(Q), still((1.0, 1.0, 1.0))
            else:
                tracks = still((0.0, 0.0, 0.0)), still((0.0, 0.0, 0.0, 1.0)), still((0.0, 0.0, 0.0))
            self.nodes.append(Node(name, parent, *tracks, is_frame=True))

    def add_rings(self, gimbals: Sequence[RingNodes], first: int) -> None:
        """Add fork and rings of each gimbal; they turn with the angles, in the frame's parent."""
        for n, gimbal in enumerate(gimbals):
            parent = self._parent(gimbal.i_frame)
            tracks = [self._tracks(self._frames, first + 3 * n + k, self._allowed) for k in range(3)]
            self.rings.append((gimbal.i_frame, len(self.nodes)))
            fork = tracks[0][0], still((0.0, 0.0, 0.0, 1.0)), tracks[0][2]
            for called, shape, each in zip(
                ("fork", "outer ring", "middle ring", "inner ring"), gimbal.shapes, (fork, *tracks), strict=True
            ):
                self.nodes.append(Node(f"{called} of {gimbal.name}", parent, *each, (shape,)))

    def add_links(self, rows: Rows, first: int, theme: Theme) -> None:
        """Add the quiet lines from frames to their parents."""
        color = (*channels(mix(theme.quiet, theme.scene_bottom, 0.45)), 1.0)
        look = (NodeShape(np.array([[0.0, 0, 0], [0, 0, 1]]), np.array([[0, 1]]), color),)
        for k, row in enumerate(rows.tolist()):
            if row in self._posed:
                tracks = self._tracks(self._frames, first + k, self._allowed)
                if tracks[2].values.any():
                    name = f"link of {self._plan.names[row]}"
                    self.nodes.append(Node(name, self._parent(row), *tracks, look))

    def add_standing(self, standing: Iterable[StandingNode]) -> None:
        """Add what stands on frames, axes and bodies; what is the world's hangs on the root."""
        for each in standing:
            parent = self.node_of[each.i_frame]
            tracks = still(each.p), still(each.Q), still((each.size,) * 3)
            self.nodes.append(Node(each.name, parent, *tracks, each.shapes, is_standing=True))

    def add_items(
        self,
        items: Sequence[AnimatedItem],
        followed: Sequence[Followed | None],
        pictured: SampledTracks,
        allowed: Allowed,
    ) -> None:
        """Add what hangs on the root: an item of several pieces is a node that holds them."""
        is_ever = np.asarray(pictured.states.is_seen.any(axis=0), dtype=np.bool_)
        parts: dict[str, list[int]] = {}
        for k, item in enumerate(items):
            if item.is_piece and is_ever[k]:
                parts.setdefault(item.group, []).append(k)
        for name, pieces in parts.items():
            holder = ROOT
            if len(pieces) > 1:
                holder = len(self.nodes)
                self.nodes.append(Node(name, ROOT, *AT_ORIGIN, follows=followed[pieces[0]]))
            for n, k in enumerate(pieces, start=1):
                called = f"{name}, part {n}" if len(pieces) > 1 else name
                tracks = self._tracks(pictured, k, allowed)
                self.nodes.append(Node(called, holder, *tracks, items[k].shapes, follows=followed[k]))
        self._add_single(items, followed, pictured, allowed, is_ever)

    def _add_single(
        self,
        items: Sequence[AnimatedItem],
        followed: Sequence[Followed | None],
        pictured: SampledTracks,
        allowed: Allowed,
        is_ever: NDArray[np.bool_],
    ) -> None:
        places: dict[int, int] = {}
        for k, item in enumerate(items):
            if item.is_piece or item.is_read or not is_ever[k]:
                continue
            parent = ROOT if item.parent is None else places[item.parent]
            tracks = self._tracks(pictured, k, allowed, comes_and_goes=item.comes_and_goes)
            if item.caption is not None:
                self._add_mark(item.caption, parent, tracks[0], pictured, k + 1, allowed, followed[k])
                continue
            places[k] = len(self.nodes)
            self.nodes.append(Node(item.name, parent, *tracks, item.shapes, follows=followed[k]))

    def _add_mark(
        self,
        caption: ValueText,
        node: int,
        p: Track,
        pictured: SampledTracks,
        k: int,
        allowed: Allowed,
        follows: Followed | None,
    ) -> None:
        is_seen, values = pictured.states.is_seen[:, k], pictured.states.p[:, k]
        values = values * is_seen[:, None]
        v = thin_out(pictured.times, values[:, :1] if caption.is_angle else values, HALF * float(allowed.lengths[k]))
        text = caption.symbol, caption.name, caption.unit, caption.factor, caption.role, caption.is_angle
        self.marks.append(Mark(*text, node, p, v, follows))


def _held(is_seen: NDArray[np.bool_], values: Array) -> Array:
    """Return values with the last known one, or the first, where there is none."""
    if is_seen.all() or not is_seen.any():
        return values
    known = np.where(is_seen, np.arange(len(values)), -1)
    last = np.maximum.accumulate(known)
    return values[np.where(last < 0, int(np.argmax(is_seen)), last)]


def allowances(items: Sequence[AnimatedItem], bound: ErrorBound) -> tuple[Array, Array, Array, Array]:
    """Return what items may use of a bound: angles, lengths, sizes, and extents, (n,); values that are read a tenth."""
    tightness = np.array([item.tightness for item in items])
    extents = np.array([item.extent for item in items])
    lengths = np.full(len(items), 0.5 * bound.length)
    for k, item in enumerate(items):
        if item.is_read:
            caption = items[k - 1].caption
            lengths[k] = 0.1 * (bound.angle if caption is not None and caption.is_angle else bound.length)
    widths = np.where(extents < UNBOUND, np.maximum(extents, 1.0), 1.0)
    return 0.5 * bound.angle / tightness, lengths, lengths / widths, extents
