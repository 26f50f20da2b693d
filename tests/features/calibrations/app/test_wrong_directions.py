"""A wrong direction planted in every dialect: `rig` names it where other statements tell, and leaves it open elsewhere.

A dialect of the registry without a planting fails here. Wrong files are the examples of the dialects with the inverse
of one pose, as people write it who take the matrix for the other direction. What proves it is written by hand: other
files of the rig, the baseline of a projection, a name, points that images hold.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.app.cli.main import app
from framescope.features.calibrations.core.calibration import Edge
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.dialects.registry import DIALECTS
from tests.support.command_line import CliRunner
from tests.support.reconstructions import (
    cameras_txt,
    circle,
    images_txt,
    points_txt,
    poses_of,
    transforms_json,
)

run = CliRunner().invoke

AUX = np.eye(4)
AUX[:3, :3], AUX[:3, 3] = Rotation.from_rotvec([0.7, -0.4, 0.9]).as_matrix(), (0.3, -0.2, 0.5)
"""Pose of a further frame, to which the other files lead."""


@dataclass(frozen=True)
class Planted:
    """Files with a wrong direction, the same without it, and words that name it."""

    wrong: dict[str, bytes]
    right: dict[str, bytes]
    words: tuple[str, ...]
    opened: tuple[str, ...] = ()
    """Files that are given to the command; all without any."""


def file_of(dialect: Dialect) -> str:
    """Return the name of the example of a dialect in its folder, without the mark of a sensor in a name."""
    return f"planted{dialect.suffixes[0]}"


def noisy(M: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a pose with a noise of 0.3 mm and 0.03 degrees."""
    small = np.eye(4)
    small[:3, :3] = Rotation.from_rotvec(np.radians(0.03) * rng.normal(size=3)).as_matrix()
    small[:3, 3] = 3e-4 * rng.normal(size=3)
    return M @ small


def launch_line(parent: str, child: str, M: np.ndarray) -> str:
    numbers = [*M[:3, 3].tolist(), *Rotation.from_matrix(M[:3, :3]).as_quat().tolist()]
    return f"rosrun tf2_ros static_transform_publisher {' '.join(map(repr, numbers))} {parent} {child}\n"


def by_loop(dialect: Dialect, edge: Edge) -> Planted:
    """Return the example with the inverse of one pose, and two scripts that hold the rig in another way."""
    rng = np.random.default_rng(7)
    M = edge.X_PC.to_matrix()
    around = [launch_line(edge.parent, "aux", noisy(AUX, rng))]
    around.append(launch_line(edge.child, "aux", noisy(np.linalg.inv(M) @ AUX, rng)))
    others = {
        "around.sh": "".join(around).encode(),
        "direct.sh": launch_line(edge.parent, edge.child, noisy(M, rng)).encode(),
    }
    assert dialect.patch is not None
    wrong = dialect.patch(dialect.example, (replace(edge, X_file=edge.X_file.inverse()),))
    name = file_of(dialect)
    return Planted(
        {name: wrong.encode(), **others},
        {name: dialect.example.encode(), **others},
        (f"{name}: {edge.entry}", "inverted"),
    )


# --- What a file itself tells


def stereo_of_camera_info() -> Planted:
    """Return the right camera of a pair whose P has the sign of the other direction."""
    text = example("camera_info")
    wrong = text.replace("318.5, -48.0, 0.0", "318.5, 48.0, 0.0")
    return Planted(
        {"right.yaml": wrong.encode()},
        {"right.yaml": text.encode()},
        ("right.yaml.projection_matrix: the direction is open", 'The name "right" says otherwise'),
    )


def stereo_of_opencv() -> Planted:
    """Return a stereo calibration whose T is that of the other direction, beside its P2."""
    lines = "P2: !!opencv-matrix\n   rows: 3\n   cols: 4\n   dt: d\n   data: [ 420., 0., 318.5, -50.4, 0., 420.,\n"
    text = example("opencv") + lines + "       242.25, 0., 0., 0., 1., 0. ]\n"
    return Planted(
        {"stereo.yml": text.replace("data: [ -0.12", "data: [ 0.12").encode()},
        {"stereo.yml": text.encode()},
        ("stereo.yml.R, T", "R and T are inverted"),
    )


