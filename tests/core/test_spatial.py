"""Poses and spatial vectors against anchors, against differentiated motions, and by properties.

That a convention is the right one is seen from what no convention touches: positions and poses over time, and what
their finite differences say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core import frames, spatial
from framescope.core.frames import Orientation
from framescope.core.kernels.componentwise import BLOCK
from framescope.core.spatial import Transform
from tests.support import strategies
from tests.support.cases import for_each

# What each takes, by name: a pose, a vector of 3 or of 6, a matrix or an orientation. Names are as in the messages.
POSE, MATRIX, ORIENTATION = "pose", "matrix", "orientation"
FUNCTIONS = {
    "Transform": (Transform, {"R_AB": MATRIX, "p_AB": 3}),
    "from_orientation": (Transform.from_orientation, {"R": ORIENTATION, "p_AB": 3}),
    "to_orientation": (Transform.to_orientation, {"X_AB": POSE, "w": 3}),
    "compose": (Transform.compose, {"X_AB": POSE, "X_BC": POSE}),
    "inverse": (Transform.inverse, {"X_AB": POSE}),
    "shift_point": (Transform.shift_point, {"X_AB": POSE, "p_B": 3}),
    "find_relative_velocity": (spatial.find_relative_velocity, {"X_FA": POSE, "V_FA": 6, "X_FB": POSE, "V_FB": 6}),
    "find_relative_velocity_in_F": (spatial.find_relative_velocity_in_F, {"p_AB_F": 3, "V_FA": 6, "V_FB": 6}),
    "find_relative_acceleration": (
        spatial.find_relative_acceleration,
        {"X_FA": POSE, "V_FA": 6, "A_FA": 6, "X_FB": POSE, "V_FB": 6, "A_FB": 6},
    ),
    "find_relative_acceleration_in_F": (
        spatial.find_relative_acceleration_in_F,
        {"p_AB_F": 3, "V_FA": 6, "A_FA": 6, "V_FB": 6, "A_FB": 6},
    ),
    "reverse_relative_velocity": (spatial.reverse_relative_velocity, {"X_AB": POSE, "V_AB": 6}),
    "reverse_relative_velocity_in_A": (spatial.reverse_relative_velocity_in_A, {"X_AB": POSE, "V_AB": 6}),
    "shift_velocity_by": (spatial.shift_velocity_by, {"V_AB": 6, "r_A": 3}),
    "shift_velocity_from_to": (spatial.shift_velocity_from_to, {"V_A_BP": 6, "from_P_A": 3, "to_Q_A": 3}),
    "shift_force_by": (spatial.shift_force_by, {"F_AP": 6, "r_A": 3}),
    "shift_force_from_to": (spatial.shift_force_from_to, {"F_AP": 6, "from_P_A": 3, "to_Q_A": 3}),
    "shift_acceleration_by": (spatial.shift_acceleration_by, {"A_AB": 6, "w_AB": 3, "r_A": 3}),
    "shift_acceleration_from_to": (
        spatial.shift_acceleration_from_to,
        {"A_A_BP": 6, "w_AB": 3, "from_P_A": 3, "to_Q_A": 3},
    ),
}
NAMES = list(FUNCTIONS)
ARRAYS = [(name, argument) for name in NAMES for argument, kind in FUNCTIONS[name][1].items() if kind in (3, 6, MATRIX)]
POSES = [("compose", "X_BC")]  # of a method, the pose whose it is cannot be anything else
POSES += [
    (name, a)
    for name in NAMES
    if name.startswith(("find", "rev"))
    for a, kind in FUNCTIONS[name][1].items()
    if kind == POSE
]
SHAPES = [(), (1,), (5,), (2, 3), (1, 1), (0,), (2, 0)]
TRAILING = {3: (3,), 6: (6,), MATRIX: (3, 3)}


# --- What tests are made of


def some(kind, shape, seed):
    rng = np.random.default_rng(seed)
    if kind in TRAILING:
        return rng.normal(size=shape + TRAILING[kind])
    R = frames.axes_rotations("XYZ", rng.uniform(-3.0, 3.0, (*shape, 3)), rng.normal(size=(*shape, 3)))
    return R if kind == ORIENTATION else Transform(np.swapaxes(R.T, -1, -2), rng.normal(size=(*shape, 3)))


def arguments(name, shape):
    return {argument: some(kind, shape, i) for i, (argument, kind) in enumerate(FUNCTIONS[name][1].items())}


def call(name, given_arguments):
    """Call positionally, in the order of the reference."""
    function, kinds = FUNCTIONS[name]
    return numbers(function(*(given_arguments[argument] for argument in kinds)))


def numbers(value):
    """Return an array, or the fields of a pose or of an orientation side by side."""
    if isinstance(value, np.ndarray):
        return value
    matrix, vector = (value.R_AB, value.p_AB) if isinstance(value, Transform) else (value.T, value.w)
    assert matrix.shape[:-2] == vector.shape[:-1]
    return np.concatenate([matrix.reshape(*vector.shape[:-1], 9), vector], axis=-1)


def at(value, index):
    if isinstance(value, Transform):
        return Transform(value.R_AB[index], value.p_AB[index])
    return Orientation(value.T[index], value.w[index]) if isinstance(value, Orientation) else value[index]


def derivative(f, t, h=1e-3):
    """Return the derivative by central differences of the fourth order."""
    return (8.0 * (f(t + h) - f(t - h)) - (f(t + 2.0 * h) - f(t - 2.0 * h))) / (12.0 * h)


def second_derivative(f, t):
    return derivative(lambda s: derivative(f, s, 4e-3), t, 4e-3)


def vector_of(S):
    """Return the vector of a skew matrix: skew(w) v = w × v."""
    return np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2.0


@dataclass
class Motion:
    """A frame that moves in F: cubic angles of a sequence, and a cubic position."""

    seed: int
    sequence: str = "ZYX"
    angles: np.ndarray = field(init=False)
    position: np.ndarray = field(init=False)

    def __post_init__(self):
        self.angles, self.position = np.random.default_rng(self.seed).uniform(-0.8, 0.8, (2, 4, 3))

    def R(self, t):
        """Return R_FA, whose columns are the axes of A in F."""
        angles = np.polynomial.polynomial.polyval(t, self.angles)
        return frames.axes_rotations(self.sequence, angles).T.T

    def p(self, t):
        return np.polynomial.polynomial.polyval(t, self.position)

    def w(self, t):
        """Return the angular velocity in F, expressed in F, from nothing but R: R' = skew(w) R."""
        return vector_of(derivative(self.R, t) @ self.R(t).T)

    def X(self, t):
        return Transform(self.R(t), self.p(t))

    def V(self, t):
        return np.concatenate([self.w(t), derivative(self.p, t)])

    def A(self, t):
        return np.concatenate([derivative(self.w, t, 4e-3), second_derivative(self.p, t)])


