"""Meshes from files: the five formats, bounds, what is refused, and what hangs on their extents."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.session.mesh_problems import mesh_problems
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.mesh_files import surface
from framescope.core.mesh_files.formats import read_surface
from framescope.core.mesh_files.surface import MeshFileError
from framescope.ui.scene_view.base.scene_options import SELECTED
from framescope.ui.scene_view.geometry.lathe_meshes import sphere
from framescope.ui.scene_view.geometry.mesh_files import coarse, load_mesh
from framescope.ui.scene_view.visuals.bodies import Bodies, body_mesh, body_reach
from framescope.ui.scene_view.visuals.selection import Selection
from tests.support.mesh_fuzzing import (
    CORNERS,
    DAE_INPUTS,
    FACES,
    dae,
    glb,
    glb_rich,
    obj,
    obj_rich,
    ply,
    read_in_child,
    sheet,
    stl_binary,
    stl_text,
)
from tests.support.scenes import HEAD, scene_of
from tests.support.visuals import built, give, points, tick_of

FILES = {".stl": stl_text, ".obj": obj, ".ply": ply, ".glb": glb, ".dae": dae}


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


def turned(faces) -> set[tuple[int, ...]]:
    """Return faces, each begun at its least corner."""
    found = []
    for face in faces:
        k = int(np.argmin(face))
        found.append(tuple(int(i) for i in (*face[k:], *face[:k])))
    return set(found)


@pytest.mark.parametrize(
    ("written", "corners", "expected"),
    [
        ("<triangles>{}<p>{}</p></triangles>", (0, 2, 1, 0, 1, 3), [(0, 2, 1), (0, 1, 3)]),
        (
            "<polylist>{}<vcount>3 4 1</vcount><p>{}</p></polylist>",
            (0, 2, 1, 0, 1, 3, 2, 0),
            [(0, 2, 1), (0, 1, 3, 2)],
        ),
        ("<polygons>{}<p>{}</p></polygons>", (0, 1, 3, 2), [(0, 1, 3, 2)]),
        ("<polygons>{}<ph><p>{}</p><h>0 0</h></ph></polygons>", (0, 1, 3, 2), [(0, 1, 3, 2)]),
        ("<trifans>{}<p>{}</p></trifans>", (0, 2, 1, 3), [(0, 2, 1), (0, 1, 3)]),
        ("<tristrips>{}<p>{}</p></tristrips>", (0, 2, 1, 3), [(0, 2, 1), (1, 2, 3)]),
    ],
)
def test_that_each_kind_of_primitive_of_collada_has_its_faces(file, written, corners, expected) -> None:
    rows = " ".join(f"{i} 0" for i in corners)
    found = read_surface(file(".dae", dae(faces=written.format(DAE_INPUTS, rows))))
    assert turned(np.split(found.corners, np.cumsum(found.sizes)[:-1])) == turned(expected)


def test_that_the_nodes_of_collada_place_its_parts_in_metres_whatever_their_order(file) -> None:
    nodes = """<node><translate>5 0 0</translate><rotate>0 0 2 90</rotate><scale>1 2 -1</scale>
      <instance_node url="#shared"/></node>"""
    found = read_surface(file(".dae", dae(nodes, unit="0.001")))
    x, y, z = CORNERS.T
    expected = 0.001 * np.stack([5 - 2 * y, x, -z], axis=1)
    np.testing.assert_allclose(found.points, expected, atol=1e-15)
    triangles = found.points[found.corners.reshape(-1, 3)]
    assert np.linalg.det(triangles - expected.mean(axis=0)).min() > 0, "mirrored, they look outward as before"
    assert turned(found.corners.reshape(-1, 3)) == turned(FACES[:, ::-1])
    alone = file(".dae", dae("", unit="0.001").replace(b"<scene>", b"<other>").replace(b"</scene>", b"</other>"))
    with pytest.raises(MeshFileError, match="holds no surface"):
        read_surface(alone)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ((b"<asset>", b"<!DOCTYPE a [<!ENTITY x 'y'>]><asset>"), r"line 3: cannot be read as COLLADA"),
        ((b"#shared", b"#more"), "holds no surface"),
        ((b'url="#shared"', b'url="other.dae#shared"'), "holds no surface"),
        ((b"</node></visual", b"</node><node id='more'><instance_node url='#more'/></node></visual"), "in each other"),
        ((b'stride="3"', b'stride="2"'), "2 numbers each"),
        ((b'stride="3"', b'stride="many"'), r"stride of <accessor> is 'many'"),
        ((b"2 0 0 0 3", b"2 nan 0 0 3"), "not finite"),
        ((b"2 0 0 0 3", b"2 x 0 0 3"), r"<float_array> contains a word that is no number"),
        ((b'meter="1"', b'meter="0"'), "its unit is 0 m"),
        ((b"<p>0 0 2 0", b"<p>0 0 9 0"), "names vertex 9"),
        ((b"<p>0 0 2 0", b"<p>0 0 2"), "no multiple of 2"),
        ((b"<p>0 0 2 0", b"<p>0 0 2 0.5"), "no whole number"),
        ((b"COLLADA", b"collada"), "expected <COLLADA>"),
    ],
)
def test_that_what_is_wrong_with_collada_is_said_with_its_line(file, change, expected) -> None:
    content = dae('<node><instance_node url="#shared"/></node>')
    assert change[0] in content
    with pytest.raises(MeshFileError, match=expected):
        read_surface(file(".dae", content.replace(*change)))


@pytest.mark.parametrize("suffix", FILES)
@pytest.mark.parametrize("content", [b"", b"nonsense\n\0\xff", b"solid x\n"])
def test_that_what_is_no_mesh_is_a_message_and_says_nothing_on_the_terminal(file, suffix, content, capfd) -> None:
    with pytest.raises(MeshFileError, match=r"the file part"):
        load_mesh(file(suffix, content))
    said = capfd.readouterr()
    assert said.err + said.out == ""


def test_that_a_glb_that_takes_its_numbers_from_other_files_is_refused(file) -> None:
    path = file(".glb", glb(buffers=[{"uri": "../secret.bin", "byteLength": 72}]))
    with pytest.raises(MeshFileError, match="from other files"):
        load_mesh(path)
    # Images are not drawn, and so not looked at.
    assert len(load_mesh(file(".glb", glb(images=[{"uri": "../secret.png"}]))).triangles) == 4


VIEWS = [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}]
PLACES = {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}
INDICES = {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}


@pytest.mark.parametrize(
    ("suffix", "content", "said"),
    [
        (".obj", obj().replace(b"f 1 3 2", b"f 1 3 2000000"), "line 7: a face names vertex 2000000 of 5"),
        (".obj", obj().replace(b"f 1 3 2", b"f 0 1 2"), "line 7: a face names number '0' of 5 there are above"),
        (".obj", obj().replace(b"f 1 3 2", b"f -6 1 2"), "line 7: a face names number '-6' of 5"),
        (".obj", obj().replace(b"f 1 3 2", b"f 1//1 3//1 2//1"), "line 7: a face names normal 1 of"),
        (".obj", obj().replace(b"f 1 3 2", b"f 1 3"), "line 7: a face of 2 corners"),
        (".obj", obj().replace(b"f 1 3 2", b"f 1 3 " + b"9" * 40), "line 7: a face names a vertex far beyond of 5"),
        (".obj", obj().replace(b"v 2.0 0.0", b"v 2.0 wide"), "line 3: expected three numbers after 'v', got '2.0 wide"),
        (
            ".ply",
            ply().replace(b"1 3 0 2 1", b"1 3 0 2 100000000"),
            "face 0 .from 0.: names vertex 100000000, expected 0 to 3",
        ),
        (".ply", ply().replace(b"1 3 0 1 3", b"1 3 0 1 -1"), "face 1 .from 0.: names vertex -1, expected 0 to 3"),
        (".ply", ply().replace(b"face 4", b"face 400"), "ends after 4 of 400 rows of 'face'"),
        (".ply", ply().replace(b"1 3 0 1 3", b"1 9 0 1 3"), "line 22: row 1 of 'face' is '1 9 0 1 3'"),
        (".ply", ply().replace(b"vertex 4", b"vertex 400000000"), "has 400000000 vertices, more than"),
        (
            ".ply",
            ply("binary_little_endian").replace(b"vertex 4", b"vertex 4000"),
            "should hold 4,000 rows of 'vertex', and has room for",
        ),
        (".ply", ply("binary_big_endian").replace(b"face 4", b"face 9"), "ends after 4 of 9 rows of 'face'"),
        (
            ".ply",
            ply("binary_big_endian", is_mixed=True)[:-17] + b"\xff" + bytes(16),
            "has a list of 255, and there is room for 4",
        ),
        (".stl", stl_binary(2**31), "should hold 2,147,483,648 triangles, and has room for 4"),
        (
            ".stl",
            stl_text().replace(b"vertex 2.0 0.0 0.0\n", b"", 1),
            "line 6: a facet ends that has 2 vertices, expected 3",
        ),
        (
            ".glb",
            glb(accessors=[PLACES | {"count": 4_000_000}, INDICES]),
            "accessor 0: its 4,000,000 rows end at byte 48000000 of bufferView 0, which has 48",
        ),
        (
            ".glb",
            glb(accessors=[PLACES | {"count": 3}, INDICES]),
            "accessor 1, primitive 0 of mesh 0: names vertex 3, and POSITION has 3",
        ),
        (
            ".glb",
            glb(accessors=[PLACES, INDICES | {"byteOffset": 2}]),
            "accessor 1: its 12 rows end at byte 26 of bufferView 1",
        ),
        (".glb", glb(accessors=[PLACES, INDICES | {"componentType": 5125}]), "accessor 1: its 12 rows end at byte 48"),
        (".glb", glb(accessors=[PLACES, INDICES | {"componentType": 5122}]), "expected one unsigned whole number"),
        (
            ".glb",
            glb(accessors=[PLACES, INDICES | {"count": -1}]),
            "accessor 1: count -1, expected a whole number from 0",
        ),
        (
            ".glb",
            glb(accessors=[PLACES | {"type": "VEC2"}, INDICES]),
            "accessor 0, POSITION of primitive 0 of mesh 0: has 2 numbers for each, expected 3",
        ),
        (
            ".glb",
            glb(accessors=[PLACES | {"bufferView": 2}, INDICES]),
            "accessor 0: bufferView 2, expected a whole number from 0 to 1",
        ),
        (
            ".glb",
            glb(bufferViews=[VIEWS[0], VIEWS[1] | {"byteOffset": 49}]),
            "bufferView 1: ends at byte 73, and buffer 0 has 72",
        ),
        (
            ".glb",
            glb(bufferViews=[VIEWS[0] | {"byteStride": 4}, VIEWS[1]]),
            "bufferView 0: byteStride 4, and the rows of accessor 0 take 12",
        ),
        (".glb", glb(buffers=[{"byteLength": 720}]), "buffer 0: should have 720 bytes, and has 72"),
        (".glb", glb(nodes=[{"mesh": 0, "children": [0]}]), "node 0: is in the scene twice"),
        (".glb", glb(extensionsRequired=["KHR_draco_mesh_compression"]), "is packed with KHR_draco_mesh_compression"),
        (".glb", glb(nodes=[{"mesh": 0, "scale": [1, 1]}]), "node 0: scale has 2 numbers, expected 3"),
    ],
)
def test_that_a_number_that_names_nothing_is_said_with_its_place(file, suffix, content, said) -> None:
    with pytest.raises(MeshFileError, match=f"^the file part{suffix},? .*{said}"):
        load_mesh(file(suffix, content))


@pytest.mark.process
def test_that_damaged_meshes_of_every_format_end_in_a_mesh_or_a_message(tmp_path) -> None:
    found = read_in_child(tmp_path, 0, 150)
    assert all(outcomes["mesh"] > 5 and outcomes["refused"] > 5 for outcomes in found.values()), found


@pytest.mark.parametrize("suffix", [".obj", ".ply"])
def test_that_many_lines_are_read_together_as_they_are_one_by_one(file, suffix, monkeypatch) -> None:
    content = sheet(suffix, 12)
    together = load_mesh(file(suffix, content))
    assert len(together.triangles) == 2 * 11 * 11
    monkeypatch.setattr(surface, "FEWEST_LINES", 10**9)
    path = file(suffix, content + b"\n")
    one_by_one = load_mesh(path)
    np.testing.assert_array_equal(one_by_one.points, together.points)
    np.testing.assert_array_equal(one_by_one.triangles, together.triangles)


@pytest.mark.parametrize(
    ("suffix", "old", "new", "said"),
    [
        (".obj", b"f 4 10 5", b"f 4 10 99", "line 43: a face names vertex 99 of 36"),
        (".obj", b"f 4 10 5", b"f 4 10 1.0", "line 43: expected the number of a vertex, got '1.0'"),
        (".obj", b"v 5 5 12.5", b"v 5 5 wide", "line 36: expected three numbers after 'v', got '5 5 wide'"),
        (".ply", b"3 3 9 4", b"3 3 9 99", "face 6 .from 0.: names vertex 99"),
        (".ply", b"3 3 9 4", b"3 3 9 4.0", "line 52: row 6 of 'face' is '3 3 9 4.0'"),
        (".ply", b"5 5 12.5", b"5 5 wide", "line 45: row 35 of 'vertex' is '5 5 wide'"),
    ],
)
def test_that_what_is_wrong_among_many_lines_is_said_with_its_line(file, suffix, old, new, said) -> None:
    content = sheet(suffix)
    assert content.count(old) == 1
    with pytest.raises(MeshFileError, match=said):
        load_mesh(file(suffix, content.replace(old, new)))


@pytest.mark.long
def test_that_meshes_of_much_from_little_are_refused(file) -> None:
    """The files are small, and what they ask for is not: instances, zeros that no file holds, faces of many corners."""
    many = glb(scenes=[{"nodes": list(range(500))}], nodes=[{"mesh": 0}] * 500)
    assert len(load_mesh(file(".glb", many)).triangles) == 2000
    part = {"attributes": {"POSITION": 0}, "indices": 1}
    for content, said in (
        (
            glb(scenes=[{"nodes": list(range(300))}], nodes=[{"mesh": 0}] * 300, meshes=[{"primitives": [part] * 200}]),
            "more than 50000 parts",
        ),
        (glb(accessors=[{"componentType": 5126, "count": 10**8, "type": "VEC3"}, INDICES]), "100000000 vertices"),
        (glb(accessors=[PLACES, {"componentType": 5125, "count": 10**8, "type": "SCALAR"}]), "33333333 triangles"),
        (
            glb(accessors=[{"componentType": 5126, "count": 9_000_000, "type": "MAT4"}, INDICES]),
            "takes more than 256 MB",
        ),
    ):
        with pytest.raises(MeshFileError, match=said):
            load_mesh(file(".glb", content))
    ring = b"f" + b" 1 2 3" * 20_000
    with pytest.raises(MeshFileError, match="faces of up to 60000 corners, too many to cut up"):
        load_mesh(file(".obj", obj() + b"\n" + ring))
    with pytest.raises(MeshFileError, match="line 11: longer than 1000000 bytes"):
        load_mesh(file(".obj", obj() + b"\n" + ring * 10))


@pytest.mark.parametrize("order", ["ascii", "binary_little_endian", "binary_big_endian"])
@pytest.mark.parametrize("is_mixed", [False, True])
def test_that_ply_files_of_every_kind_are_read(file, order, is_mixed) -> None:
    mesh = load_mesh(file(".ply", ply(order, is_mixed=is_mixed)))
    np.testing.assert_allclose((mesh.points.min(axis=0), mesh.points.max(axis=0)), ((0, 0, 0), (2, 3, 4)))
    assert len(mesh.triangles) == (6 if is_mixed else 4)


def test_that_binary_stl_files_are_read_also_when_their_count_was_never_written(file) -> None:
    for content in (stl_binary(), stl_binary(0), stl_binary(2**32 - 1)):
        mesh = load_mesh(file(".stl", content))
        assert len(mesh.triangles) == 4
        np.testing.assert_allclose((mesh.points.min(axis=0), mesh.points.max(axis=0)), ((0, 0, 0), (2, 3, 4)))


def test_that_faces_of_an_obj_may_have_many_corners_count_backwards_and_bring_normals(file) -> None:
    mesh = load_mesh(file(".obj", obj_rich()))
    assert len(mesh.triangles) == 7  # two squares, and a square whose first and last corners are named twice
    faces = b"v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.5 0\nvn 0 0 -1\nf 1//1 2//1 3//1 4//1\n"
    concave = load_mesh(file(".obj", faces))
    a, b, c = (concave.points[concave.triangles[:, k]] for k in range(3))
    areas = 0.5 * np.cross(b - a, c - a)[:, 2]
    assert (areas > 0).all()
    assert areas.sum() == pytest.approx(1.5)
    assert (concave.normals == (0, 0, -1)).all()


def test_that_a_glb_is_read_with_its_strips_fans_skins_and_mirrors(file) -> None:
    mesh = load_mesh(file(".glb", glb_rich()))
    assert len(mesh.triangles) == 4 + 2 + 2 + 4
    # Turned by atan2(0.96, 0.28) about z, y doubled, z mirrored, and 5 along x before that.
    X = np.array([[0.28, -1.92, 0, 1.4], [0.96, 0.56, 0, 4.8], [0, 0, -1, 0], [0, 0, 0, 1]])
    places = np.c_[CORNERS, np.ones(4)]
    moved = places.copy()
    moved[1, 0] += 0.25 * 0.5  # the morph target
    skinned = 0.5 * (X - np.c_[np.zeros((4, 3)), [1.4, 4.8, 0, 0]]) + 0.5 * np.eye(4)
    for expected in (moved @ X.T, places @ X.T, places @ skinned.T):
        for place in expected[:, :3]:
            assert np.linalg.norm(mesh.points - place, axis=1).min() < 1e-6
    # A mirrored node still has its faces, and normals, outward.
    corners = mesh.points[mesh.triangles[:4]]
    middle = corners.mean(axis=(0, 1))
    n = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    outward = corners.mean(axis=1) - middle
    assert (np.einsum("ij,ij->i", n, outward) > 0).all()
    assert (np.einsum("ij,ij->i", mesh.normals[mesh.triangles[:4, 0]], corners[:, 0] - middle) > 0).all()


def test_that_files_and_meshes_are_bounded(file, monkeypatch) -> None:
    monkeypatch.setattr(surface, "MAX_TRIANGLES", 3)
    with pytest.raises(MeshFileError, match="has 4 triangles, more than 3"):
        load_mesh(file(".ply"))
    monkeypatch.setattr(surface, "MAX_BYTES", 100)
    with pytest.raises(MeshFileError, match="larger than"):
        load_mesh(file(".stl"))


def test_that_a_file_is_read_once_and_again_when_it_has_changed(file) -> None:
    path = file(".stl")
    first = load_mesh(path)
    assert load_mesh(path) is first
    path.write_bytes(stl_text().replace(b"4.0", b"40.0"))
    assert load_mesh(path).points[:, 2].max() == 40.0


def test_that_a_vertex_that_is_not_finite_is_refused(file) -> None:
    with pytest.raises(MeshFileError, match="not finite"):
        load_mesh(file(".ply", ply().replace(b"4.0", b"nan")))


def test_that_a_body_has_its_scale_opacity_and_extents(file) -> None:
    plan = scene_with(file(".stl"), opacity=0.25)
    (body,) = plan.view_data.bodies
    np.testing.assert_allclose(body_mesh(body).points.max(axis=0), (0.002, 0.003, 0.004))
    assert body_reach(body) == pytest.approx(0.004)
    (actor,) = built(Bodies, plan).scene_actors
    assert actor.GetProperty().GetOpacity() == 0.25
    solid = scene_with(file(".stl"))  # the outline of what is translucent depends on where it is seen from
    outline = built(Selection, solid)
    outline.show(tick_of(solid))
    give(outline, SELECTED, "a")
    np.testing.assert_allclose(points(outline.scene_actors[0]).max(axis=0), (0.002, 0.003, 0.004), rtol=1e-6)


def test_that_a_body_without_a_readable_mesh_draws_nothing_and_is_a_problem(file) -> None:
    plan = scene_with(file(".obj", b"nothing\n"))
    assert plan.problems == ()
    assert built(Bodies, plan).scene_actors == []
    assert body_reach(plan.view_data.bodies[0]) == 0.0
    (problem,) = mesh_problems(plan)
    assert problem.key_path == ("bodies", "part", "shape", "file")


def test_that_the_outline_of_a_fine_mesh_is_coarse_and_as_large() -> None:
    fine = sphere(1.0, sides=300)
    less = coarse(fine)
    assert len(less.points) < len(fine.points) / 4
    np.testing.assert_allclose(np.abs(less.points).max(axis=0), 1.0, atol=0.05)
    assert less.triangles.max() < len(less.points)
    assert coarse(less) is less
