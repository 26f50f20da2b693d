"""HTML exporter: one file that plays the scene in any browser without network access.

The viewer is in `framescope.features.web_page.app.web`. A content security policy allows only the page's own script,
identified by its hash. The page can neither load nor send anything, whatever the texts of the scene contain.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.request import ExportRequest, ignore_progress
from framescope.app.exporters.scene_graph.scene_graph import (
    AT_ORIGIN,
    Accuracy,
    AnimatedNodes,
    Mark,
    Node,
    animated_nodes,
)
from framescope.core.evaluation.drawn_frames import roots_of
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.frame_traces import SIGN_RULE
from framescope.core.evaluation.frame_tree import blocks_of_times
from framescope.core.kernels.sampled_tracks import Track
from framescope.core.kernels.validation import SEQUENCES, Array
from framescope.core.kinematics import UNSURE
from framescope.core.scene.schema.model import WORLD
from framescope.core.system.atomic_write import atomically
from framescope.features.web_page.app import page_follows, web
from framescope.features.web_page.app.page_arrows import arrows_of
from framescope.features.web_page.app.page_notes import notes_of
from framescope.features.web_page.app.page_plots import plots_of
from framescope.features.web_page.core.scene_code import SceneCode, scene_code
from framescope.ui.exports.options import COARSEST_DEG
from framescope.ui.formatting.item_names import BRANCH_TEXTS
from framescope.ui.scene_view.base.animated_nodes import Followed
from framescope.ui.scene_view.base.node_shapes import NodeShape
from framescope.ui.scene_view.base.visual import ViewContext
from framescope.ui.scene_view.geometry.sprites import SpriteSheet
from framescope.ui.scene_view.visuals.arrow_labels import readable
from framescope.ui.scene_view.visuals.arrow_legend import scale_notes
from framescope.ui.scene_view.visuals.axis_letters import letters_all
from framescope.ui.scene_view.visuals.bodies import SHAPE_DRAWINGS
from framescope.ui.scene_view.visuals.grid import grid_note
from framescope.ui.theme.icon_svg import tint_icon
from framescope.ui.theme.tokens import DARK, LIGHT, LOCK, NEAR, Theme, channels, mix

Json = dict[str, Any]

DRIFT_LOOKS = 129
"""Number of times at which the drift of matrices is evaluated."""

MOMENT_S = 0.05
"""Duration of the part of the scene that is drawn in the other theme to find its colours, s."""


def write(request: ExportRequest) -> Accuracy:
    """Write a page and return the accuracy of its motion."""
    animated = animated_nodes(request, has_links=False)
    page = page_of(request, animated)
    request.stop_if_cancelled()
    request.progress(1, 1)
    try:
        with atomically(request.path) as partial:
            partial.write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise request.failure(error) from None
    return animated.accuracy


def page_of(request: ExportRequest, animated: AnimatedNodes) -> str:
    """Return the HTML of a page."""
    return fill_template(page_parts(request, animated, is_alone=True))


def fill_template(parts: Mapping[str, str], template: str = "page.html") -> str:
    """Fill a template with its parts."""
    return re.sub(r"\{\{([\w:-]+)\}\}", lambda match: _part(match[1], parts), web.source(template))


def page_parts(request: ExportRequest, animated: AnimatedNodes, *, is_alone: bool = False) -> dict[str, str]:
    """Return the parts of a page by their names in the template.

    Without `is_alone` the page is part of another one, such as a lesson, and hears no messages.
    """
    packed = Packed(animated.start)
    code = scene_code(request.plan) if request.options.interactive else None
    themes = both_themes(request)
    scene = json.dumps(_scene(request, animated, themes, packed, code), separators=(",", ":"), allow_nan=False)
    style = "".join(variables(theme) for theme in themes) + web.source("style.css")
    script = web.script("" if code is None else web.formulas_script(code.text), is_alone=is_alone)
    sources = f"script-src {hash_source(script)}; style-src {hash_source(style)}; img-src data:"
    policy = content_policy(sources)
    title = request.scene.title or request.path.stem
    return {
        "policy": policy,
        "theme": request.theme.name,
        "generator": html.escape(f"Framescope {version('framescope')}"),
        "title": html.escape(title),
        "source": html.escape(request.scene.source or ""),
        "angles": request.angles.symbol if request.angles.key == "rad" else "deg",
        "rates": request.angles.rate or "",
        "sign_rule": html.escape(SIGN_RULE),
        "branch_1": html.escape(BRANCH_TEXTS[0]),
        "branch_2": html.escape(BRANCH_TEXTS[1]),
        "staged": "" if code is None else fill_template({}, "staged_bar.html"),
        "style": style,
        "script": script,
        "scales": _scales(request),
        "grid": html.escape(grid_note(request.plan.view_data.grid)),
        "sequences": "".join(f"<option>{name}</option>" for name in SEQUENCES),
        # "</script" would end the script, and "<!--" would change how it ends.
        "scene": scene.replace("<", "\\u003c"),
        "numbers": base64.b64encode(packed.content()).decode("ascii"),
    }


def content_policy(sources: str) -> str:
    """Return the content security policy that allows only these sources."""
    none = ("default-src", "frame-src", "object-src", "base-uri", "form-action")
    return "; ".join((*(f"{name} 'none'" for name in none), sources))


def _part(name: str, parts: Mapping[str, str]) -> str:
    return icon(name.removeprefix("icon:")) if name.startswith("icon:") else parts[name]


def icon(name: str) -> str:
    """Return the SVG of an icon in the colour of the text around it, with the comment on its licence."""
    return " ".join(tint_icon(name, "currentColor").decode().split()).replace("<svg", '<svg aria-hidden="true"', 1)


def hash_source(text: str) -> str:
    """Return the hash source of a script or a style for a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def both_themes(request: ExportRequest) -> tuple[Theme, Theme]:
    """Return the initial theme of a page and the other theme."""
    return request.theme, LIGHT if request.theme.is_dark else DARK


