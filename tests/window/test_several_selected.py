"""Several selected items: chosen with Ctrl in the scene and in the outline, outlined, and fitted into the picture."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from framescope.ui.scene_view.visuals.selection import AlsoSelected, Selection
from tests.support.hands import Key, strike
from tests.support.whole_window import click, click_item

CTRL = Qt.KeyboardModifier.ControlModifier
N_FRAMES = 7
SCENE = """\
framescope: 1
frames:
""" + "".join(f"  f{i}: {{parent: world, position: {{value: [{i - 3}, 1, 0], unit: m}}}}\n" for i in range(N_FRAMES))


@pytest.fixture
def wiring(open_window, tmp_path):
    path = tmp_path / "several.yaml"
    path.write_text(SCENE)
    return open_window(path)


def click_origin(wiring, name: str) -> None:
    view = wiring.window.scene_view
    x, y = view.renderer.position_of(name)
    ratio = view.devicePixelRatioF()
    click(view, QPoint(round(x / ratio), round(view.height() - y / ratio)), CTRL)


def selected(wiring) -> tuple[str, ...]:
    return tuple(name for _, name in wiring.window.outline.tree.selected_keys())


def n_outlined(wiring) -> int:
    visuals = {type(visual): visual for visual in wiring.window.scene_view.renderer.visuals}
    outlines = (*visuals[AlsoSelected].outlines, visuals[Selection].outline)
    return sum(any(actor.GetVisibility() for actor in outline.actors) for outline in outlines)


def test_that_clicks_with_ctrl_in_the_scene_add_frames_and_take_them_away(wiring) -> None:
    wiring.session.select(("frames", "f1"))
    for name in ("f3", "f5"):
        click_origin(wiring, name)
    assert selected(wiring) == ("f1", "f3", "f5")
    assert wiring.session.selection == ("frames", "f5")
    assert n_outlined(wiring) == 3
    click_origin(wiring, "f3")
    assert selected(wiring) == ("f1", "f5")
    assert wiring.session.selection == ("frames", "f5"), "what panels show stays"
    assert n_outlined(wiring) == 2
    click_origin(wiring, "f5")
    assert selected(wiring) == ("f1",)
    assert wiring.session.selection == ("frames", "f1")
    click_origin(wiring, "f1")
    assert selected(wiring) == ()
    assert n_outlined(wiring) == 0


def test_that_a_click_with_ctrl_beside_everything_changes_nothing(wiring) -> None:
    wiring.session.select(("frames", "f1"))
    click_origin(wiring, "f3")
    view = wiring.window.scene_view
    click(view, QPoint(view.width() // 2, 8), CTRL)
    assert selected(wiring) == ("f1", "f3")


def test_that_all_frames_selected_in_the_outline_are_outlined_and_one_click_leaves_one(wiring) -> None:
    wiring.session.select(("frames", "f0"))
    for i in range(1, N_FRAMES):
        click_item(wiring, ("frames", f"f{i}"), CTRL)
    assert n_outlined(wiring) == N_FRAMES
    click_item(wiring, ("frames", "f2"))
    assert n_outlined(wiring) == 1
    wiring.session.select(("frames", "f4"))
    assert n_outlined(wiring) == 1


def test_that_fitting_the_selection_shows_all_that_is_selected(wiring) -> None:
    view = wiring.window.scene_view
    wiring.session.select(("frames", "f0"))
    for i in (1, 2):
        click_item(wiring, ("frames", f"f{i}"), CTRL)
    view.camera.pan(9000.0, 0.0)
    view.setFocus()
    strike(view, Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    places = [view.position_of(f"f{i}") for i in range(3)]
    assert all(at is not None and 0 <= at.x() <= view.width() and 0 <= at.y() <= view.height() for at in places)
    assert places[2].x() - places[0].x() > 0.4 * view.width(), "and they fill it"


def test_that_frames_that_an_edit_has_removed_are_outlined_no_more(wiring) -> None:
    wiring.session.select(("frames", "f1"))
    click_origin(wiring, "f3")
    wiring.window.outline.tree.setFocus()
    strike(wiring.window.outline.tree, Key.Key_Delete)
    assert not {"f1", "f3"} & set(wiring.session.plan.names)
    assert n_outlined(wiring) <= 1
    wiring.window.commands.undo.trigger()
    assert {"f1", "f3"} <= set(wiring.session.plan.names)
