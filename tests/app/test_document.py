"""Edits, history, saving and playback: pure state, no window."""

from __future__ import annotations

import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from framescope import assets
from framescope.app.session.document import MAX_POINTS, Document, History
from framescope.app.session.playback import Playback
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits import authored_angles, base
from framescope.core.scene.files import saving
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.system.atomic_write import partial_beside, partials_of
from tests.support.scenes import GOOD, save, scene_of


def titled(scene, title):
    return scene.model_copy(update={"title": title})


def test_that_undo_gives_the_former_scene_itself_and_redo_the_later_one() -> None:
    first = scene_of(GOOD)
    history = History.of(first)
    second, third = titled(first, "2"), titled(first, "3")
    history.commit(second, "second")
    history.commit(third, "third")
    assert (history.undo_label, history.redo_label) == ("third", None)
    assert history.undo().label == "third"
    assert history.scene is second
    assert history.undo().label == "second"
    assert history.scene is first
    assert history.undo() is None
    assert history.redo().label == "second"
    history.commit(titled(first, "4"), "fourth")
    assert history.redo() is None


def test_that_an_edit_that_changes_nothing_is_no_step() -> None:
    history = History.of(scene_of(GOOD))
    history.commit(scene_of(GOOD), "same")
    assert history.undo_label is None


@given(st.integers(0, 2), st.floats(-9.0, 9.0), st.floats(0.0, 10.0))
def test_that_turning_makes_the_angle_what_was_asked_at_that_time(i, angle, t) -> None:
    scene = authored_angles.turn_to("ring", i, angle, t, "").apply(scene_of(GOOD))
    assert compile_plan(scene).angles("ring", t)[0][i] == pytest.approx(angle, abs=2e-8)


def test_that_turning_an_expression_keeps_its_course_and_resetting_takes_the_constant_off() -> None:
    scene = scene_of(GOOD)
    turned = authored_angles.turn_to("ring", 1, np.radians(40.0), 2.0, "").apply(scene)
    assert turned.frames["ring"].orientation.angles == (10.0, "5*t + 30", -20.0)
    again = authored_angles.turn_to("ring", 1, np.radians(-10.0), 2.0, "").apply(turned)
    assert again.frames["ring"].orientation.angles[1] == "5*t - 20"
    assert authored_angles.reset_angle("ring", 1, "").apply(again) == scene
    assert authored_angles.reset_angle("ring", 0, "").apply(scene).frames["ring"].orientation.angles[0] == 0.0


def test_that_changing_the_sequence_keeps_the_angles() -> None:
    scene = authored_angles.set_sequence("ring", "ZXZ").apply(scene_of(GOOD))
    assert scene.frames["ring"].orientation.sequence == "ZXZ"
    assert scene.frames["ring"].orientation.angles == (10.0, "5*t", -20.0)
    with pytest.raises(ValueError, match="sequence"):
        authored_angles.set_sequence("ring", "ZZX")


def test_that_a_scene_is_frozen() -> None:
    scene = scene_of(GOOD)
    with pytest.raises(ValueError, match="frozen"):
        scene.title = "x"
    with pytest.raises(TypeError, match="frozen"):
        scene.frames["x"] = scene.frames["ring"]
    assert isinstance(scene.frames | {}, FrozenDict)
    assert "ring" not in scene.frames.without("ring")


def test_that_saving_keeps_comments_and_order(tmp_path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(GOOD)
    document = Document.open(path)
    document.commit(authored_angles.turn_to("ring", 0, np.radians(33.0), 0.0, "turned"))
    assert document.is_dirty
    save(document, path)
    assert not document.is_dirty
    text = path.read_text()
    assert "ring:  # turns" in text
    assert 'angles: [33, "5*t", -20]' in text
    assert len(text.splitlines()) == len(GOOD.splitlines())
    assert load_scene(path).scene == document.scene


def test_that_saving_elsewhere_takes_the_files_along(tmp_path) -> None:
    document = Document.open(assets.path("scenes/demo.yaml"))
    assert document.is_example
    before = compile_plan(document.scene, document.folder).problems
    save(document, tmp_path / "mine.yaml")
    assert (tmp_path / "freiburg1_xyz.txt").is_file()
    assert not document.is_example
    assert compile_plan(document.scene, document.folder).problems == before
    assert {problem.severity for problem in before} <= {"note"}  # of a gap in the recording


def test_that_consent_to_a_relative_name_ends_in_another_folder(tmp_path) -> None:
    (tmp_path / "here").mkdir()
    document = Document(scene_of(GOOD))
    save(document, tmp_path / "here" / "mine.yaml")
    document.allow({"../walk.csv", str(tmp_path / "walk.csv")})
    save(document, tmp_path / "here" / "again.yaml")
    assert document.access.allows("../walk.csv")
    save(document, tmp_path / "mine.yaml")
    assert not document.access.allows("../walk.csv")
    assert document.access.allows(str(tmp_path / "walk.csv"))


def test_that_a_crash_while_saving_leaves_the_old_file(tmp_path, monkeypatch) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(GOOD)
    document = Document.open(path)
    document.commit(authored_angles.set_sequence("ring", "ZXZ"))

    def fail(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        save(document, path)
    assert path.read_text() == GOOD
    assert [item.name for item in tmp_path.iterdir()] == ["scene.yaml"]
    assert document.is_dirty


def test_that_permissions_of_a_saved_file_stay(tmp_path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(GOOD)
    path.chmod(0o640)
    saving.write_atomically(path, GOOD)
    assert path.stat().st_mode & 0o777 == 0o640
    shutil.copy(path, tmp_path / "copy.yaml")


@pytest.mark.skipif(sys.platform == "win32", reason="modes are of POSIX")
def test_that_new_files_have_the_usual_mode_though_threads_write_at_once(tmp_path) -> None:
    before = os.umask(0o027)
    try:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda i: saving.write_atomically(tmp_path / f"{i}.yaml", GOOD), range(200)))
        assert os.umask(0o027) == 0o027, "asking for it would have changed it"
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o640}


