"""Units of recorded joint angles: names, limits, velocities and range, and how sure each of them makes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from framescope.core.scene.schema.motions import Joint
from framescope.features.robots.core.joint_units import OWN, JointColumn, decide_units

T = np.linspace(0.0, 12.0, 241)
ARM = {"type": "revolute", "unit": "rad", "lower": -6.3, "upper": 6.3}
ELBOW = {"type": "revolute", "unit": "rad", "lower": -2.9, "upper": 2.9}
WHEEL = {"type": "revolute", "unit": "rad"}
TURNED = {"type": "revolute", "unit": "deg", "lower": -180.0, "upper": 180.0}


def swung(amplitude: float, n: int = 6) -> list[np.ndarray]:
    return [amplitude * np.sin(0.8 * T + k) for k in range(n)]


def decided(joint: dict, values: list[np.ndarray], answer: str | None = None, **others: np.ndarray):
    columns = [JointColumn(f"j{i}", f"j{i}", Joint(**joint), each) for i, each in enumerate(values)]
    numbers = {each.column: each.values for each in columns} | {"t": T} | others
    sizes, decision = decide_units(columns, T, numbers, answer)
    assert len({sizes[each.column] for each in columns}) == 1
    assert sizes["j0"] == {"rad": 1.0, "deg": math.radians(1.0), OWN: sizes["j0"]}[decision.value]
    return decision.value, decision.certainty


@pytest.mark.parametrize(
    ("joint", "amplitude", "expected"),
    [
        (ARM, 1.4, ("rad", "assumed")),
        (ELBOW, 2.6, ("rad", "assumed")),
        (ARM, 4.0, ("rad", "open")),
        (ARM, 5.0, ("rad", "open")),
        (ELBOW, 5.0, ("deg", "certain")),
        (ARM, 12.0, ("deg", "certain")),
        (ARM, 160.0, ("deg", "certain")),
        (WHEEL, 1.0, ("rad", "assumed")),
        (WHEEL, 4.0, ("rad", "open")),
        (WHEEL, 25.0, ("rad", "open")),
        (WHEEL, 170.0, ("rad", "open")),
        (WHEEL, 700.0, ("rad", "open")),
        (TURNED, 40.0, ("deg", "certain")),
        (TURNED, 1.2, ("deg", "open")),
    ],
)
def test_that_the_range_and_the_limits_say_the_unit_or_leave_it_open(joint: dict, amplitude: float, expected) -> None:
    assert decided(joint, swung(amplitude)) == expected


def test_that_one_joint_beyond_half_a_turn_leaves_it_open() -> None:
    assert decided(ARM, [*swung(4.5, 1), *swung(1.0, 5)]) == ("rad", "open")


def test_that_a_wheel_may_turn_as_far_as_it_likes() -> None:
    assert decided(WHEEL, [20.0 * T, 21.0 * T]) == ("rad", "open")
    assert decided(WHEEL, [52.0 * T / T[-1], 50.0 * T / T[-1]]) == ("rad", "open")
    assert decided(WHEEL, swung(25.0, 2)) == ("rad", "open")


@pytest.mark.parametrize("n_limited", [0, 1, 5])
def test_that_what_radians_allow_is_never_taken_for_degrees(n_limited: int) -> None:
    joints = [ARM] * n_limited + [WHEEL] * (6 - n_limited)
    values = [*swung(5.0, n_limited), *swung(170.0, 6 - n_limited)]
    named = zip("abcdef", joints, values, strict=True)
    columns = [JointColumn(name, name, Joint(**joint), x) for name, joint, x in named]
    _, decision = decide_units(columns, T, {})
    assert (decision.value, decision.certainty) == ("rad", "open")


def test_that_degrees_are_certain_where_one_limit_refuses_radians() -> None:
    columns = [JointColumn("wheel", "wheel", Joint(**WHEEL), 170.0 * np.sin(T)),
               JointColumn("elbow", "elbow", Joint(**ELBOW), 100.0 * np.sin(T))]  # fmt: skip
    _, decision = decide_units(columns, T, {})
    assert (decision.value, decision.certainty) == ("deg", "certain")


def test_that_degrees_of_the_scene_are_asked_about_where_radians_would_do() -> None:
    turned = {"type": "revolute", "unit": "deg"}
    assert decided(turned, swung(25.0)) == ("deg", "open")


@pytest.mark.parametrize(
    ("of_angles", "of_rates", "name", "expected"),
    [
        ("deg", "rad", "j0_velocity", ("deg", "certain")),
        ("rad", "deg", "j0_velocity", ("rad", "certain")),
        ("deg", "deg", "j0 velocity [deg/s]", ("deg", "certain")),
        ("rad", "rad", "j0_vel_rad_s", ("rad", "certain")),
        ("deg", "rad", "j0 speed (rad/s)", ("deg", "certain")),
        ("rad", "rad", "j0_velocity", ("rad", "assumed")),
        ("deg", "none", "j0_velocity", ("rad", "assumed")),
    ],
)
def test_that_velocities_settle_the_unit(of_angles: str, of_rates: str, name: str, expected) -> None:
    sizes = {"rad": 1.0, "deg": math.degrees(1.0)}
    angle = 1.0 / (sizes["deg"] if of_angles == "deg" else 1.0)
    rng = np.random.default_rng(1)
    values = sizes[of_angles] * angle * np.sin(0.8 * T) + rng.normal(0.0, 1e-5, len(T))
    rates = np.cos(3.0 * T) if of_rates == "none" else sizes[of_rates] * 0.8 * angle * np.cos(0.8 * T)
    assert decided(ARM, [values], **{name: rates + rng.normal(0.0, 1e-4 * np.abs(rates).max(), len(T))}) == expected


@pytest.mark.parametrize("unit", ["rad", "deg"])
def test_that_a_person_and_a_name_are_right(unit: str) -> None:
    assert decided(ELBOW, swung(2.0), unit) == (unit, "certain")
    columns = [JointColumn(f"elbow [{unit}]", "elbow", Joint(**ELBOW), 90.0 * np.sin(T))]
    sizes, decision = decide_units(columns, T, {})
    assert sizes == {f"elbow [{unit}]": {"rad": 1.0, "deg": math.radians(1.0)}[unit]}
    assert (decision.value, decision.certainty) == (unit, "format")


def test_that_lengths_and_empty_columns_need_no_decision() -> None:
    rail = JointColumn("rail", "rail", Joint(type="prismatic", unit="mm"), 3.0 * T)
    assert decide_units([rail], T, {}) == ({"rail": 1e-3}, None)
    assert decided(ARM, [np.full(len(T), np.nan)]) == ("rad", "assumed")
    assert decided(ARM, [np.zeros(0)]) == ("rad", "assumed")


def test_that_joints_of_different_units_are_shown_as_that() -> None:
    columns = [
        JointColumn("a", "a", Joint(**ARM), np.sin(T)),
        JointColumn("b", "b", Joint(**TURNED), 20.0 * np.sin(T)),
    ]
    sizes, decision = decide_units(columns, T, {})
    assert sizes == {"a": 1.0, "b": math.radians(1.0)}
    assert (decision.value, decision.alternatives) == (OWN, ("rad", "deg"))
