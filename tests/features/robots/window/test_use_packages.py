"""A package that a robot names and that is elsewhere, found from the problems list; a xacro file, run on request."""

from __future__ import annotations

from pathlib import Path

import pytest

from framescope.app.session.scene_lookup import example_path
from framescope.ui.dialogs.file_access_dialog import ConsentDialog
from tests.features.robots.app.test_import_robots import ROBOT, STL
from tests.support.hands import CTRL, Key
from tests.support.whole_window import answering, click, drop_files, name_file, press_button, strike_in, wait_for
from tests.window.test_use_faults import click_mend

pytestmark = pytest.mark.usefixtures("dark")

TWO = ROBOT.replace(
    '<link name="hand"/>',
    '<link name="hand"><visual><geometry><mesh filename="package://hands/hand.stl"/></geometry></visual></link>',
)


@pytest.fixture
def away(tmp_path) -> Path:
    """Return the folder of the package that is elsewhere, which another one that is missing lies beside."""
    for path in ("ros/share/bodies/meshes/base.stl", "ros/share/hands/hand.stl"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(STL, "utf-8")
    return tmp_path / "ros" / "share" / "bodies"


@pytest.fixture
def wiring(open_window, tmp_path):
    good = open_window(example_path("aircraft"))
    path = tmp_path / "work" / "arm.urdf"
    path.parent.mkdir()
    path.write_text(TWO.format(mesh="package://bodies/meshes/base.stl"), "utf-8")
    assert drop_files(good, path)
    wait_for(lambda: len(places(good)) == 2)
    return good


def places(wiring) -> list[int]:
    found = wiring.window.problems.problems
    return [i for i, each in enumerate(found) if each.kind == "missing-package"]


def files(wiring) -> dict[str, str]:
    bodies = wiring.session.document.scene.bodies.items()
    return {name: body.shape.file for name, body in bodies if body.shape.form == "mesh"}


def test_that_a_package_is_found_with_the_one_beside_it_and_taken_back(wiring, away, tmp_path) -> None:
    window = wiring.window
    assert files(wiring) == {}
    window.show_dock("problems")
    with answering(name_file(tmp_path / "work")):
        click_mend(window.problems, places(wiring)[0])
    assert "has none of the files that the robot names in bodies, such as meshes/base.stl" in window.status.message
    with answering(name_file(away)):
        click_mend(window.problems, places(wiring)[0])
    wait_for(lambda: places(wiring) == [])
    share = away.parent.as_posix()
    assert files(wiring) == {"base_link": f"{share}/bodies/meshes/base.stl", "hand": f"{share}/hands/hand.stl"}
    assert wiring.session.document.history.undo_label == "Found the package bodies"
    assert [problem for problem in wiring.session.plan.problems if problem.severity == "red"] == []
    robot = wiring.session.document.scene.robots["arm"]
    assert {each.name: each.folder for each in robot.packages} == {
        "bodies": f"{share}/bodies",
        "hands": f"{share}/hands",
    }
    text = (tmp_path / "work" / "arm.urdf").read_text("utf-8")
    (tmp_path / "work" / "arm.urdf").write_text(text.replace('xyz="0 0 1"', 'xyz="0 0 2"', 1), "utf-8")
    wait_for(lambda: wiring.session.document.scene.frames["hand"].position.value[2] == 2.0)
    assert files(wiring).keys() == {"base_link", "hand"}, "what is found stays when the file changes"
    for _ in range(2):
        strike_in(wiring, Key.Key_Z, CTRL)
    assert files(wiring) == {}
    wait_for(lambda: len(places(wiring)) == 2)


def test_that_what_ros_has_is_taken_with_consent_and_asked_for_again_when_it_is_opened(
    wiring, away, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(away.parents[1]))
    wiring.window.show_dock("problems")
    with answering(press_button("Cancel")):
        click_mend(wiring.window.problems, places(wiring)[0])
    assert files(wiring) == {}
    with answering(press_button("Use that")):
        click_mend(wiring.window.problems, places(wiring)[0])
    wait_for(lambda: places(wiring) == [])
    saved = tmp_path / "work" / "arm.yaml"
    assert wiring.session.save(saved)
    wiring.files.open(example_path("demo"))
    wait_for(lambda: wiring.session.document.path == example_path("demo"))
    wiring.files.open(saved)
    wait_for(lambda: wiring.window.findChildren(ConsentDialog) != [])
    dialog = wiring.window.findChildren(ConsentDialog)[-1]
    click(dialog.read)
    wait_for(lambda: not any(p.severity == "red" for p in wiring.session.plan.problems))
    wait_for(lambda: places(wiring) == [])


def test_that_a_dropped_xacro_file_is_run_when_that_is_wanted_and_opened_as_urdf(wiring, tmp_path) -> None:
    pytest.importorskip("xacro")
    path = tmp_path / "leg.urdf.xacro"
    space = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    path.write_text(f'<robot name="leg" {space}><link name="foot_${{1 + 1}}"/></robot>', "utf-8")
    with answering(press_button("Cancel")):
        drop_files(wiring, path)
    assert not (tmp_path / "leg.urdf").exists()
    with answering(press_button("Run it…"), name_file(tmp_path / "leg.urdf")):
        drop_files(wiring, path)
    wait_for(lambda: set(wiring.session.document.scene.frames) == {"foot_2"})
    assert wiring.session.document.scene.robots["leg"].file == "leg.urdf"