@dataclass
class Seen:
    """The motion of B as seen from A, by multiplying matrices."""

    A_in_F: Motion
    B_in_F: Motion

    def R(self, t):
        return self.A_in_F.R(t).T @ self.B_in_F.R(t)

    def p(self, t):
        return self.A_in_F.R(t).T @ (self.B_in_F.p(t) - self.A_in_F.p(t))

    w, X, V, A = Motion.w, Motion.X, Motion.V, Motion.A


def both(seed, t):
    """Return the motions of A and of B in F at a time, those of B in A and of A in B, and rotations into F and A."""
    a, b = Motion(seed, "ZYX"), Motion(seed + 1000, "XZX")
    motions = {"FA": a, "FB": b, "AB": Seen(a, b), "BA": Seen(b, a)}
    found = {f"{field}_{pair}": getattr(motion, field)(t) for pair, motion in motions.items() for field in "RXVA"}
    return SimpleNamespace(**found, p_AB_F=b.p(t) - a.p(t))


def in_other_frame(R, V):
    return np.concatenate([R @ V[:3], R @ V[3:]])


INSTANTS = [(1, 0.0), (2, 0.7), (3, -0.9), (4, 1.3)]


# --- Poses


def test_that_a_pose_takes_vectors_and_points_of_B_into_A() -> None:
    # B stands at x = 1 of A, turned by a quarter about z: its x axis is A's y axis.
    X_AB = Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 0, 0])
    assert_array_equal(X_AB.shift_point([2, 0, 0]), [1, 2, 0])
    assert_array_equal(X_AB.shift_point([0, 3, 4]), [-2, 0, 4])


