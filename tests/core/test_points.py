"""Connection points of bodies for small rotations: anchors, power, and what the four kinds have in common."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core import points, spatial
from framescope.core.kernels.componentwise import BLOCK
from framescope.core.points import PointX, PointXYZ, PointY, PointZ
from tests.support import strategies
from tests.support.cases import for_each

KINDS = {PointX: ("YP", "ZP"), PointY: ("XP", "ZP"), PointZ: ("XP", "YP"), PointXYZ: ("XP", "YP", "ZP")}
AXIS = {PointX: 0, PointY: 1, PointZ: 2}
SWAPS = {points.port_from_spatial: "F_spatial", points.spatial_from_port: "F_port"}
CALLS = [(kind, method) for kind in KINDS for method in ("force_out", "velocity_in")]
SHAPES = [(), (1,), (5,), (2, 3), (1, 1), (0,), (2, 0)]

triples = strategies.rates
sixes = st.tuples(*[st.floats(-5.0, 5.0)] * 6)


def point_at(kind, r):
    """Return the point of a kind with the offsets it has of r (..., 3)."""
    r = np.asarray(r, dtype=float)
    return kind(*(r[..., "XYZ".index(name[0])] for name in KINDS[kind]))


def argument_of(kind, method):
    """Return the name of a method's argument and its trailing shape."""
    if method == "velocity_in":
        return "P_out_v", (6,)
    return "p_in_F", (3,) if kind is PointXYZ else ()


def some(kind, method, shape):
    """Return offsets and an argument of a shape."""
    rng = np.random.default_rng(len(shape))
    return rng.normal(size=(*shape, 3)), rng.normal(size=shape + argument_of(kind, method)[1])


# --- Anchors


@pytest.mark.parametrize(
    ("point", "F", "expected"),
    [
        (PointX(0, 2), 3, [3, 0, 0, 0, 6, 0]),  # above the centre of mass, pushed forwards: pitches
        (PointX(2, 0), 3, [3, 0, 0, 0, 0, -6]),
        (PointY(2, 0), 3, [0, 3, 0, 0, 0, 6]),  # in front of it, pushed to the left: yaws
        (PointY(0, 2), 3, [0, 3, 0, -6, 0, 0]),
        (PointZ(2, 0), 3, [0, 0, 3, 0, -6, 0]),
        (PointZ(0, 2), 3, [0, 0, 3, 6, 0, 0]),
        (PointXYZ(1, 2, 3), [1, 0, 0], [1, 0, 0, 0, 3, -2]),
        (PointXYZ(1, 2, 3), [0, 1, 0], [0, 1, 0, -3, 0, 1]),
        (PointXYZ(1, 2, 3), [0, 0, 1], [0, 0, 1, 2, -1, 0]),
    ],
)
def test_that_a_force_comes_first_and_turns_by_its_lever(point, F, expected) -> None:
    assert_array_equal(point.force_out(F), expected)


@pytest.mark.parametrize(
    ("w", "expected"), [([1, 0, 0], [0, -3, 2]), ([0, 1, 0], [3, 0, -1]), ([0, 0, 1], [-2, 1, 0]), ([0, 0, 0], [0] * 3)]
)
def test_that_a_point_moves_with_its_body(w, expected) -> None:
    r, v = np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])
    P_out_v = np.concatenate([v, w])
    assert_array_equal(PointXYZ(*r).velocity_in(P_out_v), v + expected)
    for kind, axis in AXIS.items():
        assert_array_equal(point_at(kind, r).velocity_in(P_out_v), (v + expected)[axis])


def test_that_a_point_is_where_the_first_order_of_a_turn_takes_it() -> None:
    # Turn a body by a small angle per second: the true velocity of its point now is that of the point here.
    r, w, h = np.array([0.4, -1.1, 0.7]), np.array([0.3, 0.5, -0.2]), 1e-4
    turn = w / np.linalg.norm(w)

    def at(t):
        a = np.linalg.norm(w) * t
        return r * np.cos(a) + np.cross(turn, r) * np.sin(a) + turn * (turn @ r) * (1.0 - np.cos(a))

    found = PointXYZ(*r).velocity_in([0, 0, 0, *w])
    assert_allclose(found, (at(h) - at(-h)) / (2.0 * h), rtol=0, atol=1e-8)


# --- Properties, over every kind


@pytest.mark.parametrize("kind", KINDS)
@given(r=triples, F=triples, P_out_v=sixes)
def test_that_power_is_conserved(kind, r, F, P_out_v) -> None:
    point = point_at(kind, r)
    p_in_F = F if kind is PointXYZ else F[0]
    power_out = np.dot(point.force_out(p_in_F), P_out_v)
    power_in = np.sum(p_in_F * point.velocity_in(P_out_v))
    largest = 3 * 5.0**2 + 6 * 5.0**3  # v F and six w r F
    assert abs(power_out - power_in) <= 16.0 * 2.0**-53 * largest


