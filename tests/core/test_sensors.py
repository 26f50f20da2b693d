"""Sensors against the reference's numbers, against anchors, and against differentiated motions.

What a quantity means is seen from motions over time: positions and orientations in closed form, and what their finite
differences say, resolved in one frame or another.
"""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core import frames, spatial
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.frames import Orientation
from framescope.core.sensors import AbsoluteSensor, RelativeSensor
from framescope.core.spatial import Transform
from tests.support import strategies
from tests.support.cases import for_each
from tests.support.golden_calls import GOLDEN
from tests.support.scenes import HEAD, scene_of

TOLERANCE = 1e-13
ABSOLUTE = ("r", "v", "a", "angles", "w", "z")
RELATIVE = ("r_rel", "v_rel", "a_rel", "angles", "w_rel", "z_rel")
ALL_ABSOLUTE = {f"get_{name}": True for name in ABSOLUTE}
ALL_RELATIVE = {f"get_{name}": True for name in RELATIVE}

FILE = json.loads((GOLDEN / "modelica_absolute_sensor_v222.json").read_text(encoding="utf-8"))
CASES = FILE["cases"]


# --- The reference's numbers


def sensor_of(case):
    """Return the sensor of a case: `get_r_abs` and so on are `get_r` here."""
    given_parameters = case["inputs"]["parameters"]
    return AbsoluteSensor(
        "frame_a",
        **{name.removesuffix("_abs"): on for name, on in given_parameters.items() if name.startswith("get_")},
        resolve_in_frame_a=given_parameters["resolveInFrame_a"],
        frame_resolve=None if case["inputs"]["frame_resolve_R"] is None else "frame_resolve",
        sequence=tuple(given_parameters["sequence"]),
        guess_angle1=given_parameters["guessAngle1"],
    )


def inputs_of(case):
    """Return what `measure` takes, as a tuple."""
    frame_a, R_resolve = case["inputs"]["frame_a"], case["inputs"]["frame_resolve_R"]
    return (
        np.array(frame_a["r_0"]),
        np.array(frame_a["der_r_0"]),
        np.array(frame_a["der2_r_0"]),
        Orientation(frame_a["R"]["T"], frame_a["R"]["w"]),
        np.array(frame_a["der_w_world"]),
        None if R_resolve is None else Orientation(R_resolve["T"], R_resolve["w"]),
    )


def stacked(listed):
    """Return arrays or orientations along a new leading axis, or None for None."""
    if isinstance(listed[0], Orientation):
        return Orientation(np.stack([R.T for R in listed]), np.stack([R.w for R in listed]))
    return None if listed[0] is None else np.stack(listed)


def assert_shows(sensor, found, wanted):
    """Compare to 1e-13 of the largest number of each quantity, at least 1; angles modulo 2 pi."""
    assert found.shape == np.shape(wanted)
    for name, where in sensor.slices.items():
        difference = found[..., where] - np.asarray(wanted)[..., where]
        if name == "angles":
            difference = np.remainder(difference + np.pi, 2.0 * np.pi) - np.pi
        scale = max(1.0, np.abs(np.asarray(wanted)[..., where]).max())
        assert np.abs(difference).max() <= TOLERANCE * scale, name


@pytest.mark.parametrize("number", range(len(CASES)))
def test_that_every_case_agrees_with_the_reference(number) -> None:
    case = CASES[number]
    sensor = sensor_of(case)
    found = sensor.measure(*inputs_of(case))
    assert len(found) == len(sensor.labels) == case["outputs"]["n_out"]
    assert_shows(sensor, found, case["outputs"]["y"])


def test_that_the_cases_resolve_in_every_way_and_measure_everything() -> None:
    assert len(CASES) == 32
    assert {case["tag"] for case in CASES} == {
        "world",
        "frame_a",
        "frame_resolve",
        "frame_resolve+resolveInFrame_a",
    }
    assert {name for case in CASES for name in sensor_of(case).slices} == set(ABSOLUTE)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_that_a_batch_of_cases_gives_the_bits_of_single_calls(number) -> None:
    # No two cases have the same parameters: a batch is the inputs of all that resolve alike, measured by one's sensor.
    batch = [case for case in CASES if case["tag"] == CASES[number]["tag"]]
    sensor = sensor_of(CASES[number])
    together = sensor.measure(*(stacked(listed) for listed in zip(*map(inputs_of, batch), strict=True)))
    for row, case in zip(together, batch, strict=True):
        assert row.tobytes() == sensor.measure(*inputs_of(case)).tobytes()
        if sensor_of(case) == sensor:
            assert_shows(sensor, row, case["outputs"]["y"])


def test_that_the_defaults_are_the_references() -> None:
    assert AbsoluteSensor("a") == AbsoluteSensor(
        "a",
        get_r=True,
        get_v=False,
        get_a=False,
        get_angles=False,
        get_w=False,
        get_z=False,
        resolve_in_frame_a=False,
        frame_resolve=None,
        sequence=(1, 2, 3),
        guess_angle1=0,
        animation=True,
        get_s=False,
        gravity_W=(0.0, 0.0, -9.80665),
    )
    relative = RelativeSensor("a", "b")
    assert [relative.get_r_rel, relative.get_v_rel, relative.get_a_rel] == [True, False, False]
    assert [relative.get_angles, relative.get_w_rel, relative.get_z_rel] == [False, False, False]
    assert (relative.resolve_in, relative.sequence, relative.guess_angle1, relative.animation) == (
        None,
        (1, 2, 3),
        0,
        True,
    )


