"""The place Check shows the item that is wrong in a scene that is opened, and leaves what the user has selected."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtTest import QTest

from framescope.app.session.scene_lookup import example_path
from framescope.core.scene.schema.model import NO_ITEM
from tests.app.test_mending import FAULTY
from tests.support.whole_window import click_item, wait_for

pytestmark = pytest.mark.window

FAULTS = {"mirrored-matrix": ("frames", "lidar"), "shuffled-packets": ("frames", "camera")}
"""Item at fault in scenes that are no examples here, and so select no item of their own."""


@pytest.fixture(params=FAULTS)
def faulty(request, tmp_path):
    """Give a scene with a fault that has no item of its own to select, and the item at fault."""
    shutil.copytree(FAULTY, tmp_path, dirs_exist_ok=True)
    return tmp_path / f"{request.param}.yaml", FAULTS[request.param]


def is_checked(wiring) -> bool:
    """Return whether all problems of the scene are listed."""
    return not wiring.problems.rest_timer.isActive() and not wiring.problems.is_looking


@pytest.mark.parametrize("has_chosen", [True, False])
def test_that_the_item_at_fault_is_selected_in_check(open_window, faulty, has_chosen) -> None:
    path, item = faulty
    wiring = open_window(example_path("keyframes"))
    wiring.window.set_place("Check")
    if has_chosen:
        wiring.session.select(("frames", "world"))  # a choice in another scene
    wiring.files.open(path)
    wait_for(lambda: wiring.session.selection == item)
    wait_for(lambda: is_checked(wiring))
    assert wiring.session.selection == item
    wait_for(lambda: "relation" in wiring.window.instruments)
    assert wiring.window.instruments["relation"].key.of == wiring.session.selected_frame()


def test_that_the_item_at_fault_is_selected_once_the_place_is_entered(open_window, faulty) -> None:
    path, item = faulty
    wiring = open_window(path)
    wiring.session.select_by_default(("frames", "world"))
    wait_for(lambda: bool(wiring.window.problems.problems) and is_checked(wiring))
    assert wiring.session.selection == ("frames", "world")
    wiring.window.set_place("Check")
    assert wiring.session.selection == item


@pytest.mark.parametrize("key", [("frames", "world"), NO_ITEM])
def test_that_a_selection_of_the_user_stays(open_window, faulty, key) -> None:
    path, _ = faulty
    wiring = open_window(path)
    if key == NO_ITEM:
        wiring.session.select(NO_ITEM)
    else:
        click_item(wiring, key)
    wiring.window.set_place("Check")
    wait_for(lambda: bool(wiring.window.problems.problems) and is_checked(wiring))
    QTest.qWait(50)
    assert wiring.session.selection == key