@pytest.mark.parametrize("kind", KINDS)
@given(whole=st.tuples(*[st.integers(-1000, 1000)] * 12))
def test_that_power_of_whole_numbers_is_conserved_exactly(kind, whole) -> None:
    r, F, P_out_v = whole[:3], np.array(whole[3:6]), whole[6:]
    point = point_at(kind, r)
    p_in_F = F if kind is PointXYZ else F[0]
    assert np.dot(point.force_out(p_in_F), P_out_v) == np.sum(p_in_F * point.velocity_in(P_out_v))


@pytest.mark.parametrize("kind", KINDS)
@given(r=triples, F=triples, P_out_v=sixes)
def test_that_a_point_gives_the_force_with_its_moment_and_the_velocity_of_the_point(kind, r, F, P_out_v) -> None:
    point = point_at(kind, r)
    f = np.array(F) if kind is PointXYZ else np.eye(3)[AXIS[kind]] * F[0]
    found = point.force_out(f if kind is PointXYZ else F[0])
    assert_allclose(found, [*f, *np.cross(r, f)], rtol=0, atol=1e-13)
    v = P_out_v[:3] + np.cross(P_out_v[3:], r)
    assert_allclose(point.velocity_in(P_out_v), v if kind is PointXYZ else v[AXIS[kind]], rtol=0, atol=1e-13)


@given(r=triples, F=triples, P_out_v=sixes)
def test_that_the_point_in_all_directions_is_the_three_in_one_each(r, F, P_out_v) -> None:
    singles = [point_at(kind, r) for kind in AXIS]
    whole = point_at(PointXYZ, r)
    summed = sum(point.force_out(f) for point, f in zip(singles, F, strict=True))
    assert_array_equal(whole.force_out(F), summed)
    assert_array_equal(whole.velocity_in(P_out_v), [point.velocity_in(P_out_v) for point in singles])


@given(r=triples, F=triples, P_out_v=sixes)
def test_that_a_point_does_what_shifts_of_spatial_vectors_do(r, F, P_out_v) -> None:
    point = point_at(PointXYZ, r)
    shifted = spatial.shift_force_by([0, 0, 0, *F], -np.array(r))  # from the point to the centre of mass
    assert_allclose(point.force_out(F), points.port_from_spatial(shifted), rtol=0, atol=1e-13)
    velocity = spatial.shift_velocity_by(points.spatial_from_port(P_out_v), r)
    assert_allclose(point.velocity_in(P_out_v), velocity[3:], rtol=0, atol=1e-13)


# --- The order of a port