def test_that_the_clock_plays_loops_and_stops() -> None:
    clock = Playback(start=1.0, end=5.0, t=1.0)
    assert clock.advance(2.0) is clock
    playing = clock.toggle()
    assert playing.advance(1.5).t == 2.5
    assert playing.advance(5.0).t == pytest.approx(2.0)
    once = Playback(1.0, 5.0, 4.0, is_playing=True, is_looping=False).advance(3.0)
    assert (once.t, once.is_playing) == (5.0, False)
    assert once.toggle().t == 1.0
    assert Playback(1.0, 5.0, 2.0, is_playing=True, speed=0.5).advance(1.0).t == 2.5
    assert Playback(1.0, 5.0, 2.0).at(9.0).t == 5.0
    assert Playback(1.0, 5.0, 2.0, is_playing=True).step(-1).is_playing is False
    assert Playback(1.0, 5.0, 4.5).with_range(0.0, 3.0).t == 3.0


def test_that_a_long_history_drops_its_oldest_points_in_order() -> None:
    history = History.of(titled(scene_of(GOOD), "0"))
    for i in range(1, MAX_POINTS + 6):
        history.commit(titled(history.scene, str(i)), f"edit {i}")
    while history.undo() is not None:
        pass
    assert history.scene.title == "5"


def test_that_another_file_of_the_same_name_is_not_taken_for_the_recording(tmp_path) -> None:
    (tmp_path / "freiburg1_xyz.txt").write_text("somebody else's")
    document = Document.open(assets.path("scenes/demo.yaml"))
    with pytest.raises(FileExistsError, match="another file called freiburg1_xyz"):
        save(document, tmp_path / "mine.yaml")
    assert [item.name for item in tmp_path.iterdir()] == ["freiburg1_xyz.txt"]


def test_that_a_read_only_file_is_not_replaced(tmp_path, monkeypatch) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(GOOD)
    monkeypatch.setattr(os, "access", lambda *args: False)  # the superuser may write everywhere
    with pytest.raises(PermissionError, match="read-only"):
        saving.write_atomically(path, "framescope: 1\n")
    assert path.read_text() == GOOD


@pytest.mark.parametrize(
    "name", ["a" * 250 + ".yaml", "\u00e4" * 125 + ".yaml", "\N{KITE}" * 62 + ".json", "b." + "c" * 253]
)
def test_that_a_name_as_long_as_names_may_be_can_be_saved(name, tmp_path) -> None:
    assert len(os.fsencode(name)) in range(253, 256)
    path = tmp_path / name
    document = Document.new()
    save(document, path)
    assert document.path == path
    assert load_scene(path).scene == document.scene
    document.commit(base.Edit("Called it", lambda scene: titled(scene, "again")))
    save(document, path)
    assert load_scene(path).scene.title == "again"
    assert list(tmp_path.iterdir()) == [path]
    with partial_beside(path) as partial:
        assert partials_of(path) == {partial}
    assert partials_of(path) == set()


def test_that_a_line_is_named_only_of_what_is_in_the_file(tmp_path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(GOOD, encoding="utf-8")
    document = Document.open(path)
    own, new = (Problem(("frames", name, "parent"), "wrong.") for name in (next(iter(document.scene.frames)), "new"))
    assert document.locate(own).line is not None
    assert document.locate(new).line is None
    unsaved = Document.new()
    of_unsaved = Problem(("frames", next(iter(unsaved.scene.frames)), "parent"), "wrong.")
    assert unsaved.locate(of_unsaved).line is None
