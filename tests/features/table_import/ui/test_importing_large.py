"""The import of large tables: the window goes on, the latest choice wins, and no frame is left out unsaid."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication, QDialog

from framescope.core.recordings.tables.mixed import MixedTable, Names
from framescope.core.scene.schema.model import Scene
from framescope.features.table_import.core.choices import MOST_FRAMES, n_sources, sources
from framescope.features.table_import.core.guess_columns import guess
from framescope.features.table_import.core.row_checks import check
from framescope.features.table_import.ui import frames_list, row_check_thread
from framescope.features.table_import.ui.import_dialog import ImportDialog
from framescope.features.table_import.ui.row_check_thread import AT_ONCE
from tests.features.table_import.ui.test_importing import choose, click
from tests.support.hands import Key, strike
from tests.support.threads import end_threads

pytestmark = pytest.mark.usefixtures("dark")


def long_table(n: int = AT_ONCE + 1) -> MixedTable:
    t = np.arange(n) * 0.01
    columns = {"t": t, "x": np.sin(t), "y": np.cos(t), "z": 0 * t}
    return MixedTable("long.csv", tuple(columns), columns, {}, n)


def crowd(n_frames: int, n_rows: int = 5) -> MixedTable:
    """Return a table in which so many frames take turns."""
    n = n_frames * n_rows
    t = np.repeat(np.arange(n_rows) * 0.1, n_frames)
    columns = {"t": t, "x": np.sin(t), "y": 0 * t, "z": 0 * t}
    names = Names(tuple(f"tag {i}" for i in range(n_frames)), np.tile(np.arange(n_frames, dtype=np.int32), n_rows))
    return MixedTable("crowd.csv", ("t", "frame", "x", "y", "z"), columns, {"frame": names}, n)


@pytest.fixture
def show(qtbot, tmp_path):
    def shown(table: MixedTable) -> ImportDialog:
        dialog = ImportDialog(tmp_path / table.name, table, Scene(), folder=tmp_path)
        qtbot.addWidget(dialog)
        dialog.show()
        with qtbot.waitExposed(dialog):
            pass
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        return dialog

    yield shown
    end_threads()


@pytest.fixture
def gate(monkeypatch):
    """Hold all checks until the gate is opened, and keep which choices they were of, and in which thread."""
    gate = threading.Event()
    gate.requested = []

    def held(table, choices, source):
        gate.requested.append((choices, QThread.currentThread()))
        assert gate.wait(20.0)
        return check(table, choices, source)

    monkeypatch.setattr(row_check_thread, "check", held)
    yield gate
    gate.set()
    end_threads()


def test_that_a_large_table_is_looked_at_beside_the_window(show, gate, qtbot) -> None:
    dialog = show(long_table())
    assert dialog.facts.text() == "Checking 20 001 rows…"
    assert dialog.bar.isVisible()
    assert not dialog.import_button.isEnabled()
    gate.set()
    qtbot.waitUntil(dialog.import_button.isEnabled)
    assert gate.requested[0][1] is not dialog.thread()
    qtbot.waitUntil(lambda: not dialog.bar.isVisible())
    assert "20 001 rows · 4 columns · 200 s at 100 Hz" in dialog.facts.text()
    click(dialog.import_button)
    assert dialog.result() == QDialog.DialogCode.Accepted


def test_that_the_latest_choice_wins(show, gate, qtbot) -> None:
    dialog = show(long_table())
    choose(dialog.form.boxes["time_unit"], "ms")
    assert len(gate.requested) <= 2
    gate.set()
    qtbot.waitUntil(dialog.import_button.isEnabled)
    end_threads()
    assert [choices.time_unit for choices, _ in gate.requested][-1] == "ms"
    assert "0.2 s at 1e+05 Hz" in dialog.facts.text()


def test_that_escape_gives_up_what_is_looked_at(show, gate) -> None:
    dialog = show(long_table())
    heard = []
    dialog.checks.checked.connect(lambda *said: heard.append(said))
    strike(dialog, Key.Key_Escape)
    assert dialog.result() == QDialog.DialogCode.Rejected
    gate.set()
    end_threads()
    QApplication.processEvents()
    assert heard == []


def test_that_frames_that_are_not_listed_are_counted_and_can_be_taken(show, qtbot) -> None:
    dialog = show(crowd(240))
    qtbot.waitUntil(lambda: dialog.frames.is_complete)
    assert len(dialog.frames.rows) == 100
    assert dialog.left_out.text() == "The first 100 of 240 are listed."
    assert dialog.import_button.text() == "Import 100 frames"
    dialog.list_all.setFocus()
    strike(dialog, Key.Key_Space)
    qtbot.waitUntil(lambda: len(dialog.frames.rows) == 240)
    assert dialog.left_out.text() == ""
    assert not dialog.list_all.isVisible()
    click(dialog.import_button)
    assert dialog.result() == QDialog.DialogCode.Accepted
    frames = dialog.edit().apply(Scene()).frames
    assert len(frames) == 240
    assert frames["tag 239"].motion.rows.value == "tag 239"


def test_that_many_frames_are_listed_some_at_a_time_and_imported_when_all_are_there(show, qtbot) -> None:
    dialog = show(crowd(90))
    choose(dialog.form.boxes["names"], "one frame in all rows")
    assert len(dialog.frames.rows) == 1
    choose(dialog.form.boxes["names"], "frame")
    assert len(dialog.frames.rows) == frames_list.AT_ONCE
    choose(dialog.form.boxes["time"], "t")
    assert not dialog.import_button.isEnabled()
    qtbot.waitUntil(dialog.import_button.isEnabled)
    assert dialog.facts.text().startswith("450 rows · 5 columns · 90 frames")
    assert dialog.import_button.text() == "Import 90 frames"
    assert [row.name.text() for row in dialog.frames.rows] == [f"tag {i}" for i in range(90)]


def test_that_a_few_frames_say_nothing_of_more(show) -> None:
    dialog = show(crowd(8))
    assert dialog.left_out.text() == ""
    assert not dialog.list_all.isVisible()


def test_that_all_frames_are_counted() -> None:
    table = crowd(MOST_FRAMES + 5)
    choices = guess(table, "crowd.csv").choices
    assert choices.names == "frame"
    assert n_sources(table, choices) == MOST_FRAMES + 5
    assert [source.label for source in sources(table, choices, 3)] == ["tag 0", "tag 1", "tag 2"]


def test_that_a_parent_is_chosen_among_all_frames(show) -> None:
    dialog = show(crowd(3))
    box = dialog.frames.rows[1].parent_box
    assert box.count() == 1
    choose(box, "tag 2")
    assert dialog.edit().apply(Scene()).frames["tag 1"].parent == "tag 2"