def test_that_the_specific_force_is_the_acceleration_less_gravity_and_changes_nothing_else() -> None:
    keys = {"frame_a": "imu", "sequence": "ZYX"}
    R = frames.axis_rotation(1, np.pi)  # upside down, as FRD on FLU
    o, a = np.zeros(3), np.array([1.0, 2.0, 3.0])
    for where, expected in (
        ({"resolve_in_frame_a": True}, [1.0, -2.0, -12.80665]),
        ({}, [1.0, 2.0, 12.80665]),
    ):
        sensor = AbsoluteSensor(**keys, **ALL_ABSOLUTE, get_s=True, **where)
        shown = sensor.measure(o, o, a, R, o)
        np.testing.assert_allclose(shown[18:], expected, rtol=1e-15, atol=1e-14)
        np.testing.assert_array_equal(
            shown[:18], AbsoluteSensor(**keys, **ALL_ABSOLUTE, **where).measure(o, o, a, R, o)
        )
        assert sensor.labels[20] == f"s_z [m/s²] specific force of imu, resolved in {sensor.resolved_in}"
    free = AbsoluteSensor("imu", get_r=False, get_s=True, gravity_W=(1.0, 2.0, 3.0), frame_resolve="base")
    np.testing.assert_array_equal(free.measure(o, o, a, R, o, R), np.zeros(3))
    with pytest.raises(ValueError, match="gravity_W"):
        AbsoluteSensor("imu", gravity_W=(0.0, np.nan, 0.0))


# --- Anchors

QUARTER = frames.axis_rotation(3, np.pi / 2, 2.0)
"""A frame whose x axis is the world's y axis, turning with 2 rad/s about z."""


def test_that_an_arm_that_goes_round_shows_what_one_expects() -> None:
    # A quarter round, 3 m from the middle, 2 rad/s: it stands at y = 3, goes to -x with 6 m/s, is drawn to the middle
    # with 12 m/s². In the arm's own axes the first is along x, the second along y, the third along -x.
    motion = ([0, 3, 0], [-6, 0, 0], [0, -12, 0], QUARTER, [0, 0, 0.5])
    in_world = AbsoluteSensor("arm", **ALL_ABSOLUTE).measure(*motion)
    in_arm = AbsoluteSensor("arm", **ALL_ABSOLUTE, resolve_in_frame_a=True).measure(*motion)
    turn = [0, 0, np.pi / 2, 0, 0, 2, 0, 0, 0.5]
    assert_allclose(in_world, [0, 3, 0, -6, 0, 0, 0, -12, 0, *turn], atol=1e-14)
    assert_allclose(in_arm, [3, 0, 0, 0, 6, 0, -12, 0, 0, *turn], atol=1e-14)


def test_that_resolving_in_a_third_frame_wins_and_is_a_rotation_only() -> None:
    motion = ([0, 3, 0], [-6, 0, 0], [0, -12, 0], frames.axis_rotation(1, 0.3, 5.0), [1, 2, 3])
    # x of the third frame is the world's z axis, y its x, z its y. That it turns makes no difference.
    R_resolve = frames.from_T([[0, 0, 1], [1, 0, 0], [0, 1, 0]], [7, 8, 9])
    for resolve_in_frame_a in (False, True):
        sensor = AbsoluteSensor("arm", **ALL_ABSOLUTE, resolve_in_frame_a=resolve_in_frame_a, frame_resolve="tilted")
        assert sensor.resolved_in == "tilted"
        found = sensor.measure(*motion, R_resolve)
        assert_allclose(found, [0, 0, 3, 0, -6, 0, 0, 0, -12, 0.3, 0, 0, 0, 5, 0, 3, 1, 2], atol=1e-14)


def test_that_a_frame_at_a_lock_shows_the_guess_as_given() -> None:
    sensor = AbsoluteSensor("a", get_r=False, get_angles=True, sequence="ZXZ", guess_angle1=4.0)
    o = np.zeros(3)
    assert_allclose(sensor.measure(o, o, o, frames.null_rotation(), o), [4.0, 0.0, -4.0 + 2.0 * np.pi], atol=1e-14)


def test_that_the_guess_picks_the_branch() -> None:
    o, R = np.zeros(3), frames.axes_rotations("XYZ", [0.1, 0.2, 0.3])
    near = AbsoluteSensor("a", get_r=False, get_angles=True)
    far = AbsoluteSensor("a", get_r=False, get_angles=True, guess_angle1=-3.0)
    assert_allclose(near.measure(o, o, o, R, o), [0.1, 0.2, 0.3], atol=1e-14)
    assert_allclose(far.measure(o, o, o, R, o), [0.1 - np.pi, np.pi - 0.2, 0.3 - np.pi], atol=1e-14)


