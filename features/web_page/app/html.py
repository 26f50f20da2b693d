"""HTML: a page in one file that plays the scene in any browser, with nothing from the network.

The viewer stands in `framescope.features.web_page.app.web`. A content security policy lets the page run its own
script, known by its hash, and nothing else: it can load nothing and send nothing, whatever a scene's texts hold.
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

from framescope.app.exporters.request import ExportRequest
from framescope.app.exporters.scene_graph.scene_graph import (
    AT_ORIGIN,
    Accuracy,
    AnimatedNodes,
    Mark,
    Node,
    animated_nodes,
)
from framescope.core.evaluation.drawn_frames import root_of
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.frame_traces import SIGN_RULE
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
"""How often it is looked up how far matrices have drifted."""

MOMENT_S = 0.05
"""Of a scene that is looked at in the other theme, s."""


def write(request: ExportRequest) -> Accuracy:
    """Write a page; return how well it tells the motion."""
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
    """Return the whole page."""
    return filled(page_parts(request, animated, is_alone=True))


def filled(parts: Mapping[str, str], template: str = "page.html") -> str:
    """Return the page of its parts."""
    return re.sub(r"\{\{([\w:-]+)\}\}", lambda found: _part(found[1], parts), web.source(template))


def page_parts(request: ExportRequest, animated: AnimatedNodes, *, is_alone: bool = False) -> dict[str, str]:
    """Return the parts of a page by their names in its template.

    One that is not alone is a part of another page, such as that of a lesson: it has no staged mode.
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
        "staged": filled({}, "staged_bar.html") if is_alone and code is not None else "",
        "style": style,
        "script": script,
        "scales": _scales(request),
        "grid": html.escape(grid_note(request.plan.view_data.grid)),
        "sequences": "".join(f"<option>{name}</option>" for name in SEQUENCES),
        # Inside a script nothing ends it but "</script", and "<!--" changes what does.
        "scene": scene.replace("<", "\\u003c"),
        "numbers": base64.b64encode(packed.content()).decode("ascii"),
    }


def content_policy(sources: str) -> str:
    """Return the content security policy of a page that has these sources, and nothing of anywhere else."""
    none = ("default-src", "frame-src", "object-src", "base-uri", "form-action")
    return "; ".join((*(f"{name} 'none'" for name in none), sources))


def _part(name: str, parts: Mapping[str, str]) -> str:
    return icon(name.removeprefix("icon:")) if name.startswith("icon:") else parts[name]


def icon(name: str) -> str:
    """Return an icon that takes the colour of its text, with the line that names its licence."""
    return " ".join(tint_icon(name, "currentColor").decode().split()).replace("<svg", '<svg aria-hidden="true"', 1)


