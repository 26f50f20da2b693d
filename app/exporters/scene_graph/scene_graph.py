"""Scene graph: a scene as a tree of animated nodes, for formats with separate shapes and motions: GLB, USD, HTML.

Frames form the tree. Axes and bodies are children of their frames. Rings, arrows and elements are children of the root
and move and stretch on their own. Shapes and poses come from the visuals of the window.

All formats use the motions sampled here. The error between samples decides their number
(`framescope.core.kernels.sampled_tracks`): a fast rotation has many samples, a fixed node has one.
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
    TOLERANCE_FACTOR,
    FrameMotion,
    FrameReach,
    Rows,
    still_pose,
)
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
    Followed,
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
"""Lowest rate of the first sampling of frames, 1/s. A shorter event is noticed only near the middle of an interval."""
MIN_FIRST_TIMES, MAX_FIRST_TIMES = 64, 20_000
"""Smallest and largest number of times of the first sampling."""

MAX_VALUES = 40_000_000
"""Largest number of values kept while a scene is sampled."""
SQUARE = (720, 720)
"""Picture for which a camera is fitted that shows everything in pictures of any shape, pixels."""

MAX_TIMES = 400_000
"""Largest number of times at which frames are sampled."""
MAX_ITEM_TIMES = 60_000
"""Largest number of times at which the visuals are asked for arrows and other items."""

MAX_SHOWN_ERROR = math.radians(30.0)
"""Error of an angle, rad, above which a model would show a different motion, so that the export fails."""

LENGTH_TOLERANCE_FACTOR = 20.0
"""Factor by which positions of arrows and other items may be less accurate than frames."""

ITEMS_HZ = 30.0
"""Lowest rate of the first sampling of arrows and other items, 1/s."""

ITEM_BLOCK = 20_000
"""Largest number of frames times sample times that are evaluated at once for the visuals."""

AT_ORIGIN = still((0.0, 0.0, 0.0)), still((0.0, 0.0, 0.0, 1.0)), still((1.0, 1.0, 1.0))
"""Tracks of a node at its parent, with no rotation and in its own size."""
SAMPLING_SHARE = 0.5
"""Share of the allowed error for sampling the motion; the remaining error is for leaving samples out."""


@dataclass(frozen=True, eq=False)
class Node:
    """A node that moves relative to its parent.

    Attributes
    ----------
    parent
        Index of the parent in `AnimatedNodes.nodes`, before this node; `ROOT` for world.
    p : track of (3,)
        Position in the parent, m.
    Q : track of (4,)
        Quaternion x, y, z, w that takes vectors of the node into the parent; signs are continuous.
    size : track of (3,)
        Scale along the node's own axes; zero while it is invisible.
    shapes
        Shapes of the node; nodes that look the same share one tuple.
    is_frame
        Whether the node is a frame of the scene.
    is_standing
        Whether the node is fixed in its parent.
    follows
        Frames that determine the node's pose; None where they are not known.
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
    """A value shown at an arrow `v`, (3,), with its foot at `p`, or at `p` on an arc of the angle `v`, (1,).

    The value is `factor` times the length of the arrow; a factor of zero shows no value. `node` is the arc's node,
    `role` the name of the value's colour in a theme, and `follows` the frames that determine the value's place.
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
    """Animated camera; `first` is its state at the start. `Q` takes its vectors, y up and -z ahead, to world."""

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
        The requested bound.
    reached
        Largest error as a multiple of the bound; more than 1 where too many samples would be needed.
    jumps
        Number of jumps of frames or the camera, which readers show as a very fast motion.
    most
        Largest number of samples of any track.
    """

    bound: ErrorBound
    reached: float
    jumps: int
    most: int

    @property
    def kept(self) -> ErrorBound:
        """The bound that the model meets: the requested one, enlarged where it was exceeded."""
        factor = max(1.0, self.reached)
        return ErrorBound(factor * self.bound.angle, factor * self.bound.length)


