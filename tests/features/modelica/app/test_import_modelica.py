"""Results of Modelica tools opened, checked and exported, with the shapes that stand beside them."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.cli.main import app
from framescope.app.importers.registry import importer_of, read_scene
from framescope.core.errors import FramescopeError
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from tests.support.command_line import CliRunner
from tests.support.films import ffmpeg_frames
from tests.support.modelica_results import Variables, pendulum, save, shape, visual, write

run = CliRunner().invoke


@pytest.fixture
def result(tmp_path):
    path = write(tmp_path / "Pendulum_res.mat", pendulum())
    shapes = [shape(f"boxBody{i}.shape", "box", f"boxBody{i}.frame_b", r_shape=(-0.5, 0, 0)) for i in (1, 2)]
    (tmp_path / "Pendulum_visual.xml").write_text(visual(shapes), "utf-8")
    return path


def test_that_a_result_is_known_by_what_is_in_it_and_opens_with_its_shapes(result) -> None:
    assert importer_of(result).title == "Modelica results"
    loaded, problems = read_scene(result)
    assert problems == ()
    assert loaded.scene.title == "Pendulum"
    assert [body.frame for body in loaded.scene.bodies.values()] == ["boxBody1.frame_a", "boxBody2.frame_b"]
    again, _ = parse_scene(scene_text(loaded.scene))
    assert again == loaded.scene


@pytest.mark.process
def test_that_the_commands_check_and_export_a_result(result, tmp_path) -> None:
    done = run(app, ["check", str(result)])
    assert done.exit_code == 0, done.output
    table = tmp_path / "walk.csv"
    done = run(app, ["export", str(result), str(table), "--fps", "10"])
    assert done.exit_code == 0, done.output
    assert "boxBody2.frame_b" in table.read_text("utf-8")
    film = tmp_path / "film.mp4"
    done = run(app, ["export", str(result), str(film), "--size", "96x64", "--fps", "5", "--stop", "1"])
    assert done.exit_code == 0, done.output
    assert len(ffmpeg_frames(film)[0]) == 5


def test_that_a_rate_that_is_wrong_is_told_by_the_check(tmp_path) -> None:
    made = pendulum()
    made.values["boxBody2.frame_b.R.w[3]"] = -made.values["boxBody2.frame_b.R.w[3]"]
    done = run(app, ["check", str(write(tmp_path / "Wrong_res.mat", made))])
    assert "boxBody2.frame_b.R.w is not the angular velocity that R.T turns with" in " ".join(done.output.split())


def test_that_shapes_that_cannot_be_read_leave_the_frames(result) -> None:
    result.with_name("Pendulum_visual.xml").write_text("<visualization><shape>", "utf-8")
    loaded, (problem,) = read_scene(result)
    assert len(loaded.scene.frames) == 5
    assert loaded.scene.bodies == {}
    assert problem.message.startswith("Pendulum_visual.xml: it is not well-formed XML")


def test_that_a_result_without_frames_and_other_files_of_matlab_are_said_to_be_that(tmp_path) -> None:
    plain = Variables(np.linspace(0.0, 1.0, 5), {"x": np.zeros(5), "k": 1.0})
    with pytest.raises(FramescopeError, match="has 3 variables, and no frames among them"):
        read_scene(write(tmp_path / "plain_res.mat", plain))
    other = tmp_path / "other.mat"
    save(other, {"x": np.eye(3)})
    with pytest.raises(FramescopeError, match="is no result of a Modelica tool"):
        read_scene(other)
    other.write_bytes(b"MATLAB 5.0 MAT-file, Platform: GLNXA64" + bytes(200))
    with pytest.raises(FramescopeError, match="a file of MATLAB"):
        read_scene(other)