def variables(theme: Theme) -> str:
    """Return the CSS rule with the colours of a theme."""
    colors: dict[str, object] = asdict(theme)
    colors |= {f"{role}_text": readable(getattr(theme, role), theme) for role in ("sensor", "force", "omega")}
    colors |= {f"axis_{axis}_text": color for axis, color in zip("xyz", theme.axis_texts, strict=True)}
    rules = [f"--{role.replace('_', '-')}:{color};" for role, color in colors.items() if str(color).startswith("#")]
    scheme = "dark" if theme.is_dark else "light"
    return f"[data-theme={theme.name}]{{color-scheme:{scheme};{''.join(rules)}}}\n"


def _scales(request: ExportRequest) -> str:
    """Return the list of the scales of arrows as HTML."""
    return "".join(f"<li><b>{html.escape(a)}</b>{html.escape(b)}</li>" for a, b, _ in scale_notes(_context(request)))


def _context(request: ExportRequest) -> ViewContext:
    return ViewContext(request.plan, request.theme, 1.0, SpriteSheet(1.0), angles=request.angles)


# Data of the viewer


def _scene(
    request: ExportRequest,
    animated: AnimatedNodes,
    themes: tuple[Theme, Theme],
    packed: Packed,
    code: SceneCode | None,
) -> Json:
    plan = request.plan
    shapes = _Shapes(request, themes, packed)
    pack = packed.track
    followed = [] if code is None else page_follows.followed_frames(animated)
    rows = () if code is None else (row for row, frame in enumerate(code.frames) if frame is not None)
    computed = {animated.node_of[row] for row in rows}
    return {
        "start": animated.start,
        "stop": animated.stop,
        "theme": request.theme.name,
        "followsScheme": request.theme is DARK,  # the default theme
        "themes": {theme.name: _drawn_colors(theme) for theme in themes},
        "grid": plan.view_data.grid,
        "angles": {
            "factor": math.degrees(1.0) / request.angles.size_deg,
            "decimals": request.angles.decimals,
            "sceneDecimals": request.angles.scene_decimals,
            "sign": request.angles.sign or f" {request.angles.symbol}",
        },
        "camera": _camera(request, animated, pack),
        "nodes": [
            _node(_without_motion(node) if i in computed else node, shapes, pack) | _follows(node.follows, followed)
            for i, node in enumerate(animated.nodes)
        ],
        "frames": _frames(request, animated),
        "chosen": _chosen(request),
        "hosts": list(request.options.hosts or ()),
        "links": _links(request, animated),
        "trails": [
            {
                "node": animated.node_of[t.i_frame],
                "duration": plan.end - plan.start if t.duration is None else t.duration,
            }
            for t in plan.view_data.trails
            if t.i_frame
        ],
        "arrows": [_mark(mark, pack, followed) for mark in animated.marks if not mark.is_angle],
        "sensorArrows": arrows_of(plan, code),
        "arcs": [_mark(mark, pack, followed) for mark in animated.marks if mark.is_angle],
        "followed": page_follows.follow_entries(plan, followed, code),
        "measured": [] if code is None else page_follows.measured_of(animated, plan),
        "notes": notes_of(plan, animated),
        "plots": plots_of(request, packed, code),
        "shapes": shapes.listed,
        "tracks": packed.tracks,
        "motion": None if code is None else motion_of(request.plan, animated.rings, code),
    }