@dataclass(frozen=True, eq=False)
class AnimatedNodes:
    """All nodes of a scene, and its camera, from `start` to `stop`, s.

    `node_of` maps each frame's row to the index of its node; `ROOT` for world. `rings` holds the row of each frame in a
    gimbal with the index of the first of the gimbal's four nodes. `origin` is a point near the centre of a scene far
    from the origin of world, m, else zero. Nodes are given in world in both cases.
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
    """Sample the motion of a scene to its accuracy; `has_links` adds the lines to parents.

    Raises
    ------
    ExportError
        When the samples that fit into memory would show a different motion.
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
    renderer.layers.size_without_window = SQUARE  # a page is looked at in windows of any shape
    renderer.set_plan(plan)
    renderer.show(evaluate(plan, start))
    nodes_of = {visual: list(visual.nodes()) for visual in renderer.visuals}
    all_nodes = list(chain.from_iterable(nodes_of.values()))
    # A frame with a problem has no motion.
    gimbals = [node for node in all_nodes if isinstance(node, RingNodes) and node.i_frame in tree.motions]
    rings = np.array([gimbal.i_frame for gimbal in gimbals], dtype=np.intp)
    links = _linked_rows(plan) if has_links else np.zeros(0, dtype=np.intp)
    motion = FrameMotion(plan, moving_rows, rings, links)
    if motion.turns(start, stop) * 4 > MAX_TIMES:  # too few samples even for quarter turns
        raise _sample_limit_error(request)
    report = _Report(request)
    frames = _sampled_frames(request, motion, motion.allowed_errors(reach), report)
    animated = {
        visual: [node for node in nodes if isinstance(node, AnimatedItems)] for visual, nodes in nodes_of.items()
    }
    sources = {visual: items for visual, items in animated.items() if items}
    items = _flat(sources)
    loose = ErrorBound(TOLERANCE_FACTOR * bound.angle, LENGTH_TOLERANCE_FACTOR * bound.angle * reach.scale)
    pictured = _sampled_items(request, sources, loose, _first_of_items(request, frames), report) if items else None
    camera, camera_tracks = _camera(request, renderer, bound)
    tree_nodes = _Nodes(plan, frames, motion.allowed_errors(reach))
    tree_nodes.add_frames(moving_rows)
    tree_nodes.add_rings(gimbals, len(moving_rows))
    tree_nodes.add_links(links, len(moving_rows) + 3 * len(rings), theme)
    tree_nodes.add_standing(node for node in all_nodes if isinstance(node, StandingNode))
    if pictured is not None:
        followed = [
            frames for visual, of_visual in sources.items() for frames in visual.driving_frames(plan, of_visual)
        ]
        tree_nodes.add_items(items, followed, pictured, Allowed(*allowances(items, loose)))
    all_sampled = [tracks for tracks in (frames, pictured, camera_tracks) if tracks is not None]
    reached = max(tracks.reached for tracks in all_sampled)
    if reached * bound.angle > MAX_SHOWN_ERROR:
        raise _sample_limit_error(request)
    nodes = tuple(tree_nodes.nodes)
    most = max((len(track.times) for node in nodes for track in (node.p, node.Q, node.size)), default=1)
    jumps = sum(tracks.jumps for tracks in (frames, camera_tracks) if tracks is not None)  # items may appear and vanish
    accuracy = Accuracy(bound, reached, jumps, most)
    origin = _origin(reach, bound)
    placed = tree_nodes.node_of, tuple(tree_nodes.rings), tuple(tree_nodes.marks)
    return AnimatedNodes(start, stop, nodes, *placed, camera, accuracy, origin)


def _sample_limit_error(request: ExportRequest) -> ExportError:
    return ExportError(
        f"stop: from {request.start:g} to {request.stop:g} s something moves too often to be kept: no more than"
        f" {MAX_TIMES} moments are looked at. Export a shorter part of the time."
    )


