import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from framescope.ui import arithmetic, ticks, units


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.5, 4, "0.5000"),
        (-44.98, 2, "−44.98"),
        (-0.00001, 4, "0.0000"),
        (-0.0, 2, "0.00"),
        (math.nan, 2, "–"),
        (-math.inf, 2, "−∞"),
        (1e12, 2, "1.00e12"),
    ],
)
def test_that_numbers_have_fixed_decimals_and_a_true_minus(value, decimals, text):
    assert units.fixed(value, decimals) == text


@given(st.floats(), st.integers(0, 6))
def test_that_a_negative_zero_is_never_shown(value, decimals):
    text = units.fixed(value, decimals)

    assert not (text.startswith(units.MINUS) and set(text[1:]) <= {"0", "."})


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_that_a_copied_number_has_full_precision(value):
    assert float(units.full(value)) == value


@given(st.floats(-1e6, 1e6))
def test_that_what_is_shown_can_be_typed_again(value):
    assert units.parse_number(units.fixed(value, 4)) == pytest.approx(value, abs=5.1e-5)


@pytest.mark.parametrize(
    ("text", "value_deg"),
    [
        ("30", 30.0),
        ("30deg", 30.0),
        (" 30 ° ", 30.0),
        ("30º", 30.0),
        ("-12,5", -12.5),
        ("−30", -30.0),
        ("pi/6", 30.0),
        ("π/2", 90.0),
        ("2*pi rad", 360.0),
        ("0.25 turn", 90.0),
        ("½ turn", 180.0),
        ("1e1", 10.0),
        ("(10 + 5)*2", 30.0),
        ("90 DEG", 90.0),
    ],
)
def test_that_a_typed_angle_is_understood(text, value_deg):
    assert units.parse_angle_deg(text) == pytest.approx(value_deg, abs=1e-12)


def test_that_a_bare_number_is_in_the_unit_of_the_field():
    assert units.parse_angle_deg("0.5", default_unit="rad") == pytest.approx(math.degrees(0.5))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("pi/0", "Division by zero."),
        ("", "Nothing typed."),
        ("30deg + pi rad", "One unit, at the end."),
        ("abc", "abc is not known here."),
        ("2**5000", "The number is too large."),
        ("1e999", "The number is too large."),
        ("(-8)**0.5", "Not a real number."),
        ("2^3", "Write a power as **."),
        ("sqrt(-1)", "Not a number."),
        ("1j", "Not a number."),
        ("True", "Not a number."),
        ("1 2", "Not a number."),
        ("(" * 30 + "1" + ")" * 30, "Not a number."),
        ("-" * 30 + "1", "Too many brackets."),
        ("1" * 200, "Too long: 80 characters at most."),
        ("\0", "Not a number."),
    ],
)
def test_that_a_bad_text_is_refused_with_a_hint(text, problem):
    if text.startswith("(("):
        # Redundant brackets leave no trace in a parsed expression.
        assert units.parse_angle_deg(text) == 1.0
        return
    with pytest.raises(ValueError, match=r"Try pi/6, 30deg or 0\.5236 rad\.$") as refused:
        units.parse_angle_deg(text)

    assert str(refused.value).startswith(problem)


@pytest.mark.parametrize(
    "text", ["__import__('os')", "().__class__", "[1]", "lambda: 1", "sqrt.__call__(4)", "sqrt(x=4)", "f'{1}'", "a:=1"]
)
def test_that_nothing_typed_is_executed(text):
    with pytest.raises(ValueError, match="known here|Not a number"):
        arithmetic.evaluate(text)


@pytest.mark.parametrize(
    ("value_deg", "wrapped", "turn"),
    [(0, 0, 0), (180, 180, 0), (-180, 180, -1), (180.5, -179.5, 1), (400, 40, 1), (-200, 160, -1)],
)
def test_that_an_angle_is_split_into_turns(value_deg, wrapped, turn):
    assert units.wrap_deg(value_deg) == pytest.approx((wrapped, turn))


@given(st.floats(-1e6, 1e6))
def test_that_turns_and_rest_make_up_the_angle(value_deg):
    wrapped, turn = units.wrap_deg(value_deg)

    assert -180.0 < wrapped + 1e-9
    assert wrapped <= 180.0 + 1e-9
    assert wrapped + 360.0 * turn == pytest.approx(value_deg, abs=1e-9)


def test_that_every_speed_has_its_own_short_text():
    texts = [units.speed(factor) for factor in units.SPEEDS]

    assert len(set(texts)) == len(texts)
    assert texts[0] == "1/100×"
    assert texts[-1] == "10×"


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(1, 20))
def test_that_ticks_are_round_few_and_within_the_range(low, span, max_count):
    high = low + span
    found = ticks.ticks(low, high, max_count)
    step = ticks.nice_step(high - low, max_count)

    assert len(found.major) <= max_count + 1
    assert all(low - step * 1e-3 <= value <= high + step * 1e-3 for value in found.major)
    assert len(found.major) == len(found.labels())


def test_that_tick_labels_have_the_digits_that_tell_them_apart():
    assert ticks.ticks(0.0, 1.0, 5).labels() == ("0.0", "0.2", "0.4", "0.6", "0.8", "1.0")
    assert ticks.ticks(-150.0, 50.0, 4).labels() == ("−150", "−100", "−50", "0", "50")
    assert ticks.ticks(0.0, 0.3, 3).labels() == ("0.0", "0.1", "0.2", "0.3")