def motion_of(plan: Plan, rings: Iterable[tuple[int, int]], code: SceneCode) -> Json:
    """Return the code of the motions that the page computes, and the tree of frames."""
    return {
        "frames": code.frames,
        "parents": plan.tree.parents.tolist(),
        "order": plan.tree.order[1:].tolist(),
        "parameters": dict(code.parameters),
        "fixed": sorted(code.sampled_parameters),
        "uses": page_follows.uses_of(plan, code),
        "rings": [{"row": row, "node": node} for row, node in rings],
        "unsure": UNSURE,
        "near": NEAR,
        "lock": LOCK,
    }


def _drawn_colors(theme: Theme) -> Json:
    link = mix(theme.quiet, theme.scene_bottom, 0.45)
    names = ("is_dark", "scene_top", "scene_bottom", "frame_a", "quiet", "text", "sensor", "axis_x", "axis_y", "axis_z")
    return {"link": link, **{name: getattr(theme, name) for name in names}}


def _camera(request: ExportRequest, animated: AnimatedNodes, pack: Callable[..., int]) -> Json:
    camera = animated.camera
    return {
        "position": pack(camera.position, is_exact=True),
        "focal": pack(camera.focal, is_exact=True),
        "up": pack(camera.up, is_exact=True),
        "angle": pack(camera.angle, is_exact=True),
        "isParallel": camera.first.is_parallel,
        "hasPath": request.plan.view_data.camera_path is not None and request.seen_from.eye is None,
    }


def _node(node: Node, shapes: _Shapes, pack: Callable[..., int]) -> Json:
    """Return a node. Poses of frames keep single precision, as the page shows their numbers."""
    return {
        "parent": node.parent,
        "p": pack(node.p, is_exact=node.is_frame),
        "Q": pack(node.Q, is_exact=node.is_frame),
        "size": pack(node.size),
        "isFixed": node.is_frame or node.is_standing,
        "shapes": [shapes.place_of(node, k) for k in range(len(node.shapes))],
    }


def _without_motion(node: Node) -> Node:
    """Remove the sampled motion from the node of a frame that the page computes."""
    p, Q, _ = AT_ORIGIN
    return replace(node, p=p, Q=Q)


def _frames(request: ExportRequest, animated: AnimatedNodes) -> list[Json]:
    """Return all frames, world first, with their nodes and properties."""
    plan, view_data = request.plan, request.plan.view_data
    has_letters = letters_all(view_data)
    parents, roots = plan.tree.parents, roots_of(plan.tree)
    drift, signs = _drifts(request), _signs(request)
    rings = {drawn.i_frame: drawn.radius for drawn in view_data.rings}
    entries: list[Json] = []
    for row, name in enumerate(plan.names):
        motion = plan.tree.motions.get(row)
        axes = None if motion is None else motion.axes
        length = float(view_data.triad_length[row]) if view_data.has_triad[row] else 0.0
        entries.append(
            {
                "name": name,
                "node": animated.node_of[row],
                "parent": plan.names[max(int(parents[row]), 0)],
                "root": plan.names[roots[row]],
                "sequence": "XYZ" if axes is None else "".join("XYZ"[axis - 1] for axis in axes.sequence),
                "hasLabel": bool(view_data.has_label[row]),
                "letters": length if has_letters else 0.0,
                "axis": length,
                "drift": float(drift[row]),
                "signs": signs[row],
                "ringRadius": rings.get(row, 0.0),
            }
        )
    return entries