def test_that_a_port_is_linear_first_and_a_spatial_vector_rotational_first() -> None:
    assert_array_equal(points.port_from_spatial([1, 2, 3, 4, 5, 6]), [4, 5, 6, 1, 2, 3])
    assert_array_equal(points.spatial_from_port([4, 5, 6, 1, 2, 3]), [1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize("shape", SHAPES)
def test_that_the_order_of_a_port_is_changed_and_changed_back(shape) -> None:
    F = np.random.default_rng(1).normal(size=(*shape, 6))
    port = points.port_from_spatial(F)
    assert port.shape == F.shape
    assert_array_equal(port[..., :3], F[..., 3:])
    assert_array_equal(points.spatial_from_port(port), F)
    assert port.flags.c_contiguous
    assert not np.shares_memory(port, F)


@pytest.mark.parametrize(("swap", "name"), SWAPS.items())
def test_that_only_six_finite_numbers_change_their_order(swap, name) -> None:
    for wrong in (np.zeros(5), np.zeros((6, 1)), [0, 0, 0, 0, 0, np.nan], [np.inf] * 6, ["0"] * 6, 1.0, None):
        with pytest.raises(ValueError, match=rf"^{name}: expected "):
            swap(wrong)


# --- What every kind does with its input


@for_each("shape", SHAPES)
@pytest.mark.parametrize(("kind", "method"), CALLS)
def test_that_a_batched_call_gives_row_by_row_the_bits_of_single_calls(kind, method, shape) -> None:
    r, argument = some(kind, method, shape)
    found = getattr(point_at(kind, r), method)(argument)
    assert found.dtype == np.float64
    assert found.flags.writeable
    assert found.shape[: len(shape)] == shape
    for index in np.ndindex(*shape):
        single = getattr(point_at(kind, r[index]), method)(argument[index])
        assert single.tobytes() == found[index].tobytes()


@pytest.mark.parametrize(("kind", "method"), CALLS)
def test_that_rows_beyond_one_block_have_the_bits_of_single_calls(kind, method) -> None:
    r, argument = some(kind, method, (BLOCK + 7,))
    found = getattr(point_at(kind, r), method)(argument)
    for i in (0, BLOCK - 1, BLOCK, BLOCK + 6):
        assert getattr(point_at(kind, r[i]), method)(argument[i]).tobytes() == found[i].tobytes()


@pytest.mark.parametrize(("kind", "method"), CALLS)
def test_that_offsets_broadcast_with_each_other_and_with_forces(kind, method) -> None:
    r, argument = some(kind, method, (2, 3))
    offsets = [r[:, :1, 0], r[0, :, 1], r[0, 0, 2]][: len(KINDS[kind])]
    point = kind(*offsets)
    assert {getattr(point, name).shape for name in KINDS[kind]} == {(2, 3)}
    one_point, one_argument = kind(*(offset.flat[0] for offset in offsets)), argument[0, 0]
    for index in np.ndindex(2, 3):
        single = kind(*(np.broadcast_to(offset, (2, 3))[index] for offset in offsets))
        for batch, expected in (
            (getattr(point, method)(argument), getattr(single, method)(argument[index])),
            (getattr(point, method)(one_argument), getattr(single, method)(one_argument)),
            (getattr(one_point, method)(argument), getattr(one_point, method)(argument[index])),
        ):
            assert batch[index].tobytes() == expected.tobytes()


@pytest.mark.parametrize("kind", KINDS)
def test_that_offsets_that_do_not_fit_are_refused_by_name(kind) -> None:
    names = KINDS[kind]
    offsets = [np.zeros(2), *[np.zeros(3)] * (len(names) - 1)]
    listed = ", ".join(rf"{name} \({offset.size},\)" for name, offset in zip(names, offsets, strict=True))
    with pytest.raises(ValueError, match=f"leading shapes do not broadcast: {listed}$"):
        kind(*offsets)


@pytest.mark.parametrize(("kind", "method"), CALLS)
def test_that_what_does_not_fit_the_offsets_is_refused_by_name(kind, method) -> None:
    name, trailing = argument_of(kind, method)
    listed = ", ".join(rf"{offset} \(2,\)" for offset in KINDS[kind])
    with pytest.raises(ValueError, match=rf"leading shapes do not broadcast: {listed}, {name} \(3,\)$"):
        getattr(point_at(kind, np.zeros((2, 3))), method)(np.zeros((3, *trailing)))


@pytest.mark.parametrize("kind", KINDS)
def test_that_offsets_are_finite_numbers(kind) -> None:
    for name in KINDS[kind]:
        for wrong in (np.nan, [0.0, np.inf], "1", 1j, None, [[1.0], [1.0, 2.0]]):
            with pytest.raises(ValueError, match=rf"^{name}: expected "):
                kind(**dict.fromkeys(KINDS[kind], 0.0) | {name: wrong})


@pytest.mark.parametrize("kind", KINDS)
def test_that_offsets_are_read_only_and_those_of_the_caller_are_not(kind) -> None:
    offsets = [np.zeros(2) for _ in KINDS[kind]]
    point = kind(*offsets)
    for name in KINDS[kind]:
        with pytest.raises(ValueError, match="read-only"):
            getattr(point, name)[...] = 1.0
    assert all(offset.flags.writeable for offset in offsets)


@pytest.mark.parametrize(("kind", "method"), CALLS)
def test_that_what_is_no_finite_array_of_the_shape_is_refused_by_name(kind, method) -> None:
    name, trailing = argument_of(kind, method)
    good = np.zeros(trailing)
    wrong = [good + np.nan, good + np.inf, np.full((4, *trailing), -np.inf), good + 0j, good.astype(str), good > 0.0]
    wrong += [None, [[1.0], [1.0, 2.0]]]
    if trailing:
        wrong += [1.0, good[1:], good[:, np.newaxis]]
    for value in wrong:
        with pytest.raises(ValueError, match=rf"^{name}: expected "):
            getattr(point_at(kind, np.zeros(3)), method)(value)


@for_each("shape", [(), (4,), (2, 3)])
@pytest.mark.parametrize(("kind", "method"), CALLS)
def test_that_any_real_array_is_taken_and_left_alone(kind, method, shape) -> None:
    r, argument = some(kind, method, shape)
    r, whole = np.round(10.0 * r), np.asarray(np.round(10.0 * argument))
    expected = getattr(point_at(kind, r), method)(whole)
    frozen = whole.copy()
    frozen.flags.writeable = False
    forms = {
        "integers": whole.astype(int),
        "float32": whole.astype(np.float32),
        "lists": whole.tolist(),
        "read-only": frozen,
        "strided": np.stack([whole, whole], axis=-1)[..., 0],
        "Fortran order": np.asfortranarray(whole),
        "big-endian": whole.astype(">f8"),
    }
    for form, value in forms.items():
        found = getattr(point_at(kind, r), method)(value)
        assert found.tobytes() == expected.tobytes(), form
        assert found.dtype == np.float64, form
        assert_array_equal(np.array(value), whole)
    offsets = {name: r[..., "XYZ".index(name[0])] for name in KINDS[kind]}
    for dtype in (int, np.float32):
        typed = kind(**{name: np.asarray(offset).astype(dtype) for name, offset in offsets.items()})
        assert getattr(typed, method)(whole).tobytes() == expected.tobytes()


@for_each("shape", [(), (3,)])
@pytest.mark.parametrize(("kind", "method"), CALLS)
def test_that_overflow_neither_warns_nor_raises(kind, method, shape) -> None:
    # Warnings are errors in this suite.
    trailing = argument_of(kind, method)[1]
    point = point_at(kind, np.full((*shape, 3), 1.7e308))
    assert not np.isfinite(getattr(point, method)(np.full(shape + trailing, -1.7e308))).all()
