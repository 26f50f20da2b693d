"""A drone built in the whole window by real events, and the number of clicks, texts and shortcuts that it takes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from framescope.app.session.scene_lookup import example_path
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import NO_ITEM
from tests.support.hands import CTRL, PLAIN, Key, strike, type_in
from tests.support.whole_window import choose, click, click_item, entry, strike_in, wait_for, window_menu

pytestmark = pytest.mark.usefixtures("dark")

MOST = 17
"""Largest number of acts for the drone; a first trial took 30."""


class Hand:
    """A person's hand on the window, whose acts are counted: a click, a shortcut, a text typed into a field."""

    def __init__(self, wiring) -> None:
        self.wiring, self.count = wiring, 0

    def key(self, key, modifiers=PLAIN) -> None:
        self.count += 1
        strike_in(self.wiring, key, modifiers)

    def write(self, field, text: str) -> None:
        """Click into a field and type."""
        self.count += 1
        type_in(field, text)

    def write_here(self, text: str) -> None:
        """Type where the keyboard is."""
        self.count += 1
        QTest.keyClicks(QApplication.focusWidget(), text)
        strike(self.wiring.window, Key.Key_Return)

    def search(self, text: str) -> None:
        self.key(Key.Key_K, CTRL)
        self.write_here(text)

    def menu(self, name: str, text: str) -> None:
        """Click a menu, and click an entry of it."""
        self.count += 2
        choose(window_menu(self.wiring, name), text)

    def pick(self, name: str, kind: str = "frames") -> None:
        self.count += 1
        click_item(self.wiring, (kind, name))

    def click(self, widget: QWidget) -> None:
        self.count += 1
        click(widget)


@pytest.fixture
def wiring(shared_window):
    return shared_window(example_path("demo"))


def by_searching(hand: Hand, text: str) -> None:
    hand.search(text)


def by_menu(hand: Hand, text: str) -> None:
    hand.menu("Insert", {"flu": "Body frame FLU", "imu": "IMU"}.get(text, text.capitalize()))


@pytest.mark.parametrize("insert", [by_searching, by_menu])
def test_that_a_drone_takes_few_acts(wiring, insert) -> None:
    hand, window, session = Hand(wiring), wiring.window, wiring.session
    rows, cells = window.inspector.orientation.rows, window.inspector.frame_page.position.cells
    hand.key(Key.Key_N, CTRL)
    insert(hand, "flu")
    assert session.selection == ("frames", "body_flu")
    insert(hand, "camera")
    hand.write(rows[1].field, "20")
    insert(hand, "imu")
    hand.write(cells[2], "3 cm")
    insert(hand, "propeller")
    hand.key(Key.Key_P, CTRL)
    hand.write_here("angular velocity relative to body_flu")
    hand.pick("body_flu")
    hand.write(rows[0].field, "30*t")
    hand.key(Key.Key_P, CTRL)
    hand.write_here("angles of body_flu")
    scene = session.document.scene
    assert {name: frame.parent for name, frame in scene.frames.items()} == {
        "body_flu": "world",
        "camera": "body_flu",
        "camera_optical": "camera",
        "imu": "body_flu",
        "propeller": "body_flu",
    }
    assert scene.frames["body_flu"].position.value == (0.0, 0.0, 0.0)
    assert scene.frames["body_flu"].orientation.angles == ("30*t", 0.0, 0.0)
    assert scene.frames["imu"].position.value == (0.0, 0.0, 0.03)
    assert scene.bodies["imu_case"].shape.size[2] / 2 < 0.03
    session.scrub(0.0)
    index = session.snapshot.index
    looking = session.snapshot.R_WF[index["camera_optical"]][:, 2]
    np.testing.assert_allclose(looking, [np.cos(np.radians(20)), 0.0, -np.sin(np.radians(20))], atol=1e-12)
    wait_for(lambda: len(window.plots.plots) == 2 and all(plot.curves is not None for plot in window.plots.plots))
    spin, yaw = (plot.curves for plot in window.plots.plots)
    np.testing.assert_allclose(spin.at(1.0), [0.0, 0.0, 360.0], atol=1e-6)
    np.testing.assert_allclose(yaw.at(1.0), [30.0, 0.0, 0.0], atol=1e-6)
    first, second = scene.view.plots
    assert (first.of, first.relative_to) == ("propeller", "body_flu")
    assert (second.of, second.relative_to) == ("body_flu", "world")
    assert hand.count <= MOST


