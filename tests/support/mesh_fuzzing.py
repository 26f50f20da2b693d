"""Mesh files as no program would write them: good ones of every kind, damaged at random, and what reading one does."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np

from framescope.core.mesh_files.surface import MeshFileError
from framescope.ui.scene_view.geometry.mesh_files import load_mesh
from tests.support import damage
from tests.support.damage import Damage

CORNERS = np.array([(0, 0, 0), (2, 0, 0), (0, 3, 0), (0, 0, 4)], dtype=float)
FACES = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
"""A tetrahedron, its faces turned outward."""

ROOT = Path(__file__).parents[2]

# --- Good files


def stl_text() -> bytes:
    """Return an STL file in text."""
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*CORNERS[i]) for i in face)
        + "endloop\nendfacet\n"
        for face in FACES
    )
    return f"solid t\n{facets}endsolid t\n".encode()


def stl_binary(count: int | None = None) -> bytes:
    """Return an STL file in binary that says how many triangles it holds."""
    head = b"solid, though binary".ljust(80) + struct.pack("<I", len(FACES) if count is None else count)
    return head + b"".join(
        struct.pack("<3f", 0, 0, 0) + CORNERS[face].astype("<f4").tobytes() + b"\0\0" for face in FACES
    )


def obj() -> bytes:
    """Return an OBJ file of triangles."""
    lines = ["mtllib /etc/passwd"]
    lines += ["v {} {} {}".format(*corner) for corner in CORNERS]
    lines += ["v 99 99 99"]  # which no face uses
    lines += ["f {} {} {}".format(*(face + 1)) for face in FACES]
    return "\n".join(lines).encode()


def obj_rich() -> bytes:
    """Return an OBJ file with what else there may be in one."""
    return b"""# a box without a lid