def test_that_the_rotation_of_a_pose_is_the_transpose_of_the_orientations_matrix() -> None:
    R = frames.axis_rotation(3, 0.3, 2.0)
    X_AB = Transform.from_orientation(R, [1.0, 2.0, 3.0])
    assert_array_equal(X_AB.R_AB, R.T.T)
    assert X_AB.R_AB[1, 0] == pytest.approx(np.sin(0.3))  # B's x axis leans towards A's y axis
    assert_array_equal(X_AB.p_AB, [1.0, 2.0, 3.0])
    # A vector of B resolved in A: what resolve1 does, from frame 2 into frame 1.
    assert_allclose(X_AB.shift_point([0.1, 0.2, 0.3]) - X_AB.p_AB, frames.resolve1(R, [0.1, 0.2, 0.3]), atol=1e-15)


@given(angles=strategies.angle_triples, w=strategies.rates, sequence=strategies.sequences)
def test_that_an_orientation_survives_the_way_through_a_pose(angles, w, sequence) -> None:
    R = frames.axes_rotations(sequence, angles, w)
    X_AB = Transform.from_orientation(R, [1.0, 2.0, 3.0])
    again = X_AB.to_orientation(R.w)
    assert_array_equal(again.T, R.T)
    assert_array_equal(again.w, R.w)
    assert_array_equal(X_AB.to_orientation().w, np.zeros(3))


def test_that_to_orientation_broadcasts_pose_and_rate() -> None:
    X = some(POSE, (4,), 1)
    assert X.to_orientation().w.shape == (4, 3)
    assert X.to_orientation(np.zeros((2, 1, 3))).T.shape == (2, 4, 3, 3)


@given(*[strategies.angle_triples] * 2, *[strategies.rates] * 3)
def test_that_frames_cancel_in_a_product_of_poses(angles_AB, angles_BC, p_AB, p_BC, p_C) -> None:
    X_AB = Transform.from_orientation(frames.axes_rotations("XYZ", angles_AB), p_AB)
    X_BC = Transform.from_orientation(frames.axes_rotations("ZXZ", angles_BC), p_BC)
    X_AC = X_AB @ X_BC
    assert_allclose(X_AC.shift_point(p_C), X_AB.shift_point(X_BC.shift_point(p_C)), atol=1e-13)
    assert_allclose(homogeneous(X_AC), homogeneous(X_AB) @ homogeneous(X_BC), atol=1e-13)
    assert_array_equal(numbers(X_AC), numbers(X_AB.compose(X_BC)))


@given(strategies.angle_triples, strategies.rates, strategies.rates)
def test_that_the_inverse_of_a_pose_undoes_it(angles, p_AB, p_A) -> None:
    X_AB = Transform.from_orientation(frames.axes_rotations("XYZ", angles), p_AB)
    assert_allclose(X_AB.shift_point(X_AB.inverse().shift_point(p_A)), p_A, atol=1e-13)
    assert_allclose(homogeneous(X_AB.inverse()) @ homogeneous(X_AB), np.eye(4), atol=1e-13)
    assert_allclose(numbers(X_AB.inverse().inverse()), numbers(X_AB), atol=1e-13)


def homogeneous(X):
    return np.block([[X.R_AB, X.p_AB[:, np.newaxis]], [np.zeros((1, 3)), np.ones((1, 1))]])


def test_that_a_pose_broadcasts_its_fields_and_keeps_them_read_only() -> None:
    X = Transform(np.eye(3), np.zeros((2, 4, 3)))
    assert X.R_AB.shape == (2, 4, 3, 3)
    for pose in (X, X @ X, X.inverse(), Transform(np.eye(3), np.zeros(3)), Transform(np.eye(3), np.zeros(3)).inverse()):
        assert pose.R_AB.shape[:-2] == pose.p_AB.shape[:-1]
        for array in (pose.R_AB, pose.p_AB):
            assert array.dtype == np.float64
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0.0