@pytest.mark.parametrize("insert", [by_searching, by_menu])
def test_that_four_propellers_in_a_row_go_on_the_body_and_the_spin_is_in_sight(wiring, insert) -> None:
    hand, window, session = Hand(wiring), wiring.window, wiring.session
    hand.key(Key.Key_N, CTRL)
    insert(hand, "flu")
    for _ in range(4):
        insert(hand, "propeller")
    frames = session.document.scene.frames
    rotors = [name for name in frames if name.startswith("propeller")]
    assert [frames[name].parent for name in rotors] == ["body_flu"] * 4
    places = {frames[name].position.value for name in rotors}
    assert len(places) == 4
    row = window.inspector.orientation.rows[0]
    wait_for(lambda: row.expression.visibleRegion().boundingRect() == row.expression.rect())
    assert row.expression.text() == "360*t"
    hand.write(row.field, "-720*t")
    assert session.document.scene.frames[session.selection[1]].orientation.angles == ("-720*t", 0.0, 0.0)


def test_that_a_body_and_its_sensor_are_plotted_by_a_row_and_a_button_each(wiring) -> None:
    hand, window, session = Hand(wiring), wiring.window, wiring.session
    hand.key(Key.Key_N, CTRL)
    for thing in ("flu", "imu"):
        by_searching(hand, thing)
    before = hand.count
    hand.pick("imu_data", "sensors")
    assert window.question.what.name == "specific force"
    hand.click(window.question.buttons["curve"])
    hand.pick("body_flu")
    hand.click(window.question.buttons["curve"])
    assert hand.count == before + 4
    wait_for(lambda: len(window.plots.plots) == 2)
    asked = [(plot.signal, plot.of) for plot in session.document.scene.view.plots]
    assert asked == [("specific force", "imu"), ("angular velocity", "body_flu")]
    hand.pick("imu_data", "sensors")
    assert window.question.what.name == "specific force"
    hand.pick("imu")
    assert window.question.what.name == "specific force", "which a sensor fixed to its body is there for"
    hand.pick("body_flu")
    assert window.question.what.name == "angular velocity", "a body without a sensor turns"
    hand.pick("imu_data", "sensors")
    assert window.question.what.name == "specific force"


def test_that_menus_say_where_equipment_goes(wiring) -> None:
    hand, session = Hand(wiring), wiring.session
    hand.key(Key.Key_N, CTRL)
    by_menu(hand, "flu")
    session.select(NO_ITEM)
    menu = window_menu(wiring, "Insert")
    camera = entry(menu, "Camera")
    assert camera.text() == "Camera\ton body_flu"
    menu.close()
    by_searching(hand, "camera")
    assert session.document.scene.frames["camera"].parent == "body_flu"


@pytest.mark.parametrize("query", ["camera", "imu", "flu", "propeller", "lidar"])
def test_that_what_can_be_done_is_found_before_what_can_be_read(wiring, query) -> None:
    palette = wiring.preferences.command_palette
    strike_in(wiring, Key.Key_N, CTRL)
    strike_in(wiring, Key.Key_K, CTRL)
    palette.field.setText(query)
    assert palette.titles()[0].startswith(("Equipment: ", "Body or base frame: ")), palette.titles()[:4]


def test_that_a_new_scene_has_no_title_to_draw(wiring) -> None:
    strike_in(wiring, Key.Key_N, CTRL)
    assert wiring.session.document.scene.title == ""
    assert "title" not in scene_text(wiring.session.document.scene)
