"""Reader of COLLADA (https://www.khronos.org/collada/, 1.4 and 1.5): triangles of all geometries of its scene, in m.

The reader applies transforms of nodes and the file's unit. It ignores the up axis, as RViz does for robots: coordinates
stay in the file's axes. The reader returns positions and diffuse colours of materials; it ignores textures, animations
and skins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.core.mesh_files import surface
from framescope.core.mesh_files.surface import (
    Colors,
    Indices,
    Surface,
    UnreadableMesh,
    check_points,
    check_triangles,
    quote_bytes,
)
from framescope.core.system.xml_elements import Element, XmlError, read_elements

MAX_NODES = 100_000
"""Maximum number of nodes of a scene, counting every instance."""

MAX_DEPTH = 100
"""Maximum nesting depth of nodes, including references."""

PLAIN = 153
"""Red, green and blue of faces without a material, in a file with materials."""


Color = tuple[int, int, int]


def read_dae(file: BinaryIO) -> Surface:
    """Return the surface of a COLLADA file."""
    try:
        root = read_elements(file.read())
    except XmlError as error:
        raise UnreadableMesh(f"cannot be read as COLLADA: {error.what}", f"line {error.line}") from None
    if _name(root) != "COLLADA":
        raise UnreadableMesh(f"begins with <{root.tag[:40]}>, expected <COLLADA>.", f"line {root.line}")
    with np.errstate(all="ignore"):  # coordinates that are no numbers are reported later
        return _join_parts(_Reader(root))


def _join_parts(reader: _Reader) -> Surface:
    """Return all parts of a scene as one surface."""
    parts = list(reader.parts())
    if not parts:
        return Surface(np.empty((0, 3)), None, np.empty(0, np.int64), np.empty(0, np.int64))
    first = np.cumsum([0, *(len(part.points) for part in parts[:-1])])
    corners = [part.corners + n for part, n in zip(parts, first, strict=True)]
    points = reader.metres_per_unit * np.concatenate([part.points for part in parts])
    sizes = np.concatenate([part.sizes for part in parts])
    return Surface(points, None, np.concatenate(corners), sizes, _colors_of(parts))


def _colors_of(parts: list[Surface]) -> Colors | None:
    """Return the colours of all faces, grey for parts without colours; None if no part has any."""
    if all(part.colors is None for part in parts):
        return None
    plain = [np.full((len(part.sizes), 3), PLAIN, dtype=np.uint8) for part in parts]
    return np.concatenate(
        [grey if part.colors is None else part.colors for part, grey in zip(parts, plain, strict=True)]
    )


@dataclass
class _Reader:
    root: Element
    by_id: dict[str, Element] = field(default_factory=dict[str, Element])
    made: dict[int, list[tuple[str, Surface]]] = field(default_factory=dict[int, list[tuple[str, Surface]]])
    """Surfaces of the geometries read so far, with the symbols of their materials."""
    n_nodes: int = 0
    n_points: int = 0
    n_triangles: int = 0

    def __post_init__(self) -> None:
        waiting = [self.root]
        while waiting:
            element = waiting.pop()
            if (name := element.get("id")) is not None:
                self.by_id.setdefault(name, element)
            waiting += element.children

    @property
    def metres_per_unit(self) -> float:
        """Size of the file's unit, m."""
        asset = _child(self.root, "asset")
        unit = None if asset is None else _child(asset, "unit")
        text = None if unit is None else unit.get("meter")
        if unit is None or text is None:
            return 1.0
        (metres,) = _numbers(text, 1, unit)
        if not 1e-12 < metres < 1e12:
            raise UnreadableMesh(f"its unit is {text[:40]} m.", f"line {unit.line}")
        return metres

    def parts(self) -> Iterator[Surface]:
        """Yield the geometries with the transforms of the scene; untransformed if the file has no scene."""
        scene = self._scene()
        if scene is not None:
            yield from self._node(scene, np.eye(4), 0)
            return
        for library in _children(self.root, "library_geometries"):
            for geometry in _children(library, "geometry"):
                yield from self._place(geometry, np.eye(4))

    def _scene(self) -> Element | None:
        scene = _child(self.root, "scene")
        instance = None if scene is None else _child(scene, "instance_visual_scene")
        named = None if instance is None else self._target_of(instance, "url")
        library = _child(self.root, "library_visual_scenes")
        return named or (None if library is None else _child(library, "visual_scene"))

    def _target_of(self, element: Element, attribute: str) -> Element | None:
        """Return the element that a reference within the file points to; None for other files or unknown names."""
        text = element.get(attribute) or ""
        return self.by_id.get(text[1:]) if text.startswith("#") else None

    def _node(self, node: Element, M: Array, depth: int) -> Iterator[Surface]:
        self.n_nodes += 1
        if self.n_nodes > MAX_NODES or depth > MAX_DEPTH:
            what = f"has more than {MAX_NODES} nodes, or more than {MAX_DEPTH} in each other."
            raise UnreadableMesh(what, f"line {node.line}")
        M = M @ _transform(node)
        for child in node.children:
            match _name(child):
                case "node":
                    yield from self._node(child, M, depth + 1)
                case "instance_node" if (target := self._target_of(child, "url")) is not None:
                    yield from self._node(target, M, depth + 1)
                case "instance_geometry" if (target := self._target_of(child, "url")) is not None:
                    yield from self._place(target, M, child)
                case "instance_controller" if (target := self._target_of(child, "url")) is not None:
                    skin = _child(target, "skin") or _child(target, "morph")
                    source = None if skin is None else self._target_of(skin, "source")
                    if source is not None:
                        yield from self._place(source, M, child)
                case _:
                    pass

    def _place(self, geometry: Element, M: Array, instance: Element | None = None) -> Iterator[Surface]:
        """Yield the surfaces of a geometry in the scene's axes, with outward faces under any transform.

        The `instance` has the materials of its faces.
        """
        if id(geometry) not in self.made:
            self.made[id(geometry)] = list(self._surfaces(geometry))
        materials = {} if instance is None else self._materials(instance)
        for symbol, part in self.made[id(geometry)]:
            self.n_points += len(part.points)
            self.n_triangles += int((part.sizes - 2).sum())
            check_points(self.n_points)
            check_triangles(self.n_triangles)
            points = part.points @ M[:3, :3].T + M[:3, 3]
            is_mirrored = bool(np.linalg.det(M[:3, :3]) < 0.0)
            color = materials.get(symbol)
            colors = None if color is None else np.tile(np.array(color, dtype=np.uint8), (len(part.sizes), 1))
            yield Surface(points, None, _reverse_faces(part) if is_mirrored else part.corners, part.sizes, colors)

    # --- Materials

    def _materials(self, instance: Element) -> dict[str, Color]:
        """Return the colours of an instance by the material symbols of its geometry."""
        bound = _child(instance, "bind_material")
        common = None if bound is None else _child(bound, "technique_common")
        named = () if common is None else _children(common, "instance_material")
        colors = {material.get("symbol") or "": self._color(material) for material in named}
        return {symbol: color for symbol, color in colors.items() if color is not None}

    def _color(self, named: Element) -> Color | None:
        """Return the diffuse colour of a material; None for a texture, or if no colour can be read."""
        material = self._target_of(named, "target")
        instance = None if material is None else _child(material, "instance_effect")
        effect = None if instance is None else self._target_of(instance, "url")
        profile = None if effect is None else _child(effect, "profile_COMMON")
        technique = None if profile is None else _child(profile, "technique")
        shading = () if technique is None else technique.children
        for shader in shading:
            diffuse = _child(shader, "diffuse")
            color = None if diffuse is None else _child(diffuse, "color")
            parts = [] if color is None else color.text.split()[:3]
            try:
                r, g, b = (round(255 * min(max(float(part), 0.0), 1.0)) for part in parts)
            except ValueError:
                continue
            return r, g, b
        return None

    # --- A geometry

    def _surfaces(self, geometry: Element) -> Iterator[tuple[str, Surface]]:
        mesh = _child(geometry, "mesh") or _child(geometry, "convex_mesh")
        if mesh is None:
            return
        for element in mesh.children:
            faces = FACES.get(_name(element))
            if faces is None:
                continue
            inputs = list(_children(element, "input"))
            stride = 1 + max((_count(item, "offset", 0) for item in inputs), default=0)
            vertex = next((item for item in inputs if item.get("semantic") == "VERTEX"), None)
            points = None if vertex is None else self._points(vertex)
            if vertex is None or points is None:
                raise UnreadableMesh(f"<{element.tag}> has no vertices.", f"line {element.line}")
            corners, sizes = faces(element, stride, _count(vertex, "offset", 0))
            yield element.get("material") or "", Surface(points, None, corners, sizes)

    def _points(self, vertex: Element) -> Array | None:
        vertices = self._target_of(vertex, "source")
        if vertices is None:
            return None
        of_place = (item for item in _children(vertices, "input") if item.get("semantic") == "POSITION")
        position = next(of_place, None)
        source = None if position is None else self._target_of(position, "source")
        return None if source is None else self._triples(source)

    def _triples(self, source: Element) -> Array:
        """Return the numbers of a source as rows (n, 3)."""
        array = _child(source, "float_array")
        common = _child(source, "technique_common")
        accessor = None if common is None else _child(common, "accessor")
        if accessor is not None and (target := self._target_of(accessor, "source")) is not None:
            array = target
        if array is None:
            raise UnreadableMesh("a source holds no numbers.", f"line {source.line}")
        numbers = _numbers(array.text, None, array)
        stride, offset = (3, 0) if accessor is None else (_count(accessor, "stride", 3), _count(accessor, "offset", 0))
        if stride < 3:
            raise UnreadableMesh(
                f"its places have {counted(stride, 'number')} each, expected 3.", f"line {source.line}"
            )
        n = max(len(numbers) - offset, 0) // stride
        check_points(n)
        return numbers[offset : offset + n * stride].reshape(n, stride)[:, :3]