def names_of_kalibr() -> Planted:
    """Return two cameras, named left and right, with the pose of the one in the other inverted."""
    rows = [[1.0, 0.0, 0.0, -0.12], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    text = (
        "transforms:\n- header: {frame_id: cam_left}\n  child_frame_id: cam_right\n"
        "  transform: {translation: {x: %s, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}\n"
    )
    return Planted(
        {"pair.yaml": (text % rows[0][3]).encode()},
        {"pair.yaml": (text % -rows[0][3]).encode()},
        ("cam_right is 0.12 m to the left of cam_left", "or the pose inverted"),
    )


def model_of_colmap() -> Planted:
    """Return a model whose images hold the poses of the cameras, as many programs have them."""
    truth = circle(12, 60)
    inverted = replace(truth, R_WC=np.swapaxes(truth.R_WC, 1, 2), centers=poses_of(truth)[:, 4:])
    assert np.allclose(poses_of(inverted)[:, 4:], truth.centers), "translations are the centres of the cameras"
    beside = {"cameras.txt": cameras_txt().encode(), "points3D.txt": points_txt(truth).encode()}
    return Planted(
        {"images.txt": images_txt(inverted).encode(), **beside},
        {"images.txt": images_txt(truth).encode(), **beside},
        ("images.txt.camera", "the poses are probably inverted"),
        ("images.txt",),
    )


def ply_of(points: np.ndarray) -> bytes:
    head = (
        f"ply\nformat ascii 1.0\nelement vertex {len(points)}\nproperty float x\nproperty float y\nproperty float z\n"
    )
    return (head + "end_header\n" + "".join(f"{x!r} {y!r} {z!r}\n" for x, y, z in points.tolist())).encode()


def poses_of_nerf() -> Planted:
    """Return poses of a camera inverted, beside the points of the reconstruction."""
    truth = circle(12, 60)
    right = json.loads(transforms_json(truth, ply_file_path="sparse_pc.ply"))
    wrong = json.loads(json.dumps(right))
    for frame in wrong["frames"]:
        frame["transform_matrix"] = np.linalg.inv(frame["transform_matrix"]).tolist()
    points = {"sparse_pc.ply": ply_of(truth.points)}
    return Planted(
        {"transforms.json": json.dumps(wrong).encode(), **points},
        {"transforms.json": json.dumps(right).encode(), **points},
        ("transforms.json.camera", "the poses are probably inverted"),
        ("transforms.json",),
    )


def axes_of_nerf() -> Planted:
    """Return poses of a camera with optical axes, as OpenCV has them."""
    planted = poses_of_nerf()
    wrong = json.loads(planted.right["transforms.json"])
    for frame in wrong["frames"]:
        frame["transform_matrix"] = (np.array(frame["transform_matrix"]) @ np.diag([1, -1, -1, 1])).tolist()
    words = ("transforms.json.camera", "the camera of the poses probably has y down, z forward")
    return replace(planted, wrong={**planted.wrong, "transforms.json": json.dumps(wrong).encode()}, words=words)


def sensors_of_opensim() -> Planted:
    """Return orientations that take vectors of the world to the sensor: nothing in the file or beside it tells."""
    text = example("opensim")
    turned = text.replace("0.8,0.0,0.0,0.6", "0.8,0.0,0.0,-0.6").replace("0.8,0.0,0.6,0.0", "0.8,0.0,-0.6,0.0")
    return Planted({"imu.sto": turned.encode()}, {}, ("nothing contradicts these poses, and nothing confirms them",))


def example(name: str) -> str:
    return next(dialect.example for dialect in DIALECTS if dialect.name == name)


OWN: dict[str, tuple[Callable[[], Planted], ...]] = {
    "camera_info": (stereo_of_camera_info,),
    "opencv": (stereo_of_opencv,),
    "transforms": (names_of_kalibr,),
    "colmap": (model_of_colmap,),
    "nerf": (poses_of_nerf, axes_of_nerf),
    "opensim": (sensors_of_opensim,),
}
"""Plantings by dialect besides those that a loop tells, which every dialect with fixed poses has."""


def plantings(dialect: Dialect) -> dict[str, Planted]:
    edges = dialect.read(Source(file_of(dialect), dialect.example.encode())).edges
    loops = {f"{edge.entry} by a loop": by_loop(dialect, edge) for edge in edges if dialect.patch is not None}
    return {**loops, **{make.__name__: make() for make in OWN.get(dialect.name, ())}}


def rig_of(folder: Path, files: dict[str, bytes], opened: tuple[str, ...] = (), *options: str) -> str:
    """Return what the command prints about files."""
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    shown = run(app, ["rig", *options, *(str(folder / name) for name in opened or files)])
    assert shown.exit_code in (0, 2), shown.output
    return shown.stdout


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_that_a_wrong_direction_is_named_or_open(tmp_path, dialect) -> None:
    cases = plantings(dialect)
    assert cases, f"no wrong direction is planted in files of {dialect.name}: add one to OWN"
    for k, (name, planted) in enumerate(cases.items()):
        options = ["--json"] if "by a loop" in name else []
        text = rig_of(tmp_path / f"wrong {k}", planted.wrong, planted.opened, *options)
        for words in planted.words:
            assert words in text, name
        if "by a loop" in name:
            (verdict,) = json.loads(text)["verdicts"]
            assert verdict["places"] == [planted.words[0]], name
            assert verdict["kinds"] == ["inverted"], name
            # A shift along one axis has its inverse in common with other faults, all of which mean the same pose.
            assert verdict["state"] == "found" or "All give the same pose." in verdict["detail"], name


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_that_right_directions_are_left_alone(tmp_path, dialect) -> None:
    for k, (name, planted) in enumerate(plantings(dialect).items()):
        if not planted.right:
            continue
        text = rig_of(tmp_path / f"right {k}", planted.right, planted.opened)
        first = text.splitlines()[0]
        assert " closes: " in first or " close: " in first if "by a loop" in name else "There is no loop" in first, name
        assert "inverted" not in text, name
        assert " open" not in text, name


def test_that_check_says_what_rig_says_of_a_file(tmp_path) -> None:
    for make in (stereo_of_opencv, model_of_colmap, poses_of_nerf, axes_of_nerf):
        folder = tmp_path / make.__name__
        planted = make()
        rig_of(folder, planted.wrong, planted.opened)
        shown = run(app, ["check", str(folder / next(iter(planted.wrong)))])
        assert planted.words[1] in shown.output