def test_that_an_angular_velocity_resolved_in_its_frame_is_that_of_the_orientation_even_when_it_has_drifted() -> None:
    o, R = np.zeros(3), Orientation(1.001 * QUARTER.T, [1.0, 2.0, 3.0])
    sensor = AbsoluteSensor("a", get_r=False, get_w=True, resolve_in_frame_a=True)
    assert_array_equal(sensor.measure(o, o, o, R, o), R.w)
    sensor = AbsoluteSensor("a", get_r=False, get_w=True)
    assert_array_equal(sensor.measure(o, o, o, R, o), frames.resolve1(R, R.w))


# --- Motions over time


def derivative(f, t, h=1e-3):
    """Return the derivative by central differences of the fourth order."""
    return (8.0 * (f(t + h) - f(t - h)) - (f(t + 2.0 * h) - f(t - 2.0 * h))) / (12.0 * h)


def second_derivative(f, t):
    return derivative(lambda s: derivative(f, s), t)


def turning(R, t):
    """Return the angular velocity in the outer frame from nothing but R, whose columns are axes: R' = skew(w) R."""
    S = derivative(R, t) @ R(t).T
    return np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2.0


@dataclass
class Motion:
    """A frame that moves in the world: cubic angles about the axes of a sequence, and a cubic position."""

    seed: int
    sequence: str = "ZYX"
    angles: np.ndarray = field(init=False)
    position: np.ndarray = field(init=False)

    def __post_init__(self):
        self.angles, self.position = np.random.default_rng(self.seed).uniform(-0.8, 0.8, (2, 4, 3))

    def R(self, t):
        """Return R_WA: its columns are the axes of the frame in world."""
        return frames.axes_rotations(self.sequence, np.polynomial.polynomial.polyval(t, self.angles)).T.T

    def p(self, t):
        return np.polynomial.polynomial.polyval(t, self.position)

    def w(self, t):
        return turning(self.R, t)

    def orientation(self, t):
        """Return the orientation with its angular velocity, from the rates of the angles."""
        angles, rates = (np.polynomial.polynomial.polyval(t, c) for c in (self.angles, self.rates))
        return frames.axes_rotations(self.sequence, angles, rates)

    @property
    def rates(self):
        return np.polynomial.polynomial.polyder(self.angles)

    def v(self, t):
        return np.polynomial.polynomial.polyval(t, np.polynomial.polynomial.polyder(self.position))

    def a(self, t):
        return np.polynomial.polynomial.polyval(t, np.polynomial.polynomial.polyder(self.position, 2))

    def z(self, t):
        """Return the derivative of the angular velocity resolved in world."""
        return derivative(lambda s: frames.angular_velocity1(self.orientation(s)), t)

    def X(self, t):
        return Transform(self.R(t), self.p(t))

    def V(self, t):
        return np.concatenate([frames.angular_velocity1(self.orientation(t)), self.v(t)])

    def A(self, t):
        return np.concatenate([self.z(t), self.a(t)])


INSTANTS = [(1, 0.0), (2, 0.7), (3, -0.9), (4, 1.3)]


@pytest.mark.parametrize(("seed", "t"), INSTANTS)
@pytest.mark.parametrize("resolved_in", ["world", "frame_a", "third"])
def test_that_what_is_shown_are_derivatives_in_the_world_rotated(seed, t, resolved_in) -> None:
    moving, third = Motion(seed), Motion(seed + 100, "XZX")
    sensor = AbsoluteSensor(
        "moving",
        **ALL_ABSOLUTE,
        resolve_in_frame_a=resolved_in == "frame_a",
        frame_resolve="third" if resolved_in == "third" else None,
        sequence="YXZ",
    )
    R_resolve = third.orientation(t) if resolved_in == "third" else None
    inputs = moving.p(t), moving.v(t), moving.a(t), moving.orientation(t), moving.z(t)
    found = sensor.measure(*inputs, R_resolve)

    into = {"world": np.eye(3), "frame_a": moving.R(t).T, "third": third.R(t).T}[resolved_in]
    expected = {
        "r": moving.p(t),
        "v": derivative(moving.p, t),
        "a": second_derivative(moving.p, t),
        "w": moving.w(t),
        "z": derivative(moving.w, t),
    }
    for name, in_world in expected.items():
        assert_allclose(found[sensor.slices[name]], into @ in_world, atol=1e-8, err_msg=name)
    again = frames.axes_rotations("YXZ", found[sensor.slices["angles"]])
    assert_allclose(again.T.T, moving.R(t), atol=1e-14)


def test_that_the_angular_acceleration_is_the_derivative_of_either_shown_angular_velocity() -> None:
    # Of w resolved in the frame itself too, as w × w = 0; not of w resolved in a third frame, which turns.
    moving, t = Motion(5), 0.4
    o = np.zeros(3)
    for in_frame in (False, True):
        sensor = AbsoluteSensor("moving", get_r=False, get_w=True, get_z=True, resolve_in_frame_a=in_frame)

        def shown(s, sensor=sensor):
            return sensor.measure(o, o, o, moving.orientation(s), moving.z(s))

        assert_allclose(shown(t)[3:], derivative(shown, t)[:3], atol=1e-9)