def test_that_an_array_handed_to_a_pose_stays_writable() -> None:
    p = np.zeros(3)
    Transform(np.eye(3), p)
    p[0] = 1.0


def test_that_a_drifted_rotation_is_taken_as_it_stands() -> None:
    X = Transform(2.0 * np.eye(3), [1.0, 0.0, 0.0])
    assert_array_equal(X.shift_point([0.0, 1.0, 0.0]), [1.0, 2.0, 0.0])
    assert_array_equal(X.inverse().R_AB, 2.0 * np.eye(3))
    assert_array_equal(X.inverse().p_AB, [-2.0, 0.0, 0.0])


def test_that_a_pose_is_composed_with_poses_only() -> None:
    X = Transform(np.eye(3), np.zeros(3))
    with pytest.raises(ValueError, match=r"X_BC: expected a Transform\(R_AB, p_AB\), got list"):
        X.compose([1.0, 2.0, 3.0])


# --- Absolute anchors


def test_that_a_merry_go_round_sees_the_world_turn_the_other_way() -> None:
    # A turns with 2 rad/s about z; B rests at x = 1. Seen from A it runs backwards round the circle.
    X_FA, X_FB, rest = Transform(np.eye(3), np.zeros(3)), Transform(np.eye(3), [1, 0, 0]), np.zeros(6)
    V_FA = [0, 0, 2, 0, 0, 0]
    V_AB = spatial.find_relative_velocity(X_FA, V_FA, X_FB, rest)
    assert_array_equal(V_AB, [0, 0, -2, 0, -2, 0])
    A_AB = spatial.find_relative_acceleration(X_FA, V_FA, rest, X_FB, rest, rest)
    assert_array_equal(A_AB, [0, 0, 0, -4, 0, 0])  # towards the centre


def test_that_who_walks_out_on_a_merry_go_round_is_pushed_sideways() -> None:
    # B runs straight out in F with 3 m/s from the centre, while A turns with 2 rad/s: Coriolis, -2 w × v.
    A_AB = spatial.find_relative_acceleration_in_F(
        np.zeros(3), [0, 0, 2, 0, 0, 0], np.zeros(6), [0] * 3 + [3, 0, 0], np.zeros(6)
    )
    assert_array_equal(A_AB, [0, 0, 0, 0, -12, 0])


def test_that_results_are_expressed_in_A_unless_in_F() -> None:
    # A's x axis is F's y axis: what moves along F's y moves along A's x.
    X_FA = Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [0, 0, 0])
    X_FB = Transform(np.eye(3), [5, 0, 0])
    V_FB = [0, 7, 0, 0, 1, 0]
    assert_array_equal(spatial.find_relative_velocity(X_FA, np.zeros(6), X_FB, V_FB), [7, 0, 0, 1, 0, 0])
    assert_array_equal(spatial.find_relative_velocity_in_F([5, 0, 0], np.zeros(6), V_FB), V_FB)
    rest = np.zeros(6)
    assert_array_equal(spatial.find_relative_acceleration(X_FA, rest, rest, X_FB, V_FB, V_FB), [7, 0, 0, 1, 0, 0])


def test_that_a_velocity_reversed_is_expressed_in_B_unless_in_A() -> None:
    X_AB = Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 0, 0])
    V_AB = [0, 0, 2, 0, 3, 0]
    # In A: the origin of A, taken along by B, would move with 3 - 2·1 along y, so A moves against it.
    assert_array_equal(spatial.reverse_relative_velocity_in_A(X_AB, V_AB), [0, 0, -2, 0, -1, 0])
    assert_array_equal(spatial.reverse_relative_velocity(X_AB, V_AB), [0, 0, -2, -1, 0, 0])


