"""The command `convert`: what it prints, as text and as JSON, and its exit status."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from framescope.app.cli.main import app, with_command
from framescope.core.conventions.notation import parse_orientation
from tests.app.test_cli import HEAVY, modules_after
from tests.support.command_line import CliRunner

ALL_FORMS = (
    "axes:ZYX,extrinsic:xyz,rpy,quaternion,quaternion:wxyz,matrix,matrix:active,"
    "axis-angle,rotation-vector,rodrigues,mrp"
)


def convert(*arguments: str, typed: str | None = None):
    return CliRunner().invoke(app, ["convert", *arguments], input=typed)


def test_that_results_are_labelled_and_say_what_they_mean() -> None:
    result = convert("--from", "quaternion xyzw 0.5 0.5 0.5 0.5", "--to", "quaternion:wxyz,axes:XYZ")
    assert result.exit_code == 0, result.output
    assert result.output == (
        "read: quaternion xyzw 0.5 0.5 0.5 0.5\n"
        "  Hamilton's, scalar last: v_1 = q v_2 conj(q)\n"
        "\n"
        "quaternion wxyz 0.5 0.5 0.5 0.5\n"
        "  Hamilton's, scalar first: v_1 = q v_2 conj(q)\n"
        "\n"
        "axes XYZ 0 90 90 deg\n"
        "or axes XYZ 180 90 -90 deg\n"
        "  turns about the axes x, y, z of the moving frame, one after another\n"
        "  gimbal lock: only angle 1 + angle 3 is defined; angle 1 is set to 0\n"
    )


def test_that_every_line_of_a_form_can_be_read_again() -> None:
    text = "axes XYZ 10 20 30 deg"
    lines = convert("--from", text, "--to", ALL_FORMS).output.split("\n\n")
    assert len(lines) == 1 + len(ALL_FORMS.split(","))
    for block in lines[1:]:
        for line in block.splitlines():
            if not line.startswith("  "):
                read = parse_orientation(line.removeprefix("or "))
                assert_allclose(read.R.T, parse_orientation(text).R.T, atol=1e-14)


def test_that_the_example_of_the_help_gives_code_that_runs() -> None:
    result = convert("--from", "axes XYZ 10 20 30 deg", "--to", "quaternion,matrix,code:scipy")
    (line,) = (line for line in result.output.splitlines() if line.startswith("R_12 = "))
    space: dict = {"Rotation": Rotation}
    exec(line, space)
    assert_allclose(space["R_12"].as_euler("XYZ", degrees=True), [10, 20, 30])


def test_that_there_are_forms_to_write_unasked() -> None:
    output = convert("--from", "quaternion wxyz 1 0 0 0").output
    assert "\nquaternion xyzw 0 0 0 1\n" in output
    assert "\nmatrix passive [1 0 0; 0 1 0; 0 0 1]\n" in output
    assert "\naxis-angle 1 0 0 0 deg\n" in output


@pytest.mark.parametrize("typed", ["rpy 0 0 90 deg\n", "rpy\n0\n0\n90\ndeg"])
def test_that_a_dash_reads_standard_input(typed) -> None:
    assert "axis-angle 0 0 1 90 deg" in convert("--from", "-", "--to", "axis-angle", typed=typed).output


def test_that_the_unit_is_for_forms_that_name_none() -> None:
    output = convert("--from", "rpy 0 0 180 deg", "--to", "rpy,axis-angle:deg", "--unit", "rad").output
    assert "rpy 0 0 3.14159265358979 rad" in output
    assert "axis-angle 0 0 1 180 deg" in output


def test_that_json_holds_all_of_it() -> None:
    result = convert("--from", "quaternion xyzw 0 0 0.7071 0.7071", "--to", f"{ALL_FORMS},code:numpy", "--json")
    content = json.loads(result.output)
    assert content["from"]["form"] == "quaternion xyzw"
    assert content["from"]["distance"] == pytest.approx(9.6e-6, rel=0.01)
    assert [entry["form"].split()[0] for entry in content["to"]] == [
        form.split(":")[0] for form in f"{ALL_FORMS},code".split(",")
    ]
    T = parse_orientation("axis-angle 0 0 1 90 deg").R.T
    for entry in content["to"][:-1]:
        for text in (entry["text"], *entry["others"]):
            assert_allclose(parse_orientation(text).R.T, T, atol=1e-14)
    space: dict = {"np": np}
    exec(content["to"][-1]["text"], space)
    assert_allclose(space["T"], T, atol=1e-15)


def test_that_a_form_without_numbers_leaves_the_others() -> None:
    result = convert("--from", "quaternion xyzw 1 0 0 0", "--to", "rodrigues,mrp")
    assert result.exit_code == 0
    assert "rodrigues: no numbers\n" in result.output
    assert "infinite at a half turn" in result.output
    assert "\nmrp 1 0 0\n" in result.output
    content = json.loads(convert("--from", "quaternion xyzw 1 0 0 0", "--to", "rodrigues", "--json").output)
    assert content["to"][0]["text"] is None


def test_that_a_pose_and_code_are_converted_and_the_position_is_kept() -> None:
    output = convert("--from", "q.setRPY(0, 0, pi/2)", "--to", "axis-angle").output
    assert "axis-angle 0 0 1 90 deg" in output
    output = convert("--from", "{X 100, Y 0, Z 50, A 90, B 0, C 0}", "--to", "axis-angle").output
    assert "axis-angle 0 0 1 90 deg" in output
    assert "position 0.1 0 0.05 m" in output
    assert "A about z" in output


def test_that_rounded_digits_are_no_fault_and_are_noted() -> None:
    result = convert("--from", "quaternion wxyz 0.71 0 0 0.71", "--to", "axis-angle")
    assert result.exit_code == 0
    assert "rounded digits leave about 0.3 deg" in result.output
    assert "axis-angle 0 0 1 90 deg" in result.output


def test_that_numbers_far_from_a_rotation_are_taken_when_asked_to() -> None:
    refused = convert("--from", "quaternion xyzw 0 0 3 4", "--to", "quaternion")
    assert refused.exit_code == 2
    assert 'The nearest is "quaternion xyzw 0 0 0.6 0.8".' in refused.output
    taken = convert("--from", "quaternion xyzw 0 0 3 4", "--to", "quaternion", "--nearest")
    assert taken.exit_code == 0
    assert "  4 away from a rotation; the nearest is taken\n" in taken.output
    assert "\nquaternion xyzw 0 0 0.6 0.8\n" in taken.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "foo"], "No orientation"),
        (["--from", ""], "Nothing to read yet"),
        (["--from", "rpy 1 2 3"], "Unit of the angles?"),
        (["--from", "0 0 0.6 0.8"], "scalar first: w x y z: quaternion wxyz 0 0 0.6 0.8"),
        (["--from", "1 0 0 0 1 0 0 0 -1"], "Mirrored matrix"),
        (["--from", "position: {x: 1, y: 2, z: 3}"], "a position and no orientation"),
        (["--from", "rpy 1 2 3 deg", "--to", "matrx"], 'Did you mean "matrix"?'),
        (["--from", "rpy 1 2 3 deg", "--to", ""], "--to: expected forms to write"),
        (["--from", "rpy 1 2 3 deg", "--to", "rpy", "--unit", "grad"], 'got "grad"'),
    ],
)
def test_that_a_fault_is_a_message_and_exit_status_2(arguments, message) -> None:
    result = convert(*arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_that_what_is_typed_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in convert("--from", "rpy \x1b[31m").output


def test_that_the_help_has_examples_that_run(monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    output = convert("--help").output
    assert 'framescope convert --from "rpy 10 20 30 deg"' in output
    assert convert("--from", "axes XYZ 10 20 30 deg", "--to", "code:scipy,axes:ZYX").exit_code == 0
    assert convert("--from", "-", "--json", typed="quaternion wxyz 1 0 0 0\n").exit_code == 0


def test_that_it_is_a_command() -> None:
    assert with_command(["convert", "--help"]) == ["convert", "--help"]


@pytest.mark.process
def test_that_it_imports_neither_qt_nor_vtk() -> None:
    code = (
        "import sys\nfrom framescope.app.__main__ import main\n"
        f"sys.argv = ['framescope', 'convert', '--from', 'rpy 1 2 3 deg', '--to', {ALL_FORMS!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass"
    )
    assert modules_after(code).isdisjoint(HEAVY)
