"""Comments and layout of a file: undo brings them back with what it brings back, saved meanwhile or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from framescope import assets
from framescope.app.session import known_texts
from framescope.app.session.document import Document
from framescope.app.session.known_texts import KnownTexts
from framescope.core.scene.edits import items
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import ITEM_KINDS
from tests.support.scenes import save, scene_of

EXAMPLES = sorted(assets.path("scenes").glob("*.yaml"))

TEXT = """\
# a rig
framescope: 1
title: c  # as called in the lab
time: {start: 0 s, end: 2 s}

frames:
  # calibrated with the new target, do not touch
  cam:
    parent: world
    position: {value: [1, 2, 3], unit: m}  # from the "drawing", isn't it

  # the arm
  arm: {parent: world}   # fixed
  tip:
    parent: arm
    # below the arm
    position: {value: [0, 0, 1], unit: m}
view:
  trails:
    # of the tip
    - {frame: tip, duration: 1 s}
    - {frame: cam, duration: 1 s}  # of the camera
"""


@pytest.fixture
def path(tmp_path) -> Path:
    path = tmp_path / "rig.yaml"
    path.write_text(TEXT)
    return path


def remove(document: Document, *keys) -> None:
    document.commit(items.remove_items(document.scene, list(keys)))


def entitle(document: Document) -> None:
    document.commit(Edit("Entitled", lambda scene: scene.model_copy(update={"title": f"{scene.title}d"})))


def keys_of(scene) -> list:
    return [(kind, name) for kind in ITEM_KINDS for name in getattr(scene, kind)]


def reload(document: Document) -> None:
    document.replace_scene(load_scene(document.path))


def undo_all(document: Document) -> None:
    while document.history.undo() is not None:
        pass


WAYS = {
    "saved between": save,
    "saved twice": lambda document, path: [save(document, path), save(document, path)],
    "saved as": lambda document, path: save(document, path.with_name("other.yaml")),
    "reloaded": lambda document, path: [save(document, path), reload(document)],
    "not saved": lambda document, path: None,
}


FIELD = assets.path("scenes/field.yaml")
"""A large example of one kind of items: one way does."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("example", "way"),
    [
        pytest.param(example, way, marks=[] if (i + k) % 3 == 0 else pytest.mark.soak)
        for i, example in enumerate(EXAMPLES)
        for k, way in enumerate(WAYS)
        if example != FIELD or way == "saved between"
    ],
    ids=lambda value: getattr(value, "stem", value),
)
def test_that_undo_and_save_give_the_bytes_of_an_example_back(tmp_path, example, way) -> None:
    path = tmp_path / example.name
    path.write_bytes(example.read_bytes())
    document = Document.open(path)
    keys = keys_of(document.scene)
    for key in (keys[0], keys[len(keys) // 2], keys[-1]):
        remove(document, key)
        WAYS[way](document, path)
        document.history.undo()
        save(document, path)
        assert path.read_bytes() == example.read_bytes(), key
    kind, name = keys[0]
    document.commit(items.rename_item(document.scene, kind, name, f"{name} again"))
    WAYS[way](document, path)
    remove(document, keys[-1])  # several, one after another
    WAYS[way](document, path)
    texts = [path.read_bytes()]
    document.history.undo()
    WAYS[way](document, path)
    document.history.redo()
    save(document, path)
    assert way in {"not saved", "saved as"} or path.read_bytes() == texts[0]
    undo_all(document)
    save(document, path)
    assert path.read_bytes() == example.read_bytes()


@pytest.mark.parametrize("key", keys_of(scene_of(TEXT)))
def test_that_a_step_that_was_never_saved_keeps_the_comments_of_what_comes_back(path, key) -> None:
    document = Document.open(path)
    entitle(document)  # not saved by itself
    remove(document, key)
    save(document, path)
    document.history.undo()
    save(document, path)
    text = path.read_text()
    for line in TEXT.splitlines():
        comment = line.partition("#")[2]
        assert comment in text
    undo_all(document)
    save(document, path)
    assert path.read_text() == TEXT


def test_that_comments_of_another_program_are_kept_and_those_that_cannot_be_are_told(path) -> None:
    document = Document.open(path)
    remove(document, ("frames", "cam"))
    save(document, path)
    text = path.read_text()
    path.write_text(text.replace("# the arm", "# the arm, by another program"))
    reload(document)
    document.history.undo()
    written = document.writing(path)()
    document.take_written(written)
    assert "# the arm, by another program" in path.read_text()
    assert "cam" in load_scene(path).scene.frames
    assert set(written.lost) == {"# calibrated with the new target, do not touch", '# from the "drawing", isn\'t it'}


def test_that_what_goes_with_an_item_is_no_loss_to_be_told(path) -> None:
    document = Document.open(path)
    while keys := keys_of(document.scene):
        remove(document, keys[0])
        written = document.writing(path)()
        document.take_written(written)
        assert written.lost == ()


def test_that_a_file_written_by_another_program_is_not_written_over_with_what_was_there_before(path) -> None:
    document = Document.open(path)
    entitle(document)
    save(document, path)
    path.write_text(TEXT.replace("# a rig", "# our rig"))
    reload(document)
    entitle(document)
    save(document, path)
    assert "# our rig" in path.read_text()
    undo_all(document)
    save(document, path)
    assert "# our rig" in path.read_text()


def test_that_known_texts_are_bounded_and_the_first_is_among_them(monkeypatch) -> None:
    scenes = [scene_of(TEXT) for _ in range(30)]
    texts = KnownTexts()
    monkeypatch.setattr(known_texts, "MAX_TEXTS", 5)
    monkeypatch.setattr(known_texts, "MAX_CHARACTERS", 3 * len(TEXT))
    for scene in scenes:
        texts = texts.with_text(scene, TEXT, {})
    assert len(texts.texts) == 5
    assert texts.texts[0].scene is scenes[0]
    assert texts.texts[-1].scene is scenes[-1]


@pytest.mark.parametrize("order", [(1,), (0,), (1, 0), (0, 1, 0), ()])
def test_that_a_list_that_loses_gains_or_moves_entries_comes_back_with_its_comments(path, order) -> None:
    document = Document.open(path)
    entitle(document)  # not saved by itself
    before = document.scene
    trails = tuple(before.view.trails[i] for i in order)
    view = before.view.model_copy(update={"trails": trails})
    document.commit(Edit("Trails", lambda scene: scene.model_copy(update={"view": view})))
    save(document, path)
    assert load_scene(path).scene == document.scene
    text = path.read_text()
    assert not order or [f"# of the {name}" in text for name in ("tip", "camera")] == [0 in order, 1 in order]
    document.history.undo()
    save(document, path)
    assert load_scene(path).scene == before
    text = path.read_text()
    assert "# of the tip" in text
    assert "# of the camera" in text
    undo_all(document)
    save(document, path)
    assert path.read_text() == TEXT


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "mark"])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_that_line_ends_and_mark_of_a_file_are_kept(path, line_end, mark) -> None:
    before = mark + TEXT.encode().replace(b"\n", line_end)
    path.write_bytes(before)
    document = Document.open(path)
    remove(document, ("frames", "cam"))
    save(document, path)
    after = path.read_bytes()
    assert b"cam:" not in after
    assert after.startswith(mark + b"# a rig")
    assert after.count(b"\n") == after.count(line_end)
    document.history.undo()
    save(document, path)
    assert path.read_bytes() == before


def test_that_a_file_of_mixed_line_ends_gets_line_feeds(path) -> None:
    path.write_bytes(TEXT.encode().replace(b"\n", b"\r\n", 3))
    document = Document.open(path)
    entitle(document)
    save(document, path)
    assert b"\r" not in path.read_bytes()
