"""Slips of readers: whatever a reader raises, the window stands and reports it, and a command ends with a sentence."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from framescope.app.cli import common
from framescope.app.cli.main import app
from framescope.app.controllers import file_controller
from framescope.app.importers import registry
from framescope.app.importers.contents import Contents, Stream
from framescope.app.importers.registry import IMPORTERS, Importer
from framescope.app.session import session
from framescope.app.storage import app_directories
from framescope.core.scene.schema.model import Scene
from framescope.ui.dialogs.read_thread import ReadProgressDialog
from tests.support import toy_importer
from tests.support.command_line import CliRunner
from tests.support.hands import CTRL, Key
from tests.support.processes import with_descendants
from tests.support.scenes import GOOD
from tests.support.whole_window import answering, click, drop_files, name_file, strike, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")


def deeper(n: int = 0) -> int:
    return deeper(n + 1) + 1


def out_of_memory() -> None:
    raise MemoryError


def from_the_disk() -> None:
    raise OSError(5, "Input/output error")


SLIPS: dict[str, Callable[[], object]] = {
    "KeyError: 'elbow'": lambda: {}["elbow"],
    "RecursionError": deeper,
    "does not fit into the memory": out_of_memory,
    "UnicodeDecodeError": b"\xff".decode,
    "IndexError: list index": lambda: list(SLIPS)[100],
    "AttributeError": lambda: None.elbow,
    "ValidationError": lambda: Scene.model_validate({"frames": 3}),
    "cannot be read: Input/output error": from_the_disk,
}
"""What a reader does, by what is said of it."""

NOT_OURS = ("does not fit into the memory", "cannot be read: Input/output error")
"""What is no error of the program, and not logged."""

every_slip = pytest.mark.parametrize("said", SLIPS)
some_slips = pytest.mark.parametrize("said", list(SLIPS)[:3])


@pytest.fixture
def cart(said, tmp_path, monkeypatch) -> Path:
    """Give a file whose reader slips."""

    def read(_path: Path) -> Contents:
        SLIPS[said]()
        raise AssertionError("it did not slip")

    toy = Importer("toys", (".toy",), toy_importer.recognizes, read, is_scene=True)
    monkeypatch.setattr(registry, "IMPORTERS", (toy, *IMPORTERS))
    path = tmp_path / "cart.toy"
    path.write_text("toy\nwheel 1 0 0\n")
    return path


@pytest.fixture
def good(shared_window, tmp_path):
    (tmp_path / "good.yaml").write_text(GOOD)
    return shared_window(tmp_path / "good.yaml")


def assert_reported(wiring, said: str) -> None:
    """Assert that a slip is in a report and in the status line, with the file that it was of."""
    report = wiring.reports.report
    messages = [f"{report.heading.text()}: {problem.message}" for problem in report.list.problems]
    assert any(said in message and "cart.toy" in message for message in messages), messages
    assert "cart.toy" in wiring.window.status.message


@every_slip
def test_that_a_slip_opens_the_window_on_an_empty_scene_with_a_report(said, cart, open_window, caplog) -> None:
    wiring = open_window(cart)
    assert wiring.session.document.path is None
    assert list(wiring.session.document.scene.frames) == ["frame 1"]
    assert_reported(wiring, said)
    assert any("Traceback" in record.message for record in caplog.records) == (said not in NOT_OURS)


@some_slips
def test_that_a_slip_leaves_the_scene_that_stands_and_is_reported(said, cart, good) -> None:
    before = good.session.document
    assert drop_files(good, cart)
    assert_reported(good, said)
    good.reports.report.close()
    wait_for(good.window.isActiveWindow)
    with answering(name_file(cart)):
        strike_in(good, Key.Key_O, CTRL)
    assert_reported(good, said)
    assert good.session.document is before


@some_slips
def test_that_a_slip_in_an_import_is_shown_where_the_progress_was(said, cart, good, qtbot) -> None:
    shown: list[str] = []

    def close(dialog) -> None:
        wait_for(lambda: dialog.label.text() == "cart.toy is not read")
        shown.extend(label.text() for label in dialog.message.findChildren(QLabel))
        click(dialog.cancel)

    with answering(name_file(cart), close):
        strike_in(good, Key.Key_I, CTRL)
        wait_for(lambda: bool(shown))
    assert any(said in text for text in shown)
    qtbot.waitUntil(lambda: good.window.findChild(ReadProgressDialog) is None)


@every_slip
def test_that_a_slip_in_a_command_is_a_sentence_with_an_exit_status(said, cart, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(app_directories, "log_folder", lambda: tmp_path / "state")
    monkeypatch.setattr(logging.getLogger("framescope"), "handlers", [])
    out = str(tmp_path / "out.html")
    for words in (["check"], ["check", "--deep", "--json"], ["export", out], ["evaluate"]):
        result = CliRunner().invoke(app, [words[0], str(cart), *words[1:]])
        assert result.exit_code == 2, words
        assert said in result.stderr
        assert "Traceback" not in result.output
    logged = tmp_path / "state" / "framescope.log"
    assert logged.exists() == (said not in NOT_OURS)
    assert not logged.exists() or logged.read_text(encoding="utf-8").count("Traceback") >= 4


def test_that_an_error_of_a_command_itself_is_a_sentence(tmp_path, monkeypatch) -> None:
    def fail(*_told: object) -> None:
        raise KeyError("elbow")

    monkeypatch.setattr(common, "all_problems", fail)
    monkeypatch.setattr(app_directories, "log_folder", lambda: tmp_path)
    monkeypatch.setattr(logging.getLogger("framescope"), "handlers", [])
    result = CliRunner().invoke(app, ["check", "demo"])
    assert result.exit_code == common.EXIT_SLIP
    assert "This is an error of Framescope (KeyError: 'elbow'). Please report it." in result.stderr
    assert f"The details are in {tmp_path / 'framescope.log'}." in result.stderr
    assert "Traceback" not in result.output


def test_that_a_slip_in_a_table_is_a_sentence_of_the_command_that_imports(tmp_path, monkeypatch) -> None:
    """What is in a file is read late."""
    late = Contents(recordings=(Stream("cart.toy", lambda: {}["elbow"]),))
    toy = Importer("toys", (".toy",), toy_importer.recognizes, lambda _path: late, is_table=True)
    monkeypatch.setattr(registry, "IMPORTERS", (toy, *IMPORTERS))
    monkeypatch.setattr(logging.getLogger("framescope"), "handlers", [logging.NullHandler()])
    path = tmp_path / "cart.toy"
    path.write_text("toy\n")
    result = CliRunner().invoke(app, ["import", str(path)])
    assert result.exit_code == 2
    assert "KeyError: 'elbow'" in result.output


def test_that_a_slip_in_telling_what_a_file_is_is_reported(good, tmp_path, monkeypatch) -> None:
    def recognizes(_head: bytes, _size: int) -> bool:
        raise KeyError("elbow")

    toy = Importer("toys", (".toy",), recognizes, toy_importer.read, is_scene=True)
    monkeypatch.setattr(registry, "IMPORTERS", (toy, *IMPORTERS))
    path = tmp_path / "cart.toy"
    path.write_text("toy\n")
    assert drop_files(good, path)
    assert "KeyError: 'elbow'" in good.window.status.message


def test_that_a_slip_in_a_reload_leaves_the_scene(good, monkeypatch) -> None:
    def read(_path: Path):
        raise KeyError("elbow")

    before = good.session.document.scene
    monkeypatch.setattr(file_controller, "load_with_all_faults", read)
    strike(good.window, Key.Key_F5)
    assert good.session.document.scene is before
    assert any("KeyError: 'elbow'" in problem.message for problem in good.reports.report.list.problems)


def test_that_a_slip_while_a_scene_is_compiled_opens_an_empty_one(open_window, tmp_path, monkeypatch) -> None:
    def slip(scene: Scene, **options: object):
        if scene.title == "slip":
            raise KeyError("elbow")
        return compile_plan(scene, **options)

    compile_plan = session.compile_plan
    monkeypatch.setattr(session, "compile_plan", slip)
    path = tmp_path / "cart.toy.yaml"
    path.write_text("framescope: 1\ntitle: slip\nframes: {a: {parent: world}}\n")
    wiring = open_window(path)
    assert list(wiring.session.document.scene.frames) == ["frame 1"]
    assert_reported(wiring, "KeyError: 'elbow'")


@pytest.mark.process
def test_that_a_model_that_takes_long_is_told_in_the_window_and_can_be_cancelled(open_window, tmp_path, qtbot) -> None:
    pytest.importorskip("mujoco")
    rows = '<replicate count="140" offset="1 0 0">' * 2 + '<geom size=".1"/>' + "</replicate>" * 2
    path = tmp_path / "rows.xml"
    path.write_text(f"<mujoco><worldbody>{rows}</worldbody></mujoco>")
    wiring = open_window(path)
    dialog = wiring.window.findChild(ReadProgressDialog)
    assert (dialog.windowTitle(), dialog.label.text()) == ("Open rows.xml", "Reading rows.xml…")
    children = set(with_descendants(os.getpid()))
    click(dialog.cancel)
    qtbot.waitUntil(lambda: wiring.window.findChild(ReadProgressDialog) is None)
    qtbot.waitUntil(lambda: not any("mjcf.child" in command_of(pid) for pid in children), timeout=20_000)
    assert list(wiring.session.document.scene.frames) == ["frame 1"]


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")
    except OSError:
        return ""