def test_that_shifts_have_the_signs_of_a_turning_wheel_and_a_lever() -> None:
    assert_array_equal(spatial.shift_velocity_by([0, 0, 2, 1, 0, 0], [3, 0, 0]), [0, 0, 2, 1, 6, 0])
    assert_array_equal(spatial.shift_velocity_from_to([0, 0, 2, 1, 0, 0], [1, 1, 1], [4, 1, 1]), [0, 0, 2, 1, 6, 0])
    # A force up at the end of a lever of 3 m turns about the other end, which is 3 m to the left.
    assert_array_equal(spatial.shift_force_by([0, 0, 0, 0, 10, 0], [-3, 0, 0]), [0, 0, 30, 0, 10, 0])
    assert_array_equal(spatial.shift_force_from_to([0, 0, 0, 0, 10, 0], [3, 0, 0], [0, 0, 0]), [0, 0, 30, 0, 10, 0])
    wheel = [0, 0, 5, 1, 0, 0]
    assert_array_equal(spatial.shift_acceleration_by(wheel, [0, 0, 2], [3, 0, 0]), [0, 0, 5, -11, 15, 0])
    shifted = spatial.shift_acceleration_from_to(wheel, [0, 0, 2], [1, 1, 1], [4, 1, 1])
    assert_array_equal(shifted, [0, 0, 5, -11, 15, 0])


# --- Motions differentiated


@pytest.mark.parametrize(("seed", "t"), INSTANTS)
def test_that_the_relative_velocity_is_the_derivative_of_the_relative_pose(seed, t) -> None:
    m = both(seed, t)
    V_AB = spatial.find_relative_velocity(m.X_FA, m.V_FA, m.X_FB, m.V_FB)
    assert_allclose(V_AB, m.V_AB, rtol=0, atol=1e-9)
    V_AB_F = spatial.find_relative_velocity_in_F(m.p_AB_F, m.V_FA, m.V_FB)
    assert_allclose(V_AB_F, in_other_frame(m.R_FA, m.V_AB), rtol=0, atol=1e-9)


@pytest.mark.parametrize(("seed", "t"), INSTANTS)
def test_that_the_relative_acceleration_is_the_derivative_in_A_of_the_relative_velocity(seed, t) -> None:
    m = both(seed, t)
    A_AB = spatial.find_relative_acceleration(m.X_FA, m.V_FA, m.A_FA, m.X_FB, m.V_FB, m.A_FB)
    assert_allclose(A_AB, m.A_AB, rtol=0, atol=1e-6)
    A_AB_F = spatial.find_relative_acceleration_in_F(m.p_AB_F, m.V_FA, m.A_FA, m.V_FB, m.A_FB)
    assert_allclose(A_AB_F, in_other_frame(m.R_FA, m.A_AB), rtol=0, atol=1e-6)


@pytest.mark.parametrize(("seed", "t"), INSTANTS)
def test_that_the_reversed_velocity_is_the_derivative_of_the_inverse_pose(seed, t) -> None:
    m = both(seed, t)
    assert_allclose(spatial.reverse_relative_velocity(m.X_AB, m.V_AB), m.V_BA, rtol=0, atol=1e-9)
    V_BA_A = spatial.reverse_relative_velocity_in_A(m.X_AB, m.V_AB)
    assert_allclose(V_BA_A, in_other_frame(m.R_AB, m.V_BA), rtol=0, atol=1e-9)
    swapped = spatial.find_relative_velocity(m.X_FB, m.V_FB, m.X_FA, m.V_FA)
    assert_allclose(swapped, spatial.reverse_relative_velocity(m.X_AB, m.V_AB), rtol=0, atol=1e-9)


@pytest.mark.parametrize(("seed", "t"), INSTANTS)
def test_that_shifted_velocities_and_accelerations_are_those_of_points_of_the_body(seed, t) -> None:
    body = Motion(seed)
    of_point = [lambda s, p_B=p_B: body.X(s).shift_point(p_B) for p_B in ([0.3, -1.1, 0.7], [-0.9, 0.4, 1.2])]
    r_A, r_B = (path(t) - body.p(t) for path in of_point)
    V, A, w = body.V(t), body.A(t), body.w(t)
    velocities = [spatial.shift_velocity_by(V, r) for r in (r_A, r_B)]
    accelerations = [spatial.shift_acceleration_by(A, w, r) for r in (r_A, r_B)]
    for path, found_V, found_A in zip(of_point, velocities, accelerations, strict=True):
        assert_allclose(found_V, [*w, *derivative(path, t)], rtol=0, atol=1e-9)
        assert_allclose(found_A[3:], second_derivative(path, t), rtol=0, atol=1e-6)
        assert_array_equal(found_A[:3], A[:3])
    # From one point of the body to the other, with positions from any origin.
    P, Q = (path(t) for path in of_point)
    assert_allclose(spatial.shift_velocity_from_to(velocities[0], P, Q), velocities[1], rtol=0, atol=1e-13)
    found = spatial.shift_acceleration_from_to(accelerations[0], w, P, Q)
    assert_allclose(found, accelerations[1], rtol=0, atol=1e-13)


