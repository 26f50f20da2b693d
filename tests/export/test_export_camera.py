"""From where a film is seen: turntable, a frame that is followed, a path, another eye; and loops that close."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.app.exporters.camera_modes import CameraMode, FilmCamera
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.formats import formats_by_suffix
from framescope.app.exporters.registry import export
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.request import ExportRequest, checked_request
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import parse_scene
from framescope.ui.exports.options import ExportOptions
from framescope.ui.scene_view.camera.camera import CameraState
from tests.export.test_export import decoded

# What is composed is painted by the application there is: without one, an export makes one without a display, and every
# other test of this run would have that.
pytestmark = pytest.mark.usefixtures("qapp")

SIZE = (320, 180)
PINK = (255, 0, 255)

HEAD = """
framescope: 1
title: A box
time: {start: 1 s, end: 3 s}
"""
CAMERA = "  camera: {position: [0, -4, 1], focal_point: [0, 0, 0], unit: m}\n"

STILL = (
    HEAD
    + """
frames:
  box: {parent: world, position: {value: [0.5, 0, 0], unit: m}}
bodies:
  box: {frame: box, color: "#ff00ff", shape: {form: box, size: [200, 200, 200], unit: mm}}
view:
  grid: 0.5 m
"""
)

MOVING = (
    HEAD
    + """
frames:
  car:
    parent: world
    position: {value: ["0.5*t - 1", 0, 0], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: ["90*(t-1)", 0, 0], unit: deg}
  nose: {parent: car, position: {value: [0.4, 0, 0], unit: m}}
  lost: {parent: world, position: {value: ["sqrt(1.5 - t)", 0, 0], unit: m}}
bodies:
  nose: {frame: nose, color: "#ff00ff", shape: {form: box, size: [150, 150, 150], unit: mm}}
view:
  grid: 0.5 m
"""
)

PATH = """  camera_path:
    unit: m
    keys:
      - {time: 1 s, position: [0, -4, 1], focal_point: [0, 0, 0]}
      - {time: 3 s, position: [4, 0, 1], focal_point: [0, 0, 0]}