@dataclass
class Seen:
    """The motion of B as an observer fixed in A sees it, by multiplying matrices."""

    A: Motion
    B: Motion

    def R(self, t):
        return self.A.R(t).T @ self.B.R(t)

    def p(self, t):
        return self.A.R(t).T @ (self.B.p(t) - self.A.p(t))

    def w(self, t):
        return turning(self.R, t)

    def shown(self, t):
        return {
            "r_rel": self.p(t),
            "v_rel": derivative(self.p, t),
            "a_rel": second_derivative(self.p, t),
            "w_rel": self.w(t),
            "z_rel": derivative(self.w, t),
        }


def pair(seed, t):
    """Return both motions, and what a relative sensor of them takes."""
    A, B = Motion(seed), Motion(seed + 1000, "XZX")
    return A, B, (A.X(t), A.V(t), A.A(t), B.X(t), B.V(t), B.A(t))


@pytest.mark.parametrize(("seed", "t"), INSTANTS)
@pytest.mark.parametrize("resolve_in", [None, "A", "B", "world", "third"])
def test_that_a_relative_sensor_differentiates_as_seen_from_frame_a(seed, t, resolve_in) -> None:
    A, B, inputs = pair(seed, t)
    third = Motion(seed + 100, "YXZ")
    sensor = RelativeSensor("A", "B", **ALL_RELATIVE, resolve_in=resolve_in, sequence="ZXZ", guess_angle1=1.0)
    found = sensor.measure(*inputs, third.orientation(t) if resolve_in == "third" else None)

    R_WA = A.R(t)
    outer = {"B": B.R(t), "world": np.eye(3), "third": third.R(t)}.get(resolve_in, R_WA)
    for name, in_A in Seen(A, B).shown(t).items():
        assert_allclose(found[sensor.slices[name]], outer.T @ R_WA @ in_A, atol=1e-8, err_msg=name)
    again = frames.axes_rotations("ZXZ", found[sensor.slices["angles"]])
    assert_allclose(again.T.T, R_WA.T @ B.R(t), atol=1e-14)


@pytest.mark.parametrize(("seed", "t"), INSTANTS)
def test_that_a_relative_sensor_shows_the_relative_spatial_motions(seed, t) -> None:
    _, _, inputs = pair(seed, t)
    X_WA, V_WA, _, X_WB, V_WB, _ = inputs
    sensor = RelativeSensor("A", "B", **ALL_RELATIVE)
    found = sensor.measure(*inputs)
    V_AB = spatial.find_relative_velocity(X_WA, V_WA, X_WB, V_WB)
    A_AB = spatial.find_relative_acceleration(*inputs)
    assert_array_equal(np.concatenate([found[sensor.slices["w_rel"]], found[sensor.slices["v_rel"]]]), V_AB)
    assert_array_equal(np.concatenate([found[sensor.slices["z_rel"]], found[sensor.slices["a_rel"]]]), A_AB)


@pytest.mark.parametrize(("seed", "t"), INSTANTS)
def test_that_what_frame_b_sees_is_what_the_sensor_with_frames_swapped_shows(seed, t) -> None:
    # The reference's resolveInFrame_a = false: r_b - r_a resolved in frame b, and differentiated there.
    A, B, (X_WA, V_WA, A_WA, X_WB, V_WB, A_WB) = pair(seed, t)

    def r_rel_b(s):
        return B.R(s).T @ (B.p(s) - A.p(s))

    sensor = RelativeSensor("B", "A", get_v_rel=True, get_a_rel=True)
    found = -sensor.measure(X_WB, V_WB, A_WB, X_WA, V_WA, A_WA)
    expected = [r_rel_b(t), derivative(r_rel_b, t), second_derivative(r_rel_b, t)]
    assert_allclose(found, np.concatenate(expected), atol=1e-8)


def test_that_a_frame_fixed_to_frame_a_stands_still_wherever_it_is_resolved() -> None:
    A, t = Motion(7), 0.3
    p_AB_W = A.R(t) @ [1.0, 2.0, 3.0]
    w, b = A.V(t)[:3], A.A(t)[:3]
    X_WB = Transform(A.R(t), A.p(t) + p_AB_W)
    V_WB = spatial.shift_velocity_by(A.V(t), p_AB_W)
    A_WB = spatial.shift_acceleration_by(A.A(t), w, p_AB_W)
    assert np.abs(b).max() > 0.1
    for resolve_in in (None, "B", "world"):
        sensor = RelativeSensor("A", "B", **ALL_RELATIVE, resolve_in=resolve_in)
        found = sensor.measure(A.X(t), A.V(t), A.A(t), X_WB, V_WB, A_WB)
        assert_allclose(found[:3], p_AB_W if resolve_in == "world" else [1, 2, 3], atol=1e-14)
        assert_allclose(found[3:], 0.0, atol=1e-13)


