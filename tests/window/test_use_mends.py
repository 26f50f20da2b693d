"""A wrong extrinsic found and mended from the problems list, by real clicks."""

from __future__ import annotations

import json

import pytest
from PySide6.QtTest import QTest

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.schema.model import NO_ITEM
from tests.features.causes.core.test_mends_tried import WRONG, is_right, rig
from tests.support.cases import for_each
from tests.support.hands import LEFT, PLAIN
from tests.support.whole_window import wait_for
from tests.window.test_use_faults import click_mend, click_row, is_at_rest, told

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def open_rig(open_window, tmp_path):
    opened = []

    def open_it(plan):
        path = tmp_path / "rig.yaml"
        path.write_text(json.dumps(plan.scene.model_dump(mode="json", exclude_unset=True)))
        if opened:
            opened[0].session.document.is_handed_back = True
            opened[0].open(path)
            opened[0].session.select(NO_ITEM)
        else:
            opened.append(open_window(path))
            opened[0].window.set_place("Check")
        wait_for(lambda: bool(told(opened[0])) and is_at_rest(opened[0]))
        return opened[0]

    return open_it


@for_each("fault", ["inverted", "optical axes", "sign"])
def test_that_a_wrong_extrinsic_is_found_and_mended_from_the_problems_list(open_rig, qtbot, fault) -> None:
    wiring = open_rig(rig(WRONG[fault]))
    window, session, panel = wiring.window, wiring.session, wiring.window.problems
    assert panel.isVisible()
    (cause,) = told(wiring)
    assert cause.name == "camera"
    click_row(panel, 0)
    assert session.selection == ("frames", "camera")
    assert window.outline.tree.currentIndex().data() == "camera"
    click_mend(panel, 0)
    qtbot.waitUntil(lambda: not told(wiring) and is_at_rest(wiring), timeout=20000)
    assert is_right(session.document.scene)
    session.undo()
    qtbot.waitUntil(lambda: bool(told(wiring)), timeout=20000)


def test_that_an_open_decision_is_made_in_the_list_of_mends(open_rig, qtbot) -> None:
    scene = rig(WRONG["orientation inverted"]).scene
    left = scene.measured.without("by targets")
    wiring = open_rig(compile_plan(scene.model_copy(update={"measured": left})))
    panel = wiring.window.problems
    (one,) = told(wiring)
    assert one.fix is None
    click_mend(panel, 0)
    qtbot.waitUntil(panel.choices.isVisible)
    i = next(i for i, mend in enumerate(one.fixes) if is_right(mend.change.apply(wiring.session.document.scene)))
    at = panel.choices.actionGeometry(panel.choices.actions()[i]).center()
    QTest.mouseClick(panel.choices, LEFT, PLAIN, at)
    qtbot.waitUntil(lambda: not told(wiring) and is_at_rest(wiring), timeout=20000)
    assert is_right(wiring.session.document.scene)
