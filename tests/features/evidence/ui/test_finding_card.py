"""The card of a finding, its buttons and its menu."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from framescope.features.evidence.core.mends import Snippet
from framescope.features.evidence.ui.finding_card import FindingCard, about_text
from tests.support.hand_made_accounts import account
from tests.support.hands import LEFT

MOUNTED, DEGREES, UNCERTAIN, AGREE, OPEN = account().findings
SNIPPETS = (Snippet("Static transform (command)", "ros2 run x"), Snippet("Launch file (XML)", "<node/>"))


@pytest.fixture
def card(dark, desk):
    desk.resize(360, 260)
    card = desk.put(FindingCard(MOUNTED, "Turn frame", SNIPPETS))
    card.told = []
    for name in ("shown", "mended", "copied"):
        getattr(card, name).connect(lambda value, name=name: card.told.append((name, value)))
    return card


def test_that_its_buttons_show_and_mend(card) -> None:
    QTest.mouseClick(card.show_button, LEFT)
    QTest.mouseClick(card.mend_button, LEFT)
    assert card.told == [("shown", MOUNTED), ("mended", MOUNTED)]


def test_that_its_menu_copies_texts(card) -> None:
    card.menu.actions()[1].trigger()
    assert QGuiApplication.clipboard().text() == "<node/>"
    assert card.told == [("copied", "Copied: launch file (XML)")]


def test_that_the_tool_tip_of_the_fix_has_all_digits(card) -> None:
    tip = card.mend_button.toolTip()
    assert "quaternion x y z w: 0.5 -0.5 -0.5 0.5" in tip
    assert "standard errors about x y z of base_link: 0.36° 0.41° 0.44°" in tip


def test_that_a_card_without_a_fix_has_no_button_for_it(dark, desk) -> None:
    card = desk.put(FindingCard(AGREE))
    assert card.mend_button.isHidden()
    assert card.menu.isEmpty()
    assert card.property("role") == "verdict"


def test_that_it_is_named_by_severity_and_sentence(card) -> None:
    assert card.accessibleName() == f"problem: {MOUNTED.sentence}"
    assert card.show_button.accessibleName() == f"show: {MOUNTED.sentence}"


def test_that_the_caption_has_readings_stretch_and_what_stays_open() -> None:
    assert about_text(MOUNTED) == "orientation of /imu/data, angular velocity of /imu/data"
    assert about_text(AGREE).endswith("· 0.00 to 20.00 s")
    assert about_text(OPEN).splitlines()[1:] == ["A turn about x would tell."]
    assert about_text(UNCERTAIN).splitlines()[1:] == ["Another explanation fits nearly as well."]
    assert about_text(DEGREES) == "angular velocity of /odom"


def test_that_sentences_with_names_of_strangers_are_plain_text(dark, desk) -> None:
    finding = replace(AGREE, sentence="<b>imu</b>\u202e is late", readings=("<i>a</i>",))
    card = desk.put(FindingCard(finding))
    assert card.sentence.textFormat() == Qt.TextFormat.PlainText
    assert "\\u202e" in card.sentence.text()