def test_that_a_frame_relative_to_the_world_is_measured_as_by_an_absolute_sensor() -> None:
    B, t = Motion(8), 0.6
    X_WW = Transform(np.eye(3), np.zeros(3))
    relative = RelativeSensor("world", "B", **ALL_RELATIVE)
    absolute = AbsoluteSensor("B", **ALL_ABSOLUTE)
    found = relative.measure(X_WW, np.zeros(6), np.zeros(6), B.X(t), B.V(t), B.A(t))
    assert_allclose(found, absolute.measure(B.p(t), B.v(t), B.a(t), B.orientation(t), B.z(t)), atol=1e-14)


# --- Angles over time


def test_that_angles_over_time_do_not_jump_where_single_ones_do() -> None:
    t = np.linspace(0.0, 20.0, 401)
    angles = np.stack([0.9 * t, 0.4 + 1.3 * np.sin(t), -0.7 * t], axis=-1)
    R, o = frames.axes_rotations("ZXY", angles), np.zeros(3)
    sensor = AbsoluteSensor("a", get_angles=True, sequence=(3, 1, 2), guess_angle1=0.0)
    path = np.stack([t, t, t], axis=-1)
    along, single = sensor.measure_along(path, o, o, R, o), sensor.measure(path, o, o, R, o)
    assert along.shape == (401, 6)
    assert_allclose(along[:, 3:], angles, atol=1e-12)
    assert np.abs(np.diff(single[:, 3:], axis=0)).max() > 3.0
    assert_array_equal(along[:, :3], single[:, :3])
    assert_array_equal(along[0], single[0])


def test_that_the_guess_picks_the_branch_of_the_first_sample_only() -> None:
    t, o = np.linspace(0.0, 9.0, 91), np.zeros(3)
    R = frames.axes_rotations("XYZ", np.stack([t, 0.2 + 0 * t, 0 * t], axis=-1))
    sensor = AbsoluteSensor("a", get_r=False, get_angles=True, guess_angle1=3.0)
    assert_allclose(
        sensor.measure_along(o, o, o, R, o), np.stack([t + np.pi, np.pi - 0.2 + 0 * t, np.pi + 0 * t], -1), atol=1e-12
    )


def test_that_relative_angles_over_time_do_not_jump() -> None:
    t, o = np.linspace(0.0, 15.0, 301), np.zeros(6)
    R_WA = frames.axes_rotations("XZX", np.stack([t, 0.3 * t, np.sin(t)], axis=-1))
    angles = np.stack([0.8 * t, 0.5 * np.cos(t), 0.3 * t], axis=-1)
    R_WB = frames.absolute_rotation(R_WA, frames.axes_rotations("ZYX", angles))
    X_WA, X_WB = (Transform.from_orientation(R, [0, 0, 0]) for R in (R_WA, R_WB))
    sensor = RelativeSensor("A", "B", **ALL_RELATIVE, sequence="ZYX")
    along = sensor.measure_along(X_WA, o, o, X_WB, o, o)
    assert_allclose(along[:, sensor.slices["angles"]], angles, atol=1e-12)
    keep = np.delete(np.arange(18), sensor.slices["angles"])
    assert_array_equal(along[:, keep], sensor.measure(X_WA, o, o, X_WB, o, o)[:, keep])


def test_that_a_frame_that_stands_still_is_a_series_too() -> None:
    o = np.zeros(3)
    sensor = AbsoluteSensor("a", get_angles=True)
    found = sensor.measure_along(np.zeros((5, 3)), o, o, frames.axis_rotation(1, 0.3), o)
    assert_allclose(found, np.tile([0, 0, 0, 0.3, 0, 0], (5, 1)), atol=1e-15)
    empty = sensor.measure_along(np.zeros((0, 3)), o, o, frames.axis_rotation(1, 0.3), o)
    assert empty.shape == (0, 6)


@pytest.mark.parametrize("shape", [(), (2, 3)])
@pytest.mark.parametrize("get_angles", [False, True])
def test_that_a_series_has_one_leading_axis(shape, get_angles) -> None:
    o = np.zeros((*shape, 3))
    with pytest.raises(ValueError, match=r"r_0, v_0.*: expected a series in time, leading shape \(n,\), got"):
        AbsoluteSensor("a", get_angles=get_angles).measure_along(o, o, o, frames.null_rotation(), o)
    V, X = np.zeros((*shape, 6)), Transform(np.eye(3), np.zeros(3))
    with pytest.raises(ValueError, match=r"X_WA, V_WA.*: expected a series in time, leading shape \(n,\), got"):
        RelativeSensor("a", "b", get_angles=get_angles).measure_along(X, V, V, X, V, V)


# --- Shapes


def some(kinds, shape, seed):
    """Return arguments: 3 and 6 are vectors, "R" orientations, "X" poses."""
    rng = np.random.default_rng(seed)
    found = []
    for kind in kinds:
        if isinstance(kind, int):
            found.append(rng.normal(size=(*shape, kind)))
            continue
        R = frames.axes_rotations("XYZ", rng.uniform(-3.0, 3.0, (*shape, 3)), rng.normal(size=(*shape, 3)))
        found.append(R if kind == "R" else Transform.from_orientation(R, rng.normal(size=(*shape, 3))))
    return found