def _signs(request: ExportRequest) -> list[Json | None]:
    """Return the quaternions that determine the sign of each frame's quaternion; None for a frame without a pose.

    They are the quaternions at the start of the page, in the parent (`own`) and in world (`here`), with the sign
    continued from the start of the scene, and the quaternion at the start of the scene, in world (`begin`).
    """
    plan = request.plan
    first, here = evaluate(plan, plan.start), evaluate(plan, request.start)
    signs: list[Json | None] = []
    for row, name in enumerate(plan.names):
        request.stop_if_cancelled()
        parent = plan.names[max(int(plan.tree.parents[row]), 0)]
        Q = {
            "own": plan.traces.quaternions(here, name, parent),
            "here": plan.traces.quaternions(here, name, WORLD),
            "begin": plan.traces.quaternions(first, name, WORLD),
        }
        is_known = all(np.isfinite(q).all() for q in Q.values())
        signs.append({key: q.tolist() for key, q in Q.items()} if is_known else None)
    return signs


def _drifts(request: ExportRequest) -> Array:
    """Return the largest deviation of each frame's matrix from a rotation, (n,)."""
    times = np.linspace(request.start, request.stop, DRIFT_LOOKS)
    largest = np.zeros(len(request.plan.names))
    for block in blocks_of_times(request.plan.tree, times):
        request.stop_if_cancelled()
        snapshot = evaluate(request.plan, block)
        deviation = np.abs(np.swapaxes(snapshot.R_WF, -1, -2) @ snapshot.R_WF - np.eye(3)).max(axis=(-1, -2))
        largest = np.maximum(largest, np.where(snapshot.is_posed, deviation, 0.0).max(axis=0))
    return largest


def _chosen(request: ExportRequest) -> str:
    """Return the frame whose numbers are shown first: the one asked for, the first one with angles, or the first."""
    plan = request.plan
    if request.options.frame:
        return request.options.frame
    turning = (name for name in plan.names if name != WORLD and plan.angles(name, request.start) is not None)
    return next(turning, plan.names[min(1, len(plan.names) - 1)])


def _links(request: ExportRequest, animated: AnimatedNodes) -> list[Json]:
    view_data, parents = request.plan.view_data, request.plan.tree.parents
    rows = np.flatnonzero(view_data.has_link & (parents >= 0) & (np.arange(len(parents)) > 0)).tolist()
    return [{"node": animated.node_of[row], "parent": animated.node_of[int(parents[row])]} for row in rows]


def _follows(follows: Followed | None, followed: list[Followed]) -> Json:
    """Return the index of the followed frames in their list, if there is one."""
    return {"follows": followed.index(follows)} if follows in followed else {}


def _mark(mark: Mark, pack: Callable[..., int], followed: list[Followed]) -> Json:
    """Return the label at the tip of an arrow or beside an arc."""
    return {
        "symbol": mark.symbol,
        "name": mark.name,
        "unit": mark.unit,
        "isInDegrees": mark.unit.startswith("°"),
        "factor": mark.factor,
        "role": mark.role.replace("_", "-"),
        "node": mark.node,
        "p": pack(mark.p, is_exact=True),
        "v": pack(mark.v, is_exact=True),
    } | _follows(mark.follows, followed)


