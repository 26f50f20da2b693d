"""Meshes from files: the four formats, bounds, what is refused, and what hangs on their extents."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest

from framescope.app.mesh_problems import mesh_problems
from framescope.core.evaluate import compile_plan
from framescope.ui.view import mesh_files
from framescope.ui.view.bodies import Bodies, body_mesh, body_reach
from framescope.ui.view.mesh_files import MeshFileError, coarse, load_mesh
from framescope.ui.view.meshes import sphere
from framescope.ui.view.selection import Selection
from tests.scenes import HEAD, scene_of
from tests.visuals import built, points, tick_of

CORNERS = np.array([(0, 0, 0), (2, 0, 0), (0, 3, 0), (0, 0, 4)], dtype=float)
FACES = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
"""A tetrahedron, its faces turned outward."""


def stl() -> bytes:
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*CORNERS[i]) for i in face)
        + "endloop\nendfacet\n"
        for face in FACES
    )
    return f"solid t\n{facets}endsolid t\n".encode()


def obj() -> bytes:
    lines = ["mtllib /etc/passwd"]
    lines += ["v {} {} {}".format(*corner) for corner in CORNERS]
    lines += ["v 99 99 99"]  # which no face uses
    lines += ["f {} {} {}".format(*(face + 1)) for face in FACES]
    return "\n".join(lines).encode()


def ply() -> bytes:
    head = (
        f"ply\nformat ascii 1.0\nelement vertex {len(CORNERS)}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {len(FACES)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    rows = [" ".join(map(str, corner)) for corner in CORNERS] + ["3 " + " ".join(map(str, face)) for face in FACES]
    return (head + "\n".join(rows) + "\n").encode()


def glb(**changes: object) -> bytes:
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
    text = json.dumps(data | changes).encode()
    text += b" " * (-len(text) % 4)
    binary = places + corners
    binary += b"\0" * (-len(binary) % 4)
    size = 12 + 8 + len(text) + 8 + len(binary)
    head = struct.pack("<4sII", b"glTF", 2, size)
    return (
        head + struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    )


FILES = {".stl": stl, ".obj": obj, ".ply": ply, ".glb": glb}


@pytest.fixture
def file(tmp_path):
    def make(suffix: str, content: bytes | None = None):
        path = tmp_path / f"part{suffix}"
        path.write_bytes(FILES[suffix]() if content is None else content)
        return path

    return make


def scene_with(path, **shape) -> object:
    more = "".join(f", {key}: {value}" for key, value in shape.items())
    text = HEAD + "  a: {parent: world}\nbodies:\n"
    text += f"  part: {{frame: a, shape: {{form: mesh, file: {path.name}, unit: mm}}{more}}}\n"
    return compile_plan(scene_of(text), path.parent)


@pytest.mark.parametrize("suffix", FILES)
def test_that_a_mesh_has_the_corners_and_faces_of_its_file(file, suffix, capfd) -> None:
    mesh = load_mesh(file(suffix))
    np.testing.assert_allclose((mesh.points.min(axis=0), mesh.points.max(axis=0)), ((0, 0, 0), (2, 3, 4)))
    assert len(mesh.triangles) == 4
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    n = np.cross(b - a, c - a)
    assert (np.einsum("ij,ij->i", n, (a + b + c) / 3 - CORNERS.mean(axis=0)) > 0).all()
    assert (np.einsum("ij,ij->i", n, mesh.normals[mesh.triangles[:, 0]]) > 0).all()
    assert capfd.readouterr().err == ""


def test_that_the_parts_of_a_glb_stand_where_its_nodes_put_them(file) -> None:
    mesh = load_mesh(file(".glb", glb(nodes=[{"mesh": 0, "translation": [10, 0, 0]}])))
    np.testing.assert_allclose((mesh.points.min(axis=0), mesh.points.max(axis=0)), ((10, 0, 0), (12, 3, 4)))


@pytest.mark.parametrize("suffix", FILES)
@pytest.mark.parametrize("content", [b"", b"nonsense\n\0\xff", b"solid x\n"])
def test_that_what_is_no_mesh_is_a_message_and_says_nothing_on_the_terminal(file, suffix, content, capfd) -> None:
    with pytest.raises(MeshFileError, match=r"the file part"):
        load_mesh(file(suffix, content))
    said = capfd.readouterr()
    assert said.err + said.out == ""


@pytest.mark.parametrize("key", ["buffers", "images"])
def test_that_a_glb_that_names_other_files_is_refused(file, key) -> None:
    path = file(".glb", glb(**{key: [{"uri": "../secret.bin", "byteLength": 72}]}))
    with pytest.raises(MeshFileError, match="from other files"):
        load_mesh(path)


def test_that_files_and_meshes_are_bounded(file, monkeypatch) -> None:
    monkeypatch.setattr(mesh_files, "MAX_TRIANGLES", 3)
    with pytest.raises(MeshFileError, match="has 4 triangles, more than 3"):
        load_mesh(file(".ply"))
    monkeypatch.setattr(mesh_files, "MAX_BYTES", 100)
    with pytest.raises(MeshFileError, match="larger than"):
        load_mesh(file(".stl"))


def test_that_a_file_is_read_once_and_again_when_it_has_changed(file) -> None:
    path = file(".stl")
    first = load_mesh(path)
    assert load_mesh(path) is first
    path.write_bytes(stl().replace(b"4.0", b"40.0"))
    assert load_mesh(path).points[:, 2].max() == 40.0


def test_that_a_vertex_that_is_not_finite_is_refused(file) -> None:
    with pytest.raises(MeshFileError, match="not finite"):
        load_mesh(file(".ply", ply().replace(b"4.0", b"nan")))


def test_that_a_body_has_its_scale_opacity_and_extents(file) -> None:
    plan = scene_with(file(".stl"), opacity=0.25)
    (body,) = plan.staging.bodies
    np.testing.assert_allclose(body_mesh(body).points.max(axis=0), (0.002, 0.003, 0.004))
    assert body_reach(body) == pytest.approx(0.004)
    (actor,) = built(Bodies, plan).scene_actors
    assert actor.GetProperty().GetOpacity() == 0.25
    solid = scene_with(file(".stl"))  # the outline of what is translucent depends on where it is seen from
    outline = built(Selection, solid)
    outline.show(tick_of(solid))
    outline.select("a")
    np.testing.assert_allclose(points(outline.scene_actors[0]).max(axis=0), (0.002, 0.003, 0.004), rtol=1e-6)


def test_that_a_body_without_a_readable_mesh_draws_nothing_and_is_a_problem(file) -> None:
    plan = scene_with(file(".obj", b"nothing\n"))
    assert plan.problems == ()
    assert built(Bodies, plan).scene_actors == []
    assert body_reach(plan.staging.bodies[0]) == 0.0
    (problem,) = mesh_problems(plan)
    assert problem.key_path == ("bodies", "part", "shape", "file")


def test_that_the_outline_of_a_fine_mesh_is_coarse_and_as_large() -> None:
    fine = sphere(1.0, sides=300)
    less = coarse(fine)
    assert len(less.points) < len(fine.points) / 4
    np.testing.assert_allclose(np.abs(less.points).max(axis=0), 1.0, atol=0.05)
    assert less.triangles.max() < len(less.points)
    assert coarse(less) is less