def test_that_the_angular_velocity_of_an_orientation_is_in_B_and_that_of_a_spatial_vector_in_A() -> None:
    a = Motion(7)
    t, rates = 0.4, np.polynomial.polynomial.polyval(0.4, np.polynomial.polynomial.polyder(a.angles))
    R = frames.axes_rotations(a.sequence, np.polynomial.polynomial.polyval(t, a.angles), rates)
    assert_allclose(frames.resolve1(R, R.w), a.w(t), rtol=0, atol=1e-10)
    assert np.abs(R.w - a.w(t)).max() > 0.1


# --- Properties

sixes = st.tuples(*[st.floats(-5.0, 5.0)] * 6)
whole = st.integers(-1000, 1000)


@given(strategies.angle_triples, strategies.rates, sixes)
def test_that_reversing_a_velocity_twice_gives_it_back(angles, p_AB, V_AB) -> None:
    X_AB = Transform.from_orientation(frames.axes_rotations("XYZ", angles), p_AB)
    V_BA = spatial.reverse_relative_velocity(X_AB, V_AB)
    assert_allclose(spatial.reverse_relative_velocity(X_AB.inverse(), V_BA), V_AB, rtol=0, atol=1e-12)


@given(*[strategies.angle_triples] * 2, *[strategies.rates] * 2, *[sixes] * 4)
def test_that_results_in_A_are_those_in_F_resolved_in_A(angles_A, angles_B, p_FA, p_FB, V_FA, V_FB, A_FA, A_FB) -> None:
    R = frames.axes_rotations("ZYX", angles_A)
    X_FA = Transform.from_orientation(R, p_FA)
    X_FB = Transform.from_orientation(frames.axes_rotations("ZYX", angles_B), p_FB)
    p_AB_F = X_FB.p_AB - X_FA.p_AB
    V_AB = spatial.find_relative_velocity(X_FA, V_FA, X_FB, V_FB)
    V_AB_F = spatial.find_relative_velocity_in_F(p_AB_F, V_FA, V_FB)
    assert_allclose(V_AB.reshape(2, 3), frames.resolve2(R, V_AB_F.reshape(2, 3)), rtol=0, atol=1e-12)
    A_AB = spatial.find_relative_acceleration(X_FA, V_FA, A_FA, X_FB, V_FB, A_FB)
    A_AB_F = spatial.find_relative_acceleration_in_F(p_AB_F, V_FA, A_FA, V_FB, A_FB)
    assert_allclose(A_AB.reshape(2, 3), frames.resolve2(R, A_AB_F.reshape(2, 3)), rtol=0, atol=1e-11)
    V_BA_A = spatial.reverse_relative_velocity_in_A(X_FA, V_FA).reshape(2, 3)
    V_BA = spatial.reverse_relative_velocity(X_FA, V_FA).reshape(2, 3)
    assert_allclose(V_BA, frames.resolve2(R, V_BA_A), rtol=0, atol=1e-12)


@given(st.tuples(*[whole] * 6), st.tuples(*[whole] * 6), st.tuples(*[whole] * 3))
def test_that_power_is_exactly_the_same_after_a_shift_of_whole_numbers(F, V, r) -> None:
    # Whole numbers of this size are added and multiplied without rounding: not a bit may differ.
    assert spatial.shift_force_by(F, r) @ spatial.shift_velocity_by(V, r) == np.dot(F, V)