"""


def read(text: str):
    scene = parse_scene(text)[0]
    return scene, compile_plan(scene)


def request_for(text: str, **options) -> ExportRequest:
    options = {"size": SIZE, "fps": 5, "bare": True, **options}
    return checked_request(*read(text), Path("film.mp4"), formats_by_suffix()[".mp4"], ExportOptions(**options))


def frames_at(request: ExportRequest, times) -> list[np.ndarray]:
    return [frame.copy() for frame in rendered_frames(request, np.asarray(times, dtype=float))]


def pink(frame: np.ndarray) -> np.ndarray:
    """Return where the middle of the pink body is: column and row."""
    is_pink = (frame[..., 0] > 90) & (frame[..., 2] > 90) & (frame[..., 1] < 60)
    assert is_pink.sum() > 20, "the body is not in the picture"
    return np.argwhere(is_pink).mean(axis=0)[::-1]


# Turntable


@pytest.mark.parametrize(("stop", "turns"), [(3.0, 1), (3.0, -2), (2.87, 3)])
def test_that_the_frame_after_the_last_of_a_turntable_is_the_first(stop, turns) -> None:
    request = request_for(STILL + CAMERA, camera="turntable", turns=turns, stop=stop)
    times = request.times
    first, quarter, after = frames_at(request, [times[0], times[2], times[0] + request.count / request.fps])
    assert (first == after).all()
    assert (first != quarter).any()


def test_that_a_turntable_in_a_film_takes_the_body_once_round(tmp_path) -> None:
    path = tmp_path / "film.mp4"
    export(*read(STILL + CAMERA), path, size=SIZE, fps=4, camera="turntable", bare=True)
    frames, _ = decoded(path)
    assert len(frames) == 8
    columns = np.array([pink(frame)[0] for frame in frames]) - (SIZE[0] - 1) / 2
    # On the x axis, seen from a camera that goes counter-clockwise: right, before us, left, behind.
    assert columns[0] > 30
    assert abs(columns[2]) < 3
    assert columns[4] == pytest.approx(-columns[0], abs=3)
    assert abs(columns[6]) < 3
    rows = np.array([pink(frame)[1] for frame in frames])
    assert rows[2] > rows[6] + 3  # nearer to us, as seen from above


def test_that_a_turntable_keeps_height_and_distance() -> None:
    base = CameraState((3.0, 1.0, 2.0), (1.0, 1.0, 0.5), up=(0.1, 0.0, 1.0))
    camera = FilmCamera(CameraMode("turntable", turns=2), base, None, 1.0, 4.0)
    assert camera.at(1.0) == camera.at(5.0) == base
    half = camera.at(2.0)  # half of the first of two turns
    assert half.position == pytest.approx((-1.0, 1.0, 2.0))
    assert half.focal_point == pytest.approx(base.focal_point)
    assert half.up == pytest.approx((-0.1, 0.0, 1.0))
    assert half.distance == pytest.approx(base.distance)


# Following


def test_that_a_camera_stays_beside_the_frame_that_it_follows() -> None:
    times, eye = [1.0, 2.0, 3.0], CameraState((-1.0, -4.0, 1.0), (-1.0, 0.0, 0.0))
    standing = [pink(frame) for frame in frames_at(request_for(MOVING, eye=eye), times)]
    beside = [pink(frame) for frame in frames_at(request_for(MOVING, eye=eye, follow="car"), times)]
    assert np.linalg.norm(standing[2] - beside[2]) > 10
    # The car has turned from looking right to looking back to looking left; seen from beside it that is all.
    origin = beside[1][0]
    assert beside[0][0] > origin + 10
    assert beside[2][0] < origin - 10
    assert beside[0][0] - origin == pytest.approx(origin - beside[2][0], abs=10)  # it is lit from the left


def test_that_a_camera_that_turns_with_a_frame_sees_it_stand_still() -> None:
    request = request_for(MOVING + CAMERA, follow="car", turning=True)
    places = [pink(frame) for frame in frames_at(request, [1.0, 1.7, 2.9])]
    assert np.ptp(places, axis=0).max() < 2.5  # it is lit from elsewhere


def test_that_a_camera_goes_on_from_the_moment_at_which_it_was_seen() -> None:
    eye = CameraState((0.5, -4.0, 1.0), (0.5, 0.0, 0.0))
    seen = request_for(MOVING, eye=eye)
    followed = request_for(MOVING, eye=eye, eye_time=3.0, follow="car")
    assert (frames_at(seen, [3.0])[0] == frames_at(followed, [3.0])[0]).all()
    assert (frames_at(seen, [1.0])[0] != frames_at(followed, [1.0])[0]).any()


def test_that_a_frame_without_a_pose_where_it_is_to_be_followed_from_is_told(tmp_path) -> None:
    with pytest.raises(ExportError, match="follow: lost has no pose at 2 s"):
        export(*read(MOVING + CAMERA), tmp_path / "film.mp4", size=SIZE, start=2.0, follow="lost")
    assert list(tmp_path.iterdir()) == []


# A path, another eye, portrait


def test_that_a_path_moves_the_camera_and_an_eye_takes_it_off_the_path() -> None:
    on_path = frames_at(request_for(STILL + PATH), [1.0, 3.0])
    assert pink(on_path[0])[0] > pink(on_path[1])[0] + 20
    eye = CameraState((0.0, -4.0, 1.0), (0.0, 0.0, 0.0))
    fixed = frames_at(request_for(STILL + PATH, eye=eye), [1.0, 3.0])
    assert (fixed[0] == fixed[1]).all()
    assert (fixed[0] == on_path[0]).all()


def test_that_a_narrow_picture_shows_as_much_from_side_to_side_as_a_square_one() -> None:
    square = pink(frames_at(request_for(STILL + CAMERA, size=(180, 180)), [1.0])[0])[0] / 180
    narrow = pink(frames_at(request_for(STILL + CAMERA, size=(180, 320)), [1.0])[0])[0] / 180
    assert narrow == pytest.approx(square, abs=0.02)


def test_that_what_stands_beside_the_middle_of_a_wide_picture_is_in_a_square_one_too() -> None:
    text = (STILL + CAMERA).replace("[0.5, 0, 0]", "[1.25, 0, 0]")
    wide, square = (pink(frames_at(request_for(text, size=size), [1.0])[0])[0] for size in ((252, 180), (180, 180)))
    assert 190 < wide < 252
    assert square / 180 == pytest.approx(wide / 252, abs=0.02)


def test_that_a_path_steps_back_in_a_narrow_picture_as_a_placed_camera_does() -> None:
    placed = frames_at(request_for(STILL + CAMERA, size=(180, 320)), [1.0])[0]
    on_path = frames_at(request_for(STILL + PATH, size=(180, 320)), [1.0, 3.0])
    assert (on_path[0] == placed).all()
    assert (on_path[1] != placed).any()


# Loops


def test_that_a_film_forth_and_back_has_neither_end_twice(tmp_path) -> None:
    request = request_for(MOVING + CAMERA, fps=4, bounce=True)
    assert request.times == pytest.approx([*np.arange(1.0, 3.0, 0.25), *np.arange(2.5, 1.1, -0.25)])
    path = tmp_path / "film.mp4"
    seen = []
    done = seen.append
    export(*read(MOVING + CAMERA), path, size=SIZE, fps=4, bounce=True, bare=True, progress=lambda *told: done(told))
    frames, _ = decoded(path)
    assert len(frames) == 14
    assert seen[-1] == (14, 14)
    columns = [pink(frame)[0] for frame in frames]
    assert columns[1:7] == pytest.approx(columns[:7:-1], abs=1.0)
    assert abs(columns[1] - columns[0]) > 2


@pytest.mark.parametrize(("stop", "count"), [(1.2, 1), (1.4, 2), (1.6, 4)])
def test_that_shortest_films_go_forth_and_back(stop, count) -> None:
    assert len(request_for(STILL, bounce=True, stop=stop).times) == count


def test_that_a_row_of_pictures_is_drawn_anew_for_another_camera(tmp_path) -> None:
    def written(**options) -> list[bytes]:
        export(*read(STILL + CAMERA), f"{tmp_path}/row/", size=(64, 64), fps=1, bare=True, **options)
        return [path.read_bytes() for path in sorted((tmp_path / "row").glob("*.png"))]

    still, turned = written(), written(camera="turntable")
    assert still[0] == still[1]
    assert turned[0] == still[0]
    assert turned[1] != still[1]


# What cannot be met


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"camera": "turntabel"}, 'camera: expected scene or turntable, got "turntabel". Did you mean "turntable"?'),
        ({"follow": "cra"}, 'follow: there is no frame "cra". Did you mean "car"?'),
        ({"turning": True}, "turning: there is no frame to turn with. Name one with follow."),
        ({"turns": 2}, "turns: only a turntable turns."),
        ({"camera": "turntable", "turns": 0}, "turns: expected 1 to 100 whole turns"),
        ({"bounce": True, "fps": 1000.0, "stop": 900.0}, "are more than 1000000 frames"),
    ],
)
def test_that_a_camera_that_cannot_be_had_is_told(tmp_path, options, message) -> None:
    with pytest.raises(ExportError) as told:
        export(*read(MOVING + CAMERA), tmp_path / "film.mp4", **options)
    assert message in str(told.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("film.mp4", ["--camera", "table"], "camera: expected scene or turntable"),
        ("film.mp4", ["--follow", "camra"], 'Did you mean "camera"?'),
        ("film.mp4", ["--layout", "lectrue"], 'Did you mean "lecture"?'),
        (
            "film.mp4",
            ["--layout", "plots", "--plots", "residues, zero for a rotatin"],
            'Did you mean "Residues, zero for a rotation"?',
        ),
        ("film.mp4", ["--layout", "lecture", "--frame", "rotr"], 'Did you mean "rotor"?'),
        ("walk.glb", ["--camera", "turntable"], "camera: a GLB takes no camera."),
        ("walk.csv", ["--bounce"], "bounce: a table takes no bounce. It takes fps, long, start, stop."),
        ("walk.zip", ["--layout", "plots"], "layout: a bundle takes no layout."),
    ],
)
def test_that_the_command_line_tells_what_is_wrong_with_exit_status_2(tmp_path, name, options, message) -> None:
    result = CliRunner().invoke(app, ["export", "demo", str(tmp_path / name), *options])
    assert result.exit_code == 2
    assert message in result.output
    assert list(tmp_path.iterdir()) == []


def test_that_the_command_line_composes_a_film(tmp_path) -> None:
    path = tmp_path / "film.mp4"
    asked = ["--size", "320x180", "--fps", "2", "--stop", "1", "--layout", "lecture"]
    asked += ["--plots", "1; residues, zero for a rotation"]
    asked += ["--frame", "rotor", "--camera", "turntable", "--turns", "-1", "--follow", "camera", "--bounce"]
    result = CliRunner().invoke(app, ["export", "demo", str(path), *asked])
    assert result.exit_code == 0, result.output
    assert decoded(path)[0].shape == (2, 180, 320, 3)


def test_that_a_camera_of_no_turns_is_the_same_at_all_times() -> None:
    base = CameraState((3.0, 1.0, 2.0))
    camera = FilmCamera(CameraMode(), base, None, 0.0, 1.0)
    assert camera.at(0.3) == base
    assert math.isclose(camera.at(0.9).distance, base.distance)
