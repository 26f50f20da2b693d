"""USD: a stage with z up, in metres, for Omniverse, Houdini, Blender and the like.

Every node is an Xform with translate, orient and scale; what changes has the samples that its error asks for, what
stands still has one value. Shapes that several nodes share are prototypes, which the nodes are instances of. usd-core
writes text as ``.usda``, and binary as ``.usdc`` and ``.usd`` (https://openusd.org/release/api/index.html).
"""

from __future__ import annotations

import errno
import math
import re
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from framescope.app.exporters.request import ExportError, ExportRequest
from framescope.app.exporters.scene_graph.scene_graph import (
    ROOT,
    Accuracy,
    AnimatedCamera,
    AnimatedNodes,
    Node,
    animated_nodes,
)
from framescope.core.kernels.sampled_tracks import Track, still
from framescope.core.kernels.validation import Array
from framescope.core.system.atomic_write import atomically
from framescope.core.system.optional_packages import USD
from framescope.ui.scene_view.base.node_shapes import NodeShape
from framescope.ui.scene_view.visuals.bodies import LINE_WIDTH

APERTURE_MM = 24.0
"""Height of the picture in a camera, mm: USD tells angles by that and the focal length."""

LINE_SHARE = 0.002
"""Width of lines, of the distance of the camera: in USD lines have a width in metres."""


def write(request: ExportRequest) -> Accuracy:
    """Write a USD file; return how well it tells the motion."""
    pxr = _pxr()
    animated = animated_nodes(request)
    made = _Stage(pxr, request, animated)
    request.stop_if_cancelled()
    request.progress(1, 1)
    try:
        with atomically(request.path) as partial:
            made.export(partial)
    except OSError as error:
        raise request.failure(error) from None
    return animated.accuracy


def _pxr() -> Any:
    try:
        for part in ("Gf", "Sdf", "Tf", "Usd", "UsdGeom", "Vt"):
            USD.part(part)
        return USD.part()
    except ImportError:
        raise ExportError(USD.reason) from None


