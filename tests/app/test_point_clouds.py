"""Clouds of points: read from PLY and COLMAP, damaged, drawn, thinned while the picture moves, left out of models."""

from __future__ import annotations

import struct
from random import Random

import numpy as np
import pytest
from vtkmodules.vtkCommonCore import reference

from framescope.app.exporters.scene_graph.remarks import left_out_text
from framescope.app.importers.registry import importer_of
from framescope.app.session.mesh_problems import mesh_problems
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.mesh_files import clouds
from framescope.core.mesh_files.clouds import cloud_of, read_cloud
from framescope.core.mesh_files.surface import MeshFileError
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals import light_bodies
from framescope.ui.scene_view.visuals.bodies import Bodies, body_reach
from framescope.ui.theme.tokens import DARK
from tests.support import damage
from tests.support.reconstructions import circle, points_bin, points_txt, slow_points

TRUTH = circle(4, 30)
POINTS = np.array([[0.0, 0.0, 1.0], [1.0, 0.5, -2.0], [0.25, 3.0, 4.0]])
COLORS = np.array([[255, 0, 0], [0, 255, 0], [10, 20, 30]], dtype=np.uint8)


def ply(kind: str = "ascii", color: str = "uchar", names: str = "red green blue", *, has_colors: bool = True) -> bytes:
    """Return the points as PLY, with an element before them and normals among the properties."""
    rows = [(*p, 0.5, *c) for p, c in zip(POINTS.tolist(), COLORS.tolist(), strict=True)]
    if color == "float":
        rows = [(*row[:4], *(part / 255.0 for part in row[4:])) for row in rows]
    rows = [row if has_colors else row[:4] for row in rows]
    head = ["ply", f"format {kind} 1.0", "comment by hand", "element camera 1", "property int number"]
    head += [f"element vertex {len(rows)}", *(f"property float {name}" for name in ("x", "y", "z", "nx"))]
    head += [f"property {color} {name}" for name in names.split()] if has_colors else []
    text = "\n".join([*head, "end_header", ""]).encode()
    if kind == "ascii":
        return text + b"7\n" + b"".join((" ".join(map(str, row)) + "\n").encode() for row in rows)
    order = "<" if "little" in kind else ">"
    form = order + "4f" + ({"uchar": "3B", "float": "3f"}[color] if has_colors else "")
    return text + struct.pack(order + "i", 7) + b"".join(struct.pack(form, *row) for row in rows)


@pytest.mark.parametrize("kind", ["ascii", "binary_little_endian", "binary_big_endian"])
@pytest.mark.parametrize("color", ["uchar", "float"])
@pytest.mark.parametrize("names", ["red green blue", "diffuse_red diffuse_green diffuse_blue"])
def test_that_points_of_ply_are_read_with_their_colours(kind, color, names) -> None:
    cloud = cloud_of("scan.ply", ply(kind, color, names))
    np.testing.assert_array_equal(cloud.points, POINTS)
    np.testing.assert_array_equal(cloud.colors, COLORS)
    assert cloud.note == ""
    assert cloud_of("scan.ply", ply(kind, has_colors=False)).colors is None


