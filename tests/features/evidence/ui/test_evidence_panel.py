"""The evidence panel: its states, its comparison and its two arrangements."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from framescope.features.evidence.core.account import Account
from framescope.features.evidence.core.readings import SensorLog
from framescope.features.evidence.ui.evidence_panel import (
    CHOOSE,
    NO_RECORDING,
    NO_SENSORS,
    NOTHING_COMPARED,
    EvidencePanel,
    ShownFinding,
    curves_of,
    facts_of,
)
from tests.support.hand_made_accounts import LATE, POSE, SENTENCE, TF, TURNED, account, agreement
from tests.support.hands import LEFT, PLAIN, Key, focus, strike

SPAN = (0.0, 20.0)


@pytest.fixture
def panel(dark, desk):
    desk.resize(1000, 320)
    panel = desk.put(EvidencePanel())
    panel.told = []
    for name in ("finding_shown", "finding_mended", "agreement_shown", "stop_requested", "begin_requested", "scrubbed"):
        getattr(panel, name).connect(lambda *values, name=name: panel.told.append((name, *values)))
    return panel


def shown(found=None) -> list[ShownFinding]:
    found = account() if found is None else found
    return [ShownFinding(each, "Turn frame" if each.mounting else "") for each in found.findings]


def words(panel) -> str:
    return " ".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def test_that_it_says_what_to_open_and_what_is_lacking(panel) -> None:
    assert NO_RECORDING in words(panel)
    panel.show_nothing(has_recording=True)
    assert NO_SENSORS in words(panel)
    panel.show_account(Account(SensorLog(()), (), ()), (), SPAN)
    assert NO_SENSORS in words(panel)


def test_that_the_most_severe_sentence_comes_first_with_its_fix(panel) -> None:
    found = account()
    panel.show_account(found, shown(), SPAN)
    assert [card.finding.sentence for card in panel.cards] == [each.sentence for each in found.findings]
    tops = [card.mapTo(panel, card.rect().topLeft()).y() for card in panel.cards]
    assert tops == sorted(tops)
    assert SENTENCE in words(panel)
    QTest.mouseClick(panel.cards[0].show_button, LEFT)
    QTest.mouseClick(panel.cards[0].mend_button, LEFT)
    assert [(name, value.sentence) for name, value in panel.told] == [
        ("finding_shown", SENTENCE),
        ("finding_mended", SENTENCE),
    ]


def test_that_progress_stands_above_earlier_results_and_can_be_stopped(panel) -> None:
    panel.show_account(account(), shown(), SPAN)
    panel.show_busy("Comparing the sensors of drive.bag", 0.25)
    assert panel.bar.value() == 250
    assert "Comparing the sensors of drive.bag" in words(panel)
    assert SENTENCE in words(panel)
    QTest.mouseClick(panel.stop_button, LEFT)
    assert panel.told == [("stop_requested",)]
    panel.show_busy("Comparing the sensors of drive.bag")
    assert not panel.bar.isVisible()
    assert panel.busy_text.isVisible()
    panel.show_account(account(), shown(), SPAN)
    assert not panel.bar.isVisible()


def test_that_a_failure_says_why_and_offers_to_begin_again(panel) -> None:
    panel.show_stopped("<b>drive.bag</b> cannot be read.")
    assert "<b>drive.bag</b> cannot be read." in words(panel)
    panel.stopped.action_requested.emit()
    assert panel.told == [("begin_requested",)]


def test_that_a_cell_shows_its_sentence_and_its_differences(panel) -> None:
    found = account()
    panel.show_account(found, shown(), SPAN)
    assert CHOOSE in words(panel)
    chosen = found.agreements[2]
    focus(panel.matrix)
    panel.matrix.choose(chosen)
    strike(panel.matrix, Key.Key_Return)
    assert panel.told == [("agreement_shown", chosen)]
    assert chosen.sentence in words(panel)
    assert facts_of(chosen) in words(panel)
    assert [style.name for style in panel.plot.curves.styles] == ["stated", "corrected"]
    assert panel.plot.accessibleName().startswith("differences of orientation of /imu/data and orientation of /odom")


def test_that_a_click_in_the_differences_asks_for_that_time(panel) -> None:
    found = account()
    panel.show_account(found, shown(), SPAN)
    panel.show_agreement(found.agreements[2])
    canvas = panel.plot.canvas
    QTest.qWait(0)
    QTest.mouseClick(canvas.viewport(), LEFT, PLAIN, canvas.area.center().toPoint())
    ((_, t),) = panel.told
    assert t == pytest.approx(10.0, abs=0.3)


def test_that_the_chosen_cell_stays_after_another_comparison_of_the_sensors(panel) -> None:
    found = account()
    panel.show_account(found, shown(), SPAN)
    panel.show_agreement(found.agreements[3])
    better = replace(found.agreements[3], verdict="agree", faults=(), sentence="They agree now.")
    others = (*found.agreements[:3], better, *found.agreements[4:])
    panel.show_account(replace(found, agreements=others), shown(), SPAN)
    assert panel.agreement is better
    assert "They agree now." in words(panel)


def test_that_findings_without_comparisons_are_told_so(panel) -> None:
    found = replace(account(), agreements=())
    panel.show_account(found, shown(), SPAN)
    assert NOTHING_COMPARED in words(panel)
    assert not panel.matrix.isVisible()


def test_that_an_account_without_findings_says_that_nothing_contradicts(panel) -> None:
    found = account()
    agreeing = tuple(each for each in found.agreements if each.verdict in ("agree", "cannot tell"))
    panel.show_account(replace(found, findings=(), agreements=agreeing), (), SPAN)
    assert "No sensor contradicts another: 3 comparisons agree, the motion cannot tell in 2." in words(panel)
    panel.show_account(found, shown(), SPAN)
    assert not panel.calm.isVisible()


def test_that_several_recordings_can_be_chosen(panel) -> None:
    panel.show_account(account(), shown(), SPAN, ["a.bag", "b.bag"], 1)
    assert panel.files.isVisible()
    assert panel.files.currentText() == "b.bag"
    panel.show_account(account(), shown(), SPAN, ["a.bag"], 0)
    assert not panel.files.isVisible()


@pytest.mark.parametrize(("width", "is_beside"), [(1000, True), (340, False)])
def test_that_the_parts_are_beside_or_below_each_other_and_nothing_is_cut_sideways(
    panel, desk, width, is_beside
) -> None:
    desk.resize(width, 500)
    panel.show_account(account(), shown(), SPAN)
    panel.show_agreement(account().agreements[2])
    QTest.qWait(0)
    matrix, card = (part.mapTo(panel, part.rect().topLeft()) for part in (panel.matrix, panel.cards[0]))
    assert (matrix.x() > card.x() + panel.cards[0].width()) == is_beside
    assert (matrix.y() > card.y() + panel.cards[0].height() > 0) == (not is_beside)
    area = panel.card_area
    assert panel.cards[0].width() <= area.viewport().width()
    button = panel.cards[0].mend_button
    right = button.mapTo(area.viewport(), button.rect().topRight()).x()
    assert right <= area.viewport().width()


def test_that_numbers_without_faults_have_one_size_and_one_curve() -> None:
    one = agreement(POSE, TF, "agree", 300.0)
    assert facts_of(one) == f"{one.before:.3g} rad/s rms · 6.00 to 12.50 s"
    assert len(curves_of(one).styles) == 1
    both = agreement(POSE, TF, "explained", 30.0, (TURNED, LATE))
    assert facts_of(both).startswith(f"{both.before:.3g} → {both.after:.3g} rad/s rms")


def test_that_a_comparison_without_times_or_numbers_shows_no_plot(panel) -> None:
    bare = replace(
        agreement(POSE, TF, "cannot tell", 0.0, n=2),
        t=np.zeros(0),
        residual=np.zeros((0, 2)),
        before=np.nan,
        stretch=(0.0, 0.0),
    )
    panel.show_account(replace(account(), agreements=(bare,)), shown(), SPAN)
    panel.show_agreement(bare)
    assert not panel.plot.isVisible()
    assert facts_of(bare) == "– rad/s rms"


def test_that_differences_that_are_missing_leave_gaps(panel) -> None:
    gap = agreement(POSE, TF, "explained", 30.0, (TURNED,))
    gap.residual[50:90] = np.nan
    panel.show_account(replace(account(), agreements=(gap,)), shown(), SPAN)
    panel.show_agreement(gap)
    assert panel.plot.isVisible()
    panel.set_time(4.0)
    assert Qt.TextFormat.PlainText == panel.sentence.textFormat()


def test_that_numbers_of_a_sentence_are_not_repeated_below_it():
    agreement = next(each for each in account().agreements if each.faults)
    sentence = f"a and b agree: {agreement.after:.3g} instead of {agreement.before:.3g} rad/s rms."
    assert "→" in facts_of(replace(agreement, sentence="a and b agree."))
    assert "rms" not in facts_of(replace(agreement, sentence=sentence))