class _Stage:
    """A stage that is put together."""

    def __init__(self, pxr: Any, request: ExportRequest, animated: AnimatedNodes) -> None:
        self._pxr = pxr
        self._start, self._fps = animated.start, request.fps
        self._stop = animated.stop
        self._stage: Any = pxr.Usd.Stage.CreateInMemory()
        self._prototypes: dict[tuple[int, ...], str] = {}
        self._line_width = LINE_SHARE * animated.camera.first.distance * LINE_WIDTH
        self._describe(request)
        self._root: str = "/World"
        world = pxr.UsdGeom.Xform.Define(self._stage, self._root)
        self._stage.SetDefaultPrim(world.GetPrim())
        world.GetPrim().SetMetadata("kind", "component")
        self._add_nodes(request, animated.nodes)
        self._add_camera(animated.camera, request.size)

    def export(self, path: Path) -> None:
        """Write a file, as text or binary by its ending; raise `OSError` when that fails."""
        try:
            is_written = self._stage.GetRootLayer().Export(str(path))
        except self._pxr.Tf.ErrorException as error:
            found = re.search(r"Error occurred writing file: ([^']+)'", str(error))
            raise OSError(errno.EIO, found[1] if found else "USD could not write it") from None
        if not is_written:
            raise OSError(errno.EIO, "USD could not write it")

    def _describe(self, request: ExportRequest) -> None:
        pxr, stage, scene = self._pxr, self._stage, request.scene
        pxr.UsdGeom.SetStageUpAxis(stage, pxr.UsdGeom.Tokens.z)
        pxr.UsdGeom.SetStageMetersPerUnit(stage, 1.0)
        stage.SetTimeCodesPerSecond(request.fps)
        stage.SetFramesPerSecond(request.fps)
        stage.SetStartTimeCode(0.0)
        stage.SetEndTimeCode(self._code(self._stop))
        texts = [scene.title or request.path.stem, scene.source or "", f"Framescope {version('framescope')}"]
        stage.SetMetadata("comment", "\n".join(filter(None, texts)))

    # Nodes

    def _add_nodes(self, request: ExportRequest, nodes: tuple[Node, ...]) -> None:
        self._share(nodes)
        paths: list[str] = []
        taken: set[str] = {f"{self._root}/view", f"{self._root}/shapes"}
        for node in nodes:
            request.stop_if_cancelled()
            parent = self._root if node.parent == ROOT else paths[node.parent]
            paths.append(_free(f"{parent}/{identifier(node.name)}", taken))
            xform = self._pxr.UsdGeom.Xform.Define(self._stage, paths[-1])
            xform.GetPrim().SetDisplayName(node.name)
            self._move(xform, node.p, node.Q, node.size)
            self._dress(paths[-1], node)

    def _share(self, nodes: Iterable[Node]) -> None:
        """Make a prototype of each look that several nodes have; nothing of them is seen but by their instances."""
        users: dict[tuple[int, ...], list[Node]] = {}
        for node in nodes:
            if node.shapes:
                users.setdefault(tuple(map(id, node.shapes)), []).append(node)
        shared = {key: first for key, (first, *others) in users.items() if others}
        if not shared:
            return
        holder = self._stage.CreateClassPrim(f"{self._root}/shapes")
        for k, (key, node) in enumerate(shared.items(), start=1):
            self._prototypes[key] = f"{holder.GetPath()}/shape_{k}"
            self._pxr.UsdGeom.Xform.Define(self._stage, self._prototypes[key])
            self._add_shapes(self._prototypes[key], node.shapes)

    def _dress(self, path: str, node: Node) -> None:
        if not node.shapes:
            return
        prototype = self._prototypes.get(tuple(map(id, node.shapes)))
        if prototype is None:
            self._add_shapes(path, node.shapes)
            return
        # An instance has no children of its own, and the node may have.
        instance = self._pxr.UsdGeom.Xform.Define(self._stage, f"{path}/look").GetPrim()
        instance.GetReferences().AddInternalReference(prototype)
        instance.SetInstanceable(True)

    def _move(self, xform: Any, p: Track, Q: Track, size: Track) -> None:
        """Give a prim its translation, rotation and stretch; what is not there is invisible, not of size zero."""
        pxr = self._pxr
        double = pxr.UsdGeom.XformOp.PrecisionDouble
        is_there = (size.values != 0.0).all(axis=1)
        stretch = Track(size.times, np.where(is_there[:, None], size.values, 1.0))
        self._set(xform.AddTranslateOp(double), p, lambda row: pxr.Gf.Vec3d(*row))
        self._set(xform.AddOrientOp(double), Q, lambda q: pxr.Gf.Quatd(q[3], q[0], q[1], q[2]))
        if not np.all(stretch.values == 1.0):
            self._set(xform.AddScaleOp(double), stretch, lambda row: pxr.Gf.Vec3d(*row))
        if not is_there.all():
            tokens = pxr.UsdGeom.Tokens
            seen = tokens.invisible, tokens.inherited
            # A word holds until the next one: it is told where it changes.
            text = np.flatnonzero(np.concatenate([[True], is_there[1:] != is_there[:-1]]))
            shown = Track(size.times[text], is_there[text, None].astype(float))
            self._set(xform.CreateVisibilityAttr(), shown, lambda row: seen[int(row[0])])

    def _set(self, attribute: Any, track: Track, made: Callable[[list[float]], Any]) -> None:
        """Set one value, or one for each sample."""
        rows: list[list[float]] = track.values.tolist()
        if track.is_still:
            attribute.Set(made(rows[0]))
            return
        for t, row in zip(track.times.tolist(), rows, strict=True):
            attribute.Set(made(row), self._code(t))

    def _code(self, t: float) -> float:
        """Return the time code of a time: frames since the start, whole ones where the range is."""
        return round((t - self._start) * self._fps, 9)

    # Shapes

    def _add_shapes(self, parent: str, shapes: tuple[NodeShape, ...]) -> None:
        for k, shape in enumerate(shapes, start=1):
            path = f"{parent}/part_{k}"
            made = self._curves(path, shape) if shape.is_lines else self._mesh(path, shape)
            vt, gf = self._pxr.Vt, self._pxr.Gf
            low, high = shape.points.min(axis=0), shape.points.max(axis=0)
            made.CreatePointsAttr(vt.Vec3fArray.FromNumpy(shape.points.astype(np.float32)))
            made.CreateExtentAttr([gf.Vec3f(*low.tolist()), gf.Vec3f(*high.tolist())])
            self._paint(made, shape)

    def _mesh(self, path: str, shape: NodeShape) -> Any:
        pxr = self._pxr
        mesh = pxr.UsdGeom.Mesh.Define(self._stage, path)
        mesh.CreateFaceVertexCountsAttr(pxr.Vt.IntArray.FromNumpy(np.full(len(shape.cells), 3, dtype=np.int32)))
        mesh.CreateFaceVertexIndicesAttr(pxr.Vt.IntArray.FromNumpy(shape.cells.ravel().astype(np.int32)))
        mesh.CreateSubdivisionSchemeAttr(pxr.UsdGeom.Tokens.none)
        if shape.normals is None:
            mesh.CreateDoubleSidedAttr(True)
        else:
            mesh.CreateNormalsAttr(pxr.Vt.Vec3fArray.FromNumpy(shape.normals.astype(np.float32)))
            mesh.SetNormalsInterpolation(pxr.UsdGeom.Tokens.vertex)
        return mesh

    def _curves(self, path: str, shape: NodeShape) -> Any:
        """Return lines: each has its own two points."""
        pxr = self._pxr
        curves = pxr.UsdGeom.BasisCurves.Define(self._stage, path)
        curves.CreateTypeAttr(pxr.UsdGeom.Tokens.linear)
        curves.CreateCurveVertexCountsAttr(pxr.Vt.IntArray.FromNumpy(np.full(len(shape.cells), 2, dtype=np.int32)))
        curves.CreateWidthsAttr([self._line_width])
        curves.SetWidthsInterpolation(pxr.UsdGeom.Tokens.constant)
        return curves

    def _paint(self, made: Any, shape: NodeShape) -> None:
        """Give a shape its colours, linear as USD has them, and its opacity."""
        pxr = self._pxr
        tokens = pxr.UsdGeom.Tokens
        if shape.colors is None:
            made.CreateDisplayColorPrimvar(tokens.constant).Set([pxr.Gf.Vec3f(*_linear(np.array(shape.color[:3])))])
            if shape.color[3] < 1.0:
                made.CreateDisplayOpacityPrimvar(tokens.constant).Set([shape.color[3]])
        else:
            colors = _linear(shape.colors[:, :3] / 255).astype(np.float32)
            made.CreateDisplayColorPrimvar(tokens.vertex).Set(pxr.Vt.Vec3fArray.FromNumpy(colors))

    # Camera

    def _add_camera(self, seen: AnimatedCamera, size: tuple[int, int]) -> None:
        """Add the camera, which looks along its -z with y up."""
        pxr, first = self._pxr, seen.first
        camera = pxr.UsdGeom.Camera.Define(self._stage, f"{self._root}/view")
        self._move(camera, seen.position, seen.Q, still((1.0, 1.0, 1.0)))
        # Lengths of a camera are told in tenths of a unit, here of a metre.
        height = 0.01 * APERTURE_MM
        if first.is_parallel:
            camera.CreateProjectionAttr(pxr.UsdGeom.Tokens.orthographic)
            height = 10.0 * 2.0 * first.distance * math.tan(first.view_angle / 2)
        camera.CreateVerticalApertureAttr(height)
        camera.CreateHorizontalApertureAttr(height * size[0] / size[1])
        self._set(camera.CreateFocalLengthAttr(), seen.angle, lambda row: 0.5 * height / math.tan(row[0] / 2))
        camera.CreateClippingRangeAttr(pxr.Gf.Vec2f(0.01, 100.0 * first.distance))


def identifier(name: str) -> str:
    """Return a name that a prim may have; the true one is what it is displayed by.

    >>> identifier("inner ring"), identifier("2nd"), identifier("Träger"), identifier("臂")
    ('inner_ring', '_2nd', 'Tr_ger', '_')
    """
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
    return f"_{plain}" if plain[0].isdigit() else plain


def _free(path: str, taken: set[str]) -> str:
    """Return a path that no other prim has, and take it."""
    free, k = path, 2
    while free in taken:
        free, k = f"{path}_{k}", k + 1
    taken.add(free)
    return free


def _linear(color: Array) -> Array:
    return np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
