"""Files in xacro: told from URDF, never run unasked, run in a process of their own with a time limit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from framescope.app.cli.main import app
from framescope.app.importers.registry import importer_of, read_scene
from framescope.core.errors import FramescopeError
from framescope.core.system.optional_packages import XACRO
from framescope.features.robots.app import xacro_reader as xacro
from framescope.features.robots.app.xacro_reader import expand_xacro, is_xacro
from framescope.features.robots.core.urdf import read_urdf
from tests.support.command_line import CliRunner

pytest.importorskip("xacro")

run = CliRunner().invoke

SPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
ARM = f"""<?xml version="1.0"?>
<robot name="arm" {SPACE}>
  <xacro:arg name="length" default="1"/>
  <xacro:include filename="$(find parts)/joint.xacro"/>
  <link name="base"/>
  <xacro:arm name="hand" z="${{2 * $(arg length)}}"/>
</robot>
"""
PART = f"""<robot {SPACE}>
  <xacro:macro name="arm" params="name z">
    <link name="${{name}}"/>
    <joint name="to_${{name}}" type="fixed">
      <parent link="base"/><child link="${{name}}"/><origin xyz="0 0 ${{z}}"/>
    </joint>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def arm(tmp_path) -> Path:
    path = tmp_path / "arm_description" / "arm.urdf.xacro"
    part = tmp_path / "parts" / "joint.xacro"
    for each, text in ((path, ARM), (part, PART)):
        each.parent.mkdir()
        each.write_text(text, "utf-8")
    return path


def test_that_a_program_is_told_from_the_urdf_that_one_has_made() -> None:
    assert is_xacro(ARM.encode(), 0)
    plain = f'<robot name="arm" {SPACE}><!-- <xacro:arm z="${{2}}"/> --><link name="base"/></robot>'
    assert not is_xacro(plain.encode(), 0)
    assert not is_xacro(b"<html>${x}</html>", 0)


def test_that_it_is_never_run_unasked(arm, monkeypatch) -> None:
    monkeypatch.setattr(xacro, "run_child", None)
    importer = importer_of(arm)
    assert (importer.title, importer.opens) == ("robots in xacro", "program")
    with pytest.raises(
        FramescopeError,
        match=r"not run without your consent.* framescope robot expand \S+arm\.urdf\.xacro \S+arm\.urdf$",
    ):
        read_scene(arm)
    shown = run(app, ["check", str(arm)])
    assert shown.exit_code != 0
    assert "does not run without your consent" in shown.output


@pytest.mark.process
def test_that_it_is_run_on_request_with_packages_beside_it_and_arguments(arm, tmp_path) -> None:
    made = tmp_path / "arm_description" / "arm.urdf"
    shown = run(app, ["robot", "expand", str(arm), str(made), "length:=3"])
    assert shown.exit_code == 0, shown.output
    robot = read_urdf(made.read_bytes())
    assert robot.faults == ()
    assert robot.joints[0].placement.xyz == (0.0, 0.0, 6.0)
    assert importer_of(made).title == "robots"
    assert read_urdf(expand_xacro(arm).urdf.encode()).joints[0].placement.xyz == (0.0, 0.0, 2.0)
    refused = run(app, ["robot", "expand", str(arm), str(made), "length=3"])
    assert "is no argument. Write name:=value" in refused.output