def test_that_points_of_colmap_are_read() -> None:
    for name, data in (("points3D.txt", points_txt(TRUTH).encode()), ("points3D.bin", points_bin(TRUTH))):
        cloud = cloud_of(name, data)
        np.testing.assert_array_equal(cloud.points, TRUTH.points)
        np.testing.assert_array_equal(cloud.colors, TRUTH.colors)
    assert [p for _, p, _ in slow_points(points_bin(TRUTH))] == [tuple(p) for p in TRUTH.points.tolist()]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.ply", b"ply\nformat ascii 1.0\nelement face 0\nproperty list uchar int a\nend_header\n", "no vertices"),
        ("a.ply", ply().replace(b"float z", b"float w"), "vertices without x, y and z"),
        ("a.ply", ply()[:-10], "ends after 2 of 3 rows|expected numbers"),
        ("a.txt", b"# points\n1 2 3 4 255 0\n", "line 2: is '1 2 3 4 255 0', expected number, x, y, z"),
        ("a.txt", b"1 2 3 4 255 0 0 1\n1 2 3 4 256 0 0 1\n", "line 2: is"),
        ("a.txt", b"1 2 3 4 255 0 0 1\n1 2 x 4 0 0 0 1\n", "line 2: is"),
        ("a.txt", b"# nothing\n", "holds no points"),
        ("a.bin", points_bin(TRUTH)[:-1], "ends in one of its 30 points"),
        ("a.bin", struct.pack("<Q", 10**15), "should hold 1,000,000,000,000,000 points, and has room for 0"),
        ("a.bin", b"abc", "too short"),
    ],
)
def test_that_a_fault_is_named(name, data, message) -> None:
    with pytest.raises(MeshFileError, match=message):
        cloud_of(name, data)


def test_that_points_without_a_position_are_left_out_and_counted() -> None:
    cloud = cloud_of("a.ply", ply().replace(b"0.25 3.0", b"nan 3.0"))
    np.testing.assert_array_equal(cloud.points, POINTS[:2])
    np.testing.assert_array_equal(cloud.colors, COLORS[:2])
    assert cloud.note == "1 of its points has no finite position and cannot be drawn."
    with pytest.raises(MeshFileError, match="no point with a finite position"):
        cloud_of("a.txt", b"1 inf 0 0 1 2 3\n")


def test_that_of_many_points_evenly_chosen_ones_are_kept(monkeypatch) -> None:
    monkeypatch.setattr(clouds, "MAX_DRAWN", 10)
    cloud = cloud_of("points3D.txt", points_txt(TRUTH).encode())
    np.testing.assert_array_equal(cloud.points, TRUTH.points[np.linspace(0, 29, 10).round().astype(int)])
    assert cloud.note == "it has 30 points, of which 10 are drawn, evenly chosen."


def test_that_damaged_files_are_points_or_one_error() -> None:
    text, binary = (damage.cut, damage.change_number, damage.change_line), (damage.flip_bytes, damage.cut)
    good = [("a.ply", ply(), text), ("a.ply", ply("binary_little_endian"), binary)]
    good += [("a.txt", points_txt(TRUTH).encode(), text), ("a.bin", points_bin(TRUTH), binary)]
    n_read, messages = 0, list[str]()
    for seed in range(300):
        random = Random(seed)
        name, data, changes = good[seed % 4]
        try:
            cloud = cloud_of(name, random.choice(changes)(random, data))
        except FramescopeError as error:
            messages.append(str(error))
        else:
            n_read += 1
            assert np.isfinite(cloud.points).all()
    assert 30 < n_read < 270
    assert "".join(messages).isprintable()


# --- In a scene


def scene_with(folder, data: bytes, name: str = "scan.ply", color: str = "own"):
    """Return the plan of a scene with points on a frame."""
    (folder / name).write_bytes(data)
    shape = {"form": "points", "file": name, "unit": "cm"}
    frames = {"arm": {"parent": "world", "position": {"value": [1, 2, 3], "unit": "m"}}}
    bodies = {"scan": {"frame": "arm", "shape": shape, "color": color}}
    scene = Scene.model_validate({"framescope": 1, "frames": frames, "bodies": bodies})
    return compile_plan(scene, access=Access(folder))


def drawn(plan) -> tuple[SceneRenderer, Bodies]:
    renderer = SceneRenderer(DARK)
    renderer.set_plan(plan)
    renderer.show(evaluate(plan, 0.0))
    bodies = renderer.visual(Bodies)
    assert bodies is not None
    return renderer, bodies


