"""Numbers as text, text as numbers, and round numbers along an axis."""

import math
import re
import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from framescope.ui.formatting import number_text
from framescope.ui.formatting import ticks as ticks_module
from framescope.ui.formatting.arithmetic import MAX_LENGTH, evaluate
from framescope.ui.formatting.number_text import MINUS, MISSING, parse_angle_deg, parse_number
from framescope.ui.formatting.ticks import nice_step, ticks

finite = st.floats(allow_nan=False, allow_infinity=False)
PIECES = """
    ( ) - + * ** / // % , . 0 1 2.5 1e999 1e-999 pi tau e sqrt( sin( acos( (-1)**0.5 0.0 deg rad turn ° ½ 1j x \\
    lambda: import __class__ [ ] { } if else and True None := 99999999999999999999999999999999999999999999
"""
# Text that looks a little like what is typed, so that it gets past the first check.
typed = st.one_of(
    st.text(),
    st.text(alphabet="0123456789.,+-*/() eE_jxpiradegtun°π½−×'\"\\\n\0", max_size=30),
    st.lists(st.sampled_from([*PIECES.split(), " "]), max_size=12).map("".join),
)


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


# --- Numbers as text


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.5, 4, "0.5000"),
        (-44.98, 2, "−44.98"),
        (1.23456789, 4, "1.2346"),
        (180.0, 2, "180.00"),
        (-1.0, 0, "−1"),
        (0.0, 4, "0.0000"),
        (-0.0, 4, "0.0000"),
        (-0.00001, 4, "0.0000"),
        (-0.00005001, 4, "−0.0001"),
        (-0.4, 0, "0"),
        (math.nan, 4, MISSING),
        (math.inf, 4, "∞"),
        (-math.inf, 4, "−∞"),
        (123456789.0, 2, "123456789.00"),
        (-2.5e9, 1, "−2.5e9"),
        (1e300, 2, "1.00e300"),
    ],
)
def test_that_a_number_is_shown_with_fixed_digits(value, decimals, text) -> None:
    assert number_text.fixed(value, decimals) == text


@given(st.floats(), st.integers(0, 8))
def test_that_what_is_shown_has_a_true_minus_and_never_a_negative_zero(value, decimals) -> None:
    for text in (number_text.fixed(value, decimals), number_text.scientific(value, decimals)):
        assert "-" not in text
        assert "nan" not in text
        assert "inf" not in text
        if text.startswith(MINUS):
            assert re.search("[1-9∞]", text)


@given(st.floats(-1e8, 1e8), st.integers(0, 8))
def test_that_what_is_shown_is_the_number_but_for_the_digits_left_out(value, decimals) -> None:
    text = number_text.fixed(value, decimals)
    assert parse_number(text) == pytest.approx(value, abs=0.5 * 10.0**-decimals * (1 + 1e-6), rel=1e-12)
    assert len(text.partition(".")[2]) == decimals


def test_that_degrees_have_two_digits() -> None:
    assert number_text.degrees(-133.14159) == "−133.14"
    assert number_text.degrees(1.0, 1) == "1.0"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.22e-16, "2.2e−16"),
        (-3.16e5, "−3.2e5"),
        (0.0, "0.0"),
        (-0.0, "0.0"),
        (math.nan, MISSING),
        (-math.inf, "−∞"),
    ],
)
def test_that_a_residue_is_shown_with_an_exponent(value, text) -> None:
    assert number_text.scientific(value) == text


@given(finite)
@example(0.1)
@example(-5e-324)
@example(1.7976931348623157e308)
def test_that_what_is_copied_reads_back_to_the_same_bits(value) -> None:
    text = number_text.full(value)
    assert text.isascii()
    # A negative zero is never shown, not even to be copied.
    assert bits(float(text)) == bits(value + 0.0)
    assert bits(parse_number(text)) == bits(value + 0.0)


def test_that_a_number_of_numpy_is_copied_as_a_plain_one() -> None:
    numpy = pytest.importorskip("numpy")
    assert number_text.full(numpy.float64(0.25)) == "0.25"
    assert number_text.full(numpy.float32(0.5)) == "0.5"
    assert number_text.full(math.nan) == "nan"


@pytest.mark.parametrize(("t", "text"), [(0.0, "0.00"), (26.4, "26.40"), (-0.001, "0.00"), (-1.5, "−1.50")])
def test_that_a_time_has_hundredths(t, text) -> None:
    assert number_text.seconds(t) == text


def test_that_every_speed_has_its_own_text() -> None:
    texts = [number_text.speed(factor) for factor in number_text.SPEEDS]
    assert texts == ["1/100×", "1/50×", "1/20×", "1/10×", "1/4×", "½×", "1×", "2×", "5×", "10×"]
    assert list(number_text.SPEEDS) == sorted(number_text.SPEEDS)
    assert number_text.speed(1.5) == "1.5×"
    assert number_text.speed(0.3) == "0.3×"


