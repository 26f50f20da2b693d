"""Frames that were moved, written into the URDF that they come from: one line, and nothing where nothing moved."""

from __future__ import annotations

import pytest

from framescope.app.cli.main import app
from framescope.app.importers.registry import read_scene
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.saving import save_scene
from framescope.core.scene.schema.poses import Position, QuaternionForm, Rpy
from framescope.core.system.file_access import Access
from framescope.features.robots.app.robot_write_back import write_backs
from framescope.features.robots.core.moved_links import moved_links
from framescope.features.robots.core.urdf import read_urdf
from tests.support.command_line import CliRunner
from tests.support.robots import healthy_robot

run = CliRunner().invoke

ROBOT = """\
<robot name="arm">
  <link name="base link"/><link name="hand"/><link name="camera"/>
  <joint name="wrist" type="revolute">
    <parent link="base link"/><child link="hand"/>
    <origin xyz="0 0 1" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/>
  </joint>
  <!-- where the camera looks -->
  <joint name="mount" type="fixed"><parent link="hand"/><child link="camera"/>
    <origin xyz="0.1 0 0.02"   rpy="0 0 0"/>
  </joint>
</robot>
"""


@pytest.fixture
def robot(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT, "utf-8")
    return path


def moved(scene, name: str, **pose):
    frame = scene.frames[name].model_copy(update=pose)
    return scene.model_copy(update={"frames": scene.frames | {name: frame}})


@pytest.mark.parametrize("seed", range(4))
def test_that_nothing_is_moved_in_a_scene_as_it_was_opened(tmp_path, seed: int) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(healthy_robot(seed).text, "utf-8")
    scene = read_scene(path)[0].scene
    assert list(moved_links(scene, read_urdf(path.read_bytes()))) == []
    assert write_backs(scene, Access(tmp_path)) == ()


def test_that_one_line_of_the_file_changes(robot) -> None:
    scene = read_scene(robot)[0].scene
    scene = moved(scene, "camera", position=Position(value=(10.0, 0.0, 2.5), unit="cm"))
    (found,) = write_backs(scene, Access(robot.parent))
    assert found.joints == ("mount",)
    found.write()
    before, after = ROBOT.splitlines(), robot.read_text("utf-8").splitlines()
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    old, new = (f'    <origin xyz="0.1 0 {z}"   rpy="0 0 0"/>' for z in ("0.02", "0.025"))
    assert changed == [(old, new)]
    assert write_backs(scene, Access(robot.parent)) == (), "the scene is as the file now"


def test_that_an_orientation_of_another_form_is_written_as_rpy(robot) -> None:
    scene = read_scene(robot)[0].scene
    turned = QuaternionForm(value=(0.0, 0.0, 0.7071067811865476, 0.7071067811865476), order="xyzw")
    scene = moved(scene, "hand", orientation=turned)
    (found,) = write_backs(scene, Access(robot.parent))
    assert b'rpy="0 0 1.57079632679"' in found.after
    assert b'xyz="0 0 1"' in found.after


def test_that_what_moves_by_itself_or_hangs_elsewhere_is_left_alone(robot) -> None:
    scene = read_scene(robot)[0].scene
    assert write_backs(moved(scene, "camera", parent="base link"), Access(robot.parent)) == ()
    swings = Position(value=("0.1*sin(t)", 0.0, 0.0), unit="m")
    assert write_backs(moved(scene, "camera", position=swings), Access(robot.parent)) == ()
    assert write_backs(scene.model_copy(update={"frames": scene.frames.without("camera")}), Access(robot.parent)) == ()


def test_that_a_file_that_changed_meanwhile_is_not_written_over(robot) -> None:
    scene = moved(read_scene(robot)[0].scene, "camera", position=Position(value=(0.0, 0.0, 1.0), unit="m"))
    (found,) = write_backs(scene, Access(robot.parent))
    robot.write_text(ROBOT.replace("0.02", "0.03"), "utf-8")
    with pytest.raises(FramescopeError, match="has changed meanwhile"):
        found.write()
    assert "0.03" in robot.read_text("utf-8")