def count_seen(bodies: Bodies) -> int:
    """Return the number of points that the bodies show."""
    actors = [actor for placed in bodies.placed for actor in (*placed.actors, *placed.lights.values())]
    return sum(actor.GetMapper().GetInput().GetNumberOfPoints() for actor in actors if actor.GetVisibility())


def test_that_points_are_drawn_in_their_unit_and_colours(tmp_path) -> None:
    plan = scene_with(tmp_path, ply())
    assert not plan.problems
    assert list(mesh_problems(plan)) == []
    (body,) = plan.view_data.bodies
    assert body_reach(body) == pytest.approx(0.05, rel=0.03)
    _, bodies = drawn(plan)
    (actor,) = bodies.placed[0].actors
    polydata = actor.GetMapper().GetInput()
    assert [polydata.GetPoint(k) for k in range(3)] == [pytest.approx(tuple(0.01 * p)) for p in POINTS]
    assert polydata.GetPointData().GetScalars().GetTuple(2) == (10.0, 20.0, 30.0)
    _, plain = drawn(scene_with(tmp_path, ply(), color="#123456"))
    assert plain.placed[0].actors[0].GetMapper().GetInput().GetPointData().GetScalars() is None


def test_that_fewer_points_are_drawn_while_the_picture_moves(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(light_bodies, "MANY_POINTS", 7)
    renderer, bodies = drawn(scene_with(tmp_path, points_bin(TRUTH), "points3D.bin"))
    assert count_seen(bodies) == 30
    renderer.set_moving(True)
    assert count_seen(bodies) == 7
    renderer.set_moving(False)
    assert count_seen(bodies) == 30
    for actor in (*bodies.placed[0].actors, *bodies.placed[0].lights.values()):
        pulled_forward = reference(1.0)
        actor.GetMapper().GetCoincidentTopologyPointOffsetParameter(pulled_forward)
        assert float(pulled_forward) == 0.0
    monkeypatch.setattr(light_bodies, "MANY_POINTS", 30)
    renderer, bodies = drawn(scene_with(tmp_path, points_bin(TRUTH), "points3D.bin"))
    renderer.set_moving(True)
    assert count_seen(bodies) == 30


def test_that_points_that_cannot_be_drawn_are_problems(tmp_path, monkeypatch) -> None:
    (problem,) = mesh_problems(scene_with(tmp_path, b"ply\n"))
    assert problem.key_path == ("bodies", "scan", "shape", "file")
    _, bodies = drawn(scene_with(tmp_path, b"ply\n"))
    assert not bodies.placed[0].actors
    monkeypatch.setattr(clouds, "MAX_DRAWN", 10)
    (note,) = mesh_problems(scene_with(tmp_path, points_bin(TRUTH), "many.bin"))
    assert (note.severity, "of which 10 are drawn" in note.message) == ("note", True)


def test_that_models_and_pages_name_the_points_that_they_leave_out(tmp_path) -> None:
    plan = scene_with(tmp_path, ply())
    assert "the points of scan" in left_out_text(plan, ".glb")
    assert "the points of scan" in left_out_text(plan, ".html")


def test_that_a_ply_file_without_faces_becomes_points(tmp_path) -> None:
    path = tmp_path / "scan.ply"
    path.write_bytes(ply())
    loaded = importer_of(path).read(path).scene
    assert loaded is not None
    (body,) = loaded.scene.bodies.values()
    assert (body.shape.form, body.color) == ("points", "own")
    assert read_cloud(path).n_in_file == 3


def test_that_a_mesh_of_points_alone_says_how_to_draw_it(tmp_path) -> None:
    (tmp_path / "scan.ply").write_bytes(ply())
    shape = {"form": "mesh", "file": "scan.ply", "unit": "m"}
    scene = Scene.model_validate({"framescope": 1, "bodies": {"scan": {"frame": "world", "shape": shape}}})
    (problem,) = mesh_problems(compile_plan(scene, access=Access(tmp_path)))
    assert "holds no surface" in problem.message
    assert "form points" in problem.hint