def hash_source(text: str) -> str:
    """Return how a content security policy names a script or a style by what it holds."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def both_themes(request: ExportRequest) -> tuple[Theme, Theme]:
    """Return the theme that a page is shown in first, and the other one."""
    return request.theme, LIGHT if request.theme.is_dark else DARK


def variables(theme: Theme) -> str:
    """Return the colours of a theme for the style sheet."""
    colors: dict[str, object] = asdict(theme)
    colors |= {f"{role}_text": readable(getattr(theme, role), theme) for role in ("sensor", "force", "omega")}
    colors |= {f"axis_{axis}_text": color for axis, color in zip("xyz", theme.axis_texts, strict=True)}
    rules = [f"--{role.replace('_', '-')}:{color};" for role, color in colors.items() if str(color).startswith("#")]
    scheme = "dark" if theme.is_dark else "light"
    return f"[data-theme={theme.name}]{{color-scheme:{scheme};{''.join(rules)}}}\n"


def _scales(request: ExportRequest) -> str:
    """Return what one unit of each kind of arrow is as long as."""
    return "".join(f"<li><b>{html.escape(a)}</b>{html.escape(b)}</li>" for a, b, _ in scale_notes(_context(request)))


def _context(request: ExportRequest) -> ViewContext:
    return ViewContext(request.plan, request.theme, 1.0, SpriteSheet(1.0), angles=request.angles)


# What the viewer reads


def _scene(
    request: ExportRequest,
    animated: AnimatedNodes,
    themes: tuple[Theme, Theme],
    packed: Packed,
    code: SceneCode | None,
) -> Json:
    plan = request.plan
    shapes = _Shapes(request, themes, packed)
    tell = packed.track
    followed = [] if code is None else page_follows.followed_in(animated)
    rows = () if code is None else (row for row, frame in enumerate(code.frames) if frame is not None)
    computed = {animated.node_of[row] for row in rows}
    return {
        "start": animated.start,
        "stop": animated.stop,
        "theme": request.theme.name,
        "followsScheme": request.theme is DARK,  # what it is when none is asked for
        "themes": {theme.name: _drawn_colors(theme) for theme in themes},
        "grid": plan.view_data.grid,
        "angles": {
            "factor": math.degrees(1.0) / request.angles.size_deg,
            "decimals": request.angles.decimals,
            "sceneDecimals": request.angles.scene_decimals,
            "sign": request.angles.sign or f" {request.angles.symbol}",
        },
        "camera": _camera(request, animated, tell),
        "nodes": [
            _node(_computed(node) if i in computed else node, shapes, tell) | _follows(node.follows, followed)
            for i, node in enumerate(animated.nodes)
        ],
        "frames": _frames(request, animated),
        "chosen": _chosen(request),
        "links": _links(request, animated),
        "trails": [
            {
                "node": animated.node_of[t.i_frame],
                "duration": plan.end - plan.start if t.duration is None else t.duration,
            }
            for t in plan.view_data.trails
            if t.i_frame
        ],
        "arrows": [_mark(mark, tell, followed) for mark in animated.marks if not mark.is_angle],
        "sensorArrows": arrows_of(plan, code),
        "arcs": [_mark(mark, tell, followed) for mark in animated.marks if mark.is_angle],
        "followed": page_follows.listed(plan, followed, code),
        "measured": [] if code is None else page_follows.measured_of(animated, plan),
        "notes": notes_of(plan, animated),
        "plots": plots_of(request, packed, code),
        "shapes": shapes.listed,
        "tracks": packed.tracks,
        "motion": None if code is None else motion_of(request.plan, animated.rings, code),
    }


def motion_of(plan: Plan, rings: Iterable[tuple[int, int]], code: SceneCode) -> Json:
    """Return what is computed in the page, and how its frames hang together."""
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


def _camera(request: ExportRequest, animated: AnimatedNodes, tell: Callable[..., int]) -> Json:
    camera = animated.camera
    return {
        "position": tell(camera.position, is_exact=True),
        "focal": tell(camera.focal, is_exact=True),
        "up": tell(camera.up, is_exact=True),
        "angle": tell(camera.angle, is_exact=True),
        "isParallel": camera.first.is_parallel,
        "hasPath": request.plan.view_data.camera_path is not None,
    }


def _node(node: Node, shapes: _Shapes, tell: Callable[..., int]) -> Json:
    """Return a node; the numbers of frames are read, and so keep single precision."""
    return {
        "parent": node.parent,
        "p": tell(node.p, is_exact=node.is_frame),
        "Q": tell(node.Q, is_exact=node.is_frame),
        "size": tell(node.size),
        "isFixed": node.is_frame or node.is_standing,
        "shapes": [shapes.place_of(node, k) for k in range(len(node.shapes))],
    }


def _computed(node: Node) -> Node:
    """Return the node of a frame that the page computes, without where it is at which time."""
    p, Q, _ = AT_ORIGIN
    return replace(node, p=p, Q=Q)


def _frames(request: ExportRequest, animated: AnimatedNodes) -> list[Json]:
    """Return all frames, world first: which node each is, and what is said of it."""
    plan, view_data = request.plan, request.plan.view_data
    has_letters = letters_all(view_data)
    parents = plan.tree.parents
    drift, signs = _drifts(request), _signs(request)
    rings = {drawn.i_frame: drawn.radius for drawn in view_data.rings}
    found: list[Json] = []
    for row, name in enumerate(plan.names):
        motion = plan.tree.motions.get(row)
        axes = None if motion is None else motion.axes
        length = float(view_data.triad_length[row]) if view_data.has_triad[row] else 0.0
        found.append(
            {
                "name": name,
                "node": animated.node_of[row],
                "parent": plan.names[max(int(parents[row]), 0)],
                "root": plan.names[root_of(plan.tree, row)],
                "sequence": "XYZ" if axes is None else "".join("XYZ"[axis - 1] for axis in axes.sequence),
                "hasLabel": bool(view_data.has_label[row]),
                "letters": length if has_letters else 0.0,
                "axis": length,
                "drift": float(drift[row]),
                "signs": signs[row],
                "ringRadius": rings.get(row, 0.0),
            }
        )
    return found


def _signs(request: ExportRequest) -> list[Json | None]:
    """Return of each frame the quaternions that say which of two is shown; None of one without a pose there.

    They are those at the start of the page, in the parent (`own`) and in world (`here`), of the sign that goes on from
    the start of the scene, and the one that there is at that start, in world (`begin`).
    """
    plan = request.plan
    first, here = evaluate(plan, plan.start), evaluate(plan, request.start)
    found: list[Json | None] = []
    for row, name in enumerate(plan.names):
        request.stop_if_cancelled()
        parent = plan.names[max(int(plan.tree.parents[row]), 0)]
        Q = {
            "own": plan.traces.quaternions(here, name, parent),
            "here": plan.traces.quaternions(here, name, WORLD),
            "begin": plan.traces.quaternions(first, name, WORLD),
        }
        is_known = all(np.isfinite(each).all() for each in Q.values())
        found.append({key: each.tolist() for key, each in Q.items()} if is_known else None)
    return found


def _drifts(request: ExportRequest) -> Array:
    """Return by how much the matrix of each frame is off a rotation, at most, (n,)."""
    times = np.linspace(request.start, request.stop, DRIFT_LOOKS)
    largest = np.zeros(len(request.plan.names))
    for t in times:
        snapshot = evaluate(request.plan, t)
        off = np.abs(np.swapaxes(snapshot.R_WF, -1, -2) @ snapshot.R_WF - np.eye(3)).max(axis=(-1, -2))
        largest = np.maximum(largest, np.where(snapshot.is_posed, off, 0.0))
    return largest


def _chosen(request: ExportRequest) -> str:
    """Return the frame whose numbers are shown first: one that turns about named axes, or else the first."""
    plan = request.plan
    turning = (name for name in plan.names if name != WORLD and plan.angles(name, request.start) is not None)
    return next(turning, plan.names[min(1, len(plan.names) - 1)])


def _links(request: ExportRequest, animated: AnimatedNodes) -> list[Json]:
    view_data, parents = request.plan.view_data, request.plan.tree.parents
    rows = np.flatnonzero(view_data.has_link & (parents >= 0) & (np.arange(len(parents)) > 0)).tolist()
    return [{"node": animated.node_of[row], "parent": animated.node_of[int(parents[row])]} for row in rows]


def _follows(follows: Followed | None, followed: list[Followed]) -> Json:
    """Return the place of what is followed in the list of it, where there is one."""
    return {"follows": followed.index(follows)} if follows in followed else {}


def _mark(mark: Mark, tell: Callable[..., int], followed: list[Followed]) -> Json:
    """Return what stands at the tip of an arrow or beside an arc."""
    return {
        "symbol": mark.symbol,
        "name": mark.name,
        "unit": mark.unit,
        "isInDegrees": mark.unit.startswith("°"),
        "factor": mark.factor,
        "role": mark.role.replace("_", "-"),
        "node": mark.node,
        "p": tell(mark.p, is_exact=True),
        "v": tell(mark.v, is_exact=True),
    } | _follows(mark.follows, followed)


class _Shapes:
    """The shapes of all nodes, each once, in the colours of both themes."""

    def __init__(self, request: ExportRequest, themes: tuple[Theme, Theme], packed: Packed) -> None:
        self.listed: list[Json] = []
        self._packed, self._themes = packed, themes
        self._places: dict[int, int] = {}
        self._kept: list[NodeShape] = []  # so that no other shape gets the identity of one that was seen
        # A moment of the same scene in the other theme says what its things look like there.
        stop = min(request.stop, request.start + MOMENT_S)
        rough = math.radians(COARSEST_DEG)
        moment = replace(request, theme=themes[1], stop=stop, accuracy=rough, progress=_ignored)
        self._others = {node.name: node.shapes for node in animated_nodes(moment).nodes if node.shapes}
        bodies = request.plan.view_data.bodies
        self._open = {body.name for body in bodies if not SHAPE_DRAWINGS[body.kind].is_closed}

    def place_of(self, node: Node, k: int) -> int:
        """Return the place of a node's k-th shape."""
        shape = node.shapes[k]
        if id(shape) not in self._places:
            self._kept.append(shape)
            others = self._others.get(node.name, ())
            self._places[id(shape)] = len(self.listed)
            self.listed.append(self._tell(shape, others[k] if len(others) > k else None, node.name))
        return self._places[id(shape)]

    def _tell(self, shape: NodeShape, other: NodeShape | None, name: str) -> Json:
        packed = self._packed
        fine = np.uint16 if len(shape.points) <= np.iinfo(np.uint16).max else np.uint32
        text: Json = {
            "points": packed.array(shape.points.astype(np.float32)),
            "cells": packed.array(shape.cells.astype(fine)),
            "isLines": shape.is_lines,
            "isClosed": shape.normals is not None and name not in self._open,
            "color": shape.color,
            "otherColor": self._translated(shape.color) if other is None else other.color,
        }
        if shape.normals is not None:
            text["normals"] = packed.array(_small_normals(shape.normals))
        if shape.colors is not None:
            text["tints"] = packed.array(shape.colors)
            text["otherTints"] = packed.array(shape.colors if other is None or other.colors is None else other.colors)
        return text

    def _translated(self, color: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Return what a colour of the one theme is in the other; a colour that is no role's stays."""
        one, other = self._themes
        for role in ("sensor", "frame_a", "omega", "force", "quiet", "text", *(f"axis_{axis}" for axis in "xyz")):
            if np.allclose(channels(getattr(one, role)), color[:3], atol=1e-3):
                return *channels(getattr(other, role)), color[3]
        return color


def _ignored(_done: int, _total: int) -> None:
    pass


def _small_normals(normals: Array) -> NDArray[np.int8]:
    """Return normals as bytes, four for each: a shade is not finer than that."""
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    small = np.zeros((len(normals), 4), dtype=np.int8)
    small[:, :3] = np.round(127 * normals / np.maximum(lengths, 1e-12))
    return small


NEAR_ZERO = 16.0
"""Numbers up to this size have six digits behind the point in single precision."""

STEPS = 65535
"""Into which the range of a track is divided that need not be exact: a 30 000th of a picture is not seen."""

_KINDS = {"float32": "f4", "int16": "i2", "uint16": "u2", "int8": "i1", "uint8": "u1", "uint32": "u4"}


class Packed:
    """Arrays and tracks that are put together; what is added twice stands there once."""

    def __init__(self, start: float = 0.0) -> None:
        self._start = start
        self.tracks: list[Json] = []
        self._blob = bytearray()
        self._arrays: dict[tuple[str, bytes], list[Any]] = {}
        self._tracks: dict[tuple[bool, bytes, bytes], int] = {}

    def content(self) -> bytes:
        """Return all bytes, little endian."""
        return bytes(self._blob)

    def array(self, values: NDArray[np.number]) -> list[Any]:
        """Return kind, offset and count of an array.

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
        """Return the place of a track, whose times are told from the start.

        What stands still is just its numbers. What need not be exact is told in steps of its range, zero exactly; the
        rest in single precision, from a whole number in the middle of it where it lies far from zero.
        """
        key = (is_exact, track.times.tobytes(), track.values.tobytes())
        if key not in self._tracks:
            self._tracks[key] = len(self.tracks)
            self.tracks.append(self._told(track, is_exact=is_exact))
        return self._tracks[key]

    def _told(self, track: Track, *, is_exact: bool) -> Json:
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
        # Zero says that something is not there: it is a step of the range, if it lies in it at the low end.
        step = np.maximum((high - low) / STEPS, 1e-300)
        steps = np.asarray(np.round((values - low) / step), dtype=np.uint16)
        return {**text, "low": low.tolist(), "step": step.tolist(), "array": self.array(steps)}
