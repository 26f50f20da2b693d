"""Hostile names in bags, on terminals, in scenes, pages and tables; hostile names of files in written code."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import Qt
from PySide6.QtWidgets import QApplication

from framescope.app.cli.main import app
from framescope.core.scene.files.loading import load_scene
from framescope.features.bags.core.bag import Channel
from framescope.features.bags.ui.bag_dialog import BagImportDialog
from framescope.features.detective.core.axis_changes import IDENTITY
from framescope.features.detective.core.conversion import LABELS, conversion_code
from framescope.features.detective.core.hypotheses import Hypothesis
from framescope.features.detective.core.interpretations import Interpretation
from tests.support.bags import START_NS, Other, drive, write_ros1, write_ros2
from tests.support.command_line import CliRunner

FORGED = "/forged.bag: red: Two parents: base_link"
NAMES = {
    "markup": "/</script></style><!--]]><img src=x onerror=alert(1)>'\"`&amp;{{x}}${y}",
    "formula": "=1+1 @x",
    "line breaks": f"/a\n{FORGED}\r\n{FORGED}\u2028{FORGED}\x85{FORGED}",
    "escapes": "/\x1b[31mred\x9b2J\x07\x00",
    "right to left": "/\u202egpj.x\u2066\u200b",
    "long": "/" + "x" * 5000,
}
POSE = ("geometry_msgs/msg/Pose", {
    "position": ("geometry_msgs/msg/Point", {"x": 0.0, "y": 1.0, "z": 2.0}),
    "orientation": ("geometry_msgs/msg/Quaternion", {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}),
})  # fmt: skip
every_name = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)


def poses_on(topic: str, frame: str = "map") -> list[Other]:
    fields = {"header": ("header", frame), "pose": POSE}
    return [Other(START_NS + i * 100_000_000, topic, "geometry_msgs/msg/PoseStamped", fields) for i in range(10)]


def run(*arguments: str):
    done = CliRunner().invoke(app, list(arguments))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "error in Framescope" not in done.output
    lines = done.output.split("\n")
    assert all(mark.isprintable() for line in lines for mark in line), ascii(done.output)
    assert not any(line.startswith(FORGED) for line in lines), done.output
    assert max(map(len, lines)) < 2000 or arguments[1] == "--json"
    return done


@pytest.mark.long
@every_name
@pytest.mark.parametrize("where", ["topic", "frame", "sender"])
def test_that_a_name_in_a_bag_is_a_text_in_all_that_is_made_of_it(tmp_path, name, where) -> None:
    if where == "sender":
        path = write_ros1(tmp_path / "drive.bag", [replace(each, publisher=name) for each in poses_on("/a")])
    else:
        sent = poses_on(name) if where == "topic" else [*drive(seconds=0.5, hz=10.0), *poses_on("/pose", name)]
        path = write_ros2(tmp_path / "drive", sent, storage="MCAP")
    run("check", str(path))
    json.loads(run("check", "--json", str(path)).stdout)
    scene, page, table = (tmp_path / f"made.{ending}" for ending in ("yaml", "html", "csv"))
    done = run("import", str(path), "--out", str(scene))
    if where == "topic" and len(name) > 200:
        assert "its name has 5,001 characters" in done.output
        assert not scene.exists()
        return
    assert load_scene(scene).scene.frames
    run("check", str(scene))
    assert run("export", "--with-problems", str(scene), str(page)).exit_code == 0
    assert "<img src=x" not in page.read_text("utf-8")
    assert run("export", "--with-problems", str(scene), str(table), "--fps", "2").exit_code == 0
    cells = [cell for row in csv.reader(table.read_text("utf-8").splitlines()) for cell in row]
    assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in cells)


@pytest.mark.window
@every_name
def test_that_the_dialog_of_a_bag_shows_a_name_in_one_row_and_opens_the_topic(qtbot, name) -> None:
    dialog = BagImportDialog(name, [Channel(name, "geometry_msgs/PoseStamped", "cdr", count=3, publisher=name)], (0, 1))
    qtbot.addWidget(dialog)
    dialog.show()
    QApplication.processEvents()
    assert dialog.choices.topics == (name,)
    item = dialog.topics.topLevelItem(0)
    for text in (item.text(0), dialog.heading.text()):
        assert text.isprintable()
        assert len(text) < 300
    assert dialog.width() < 1200
    assert "<img" not in item.toolTip(0) or not Qt.mightBeRichText(item.toolTip(0))


HYPOTHESIS = Hypothesis(
    Interpretation("quaternion", "wxyz"), Interpretation("quaternion", "xyzw"), False, IDENTITY, IDENTITY
)
CODED = {
    **NAMES,
    "statement": "a.csv\nraise SystemExit('run')\n#",
    "ends of comments": "*/ int x; /* */ end %} =# \"\"\" ''' \\",
    "encoding": "a # -*- coding: utf-7 -*- +AAo-raise SystemExit",
}


@pytest.mark.parametrize("name", CODED.values(), ids=CODED)
@pytest.mark.parametrize("target", LABELS)
def test_that_a_name_in_written_code_stays_in_its_comment(name: str, target: str) -> None:
    plain = conversion_code(HYPOTHESIS, target).split("\n")
    code = conversion_code(HYPOTHESIS, target, name, name)
    lines = code.splitlines()
    mark = plain[0].partition(" ")[0]
    assert all(line.startswith(f"{mark} ") and line.endswith(".") for line in lines[:2])
    assert lines[2:] == plain[2:-1]
    assert all(letter.isprintable() or letter == "\n" for letter in code)
    assert max(map(len, lines[:2])) < 300
    if target == "numpy":
        scope: dict[str, object] = {}
        exec(compile(code.encode(), "made", "exec"), scope)
        assert np.allclose(scope["b_from_a"]([0.8, 0.0, 0.0, 0.6]), [0.0, 0.0, 0.6, 0.8])
