"""A file in MJCF as the compiler is to see it: with what it includes, and without what is not for frames and shapes.

The compiler sees no other file than the meshes that were found; so a model reads nothing that it may not, and opens
without its textures, or with a sensor that nobody knows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from framescope.core.errors import FramescopeError
from framescope.core.system.xml_elements import MAX_DEPTH, Element, XmlError, read_elements
from framescope.features.robots.core.robot import Fault

Find = Callable[[str], bytes | None]
"""What returns a file by the name that it has beside the model; None where there is none that may be read."""

MAX_INCLUDED = 200

MAX_COMPILED = 30_000
"""Elements that a model may have once its replicas are made: a hundred bytes can ask for any number of replicas, and a
scene of more frames cannot be read."""

POINTS = frozenset(("vertex", "builtin"))
"""Attributes with which a mesh needs no file."""

WITHOUT_END = 10**15
"""Number of elements from which on it is not written out."""

STAND_IN = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
"""A mesh in the place of one that is not there."""

_BODIES = frozenset(("body", "frame", "replicate", "inertial", "joint", "freejoint", "geom", "site", "camera"))
KEPT: Mapping[str, frozenset[str]] = {
    "mujoco": frozenset(("compiler", "default", "asset", "worldbody", "equality")),
    "default": frozenset(("default", "joint", "geom", "mesh", "material", "site", "camera", "equality")),
    "asset": frozenset(("mesh", "material")),
    "worldbody": _BODIES,
    "body": _BODIES,
    "frame": _BODIES,
    "replicate": _BODIES,
    "equality": frozenset(("joint",)),
}
"""Elements that the compiler is to see, by what they stand in; of others it sees none."""

TOLD = {
    "composite": "bodies that are made by <composite> are left out.",
    "flexcomp": "what bends, <flexcomp>, is left out.",
    "attach": "what <attach> takes from another file is left out.",
    "connect": "two bodies are held together in a point, which closes a loop: that is not followed.",
    "weld": "two bodies are held together, which closes a loop: that is not followed.",
}
"""What is said of elements that are left out although they move or draw something."""

DROPPED: Mapping[str, frozenset[str]] = {
    "compiler": frozenset(
        (
            *("meshdir", "texturedir", "assetdir", "strippath", "fusestatic", "discardvisual", "usethread"),
            *("convexhull", "exactmeshinertia"),
        )
    ),
    "material": frozenset(("texture",)),
    "camera": frozenset(("target",)),
}
"""Attributes that the compiler is not to see: they name files, leave frames out, or are of older versions."""


class NamedMesh(NamedTuple):
    """A mesh: its file, and the pose that its points are moved from before they are scaled (scalar first)."""

    file: str
    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    quaternion: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class MjcfSource:
    """A model for the compiler.

    Attributes
    ----------
    text
        In MJCF, one element a line.
    lines
        In which line of the file each line of the text stands; of what is included, that which includes it.
    assets
        Files by the names that they have in the text.
    meshes
        Meshes by their names.
    named
        Lines of bodies, joints and geoms by tag and name.
    faults
        What is wrong with the file so far.
    """

    text: str
    lines: tuple[int, ...]
    assets: Mapping[str, bytes]
    meshes: Mapping[str, NamedMesh]
    named: Mapping[tuple[str, str], int]
    faults: tuple[Fault, ...]

    @property
    def without_meshes(self) -> MjcfSource:
        """The same with stand-ins in the place of all meshes."""
        return MjcfSource(
            self.text, self.lines, dict.fromkeys(self.assets, STAND_IN), self.meshes, self.named, self.faults
        )


def read_source(data: bytes, find: Find) -> MjcfSource:
    """Return a file in MJCF as the compiler is to see it.

    Parameters
    ----------
    data
        The file.
    find
        Returns what it includes, and its meshes in a format that MuJoCo reads.

    Raises
    ------
    FramescopeError
        When it is no XML, or its root is not that of MJCF.

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
    faults: list[Fault] = field(default_factory=list[Fault])
    included: dict[str, int] = field(default_factory=dict[str, int])
    whole_name: Callable[[PurePosixPath], PurePosixPath] = PurePosixPath

    def source(self, root: Element) -> MjcfSource:
        self.put_in(root, 0, 1)
        refuse_many_replicas(root)
        self.whole_name = _names_of_meshes(root)
        self.write(root)
        text = "\n".join(self.text)
        return MjcfSource(text, tuple(self.lines), self.assets, self.meshes, self.named, tuple(self.faults))

    # --- What is included

    def put_in(self, element: Element, line: int, depth: int) -> None:
        """Put what is included into the places where it is; `line` is that of the outermost include, 0 outside."""
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
            what = "it is included in line {} already." if name in self.included else "there is no such file."
            self.fault(line, "include", f"<include> {name[:120]}", what.format(self.included.get(name)))
            return []
        self.included[name] = line
        if len(self.included) > MAX_INCLUDED:
            raise FramescopeError(f"line {line}: more than {MAX_INCLUDED} files are included.")
        self.put_in(root, line, depth)
        return root.children

    def fault(self, line: int, kind: str, where: str, message: str) -> None:
        self.faults.append(Fault(line, kind, where, message, "It is left out.", "red"))

    # --- What the compiler sees

    def write(self, element: Element) -> None:
        attributes = {
            key: value
            for key, value in element.attributes.items()
            if key not in DROPPED.get(element.tag, ()) and not key.startswith("xmlns")
        }
        if element.tag == "mesh" and "file" in attributes:
            attributes["name"], attributes["file"] = self.mesh(element)
        elif element.tag == "mesh" and "name" in attributes and not attributes.keys() & POINTS:
            attributes["file"] = self.asset(".obj", STAND_IN)  # one that a plug-in makes
        name = attributes.get("name", "").strip()
        if name:
            self.named.setdefault((element.tag, name), element.line)
        written = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
        self.line(f"<{element.tag}{written}>", element.line)
        for child in self.seen(element):
            self.write(child)
        self.line(f"</{element.tag}>", element.line)

    def line(self, text: str, line: int) -> None:
        self.text.append(text)
        self.lines.append(line)

    def seen(self, element: Element) -> Iterator[Element]:
        """Yield the children that the compiler is to see."""
        kept = KEPT.get(element.tag, frozenset())
        for child in element.children:
            if child.tag in kept and not (child.tag == "geom" and child.get("hfield")):
                yield child
            elif child.tag in TOLD:
                where = f"<{child.tag}> {child.get('name') or ''}".strip()
                self.faults.append(Fault(child.line, "left out", where, TOLD[child.tag], "", "note"))

    def mesh(self, element: Element) -> tuple[str, str]:
        """Return the name of a mesh, and that of its file as the compiler is to see it."""
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
    """Raise `FramescopeError` where the replicas of a model are too many to be compiled, before they are made."""
    total = sum(map(compiled_size, root.all("worldbody")))
    replicates = list(_outermost_replicates(root))
    if not replicates or total <= MAX_COMPILED:
        return
    line = max(replicates, key=compiled_size).line
    amount = f"{total:,}" if total < WITHOUT_END else f"more than {WITHOUT_END:,}"
    raise FramescopeError(
        f"line {line}: <replicate> makes a model of {amount} elements, and at most {MAX_COMPILED:,} are compiled."
        " Lower its count, or that of one within it."
    )