# --- Faces: corners and sizes of each kind of primitive, from rows of `stride` indices with the vertex in column `at`

Faces = tuple[Indices, Indices]


def _rows(element: Element, text: str, stride: int, at: int) -> Indices:
    numbers = _indices(text, element)
    if len(numbers) % stride:
        what = f"<{element.tag}> has {counted(len(numbers), 'index', 'indices')}, no multiple of {stride}."
        raise UnreadableMesh(what, f"line {element.line}")
    return numbers.reshape(-1, stride)[:, at]


def _triangles(element: Element, stride: int, at: int) -> Faces:
    corners = _rows(element, _joined_text(element), stride, at)
    if len(corners) % 3:
        what = f"<{element.tag}> has {counted(len(corners), 'corner')}, no multiple of 3."
        raise UnreadableMesh(what, f"line {element.line}")
    return corners, np.full(len(corners) // 3, 3, dtype=np.int64)


def _polylist(element: Element, stride: int, at: int) -> Faces:
    counts = _child(element, "vcount")
    sizes = _indices("" if counts is None else counts.text, element)
    return _whole_faces(element, _rows(element, _joined_text(element), stride, at), sizes)


def _polygons(element: Element, stride: int, at: int) -> Faces:
    """Return the outlines of polygons; holes are filled."""
    holed = (_child(element_p, "p") for element_p in _children(element, "ph"))
    outlines = [*_children(element, "p"), *(element_p for element_p in holed if element_p is not None)]
    rows = [_rows(element, element_p.text, stride, at) for element_p in outlines]
    sizes = np.array([len(row) for row in rows], dtype=np.int64)
    return _whole_faces(element, np.concatenate(rows) if rows else np.empty(0, np.int64), sizes)


def _strips(element: Element, stride: int, at: int) -> Faces:
    rows = [_rows(element, element_p.text, stride, at) for element_p in _children(element, "p")]
    parts = [np.stack([row[:-2], row[1:-1], row[2:]], axis=1) for row in rows if len(row) > 2]
    for part in parts:
        part[1::2, :2] = part[1::2, 1::-1]  # every second triangle has the opposite orientation
    return _of_triangles(parts)


def _fans(element: Element, stride: int, at: int) -> Faces:
    rows = [_rows(element, element_p.text, stride, at) for element_p in _children(element, "p")]
    return _of_triangles(
        [np.stack([np.full(len(row) - 2, row[0]), row[1:-1], row[2:]], axis=1) for row in rows if len(row) > 2]
    )


def _of_triangles(parts: list[Indices]) -> Faces:
    corners = np.concatenate(parts).ravel() if parts else np.empty(0, np.int64)
    return corners, np.full(len(corners) // 3, 3, dtype=np.int64)


def _whole_faces(element: Element, corners: Indices, sizes: Indices) -> Faces:
    """Return the faces with three or more corners."""
    if sizes.sum() != len(corners) or (sizes < 0).any():
        what = f"<{element.tag}> has {counted(len(corners), 'corner')}, and its faces {sizes.sum()}."
        raise UnreadableMesh(what, f"line {element.line}")
    is_face = sizes >= 3
    return corners[np.repeat(is_face, sizes)], sizes[is_face]


FACES: dict[str, Callable[[Element, int, int], Faces]] = {
    "triangles": _triangles,
    "polylist": _polylist,
    "polygons": _polygons,
    "tristrips": _strips,
    "trifans": _fans,
}


def _reverse_faces(part: Surface) -> Indices:
    """Return the corners of faces in reverse order."""
    ends = np.repeat(np.cumsum(part.sizes), part.sizes)
    starts = ends - np.repeat(part.sizes, part.sizes)
    return part.corners[ends - 1 - (np.arange(len(part.corners)) - starts)]


# --- Transforms


def _transform(node: Element) -> Array:
    """Return the matrix (4, 4) of a node, which is the product of its transforms from first to last."""
    M = np.eye(4)
    for element in node.children:
        transform = TRANSFORMS.get(_name(element))
        if transform is not None:
            count, matrix = transform
            M = M @ matrix(_numbers(element.text, count, element))
    return M


def _matrix(numbers: Array) -> Array:
    return numbers.reshape(4, 4)


def _translate(numbers: Array) -> Array:
    M = np.eye(4)
    M[:3, 3] = numbers
    return M


def _scale(numbers: Array) -> Array:
    return np.diag([*numbers, 1.0])


def _rotate(numbers: Array) -> Array:
    """Return the rotation about an axis by an angle in degrees (Rodrigues' formula)."""
    length = float(np.linalg.norm(numbers[:3]))
    M = np.eye(4)
    if length == 0.0 or not math.isfinite(length):
        return M
    x, y, z = numbers[:3] / length
    angle = math.radians(float(numbers[3]))
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    M[:3, :3] += math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K)
    return M


TRANSFORMS: dict[str, tuple[int, Callable[[Array], Array]]] = {
    "matrix": (16, _matrix),
    "translate": (3, _translate),
    "scale": (3, _scale),
    "rotate": (4, _rotate),
}


# --- Elements


def _name(element: Element) -> str:
    return element.tag.rpartition(":")[2]


def _children(element: Element, name: str) -> Iterator[Element]:
    return (child for child in element.children if _name(child) == name)


def _child(element: Element, name: str) -> Element | None:
    return next(_children(element, name), None)


def _joined_text(element: Element) -> str:
    return " ".join(item.text for item in _children(element, "p"))


def _count(element: Element, attribute: str, default: int) -> int:
    text = element.get(attribute)
    try:
        number = default if text is None else int(text)
    except ValueError:
        number = -1
    if not 0 <= number <= surface.MAX_POINTS:
        what = f"{attribute} of <{element.tag}> is {quote_bytes((text or '').encode())}, expected a whole number."
        raise UnreadableMesh(what, f"line {element.line}")
    return number


def _numbers(text: str, count: int | None, element: Element) -> Array:
    words = text.split()
    try:
        numbers = np.array(words, dtype=float)
    except ValueError:
        raise UnreadableMesh(f"<{element.tag}> contains a word that is no number.", f"line {element.line}") from None
    if count is not None and (len(numbers) != count or not np.isfinite(numbers).all()):
        raise UnreadableMesh(
            f"<{element.tag}> holds {counted(len(numbers), 'number')}, expected {count}.", f"line {element.line}"
        )
    return numbers


def _indices(text: str, element: Element) -> Indices:
    try:
        return np.array(text.split(), dtype=np.int64)
    except (ValueError, OverflowError):
        what = f"<{element.tag}> contains a word that is no whole number."
        raise UnreadableMesh(what, f"line {element.line}") from None