def test_that_the_mark_of_a_turn_is_signed_and_empty_within_the_first() -> None:
    assert [number_text.turn_mark(turn) for turn in (-12, -1, 0, 1, 3)] == ["−12", "−1", "", "+1", "+3"]


# --- Turns


@given(st.floats(-1e6, 1e6))
@example(180.0)
@example(-180.0)
@example(540.0)
@example(-540.0)
def test_that_an_angle_is_split_into_a_part_within_half_a_turn_and_whole_turns(value) -> None:
    wrapped, turn = number_text.wrap_deg(value)
    assert isinstance(turn, int)
    assert -180.0 <= wrapped <= 180.0
    assert wrapped + 360.0 * turn == pytest.approx(value, abs=1e-9)


@given(st.floats(-180.0, 180.0))
@example(180.0)
@example(-180.0)
def test_that_an_angle_of_at_most_half_a_turn_stays_as_it_is(value) -> None:
    assert number_text.wrap_deg(value) == (value, 0)


@given(st.floats(-1e6, 1e6))
def test_that_turning_the_other_way_mirrors_the_split(value) -> None:
    wrapped, turn = number_text.wrap_deg(value)
    assert number_text.wrap_deg(-value) == (-wrapped, -turn)


# --- Text as angles and numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("30", 30.0),
        ("30deg", 30.0),
        ("30 deg", 30.0),
        ("30°", 30.0),
        ("30 °", 30.0),
        ("30º", 30.0),
        ("  30 Degrees ", 30.0),
        ("-30deg", -30.0),
        ("−30°", -30.0),
        ("pi/6", 30.0),
        ("π/6", 30.0),
        ("PI / 6", 30.0),
        ("-pi", -180.0),
        ("tau/4", 90.0),
        ("pi/6 rad", 30.0),
        ("90 + 1/4", 90.25),
        ("1/4 turn", 90.0),
        ("0,5 turn", 180.0),
        ("½ turn", 180.0),
        ("-2 turns", -720.0),
        ("1 rev", 360.0),
        ("1e2 deg", 100.0),
        ("2*45°", 90.0),
        ("2·45", 90.0),
        ("3×30", 90.0),
        ("90÷2", 45.0),
        ("(1 + 2)*10", 30.0),
        ("44,98", 44.98),
    ],
)
def test_that_an_angle_is_read_with_its_unit(text, value) -> None:
    assert parse_angle_deg(text) == value


@pytest.mark.parametrize("text", ["0,5236 rad", "0.5236rad", "0.5236 radians", "0.5236 RAD"])
def test_that_radians_become_degrees(text) -> None:
    assert parse_angle_deg(text) == pytest.approx(math.degrees(0.5236), abs=1e-11)


def test_that_a_field_in_radians_reads_a_plain_number_as_radians() -> None:
    assert parse_angle_deg("pi/2", "rad") == 90.0
    assert parse_angle_deg("1", "rad") == pytest.approx(math.degrees(1.0))
    assert parse_angle_deg("90°", "rad") == 90.0


@given(st.floats(-720.0, 720.0))
def test_that_degrees_are_read_without_rounding(value) -> None:
    assert bits(parse_angle_deg(number_text.full(value))) == bits(value + 0.0)
    assert bits(parse_angle_deg(number_text.full(value) + "°")) == bits(value + 0.0)


@given(st.floats(-4.0, 4.0))
def test_that_radians_are_read_to_twelve_digits(value) -> None:
    assert parse_angle_deg(f"{number_text.full(value)} rad") == pytest.approx(math.degrees(value), abs=1e-12)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-1,5", -1.5),
        ("1e-3", 1e-3),
        ("sqrt(2)/2", math.sqrt(2) / 2),
        ("cos(pi)", -1.0),
        ("2**-3", 0.125),
        ("+4", 4.0),
        ("--4", 4.0),
        ("−0,5", -0.5),
        ("½", 0.5),
        ("e", math.e),
        ("atan(1)*4/pi", 1.0),
    ],
)
def test_that_a_number_is_read_with_a_little_arithmetic(text, value) -> None:
    assert parse_number(text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "Nothing typed."),
        ("   ", "Nothing typed."),
        ("abc", "abc is not known here."),
        ("1/0", "Division by zero."),
        ("0**-1", "Division by zero."),
        ("1e999", "The number is too large."),
        ("10**400", "The number is too large."),
        ("(-8)**(1/3)", "Not a real number."),
        ("sqrt((-1)**0.5)", "Not a real number."),
        ("sqrt(-1)", "Not a number."),
        ("acos(2)", "Not a number."),
        ("2^3", "Write a power as **."),
        ("20*sin(", "A bracket is not closed."),
        ("(1 + 2))", "A bracket is closed that was not opened."),
        ("1 2", "Not a number."),
        ("1,2,3", "Not a number."),
        ("2π", "Not a number."),
        ("1½", "Not a number."),
        ("True", "Not a number."),
        ("2j", "Not a number."),
        ("'1'", "Not a number."),
        ("pi.real", "Not a number."),
        ("sqrt(4, 2)", "Not a number."),
        ("abs(1)", "abs is not known here."),
        ("(lambda: 1)()", "Not a number."),
        ("__import__('os')", "Not a number."),
        ("__import__(1)", "__import__ is not known here."),
        ("1\0", "Not a number."),
        ("-" * 30 + "1", "Too many brackets."),
        ("1+" * MAX_LENGTH + "1", f"Too long: {MAX_LENGTH} characters at most."),
    ],
)
def test_that_what_cannot_be_read_is_said_in_a_sentence_with_a_hint(text, problem) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)) as number_error:
        parse_number(text)
    assert str(number_error.value) == f"{problem} Try 0.5, 1e-3 or sqrt(2)/2."
    with pytest.raises(ValueError, match=re.escape(problem)) as angle_error:
        parse_angle_deg(text)
    assert str(angle_error.value) == f"{problem} Try pi/6, 30deg or 0.5236 rad."


