"""Decisions that other columns of a table settle: rates, velocities and the direction of travel."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.recordings.tables.mixed import MixedTable
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