@pytest.mark.process
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("$(find parts)", "$(find nobody)", "there is no package nobody"),
        ("</robot>", "", "no element found"),
        ("<xacro:arm name", "<xacro:leg name", "there is no macro leg .line 6.. Define it"),
        ("${2 *", "${1/0 *", "division by zero in"),
        (
            "$(arg length)",
            "$(arg width)",
            "argument width has no value in .* .line 6.. Give one, width:=",
        ),
        ("${2 *", "${xacro.load_yaml('$(find nobody)/a.yaml') *", "there is no package nobody"),
        ('name="hand"', 'name="${missing}"', "name 'missing' is not defined in ..missing. .line 6.. Define it"),
        ('name="hand"', "name=\"${dict(a=1)['zz']}\"", "there is no key 'zz' in .* .line 6.. Check the spelling"),
        ('name="hand"', 'name="${dict(a=1).zz}"', "no key or attribute 'zz' in .* .line 6.. Check the spelling"),
        ('name="hand"', 'name="${[1, 2][5]}"', "an index is beyond the end of its list in .* The first index is 0"),
        ('name="hand"', 'name="${1 +}"', "syntax error in .* .line 6.. Write it as in Python"),
        ('name="hand"', 'name="${sqrt(-1)}"', "math domain error in .* .line 6.. Check its values"),
        ('name="hand"', 'name="${10.0**400}"', "numerical result out of range in .* Check its values"),
        ('name="hand" ', "", "macro arm is called without name .line 6.. Write <xacro:arm name="),
        ('name="hand"', 'name="hand" colour="red"', "macro arm has no parameter colour .line 6.. It has name, z"),
        ("$(find parts)/joint", "nothing", "nothing.xacro cannot be read: No such file or directory. Check the path"),
        ('name="hand"', "name=\"${'x' * 40_000_000}\"", "more than 64,000,000"),
        ("${2 *", "${[0] * 10**10 *", "it needs more memory than a file in xacro may use"),
    ],
)
def test_that_what_is_wrong_with_it_is_told_once_and_without_words_of_python(arm, old, new, said) -> None:
    arm.write_text(ARM.replace(old, new), "utf-8")
    with pytest.raises(FramescopeError, match=rf"^arm\.urdf\.xacro: .*{said}") as raised:
        expand_xacro(arm)
    assert len(re.findall(said, str(raised.value))) == 1
    assert str(raised.value).endswith(".")
    assert "<class" not in str(raised.value)


@pytest.mark.process
def test_that_one_that_calls_itself_without_an_end_is_told(arm) -> None:
    arm.write_text(f'<robot {SPACE}><xacro:macro name="a"><xacro:a/></xacro:macro><xacro:a/></robot>', "utf-8")
    with pytest.raises(FramescopeError, match=r"^arm\.urdf\.xacro: .*calls itself without end"):
        expand_xacro(arm)


def test_that_one_that_runs_on_is_ended_and_a_missing_package_is_told(arm, monkeypatch) -> None:
    def slow(_module: str, _data: bytes, timeout_s: float, _limits: object):
        raise xacro.subprocess.TimeoutExpired("x", timeout_s)

    monkeypatch.setattr(xacro, "run_child", slow)
    with pytest.raises(FramescopeError, match="took longer than 30 s, and was stopped"):
        expand_xacro(arm)
    monkeypatch.setattr(xacro, "run_child", lambda *_: (-9, b""))
    with pytest.raises(FramescopeError, match=r"crashed its process \(-9\)"):
        expand_xacro(arm)
    monkeypatch.setattr(type(XACRO), "is_installed", False)
    with pytest.raises(FramescopeError, match=r"needs xacro, .*missing .*\. Set the environment up again: .*run\.py"):
        expand_xacro(arm)


@pytest.mark.process
def test_that_the_place_of_a_fault_is_the_line_of_the_file_that_has_it(arm) -> None:
    part = arm.parents[1] / "parts" / "joint.xacro"
    part.write_text(PART.replace("0 0 ${z}", "0 0 ${z + gap}"), "utf-8")
    with pytest.raises(
        FramescopeError, match=r"name 'gap' is not defined in \$\{z \+ gap\} \(line 5 of joint\.xacro\)"
    ):
        expand_xacro(arm)
    arm.write_text(ARM.replace('name="hand"', 'name="${gap}${gap}"'), "utf-8")
    with pytest.raises(FramescopeError, match=r"name 'gap' is not defined in \$\{gap\}\. Define it"):
        expand_xacro(arm)
