"""The session and what it opens: edits that cannot be made, and scenes that are not there."""

from __future__ import annotations

import pytest

from framescope.app.importers.contents import Contents
from framescope.app.session.document import Document
from framescope.app.session.scene_lookup import find_scene
from framescope.app.session.session import Session
from framescope.core.errors import Problem, SceneError
from framescope.core.scene.edits.authored_angles import turn_to
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.files.loading import LoadedScene
from tests.support.scenes import GOOD, scene_of


@pytest.mark.parametrize("do", ["commit", "preview"])
def test_that_an_edit_of_what_is_gone_changes_nothing_and_is_said(qapp, do) -> None:
    session = Session(Document(scene_of(GOOD)))
    said = []
    session.status.connect(lambda kind, text: said.append((kind, text)))
    before = session.document.scene
    getattr(session, do)(turn_to("gone", 0, 0.3, 0.0, "Turned gone"))
    assert session.document.scene is before
    assert not session.is_previewing
    assert said == [("amber", "What was to be changed is not there any more")]
    assert not session.document.is_dirty
    session.close()


def test_that_a_gesture_ends_in_what_was_there_and_what_is_none_compiles_nothing(qapp) -> None:
    session = Session(Document(scene_of(GOOD)))
    plans = []
    session.plan_changed.connect(lambda plan, is_preview: plans.append(is_preview))
    session.cancel()
    assert plans == []
    session.preview(turn_to("gone", 0, 0.3, 0.0, "Turned gone"))
    session.cancel()  # what showed the gesture springs back
    assert plans == [False]
    session.cancel()
    assert plans == [False]
    session.close()


def test_that_hidden_files_are_not_offered_as_scenes(tmp_path) -> None:
    for name in (".settings.yaml", "arm.yaml"):
        (tmp_path / name).touch()
    with pytest.raises(SceneError) as refused:
        find_scene(str(tmp_path / "zzz.yaml"))
    assert "arm.yaml" in str(refused.value)
    assert ".settings.yaml" not in str(refused.value)


def test_that_a_bad_file_leaves_the_present_scene(qapp, tmp_path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(GOOD)
    bad.write_text(GOOD.replace("parent:", "parant:"))
    session = Session(Document(scene_of(GOOD)))
    opened, said = [], []
    session.document_opened.connect(lambda: opened.append(session.document.path))
    session.status.connect(lambda kind, text: said.append(kind))
    assert session.open("good.yaml", lambda: Document.open(good))
    assert session.plan.scene is session.document.scene == scene_of(GOOD)
    assert not session.open("bad.yaml", lambda: Document.open(bad))
    assert (opened, session.document.path, said[-1]) == ([good], good, "red")
    session.close()


def test_that_problems_of_an_imported_file_stay_until_their_items_change_or_it_is_saved(qapp, tmp_path) -> None:
    scene = scene_of(GOOD)
    name = "ring"
    whole = Problem((), "A shape is left out.", severity="note")
    of_frame = Problem(("frames", name, "orientation"), "Its rates are unknown.", severity="note")
    of_check = Problem((), "Its clock jumps.", severity="amber")
    loaded = LoadedScene(scene, tmp_path / "result.mat", "", {})
    contents = Contents(loaded, problems=(whole, of_frame, of_check))
    session = Session(Document.of_contents(contents, tmp_path))
    listed = []
    session.problems_changed.connect(lambda problems: listed.append(set(problems)))
    assert session.file_problems == contents.problems
    session.leave_to_checks([of_check])
    session.commit(set_values({("title",): "Another"}, "Title"))
    assert session.file_problems == (whole, of_frame)
    assert {whole, of_frame} <= listed[-1]
    session.commit(turn_to(name, 0, 0.3, 0.0, "Turned"))
    assert session.file_problems == (whole,)
    session.undo()
    assert session.file_problems == (whole, of_frame)
    assert session.save(tmp_path / "scene.yaml")
    assert session.file_problems == ()
    session.close()


def test_that_problems_found_by_a_feature_stay_until_it_replaces_them_or_another_document_opens(qapp) -> None:
    session = Session(Document(scene_of(GOOD)))
    told = []
    session.problems_changed.connect(lambda problems: told.append([problem.message for problem in problems]))
    late, other = Problem((), "it is late"), Problem((), "another")
    session.set_found_problems("evidence", (late,))
    session.set_found_problems("elsewhere", (other,))
    assert told == [["it is late"], ["it is late", "another"]]
    session.set_found_problems("evidence", ())
    assert told[-1] == ["another"]
    session.set_found_problems("evidence", ())
    assert len(told) == 3
    session.set_found_problems("evidence", (), is_complete=False)
    assert session.is_searching
    assert len(told) == 4
    session.set_found_problems("evidence", ())
    assert not session.is_searching
    session.set_found_problems("evidence", (late,), is_complete=False)
    assert session.open("other", lambda: Document(scene_of(GOOD)))
    assert not session.is_searching
    assert session.other_problems() == ()
    session.close()


@pytest.mark.parametrize(("angle", "plays"), [('"20*t"', True), ("20", False)])
def test_that_an_opened_scene_plays_if_something_moves_in_it(qapp, tmp_path, angle, plays) -> None:
    path = tmp_path / "arm.yaml"
    orientation = f"{{form: axis, axis: z, angle: {angle}, unit: deg}}"
    path.write_text(f"framescope: 1\nframes:\n  arm: {{parent: world, orientation: {orientation}}}\n")
    session = Session(Document.open(path))
    session.play_opened()
    assert session.playback.is_playing == plays
    session.close()


def test_that_the_first_formula_of_a_new_scene_plays_and_its_first_keyframes_do_not(qapp) -> None:
    session = Session(Document(scene_of("framescope: 1\nframes:\n  arm: {parent: world}\n")))
    turned = {"form": "axes", "sequence": "ZYX", "angles": [90, 0, 0], "unit": "deg"}
    keys = {"form": "keyframes", "keys": [{"time": "0 s"}, {"time": "2 s", "orientation": turned}]}
    session.commit(set_values({("frames", "arm", "motion"): keys}, "Keyframes"))
    assert session.plan.tree.moving
    assert not session.playback.is_playing
    session.undo()
    spun = turned | {"angles": ["36*t", 0, 0]}
    session.commit(set_values({("frames", "arm", "orientation"): spun}, "Formula"))
    assert session.playback.is_playing
    session.close()


def test_that_a_scene_that_was_not_opened_from_a_file_does_not_play(qapp) -> None:
    session = Session(Document(scene_of(GOOD)))
    session.play_opened()
    assert not session.playback.is_playing
    session.close()