def at(value, index):
    if isinstance(value, Orientation):
        return Orientation(value.T[index], value.w[index])
    return Transform(value.R_AB[index], value.p_AB[index]) if isinstance(value, Transform) else value[index]


SENSORS = {
    "world": (AbsoluteSensor("a", **ALL_ABSOLUTE), [3, 3, 3, "R", 3]),
    "frame_a": (AbsoluteSensor("a", **ALL_ABSOLUTE, resolve_in_frame_a=True), [3, 3, 3, "R", 3]),
    "third": (AbsoluteSensor("a", **ALL_ABSOLUTE, frame_resolve="c"), [3, 3, 3, "R", 3, "R"]),
    "seen_from_a": (RelativeSensor("a", "b", **ALL_RELATIVE), ["X", 6, 6, "X", 6, 6]),
    "seen_in_b": (RelativeSensor("a", "b", **ALL_RELATIVE, resolve_in="b"), ["X", 6, 6, "X", 6, 6]),
    "seen_in_world": (RelativeSensor("a", "b", **ALL_RELATIVE, resolve_in="world"), ["X", 6, 6, "X", 6, 6]),
    "seen_in_third": (RelativeSensor("a", "b", **ALL_RELATIVE, resolve_in="c"), ["X", 6, 6, "X", 6, 6, "R"]),
}


@pytest.mark.parametrize("key", SENSORS)
@for_each("shape", [(), (1,), (5,), (2, 3), (0,), (2, 0)])
def test_that_a_batch_gives_the_bits_of_single_calls(key, shape) -> None:
    sensor, kinds = SENSORS[key]
    given_arguments = some(kinds, shape, 3)
    together = sensor.measure(*given_arguments)
    assert together.shape == (*shape, 18)
    assert together.dtype == np.float64
    for index in np.ndindex(shape):
        single = sensor.measure(*(at(value, index) for value in given_arguments))
        assert together[index].tobytes() == single.tobytes()


@pytest.mark.parametrize("key", SENSORS)
def test_that_each_argument_broadcasts(key) -> None:
    sensor, kinds = SENSORS[key]
    single = some(kinds, (), 4)
    expected = sensor.measure(*single)
    for i, kind in enumerate(kinds):
        many = some([kind], (2, 4), 5)[0]
        found = sensor.measure(*single[:i], many, *single[i + 1 :])
        assert found.shape == (2, 4, 18)
        row = sensor.measure(*single[:i], at(many, (1, 2)), *single[i + 1 :])
        assert found[1, 2].tobytes() == row.tobytes()
        assert not np.array_equal(row, expected)


def test_that_quantities_that_are_off_count_for_the_shape() -> None:
    o = np.zeros(3)
    found = AbsoluteSensor("a").measure(np.ones(3), np.zeros((4, 3)), o, frames.null_rotation(), o)
    assert_array_equal(found, np.ones((4, 3)))


@given(strategies.orientations(2), st.data())
def test_that_only_what_is_on_is_packed_in_its_order(both, data) -> None:
    R, R_resolve = both
    on = data.draw(st.lists(st.sampled_from(ABSOLUTE), min_size=1, unique=True))
    motion = (np.ones(3), np.arange(3.0), np.array([3.0, -1.0, 2.0]), R, np.array([0.5, 0.0, -2.0]))
    whole = AbsoluteSensor("a", **ALL_ABSOLUTE, frame_resolve="c")
    part = AbsoluteSensor("a", **{f"get_{name}": name in on for name in ABSOLUTE}, frame_resolve="c")
    every, some_of_it = whole.measure(*motion, R_resolve), part.measure(*motion, R_resolve)
    assert list(part.slices) == [name for name in ABSOLUTE if name in on]
    assert some_of_it.shape[-1] == 3 * len(on) == len(part.labels)
    for name, where in part.slices.items():
        assert_array_equal(some_of_it[..., where], every[..., whole.slices[name]])
        assert part.labels[where] == whole.labels[whole.slices[name]]


@pytest.mark.parametrize("on", RELATIVE)
def test_that_a_relative_sensor_packs_what_is_on(on) -> None:
    whole = RelativeSensor("a", "b", **ALL_RELATIVE)
    part = RelativeSensor("a", "b", **{f"get_{name}": name == on for name in RELATIVE})
    given_arguments = some(["X", 6, 6, "X", 6, 6], (3,), 6)
    assert part.slices == {on: slice(0, 3)}
    assert_array_equal(part.measure(*given_arguments), whole.measure(*given_arguments)[..., whole.slices[on]])


@pytest.mark.parametrize("key", SENSORS)
def test_that_results_are_the_callers_own(key) -> None:
    sensor, kinds = SENSORS[key]
    given_arguments = some(kinds, (2,), 7)
    before = sensor.measure(*given_arguments)
    sensor.measure(*given_arguments)[...] = 0.0
    assert_array_equal(sensor.measure(*given_arguments), before)


def test_that_one_quantity_alone_is_a_copy_too() -> None:
    r, o = np.ones(3), np.zeros(3)
    found = AbsoluteSensor("a").measure(r, o, o, frames.null_rotation(), o)
    found[...] = 2.0
    assert_array_equal(r, np.ones(3))


