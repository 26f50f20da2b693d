"""Commands on files of reconstructions: frames, and never a scene."""

from __future__ import annotations

import json

import pytest

from framescope.app.cli.main import app
from framescope.core.scene.files.loading import load_scene
from tests.support.command_line import CliRunner
from tests.support.reconstructions import circle, transforms, transforms_json, write_colmap

run = CliRunner().invoke
TRUTH = circle()


@pytest.mark.parametrize("name", ["transforms.json", "images.txt", "images.bin"])
def test_that_commands_take_a_reconstruction_for_frames(tmp_path, name) -> None:
    write_colmap(tmp_path, TRUTH, is_binary=name.endswith("bin"))
    (tmp_path / "transforms.json").write_bytes(transforms_json(TRUTH))
    checked = run(app, ["check", str(tmp_path / name)])
    assert checked.exit_code == 0, checked.output
    assert "2 frames" in checked.output
    shown = run(app, ["import", str(tmp_path / name)])
    assert shown.exit_code == 0
    assert ", 2 frames. The window opens it" in shown.output
    assert "a scene: " not in shown.output


@pytest.mark.parametrize("name", ["transforms.json", "images.txt", "images.bin"])
def test_that_a_reconstruction_has_no_rates(tmp_path, name) -> None:
    write_colmap(tmp_path, TRUTH, is_binary=name.endswith("bin"))
    (tmp_path / "transforms.json").write_bytes(transforms_json(TRUTH))
    output = run(app, ["check", str(tmp_path / name)]).output
    assert "camera: pose: the samples, exactly; time: poses without times, numbered one a second\n" in output
    assert not {"smoothed", "rates"} & set(output.replace(":", " ").split())


def test_that_images_of_a_film_have_rates(tmp_path) -> None:
    folder = write_colmap(tmp_path, TRUTH)
    out = tmp_path / "walk.yaml"
    assert run(app, ["import", str(folder / "images.txt"), "--out", str(out)]).exit_code == 0
    out.write_text(out.read_text().replace("rate: 1 Hz", "rate: 30 Hz").replace("rate: 1.0 Hz", "rate: 30 Hz"))
    assert "rates: smoothed at" in run(app, ["check", str(out)]).output


def test_that_a_scene_is_written_that_reads_the_file(tmp_path) -> None:
    folder = write_colmap(tmp_path / "sparse" / "0", TRUTH)
    out = tmp_path / "walk.yaml"
    assert run(app, ["import", str(folder / "images.txt"), "--out", str(out)]).exit_code == 0
    scene = load_scene(out).scene
    motion = scene.frames["camera"].motion
    assert motion is not None
    assert motion.file == "sparse/0/images.txt"
    assert scene.bodies["points3D"].shape.file == "sparse/0/points3D.txt"
    assert run(app, ["check", str(out)]).exit_code == 0


def test_that_a_long_file_is_read_whole(tmp_path) -> None:
    truth = circle(400)
    path = tmp_path / "transforms.json"
    path.write_text(json.dumps({**transforms(truth), "zeta": "x" * 70_000}))
    assert "time 0 to 399 s" in run(app, ["check", str(path)]).output


def test_that_a_damaged_file_ends_in_one_error(tmp_path) -> None:
    path = tmp_path / "transforms.json"
    path.write_bytes(transforms_json(TRUTH)[:-300])
    for command in ("check", "import"):
        shown = run(app, [command, str(path)])
        assert shown.exit_code == 2
        assert "no valid JSON" in shown.output
