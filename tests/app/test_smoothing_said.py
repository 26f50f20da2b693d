"""What the command line says of smoothed recordings, and of the numbers that depend on them."""

from __future__ import annotations

import pytest

from framescope import assets
from framescope.app.cli.main import app
from tests.support.command_line import CliRunner

TEXT = """\
framescope: 1
frames:
  camera: {{parent: world, motion: {{form: recorded, file: walk.txt, format: tum{more}}}}}
  lens: {{parent: camera, position: {{value: [0.1, 0, 0], unit: m}}}}
"""


@pytest.fixture
def scene(tmp_path):
    """Return what writes a scene of the real recording, with more keys of its motion."""
    (tmp_path / "walk.txt").write_bytes(assets.path("scenes/freiburg1_xyz.txt").read_bytes())

    def write(more: str = "") -> str:
        (tmp_path / "scene.yaml").write_text(TEXT.format(more=more), encoding="utf-8")
        return str(tmp_path / "scene.yaml")

    return write


def run(*arguments: str):
    result = CliRunner().invoke(app, arguments)
    assert "Traceback" not in result.output
    return result


@pytest.mark.parametrize(
    ("more", "pose", "rates"),
    [
        ("", "pose: the samples, exactly", "where they are most accurate"),
        (", bandwidth: 4 Hz", "pose: the samples, exactly", "smoothed at 4 Hz, as stated"),
        (", bandwidth: 4 Hz, smooth: pose", "pose: smoothed, too", "smoothed at 4 Hz, as stated"),
    ],
)
def test_that_check_says_how_far_the_smoothed_motion_is_from_the_samples(scene, more, pose, rates) -> None:
    output = run("check", scene(more)).output
    (line,) = (line for line in output.splitlines() if line.strip().startswith("camera: pose"))
    assert pose in line
    assert rates in line
    assert "off the samples: " in line
    assert "noise of the samples: 0.091 mm" in line
    assert ("smooth (line" in output) is ("pose: smoothed" in pose)  # among the problems


def test_that_evaluate_says_which_numbers_are_of_the_smoothed_motion(scene) -> None:
    path = scene(", bandwidth: 4 Hz")
    of_rates, of_poses = (
        run(
            "evaluate",
            path,
            "--rate",
            "1",
            "--stop",
            "1",
            "-s",
            f"{signal} of lens relative to world resolved in world in {unit}",
        )
        for signal, unit in (("velocity", "m/s"), ("position", "m"))
    )
    assert "of the motion smoothed at 4 Hz, 0.24 mm and 0.17° rms from the samples" in of_rates.stderr
    assert "of the motion" not in of_rates.stdout
    assert "of the motion smoothed" not in of_poses.stderr
