"""Searching in the whole window, and what is selected by the 3D view and the keys of other panels."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from framescope.app.session.scene_lookup import example_path
from framescope.core.scene.schema.model import NO_ITEM
from framescope.features.lessons.app.lesson_entry import lesson_player
from framescope.features.lessons.app.lesson_lookup import lesson_titles
from framescope.ui.palette.command import commands_of_actions
from framescope.ui.palette.synonyms import OF_TITLES
from framescope.ui.scene_view.visuals.frame_names import Labels
from tests.support.hands import CTRL, Key, strike
from tests.support.whole_window import click, click_item, entry, from_menu, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")

FINDS = {
    "add frame": "Frame",
    "create spring": "Spring and damper",
    "export video": "Export…",
    "make a film": "Export…",
    "mp4": "Export…",
    "screenshot": "Save a picture…",
    "remove": "Delete",
    "dark mode": "Switch dark and light",
    "fullscreen": "Present on the full screen",
    "bigger text": "Size of everything: Larger",
    "load csv": "Import a recording…",
    "new graph": "Plot of a signal…",
    "hotkeys": "Shortcuts",
    "lesson keys": "Shortcuts",
    "gizmo": "Turn and move the selected frame",
    "distance": "Measure between two frames",
    "paste notation": "Paste notation",
    "paste quaternion": "Paste notation",
    "read matrix": "Paste notation",
    "copy as code": "Copy as code: scipy",
    "copy rotation python": "Copy as code: scipy",
    "matlab": "Copy as code: MATLAB",
    "go to inner ring": "Select inner ring",
    "rotated image": "Faulty: A rover that reads no signs",
    "picture on its side": "Faulty: A rover that reads no signs",
    "upside down": "Faulty: A rover that reads no signs",
    "sideways": "Faulty: A rover that reads no signs",
}
"""What is typed, and what is then among the first three."""

TEXTS = {"slerp": "linear (slerp)", "double cover": "double cover", "interpolate": "interpolation"}


@pytest.fixture
def wiring(shared_window):
    return shared_window(example_path("demo"))


def test_that_verbs_synonyms_and_the_text_of_the_manual_are_found(wiring) -> None:
    palette = wiring.preferences.command_palette
    strike_in(wiring, Key.Key_K, CTRL)
    for query, title in FINDS.items():
        palette.field.setText(query)
        assert title in palette.titles()[:3], query
    for query, text in TEXTS.items():
        palette.field.setText(query)
        assert any(text in title for title in palette.titles()), query
    palette.field.clear()
    for letter in "cubic rotation is a spline":
        QTest.keyClick(palette.field, letter)
    strike(wiring.window, Key.Key_Return)
    assert wiring.preferences.manual_window.target == "scene-file.md#motion"


def test_that_an_orientation_is_copied_and_pasted_by_searching(wiring) -> None:
    window, session = wiring.window, wiring.session
    palette, panel = wiring.preferences.command_palette, window.inspector.orientation

    def run(query: str) -> None:
        strike_in(wiring, Key.Key_K, CTRL)
        for letter in query:
            QTest.keyClick(palette.field, letter)
        strike(window, Key.Key_Return)

    session.select(NO_ITEM)
    run("copy as code: scipy")
    assert window.status.message.startswith("No frame is selected")
    session.select(("frames", "inner ring"))
    before = session.document.scene
    run("copy as code: scipy")
    assert "scipy" in window.status.message
    window.hide_dock("inspector")
    run("paste notation")
    form = panel.parts.paste
    wait_for(form.isVisible)
    assert form.text.hasFocus()
    assert not form.visibleRegion().isEmpty()
    click(form.use)
    assert not form.isVisible()
    assert session.document.scene is before
    assert window.status.message == "The orientation of inner ring is already that"


def test_that_other_words_are_those_of_commands_that_there_are(wiring) -> None:
    bar = wiring.window.header.menu_bar
    titles = {command.title for command in commands_of_actions(bar.actions(), is_enabled_only=False)}
    assert set(OF_TITLES) <= titles


def test_that_a_click_on_a_name_in_the_scene_selects_its_frame(wiring) -> None:
    view, session = wiring.window.scene_view, wiring.session
    session.scrub(1.0)
    view.active_passive.prepare()
    labels = next(visual for visual in view.renderer.visuals if isinstance(visual, Labels))
    seen = [(labels.box_of(name), name) for name in session.plan.names if labels.box_of(name) is not None]
    assert len(seen) > 2
    ratio = view.devicePixelRatioF()
    for (left, bottom, right, top), name in seen:
        # A corner of the plate: what lies under it is elsewhere.
        at = QPoint(round((left + 3) / ratio), round(view.height() - (top - 3) / ratio))
        assert right > left
        assert bottom < top
        session.select(NO_ITEM)
        click(view, at)
        assert session.selection == ("frames", name)


def test_that_g_shows_the_handles_after_a_click_in_the_outline(wiring) -> None:
    click_item(wiring, ("frames", "inner ring"))
    assert wiring.window.outline.tree.hasFocus()
    strike(wiring.window, Key.Key_G)
    assert wiring.window.scene_view.manipulation.is_on
    assert wiring.session.selection == ("frames", "inner ring")
    assert wiring.window.scene_view.hasFocus()
    strike(wiring.window, Key.Key_G)
    assert not wiring.window.scene_view.manipulation.is_on


def test_that_the_help_menu_lists_the_lessons_and_opens_them(wiring) -> None:
    bar = wiring.window.header.menu_bar
    titles = [title for title, _ in lesson_titles()]
    from_menu(wiring, "Help", "Lessons", titles[1])
    wait_for(lambda: lesson_player(wiring).is_on)
    assert lesson_player(wiring).read.lesson.title == titles[1]
    menu = entry(entry(bar, "Help").menu(), "Lessons").menu()
    assert [action.text() for action in menu.actions()] == [*titles, "", "New lesson of this moment…"]