def test_that_what_was_there_is_kept_and_nothing_else_is_replaced(robot, tmp_path) -> None:
    (tmp_path / "arm.urdf.bak").write_text("of somebody else", "utf-8")
    (tmp_path / "arm.urdf.bak2").symlink_to(tmp_path / "nowhere")
    texts = [ROBOT]
    for z in (1.0, 2.0):
        scene = moved(read_scene(robot)[0].scene, "camera", position=Position(value=(0.0, 0.0, z), unit="m"))
        (found,) = write_backs(scene, Access(robot.parent))
        assert found.write().read_text("utf-8") == texts[-1]
        texts.append(robot.read_text("utf-8"))
    assert (tmp_path / "arm.urdf.bak").read_text("utf-8") == "of somebody else"
    assert not (tmp_path / "nowhere").exists()
    assert {path.name: path.read_text("utf-8") for path in tmp_path.glob("*.bak[34]")} == {
        "arm.urdf.bak3": texts[0],
        "arm.urdf.bak4": texts[1],
    }


def test_that_a_moved_link_is_told_and_taken_from_the_file(robot) -> None:
    scene = moved(read_scene(robot)[0].scene, "camera", position=Position(value=(0.0, 0.0, 1.0), unit="m"))
    plan = compile_plan(scene, access=Access(robot.parent))
    (one,) = [each for each in diagnose(plan) if each.kind == "moved-link"]
    assert one.message == "arm.urdf has it elsewhere (joint mount, line 8)."
    assert one.fix.change.apply(scene) == read_scene(robot)[0].scene


def test_that_faults_of_the_file_stay_told_after_the_scene_was_saved(robot) -> None:
    robot.write_text(ROBOT.replace('lower="-1" upper="1"', 'lower="1" upper="-1"'), "utf-8")
    save_scene(read_scene(robot)[0].scene, robot.parent / "arm.yaml")
    shown = run(app, ["check", str(robot.parent / "arm.yaml")])
    assert shown.exit_code == 2
    assert "arm.urdf, line 5: joint wrist: its lower limit 1 is above its upper limit -1" in shown.output
    robot.unlink()
    shown = run(app, ["check", str(robot.parent / "arm.yaml")])
    assert "there is no file arm.urdf beside the scene" in shown.output


def test_that_the_commands_show_and_write_what_was_moved(robot) -> None:
    path = robot.parent / "arm.yaml"
    scene = read_scene(robot)[0].scene
    save_scene(scene, path)
    assert run(app, ["robot", "diff", str(path)]).output == ""
    save_scene(moved(scene, "camera", position=Position(value=(0.0, 0.0, 1.0), unit="m")), path)
    shown = run(app, ["robot", "diff", str(path)])
    assert shown.exit_code == 1
    assert '+    <origin xyz="0 0 1"   rpy="0 0 0"/>' in shown.output
    assert robot.read_text("utf-8") == ROBOT
    assert run(app, ["robot", "write", str(path)]).exit_code == 0
    assert '<origin xyz="0 0 1"   rpy="0 0 0"/>' in robot.read_text("utf-8")
    assert run(app, ["robot", "diff", str(path)]).exit_code == 0
    assert "names no robot" in run(app, ["robot", "diff", "demo"]).output


def test_that_roll_pitch_and_yaw_of_a_frame_are_written_with_their_digits(robot) -> None:
    scene = read_scene(robot)[0].scene
    scene = moved(scene, "camera", orientation=Rpy(angles=(0.1, 0.2, 0.7), unit="rad"))
    (link,) = moved_links(scene, read_urdf(robot.read_bytes()))
    assert link.placement.rpy == (0.1, 0.2, 0.7)
