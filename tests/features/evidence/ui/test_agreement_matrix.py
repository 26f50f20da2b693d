"""The table of who agrees with whom, by mouse and keys, and as eyes and screen readers have it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest

from framescope.features.evidence.core.account import Account
from framescope.features.evidence.ui.agreement_matrix import (
    CELL,
    LOOKS,
    AgreementMatrix,
    VerdictLegend,
    certainty_of,
    certainty_words,
    paint_verdict,
)
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK, LIGHT
from tests.support.hand_made_accounts import GYROSCOPE, ORIENTATION, POSE, TF, TWIST, account, agreement
from tests.support.hands import LEFT, PLAIN, Key, focus, picture, strike


@pytest.fixture
def matrix(dark, desk):
    desk.resize(520, 320)
    matrix = desk.put(AgreementMatrix())
    matrix.set_account(account())
    matrix.told = []
    matrix.opened.connect(matrix.told.append)
    return matrix


def names(matrix) -> list[str]:
    return [each.name for each in matrix.cells.readings]


def click(matrix, first: str, second: str) -> None:
    index = matrix.cells.index(names(matrix).index(first), names(matrix).index(second))
    matrix.scrollTo(index)
    QTest.mouseClick(matrix.viewport(), LEFT, PLAIN, matrix.visualRect(index).center())


def test_that_a_click_opens_a_comparison_from_either_side(matrix) -> None:
    click(matrix, GYROSCOPE, POSE)
    click(matrix, POSE, GYROSCOPE)
    assert [(each.first, each.second) for each in matrix.told] == [(GYROSCOPE, POSE)] * 2


def test_that_cells_without_a_comparison_and_the_diagonal_open_nothing(matrix) -> None:
    click(matrix, ORIENTATION, ORIENTATION)
    click(matrix, ORIENTATION, TWIST)
    assert matrix.told == []


def test_that_arrow_keys_move_and_return_opens(matrix) -> None:
    focus(matrix)
    matrix.setCurrentIndex(matrix.cells.index(0, 0))
    strike(matrix, Key.Key_Right)
    strike(matrix, Key.Key_Return)
    strike(matrix, Key.Key_Down)
    strike(matrix, Key.Key_Down)
    strike(matrix, Key.Key_Down)
    strike(matrix, Key.Key_Space)
    assert [{each.first, each.second} for each in matrix.told] == [{GYROSCOPE, ORIENTATION}, {GYROSCOPE, POSE}]


def test_that_a_screen_reader_has_the_sentence_of_each_cell(matrix) -> None:
    cells = matrix.cells
    words = {
        cells.data(cells.index(i, k), Qt.ItemDataRole.AccessibleTextRole)
        for i in range(cells.rowCount())
        for k in range(cells.columnCount())
    }
    assert f"{ORIENTATION} and {GYROSCOPE} agree; next explanation 44 standard errors away" in words
    assert f"{ORIENTATION}, stated for imu_link" in words
    assert f"{ORIENTATION} and {TWIST}: not compared" in words
    assert f"{POSE}, stated for base_link relative to odom" in words


@pytest.mark.parametrize(
    ("apart", "dots", "words"),
    [
        (0.0, 1, "nothing settles it"),
        (2.9, 1, "next explanation 2.9 standard errors away"),
        (3.0, 2, "next explanation 3 standard errors away"),
        (10.0, 3, "next explanation 10 standard errors away"),
        (4e7, 3, "next explanation more than 999 standard errors away"),
        (np.nan, 1, "nothing settles it"),
    ],
)
def test_that_certainty_is_shown_as_dots_and_told_in_words(apart, dots, words) -> None:
    one = agreement(POSE, TF, "agree", apart)
    assert (certainty_of(one), certainty_words(one)) == (dots, words)


def painted(verdict, certainty: int = 2) -> np.ndarray:
    image = QImage(CELL, CELL, QImage.Format.Format_ARGB32)
    image.fill(QColor(current_theme.color("panel")))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_verdict(painter, QRectF(0, 0, CELL, CELL), verdict, certainty)
    painter.end()
    gray = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(gray.constBits(), np.uint8).reshape(CELL, gray.bytesPerLine())
    return rows[:, :CELL].astype(float)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_that_signs_are_told_apart_without_colours(qapp, theme) -> None:
    with current_theme.painted_in(theme):
        signs = {}
        for verdict in LOOKS:
            gray = painted(verdict, 0)
            signs[verdict] = np.abs(gray - np.median(gray)) > 40.0
    verdicts = list(LOOKS)
    for i, one in enumerate(verdicts):
        assert signs[one].sum() > 12
        for other in verdicts[i + 1 :]:
            apart = (signs[one] ^ signs[other]).sum() / max(signs[one].sum(), signs[other].sum())
            assert apart > 0.4, (one, other, apart)


def test_that_certainty_changes_the_cell(qapp, dark) -> None:
    cells = [painted("agree", certainty) for certainty in (1, 2, 3)]
    for first, second in pairwise(cells):
        assert np.abs(first - second).sum() > 200.0


def test_that_the_cell_with_the_keyboard_is_framed(matrix) -> None:
    index = matrix.cells.index(0, 1)
    matrix.setCurrentIndex(index)
    focus(matrix)
    area = matrix.visualRect(index)
    colors = {picture(matrix.viewport()).pixelColor(area.left() + x, area.center().y()).name() for x in range(4)}
    assert current_theme.color("accent").lower() in colors


def test_that_long_names_leave_room_for_the_cells(matrix, desk) -> None:
    desk.resize(300, 320)
    matrix.resize(280, 240)
    assert matrix.width() - matrix.verticalHeader().width() >= 5 * CELL - 6


def test_that_names_of_strangers_are_not_markup(matrix) -> None:
    found = account()
    readings = tuple(replace(each, frame="<img src='http://x'>\n") for each in found.log.readings)
    matrix.set_account(Account(replace(found.log, readings=readings), (), found.agreements))
    tip = matrix.cells.data(matrix.cells.index(0, 0), Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in tip
    assert "\\n" in tip


def test_that_an_account_without_comparisons_has_no_cells(matrix) -> None:
    matrix.set_account(Account(account().log, (), ()))
    assert matrix.cells.rowCount() == 0
    matrix.set_account(None)
    QTest.mouseClick(matrix.viewport(), LEFT, PLAIN, QPoint(20, 20))
    strike(matrix, Key.Key_Return)
    assert matrix.told == []


def test_that_many_readings_scroll(matrix, desk) -> None:
    found = account()
    log = replace(
        found.log, readings=tuple(replace(found.log.readings[0], name=f"orientation of /imu{i}") for i in range(60))
    )
    pairs = tuple(
        agreement(f"orientation of /imu{i}", f"orientation of /imu{k}", "agree", 4.0, n=0)
        for i in range(60)
        for k in range(i)
    )
    matrix.set_account(Account(log, (), pairs))
    matrix.choose(pairs[-1])
    assert matrix.viewport().rect().contains(matrix.visualRect(matrix.currentIndex()))


def test_that_the_legend_goes_on_below_where_it_is_narrow(dark, desk) -> None:
    legend = desk.put(VerdictLegend())
    assert legend.heightForWidth(600) < legend.heightForWidth(120) <= 4 * legend.heightForWidth(600)
    for look in LOOKS.values():
        assert look.word in legend.accessibleName()


def test_that_a_comparison_of_unknown_readings_has_no_cell(matrix) -> None:
    found = account()
    lost = agreement("orientation of /gone", ORIENTATION, "agree", 4.0)
    matrix.set_account(Account(found.log, (), (lost, *found.agreements)))
    matrix.choose(lost)
    assert matrix.cells.cell_of(lost) is None
    assert not matrix.currentIndex().isValid()
