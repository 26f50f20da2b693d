"""GLB: glTF 2.0 in one file, with node animation, for Blender, game engines and web pages.

glTF has y up and metres (https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html): one root node rotates the scene's
z axis up. Colours are linear in glTF and sRGB here.
"""

from __future__ import annotations

import math
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import numpy as np
import pygltflib as gltf
from numpy.typing import NDArray

from framescope.app.exporters.request import ExportRequest
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
from framescope.ui.scene_view.base.node_shapes import NodeShape
from framescope.ui.scene_view.camera.camera import CameraState

Z_UP = (-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
"""Quaternion that rotates z to y."""

TINY = 1e-12
"""Length below which a normal has no direction."""

NEAR = 0.01
"""Near clipping distance of the camera, m."""


def write(request: ExportRequest) -> Accuracy:
    """Write a GLB file; return the accuracy of its motion."""
    animated = animated_nodes(request)
    content = gltf_of(request, animated)
    request.stop_if_cancelled()
    request.progress(1, 1)
    try:
        with atomically(request.path) as partial:
            parts = content.save_to_bytes()  # pyright: ignore[reportUnknownVariableType]
            partial.write_bytes(b"".join(map(bytes, parts)))  # pyright: ignore[reportUnknownArgumentType]
    except OSError as error:
        raise request.failure(error) from None
    return animated.accuracy


def gltf_of(request: ExportRequest, animated: AnimatedNodes) -> gltf.GLTF2:
    """Return the file's content: the root, the nodes in their order, and the camera last.

    Binary numbers have single precision, text numbers double. The root therefore holds the centre of a scene far from
    the origin, in text. A node whose positions are still large gets a parent that holds most of them.
    """
    file = _File()
    scene = request.scene
    file.out.asset.generator = f"Framescope {version('framescope')}"
    if scene.source:
        file.out.asset.copyright = scene.source
    root = file.add_node(gltf.Node(name=scene.title or request.path.stem, rotation=list(Z_UP)))
    origin = np.array(animated.origin)
    if origin.any():
        x, y, z = animated.origin
        file.out.nodes[root].translation = [x, z, -y]
    animation = gltf.Animation(name="motion")
    children: dict[int, list[int]] = {}
    places: list[int] = []
    for node in (*animated.nodes, _camera_node(animated.camera)):
        parent = root if node.parent == ROOT else places[node.parent]
        p = Track(node.p.times, node.p.values - origin) if node.parent == ROOT else node.p
        offset = _offset_of(p, animated.accuracy.bound.length)
        if offset.any():
            p = Track(p.times, p.values - offset)
            holder = file.add_node(gltf.Node(name=f"place of {node.name}", translation=offset.tolist()))
            children.setdefault(parent, []).append(holder)
            parent = holder
        places.append(file.add_node(gltf.Node(name=node.name, mesh=file.mesh_of(node))))
        children.setdefault(parent, []).append(places[-1])
        _animate(file, animation, places[-1], replace(node, p=p), animated.start)
    file.out.nodes[-1].camera = file.add_camera(animated.camera.first, request.size)
    for parent, places_of_children in children.items():
        file.out.nodes[parent].children = places_of_children
    if animation.channels:
        file.out.animations.append(animation)
    file.out.scenes.append(gltf.Scene(name=scene.title or None, nodes=[root]))
    file.out.scene = 0
    return file.complete()


def _offset_of(p: Track, length: float) -> Array:
    """Return the offset to subtract from a moving position so that single precision keeps the accuracy."""
    if p.is_still or np.abs(p.values).max() * 2.0**-24 <= 0.1 * length:
        return np.zeros(3)
    return np.array([round(at) for at in (0.5 * (p.values.min(axis=0) + p.values.max(axis=0))).tolist()], dtype=float)


def _animate(file: _File, animation: gltf.Animation, place: int, node: Node, start: float) -> None:
    """Give a node its pose at the start, and an animation channel for each part that changes.

    Channels interpolate linearly and along the shortest rotation. Several importers read cubic channels wrongly: they
    use the values and ignore the tangents.
    """
    target = file.out.nodes[place]
    for path, track, neutral in (
        ("translation", node.p, (0.0, 0.0, 0.0)),
        ("rotation", node.Q, (0.0, 0.0, 0.0, 1.0)),
        ("scale", node.size, (1.0, 1.0, 1.0)),
    ):
        # The JSON part has double precision, in which the identity may read 1.0000000000000002.
        first = (np.clip(track.values[0], -1.0, 1.0) if path == "rotation" else track.values[0]).tolist()
        if first != list(neutral):
            setattr(target, path, first)
        if not track.is_still:
            # Visibility does not interpolate.
            is_step = path == "scale" and not np.setdiff1d(track.values, (0.0, 1.0)).size
            sampler = gltf.AnimationSampler(
                input=file.add(track.times - start, has_bounds=True),
                output=file.add(track.values),
                interpolation="STEP" if is_step else "LINEAR",
            )
            animation.samplers.append(sampler)
            channel = gltf.AnimationChannel(sampler=len(animation.samplers) - 1)
            channel.target = gltf.AnimationChannelTarget(node=place, path=path)
            animation.channels.append(channel)


def _camera_node(camera: AnimatedCamera) -> Node:
    """Return the camera's node; the camera looks along its -z axis with y up."""
    return Node("view", ROOT, camera.position, camera.Q, still((1.0, 1.0, 1.0)))


class _File:
    """Builder of a glTF file; equal meshes, materials and numbers are stored once."""

    def __init__(self) -> None:
        self.out = gltf.GLTF2()
        self._blob = bytearray()
        self._meshes: dict[tuple[int, ...], int] = {}
        self._primitives: dict[int, gltf.Primitive] = {}
        self._materials: dict[tuple[Any, ...], int] = {}
        self._accessors: dict[tuple[Any, ...], int] = {}
        self._shared: list[object] = []  # keeps objects alive, so that no other object reuses their `id`

    def complete(self) -> gltf.GLTF2:
        """Return the file with its binary part."""
        self.out.buffers.append(gltf.Buffer(byteLength=len(self._blob)))
        self.out.set_binary_blob(bytes(self._blob))  # pyright: ignore[reportUnknownMemberType]
        return self.out

    def add_node(self, node: gltf.Node) -> int:
        """Add a node; return its index."""
        self.out.nodes.append(node)
        return len(self.out.nodes) - 1

    def add_camera(self, camera: CameraState, size: tuple[int, int]) -> int:
        """Add a camera; return its index."""
        aspect = size[0] / size[1]
        if camera.is_parallel:
            half = camera.distance * math.tan(camera.view_angle / 2)
            shape = gltf.Orthographic(xmag=half * aspect, ymag=half, znear=NEAR, zfar=100.0 * camera.distance)
            self.out.cameras.append(gltf.Camera(type="orthographic", orthographic=shape))
        else:
            shape = gltf.Perspective(aspectRatio=aspect, yfov=camera.view_angle, znear=NEAR)
            self.out.cameras.append(gltf.Camera(type="perspective", perspective=shape))
        return len(self.out.cameras) - 1

    def add(
        self, values: Array | NDArray[np.unsignedinteger[Any]], *, has_bounds: bool = False, target: int | None = None
    ) -> int:
        """Store numbers (n,), (n, 3) or (n, 4), as indices or in single precision; return the index of the accessor."""
        is_index = np.issubdtype(values.dtype, np.integer)
        stored = values if is_index else values.astype(np.float32)
        key = (stored.dtype, stored.shape, stored.tobytes(), target)
        if key not in self._accessors:
            self._accessors[key] = self._add_accessor(stored, is_index=is_index, has_bounds=has_bounds, target=target)
        return self._accessors[key]

    def _add_accessor(self, stored: NDArray[Any], *, is_index: bool, has_bounds: bool, target: int | None) -> int:
        self._blob += bytes(-len(self._blob) % 4)
        view = gltf.BufferView(buffer=0, byteOffset=len(self._blob), byteLength=stored.nbytes, target=target)
        self._blob += stored.tobytes()
        self.out.bufferViews.append(view)
        accessor = gltf.Accessor(
            bufferView=len(self.out.bufferViews) - 1,
            componentType=_INDEX_TYPES[stored.dtype.itemsize] if is_index else gltf.FLOAT,
            count=len(stored),
            type={1: "SCALAR", 3: "VEC3", 4: "VEC4"}[stored.shape[1] if stored.ndim > 1 else 1],
        )
        if has_bounds:
            table = stored.reshape(len(stored), -1)
            accessor.min, accessor.max = table.min(axis=0).tolist(), table.max(axis=0).tolist()
        self.out.accessors.append(accessor)
        return len(self.out.accessors) - 1

    def mesh_of(self, node: Node) -> int | None:
        """Return the index of the mesh of a node's shapes; None without shapes."""
        if not node.shapes:
            return None
        key = tuple(id(shape) for shape in node.shapes)
        if key not in self._meshes:
            self._shared.append(node.shapes)
            self.out.meshes.append(gltf.Mesh(name=node.name, primitives=[self._primitive(s) for s in node.shapes]))
            self._meshes[key] = len(self.out.meshes) - 1
        return self._meshes[key]

    def _primitive(self, shape: NodeShape) -> gltf.Primitive:
        if id(shape) in self._primitives:
            return self._primitives[id(shape)]
        attributes = gltf.Attributes(POSITION=self.add(shape.points, has_bounds=True, target=gltf.ARRAY_BUFFER))
        if shape.normals is not None:
            attributes.NORMAL = self.add(_unit(shape.normals), target=gltf.ARRAY_BUFFER)
        if shape.colors is not None:
            attributes.COLOR_0 = self.add(_linear(shape.colors / 255), target=gltf.ARRAY_BUFFER)
        indices = shape.cells.ravel().astype(np.uint16 if len(shape.points) < 65_535 else np.uint32)
        gltf_of = gltf.Primitive(
            attributes=attributes,
            indices=self.add(indices, target=gltf.ELEMENT_ARRAY_BUFFER),
            material=self._material(shape),
            mode=gltf.LINES if shape.is_lines else gltf.TRIANGLES,
        )
        self._primitives[id(shape)] = gltf_of
        self._shared.append(shape)
        return gltf_of

    def _material(self, shape: NodeShape) -> int:
        is_lit = shape.normals is not None
        key = (shape.color, is_lit)
        if key not in self._materials:
            color = _linear(np.array(shape.color)).tolist()
            surface = gltf.PbrMetallicRoughness(baseColorFactor=color, metallicFactor=0.0, roughnessFactor=0.6)
            material = gltf.Material(pbrMetallicRoughness=surface)
            if color[3] < 1.0:
                material.alphaMode = gltf.BLEND
            if not is_lit:
                material.doubleSided = True
                material.extensions = {"KHR_materials_unlit": {}}
                if not self.out.extensionsUsed:
                    self.out.extensionsUsed.append("KHR_materials_unlit")
            self.out.materials.append(material)
            self._materials[key] = len(self.out.materials) - 1
        return self._materials[key]


_INDEX_TYPES = {2: gltf.UNSIGNED_SHORT, 4: gltf.UNSIGNED_INT}


def _unit(normals: Array) -> Array:
    """Return normals of length one; those without a direction point up."""
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(lengths > TINY, normals / np.maximum(lengths, TINY), (0.0, 0.0, 1.0))


def _linear(color: Array) -> Array:
    """Return colours (..., 4) without the sRGB curve; the opacity stays.

    >>> _linear(np.array([0.0, 0.5, 1.0, 0.5])).round(4).tolist()
    [0.0, 0.214, 1.0, 0.5]
    """
    bent = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    bent[..., 3] = color[..., 3]
    return bent
