"""Trees of frames under a hand: a rig is written as each text that other programs read, from the export dialog."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import yaml
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from scipy.spatial.transform import Rotation

from tests.support.hands import Key, strike
from tests.support.rig_files import CAM0, STEP, make_wrong, write_files
from tests.support.whole_window import choose as choose_entry
from tests.support.whole_window import click, drop_files, wait_for, window_menu
from tests.window.test_use_export import ended, naming, shown
from tests.window.test_use_faults import click_mend, is_at_rest, told

pytestmark = pytest.mark.usefixtures("dark")

POSES = {"cam0": ("imu0", np.linalg.inv(CAM0)), "cam1": ("cam0", np.linalg.inv(STEP))}
"""Parent, and pose in the parent, of each frame below imu0, computed from the numbers in the files."""


@pytest.fixture
def rig(open_window, tmp_path):
    """Return a window with two calibrations, the wrong one of which is mended by clicks."""
    from framescope.app.session.scene_lookup import example_path

    files = write_files(tmp_path)
    make_wrong(files)
    wiring = open_window(example_path("aircraft"))
    assert drop_files(wiring, *files)
    wait_for(lambda: is_at_rest(wiring) and any(problem.kind == "rig-pose" for problem in told(wiring)))
    panel = wiring.window.problems
    wiring.window.show_dock("problems")
    wait_for(lambda: not panel.visibleRegion().isEmpty())
    click_mend(panel, next(i for i, problem in enumerate(panel.problems) if problem.kind == "rig-pose"))
    wait_for(lambda: is_at_rest(wiring) and not any(problem.kind == "rig-pose" for problem in told(wiring)))
    return wiring


def open_dialog(wiring):
    choose_entry(window_menu(wiring, "File"), "Export…")
    wait_for(lambda: shown(wiring) is not None and shown(wiring).isActiveWindow())
    return shown(wiring)


def click_format(dialog, title: str) -> None:
    """Scroll to a format of the list, and click it."""
    formats = dialog.formats
    (index,) = formats.model().match(formats.model().index(0, 0), Qt.ItemDataRole.DisplayRole, title, 1)
    formats.scrollTo(index)
    click(formats.viewport(), formats.visualRect(index).center())
    assert formats.offer.title == title


def choose_in(box, text: str) -> None:
    """Open a box by a click, and click an entry of its list."""
    click(box, QPoint(box.width() - 8, box.height() // 2))
    view = box.view()
    wait_for(view.isVisible)
    index = box.model().index(box.findText(text), 0)
    view.scrollTo(index)
    QTest.mouseMove(view.viewport(), view.visualRect(index).center())
    click(view.viewport(), view.visualRect(index).center())
    wait_for(lambda: box.currentText() == text)


def write(wiring, title: str, path, *, root: str = "", library: str = "") -> str:
    """Write the tree by clicks, and return the text of the file, which the dialog has shown before."""
    dialog = open_dialog(wiring)
    click_format(dialog, title)
    if library:
        choose_in(dialog.form.widget("library"), library)
    choose_in(dialog.form.widget("root"), f"Below {root}" if root else "All")
    assert dialog.file_text.isVisible()
    assert not dialog.preview.isVisible()
    preview = dialog.file_text.whole
    with naming(path):
        click(dialog.export_button)
    assert f"Exported {path.name}" in ended(wiring)
    text = path.read_text("utf-8")
    assert text == preview
    return text


def matrix_of(position, quaternion) -> np.ndarray:
    M = np.eye(4)
    M[:3, :3], M[:3, 3] = Rotation.from_quat(quaternion).as_matrix(), position
    return M


def check(found: dict[str, tuple[str, np.ndarray]]) -> None:
    assert {name: parent for name, (parent, _) in found.items()} == {
        name: parent for name, (parent, _) in POSES.items()
    }
    for name, (_, M) in POSES.items():
        np.testing.assert_allclose(found[name][1], M, atol=1e-9, err_msg=name)


def of_arguments(arguments: list[str]) -> tuple[str, tuple[str, np.ndarray]]:
    """Return child, parent and pose of the arguments of a static transform publisher of ROS 2."""
    values = dict(zip(arguments[::2], arguments[1::2], strict=True))
    position = [float(values[f"--{axis}"]) for axis in "xyz"]
    quaternion = [float(values[f"--q{axis}"]) for axis in "xyzw"]
    return values["--child-frame-id"], (values["--frame-id"], matrix_of(position, quaternion))


def test_that_a_mended_rig_is_written_as_launch_files(rig, tmp_path) -> None:
    python = write(rig, "Launch file, Python", tmp_path / "rig.launch.py", root="imu0")
    blocks = re.findall(r"arguments=\[(.*?)\]", python, re.DOTALL)
    check(dict(of_arguments(re.findall(r'"([^"]*)"', block)) for block in blocks))
    assert "takes points of cam0 to imu0" in python
    xml = write(rig, "Launch file, XML", tmp_path / "rig.launch.xml", root="imu0")
    check(dict(of_arguments(node.get("args").split()) for node in ET.fromstring(xml)))
    nodes = yaml.safe_load(write(rig, "Launch file, YAML", tmp_path / "rig.launch.yaml", root="imu0"))["launch"]
    check(dict(of_arguments(node["node"]["args"].split()) for node in nodes))
    ros1 = ET.fromstring(write(rig, "Launch file, ROS 1", tmp_path / "rig.launch", root="imu0"))
    found = {}
    for node in ros1:
        *numbers, parent, child = node.get("args").split()[:9]
        numbers = [float(number) for number in numbers]
        found[child] = parent, matrix_of(numbers[:3], numbers[3:])
    check(found)


def test_that_a_rig_is_written_as_robots_and_as_a_table(rig, tmp_path) -> None:
    urdf = ET.fromstring(write(rig, "Robot, URDF", tmp_path / "rig.urdf", root="imu0"))
    found = {}
    for joint in urdf.iter("joint"):
        origin = joint.find("origin")
        xyz, rpy = ([float(x) for x in origin.get(key).split()] for key in ("xyz", "rpy"))
        M = np.eye(4)
        M[:3, :3], M[:3, 3] = Rotation.from_euler("xyz", rpy).as_matrix(), xyz
        found[joint.find("child").get("link")] = joint.find("parent").get("link"), M
    check(found)
    sdf = ET.fromstring(write(rig, "Robot, SDF", tmp_path / "rig.sdf", root="imu0"))
    assert {link.get("name") for link in sdf.iter("link")} >= {"cam0", "cam1"}
    table = write(rig, "Table of the tree, CSV", tmp_path / "rig.tree.csv", root="imu0")
    rows = csv.DictReader(io.StringIO(table))
    check(
        {
            row["frame"]: (
                row["parent"],
                matrix_of([float(row[k]) for k in "xyz"], [float(row[f"q{k}"]) for k in "xyzw"]),
            )
            for row in rows
        }
    )


def test_that_a_rig_is_written_as_code_for_a_chosen_library(rig, tmp_path) -> None:
    names: dict[str, np.ndarray] = {}
    exec(compile(write(rig, "Code, Python", tmp_path / "rig.py", root="imu0"), "rig.py", "exec"), names)
    check({"cam0": ("imu0", names["X_imu0_cam0"]), "cam1": ("cam0", names["X_cam0_cam1"])})
    scipy = write(rig, "Code, Python", tmp_path / "scipy.py", root="imu0", library="SciPy")
    assert "from scipy.spatial.transform import Rotation" in scipy
    eigen = write(rig, "Code, C++", tmp_path / "rig.cpp", root="imu0", library="Eigen")
    assert "const Eigen::Isometry3d X_imu0_cam0" in eigen
    tf2 = write(rig, "Code, C++", tmp_path / "tf2.cpp", root="imu0", library="tf2")
    assert "tf2::Transform" in tf2
    assert "Eigen" not in tf2
    matlab = write(rig, "Code, MATLAB", tmp_path / "rig.m", root="imu0")
    rows = re.search(r"X_imu0_cam0 = \[(.*?)\];", matlab, re.DOTALL).group(1)
    numbers = np.array(re.findall(r"[-+\d.e]+", rows.replace("...", " ")), dtype=float).reshape(4, 4)
    np.testing.assert_allclose(numbers, POSES["cam0"][1], atol=1e-9)


def test_that_the_text_follows_the_choices_and_a_picture_has_none(rig) -> None:
    dialog = open_dialog(rig)
    click_format(dialog, "Launch file, XML")
    assert "imu0 in world" in dialog.file_text.toPlainText()
    choose_in(dialog.form.widget("root"), "Below cam0")
    assert "imu0" not in dialog.file_text.toPlainText()
    assert "cam1 in cam0" in dialog.file_text.toPlainText()
    choose_in(dialog.form.widget("root"), "Below cam1")
    assert not dialog.export_button.isEnabled()
    assert not dialog.file_text.isVisible()
    assert dialog.preview.isVisible()
    assert "no frames below cam1" in dialog.message.text()
    click_format(dialog, "Picture, PNG")
    assert not dialog.file_text.isVisible()
    assert dialog.preview.isVisible()
    strike(dialog, Key.Key_Escape)
