"""Kinematic equations against the reference, and integration against a closed solution."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core import frames, kinematics, transformation_matrices

GOLDEN = json.loads((Path(__file__).parent / "golden" / "rfr_kinematics.json").read_text())["cases"]

# A precessing body: T(t) = Rz(spin t) Rx(tilt) Rz(precession t), passive, with its exact rate.
SPIN, TILT, PRECESSION = 1.3, 0.6, 0.9


def exact(t: np.ndarray) -> frames.Orientation:
    angles = np.stack([PRECESSION * t, np.full_like(t, TILT), SPIN * t], axis=-1)
    return frames.axes_rotations("ZXZ", angles, [PRECESSION, 0.0, SPIN])


def w_exact(t: np.ndarray) -> np.ndarray:
    return exact(t).w


@pytest.mark.parametrize("case", [case for case in GOLDEN if case["fn"] == "ddcm"])
def test_that_ddcm_agrees_with_the_reference(case) -> None:
    result = kinematics.ddcm(case["inputs"]["Dba"], case["inputs"]["wba_b"])
    assert_allclose(result, case["outputs"]["result"], rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("case", [case for case in GOLDEN if case["fn"] == "dquat"])
def test_that_dquat_agrees_with_the_reference(case) -> None:
    q = np.roll(case["inputs"]["qba"], -1)
    result = np.roll(kinematics.dquat(q, case["inputs"]["wba_b"]), 1)
    assert_allclose(result, case["outputs"]["result"], rtol=1e-13, atol=1e-14)


def error_at_end(method: str, of: str, n_steps: int, renormalize: bool = False) -> float:
    times = np.linspace(0.0, 4.0, n_steps + 1)
    run = kinematics.integrate(exact(times[:1][0]), w_exact, times, method=method, of=of, renormalize=renormalize)
    return float(np.abs(run.T(times[-1:])[0] - exact(times[-1]).T).max())


@pytest.mark.parametrize("of", ["dcm", "quaternion"])
@pytest.mark.parametrize("renormalize", [False, True])
@pytest.mark.parametrize(
    ("method", "order", "n_steps"),
    [
        ("euler", 1, 400),
        ("rk4", 4, 80),
        ("exponential", 2, 80),
        ("munthe-kaas-4", 4, 80),
        ("magnus-4", 4, 80),
        ("magnus-6", 6, 20),
    ],
)
def test_that_the_order_of_each_method_is_as_named(method, order, n_steps, of, renormalize) -> None:
    coarse, fine = (error_at_end(method, of, n, renormalize) for n in (n_steps, 2 * n_steps))
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.25)


def test_that_residues_of_explicit_euler_grow_and_those_of_rk4_hardly() -> None:
    times = np.linspace(0.0, 10.0, 501)
    largest = {}
    for method in ("euler", "rk4"):
        run = kinematics.integrate(frames.null_rotation(), w_exact, times, method=method)
        residues = np.abs(transformation_matrices.orientation_constraint(run.states)).max(axis=1)
        largest[method] = residues[[100, 250, 500]]
    assert np.all(np.diff(largest["euler"]) > 0.01)
    assert largest["rk4"][-1] < 1e-6 * largest["euler"][-1]


def test_that_renormalising_leaves_no_residue() -> None:
    times = np.linspace(0.0, 10.0, 201)
    run = kinematics.integrate(frames.null_rotation(), w_exact, times, method="euler", renormalize=True)
    between = run.T(np.linspace(0.0, 10.0, 777))
    assert np.abs(transformation_matrices.orientation_constraint(between)).max() < 1e-14


@pytest.mark.parametrize("of", ["dcm", "quaternion"])
def test_that_an_integration_is_continuous_between_its_steps_and_exact_at_them(of) -> None:
    times = np.linspace(0.0, 2.0, 41)
    run = kinematics.integrate(frames.null_rotation(), w_exact, times, of=of)
    assert_array_equal(run.at(times), run.states)
    eps = 1e-9
    assert_allclose(run.at(times[1:] - eps), run.states[1:], atol=5e-9)
    assert_array_equal(run.at(np.array([-1.0, 99.0])), run.states[[0, -1]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"times": [0.0, 0.0]}, "times: expected a one-dimensional array of increasing times"),
        ({"method": "rk5"}, "method: expected"),
        ({"of": "matrix"}, "of: expected"),
    ],
)
def test_that_wrong_arguments_are_named(arguments, message) -> None:
    arguments = {"times": [0.0, 1.0]} | arguments
    with pytest.raises(ValueError, match=message):
        kinematics.integrate(frames.null_rotation(), w_exact, **arguments)


def test_that_singularity_is_measured_for_both_kinds_of_sequence() -> None:
    measure, condition = kinematics.singularity_measure("XYZ", [0.0, np.pi / 2, 0.0])
    assert measure == 1.0
    assert condition == np.inf
    assert kinematics.singularity_measure("ZXZ", [0.0, 0.0, 0.0])[0] == 1.0
    measure, condition = kinematics.singularity_measure("ZXZ", [0.0, 1.1, 0.0])
    # The rate map of a sequence has the columns e3, T3 e2, T3 T2 e1; its condition does not depend on angle 3.
    rates = [frames.axes_rotations("ZXZ", [0.3, 1.1, 0.7], unit).w for unit in np.eye(3)]
    assert condition == pytest.approx(np.linalg.cond(np.array(rates)), rel=1e-12)


def test_that_the_nearest_rotation_is_found_with_its_distance() -> None:
    T = frames.axes_rotations("XYZ", [0.3, -0.8, 1.9]).T
    rotation, distance = transformation_matrices.project_to_rotation(np.stack([T, -T, 1.1 * T]))
    assert_allclose(rotation[0], T, atol=1e-15)
    assert_allclose(distance[[0, 2]], [0.0, 0.1 * np.sqrt(3.0)], atol=1e-14)
    assert np.linalg.det(rotation[1]) == pytest.approx(1.0)
