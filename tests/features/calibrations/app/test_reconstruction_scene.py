"""Scene of a reconstruction: one moving frame that reads the file, fields of view along its way, points as a body."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from framescope.app.importers.registry import file_in, importer_of, read_scene
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.tables.mixed import read_mixed
from framescope.core.scene.files.referenced_files import named_files
from framescope.core.scene.files.saving import scene_text
from framescope.core.system.file_access import Access
from framescope.features.calibrations.app.calibration_reader import picture_beside
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects import colmap
from tests.support.reconstructions import (
    circle,
    images_txt,
    points_txt,
    transforms,
    transforms_json,
    write_colmap,
)

TRUTH = circle()


def plan_in(path):
    """Return the plan of the scene that a file or a folder becomes."""
    loaded, problems = read_scene(path)
    plan = compile_plan(loaded.scene, access=Access(loaded.home))
    assert [problem for problem in plan.problems if problem.severity == "red"] == []
    return plan, problems


def check_motion(plan, truth, frame: str = "camera") -> None:
    """Check the poses of a camera at the times of its images against the truth."""
    snapshot = evaluate(plan, np.arange(len(truth.names), dtype=float))
    row = snapshot.index[frame]
    np.testing.assert_allclose(snapshot.p_WF[:, row], truth.centers, atol=1e-9)
    np.testing.assert_allclose(snapshot.R_WF[:, row], truth.R_WC, atol=1e-9)


@pytest.mark.parametrize("is_binary", [False, True])
def test_that_a_model_in_a_folder_is_a_moving_camera_and_points(tmp_path, is_binary) -> None:
    write_colmap(tmp_path / "sparse" / "0", TRUTH, is_binary=is_binary)
    suffix = "bin" if is_binary else "txt"
    assert file_in(tmp_path).name == f"images.{suffix}"
    for folder in (tmp_path, tmp_path / "sparse", tmp_path / "sparse" / "0"):
        plan, problems = plan_in(folder)
        assert not problems
        check_motion(plan, TRUTH)
    assert set(named_files(plan.scene)) == {f"images.{suffix}", f"points3D.{suffix}"}
    assert plan.scene.bodies["points3D"].shape.form == "points"
    views = [body for name, body in plan.scene.bodies.items() if name in TRUTH.names]
    assert len(views) == len(TRUTH.names)


def test_that_a_view_stands_at_the_centre_and_looks_as_its_image(tmp_path) -> None:
    plan, _ = plan_in(write_colmap(tmp_path, TRUTH))
    for k, name in enumerate(TRUTH.names):
        (body,) = (body for body in plan.view_data.bodies if body.name == name)
        np.testing.assert_allclose(body.p_FB, TRUTH.centers[k], atol=1e-12)
        np.testing.assert_allclose(body.R_FB, TRUTH.R_WC[k], atol=1e-12)
        assert body.size["width"] / body.size["depth"] == pytest.approx(640 / 510.25)
        assert body.size["height"] / body.size["depth"] == pytest.approx(480 / 508.5)


def test_that_two_thousand_images_are_a_small_scene_with_few_views(tmp_path) -> None:
    truth = circle(2000, 10)
    plan, _ = plan_in(write_colmap(tmp_path, truth, points="absent"))
    assert len(plan.scene.frames) == 2
    assert 30 <= sum(body.kind == "frustum" for body in plan.view_data.bodies) <= 61
    assert len(scene_text(plan.scene)) < 40_000
    snapshot = evaluate(plan, np.array([0.0, 777.0, 1999.0]))
    np.testing.assert_allclose(snapshot.p_WF[:, snapshot.index["camera"]], truth.centers[[0, 777, 1999]], atol=1e-9)


def test_that_the_folders_of_a_rig_are_cameras_of_their_own(tmp_path) -> None:
    names = tuple(f"{'left' if k % 2 else 'right'}/{k:03}.png" for k in range(24))
    truth = replace(circle(24), names=names)
    plan, _ = plan_in(write_colmap(tmp_path, truth))
    assert set(plan.scene.frames) == {"reconstruction", "left", "right"}
    for frame, rows in (("left", slice(1, None, 2)), ("right", slice(0, None, 2))):
        part = replace(truth, names=names[rows], centers=truth.centers[rows], R_WC=truth.R_WC[rows])
        check_motion(plan, part, frame)


def test_that_few_images_are_a_frame_each(tmp_path) -> None:
    truth = circle(3)
    plan, _ = plan_in(write_colmap(tmp_path, truth))
    snapshot = evaluate(plan, 0.0)
    for k, name in enumerate(truth.names):
        np.testing.assert_allclose(snapshot.p_WF[snapshot.index[name]], truth.centers[k], atol=1e-12)


def test_that_transforms_are_frames_and_no_scene(tmp_path) -> None:
    path = tmp_path / "transforms.json"
    path.write_bytes(transforms_json(TRUTH, applied_transform=np.eye(4)[:3].tolist()))
    assert importer_of(path).title == "calibrations"
    plan, problems = plan_in(path)
    assert not problems
    check_motion(plan, TRUTH)
    assert set(plan.scene.frames) == {"reconstruction", "camera", "axes before applied_transform"}
    assert file_in(tmp_path) == path


def test_that_images_of_transforms_are_in_the_order_of_their_numbers_or_times(tmp_path) -> None:
    path = tmp_path / "transforms.json"
    content = transforms(TRUTH)
    content["frames"] = content["frames"][::-1]
    path.write_text(json.dumps(content))
    check_motion(plan_in(path)[0], TRUTH)
    for k, frame in enumerate(content["frames"]):
        frame["time"] = 10.0 + k
    path.write_text(json.dumps(content))
    plan, _ = plan_in(path)
    check_motion(plan, replace(TRUTH, centers=TRUTH.centers[::-1], R_WC=TRUTH.R_WC[::-1]))


def test_that_poses_without_a_file_are_keyframes() -> None:
    source = Source("images.txt", images_txt(TRUTH).encode())
    calibration = colmap.read(source)
    (poses,) = calibration.pose_lists
    scene = scene_of(replace(calibration, pose_lists=(replace(poses, motion=None),)), "images.txt")
    plan = compile_plan(scene)
    assert not plan.problems
    check_motion(plan, TRUTH)


QUARTERS = [
    *([[1, 0, 0], [0, 0, -1], [0, 1, 0]], [[1, 0, 0], [0, 0, 1], [0, -1, 0]], [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]),
    *([[0, 0, -1], [0, 1, 0], [1, 0, 0]], [[1, 0, 0], [0, -1, 0], [0, 0, -1]]),
]
"""Rotations after which another axis than z points up."""


@pytest.mark.parametrize("turn", [np.array(turn) for turn in QUARTERS])
def test_that_a_model_that_lies_on_its_side_stands_upright_in_the_world(tmp_path, turn) -> None:
    lying = replace(TRUTH, centers=TRUTH.centers @ turn, R_WC=turn.T @ TRUTH.R_WC, points=TRUTH.points @ turn)
    plan, (note,) = plan_in(write_colmap(tmp_path, lying))
    assert (note.severity, "upright" in note.message) == ("note", True)
    snapshot = evaluate(plan, np.arange(12.0))
    root, camera = snapshot.index["reconstruction"], snapshot.index["camera"]
    assert (snapshot.R_WF[:, camera, 2, 1] < -0.9).all(), "y of the images is down"
    R_RW = np.swapaxes(snapshot.R_WF[:, root], 1, 2)
    p_RC = np.einsum("nij,nj->ni", R_RW, snapshot.p_WF[:, camera])
    np.testing.assert_allclose(p_RC, lying.centers, atol=1e-9)
    np.testing.assert_allclose(R_RW @ snapshot.R_WF[:, camera], lying.R_WC, atol=1e-9)


def test_that_a_model_with_z_up_and_few_images_are_not_turned(tmp_path) -> None:
    plan, problems = plan_in(write_colmap(tmp_path / "up", TRUTH))
    assert (plan.scene.frames["reconstruction"].orientation, problems) == (None, ())
    few = replace(circle(2), R_WC=circle(2).R_WC @ np.diag([1.0, -1.0, -1.0]))
    plan, problems = plan_in(write_colmap(tmp_path / "few", few))
    assert (plan.scene.frames["reconstruction"].orientation, problems) == (None, ())


@pytest.mark.parametrize("name", ["images.txt", "transforms.json"])
def test_that_images_are_rows_of_a_table(tmp_path, name) -> None:
    path = tmp_path / name
    path.write_bytes(images_txt(TRUTH).encode() if name == "images.txt" else transforms_json(TRUTH))
    table = read_mixed(path)
    assert table.n_rows == 12
    assert table.names["name"].text(3).endswith("frame_0004.jpg")


def test_that_a_plain_table_is_none_of_images(tmp_path) -> None:
    for name, text in (("a.txt", "1 2 3\n4 5 6\n"), ("b.csv", "t,x\n1,2\n"), ("c.csv", '{"t": 1, "x": 2}\n' * 3)):
        (tmp_path / name).write_text(text)
        assert "folder" not in read_mixed(tmp_path / name).order


def test_that_points_alone_are_a_body(tmp_path) -> None:
    (tmp_path / "points3D.txt").write_text(points_txt(TRUTH))
    plan, _ = plan_in(tmp_path / "points3D.txt")
    (body,) = plan.view_data.bodies
    assert (body.kind, body.color) == ("points", "own")


# --- Pictures


def write_pictures(folder, names) -> None:
    for k, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (64, 48), (4 * k % 256, 128, 0)).save(path)


@pytest.mark.parametrize("place", ["", "images/"])
def test_that_views_of_a_model_show_the_pictures_beside_it(tmp_path, place) -> None:
    folder = write_colmap(tmp_path / "0", TRUTH)
    write_pictures(folder, [f"{place}{name}" for name in TRUTH.names[:5]])
    plan, _ = plan_in(folder)
    cameras = {body.frame: body.shape for body in plan.scene.bodies.values() if body.shape.form == "camera"}
    assert {name: shape.picture for name, shape in cameras.items()} == {
        name: f"{place}{name}" for name in TRUTH.names[:5]
    }
    shape = cameras[TRUTH.names[0]]
    assert (shape.resolution, shape.focal_lengths) == ((640, 480), (510.25, 508.5))
    assert set(named_files(plan.scene)) >= {f"{place}{name}" for name in TRUTH.names[:5]}
    assert plan.scene.view.hidden.frames == TRUTH.names[:5]
    snapshot = evaluate(plan, 0.0)
    for k in range(5):
        row = snapshot.index[TRUTH.names[k]]
        np.testing.assert_allclose(snapshot.p_WF[row], TRUTH.centers[k], atol=1e-12)
        np.testing.assert_allclose(snapshot.R_WF[row], TRUTH.R_WC[k], atol=1e-12)
    assert sum(body.kind == "frustum" for body in plan.view_data.bodies) == 1 + 7
    assert all(body.file is not None for body in plan.view_data.bodies if body.kind == "camera")


def test_that_few_of_many_pictures_are_shown(tmp_path) -> None:
    truth = circle(500, 10)
    folder = write_colmap(tmp_path / "0", truth)
    write_pictures(folder / "images", truth.names)
    plan, _ = plan_in(folder)
    cameras = [body.frame for body in plan.scene.bodies.values() if body.shape.form == "camera"]
    assert 10 <= len(cameras) <= 16
    assert 30 <= sum(body.kind in ("frustum", "camera") for body in plan.view_data.bodies) <= 61


@pytest.mark.parametrize("name", ["./images/{}", "images/{}", "./images/{}!"])
def test_that_views_of_nerfstudio_show_their_pictures(tmp_path, name) -> None:
    content = transforms(TRUTH)
    for frame, label in zip(content["frames"], TRUTH.names, strict=True):
        plain = label.rpartition(".")[0] if name.endswith("!") else label
        frame["file_path"] = name.removesuffix("!").format(plain)
    (tmp_path / "transforms.json").write_text(json.dumps(content))
    write_pictures(tmp_path / "images", TRUTH.names[:1])
    plan, _ = plan_in(tmp_path)
    pictures = [body.shape.picture for body in plan.scene.bodies.values() if body.shape.form == "camera"]
    assert pictures == [f"images/{TRUTH.names[0]}"]


def test_that_a_few_images_are_frames_with_their_pictures(tmp_path) -> None:
    folder = write_colmap(tmp_path / "0", circle(3))
    write_pictures(folder / "images", circle(3).names[:2])
    plan, _ = plan_in(folder)
    forms = [body.shape.form for name, body in plan.scene.bodies.items() if name.startswith("view of frame")]
    assert forms == ["camera", "camera", "frustum"]
    assert plan.scene.view.hidden.frames == ()


HOSTILE = (
    "../secret.png",
    "images/../../secret.png",
    "{absolute}/secret.png",
    "C:\\secret.png",
    "\\\\server\\share\\secret.png",
    "//server/share/secret.png",
    "file:///secret.png",
    "link.png",
    "notes.txt",
    "images",
    "a\0.png",
    "./../secret.png",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_that_no_picture_elsewhere_is_shown(tmp_path, name) -> None:
    folder = tmp_path / "model"
    (folder / "images").mkdir(parents=True)
    write_pictures(tmp_path, ["secret.png"])
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "notes.txt").write_text("no picture")
    content = transforms(TRUTH)
    for frame in content["frames"]:
        frame["file_path"] = name.format(absolute=tmp_path)
    (folder / "transforms.json").write_text(json.dumps(content))
    plan, _ = plan_in(folder)
    assert not [body for body in plan.scene.bodies.values() if body.shape.form == "camera"]
    assert picture_beside(folder, name.format(absolute=tmp_path)) == ""