def test_that_what_overflows_is_infinite_and_no_warning() -> None:
    far = [Transform(np.eye(3), [sign * 1.5e308, 0, 0]) for sign in (1, -1)]
    found = RelativeSensor("a", "b", **ALL_RELATIVE).measure(far[0], np.ones(6), np.ones(6), far[1], *[np.zeros(6)] * 2)
    assert not np.isfinite(found).all()


# --- Labels


def test_that_labels_name_what_component_unit_and_frame() -> None:
    sensor = AbsoluteSensor("arm", **ALL_ABSOLUTE, frame_resolve="base", sequence=(3, 1, 2))
    assert sensor.labels[::3] == (
        "r_x [m] of arm, resolved in base",
        "v_x [m/s] of arm, resolved in base",
        "a_x [m/s²] of arm, resolved in base",
        "angle 1 about z [rad] of ZXY, world into arm",
        "w_x [rad/s] of arm, resolved in base",
        "z_x [rad/s²] of arm, resolved in base",
    )
    assert sensor.labels[9:12] == tuple(
        f"angle {i} about {axis} [rad] of ZXY, world into arm" for i, axis in [(1, "z"), (2, "x"), (3, "y")]
    )
    assert [label[:3] for label in sensor.labels[:3]] == ["r_x", "r_y", "r_z"]


def test_that_labels_follow_what_vectors_are_resolved_in() -> None:
    assert AbsoluteSensor("arm").labels[0] == "r_x [m] of arm, resolved in world"
    assert AbsoluteSensor("arm", resolve_in_frame_a=True).labels[0] == "r_x [m] of arm, resolved in arm"
    assert RelativeSensor("base", "arm").labels[0] == "r_rel_x [m] of arm seen from base, resolved in base"
    relative = RelativeSensor("base", "arm", **ALL_RELATIVE, resolve_in="tip")
    assert relative.labels[3::3] == (
        "v_rel_x [m/s] of arm seen from base, resolved in tip",
        "a_rel_x [m/s²] of arm seen from base, resolved in tip",
        "angle 1 about x [rad] of XYZ, base into arm",
        "w_rel_x [rad/s] of arm seen from base, resolved in tip",
        "z_rel_x [rad/s²] of arm seen from base, resolved in tip",
    )
    assert len(set(relative.labels)) == 18


# --- What is refused


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"get_r": False}, "get_r, get_v, .*: expected at least one to be on"),
        ({"frame_a": ""}, "frame_a: expected the name of a frame, got ''"),
        ({"frame_a": None}, "frame_a: expected the name of a frame, got None"),
        ({"frame_resolve": ""}, "frame_resolve: expected the name of a frame or None, got ''"),
        ({"sequence": (1, 1, 2)}, "sequence: expected three axes"),
        ({"sequence": "xyz"}, "sequence: 'xyz' is extrinsic"),
        ({"guess_angle1": np.nan}, "guess_angle1: expected finite"),
        ({"guess_angle1": [0.0, 1.0]}, "guess_angle1: expected one number"),
    ],
)
def test_that_a_sensor_that_makes_no_sense_is_refused(fields, message) -> None:
    with pytest.raises(ValueError, match=message):
        AbsoluteSensor(**{"frame_a": "a", **fields})
    renamed = {{"get_r": "get_r_rel", "frame_resolve": "resolve_in"}.get(key, key): v for key, v in fields.items()}
    message = message.replace("get_r, get_v", "get_r_rel, get_v_rel").replace("frame_resolve", "resolve_in")
    with pytest.raises(ValueError, match=message):
        RelativeSensor(**{"frame_a": "a", "frame_b": "b", **renamed})


def test_that_a_sensor_is_a_value_and_keeps_its_sequence_as_given() -> None:
    sensor = AbsoluteSensor("a", sequence="XYZ")
    assert sensor.sequence == "XYZ"
    assert len({sensor, AbsoluteSensor("a", sequence="XYZ"), AbsoluteSensor("a", sequence=(1, 2, 3))}) == 2
    with pytest.raises(FrozenInstanceError):
        sensor.frame_a = "b"


def test_that_the_frame_to_resolve_in_is_handed_in_exactly_when_it_is_set() -> None:
    motion, R = some([3, 3, 3, "R", 3], (), 8), frames.null_rotation()
    with pytest.raises(ValueError, match="R_resolve: expected the orientation of 'c', as frame_resolve names it"):
        AbsoluteSensor("a", frame_resolve="c").measure(*motion)
    for in_frame_a in (False, True):
        with pytest.raises(ValueError, match="R_resolve: expected None, as frame_resolve names no further frame"):
            AbsoluteSensor("a", resolve_in_frame_a=in_frame_a).measure(*motion, R)
    motions = some(["X", 6, 6, "X", 6, 6], (), 8)
    with pytest.raises(ValueError, match="R_resolve: expected the orientation of 'c', as resolve_in names it"):
        RelativeSensor("a", "b", resolve_in="c").measure(*motions)
    for resolve_in in (None, "a", "b", "world"):
        sensor = RelativeSensor("a", "b", resolve_in=resolve_in)
        assert not sensor.needs_R_resolve
        with pytest.raises(ValueError, match="R_resolve: expected None, as resolve_in names no further frame"):
            sensor.measure(*motions, R)