o box
v 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
vt 0 0\nvt 1 1\nvn 0 0 -1\nvn 0 0 1\nvn 1 0 0
g sides
usemtl red
f 1/1/1 4/1/1 3/2/1 2/2/1   # a square
f -8//2 -7//2 \\\n -3//2 -4//2
s off
f 2/1/3 3/1/3 7/1/3 6/1/3
f 3//1 4//1 8//1 7//1 3//1 2//1
l 1 2 3
p 1
"""


def ply(order: str = "ascii", *, is_mixed: bool = False) -> bytes:
    """Return a PLY file, with faces of three and four corners where they are to be mixed."""
    faces = [*FACES.tolist(), *([[0, 1, 2, 3]] if is_mixed else [])]
    head = (
        f"ply\nformat {order} 1.0\ncomment of a test\nelement vertex {len(CORNERS)}\n"
        "property float x\nproperty float y\nproperty float z\nproperty uchar red\n"
        "element edge 1\nproperty int vertex1\nproperty list uchar short more\n"
        f"element face {len(faces)}\nproperty uchar flags\nproperty list uchar int vertex_indices\nend_header\n"
    ).encode()
    if order == "ascii":
        rows = ["{} {} {} 200".format(*corner) for corner in CORNERS] + ["0 2 7 8"]
        rows += [f"1 {len(face)} " + " ".join(map(str, face)) for face in faces]
        return head + ("\n".join(rows) + "\n").encode()
    mark = "<" if order == "binary_little_endian" else ">"
    body = b"".join(struct.pack(mark + "3fB", *corner, 200) for corner in CORNERS)
    body += struct.pack(mark + "iBhh", 0, 2, 7, 8)
    return head + body + b"".join(struct.pack(f"{mark}BB{len(face)}i", 1, len(face), *face) for face in faces)


def glb(binary: bytes | None = None, **changes: object) -> bytes:
    """Return a GLB file; keys of its description may be others."""
    places, corners = CORNERS.astype("<f4").tobytes(), FACES.astype("<u2").tobytes()
    data = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(places) + len(corners)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(places), "target": 34962},
            {"buffer": 0, "byteOffset": len(places), "byteLength": len(corners), "target": 34963},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [2, 3, 4]},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
    }
    return packed(data | changes, places + corners if binary is None else binary)


def packed(data: object, binary: bytes) -> bytes:
    """Return a GLB file of a description and its bytes."""
    text = json.dumps(data).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    size = 12 + 8 + len(text) + 8 + len(binary)
    head = struct.pack("<4sII", b"glTF", 2, size)
    return (
        head + struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    )


def glb_rich() -> bytes:
    """Return a GLB file with strips, fans, sparse and interleaved accessors, a skin, morph targets and normals."""
    places = CORNERS.astype("<f4")
    directions = (CORNERS - CORNERS.mean(axis=0)).astype("<f4")
    parts: dict[str, bytes] = {
        "interleaved": np.hstack([places, directions]).tobytes(),
        "corners": FACES.astype("<u4").tobytes(),
        "strip": np.array([0, 2, 1, 3], "<u1").tobytes(),
        "sparse": np.array([1], "<u2").tobytes() + b"\0\0" + np.array([0.5, 0, 0], "<f4").tobytes(),
        "joints": np.array([[0, 1, 0, 0]] * 4, "<u1").tobytes(),
        "weights": np.array([[0.5, 0.5, 0, 0]] * 4, "<f4").tobytes(),
        "binding": np.stack([np.eye(4)] * 2).astype("<f4").tobytes(),
    }
    views, at = [], 0
    for name, part in parts.items():
        stride = {"byteStride": 24} if name == "interleaved" else {}
        views.append({"buffer": 0, "byteOffset": at, "byteLength": len(part), **stride})
        at += len(part) + -len(part) % 4
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": 0, "byteOffset": 12, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5125, "count": 12, "type": "SCALAR"},
        {"bufferView": 2, "componentType": 5121, "count": 4, "type": "SCALAR"},
        {
            "componentType": 5126,
            "count": 4,
            "type": "VEC3",
            "sparse": {
                "count": 1,
                "indices": {"bufferView": 3, "componentType": 5123},
                "values": {"bufferView": 3, "byteOffset": 4},
            },
        },
        {"bufferView": 4, "componentType": 5121, "count": 4, "type": "VEC4"},
        {"bufferView": 5, "componentType": 5126, "count": 4, "type": "VEC4"},
        {"bufferView": 6, "componentType": 5126, "count": 2, "type": "MAT4"},
    ]
    attributes = {"POSITION": 0, "NORMAL": 1}
    data = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0, 3]}],
        "nodes": [
            {"children": [1, 2], "rotation": [0, 0, 0.6, 0.8], "scale": [1, 2, -1]},
            {"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]},
            {"mesh": 1, "skin": 0, "translation": [0, 1, 0]},
            {"name": "camera"},
        ],
        "skins": [{"joints": [0, 3], "inverseBindMatrices": 7}],
        "meshes": [
            {
                "primitives": [
                    {"attributes": attributes, "indices": 2, "targets": [{"POSITION": 4}]},
                    {"attributes": attributes, "indices": 3, "mode": 5},
                    {"attributes": attributes, "mode": 6},
                    {"attributes": attributes, "mode": 1},
                ],
                "weights": [0.25],
            },
            {"primitives": [{"attributes": {**attributes, "JOINTS_0": 5, "WEIGHTS_0": 6}, "indices": 2}]},
        ],
        "buffers": [{"byteLength": at}],
        "bufferViews": views,
        "accessors": accessors,
    }
    return packed(data, b"".join(part + b"\0" * (-len(part) % 4) for part in parts.values()))


def dae(nodes: str = '<node><instance_geometry url="#body"/></node>', *, faces: str = "", unit: str = "1") -> bytes:
    """Return a COLLADA file of the tetrahedron; its nodes and its primitives may be others."""
    corners = " ".join(f"{i} 0" for i in FACES.ravel())
    usual = f'<triangles count="4">{DAE_INPUTS}<p>{corners}</p></triangles>'
    places = " ".join(f"{x:g}" for x in CORNERS.ravel())
    return f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="unit" meter="{unit}"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries><geometry id="body"><mesh>
    <source id="places"><float_array id="numbers" count="12">{places}</float_array>
      <technique_common><accessor source="#numbers" count="4" stride="3"><param name="X" type="float"/></accessor>
      </technique_common></source>
    <source id="normals"><float_array id="ups" count="3">0 0 1</float_array></source>
    <vertices id="corners"><input semantic="POSITION" source="#places"/></vertices>
    {faces or usual}
  </mesh></geometry></library_geometries>
  <library_controllers><controller id="skinned"><skin source="#body"/></controller></library_controllers>
  <library_nodes><node id="shared"><instance_controller url="#skinned"/></node></library_nodes>
  <library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
""".encode()


