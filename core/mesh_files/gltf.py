"""Reader of GLB, glTF 2.0 in one file: meshes with the transforms of the scene, skins and morphs in the rest pose.

Nothing outside the file is read. Textures, materials and images are ignored.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

import numpy as np

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.core.mesh_files.gltf_data import Description, Object, as_object
from framescope.core.mesh_files.surface import Indices, Surface, UnreadableMesh, check_points, check_triangles

MAX_JSON = 20_000_000
_JSON, _BINARY = 0x4E4F534A, 0x004E4942
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_UNREAD = ("KHR_draco_mesh_compression", "EXT_meshopt_compression")
MAX_PARTS = 50_000
"""Maximum number of primitives and morph targets, counted for each node because many nodes may share a mesh."""

_BLOCK = 65_536


def read_glb(file: BinaryIO) -> Surface:
    """Return the surface of a GLB file."""
    return _Model(Description(*_chunks(file))).surface()


def _chunks(file: BinaryIO) -> tuple[Object, bytes]:
    """Return the JSON description and the binary chunk, empty if the file has none."""
    n_bytes = file.seek(0, 2)
    file.seek(0)
    head = file.read(12)
    if len(head) < 12 or head[:4] != b"glTF":
        raise UnreadableMesh("cannot be read as GLB: it does not begin with 'glTF'.")
    _, version, n_given = struct.unpack("<4sII", head)
    if version != 2:
        raise UnreadableMesh(f"cannot be read as GLB: it is of version {version}, expected 2.")
    if n_given > n_bytes:
        raise UnreadableMesh(f"cannot be read as GLB: it should have {counted(n_given, 'byte')}, and has {n_bytes}.")
    text = _chunk(file, _JSON, "JSON", n_bytes)
    if text is None:
        raise UnreadableMesh("cannot be read as GLB: its first chunk is not JSON.")
    if len(text) > MAX_JSON:
        raise UnreadableMesh(f"has a description of more than {MAX_JSON // 1_000_000} MB.", hint="Reduce the mesh.")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableMesh("cannot be read as GLB: its JSON is damaged.") from None
    if not isinstance(data, dict):
        raise UnreadableMesh("cannot be read as GLB: its JSON is no object.")
    return cast("dict[str, Any]", data), _chunk(file, _BINARY, "binary", n_bytes) or b""


def _chunk(file: BinaryIO, kind: int, name: str, n_bytes: int) -> bytes | None:
    """Return the next chunk; None if it is of another kind or the file ends."""
    head = file.read(8)
    if len(head) < 8:
        return None
    n, kind_found = struct.unpack("<II", head)
    remaining = n_bytes - file.tell()
    if n > remaining:
        raise UnreadableMesh(
            f"cannot be read as GLB: its {name} chunk should have {counted(n, 'byte')}, and has {remaining}."
        )
    return file.read(n) if kind_found == kind else None


@dataclass(frozen=True, eq=False)
class _Part:
    """A primitive of a mesh: the vertices `used` by its triangles, renumbered."""

    points: Array
    normals: Array | None
    corners: Indices
    used: Indices
    attributes: Object
    where: str


class _Model:
    """Description and bytes of a GLB file; every value is checked when it is read."""

    def __init__(self, data: Description) -> None:
        self._data = data
        self._n_triangles = self._n_local = self._n_parts = 0
        self._worlds: dict[int, Array] = {}
        self._skins: dict[int, Array] = {}
        self._parts_of: dict[tuple[int, int], list[_Part]] = {}

    def surface(self) -> Surface:
        """Return all triangles of the scene."""
        for name in self._data.entries(self._data.root, "extensionsRequired", ""):
            if name in _UNREAD:
                raise UnreadableMesh(f"is packed with {name}.", hint="Export it without compression.")
        nodes = self._nodes()
        self._worlds = dict(nodes)
        parts = [part for i, X in nodes for part in self._parts(i, X)]
        if not parts:
            return Surface(np.empty((0, 3)), None, np.empty(0, np.int64), np.empty(0, np.int64))
        points = np.concatenate([part[0] for part in parts])
        offsets = np.cumsum([0, *(len(part[0]) for part in parts[:-1])])
        corners = np.concatenate([part[2] + k for part, k in zip(parts, offsets, strict=True)]).ravel()
        normals = [part[1] for part in parts if part[1] is not None]
        directions = np.concatenate(normals) if len(normals) == len(parts) else None
        return Surface(points, directions, corners, np.full(len(corners) // 3, 3, dtype=np.int64))

    # --- Nodes

    def _nodes(self) -> list[tuple[int, Array]]:
        """Return the nodes of the scene with their matrices (4, 4) in it."""
        all_nodes = self._data.entries(self._data.root, "nodes", "")
        scenes = self._data.entries(self._data.root, "scenes", "")
        if scenes:
            i = self._data.whole(self._data.root, "scene", "", 0, len(scenes) - 1, 0)
            roots = self._data.indices(self._data.item("scenes", i), "nodes", f"scene {i}", len(all_nodes))
        else:
            below = {k for i in range(len(all_nodes)) for k in self._children(i, len(all_nodes))}
            roots = [i for i in range(len(all_nodes)) if i not in below]
        nodes: list[tuple[int, Array]] = []
        seen: set[int] = set()
        waiting = [(i, np.eye(4)) for i in reversed(roots)]
        while waiting:
            i, X_above = waiting.pop()
            if i in seen:
                raise UnreadableMesh("is in the scene twice: nodes are a tree.", f"node {i}")
            seen.add(i)
            with np.errstate(all="ignore"):
                X = X_above @ self._place(i)
            nodes.append((i, X))
            waiting += [(k, X) for k in reversed(self._children(i, len(all_nodes)))]
        return nodes

    def _children(self, i: int, n: int) -> list[int]:
        return self._data.indices(self._data.item("nodes", i), "children", f"node {i}", n)

    def _place(self, i: int) -> Array:
        """Return the matrix of a node in its parent."""
        node, where = self._data.item("nodes", i), f"node {i}"
        if "matrix" in node:
            return self._data.numbers(node, "matrix", where, 16, np.eye(4).ravel()).reshape(4, 4).T
        x, y, z, w = self._data.numbers(node, "rotation", where, 4, (0.0, 0.0, 0.0, 1.0))
        scale = self._data.numbers(node, "scale", where, 3, (1.0, 1.0, 1.0))
        X = np.eye(4)
        # Rows of the active rotation of a unit quaternion, scalar last as in glTF.
        X[0, :3] = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
        X[1, :3] = 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)
        X[2, :3] = 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)
        X[:3, :3] *= scale
        X[:3, 3] = self._data.numbers(node, "translation", where, 3, (0.0, 0.0, 0.0))
        return X

    # --- Meshes

    def _parts(self, i: int, X: Array) -> Iterator[tuple[Array, Array | None, Indices]]:
        """Yield points, normals and triangles of the primitives of a node."""
        node = self._data.item("nodes", i)
        if "mesh" not in node:
            return
        meshes = self._data.entries(self._data.root, "meshes", "")
        k = self._data.whole(node, "mesh", f"node {i}", 0, len(meshes) - 1)
        mesh = self._data.item("meshes", k)
        joints = self._joints(node, i)
        weighted = i if "weights" in node else -1
        if (k, weighted) not in self._parts_of:
            self._parts_of[k, weighted] = list(self._local_parts(mesh, k, node if "weights" in node else mesh))
        parts = self._parts_of[k, weighted]
        self._n_parts += len(parts)
        if self._n_parts > MAX_PARTS:
            raise UnreadableMesh(f"has more than {MAX_PARTS} parts.", hint="Join its meshes.")
        for part in parts:
            self._n_triangles += len(part.corners)
            check_triangles(self._n_triangles)
            if joints is None or "JOINTS_0" not in part.attributes or "WEIGHTS_0" not in part.attributes:
                yield _transform_part(part, X)
            else:
                yield *self._apply_skin(part, joints), part.corners

    def _local_parts(self, mesh: Object, k: int, weighted: Object) -> Iterator[_Part]:
        """Yield the primitives of a mesh with the morph weights of an object applied."""
        weights = self._data.entries(weighted, "weights", f"mesh {k}")
        for j, value in enumerate(self._data.entries(mesh, "primitives", f"mesh {k}")):
            where = f"primitive {j} of mesh {k}"
            primitive = as_object(value, where)
            attributes = as_object(primitive.get("attributes"), f"attributes of {where}")
            targets = self._data.entries(primitive, "targets", where)
            self._n_parts += 1 + len(targets)
            if self._n_parts > MAX_PARTS:
                raise UnreadableMesh(f"has more than {MAX_PARTS} parts.", hint="Join its meshes.")
            triangles = self._triangles(primitive, attributes, where)
            if triangles is None or not len(triangles):
                continue
            self._n_local += len(triangles)
            check_triangles(self._n_local)
            used, which = np.unique(triangles, return_inverse=True)
            corners = which.reshape(-1, 3).astype(np.int64)
            points = self._data.vectors(attributes, "POSITION", where, used, 3)
            normals = self._data.vectors(attributes, "NORMAL", where, used, 3) if "NORMAL" in attributes else None
            for weight, target in zip(weights, targets, strict=False):
                shift, share = as_object(target, where), self._data.number(weight, "weights", where)
                if "POSITION" in shift and share:
                    points = points + share * self._data.vectors(shift, "POSITION", where, used, 3)
            yield _Part(points, normals, corners, used, attributes, where)

    def _triangles(self, primitive: Object, attributes: Object, where: str) -> Indices | None:
        """Return the triangles (k, 3) of a primitive; None for points and lines."""
        mode = self._data.whole(primitive, "mode", where, 0, 6, _TRIANGLES)
        if mode not in (_TRIANGLES, _STRIP, _FAN):
            return None
        if "POSITION" not in attributes:
            raise UnreadableMesh("has no POSITION.", where)
        n_points = self._data.count(self._data.accessor_of(attributes, "POSITION", where))
        check_points(n_points)
        accessor = self._data.accessor_of(primitive, "indices", where) if "indices" in primitive else None
        n = n_points if accessor is None else self._data.count(accessor)
        n_triangles = n // 3 if mode == _TRIANGLES else max(n - 2, 0)
        check_triangles(n_triangles)
        if accessor is None:
            corners = np.arange(n, dtype=np.int64)
        else:
            corners = self._index_array(accessor, where)
            if len(corners) and int(corners.max()) >= n_points:
                problem = f"names vertex {int(corners.max())}, and POSITION has {n_points}."
                raise UnreadableMesh(problem, f"accessor {accessor}, {where}")
        if mode == _TRIANGLES:
            return corners[: 3 * n_triangles].reshape(-1, 3)
        k = np.arange(n_triangles)
        if mode == _FAN:
            return np.stack([np.broadcast_to(corners[:1], (n_triangles,)), corners[k + 1], corners[k + 2]], axis=1)
        odd = k % 2
        return np.stack([corners[k], corners[k + 1 + odd], corners[k + 2 - odd]], axis=1)

    def _index_array(self, accessor: int, where: str) -> Indices:
        indices = self._data.array(accessor)
        if indices.ndim != 2 or indices.shape[1] != 1 or indices.dtype.kind != "u":
            raise UnreadableMesh("expected one unsigned whole number for each index.", f"accessor {accessor}, {where}")
        return indices[:, 0].astype(np.int64)

    # --- Skins and morph targets

    def _joints(self, node: Object, i: int) -> Array | None:
        """Return the matrices (k, 4, 4) of the joints of a node's skin; None for a node without a skin."""
        if "skin" not in node:
            return None
        k = self._data.whole(node, "skin", f"node {i}", 0, len(self._data.entries(self._data.root, "skins", "")) - 1)
        if k not in self._skins:
            self._skins[k] = self._joint_matrices(self._data.item("skins", k), f"skin {k}")
        return self._skins[k]

    def _joint_matrices(self, skin: Object, where: str) -> Array:
        joints = self._data.indices(skin, "joints", where, len(self._data.entries(self._data.root, "nodes", "")))
        lost = [joint for joint in joints if joint not in self._worlds]
        if lost or not joints:
            problem = f"names node {lost[0]}, which is not in the scene." if lost else "has no joints."
            raise UnreadableMesh(problem, where)
        world = np.stack([self._worlds[joint] for joint in joints])
        if "inverseBindMatrices" not in skin:
            return world
        rows = self._data.vectors(skin, "inverseBindMatrices", where, np.arange(len(joints)), 16)
        with np.errstate(all="ignore"):
            return world @ rows.reshape(-1, 4, 4).transpose(0, 2, 1)

    def _apply_skin(self, part: _Part, joints: Array) -> tuple[Array, Array | None]:
        """Return points and normals transformed by their joints."""
        points, normals, used = part.points, part.normals, part.used
        which = self._data.vectors(part.attributes, "JOINTS_0", part.where, used, 4)
        weights = self._data.vectors(part.attributes, "WEIGHTS_0", part.where, used, 4)
        if not ((which >= 0) & (which < len(joints))).all():
            raise UnreadableMesh(f"JOINTS_0 names a joint beyond the {len(joints)} of the skin.", part.where)
        places = np.empty_like(points)
        directions = None if normals is None else np.empty_like(normals)
        with np.errstate(all="ignore"):
            total = weights.sum(axis=1, keepdims=True)
            weights = np.where(total > 0.0, weights / total, 0.25)
            for start in range(0, len(used), _BLOCK):
                rows = slice(start, start + _BLOCK)
                X = (weights[rows, :, np.newaxis, np.newaxis] * joints[which[rows].astype(np.int64)]).sum(axis=1)
                places[rows] = np.einsum("nij,nj->ni", X[:, :3, :3], points[rows]) + X[:, :3, 3]
                if directions is not None and normals is not None:
                    directions[rows] = _unit(np.einsum("nij,nj->ni", _cofactors(X[:, :3, :3]), normals[rows]))
        return places, directions


# --- Geometry


def _transform_part(part: _Part, X: Array) -> tuple[Array, Array | None, Indices]:
    """Return a part transformed by the matrix (4, 4) of its node."""
    with np.errstate(all="ignore"):
        R = X[:3, :3]
        points, corners = part.points @ R.T + X[:3, 3], part.corners
        normals = None if part.normals is None else _unit(part.normals @ _cofactors(R[np.newaxis])[0].T)
        if np.linalg.det(R) < 0.0:  # mirroring turns faces inside out
            corners = corners[:, ::-1]
            normals = None if normals is None else -normals
    return points, normals, corners


def _cofactors(R: Array) -> Array:
    """Return the cofactor matrices (n, 3, 3), which transform normals under any scale, even zero."""
    return np.stack([np.cross(R[:, 1], R[:, 2]), np.cross(R[:, 2], R[:, 0]), np.cross(R[:, 0], R[:, 1])], axis=1)


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(length > 0.0, vectors / length, 0.0)