def _origin(reach: FrameReach, bound: ErrorBound) -> tuple[float, float, float]:
    """Return a point with whole coordinates, m, from which single precision, 24 bits, keeps positions in the bound."""
    is_far = np.abs(reach.center).max() * 2.0**-24 > 0.1 * bound.length
    x, y, z = (float(round(at)) if is_far else 0.0 for at in reach.center.tolist())
    return x, y, z


def _linked_rows(plan: Plan) -> Rows:
    parents = plan.tree.parents
    has_link = plan.view_data.has_link & (parents >= 0) & (np.arange(len(parents)) > 0)
    return np.flatnonzero(has_link)


def _flat(sources: Mapping[Visual, Sequence[AnimatedItems]]) -> list[AnimatedItem]:
    """Return the items of all sources in one list; their parents become indices into that list."""
    items: list[AnimatedItem] = []
    for source in chain.from_iterable(sources.values()):
        first = len(items)
        items += [item if item.parent is None else replace(item, parent=first + item.parent) for item in source.items]
    return items


class _Report:
    """Progress of work with an unknown total."""

    def __init__(self, request: ExportRequest) -> None:
        self._request, self._done, self._expected = request, 0, 1

    def expect(self, count: int) -> None:
        """Raise the expected total: at least `count` more steps are to come."""
        self._expected = max(self._expected, self._done + count)

    def step(self, count: int = 1) -> None:
        """Count steps; raise `ExportCancelledError` when the caller has cancelled the export."""
        self._request.stop_if_cancelled()
        self._done += count
        self._request.progress(self._done, max(self._expected, self._done) + 1)