NAMES = {
    "third": ["r_0", "v_0", "a_0", "R", "z_0", "R_resolve"],
    "seen_in_third": ["X_WA", "V_WA", "A_WA", "X_WB", "V_WB", "A_WB", "R_resolve"],
}


@pytest.mark.parametrize(("key", "i"), [(key, i) for key, names in NAMES.items() for i in range(len(names))])
def test_that_an_error_calls_an_argument_by_name(key, i) -> None:
    sensor, kinds = SENSORS[key]
    name, fine = NAMES[key][i], some(kinds, (2,), 9)

    def call(value):
        return sensor.measure(*fine[:i], value, *fine[i + 1 :])

    with pytest.raises(ValueError, match=rf"leading shapes do not broadcast: .*\b{name} \(3,\)"):
        call(some([kinds[i]], (3,), 9)[0])
    if isinstance(kinds[i], int):
        with pytest.raises(ValueError, match=rf"^{name}: expected shape \(\.\.\., {kinds[i]}\), got \(2, 4\)"):
            call(np.zeros((2, 4)))
        with pytest.raises(ValueError, match=f"^{name}: expected finite numbers"):
            call(np.full((2, kinds[i]), np.nan))
    else:
        wanted = "an Orientation" if kinds[i] == "R" else "a Transform"
        with pytest.raises(ValueError, match=f"^{name}: expected {wanted}"):
            call(np.eye(3))


SCENE = (
    HEAD
    + """\
  arm: {parent: world, position: {value: ["sin(t)", "0.3*t**2", 0.2], unit: m}, orientation: {form: axes, sequence: ZXY,
        angles: ["0.7*t", "0.4*sin(2*t)", "0.2*t**2"], unit: rad}}
  hand: {parent: arm, position: {value: [0.5, "0.2*cos(3*t)", "sqrt(t)"], unit: m}}
  lost: {parent: nobody}
"""
)


@pytest.mark.parametrize("frame_resolve", [None, "arm"])
@pytest.mark.parametrize("resolve_in_frame_a", [False, True])
def test_that_a_sensor_in_a_scene_shows_derivatives_of_what_it_shows(frame_resolve, resolve_in_frame_a) -> None:
    plan = compile_plan(scene_of(SCENE))
    sensor = AbsoluteSensor(
        "hand", True, True, True, True, True, True, resolve_in_frame_a=resolve_in_frame_a, frame_resolve=frame_resolve
    )
    t, h = np.linspace(0.5, 2.0, 9), 1e-4
    before, now, after = (evaluate(plan, t + s * h) for s in (-1, 0, 1))
    shown = sensor.output(now)
    frame = frame_resolve or ("hand" if resolve_in_frame_a else "world")
    R_WC = now.R_WF[:, now.index[frame]]
    i = now.index["hand"]

    def in_world(name: str) -> np.ndarray:
        return np.einsum("nij,nj->ni", R_WC, shown[:, sensor.slices[name]])

    assert_allclose(in_world("r"), now.p_WF[:, i], atol=1e-13)
    assert_allclose(in_world("v"), (after.p_WF[:, i] - before.p_WF[:, i]) / (2 * h), atol=1e-6)
    assert_allclose(in_world("a"), (after.v_WF[:, i] - before.v_WF[:, i]) / (2 * h), atol=1e-6)
    w_world = [np.einsum("nij,nj->ni", s.R_WF[:, i], s.w_WF_F[:, i]) for s in (before, now, after)]
    assert_allclose(in_world("w"), w_world[1], atol=1e-13)
    assert_allclose(in_world("z"), (w_world[2] - w_world[0]) / (2 * h), atol=1e-6)
    T = frames.axes_rotations("XYZ", shown[:, sensor.slices["angles"]]).T
    assert_allclose(T, np.swapaxes(now.R_WF[:, i], 1, 2), atol=1e-13)
    assert_array_equal(sensor.output(evaluate(plan, t[3])), shown[3])


def test_that_a_sensor_shows_nan_where_there_is_no_value() -> None:
    plan = compile_plan(scene_of(SCENE))
    snapshot = evaluate(plan, np.array([0.0, 1.0]))
    shown = AbsoluteSensor("hand", True, True, True).output(snapshot)
    assert np.isfinite(shown[1]).all()
    assert np.isfinite(shown[0, :3]).all()  # sqrt(t) has a value at 0, but no derivative
    assert np.isnan(shown[0, 3:]).all()
    specific_force = AbsoluteSensor("hand", get_r=False, get_s=True).output(snapshot)
    assert np.isnan(specific_force[0]).all()
    assert np.isfinite(specific_force[1]).all()
    assert np.isnan(AbsoluteSensor("lost").output(snapshot)).all()
    assert np.isnan(AbsoluteSensor("hand", frame_resolve="lost").output(snapshot)).all()
    with pytest.raises(KeyError):
        AbsoluteSensor("nobody").output(snapshot)
