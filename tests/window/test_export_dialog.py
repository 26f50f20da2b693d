"""The export dialog by itself: what it shows of a format, what it says, and what it remembers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.app.controllers.exports.export_dialog_controller import Seen, options_of
from framescope.app.exporters.formats import FORMATS, formats_by_suffix, offers
from framescope.ui.dialogs.export.choice import ChoiceVerdict, ExportChoice, SceneFacts, choice_of
from framescope.ui.dialogs.export.dialog import ExportDialog
from tests.support.hands import Key, focus, show, strike, type_in
from tests.support.whole_window import click, wait_for

FACTS = SceneFacts(0.0, 10.0, 4.0, (2.0, 3.0), (800, 500), ("arm", "tip"), ("Speed", "Angles"), "arm", "")
OFFERS = offers()
pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def dialog(qtbot):
    return opened(qtbot, ExportChoice(start=0.0, stop=10.0, moment=4.0))


def opened(
    qtbot, choice: ExportChoice, judge=lambda choice: ChoiceVerdict(summary=choice.key, size=choice.size)
) -> ExportDialog:
    dialog = ExportDialog("good.yaml", OFFERS, FACTS, choice, judge)
    qtbot.addWidget(dialog)
    show(dialog, qtbot)
    return dialog


def test_that_everything_that_can_be_exported_is_offered_with_what_it_is_good_for() -> None:
    represented = {".usd", ".usda", ".hpp", ".h"}
    assert {offer.suffix for offer in OFFERS} == {each.suffix for each in FORMATS} - represented
    for offer in OFFERS:
        assert offer.title
        assert offer.use


def test_that_only_options_are_shown_that_the_format_takes(dialog) -> None:
    form = dialog.form
    names = ("size", "fps", "accuracy", "theme", "transparent", "bare", "long", "layout", "eye", "follow", "bounce")
    names += ("moment", "speed", "hold", "quality", "text_size", "captions", "title", "license", "hosts")
    shown = {name: form.widget(name) for name in names} | {"start": form.widget("time"), "turns": form.widget("round")}
    focus(dialog.formats)
    strike(dialog, Key.Key_Home)
    for offer in OFFERS:
        assert dialog.formats.offer == offer  # by arrows, past the headings
        for name, widget in shown.items():
            assert widget.isVisible() == (name in offer.takes), (offer.key, name)
        strike(dialog, Key.Key_Down)


def test_that_every_field_has_a_name_and_is_reached_by_tab(dialog) -> None:
    form = dialog.form
    form.widget("layout").setCurrentIndex(2)
    form.widget("round").setChecked(True)
    names = ("layout", "plots", "frame", "size", "fps", "time", "theme", "eye", "round", "turns", "follow", "bounce")
    names += ("speed", "hold", "quality", "text_size", "captions", "title", "license")
    wanted = {*map(form.widget, names), dialog.cancel_button, dialog.export_button, dialog.formats}
    reached = set()
    for _ in range(40):
        strike(dialog, Key.Key_Tab)
        reached.add(dialog.focusWidget())
    assert wanted <= reached
    for widget in wanted:
        assert widget.accessibleName() or widget.text(), widget


def test_that_rates_and_sizes_are_those_of_the_kind_of_format(dialog) -> None:
    type_in(dialog.form.widget("fps").lineEdit(), "24", Key.Key_Tab)
    dialog.formats.choose("gif")
    assert dialog.choice.fps == 25.0
    assert dialog.choice.size == (640, 360)
    dialog.formats.choose("webm")
    assert dialog.choice.fps == 24.0
    assert dialog.choice.size == (1920, 1080)


def test_that_the_time_is_all_a_part_or_ones_own(dialog) -> None:
    box = dialog.form.widget("time")
    assert (dialog.choice.start, dialog.choice.stop) == (0.0, 10.0)
    focus(box)
    strike(dialog, Key.Key_Down)
    assert (dialog.choice.start, dialog.choice.stop) == (2.0, 3.0)
    strike(dialog, Key.Key_Down)
    type_in(dialog.form.widget("start"), "1,5 s", Key.Key_Tab)
    type_in(dialog.form.widget("stop"), "5", Key.Key_Tab)
    assert dialog.message.text() == ""
    assert (dialog.choice.start, dialog.choice.stop) == (1.5, 5.0)
    type_in(dialog.form.widget("stop"), "soon", Key.Key_Tab)
    assert dialog.choice is None
    assert "no time" in dialog.message.text()
    assert dialog.form.widget("stop").property("invalid")
    assert not dialog.export_button.isEnabled()


def test_that_view_options_go_together(dialog) -> None:
    form = dialog.form
    click(form.widget("round"))
    type_in(form.widget("turns"), "-2", Key.Key_Tab)
    form.widget("follow").setCurrentIndex(2)
    click(form.widget("turning"))
    form.widget("layout").setCurrentIndex(2)
    form.widget("plots").menu().actions()[0].trigger()
    choice = dialog.choice
    assert (choice.turns, choice.follow, choice.turning) == (-2, "tip", True)
    assert (choice.layout, choice.plots, choice.frame) == ("lecture", (1,), "arm")
    assert form.widget("plots").text() == "1 of 2 plots"
    type_in(form.widget("turns"), "1.5", Key.Key_Tab)
    assert dialog.choice is None
    assert "whole number" in dialog.message.text()


def test_that_pace_and_words_are_typed_and_what_cannot_be_read_is_marked(dialog) -> None:
    form = dialog.form
    type_in(form.widget("speed").lineEdit(), "0.1", Key.Key_Tab)
    type_in(form.widget("hold"), "1.5 s", Key.Key_Tab)
    type_in(form.widget("text_size").lineEdit(), "150%", Key.Key_Tab)
    form.widget("quality").setCurrentIndex(2)
    focus(form.widget("captions"))
    QTest.keyClicks(form.widget("captions"), "First")
    strike(form.widget("captions"), Key.Key_Return)
    QTest.keyClicks(form.widget("captions"), "2: then")
    type_in(form.widget("title"), "A turn", Key.Key_Tab)
    type_in(form.widget("license"), "CC0", Key.Key_Tab)
    choice = dialog.choice
    assert (choice.speed, choice.hold, choice.text_size, choice.quality) == (0.1, 1.5, 1.5, "best")
    assert (choice.captions, choice.title, choice.license) == (("First", "2: then"), "A turn", "CC0")
    storable = choice.storable()
    assert "captions" not in storable  # they belong to one scene
    assert choice_of({**storable}, FACTS).license == "CC0"
    type_in(form.widget("speed").lineEdit(), "slowly", Key.Key_Tab)
    assert dialog.choice is None
    assert form.widget("speed").property("invalid")


def test_that_sites_that_may_embed_a_page_are_typed_line_by_line_and_checked(dialog) -> None:
    dialog.formats.choose("html")
    field = dialog.form.widget("hosts")
    focus(field)
    QTest.keyClicks(field, "https://course.example")
    strike(field, Key.Key_Return)
    QTest.keyClicks(field, "https://other.example")
    assert dialog.choice.hosts == ("https://course.example", "https://other.example")
    options = options_of(dialog.choice, formats_by_suffix()[".html"], Seen(None, 0.0, "deg", ""))
    assert options.hosts == ("https://course.example", "https://other.example")


def test_that_the_field_of_captions_says_when_one_without_a_time_begins_and_ends(dialog) -> None:
    field = dialog.form.widget("captions")
    assert "Without a time" in field.placeholderText()
    for told in ("Without a time", "at the start", "until the next", "until the end"):
        assert told in field.toolTip()
    # All of it is seen at once: a placeholder does not scroll.
    words = [field.fontMetrics().horizontalAdvance(line) for line in field.placeholderText().splitlines()]
    assert max(words) < field.viewport().width() - 2 * field.document().documentMargin()
    assert len(words) * field.fontMetrics().lineSpacing() <= field.viewport().height()


def test_that_a_clear_picture_is_the_scene_alone(dialog) -> None:
    dialog.formats.choose("webm")
    form = dialog.form
    click(form.widget("transparent"))
    assert form.widget("bare").isEnabled(), "it leaves out the answers as well"
    assert dialog.choice.transparent
    form.widget("layout").setCurrentIndex(1)
    assert not form.widget("transparent").isEnabled()
    assert not dialog.choice.transparent


def test_that_a_picture_is_asked_for_once_the_choice_rests_and_shown(dialog, qtbot) -> None:
    asked = []
    dialog.preview_requested.connect(lambda choice, room: asked.append((choice, room)))
    for text in ("10", "12", "15"):
        type_in(dialog.form.widget("fps").lineEdit(), text, Key.Key_Tab)
    qtbot.waitUntil(lambda: len(asked) == 1)
    choice, room = asked[0]
    assert choice.fps == 15.0
    assert isinstance(room, QSize)
    assert room.width() / room.height() == pytest.approx(16 / 9, abs=0.02)
    image = QImage(160, 90, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff0000"))
    dialog.show_sketch(image)
    seen = dialog.preview.grab().toImage()
    assert seen.pixelColor(seen.width() // 2, seen.height() // 2) == QColor("#ff0000")
    dialog.formats.choose("zip")
    assert dialog.preview.image is None
    assert dialog.preview.text
    dialog.show_sketch(image)  # it was under way
    dialog.show_no_sketch("It cannot be drawn.")
    assert dialog.preview.image is None
    assert dialog.preview.text == dialog.formats.offer.use


def test_that_a_format_without_options_leaves_no_empty_strip(dialog) -> None:
    dialog.formats.choose("zip")
    assert dialog.form.is_empty
    assert not dialog.form.isVisible()
    dialog.formats.choose("csv")
    assert dialog.form.isVisible()


def test_that_a_fault_is_said_at_its_field_and_keeps_the_button_back(qtbot) -> None:
    def judge(choice: ExportChoice) -> ChoiceVerdict:
        return ChoiceVerdict("Too many.", "fps") if (choice.fps or 0) > 60 else ChoiceVerdict(summary="fine")

    dialog = opened(qtbot, ExportChoice(stop=10.0), judge)
    chosen = []
    dialog.chosen.connect(chosen.append)
    type_in(dialog.form.widget("fps").lineEdit(), "99", Key.Key_Tab)
    assert dialog.message.text() == "Too many."
    assert dialog.form.widget("fps").property("invalid")
    click(dialog.export_button)
    assert chosen == []
    type_in(dialog.form.widget("fps").lineEdit(), "20", Key.Key_Tab)
    assert dialog.message.text() == ""
    assert not dialog.form.widget("fps").property("invalid")
    click(dialog.export_button)
    assert [choice.fps for choice in chosen] == [20.0]


def test_that_a_choice_is_remembered_but_for_what_belongs_to_one_scene() -> None:
    choice = ExportChoice(key="gif", size=(100, 80), fps=12.0, theme="white", follow="arm", start=3.0, turns=2)
    again = choice_of({**choice.storable(), "size": [100, 80]}, FACTS)
    assert (again.key, again.size, again.fps, again.theme, again.turns) == ("gif", (100, 80), 12.0, "white", 2)
    assert (again.follow, again.start, again.stop) == (None, 0.0, 10.0)
    light = replace(FACTS, theme="light")
    for broken in (None, 3, [], {"size": ["a", 2], "fps": "x", "theme": 7, "key": None, "turns": True}):
        assert choice_of(broken, light) == choice_of(None, light)
    assert choice_of(None, light).theme == "light"


def test_that_colours_follow_the_window_until_others_are_chosen() -> None:
    light = replace(FACTS, theme="light")
    followed = choice_of(choice_of(None, FACTS).storable(), light)
    assert (followed.theme, followed.is_theme_of_window) == ("light", True)
    before_it_was_told_apart = {"key": "gif", "theme": "dark"}
    assert choice_of(before_it_was_told_apart, light).theme == "light"
    chosen = ExportChoice(theme="dark").storable()
    assert (choice_of(chosen, light).theme, choice_of(chosen, light).is_theme_of_window) == ("dark", False)


def test_that_home_and_end_go_to_the_first_and_the_last_format(dialog) -> None:
    dialog.formats.choose("html")
    focus(dialog.formats)
    strike(dialog, Key.Key_Home)
    assert dialog.formats.offer == OFFERS[0]
    strike(dialog, Key.Key_End)
    assert dialog.formats.offer == OFFERS[-1]


def test_that_nothing_is_drawn_while_something_is_wrong(qtbot) -> None:
    def judge(choice: ExportChoice) -> ChoiceVerdict:
        is_odd = choice.size[0] % 2 == 1
        return ChoiceVerdict("width and height must be even.", "size") if is_odd else ChoiceVerdict(size=choice.size)

    wrong = opened(qtbot, ExportChoice(size=(161, 91)), judge)
    asked = []
    wrong.preview_requested.connect(lambda *what: asked.append(what))
    assert wrong.preview.text == ""
    type_in(wrong.form.widget("width"), "160", Key.Key_Tab)
    assert wrong.preview.text == "Drawing…"
    qtbot.waitUntil(lambda: len(asked) == 1)
    type_in(wrong.form.widget("width"), "161", Key.Key_Tab)
    assert wrong.preview.text == ""
    type_in(wrong.form.widget("width"), "160", Key.Key_Tab)
    qtbot.waitUntil(lambda: len(asked) == 2)
    image = QImage(160, 91, QImage.Format.Format_RGB32)
    wrong.show_sketch(image)
    type_in(wrong.form.widget("width"), "161", Key.Key_Tab)
    assert wrong.preview.image is image


def test_that_a_model_says_how_exact_it_is_how_large_and_what_it_lacks(qtbot) -> None:
    def judge(choice):
        return ChoiceVerdict(summary=f"within {choice.accuracy:g}°", left_out="Left out: plots.")

    dialog = opened(qtbot, ExportChoice(key="glb", start=0.0, stop=10.0), judge)
    assert dialog.choice.accuracy == 0.005
    assert dialog.summary.text() == "within 0.005°"
    assert dialog.left_out.isVisible()
    focus(dialog.form.widget("accuracy"))
    strike(dialog, Key.Key_Down)
    assert dialog.choice.accuracy == 0.05
    assert dialog.choice.storable()["accuracy"] == 0.05
    dialog.show_summary("0.9 MB; within 0.05°")
    assert dialog.summary.text() == "0.9 MB; within 0.05°"


def test_that_the_dialog_is_as_high_as_its_longest_form_and_no_higher(dialog) -> None:
    heights = []
    for offer in OFFERS:
        dialog.formats.choose(offer.key)
        QApplication.processEvents()
        heights.append(dialog.height())
    assert max(heights) == heights[[offer.key for offer in OFFERS].index("frames")]


@pytest.mark.parametrize("layout", ["scene", "lecture"])
def test_that_a_page_takes_the_frame_that_is_selected_in_the_window(layout) -> None:
    seen = Seen(None, 0.0, "deg", "tip")
    page = options_of(
        replace(ExportChoice(), key="html", layout=layout, frame="arm"), formats_by_suffix()[".html"], seen
    )
    film = options_of(replace(ExportChoice(), layout=layout, frame="arm"), formats_by_suffix()[".mp4"], seen)
    assert (page.frame, film.frame) == ("tip", "arm" if layout == "lecture" else None)


def test_that_the_dialog_fits_a_low_screen_and_its_fields_scroll(dialog) -> None:
    dialog.resize(880, 520)
    wait_for(lambda: dialog.height() == 520)
    for button in (dialog.export_button, dialog.cancel_button):
        assert dialog.rect().contains(button.geometry())
    last = dialog.form.widget("bounce")
    assert last.visibleRegion().isEmpty()
    for _ in range(60):
        strike(dialog, Key.Key_Tab)
        if last.hasFocus():
            break
    assert last.hasFocus()
    assert not last.visibleRegion().isEmpty()