def _sampled_frames(request: ExportRequest, motion: FrameMotion, allowed: Allowed, report: _Report) -> SampledTracks:
    start, stop = request.start, request.stop
    count = int(min(max(MIN_FIRST_TIMES, FIRST_HZ * (stop - start)), MAX_FIRST_TIMES)) if motion.count else 1
    most = max(MAX_FIRST_TIMES, min(MAX_TIMES, MAX_VALUES // max(1, 12 * motion.count)))

    def sample(times: Array) -> States:
        report.step()
        return motion.sample(times)

    return sample_motion(sample, np.linspace(start, stop, count + 1), allowed.fraction(SAMPLING_SHARE), most)


def _sampled_items(
    request: ExportRequest,
    sources: Mapping[Visual, Sequence[AnimatedItems]],
    bound: ErrorBound,
    first: Array,
    report: _Report,
) -> SampledTracks:
    """Sample the items of all visuals."""
    plan = request.plan
    step = max(1, ITEM_BLOCK // len(plan.names))

    def sample(times: Array) -> States:
        report.expect(len(times))
        for k in range(0, len(times), step):
            at_once = evaluate(plan, times[k : k + step])
            shown = {
                visual: [source for source in of_visual if not source.take_all(at_once)]
                for visual, of_visual in sources.items()
            }
            shown = {visual: one_by_one for visual, one_by_one in shown.items() if one_by_one}
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
        return join_states([source.states() for of_visual in sources.values() for source in of_visual], axis=1)

    items = _flat(sources)
    allowed = Allowed(*allowances(items, bound)).fraction(SAMPLING_SHARE)
    most = min(max(MAX_ITEM_TIMES, 2 * len(first)), max(4 * MIN_FIRST_TIMES, MAX_VALUES // (12 * len(items))))
    # One probe per interval, off its middle, because drawing takes longer than sampling all frames.
    return sample_motion(sample, first, allowed, most, inner=(0.4142,))


def _first_of_items(request: ExportRequest, frames: SampledTracks) -> Array:
    """Return the first sample times of items, dense enough that no frame rotates far between them."""
    start, stop = request.start, request.stop
    count = int(min(max(MIN_FIRST_TIMES, ITEMS_HZ * (stop - start)), MAX_FIRST_TIMES))
    even = np.linspace(start, stop, count + 1)
    fastest = frames.states.rates.max(axis=1, initial=0.0)
    turned = np.concatenate([[0.0], np.cumsum(0.5 * (fastest[1:] + fastest[:-1]) * np.diff(frames.times))])
    marks = np.arange(0.0, turned[-1], 0.9 * MOST_TURN)
    return np.union1d(even, frames.times[np.searchsorted(turned, marks)])


def _camera(
    request: ExportRequest, renderer: SceneRenderer, bound: ErrorBound
) -> tuple[AnimatedCamera, SampledTracks | None]:
    """Return the camera, and its sampled tracks if it moves."""
    path, eye = request.plan.view_data.camera_path, request.seen_from.eye
    first = renderer.camera() if eye is None else eye
    if path is None or eye is not None:
        position, focal, up, angle = map(still, (first.position, first.focal_point, first.up, (first.view_angle,)))
        return AnimatedCamera(first, position, focal, up, angle, still(_looking((first,))[0])), None
    scale = first.distance

    def sample(times: Array) -> States:
        cameras = [path.at(t) for t in times.tolist()]
        states = [camera_of(c) for c in cameras]
        p = np.zeros((len(times), 4, 3))
        for k, c in enumerate(cameras):
            p[k, :3] = c.position, c.focal_point, scale * c.up
            p[k, 3, 0] = scale * c.view_angle
        Q = np.tile(np.array((0.0, 0.0, 0.0, 1.0)), (len(times), 4, 1))
        Q[:, 0] = _looking(states)
        ones = np.ones((len(times), 4))
        return States(p, Q, np.ones_like(p), ones.astype(bool), 0.0 * ones)

    lengths = np.full(4, bound.angle * scale)
    allowed = Allowed(np.full(4, bound.angle), lengths, lengths, np.full(4, 1e30))
    start, stop = request.start, request.stop
    tracks = sample_motion(
        sample, np.linspace(start, stop, MIN_FIRST_TIMES + 1), allowed.fraction(SAMPLING_SHARE), MAX_FIRST_TIMES
    )
    position, focal, up, angle = (
        thin_out(tracks.times, tracks.states.p[:, k], SAMPLING_SHARE * lengths[k]) for k in range(4)
    )
    Q = thin_out(
        tracks.times, quaternions.continuous_signs(tracks.states.Q[:, 0]), SAMPLING_SHARE * bound.angle, is_turn=True
    )
    up = Track(up.times, up.values / scale)
    angle = Track(angle.times, angle.values[:, :1] / scale)
    first = camera_of(path.at(start))
    return AnimatedCamera(first, position, focal, up, angle, Q), tracks


def _looking(cameras: Sequence[CameraState]) -> Array:
    """Return the quaternions (n, 4) of cameras, which look along their -z axes with y up."""
    return quaternions.from_T(np.stack([camera.axes() for camera in cameras]))


class _Nodes:
    """Builder of the nodes, parents before their children."""

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
        """Return position, rotation and size of the k-th sampled motion; the size is zero while it is invisible."""
        times, states = sampled_.times, sampled_.states
        is_seen = states.is_seen[:, k]
        angle, length, size = (float(values[k]) for values in allowed[:3])
        limits: float | Array = SAMPLING_SHARE * angle
        if allowed.extents is not None and allowed.extents[k] < 1e30:
            spread = allowed.extents[k] * states.size[:, k, 0] + states.size[:, k, 2]
            limits = SAMPLING_SHARE * np.maximum(angle, length / np.maximum(spread, 1e-300))
        p, Q, stretch = (_hold_values(is_seen, values[:, k]) for values in (states.p, states.Q, states.size))
        Q = quaternions.continuous_signs(Q)
        shown = stretch * is_seen[:, None] if comes_and_goes else stretch
        turned = thin_out(times, Q, limits, is_turn=True)
        return thin_out(times, p, SAMPLING_SHARE * length), turned, thin_out(times, shown, SAMPLING_SHARE * size)

    def add_frames(self, moving_rows: Rows) -> None:
        """Add a node for each frame except world."""
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
        """Add fork and rings of each gimbal; they rotate by the angles, in the parent of the frame."""
        for n, gimbal in enumerate(gimbals):
            parent = self._parent(gimbal.i_frame)
            tracks = [self._tracks(self._frames, first + 3 * n + k, self._allowed) for k in range(3)]
            self.rings.append((gimbal.i_frame, len(self.nodes)))
            fork = tracks[0][0], still((0.0, 0.0, 0.0, 1.0)), tracks[0][2]
            for part, shape, part_tracks in zip(
                ("fork", "outer ring", "middle ring", "inner ring"), gimbal.shapes, (fork, *tracks), strict=True
            ):
                self.nodes.append(Node(f"{part} of {gimbal.name}", parent, *part_tracks, (shape,)))

    def add_links(self, rows: Rows, first: int, theme: Theme) -> None:
        """Add the thin lines from frames to their parents."""
        color = (*channels(mix(theme.quiet, theme.scene_bottom, 0.45)), 1.0)
        look = (NodeShape(np.array([[0.0, 0, 0], [0, 0, 1]]), np.array([[0, 1]]), color),)
        for k, row in enumerate(rows.tolist()):
            if row in self._posed:
                tracks = self._tracks(self._frames, first + k, self._allowed)
                if tracks[2].values.any():
                    name = f"link of {self._plan.names[row]}"
                    self.nodes.append(Node(name, self._parent(row), *tracks, look))

    def add_standing(self, standing: Iterable[StandingNode]) -> None:
        """Add the nodes that are fixed in frames: axes and bodies; nodes of world become children of the root."""
        for item in standing:
            parent = self.node_of[item.i_frame]
            tracks = still(item.p), still(item.Q), still((item.size,) * 3)
            self.nodes.append(Node(item.name, parent, *tracks, item.shapes, is_standing=True))

    def add_items(
        self,
        items: Sequence[AnimatedItem],
        followed: Sequence[Followed | None],
        pictured: SampledTracks,
        allowed: Allowed,
    ) -> None:
        """Add the items below the root; an item with several pieces gets a node that holds them."""
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
                label = f"{name}, part {n}" if len(pieces) > 1 else name
                tracks = self._tracks(pictured, k, allowed)
                self.nodes.append(Node(label, holder, *tracks, items[k].shapes, follows=followed[k]))
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
        v = thin_out(
            pictured.times, values[:, :1] if caption.is_angle else values, SAMPLING_SHARE * float(allowed.lengths[k])
        )
        text = caption.symbol, caption.name, caption.unit, caption.factor, caption.role, caption.is_angle
        self.marks.append(Mark(*text, node, p, v, follows))


def _hold_values(is_seen: NDArray[np.bool_], values: Array) -> Array:
    """Hold the last visible value where a motion is invisible, and the first visible one before it."""
    if is_seen.all() or not is_seen.any():
        return values
    known = np.where(is_seen, np.arange(len(values)), -1)
    last = np.maximum.accumulate(known)
    return values[np.where(last < 0, int(np.argmax(is_seen)), last)]


def allowances(items: Sequence[AnimatedItem], bound: ErrorBound) -> tuple[Array, Array, Array, Array]:
    """Divide an error bound among items: angles, lengths, sizes and extents, (n,); read values get a tenth of it."""
    tightness = np.array([item.tightness for item in items])
    extents = np.array([item.extent for item in items])
    lengths = np.full(len(items), 0.5 * bound.length)
    for k, item in enumerate(items):
        if item.is_read:
            caption = items[k - 1].caption
            lengths[k] = 0.1 * (bound.angle if caption is not None and caption.is_angle else bound.length)
    widths = np.where(extents < UNBOUND, np.maximum(extents, 1.0), 1.0)
    return 0.5 * bound.angle / tightness, lengths, lengths / widths, extents