DAE_INPUTS = (
    '<input semantic="VERTEX" source="#corners" offset="0"/><input semantic="NORMAL" source="#normals" offset="1"/>'
)


def dae_rich() -> bytes:
    """Return a COLLADA file with all kinds of primitives and transforms, mirrored nodes, and nodes used twice."""
    inputs = '<input semantic="VERTEX" source="#corners" offset="0"/>'
    faces = f"""<polylist count="3">{inputs}<vcount>3 4 2</vcount><p>0 2 1 0 1 3 2 0 1</p></polylist>
    <polygons count="2">{inputs}<p>0 3 2</p><ph><p>1 2 3</p><h>0 1 2</h></ph></polygons>
    <tristrips count="1">{inputs}<p>0 2 1 3</p></tristrips><trifans count="1">{inputs}<p>0 2 1 3</p></trifans>
    <lines count="1">{inputs}<p>0 1</p></lines>"""
    nodes = """<node><translate>5 0 0</translate><rotate>0 0 1 90</rotate><scale>1 2 -1</scale>
      <instance_geometry url="#body"/><node><matrix>1 0 0 1 0 1 0 2 0 0 1 3 0 0 0 1</matrix>
      <instance_node url="#shared"/></node></node>
      <node><instance_node url="#shared"/><instance_camera url="#x"/></node>"""
    return dae(nodes, faces=faces, unit="0.001")


DAE_MATERIALS = """<library_effects>
  <effect id="reds"><profile_COMMON><technique><phong><diffuse><color>1 0 0.2 1</color></diffuse></phong></technique>
  </profile_COMMON></effect>
  <effect id="blues"><profile_COMMON><technique><lambert><diffuse><color>0 0.5 1 1</color></diffuse></lambert>
  </technique></profile_COMMON></effect>
  <effect id="pictures"><profile_COMMON><technique><phong><diffuse><texture texture="a"/></diffuse></phong></technique>
  </profile_COMMON></effect>
</library_effects>
<library_materials>
  <material id="red"><instance_effect url="#reds"/></material>
  <material id="blue"><instance_effect url="#blues"/></material>
  <material id="picture"><instance_effect url="#pictures"/></material>
</library_materials>
"""


def dae_colored(second: str = "blue") -> bytes:
    """Return a COLLADA file of a tetrahedron: one face by the first material, two by another, and one by none."""
    rows = [" ".join(f"{i} 0" for i in faces.ravel()) for faces in (FACES[:1], FACES[1:3], FACES[3:])]
    parts = zip(('material="first"', 'material="second"', ""), rows, strict=True)
    faces = "".join(f"<triangles {named}>{DAE_INPUTS}<p>{row}</p></triangles>" for named, row in parts)
    bound = "".join(
        f'<instance_material symbol="{symbol}" target="#{target}"/>'
        for symbol, target in (("first", "red"), ("second", second))
    )
    bind = f"<bind_material><technique_common>{bound}</technique_common></bind_material>"
    nodes = f'<node><instance_geometry url="#body">{bind}</instance_geometry></node>'
    return dae(nodes, faces=faces).replace(b"<library_geometries>", DAE_MATERIALS.encode() + b"<library_geometries>")