@given(sixes, sixes, strategies.rates)
def test_that_power_is_the_same_after_a_shift_to_the_last_bits(F, V, r) -> None:
    shifted = spatial.shift_force_by(F, r) @ spatial.shift_velocity_by(V, r)
    # The same product with all terms positive is what rounding is relative to, in units of 2^-53.
    sizes = np.abs([*F, *V, *r])
    m, f, w, v, arm = np.split(sizes, [3, 6, 9, 12])
    crossed = np.ones((3, 3)) - np.eye(3)
    arm_f, arm_w = ((crossed @ np.diag(arm) @ crossed) @ x for x in (f, w))
    scale = (m + arm_f) @ w + f @ (v + arm_w)
    assert abs(shifted - np.dot(F, V)) <= 16.0 * 2.0**-53 * scale + 1e-300  # for products that underflow


@given(st.tuples(*[whole] * 6), *[st.tuples(*[whole] * 3)] * 3)
def test_that_a_shifted_force_has_the_same_moment_about_any_third_point(F_AP, P, Q, O) -> None:  # noqa: E741
    F_AQ = spatial.shift_force_from_to(F_AP, P, Q)
    assert_array_equal(
        F_AQ[:3] + np.cross(np.subtract(Q, O), F_AQ[3:]), F_AP[:3] + np.cross(np.subtract(P, O), F_AP[3:])
    )
    assert_array_equal(F_AQ[3:], F_AP[3:])
    assert_array_equal(F_AQ, spatial.shift_force_by(F_AP, np.subtract(Q, P)))


@given(sixes, strategies.rates, *[strategies.rates] * 2)
def test_that_shifts_add_up_and_undo_each_other(V, w, r, s) -> None:
    r, s = np.array(r), np.array(s)
    rigid = [
        spatial.shift_velocity_by,
        spatial.shift_force_by,
        lambda V, r: spatial.shift_acceleration_by(V, w, r),
    ]
    for shift in rigid:
        assert_allclose(shift(shift(V, r), s), shift(V, r + s), rtol=0, atol=1e-11)
        assert_allclose(shift(shift(V, r), -r), V, rtol=0, atol=1e-11)


# --- What every function does with its input


@for_each("shape", SHAPES)
@pytest.mark.parametrize("name", NAMES)
def test_that_a_batched_call_gives_row_by_row_the_bits_of_single_calls(name, shape) -> None:
    batch = arguments(name, shape)
    found = call(name, batch)
    assert found.shape[:-1] == shape
    assert found.dtype == np.float64
    for index in np.ndindex(*shape):
        single = call(name, {argument: at(value, index) for argument, value in batch.items()})
        assert single.tobytes() == found[index].tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_that_rows_beyond_one_block_have_the_bits_of_single_calls(name) -> None:
    batch = arguments(name, (BLOCK + 7,))
    found = call(name, batch)
    for i in (0, BLOCK - 1, BLOCK, BLOCK + 6):
        single = call(name, {argument: at(value, i) for argument, value in batch.items()})
        assert single.tobytes() == found[i].tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_that_single_arguments_broadcast_with_batches(name) -> None:
    kinds = FUNCTIONS[name][1]
    for batched in kinds:
        mixed = {a: some(kind, (2, 3) if a == batched else (), i) for i, (a, kind) in enumerate(kinds.items())}
        found = call(name, mixed)
        assert found.shape[:-1] == (2, 3)
        for index in np.ndindex(2, 3):
            single = call(name, {**mixed, batched: at(mixed[batched], index)})
            assert single.tobytes() == found[index].tobytes()


@pytest.mark.parametrize("name", [name for name in NAMES if len(FUNCTIONS[name][1]) > 1])
def test_that_rows_broadcast_with_columns(name) -> None:
    kinds = FUNCTIONS[name][1]
    mixed = {a: some(kind, ((2, 1), (3,))[i % 2], i) for i, (a, kind) in enumerate(kinds.items())}
    found = call(name, mixed)
    assert found.shape[:-1] == (2, 3)
    for i, j in np.ndindex(2, 3):
        single = {a: at(value, ((i, 0), (j,))[k % 2]) for k, (a, value) in enumerate(mixed.items())}
        assert call(name, single).tobytes() == found[i, j].tobytes()