class _Shapes:
    """Shapes of all nodes, each stored once, in the colours of both themes."""

    def __init__(self, request: ExportRequest, themes: tuple[Theme, Theme], packed: Packed) -> None:
        self.listed: list[Json] = []
        self._packed, self._themes = packed, themes
        self._places: dict[int, int] = {}
        self._references: list[NodeShape] = []  # keeps shapes alive, so that their ids stay unique
        # A short part of the scene in the other theme provides the colours of shapes in it.
        stop = min(request.stop, request.start + MOMENT_S)
        rough = math.radians(COARSEST_DEG)
        moment = replace(request, theme=themes[1], stop=stop, accuracy=rough, progress=ignore_progress)
        self._others = {node.name: node.shapes for node in animated_nodes(moment).nodes if node.shapes}
        bodies = request.plan.view_data.bodies
        self._open = {body.name for body in bodies if not SHAPE_DRAWINGS[body.kind].is_closed}

    def place_of(self, node: Node, k: int) -> int:
        """Return the index of a node's k-th shape."""
        shape = node.shapes[k]
        if id(shape) not in self._places:
            self._references.append(shape)
            others = self._others.get(node.name, ())
            self._places[id(shape)] = len(self.listed)
            self.listed.append(self._pack(shape, others[k] if len(others) > k else None, node.name))
        return self._places[id(shape)]

    def _pack(self, shape: NodeShape, other: NodeShape | None, name: str) -> Json:
        packed = self._packed
        fine = np.uint16 if len(shape.points) <= np.iinfo(np.uint16).max else np.uint32
        text: Json = {
            "points": packed.array(shape.points.astype(np.float32)),
            "cells": packed.array(shape.cells.astype(fine)),
            "isLines": shape.is_lines,
            "isClosed": shape.normals is not None and name not in self._open,
            "color": shape.color,
            "otherColor": self._other_color(shape.color) if other is None else other.color,
        }
        if shape.normals is not None:
            text["normals"] = packed.array(_small_normals(shape.normals))
        if shape.colors is not None:
            text["tints"] = packed.array(shape.colors)
            text["otherTints"] = packed.array(shape.colors if other is None or other.colors is None else other.colors)
        return text

    def _other_color(self, color: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Return the colour of the other theme with the same role; colours without a role stay."""
        first, other = self._themes
        for role in ("sensor", "frame_a", "omega", "force", "quiet", "text", *(f"axis_{axis}" for axis in "xyz")):
            if np.allclose(channels(getattr(first, role)), color[:3], atol=1e-3):
                return *channels(getattr(other, role)), color[3]
        return color


def _small_normals(normals: Array) -> NDArray[np.int8]:
    """Return normals as bytes, padded to four each; this is fine enough for shading."""
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    small = np.zeros((len(normals), 4), dtype=np.int8)
    small[:, :3] = np.round(127 * normals / np.maximum(lengths, 1e-12))
    return small


NEAR_ZERO = 16.0
"""Size up to which numbers have six decimals in single precision."""

STEPS = 65535
"""Number of steps in the range of a track that need not be exact; a step is too small to be seen."""

_KINDS = {"float32": "f4", "int16": "i2", "uint16": "u2", "int8": "i1", "uint8": "u1", "uint32": "u4"}


class Packed:
    """Arrays and tracks packed into one block of bytes. Equal ones are stored once."""

    def __init__(self, start: float = 0.0) -> None:
        self._start = start
        self.tracks: list[Json] = []
        self._blob = bytearray()
        self._arrays: dict[tuple[str, bytes], list[Any]] = {}
        self._tracks: dict[tuple[bool, bytes, bytes], int] = {}

    def content(self) -> bytes:
        """Return the block of bytes, little endian."""
        return bytes(self._blob)

    def array(self, values: NDArray[np.number]) -> list[Any]:
        """Add an array and return its kind, offset and count.

        >>> packed = Packed()
        >>> packed.array(np.array([1, 2, 3], dtype=np.uint8)), packed.array(np.array([0.5], dtype=np.float32))
        (['u1', 0, 3], ['f4', 4, 1])
        """
        kind = _KINDS[values.dtype.name]
        stored = np.asarray(values, dtype=f"<{kind}").tobytes()
        if (kind, stored) not in self._arrays:
            self._blob += bytes(-len(self._blob) % 4)
            self._arrays[kind, stored] = [kind, len(self._blob), values.size]
            self._blob += stored
        return self._arrays[kind, stored]

    def track(self, track: Track, *, is_exact: bool = False) -> int:
        """Add a track and return its index. Times count from the start of the page.

        A constant track is stored as its numbers. Exact tracks are stored in single precision, relative to a whole
        number in the middle of their range if they are far from zero. Other tracks are quantised in steps of their
        range; a zero at its low end stays exact.
        """
        key = (is_exact, track.times.tobytes(), track.values.tobytes())
        if key not in self._tracks:
            self._tracks[key] = len(self.tracks)
            self.tracks.append(self._pack_track(track, is_exact=is_exact))
        return self._tracks[key]

    def _pack_track(self, track: Track, *, is_exact: bool) -> Json:
        values = track.values
        if track.is_still:
            return {"still": values[0].tolist()}
        times = self.array((track.times - self._start).astype(np.float32))
        low, high = values.min(axis=0), values.max(axis=0)
        text: Json = {"width": values.shape[1], "times": times}
        if is_exact:
            ends = zip(low.tolist(), high.tolist(), strict=True)
            base = [float(round(0.5 * (a + b))) if max(abs(a), abs(b)) > NEAR_ZERO else 0.0 for a, b in ends]
            return {**text, "low": base, "array": self.array((values - base).astype(np.float32))}
        # Zero means that an item is absent. It is exact where it is the low end of the range.
        step = np.maximum((high - low) / STEPS, 1e-300)
        steps = np.asarray(np.round((values - low) / step), dtype=np.uint16)
        return {**text, "low": low.tolist(), "step": step.tolist(), "array": self.array(steps)}
