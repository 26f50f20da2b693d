"""USD: a stage with z up, in metres, for Omniverse, Houdini, Blender and similar programs.

Every node is an Xform with translate, orient and scale. Changing values have the samples that their error needs, fixed
ones a single value. Shapes shared by nodes are prototypes with instances. usd-core writes ``.usda`` as text, and
``.usdc`` and ``.usd`` as binary (https://openusd.org/release/api/index.html).
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
"""Height of a camera's aperture, mm; together with the focal length it gives the view angle."""

BENCH = "/node"
"""Path at which each node is built."""

LINE_SHARE = 0.002
"""Width of lines as a fraction of the camera's distance; USD measures line widths in metres."""


def write(request: ExportRequest) -> Accuracy:
    """Write a USD file; return the accuracy of its motion."""
    pxr = _pxr()
    animated = animated_nodes(request)
    stage = _Stage(pxr, request, animated)
    request.stop_if_cancelled()
    request.progress(1, 1)
    try:
        with atomically(request.path) as partial:
            stage.export(partial)
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
    """Builder of a stage.

    Each node is built alone at the root of a small stage and copied to its place in a layer. Every change below a prim
    of a stage takes time that grows with the depth of the prim, and nodes of long chains are deep.
    """

    def __init__(self, pxr: Any, request: ExportRequest, animated: AnimatedNodes) -> None:
        self._pxr = pxr
        self._start, self._fps = animated.start, request.fps
        self._stop = animated.stop
        self._stage: Any = pxr.Usd.Stage.CreateInMemory()
        self._layer: Any = pxr.Sdf.Layer.CreateAnonymous(".usda")
        self._prototypes: dict[tuple[int, ...], str] = {}
        self._line_width = LINE_SHARE * animated.camera.first.distance * LINE_WIDTH
        self._describe(request)
        self._root: str = "/World"
        world = pxr.UsdGeom.Xform.Define(self._stage, self._root)
        self._stage.SetDefaultPrim(world.GetPrim())
        world.GetPrim().SetMetadata("kind", "component")
        self._share(animated.nodes)
        self._layer.TransferContent(self._stage.GetRootLayer())
        self._add_nodes(request, animated.nodes)
        self._add_camera(animated.camera, request.size)

    def export(self, path: Path) -> None:
        """Write the file, as text or binary by its suffix; raise `OSError` when that fails."""
        try:
            is_written = self._layer.Export(str(path))
        except self._pxr.Tf.ErrorException as error:
            reason = re.search(r"Error occurred writing file: ([^']+)'", str(error))
            raise OSError(errno.EIO, reason[1] if reason else "USD could not write it") from None
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
        paths: list[Any] = []
        names: list[set[str]] = []  # of the children of each node
        root, root_names = self._pxr.Sdf.Path(self._root), {"view", "shapes"}
        for node in nodes:
            request.stop_if_cancelled()
            parent, taken = (root, root_names) if node.parent == ROOT else (paths[node.parent], names[node.parent])
            paths.append(parent.AppendChild(_free_name(identifier(node.name), taken)))
            names.append({"look", *(f"part_{k + 1}" for k in range(len(node.shapes)))} if node.shapes else set())
            xform = self._pxr.UsdGeom.Xform.Define(self._stage, BENCH)
            xform.GetPrim().SetDisplayName(node.name)
            self._move(xform, node.p, node.Q, node.size)
            self._dress(BENCH, node)
            self._place(BENCH, paths[-1])

    def _place(self, path: str, target: Any) -> None:
        """Move a prim of the stage to a path of the layer, whose parent exists."""
        if not self._pxr.Sdf.CopySpec(self._stage.GetRootLayer(), path, self._layer, target):
            raise RuntimeError(f"{target} cannot be written")
        self._stage.RemovePrim(path)

    def _share(self, nodes: Iterable[Node]) -> None:
        """Make a prototype for each look of several nodes; prototypes are visible only through their instances."""
        users: dict[tuple[int, ...], list[Node]] = {}
        for node in nodes:
            if node.shapes:
                users.setdefault(tuple(map(id, node.shapes)), []).append(node)
        shared = {key: first for key, (first, *further) in users.items() if further}
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
        # An instance cannot have children, but a node may.
        instance = self._pxr.UsdGeom.Xform.Define(self._stage, f"{path}/look").GetPrim()
        instance.GetReferences().AddInternalReference(prototype)
        instance.SetInstanceable(True)

    def _move(self, xform: Any, p: Track, Q: Track, size: Track) -> None:
        """Give a prim its translation, rotation and scale; a prim of size zero becomes invisible instead."""
        pxr = self._pxr
        double = pxr.UsdGeom.XformOp.PrecisionDouble
        is_visible = (size.values != 0.0).all(axis=1)
        stretch = Track(size.times, np.where(is_visible[:, None], size.values, 1.0))
        self._set(xform.AddTranslateOp(double), p, lambda row: pxr.Gf.Vec3d(*row))
        self._set(xform.AddOrientOp(double), Q, lambda q: pxr.Gf.Quatd(q[3], q[0], q[1], q[2]))
        if not np.all(stretch.values == 1.0):
            self._set(xform.AddScaleOp(double), stretch, lambda row: pxr.Gf.Vec3d(*row))
        if not is_visible.all():
            tokens = pxr.UsdGeom.Tokens
            visibilities = tokens.invisible, tokens.inherited
            # A token holds until the next sample, so only changes are written.
            changes = np.flatnonzero(np.concatenate([[True], is_visible[1:] != is_visible[:-1]]))
            shown = Track(size.times[changes], is_visible[changes, None].astype(float))
            self._set(xform.CreateVisibilityAttr(), shown, lambda row: visibilities[int(row[0])])

    def _set(self, attribute: Any, track: Track, make_value: Callable[[list[float]], Any]) -> None:
        """Set one value, or one for each sample."""
        rows: list[list[float]] = track.values.tolist()
        if track.is_still:
            attribute.Set(make_value(rows[0]))
            return
        for t, row in zip(track.times.tolist(), rows, strict=True):
            attribute.Set(make_value(row), self._code(t))

    def _code(self, t: float) -> float:
        """Return the time code of a time, s: the number of frames since the start, rounded to hide float errors."""
        return round((t - self._start) * self._fps, 9)

    # Shapes

    def _add_shapes(self, parent: str, shapes: tuple[NodeShape, ...]) -> None:
        for k, shape in enumerate(shapes, start=1):
            path = f"{parent}/part_{k}"
            prim = self._curves(path, shape) if shape.is_lines else self._mesh(path, shape)
            vt, gf = self._pxr.Vt, self._pxr.Gf
            low, high = shape.points.min(axis=0), shape.points.max(axis=0)
            prim.CreatePointsAttr(vt.Vec3fArray.FromNumpy(shape.points.astype(np.float32)))
            prim.CreateExtentAttr([gf.Vec3f(*low.tolist()), gf.Vec3f(*high.tolist())])
            self._paint(prim, shape)

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
        """Return a curves prim of separate lines, each with its own two points."""
        pxr = self._pxr
        curves = pxr.UsdGeom.BasisCurves.Define(self._stage, path)
        curves.CreateTypeAttr(pxr.UsdGeom.Tokens.linear)
        curves.CreateCurveVertexCountsAttr(pxr.Vt.IntArray.FromNumpy(np.full(len(shape.cells), 2, dtype=np.int32)))
        curves.CreateWidthsAttr([self._line_width])
        curves.SetWidthsInterpolation(pxr.UsdGeom.Tokens.constant)
        return curves

    def _paint(self, prim: Any, shape: NodeShape) -> None:
        """Give a shape its opacity and its colours, which are linear in USD."""
        pxr = self._pxr
        tokens = pxr.UsdGeom.Tokens
        if shape.colors is None:
            prim.CreateDisplayColorPrimvar(tokens.constant).Set([pxr.Gf.Vec3f(*_linear(np.array(shape.color[:3])))])
            if shape.color[3] < 1.0:
                prim.CreateDisplayOpacityPrimvar(tokens.constant).Set([shape.color[3]])
        else:
            colors = _linear(shape.colors[:, :3] / 255).astype(np.float32)
            prim.CreateDisplayColorPrimvar(tokens.vertex).Set(pxr.Vt.Vec3fArray.FromNumpy(colors))

    # Camera

    def _add_camera(self, animated: AnimatedCamera, size: tuple[int, int]) -> None:
        """Add the camera, which looks along its -z axis with y up."""
        pxr, first = self._pxr, animated.first
        camera = pxr.UsdGeom.Camera.Define(self._stage, f"{self._root}/view")
        self._move(camera, animated.position, animated.Q, still((1.0, 1.0, 1.0)))
        # Lengths of a camera are in tenths of a scene unit, here of a metre.
        height = 0.01 * APERTURE_MM
        if first.is_parallel:
            camera.CreateProjectionAttr(pxr.UsdGeom.Tokens.orthographic)
            height = 10.0 * 2.0 * first.distance * math.tan(first.view_angle / 2)
        camera.CreateVerticalApertureAttr(height)
        camera.CreateHorizontalApertureAttr(height * size[0] / size[1])
        self._set(camera.CreateFocalLengthAttr(), animated.angle, lambda row: 0.5 * height / math.tan(row[0] / 2))
        camera.CreateClippingRangeAttr(pxr.Gf.Vec2f(0.01, 100.0 * first.distance))
        self._place(str(camera.GetPath()), camera.GetPath())


def identifier(name: str) -> str:
    """Return a valid prim name; the prim's display name keeps the original.

    >>> identifier("inner ring"), identifier("2nd"), identifier("Träger"), identifier("臂")
    ('inner_ring', '_2nd', 'Tr_ger', '_')
    """
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
    return f"_{plain}" if plain[0].isdigit() else plain


def _free_name(name: str, taken: set[str]) -> str:
    """Return an unused prim name and mark it as used."""
    free, k = name, 2
    while free in taken:
        free, k = f"{name}_{k}", k + 1
    taken.add(free)
    return free


def _linear(color: Array) -> Array:
    return np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