@pytest.mark.parametrize("text", ["30deg 20deg", "30 rad deg", "deg 30", "30° + 1 turn"])
def test_that_an_angle_has_one_unit_at_its_end(text) -> None:
    with pytest.raises(ValueError, match="One unit, at the end"):
        parse_angle_deg(text)


@pytest.mark.parametrize("text", ["deg", "°", "rad", " turn"])
def test_that_a_unit_alone_is_no_angle(text) -> None:
    with pytest.raises(ValueError, match="Nothing typed"):
        parse_angle_deg(text)


@given(typed)
@example("sqrt((-1)**0.5)")
@example("1e999")
@example("\ud800")
@example("9" * 80)
def test_that_nothing_typed_does_worse_than_an_error_with_a_sentence(text) -> None:
    for parse in (parse_number, parse_angle_deg, lambda text: parse_angle_deg(text, "rad"), evaluate):
        try:
            value = parse(text)
        except ValueError as error:
            assert re.search(r"\.( Try .*\.)?$", str(error))  # noqa: PT017
        else:
            assert isinstance(value, float)
            assert math.isfinite(value)


def test_that_a_large_angle_in_another_unit_is_refused_when_it_overflows() -> None:
    with pytest.raises(ValueError, match="too large"):
        parse_angle_deg("1e308 turn")


# --- Round numbers along an axis


@pytest.mark.parametrize(
    ("span", "count", "step"),
    [(30.0, 8, 5.0), (0.7, 4, 0.2), (0.3, 3, 0.1), (1.0, 1, 1.0), (12.0, 7, 2.0), (1e-7, 10, 1e-8)],
)
def test_that_a_step_is_round(span, count, step) -> None:
    assert nice_step(span, count) == pytest.approx(step, rel=1e-12)


@pytest.mark.parametrize("span", [0.0, -1.0, math.nan, math.inf])
def test_that_a_span_that_is_none_still_has_a_step(span) -> None:
    assert nice_step(span, 5) == 1.0


@given(st.floats(1e-9, 1e9), st.integers(1, 30))
def test_that_a_step_divides_a_span_into_no_more_parts_than_there_is_room_for(span, count) -> None:
    step = nice_step(span, count)
    assert span / step <= count * (1 + 1e-6)
    assert round(step / 10.0 ** math.floor(math.log10(step) + 1e-9)) in (1, 2, 5)


def test_that_ticks_are_round_and_labelled_with_the_digits_that_tell_them_apart() -> None:
    found = ticks(-0.5, 0.5, 5)
    assert found.major == (-0.4, -0.2, 0.0, 0.2, 0.4)
    assert found.labels() == ("−0.4", "−0.2", "0.0", "0.2", "0.4")
    assert set(found.major) <= set(found.minor)


def test_that_the_ends_of_a_round_range_have_their_ticks() -> None:
    assert ticks(0.0, 12.0, 12).major[::12] == (0.0, 12.0)
    assert ticks(0.1, 0.3, 2).major == (0.1, 0.2, 0.3)


@given(st.floats(-1e4, 1e4), st.floats(1e-3, 1e5), st.integers(1, 20))
def test_that_ticks_lie_in_the_range_in_order_and_no_two_labels_agree(low, span, count) -> None:
    high = low + span
    found = ticks(low, high, count)
    slack = 1e-5 * nice_step(span, count)
    for values in (found.major, found.minor):
        assert list(values) == sorted(set(values))
        assert all(low - slack <= value <= high + slack for value in values)
    assert len(found.major) <= 2 * count + 2
    if count > 1:
        assert len(found.major) > 1
    if len(found.major) > count + 1:  # with wider steps there would be one label alone
        wider = nice_step(span, count)
        assert sum(low <= i * wider <= high for i in range(math.floor(low / wider), math.ceil(high / wider) + 1)) < 2
    assert len(set(found.labels())) == len(found.major)
    assert not any(math.copysign(1.0, value) < 0 for value in found.major if value == 0)


def test_that_every_round_step_has_parts() -> None:
    assert set(ticks_module.TICK_PARTS) == {1, 2, 5}
