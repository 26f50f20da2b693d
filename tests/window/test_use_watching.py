"""Files that another program writes while they are open: told, never overwritten unasked, and read again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core.scene.files.loading import load_scene
from tests.features.table_import.ui.test_importing import columns, write_csv
from tests.support.cases import for_each
from tests.support.hands import CTRL, Key
from tests.support.scenes import GOOD
from tests.support.whole_window import answering, click, from_menu, press_button, strike_in, wait_until_saved
from tests.window.test_use_files import state, turn

pytestmark = pytest.mark.usefixtures("dark")
THEIRS = GOOD.replace("title: Test", "title: Theirs")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    return path


@pytest.fixture
def good(shared_window, path):
    return shared_window(path)


def replaced(path, text: str) -> None:
    """Write a file as editors do: another one, put in its place."""
    made = path.with_suffix(".new")
    made.write_text(text)
    made.replace(path)


@for_each("write", [Path.write_text, replaced])
def test_that_a_scene_which_another_program_writes_is_offered_and_reloaded(good, path, qtbot, write) -> None:
    write(path, GOOD)
    good.open(path)
    status = good.window.status
    before = good.session.document.scene
    good.session.scrub(1.5)
    good.session.end_scrub()
    for title in ("Theirs", "Once more"):
        write(path, GOOD.replace("title: Test", f"title: {title}"))
        qtbot.waitUntil(lambda: "changed by another program" in status.message, timeout=10_000)
        assert good.session.document.scene.title != title
        click(status.offer_button)
        assert good.session.document.scene.title == title
        assert not good.session.document.is_dirty
        assert good.session.playback.t == 1.5
    good.session.undo()
    good.session.undo()
    assert good.session.document.scene == before
    assert good.session.document.is_dirty
    good.session.redo()
    good.session.redo()


def test_that_saving_over_what_another_program_wrote_is_asked_first(good, path) -> None:
    turn(good)
    mine = good.session.document.scene
    path.write_text(THEIRS)
    with answering(press_button("No")):
        strike_in(good, Key.Key_S, CTRL)
    assert path.read_text() == THEIRS
    assert good.session.document.is_dirty
    with answering(press_button("Yes")):
        strike_in(good, Key.Key_S, CTRL)
    wait_until_saved(good)
    assert load_scene(path).scene == mine
    turn(good, -10.0)
    strike_in(good, Key.Key_S, CTRL)  # nobody else wrote it since
    wait_until_saved(good)
    assert load_scene(path).scene == good.session.document.scene


def test_that_reloading_is_undone_and_what_is_no_scene_changes_nothing(good, path) -> None:
    turn(good)
    mine = good.session.document.scene
    path.write_text(THEIRS)
    strike_in(good, Key.Key_F5)
    assert good.session.document.scene.title == "Theirs"
    from_menu(good, "Edit", "Undo: Reloaded good.yaml")
    assert good.session.document.scene == mine
    path.write_text("framescope: 1\nframes: [\n")
    before = state(good)
    strike_in(good, Key.Key_F5)
    assert "is not reloaded" in good.window.status.message
    assert state(good) == before


def test_that_a_removed_scene_is_said_and_saved_anew(good, path, qtbot) -> None:
    path.unlink()
    qtbot.waitUntil(lambda: "was removed by another program" in good.window.status.message, timeout=10_000)
    strike_in(good, Key.Key_S, CTRL)
    wait_until_saved(good)
    assert load_scene(path).scene == good.session.document.scene


def test_that_a_new_scene_has_nothing_to_reload(good) -> None:
    good.files.new()
    strike_in(good, Key.Key_F5)
    assert "no file yet" in good.window.status.message


def test_that_a_recording_which_another_program_writes_is_read_again(open_window, tmp_path, qtbot) -> None:
    path = write_csv(tmp_path / "walk.csv")
    scene = tmp_path / "walk.yaml"
    scene.write_text(
        "framescope: 1\ntime: {end: 3 s}\nframes:\n  walk:\n    parent: world\n    motion: {form: recorded, "
        "file: walk.csv, format: table, bandwidth: 4 Hz, columns: {time: t, time_unit: s, position: [x, y, z], "
        "position_unit: m, orientation: {form: quaternion, columns: [qx, qy, qz, qw], order: xyzw}}}\n"
    )
    wiring = open_window(scene)
    assert [problem for problem in wiring.session.problems if problem.severity == "red"] == []
    before = wiring.session.snapshot.p_WF[1].copy()
    write_csv(path, values=columns() + np.array([0, 5.0, 0, 0, 0, 0, 0, 0]))
    qtbot.waitUntil(lambda: "walk.csv has changed" in wiring.window.status.message, timeout=10_000)
    np.testing.assert_allclose(wiring.session.snapshot.p_WF[1] - before, [5.0, 0, 0], atol=1e-6)
    path.unlink()
    qtbot.waitUntil(lambda: any(problem.severity == "red" for problem in wiring.session.problems), timeout=10_000)
    write_csv(path)
    qtbot.waitUntil(lambda: not any(p.severity == "red" for p in wiring.session.problems), timeout=10_000)
    np.testing.assert_allclose(wiring.session.snapshot.p_WF[1], before, atol=1e-9)