@pytest.mark.parametrize("name", [name for name in NAMES if len(FUNCTIONS[name][1]) > 1])
def test_that_leading_axes_that_do_not_fit_are_refused_by_name(name) -> None:
    kinds = FUNCTIONS[name][1]
    for odd in kinds:
        mixed = {a: some(kind, (2,) if a == odd else (3,), i) for i, (a, kind) in enumerate(kinds.items())}
        with pytest.raises(ValueError, match="leading shapes do not broadcast") as caught:
            call(name, mixed)
        for argument in kinds:
            assert f"{argument} ({2 if argument == odd else 3},)" in str(caught.value)


@pytest.mark.parametrize(("name", "argument"), ARRAYS)
@for_each("shape", [(), (4,)])
def test_that_what_is_no_finite_array_of_the_shape_is_refused_by_name(name, argument, shape) -> None:
    good = arguments(name, shape)
    value = good[argument]
    with_nan, with_inf = value.copy(), value.copy()
    with_nan[(*[-1] * value.ndim,)] = np.nan
    with_inf[(*[0] * value.ndim,)] = -np.inf
    bad = [with_nan, with_inf, value[..., :-1], value[..., np.newaxis], value + 0j, value.astype(str), value > 0.0]
    for wrong in [*bad, 1.0, [[1.0], [1.0, 2.0]], None]:
        with pytest.raises(ValueError, match=rf"^{argument}: expected "):
            call(name, {**good, argument: wrong})


@pytest.mark.parametrize(("name", "argument"), POSES)
def test_that_what_is_no_pose_is_refused_by_name(name, argument) -> None:
    for wrong in (np.eye(4), (np.eye(3), np.zeros(3)), frames.null_rotation(), None):
        with pytest.raises(ValueError, match=rf"^{argument}: expected a Transform\(R_AB, p_AB\), got "):
            call(name, {**arguments(name, ()), argument: wrong})


def test_that_from_orientation_takes_an_orientation_only() -> None:
    with pytest.raises(ValueError, match=r"^R: expected an Orientation"):
        Transform.from_orientation(np.eye(3), np.zeros(3))


@for_each("shape", [(), (4,), (2, 3)])
@pytest.mark.parametrize(("name", "argument"), ARRAYS)
def test_that_any_real_array_is_taken_and_left_alone(name, argument, shape) -> None:
    good = arguments(name, shape)
    integer = np.round(10.0 * good[argument]).astype(int)
    expected = call(name, {**good, argument: integer.astype(float)})
    frozen = integer.astype(float)
    frozen.flags.writeable = False
    wide = np.repeat(integer.astype(float), 2, axis=-1)
    forms = {
        "integers": integer,
        "small integers": integer.astype(np.int16),
        "unsigned": None if (integer < 0).any() else integer.astype(np.uint8),
        "float32": integer.astype(np.float32),
        "lists": integer.tolist(),
        "read-only": frozen,
        "strided": wide[..., ::2],
        "reversed": np.ascontiguousarray(integer.astype(float)[..., ::-1])[..., ::-1],
        "Fortran order": np.asfortranarray(integer.astype(float)),
        "big-endian": integer.astype(">f8"),
    }
    for form, value in forms.items():
        if value is None:
            continue
        before = np.array(value)
        found = call(name, {**good, argument: value})
        assert found.tobytes() == expected.tobytes(), form
        assert found.dtype == np.float64, form
        assert_array_equal(np.array(value), before)


@pytest.mark.parametrize("name", NAMES[6:])
def test_that_a_result_is_the_callers_own(name) -> None:
    good = arguments(name, (2,))
    found = call(name, good)
    assert found.flags.writeable
    assert found.flags.c_contiguous
    assert not any(np.shares_memory(found, x) for x in good.values() if isinstance(x, np.ndarray))


@for_each("shape", [(), (3,)])
@pytest.mark.parametrize("name", NAMES)
def test_that_overflow_neither_warns_nor_raises(name, shape) -> None:
    # Warnings are errors in this suite.
    kinds = FUNCTIONS[name][1]
    huge = {}
    for argument, kind in kinds.items():
        if kind in TRAILING:
            huge[argument] = np.full(shape + TRAILING[kind], 1.7e308)
        else:
            fields = np.full((*shape, 3, 3), 1.7e308), np.full((*shape, 3), -1.7e308)
            huge[argument] = Orientation(*fields) if kind == ORIENTATION else Transform(*fields)
    assert call(name, huge).shape[:-1] == shape
