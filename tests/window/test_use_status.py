"""The status line in the whole window: what it says of a tool or a state goes when that ends."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from framescope.app.session.scene_lookup import example_path
from tests.support.hands import CTRL, Key, strike
from tests.support.whole_window import click_item, strike_in

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def wiring(shared_window):
    wiring = shared_window(example_path("demo"))
    wiring.session.pause()
    click_item(wiring, ("frames", "inner ring"))
    return wiring


def message(wiring) -> str:
    return wiring.window.status.message


@pytest.mark.parametrize("command", ["handles", "measure"])
def test_that_the_words_of_a_tool_go_with_it(wiring, command) -> None:
    action = getattr(wiring.window.commands.view, command)
    action.trigger()
    assert "Escape leaves" in message(wiring)
    wiring.window.scene_view.setFocus(Qt.FocusReason.OtherFocusReason)
    strike(wiring.window.scene_view, Key.Key_Escape)
    assert not action.isChecked()
    assert message(wiring) == ""


def test_that_the_words_of_following_go_when_the_camera_stands_again(wiring) -> None:
    camera = wiring.window.scene_view.camera
    wiring.window.commands.view.follow["origin"].trigger()
    assert message(wiring).startswith("The camera follows inner ring")
    wiring.window.commands.view.follow[""].trigger()
    assert message(wiring) == ""
    wiring.window.commands.view.follow["frame"].trigger()
    wiring.window.commands.authored_camera.trigger()
    assert camera.follow_mode == ""
    assert message(wiring) == ""


def test_that_a_later_message_stays(wiring) -> None:
    wiring.window.commands.view.handles.trigger()
    wiring.window.status.show_message("good", "Saved")
    wiring.window.commands.view.handles.trigger()
    assert message(wiring) == "Saved"


def test_that_the_words_on_a_new_curve_go_with_the_keyboard(wiring) -> None:
    strike_in(wiring, Key.Key_P, CTRL)
    assert "Return adds the curve" in message(wiring)
    wiring.window.question.what.hidePopup()
    wiring.window.scene_view.setFocus(Qt.FocusReason.MouseFocusReason)
    assert message(wiring) == ""
