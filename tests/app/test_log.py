"""The log, its view, and the bundle of a bug report, in which nothing personal stands."""

from __future__ import annotations

import json
import logging
import sys
import threading
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from framescope.app.storage.app_directories import log_folder
from framescope.app.storage.bug_report import MAX_LINES, BugReport, contents, without_homes, write_report
from framescope.app.storage.log import FILE, MAX_FEED_LINES, Log, status_logger
from framescope.app.storage.settings import Settings
from framescope.ui.help.log_lines import LogLine
from framescope.ui.help.log_view import LogView
from tests.support.hands import Key, focus, strike

logger = logging.getLogger("framescope.app.something")


@pytest.fixture
def log(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr(threading, "excepthook", lambda *_: None)
    log = Log(tmp_path / "log")
    yield log
    log.close()


def line(text: str, level: str = "info") -> LogLine:
    return LogLine(datetime(2026, 5, 4, tzinfo=UTC), level, "app.x", text)


def test_that_what_is_logged_is_kept_told_and_written(log):
    told = []
    log.feed.added.connect(told.append)
    logger.info("opened %s", "demo.yaml")
    logger.debug("not so much")
    logging.getLogger("another.library").error("not ours")

    assert [(one.level, one.source, one.text) for one in log.feed.lines] == [
        ("info", "app.something", "opened demo.yaml")
    ]
    assert told == list(log.feed.lines)
    assert "opened demo.yaml" in log.file.read_text()


def test_that_an_exception_nobody_has_caught_is_logged_with_its_traceback(log):
    try:
        int("what went wrong")
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)

    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()

    first, second = log.feed.lines
    assert first.level == "error"
    assert "Traceback" in first.text
    assert "what went wrong" in first.text
    assert "ZeroDivisionError" in second.text


def test_that_memory_and_file_stay_bounded(log):
    (handler,) = (each for each in logging.getLogger("framescope").handlers if isinstance(each, logging.FileHandler))
    handler.maxBytes = 2000
    for i in range(MAX_FEED_LINES + 50):
        logger.info("line %d", i)

    assert len(log.feed.lines) == MAX_FEED_LINES
    assert log.feed.lines[-1].text == f"line {MAX_FEED_LINES + 49}"
    assert sorted(path.name for path in log.file.parent.iterdir()) == [FILE, f"{FILE}.1", f"{FILE}.2"]


def test_that_a_place_that_cannot_be_written_costs_the_file_alone(qapp, tmp_path):
    (tmp_path / "file").write_text("")
    log = Log(tmp_path / "file" / "below")
    try:
        assert log.file is None
        assert log.feed.lines[0].level == "warning"
        logger.info("goes on")
        assert log.feed.lines[-1].text == "goes on"
    finally:
        log.close()


def test_that_the_log_lies_in_the_place_of_the_platform_and_leaves_no_trace_when_closed(qapp, settings_of_its_own):
    before = list(logging.getLogger("framescope").handlers)
    log = Log()
    assert log.file.is_relative_to(log_folder())
    assert log.file.is_relative_to(settings_of_its_own)
    log.close()

    assert logging.getLogger("framescope").handlers == before


def test_that_the_status_line_is_logged_by_its_gravity(log):
    say = status_logger()
    say("red", "It is not opened: 100 % wrong")
    say("good", "Saved")

    assert [(one.level, one.text) for one in log.feed.lines] == [
        ("error", "It is not opened: 100 % wrong"),
        ("info", "Saved"),
    ]


# The bundle


def test_that_the_bundle_has_what_is_needed_and_no_home(qapp, tmp_path):
    home = str(Path.home())
    lines = tuple(line(f"line {i} of {home}/secret/file.csv") for i in range(MAX_LINES + 20))
    report = BugReport("llvmpipe", Settings().summary(), lines, f"title: {home}/x\nsource: /home/ada/y\n", b"png")
    path = tmp_path / "report.zip"

    write_report(report, path)

    with zipfile.ZipFile(path) as bundle:
        files = {name: bundle.read(name) for name in bundle.namelist()}
    assert set(files) == {"README.txt", "about.json", "log.txt", "scene.yaml", "window.png"}
    about = json.loads(files["about.json"])
    assert about["renderer"] == "llvmpipe"
    assert about["packages"]["numpy"][0].isdigit()
    assert about["qt"].startswith("6.")
    assert about["settings"]["theme"] == "dark"
    log = files["log.txt"].decode()
    assert len(log.splitlines()) == MAX_LINES
    assert log.splitlines()[-1].endswith(f"line {MAX_LINES + 19} of ~/secret/file.csv")
    assert files["scene.yaml"] == b"title: ~/x\nsource: ~/y\n"
    whole = b"".join(files[name] for name in files if name != "window.png").decode()
    assert home not in whole
    assert "ada" not in files["scene.yaml"].decode()


def test_that_scene_and_picture_are_in_it_only_when_asked_for(qapp):
    assert set(contents(BugReport())) == {"README.txt", "about.json", "log.txt"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"C:\Users\Ada Lovelace\x", r"~ Lovelace\x"),
        (r"'C:\\Users\\Ada\\x'", r"'~\\x'"),
        ("file:///Users/ada/x.yaml", "file://~/x.yaml"),
        ("/srv/people/ada/x and /srv/people/adam/x", "~/x and /srv/people/adam/x"),
        ("no path at all", "no path at all"),
    ],
)
def test_that_homes_of_all_platforms_are_taken_out(text, expected):
    assert without_homes(text, Path("/srv/people/ada")) == expected


def test_that_a_bundle_that_cannot_be_written_leaves_nothing(qapp, tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        write_report(BugReport(), tmp_path / "nowhere" / "report.zip")


# The view


@pytest.fixture
def view(desk, dark):
    desk.resize(700, 400)
    view = desk.put(LogView())
    view.set_lines([line("all is well"), line("hm", "warning"), line("broken\nin two lines", "error")])
    return view


def test_that_lines_are_filtered_by_level_with_the_keyboard(view):
    assert view.count.text() == "3 of 3 lines"
    focus(view.level)
    strike(view, Key.Key_Down)
    assert [one.level for one in view.visible_lines()] == ["warning", "error"]
    assert "all is well" not in view.text.toPlainText()
    view.add(line("one more"))
    assert "one more" not in view.text.toPlainText()
    assert view.count.text() == "2 of 4 lines"
    strike(view, Key.Key_Up)
    assert view.text.toPlainText().endswith("one more")


def test_that_what_is_shown_is_copied(view):
    QTest.mouseClick(view.copy, Qt.MouseButton.LeftButton)

    assert QGuiApplication.clipboard().text() == "\n".join(map(str, view.visible_lines()))


def test_that_a_bundle_is_asked_for_with_what_is_ticked(view):
    asked = []
    view.bundle_requested.connect(lambda *what: asked.append(what))
    QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
    focus(view.with_scene)
    strike(view, Key.Key_Space)
    QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)

    assert asked == [(False, False), (True, False)]


def test_that_an_empty_log_says_so(view):
    view.set_lines([])

    assert view.count.text() == "Nothing is logged yet"
    assert not view.copy.isEnabled()
