"""Names and titles as long as a file may have them, or with line breaks: the window keeps its shape."""

from __future__ import annotations

import pytest
import yaml
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel

from framescope.core.errors import SceneError
from framescope.core.scene.files.loading import load_scene
from framescope.ui.scene_view.visuals.corner_overlay import LONGEST, shorter_titles
from framescope.ui.widgets.elided_label import ElidedLabel
from tests.support.whole_window import click_item, follow, wait_for

LONG = "M" * 190
NAMES = (LONG, "N " * 99 + "N", "</script><script>alert(document.cookie)</script>")


@pytest.fixture
def scene_of_long_names(tmp_path):
    frames = {name: {"parent": "world"} for name in ("a", *NAMES)}
    file = tmp_path / "long.yaml"
    file.write_text(yaml.safe_dump({"framescope": 1, "title": "T" * 1900, "frames": frames}), encoding="utf-8")
    return file


@pytest.mark.window
def test_that_a_long_name_moves_no_dock(open_window, scene_of_long_names) -> None:
    wiring = open_window(scene_of_long_names)
    window = wiring.window
    window.resize(1280, 800)
    window.show_dock("readouts")
    click_item(wiring, ("frames", "a"))
    wait_for(lambda: wiring.session.selection == ("frames", "a"))
    docks = {name: dock for name, dock in window.docks.items() if dock.isVisible()}
    before = {name: dock.geometry() for name, dock in docks.items()}
    for name in NAMES:
        click_item(wiring, ("frames", name))
        wait_for(lambda name=name: wiring.session.selection == ("frames", name))
        follow(wiring)
        assert {name: dock.geometry() for name, dock in docks.items()} == before
        block = window.readouts.blocks[0]
        assert block.width() <= window.readouts.width()
        assert block.remove.geometry().right() <= block.width()


def test_that_a_message_about_a_name_is_one_line_in_which_all_is_seen(tmp_path) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text('framescope: 1\nframes:\n  "two\\nlines": {parent: world}\n  "\\u202Eturned": {parent: world}\n')
    with pytest.raises(SceneError) as raised:
        load_scene(file)
    told = [str(problem) for problem in raised.value.problems]
    assert all(text.isprintable() for text in told)
    assert 'frames.two\\nlines (line 3): "two\\nlines" is no name' in told[0]
    assert 'frames.\\u202eturned (line 4): "\\u202eturned" is no name' in told[1]


def test_that_a_label_of_one_line_stays_one(desk) -> None:
    label = desk.put(ElidedLabel("one\ntwo"))
    plain = QLabel("one two")
    assert label.sizeHint().height() <= plain.sizeHint().height()
    label.resize(200, 60)
    image = label.grab().toImage()
    dark = QColor(image.pixel(0, 0))
    inked = [y for y in range(image.height()) if any(QColor(image.pixel(x, y)) != dark for x in range(image.width()))]
    assert inked[-1] - inked[0] < plain.sizeHint().height()


def test_that_a_title_without_blanks_is_cut_and_not_left_out() -> None:
    titles = shorter_titles("T" * 1900)
    assert len(titles[0]) == LONGEST + 1
    assert 1 < len(titles[-1]) < 40
    assert all(title.endswith("…") for title in titles)
    assert shorter_titles("T" * LONGEST)[0] == "T" * LONGEST
