"""Records of documents with their history, for a process that continues with them."""

from __future__ import annotations

import json

import pytest

from framescope.app.session import document_record
from framescope.app.session.document import Document
from framescope.app.session.document_record import read_record, write_record
from framescope.core.errors import SceneError
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.items import ItemEdit
from framescope.core.scene.files.loading import parse_scene
from tests.support.scenes import GOOD

CONE, ARM = ("frames", "ring"), ("frames", "arm")


def titled(text: str) -> Edit:
    return Edit(f"Title {text}", lambda scene: scene.model_copy(update={"title": text}))


def carried(document: Document) -> Document:
    return read_record(json.loads(json.dumps(write_record(document))))


def steps(document: Document) -> list[tuple[str, str, object, object, bool]]:
    """Walk through the whole history of a document: to its first scene, to its last one, and back to the present."""
    history, walk = document.history, []
    n = len(history.future)
    while point := history.undo():
        walk.append(("undo", point.label, point.before, document.scene, document.is_dirty))
    while point := history.redo():
        walk.append(("redo", point.label, point.after, document.scene, document.is_dirty))
    for _ in range(n):
        history.undo()
    return walk


@pytest.fixture
def edited(tmp_path) -> Document:
    """Return a document with a saved step, unsaved steps and undone ones."""
    path = tmp_path / "good.yaml"
    path.write_text("# what it is about\n" + GOOD)
    document = Document.open(path)
    document.commit(titled("saved"), (CONE,))
    document.take_written(document.writing(path)())
    document.commit(ItemEdit("Item", titled("items").apply, (ARM, CONE)), (CONE, ARM))
    for text in "abc":
        document.commit(titled(text), (ARM,))
    document.history.undo()
    document.history.undo()
    return document


def test_that_every_step_is_as_it_was(edited) -> None:
    again = carried(edited)
    assert again.scene == edited.scene
    assert (again.history.undo_label, again.history.redo_label) == ("Title a", "Title b")
    assert again.path == edited.path
    assert steps(again) == steps(edited)
    assert len(steps(again)) == 8
    assert again.history.undo().label == "Title a"


def test_that_the_file_can_be_saved_as_it_was_before(edited, tmp_path) -> None:
    again = carried(edited)
    for document in (edited, again):
        while document.history.undo():
            pass
    assert not again.is_overtaken
    texts = [document.writing(tmp_path / "copy.yaml")().text for document in (edited, again)]
    assert texts == ["# what it is about\n" + GOOD] * 2


def test_that_a_file_that_another_program_wrote_is_still_overtaken(edited) -> None:
    edited.path.write_text(GOOD.replace("title:", "title: another"))
    assert carried(edited).is_overtaken


def test_that_a_new_scene_has_its_steps_and_no_file() -> None:
    document = Document.new()
    document.commit(titled("a"))
    again = carried(document)
    assert (again.path, again.is_dirty, again.history.undo_label) == (None, True, "Title a")
    assert steps(again) == steps(document)


def test_that_a_scene_made_of_another_file_keeps_its_name_and_what_was_reported(tmp_path) -> None:
    robot = tmp_path / "arm.urdf"
    robot.write_text('<robot name="arm"><link name="a"><visual/></link></robot>')
    document = Document.open(robot)
    again = carried(document)
    assert again.scene == document.scene
    assert again.shown_name == document.shown_name == "arm.urdf"
    assert again.import_problems == document.import_problems
    assert again.inputs == document.inputs
    assert not again.is_dirty


def test_that_the_oldest_steps_are_left_out_where_there_are_too_many(edited, monkeypatch) -> None:
    monkeypatch.setattr(document_record, "MAX_CHARACTERS", len(write_record(edited)["scenes"][0]) + 50)
    again = carried(edited)
    assert again.scene == edited.scene
    assert again.is_dirty
    labels = []
    while point := again.history.undo():
        labels.append(point.label)
    assert labels == ["Title a", "Item"]


def test_that_a_record_has_each_scene_once(edited) -> None:
    scenes = write_record(edited)["scenes"]
    assert len(scenes) == len(set(scenes)) == 6
    assert all(parse_scene(text) for text in scenes)


@pytest.mark.parametrize(
    "change",
    [
        {"saved": 99},
        {"past": []},
        {"scenes": []},
        {"scenes": ["framescope: 1\nframes: {a: {parent: 3}}"]},
        {"scenes": ["framescope: 1"] * 5000},
        {"era": -1},
        {"path": "good.yaml"},
        {"path": "/tmp/a\nb.yaml"},
        {"texts": [{"text": "no scene", "era": 0}]},
        {"past": [{"scene": 0, "label": "x" * 2000, "before": [], "after": []}]},
        {"past": [{"scene": 0, "label": "x", "before": [["frames"]], "after": []}]},
        {"stranger": 1},
    ],
)
def test_that_a_broken_record_is_refused(edited, change) -> None:
    with pytest.raises(SceneError):
        read_record(write_record(edited) | change)


def test_that_nothing_but_a_record_is_read() -> None:
    with pytest.raises(SceneError):
        read_record({})
    with pytest.raises(SceneError):
        read_record([1])


def test_that_files_beside_the_scene_stay_in_reach(tmp_path) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    document = Document.open(path)
    assert carried(document).folder == document.folder == tmp_path
