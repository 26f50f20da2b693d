"""All models of the schema in the whole window: every item is selected, edited, copied, deleted, found and exported."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit

from framescope.app import startup
from framescope.app.controllers.wiring import Wiring
from framescope.app.session.document import Document
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.model import ITEM_KINDS, NO_ITEM
from framescope.core.system.growing_series import GrowingSeries
from framescope.ui.panels.inspector.editors.editor import Editor
from tests.support.hands import CTRL, Key, show, strike
from tests.support.schema_models import items_of, one_of_each
from tests.support.whole import LIVE, REST, WHOLE, write_rest, write_whole
from tests.support.whole_window import click, click_item, leave, strike_in, wait_for

SCENES = {
    "everything": lambda folder: write_whole(folder, WHOLE.replace("tolerance: 1e-9", "tolerance: 1e-3")),
    "rest": lambda folder: write_rest(folder, REST),
}


def fed_cart() -> GrowingSeries:
    series = GrowingSeries(7)
    for i in range(11):
        series.append(0.1 * i, [0.1 * i, 0, 0, 0, 0, 0, 1])
    return series


@pytest.fixture(params=[*SCENES, "live"])
def wiring(request, open_window, tmp_path, qtbot, dark):
    if request.param != "live":
        opened = open_window(SCENES[request.param](tmp_path))
        wait_for(lambda: opened.session.plan.pending == ())
        yield opened
        return
    scene = parse_scene(LIVE)[0]
    opened = startup.window_on(Document(scene, folder=tmp_path, live={"cart": fed_cart()}, is_handed_back=True))
    show(opened.window, qtbot)
    yield opened
    leave(opened)


def pages(wiring: Wiring) -> int:
    """Open every part of the page that the inspector shows, and return how many editors are on it."""
    for fold in wiring.window.inspector.page.folds.values():
        fold.set_open(True)
    return len(wiring.window.inspector.page.findChildren(Editor))


@pytest.mark.parametrize("chosen", [one_of_each, pytest.param(items_of, marks=pytest.mark.soak)])
def test_that_each_item_is_selected_in_the_outline_and_has_its_page(wiring, chosen) -> None:
    window = wiring.window
    for key in chosen(wiring.session.plan.scene):
        click_item(wiring, key)
        QApplication.processEvents()
        assert wiring.session.selection == key
        page = window.inspector.page
        assert page.name.line.text() == key[1]
        assert pages(wiring) > 0
        shown = [editor for editor in page.findChildren(Editor) if editor.isVisible()]
        assert all(editor.path[:2] == key or editor.path[0] == "view" for editor in shown), key
    wiring.session.select(NO_ITEM)
    assert pages(wiring) > 10


@pytest.mark.parametrize("chosen", [one_of_each, pytest.param(items_of, marks=pytest.mark.soak)])
def test_that_a_click_into_a_field_gives_it_the_keyboard(wiring, chosen) -> None:
    inspector, n_fields = wiring.window.inspector, 0
    for key in chosen(wiring.session.plan.scene):
        wiring.session.select(key)
        pages(wiring)
        QApplication.processEvents()
        for line in inspector.page.findChildren(QLineEdit):
            if not line.isVisible() or not line.isEnabled() or line.isReadOnly():
                continue
            inspector.page.ensureWidgetVisible(line)
            click(line)
            asks = QApplication.activePopupWidget()
            assert asks is not None or QApplication.focusWidget() in (line, line.parentWidget()), (key, line.text())
            if asks is not None:
                asks.close()
            n_fields += 1
    assert n_fields > 3


def test_that_a_frame_whose_pose_is_gone_is_shown_without_one(wiring) -> None:
    """The panel of its orientation had a moment of the plan before, and asked the new plan about it."""
    session = wiring.session
    simulated = [name for name, body in session.plan.scene.bodies.items() if body.mass is not None]
    for name in simulated:
        click_item(wiring, ("bodies", name))
        strike_in(wiring, Key.Key_Delete)
        assert session.selection[0] == "frames"
        assert not session.snapshot.is_posed[session.snapshot.index[session.selection[1]]]
        assert {row.field.text() for row in wiring.window.inspector.orientation.rows} == {""}
        strike_in(wiring, Key.Key_Z, CTRL)


@pytest.mark.soak
def test_that_each_item_is_deleted_and_comes_back(wiring) -> None:
    session = wiring.session
    before = session.document.scene
    for key in one_of_each(before):
        click_item(wiring, key)
        strike_in(wiring, Key.Key_Delete)
        assert key[1] not in getattr(session.document.scene, key[0]), key
        strike_in(wiring, Key.Key_Z, CTRL)
        assert session.document.scene == before, key


@pytest.mark.soak
def test_that_an_item_of_each_kind_is_copied_and_pasted(wiring) -> None:
    session = wiring.session
    before = session.document.scene
    for kind in ITEM_KINDS:
        for name in [*getattr(before, kind)][:1]:
            click_item(wiring, (kind, name))
            strike_in(wiring, Key.Key_C, CTRL)
            strike_in(wiring, Key.Key_V, CTRL)
            assert len(getattr(session.document.scene, kind)) > len(getattr(before, kind)), kind
            strike_in(wiring, Key.Key_Z, CTRL)
            assert session.document.scene == before, kind


def test_that_each_item_is_found_by_its_name(wiring) -> None:
    palette = wiring.preferences.command_palette
    strike_in(wiring, Key.Key_K, CTRL)
    for _, name in items_of(wiring.session.plan.scene):
        palette.field.setText(name)
        assert f"Select {name}" in palette.titles(), name
    strike(wiring.window, Key.Key_Escape)