def compiled_size(element: Element) -> int:
    """Return how many elements one becomes, itself included, once its replicas are made.

    >>> inner = '<replicate count="2"><geom/></replicate>'
    >>> root = read_elements(f'<body><replicate count="3"><body/>{inner}</replicate></body>'.encode())
    >>> compiled_size(root)  # the outer body, and three times a body and two geoms
    10
    """
    inside = sum(map(compiled_size, element.children))
    return _count(element) * inside if element.tag == "replicate" else 1 + inside


def _count(replicate: Element) -> int:
    """Return how often a replicate makes what is in it; once where the compiler refuses its count."""
    try:
        return max(int(float(replicate.get("count") or "1")), 1)
    except (ValueError, OverflowError):
        return 1


def _outermost_replicates(element: Element) -> Iterator[Element]:
    """Yield the replicates that stand in no other."""
    for child in element.children:
        if child.tag == "replicate":
            yield child
        else:
            yield from _outermost_replicates(child)


def _names_of_meshes(root: Element) -> Callable[[PurePosixPath], PurePosixPath]:
    """Return what makes the whole name of a mesh of the one that stands there."""
    folder, is_stripped = PurePosixPath(), False
    for compiler in root.all("compiler"):
        folder = PurePosixPath(compiler.get("meshdir") or compiler.get("assetdir") or folder)
        is_stripped = (compiler.get("strippath") or str(is_stripped).lower()) == "true"
    return lambda path: folder / (path.name if is_stripped else path)


def _numbers(text: str | None, count: int, usual: tuple[float, ...]) -> tuple[float, ...]:
    """Return the numbers in an attribute; what the compiler refuses is as usual."""
    try:
        found = tuple(map(float, (text or "").split()))
    except ValueError:
        return usual
    return found if len(found) == count and all(map(math.isfinite, found)) else usual


def _ending(suffix: str, data: bytes) -> str:
    """Return what a file ends in for the compiler: what is in no other format that it reads is an OBJ by now."""
    is_own = suffix == ".stl" and is_binary_stl(data)
    return suffix if is_own or (suffix == ".msh" and data != STAND_IN) else ".obj"


STL_HEAD, STL_TRIANGLE = 84, 50
"""Bytes of the head of a binary STL, and of each triangle."""


def is_binary_stl(data: bytes) -> bool:
    """Return whether an STL is the binary kind, which has no more than its triangles."""
    count = int.from_bytes(data[STL_HEAD - 4 : STL_HEAD], "little")
    return len(data) == STL_HEAD + STL_TRIANGLE * count
