"""Decisions that other columns of a table settle: rates, velocities and the direction of travel."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.recordings.tables.mixed import MixedTable
from framescope.features.table_import.core.answers import GIVEN, Answers
from framescope.features.table_import.core.guess_columns import Guess, guess
from tests.imports.motions import Columns, drive, quat, tumble, walk, xyz


def guessed(columns: Columns) -> Guess:
    return guess(MixedTable("a.csv", tuple(columns), columns, {}, len(next(iter(columns.values())))), "a.csv")


def rates(m) -> Columns:
    return dict(zip((f"gyro_{c} [rad/s]" for c in "xyz"), m.rates.T, strict=True))


def numbered(columns: Columns) -> Columns:
    """The columns with names that say nothing, but for rates."""
    return {key if "gyro" in key else str(i): values for i, (key, values) in enumerate(columns.items(), 1)}


@pytest.mark.parametrize("names", ["qx qy qz qw", "qw qx qy qz"])
def test_that_rates_settle_the_order_of_a_quaternion(names) -> None:
    m = tumble()
    found = guessed(numbered({"t": m.t} | xyz(m) | quat(m, names)) | rates(m))
    assert found.choices.order == names.replace("q", "").replace(" ", "")
    assert found.reasons["order"].certainty == "certain"
    assert found.reasons["maps"].certainty == "certain"


@pytest.mark.parametrize(("scale", "unit"), [(1.0, "rad"), (180 / np.pi, "deg")])
def test_that_rates_settle_the_unit_of_small_angles(scale, unit) -> None:
    m = walk(0.05)
    angles = dict(zip(("yaw", "pitch", "roll"), (m.angles * scale).T, strict=True))
    found = guessed({"t": m.t} | xyz(m) | angles | rates(m))
    assert (found.choices.angle_unit, found.reasons["angle_unit"].certainty) == (unit, "certain")


def test_that_rates_settle_the_sequence_of_large_angles() -> None:
    m = walk(1.2, "XYZ")
    angles = dict(zip(("euler_x", "euler_y", "euler_z"), m.angles.T, strict=True))
    found = guessed({"t": m.t} | xyz(m) | angles | rates(m))
    assert (found.choices.sequence, found.reasons["sequence"].certainty) == ("XYZ", "certain")


def test_that_rates_that_say_otherwise_settle_nothing() -> None:
    m, other = tumble(), walk()
    found = guessed(numbered({"t": m.t} | xyz(m) | quat(m)) | rates(other))
    assert found.reasons["order"].certainty in ("assumed", "open")


@pytest.mark.parametrize(("scale", "unit"), [(1.0, "m"), (1e3, "mm"), (1 / 0.3048, "ft")])
def test_that_a_velocity_settles_the_unit_of_the_position(scale, unit) -> None:
    m = walk()
    v = np.gradient(m.p, m.t, axis=0)
    velocity = dict(zip((f"v{c} [m/s]" for c in "xyz"), v.T, strict=True))
    found = guessed({"t": m.t} | xyz(m, scale=scale) | quat(m) | velocity)
    assert (found.choices.position_unit, found.reasons["position_unit"].certainty) == (unit, "certain")


@pytest.mark.parametrize("unit", ["rad", "deg"])
@pytest.mark.parametrize("counts", ["counterclockwise", "clockwise", "compass"])
def test_that_a_path_settles_what_a_heading_is(counts, unit) -> None:
    m = drive()
    yaw = m.angles[:, 0]
    angle = {"counterclockwise": yaw, "clockwise": -yaw, "compass": np.pi / 2 - yaw}[counts]
    angle = np.degrees(angle) if unit == "deg" else angle
    found = guessed({"t": m.t, "x": m.p[:, 0], "y": m.p[:, 1], "heading": angle})
    assert (found.choices.counts, found.choices.angle_unit) == (counts, unit)
    assert {found.reasons[key].certainty for key in ("counts", "angle_unit")} == {"certain"}


def test_that_a_path_that_goes_elsewhere_settles_no_heading() -> None:
    m = drive()
    found = guessed({"t": m.t, "x": np.sin(3 * m.t), "y": np.cos(2 * m.t), "heading": m.angles[:, 0]})
    assert found.reasons["counts"].certainty == "open"


LYING = "q_w q_x q_y q_z"
"""Names for numbers whose scalar is last."""


def test_that_a_name_never_outranks_the_rates_beside_it() -> None:
    m = tumble()
    lying = dict(zip(LYING.split(), m.q.T, strict=True))
    found = guessed({"t": m.t} | xyz(m) | lying | rates(m))
    assert found.choices.order == "xyzw"
    assert found.reasons["order"].certainty == "certain"
    assert found.reasons["order"].text.startswith("although the names of the columns say wxyz: so it turns as gyro_x")


@pytest.mark.parametrize("names", ["qx qy qz qw", "qw qx qy qz"])
def test_that_names_that_the_rates_confirm_stay_the_reason(names) -> None:
    m = tumble()
    found = guessed({"t": m.t} | xyz(m) | quat(m, names) | rates(m))
    assert found.choices.order == names.replace("q", "").replace(" ", "")
    assert found.reasons["order"].text == "the names of the columns say so"
    assert found.reasons["maps"].certainty == "certain"


def test_that_rates_of_another_frame_or_motion_change_no_name() -> None:
    m, other = tumble(), walk()
    turned = dict(zip((f"gyro_{c} [rad/s]" for c in "xyz"), m.rates[:, [1, 2, 0]].T, strict=True))
    for own in (turned, rates(other)):
        for names in ("qx qy qz qw", "qw qx qy qz"):
            found = guessed({"t": m.t} | xyz(m) | quat(m, names) | own)
            assert found.choices.order == names.replace("q", "").replace(" ", "")
            assert found.reasons["order"].certainty == "format"


def test_that_rates_beside_a_frame_at_rest_change_no_name() -> None:
    n = 200
    still = dict(zip(LYING.split(), np.tile([0.5, 0.5, -0.5, 0.5], (n, 1)).T, strict=True))
    noise = np.random.default_rng(2).normal(0.0, 0.003, (n, 3))
    found = guessed({"t": np.arange(n) * 0.02} | still | dict(zip(("gx", "gy", "gz"), noise.T, strict=True)))
    assert (found.choices.order, found.reasons["order"].certainty) == ("wxyz", "format")


def test_that_the_user_outranks_the_rates() -> None:
    m = tumble()
    lying = {"t": m.t} | xyz(m) | dict(zip(LYING.split(), m.q.T, strict=True)) | rates(m)
    table = MixedTable("a.csv", tuple(lying), lying, {}, len(m.t))
    found = guess(table, "a.csv", Answers(choices={"order": "wxyz"}))
    assert (found.choices.order, found.reasons["order"]) == ("wxyz", GIVEN)