def sheet(suffix: str, n: int = 6) -> bytes:
    """Return a sheet of n by n vertices as OBJ or PLY in text: with so many lines that they are read together."""
    places = [(i, j, 0.5 * i * j) for i in range(n) for j in range(n)]
    corners = [n * i + j for i in range(n - 1) for j in range(n - 1)]
    faces = [face for k in corners for face in ((k, k + n, k + 1), (k + 1, k + n, k + n + 1))]
    if suffix == ".obj":
        lines = ["v {} {} {}".format(*place) for place in places]
        lines += ["f {} {} {}".format(*(k + 1 for k in face)) for face in faces]
        return "\n".join(lines).encode()
    lines = ["ply", "format ascii 1.0", f"element vertex {len(places)}", *(f"property float {name}" for name in "xyz")]
    lines += [f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header"]
    lines += [" ".join(map(str, place)) for place in places] + ["3 {} {} {}".format(*face) for face in faces]
    return ("\n".join(lines) + "\n").encode()


SEEDS: dict[str, tuple[bytes, ...]] = {
    ".stl": (stl_text(), stl_binary()),
    ".obj": (obj(), obj_rich(), sheet(".obj")),
    ".ply": (
        ply(),
        sheet(".ply"),
        ply(is_mixed=True),
        *(ply(order, is_mixed=mixed) for order in ("binary_little_endian", "binary_big_endian") for mixed in (0, 1)),
    ),
    ".glb": (glb(), glb_rich()),
    ".dae": (dae(), dae_rich(), dae_colored()),
}

# --- Damage


def change_description(random: Random, data: bytes) -> bytes:
    """Change a value somewhere in the description of a GLB file, with lengths that fit."""
    try:
        (n,) = struct.unpack_from("<I", data, 12)
        description, binary = json.loads(data[20 : 20 + n]), data[28 + n :]
    except (struct.error, ValueError):
        return data
    if not isinstance(description, dict):
        return data
    damage.change_values(random, description)
    return packed(description, binary)


_TEXT = (damage.flip_bytes, damage.cut, damage.change_number, damage.change_word, damage.change_line)
DAMAGES: dict[str, tuple[Damage, ...]] = {
    ".stl": (*_TEXT, damage.change_integer),
    ".obj": (*_TEXT, damage.change_number),
    ".ply": (*_TEXT, damage.change_number, damage.change_integer),
    ".glb": (damage.flip_bytes, damage.cut, damage.change_integer, *[change_description] * 5),
    ".dae": (*_TEXT, damage.change_number, damage.change_xml, damage.change_xml),
}


def mutant(suffix: str, number: int) -> bytes:
    """Return the damaged file of a number: always the same."""
    random = Random(f"{suffix} {number}")
    data = random.choice(SEEDS[suffix])
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = random.choice(DAMAGES[suffix])(random, data)
    return data


# --- Reading


def read_mutant(path: Path) -> str:
    """Read a damaged file as a scene would: ``"mesh"``, or ``"refused"`` where a line of text names the file."""
    said = ""
    try:
        mesh = load_mesh(path)
    except MeshFileError as error:
        said = error.message
    if said:
        assert said.startswith(f"the file {path.name}"), said
        assert len(said) < 400, said
        assert said.isprintable(), said
        return "refused"
    n = len(mesh.points)
    assert mesh.normals.shape == mesh.points.shape == (n, 3)
    assert np.isfinite(mesh.points).all()
    assert np.isfinite(mesh.normals).all()
    assert mesh.triangles.min() >= 0
    assert mesh.triangles.max() < n
    return "mesh"


def read_mutants(folder: Path, suffix: str, first: int, last: int) -> Counter[str]:
    """Read damaged files of a format; the newest stays in the folder, so that it is there when the process dies."""
    found: Counter[str] = Counter()
    for number in range(first, last):
        path = folder / f"{number}{suffix}"
        path.write_bytes(mutant(suffix, number))
        found[read_mutant(path)] += 1
        path.unlink()
    return found


def read_in_child(folder: Path, first: int, last: int) -> dict[str, Counter[str]]:
    """Read damaged files of every format in a process that may die; an `AssertionError` says of which one it did."""
    command = [sys.executable, "-W", "error", "-m", "tests.support.mesh_fuzzing", str(folder), str(first), str(last)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    left = ", ".join(path.name for path in folder.iterdir())
    assert done.returncode == 0, f"{left}: exit status {done.returncode}\n{done.stderr[-2000:]}"
    assert not done.stderr, done.stderr
    return {suffix: Counter(found) for suffix, found in json.loads(done.stdout).items()}


if __name__ == "__main__":
    where, begin, end = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    print(json.dumps({suffix: read_mutants(where, suffix, begin, end) for suffix in SEEDS}))
