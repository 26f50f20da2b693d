"""The command `read`: all readings of one text, as lines and as JSON, and its exit status."""

from __future__ import annotations

import json

import pytest

from framescope.app.cli.main import app
from tests.support.command_line import CliRunner


def read(*arguments: str, typed: str | None = None):
    return CliRunner().invoke(app, ["read", *arguments], input=typed)


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("q.setRPY(0, 0, pi/2)", 0, "extrinsic xyz 0 0 90 deg"),
        ("0.71 0 0 0.71", 3, "Which number is the scalar?"),
        ("-0.6 0 0 0.8", 3, "scalar last"),
        ("nothing of the kind", 2, "No orientation"),
        ("1 0 0 0 1 0 0 0 -1", 2, "Mirrored matrix: row 3, column 3 has the wrong sign"),
        ("position: {x: 1, y: 2, z: 3}", 0, "position 1 2 3"),
    ],
)
def test_that_the_exit_status_and_the_output_say_what_the_text_is(text, status, words) -> None:
    result = read(text)
    assert result.exit_code == status, result.output
    assert words in result.output


def test_that_a_list_names_its_frames() -> None:
    pose = "child_frame_id: {}\ntranslation: {{x: 1, y: 2, z: 3}}\nrotation: {{x: 0, y: 0, z: 0, w: 1}}\n"
    output = read("-", typed=pose.format("camera") + pose.format("lidar")).output
    assert "2 values of the kind pose: camera, lidar" in output


def test_that_json_has_each_reading_with_its_value() -> None:
    content = json.loads(read("p[0.1, 0.2, 0.3, 0, 0, 1.5707963267948966]", "--json").output)
    (reading,) = content["readings"]
    (value,) = reading["values"]
    assert reading["kind"] == "pose"
    assert value["position"] == [0.1, 0.2, 0.3]
    assert value["quaternion_xyzw"] == pytest.approx([0, 0, 0.5**0.5, 0.5**0.5])
    assert content["question"] == ""
    assert len(json.loads(read("0 0 0.6 0.8", "--json").output)["readings"]) == 2
