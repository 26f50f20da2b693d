"""Preparation of an MJCF file for its compiler: includes are merged, and parts without frames or shapes are dropped.

The compiler has access only to the meshes that were found. So a model cannot read other files, and it opens without its
textures, or with an unknown sensor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from framescope.core.errors import FramescopeError, Problem
from framescope.core.system.xml_elements import MAX_DEPTH, Element, XmlError, read_elements
from framescope.features.robots.core.robot import robot_problem

Find = Callable[[str], bytes | None]
"""Function that returns a file by its name relative to the model; None if there is no accessible file."""

MAX_INCLUDED = 200

MAX_COMPILED = 30_000
"""Limit of elements of a model after replication. A hundred bytes can request any number of replicas, and a scene of
more frames is of no use."""

MESH_SOURCES = frozenset(("vertex", "builtin"))
"""Attributes of a mesh that replace its file."""

UNCOUNTED = 10**15
"""Number of elements above which a message does not state it."""

STAND_IN = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
"""Mesh in place of a missing one."""

_BODIES = frozenset(("body", "frame", "replicate", "inertial", "joint", "freejoint", "geom", "site", "camera"))
COMPILED_ELEMENTS: Mapping[str, frozenset[str]] = {
    "mujoco": frozenset(("compiler", "default", "asset", "worldbody", "equality")),
    "default": frozenset(("default", "joint", "geom", "mesh", "material", "site", "camera", "equality")),
    "asset": frozenset(("mesh", "material")),
    "worldbody": _BODIES,
    "body": _BODIES,
    "frame": _BODIES,
    "replicate": _BODIES,
    "equality": frozenset(("joint",)),
}
"""Elements for the compiler, by their parent; all others are dropped."""

REPORTED_ELEMENTS = {
    "composite": "bodies that are made by <composite> are left out.",
    "flexcomp": "what bends, <flexcomp>, is left out.",
    "attach": "what <attach> takes from another file is left out.",
    "connect": "two bodies are held together in a point, which closes a loop: that is not followed.",
    "weld": "two bodies are held together, which closes a loop: that is not followed.",
}
"""Messages about dropped elements that move or draw something."""

HIDDEN_ATTRIBUTES: Mapping[str, frozenset[str]] = {
    "compiler": frozenset(
        (
            *("meshdir", "texturedir", "assetdir", "strippath", "fusestatic", "discardvisual", "usethread"),
            *("convexhull", "exactmeshinertia"),
        )
    ),
    "material": frozenset(("texture",)),
    "camera": frozenset(("target",)),
}
"""Attributes hidden from the compiler: they name files, drop frames, or come from older versions."""


class NamedMesh(NamedTuple):
    """A mesh: its file, and the pose (quaternion scalar first) that is removed from its points before scaling."""

    file: str
    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    quaternion: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class MjcfSource:
    """A model for the compiler.

    Attributes
    ----------
    text
        Text in MJCF, one element for each line.
    lines
        Line of the file for each line of the text; for included parts, the line of the include.
    assets
        Files by their names in the text.
    meshes
        Meshes by name.
    named
        Lines of named elements, such as bodies, joints and geoms, by tag and name.
    faults
        Faults of the file found so far.
    """

    text: str
    lines: tuple[int, ...]
    assets: Mapping[str, bytes]
    meshes: Mapping[str, NamedMesh]
    named: Mapping[tuple[str, str], int]
    faults: tuple[Problem, ...]

    @property
    def without_meshes(self) -> MjcfSource:
        """Source with all meshes replaced by stand-ins."""
        return MjcfSource(
            self.text, self.lines, dict.fromkeys(self.assets, STAND_IN), self.meshes, self.named, self.faults
        )


def read_source(data: bytes, find: Find) -> MjcfSource:
    """Return an MJCF file prepared for the compiler.

    Parameters
    ----------
    data
        The file.
    find
        Returns included files, and meshes in a format that MuJoCo reads.

    Raises
    ------
    FramescopeError
        When it is not XML, or its root is not ``<mujoco>``.

    Examples
    --------
    >>> source = read_source(b'<mujoco><worldbody><body name="arm"/></worldbody><sensor/></mujoco>', lambda name: None)
    >>> print(source.text)
    <mujoco>
    <worldbody>
    <body name="arm">
    </body>
    </worldbody>
    </mujoco>
    """
    root = read_elements(data)
    if root.tag != "mujoco":
        raise FramescopeError(f"line {root.line}: an MJCF begins with <mujoco>, and this with <{root.tag}>.")
    return _Writer(find).source(root)


@dataclass
class _Writer:
    find: Find
    text: list[str] = field(default_factory=list[str])
    lines: list[int] = field(default_factory=list[int])
    assets: dict[str, bytes] = field(default_factory=dict[str, bytes])
    meshes: dict[str, NamedMesh] = field(default_factory=dict[str, NamedMesh])
    named: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    faults: list[Problem] = field(default_factory=list[Problem])
    included: dict[str, int] = field(default_factory=dict[str, int])
    whole_name: Callable[[PurePosixPath], PurePosixPath] = PurePosixPath

    def source(self, root: Element) -> MjcfSource:
        self.put_in(root, 0, 1)
        refuse_many_replicas(root)
        self.whole_name = _names_of_meshes(root)
        self.write(root)
        text = "\n".join(self.text)
        return MjcfSource(text, tuple(self.lines), self.assets, self.meshes, self.named, tuple(self.faults))

    # --- Includes

    def put_in(self, element: Element, line: int, depth: int) -> None:
        """Replace includes by their contents; `line` is the line of the outermost include, 0 outside."""
        if depth > MAX_DEPTH:
            raise FramescopeError(f"line {element.line}: its elements are nested more than {MAX_DEPTH} levels deep.")
        children = list[Element]()
        for child in element.children:
            if line:
                child.line = line
            if child.tag == "include":
                children += self.of_include(child, child.line, depth)
            else:
                self.put_in(child, line, depth + 1)
                children.append(child)
        element.children = children

    def of_include(self, element: Element, line: int, depth: int) -> list[Element]:
        name = element.get("file") or ""
        try:
            data = self.find(name) if name and name not in self.included else None
            root = None if data is None else read_elements(data)
        except XmlError as error:
            self.fault(line, "include", f"<include> {name[:120]}", f"line {error.line} of it: {error.what}")
            return []
        if root is None:
            message = "it is included in line {} already." if name in self.included else "there is no such file."
            self.fault(line, "include", f"<include> {name[:120]}", message.format(self.included.get(name)))
            return []
        self.included[name] = line
        if len(self.included) > MAX_INCLUDED:
            raise FramescopeError(f"line {line}: more than {MAX_INCLUDED} files are included.")
        self.put_in(root, line, depth)
        return root.children

    def fault(self, line: int, kind: str, where: str, message: str) -> None:
        self.faults.append(robot_problem(line, kind, where, message, "It is left out.", "red"))

    # --- Text for the compiler

    def write(self, element: Element) -> None:
        attributes = {
            key: value
            for key, value in element.attributes.items()
            if key not in HIDDEN_ATTRIBUTES.get(element.tag, ()) and not key.startswith("xmlns")
        }
        if element.tag == "mesh" and "file" in attributes:
            attributes["name"], attributes["file"] = self.mesh(element)
        elif element.tag == "mesh" and "name" in attributes and not attributes.keys() & MESH_SOURCES:
            attributes["file"] = self.asset(".obj", STAND_IN)  # a mesh from a plug-in
        name = attributes.get("name", "").strip()
        if name:
            self.named.setdefault((element.tag, name), element.line)
        written = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
        self.line(f"<{element.tag}{written}>", element.line)
        for child in self.visible_children(element):
            self.write(child)
        self.line(f"</{element.tag}>", element.line)

    def line(self, text: str, line: int) -> None:
        self.text.append(text)
        self.lines.append(line)

    def visible_children(self, element: Element) -> Iterator[Element]:
        """Yield the children for the compiler, and report dropped ones that matter."""
        expected = COMPILED_ELEMENTS.get(element.tag, frozenset())
        for child in element.children:
            if child.tag in expected and not (child.tag == "geom" and child.get("hfield")):
                yield child
            elif child.tag in REPORTED_ELEMENTS:
                where = f"<{child.tag}> {child.get('name') or ''}".strip()
                self.faults.append(
                    robot_problem(child.line, "left out", where, REPORTED_ELEMENTS[child.tag], "", "note")
                )

    def mesh(self, element: Element) -> tuple[str, str]:
        """Return the name of a mesh, and its file name for the compiler."""
        file = element.get("file") or ""
        path = PurePosixPath(file.replace("\\", "/"))
        name = element.get("name") or path.stem
        whole = str(self.whole_name(path))
        data = self.find(whole)
        data = STAND_IN if data is None else data
        asset = self.asset(_ending(path.suffix.lower(), data), data)
        usual = NamedMesh(whole)
        position = _numbers(element.get("refpos"), 3, usual.position)
        self.meshes[name] = NamedMesh(whole, position, _numbers(element.get("refquat"), 4, usual.quaternion))
        return name, asset

    def asset(self, ending: str, data: bytes) -> str:
        name = f"mesh{len(self.assets)}{ending}"
        self.assets[name] = data
        return name


def refuse_many_replicas(root: Element) -> None:
    """Raise `FramescopeError` if a model has too many replicas, before they are made."""
    total = sum(map(compiled_size, root.all("worldbody")))
    replicates = list(_outermost_replicates(root))
    if not replicates or total <= MAX_COMPILED:
        return
    line = max(replicates, key=compiled_size).line
    amount = f"{total:,}" if total < UNCOUNTED else f"more than {UNCOUNTED:,}"
    raise FramescopeError(
        f"line {line}: <replicate> makes a model of {amount} elements, and at most {MAX_COMPILED:,} are compiled."
        " Lower its count, or that of one within it."
    )


def compiled_size(element: Element) -> int:
    """Return the number of elements, including this one, after replication.

    >>> inner = '<replicate count="2"><geom/></replicate>'
    >>> root = read_elements(f'<body><replicate count="3"><body/>{inner}</replicate></body>'.encode())
    >>> compiled_size(root)  # the outer body, and three times a body and two geoms
    10
    """
    inside = sum(map(compiled_size, element.children))
    return _count(element) * inside if element.tag == "replicate" else 1 + inside


def _count(replicate: Element) -> int:
    """Return the number of copies that a replicate makes; 1 for a count that the compiler rejects."""
    try:
        return max(int(float(replicate.get("count") or "1")), 1)
    except (ValueError, OverflowError):
        return 1


def _outermost_replicates(element: Element) -> Iterator[Element]:
    """Yield the replicates that are not within another one."""
    for child in element.children:
        if child.tag == "replicate":
            yield child
        else:
            yield from _outermost_replicates(child)


def _names_of_meshes(root: Element) -> Callable[[PurePosixPath], PurePosixPath]:
    """Return the function that completes the file name of a mesh with the folder of meshes."""
    folder, is_stripped = PurePosixPath(), False
    for compiler in root.all("compiler"):
        folder = PurePosixPath(compiler.get("meshdir") or compiler.get("assetdir") or folder)
        is_stripped = (compiler.get("strippath") or str(is_stripped).lower()) == "true"
    return lambda path: folder / (path.name if is_stripped else path)


def _numbers(text: str | None, count: int, usual: tuple[float, ...]) -> tuple[float, ...]:
    """Return the numbers in an attribute; the default if the compiler rejects them."""
    try:
        numbers = tuple(map(float, (text or "").split()))
    except ValueError:
        return usual
    return numbers if len(numbers) == count and all(map(math.isfinite, numbers)) else usual


def _ending(suffix: str, data: bytes) -> str:
    """Return the file ending for the compiler; other formats have been converted to OBJ already."""
    is_own = suffix == ".stl" and is_binary_stl(data)
    return suffix if is_own or (suffix == ".msh" and data != STAND_IN) else ".obj"


STL_HEAD, STL_TRIANGLE = 84, 50
"""Size of the header of a binary STL and of each triangle, bytes."""


def is_binary_stl(data: bytes) -> bool:
    """Return whether an STL is binary: its size matches its number of triangles."""
    count = int.from_bytes(data[STL_HEAD - 4 : STL_HEAD], "little")
    return len(data) == STL_HEAD + STL_TRIANGLE * count
