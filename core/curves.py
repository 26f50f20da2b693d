"""Signals over time, each with what a number needs: of which, relative to which, resolved in which, in which unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from framescope.core import angle_branches, frames, kernels, quaternions, relations
from framescope.core.arrays import Array, as_sequence
from framescope.core.compiling.instruments import StagedClaim, claimed
from framescope.core.compiling.plotted import TAKES, StagedPlot, components_of
from framescope.core.evaluate import Plan
from framescope.core.orientation import Orientation, orientation_of, unchecked
from framescope.core.scene.view import PlottedSignal
from framescope.core.snapshot import Snapshot
from framescope.core.tree import evaluate_tree, subtree


def residues(snapshot: Snapshot, of: str) -> Array:
    """Return the six residues (..., 6) of the orientation of a frame in its parent."""
    return kernels.orientation_residues(snapshot.T_PF[..., snapshot.index[of], :, :])


Relative = Callable[[Snapshot, str, str, str], Array]
"""Takes a snapshot and the frames: of, relative to, resolved in."""

ANGULAR, LINEAR = slice(0, 3), slice(3, 6)


def _half(motion: Relative, half: slice) -> Relative:
    def signal(snapshot: Snapshot, of: str, relative_to: str, resolved_in: str) -> Array:
        return motion(snapshot, of, relative_to, resolved_in)[..., half]

    return signal


RELATIVE: dict[str, Relative] = {
    "position": relations.relative_position,
    "velocity": _half(relations.relative_velocity, LINEAR),
    "acceleration": _half(relations.relative_acceleration, LINEAR),
    "angular velocity": _half(relations.relative_velocity, ANGULAR),
    "angular acceleration": _half(relations.relative_acceleration, ANGULAR),
}
"""Signals of one frame relative to another, resolved in a third, each three numbers."""


def frames_of(plan: Plan, plot: StagedPlot) -> set[str]:
    """Return the frames that a signal is computed from, world or not; none of a sensor, a claim or a simulation."""
    if plot.signal in ("sensor", "measured") or TAKES[plot.signal].of in ("points", "elements", ""):
        return set()
    return {plot.of, plot.relative_to, plot.resolved_in} & set(plan.index)


def frames_at(plan: Plan, names: set[str], times: Array) -> Snapshot:
    """Return some frames at times (n,), with all that they hang on."""
    return evaluate_tree(subtree(plan.tree, names & set(plan.index)), times)


def plot_curves(plan: Plan, plot: StagedPlot, times: Array, snapshot: Snapshot | None = None) -> Array:
    """Return the curves (n, k) of a signal at times (n,), in its unit; only what it needs is evaluated.

    A `snapshot` of `frames_of` the signal at the times spares evaluating them. NaN where there is no value, such as
    after the end of a simulation, or all the way when what it is of has a problem. Further signals of the same plot are
    left to their own calls.
    """
    names = _usual(plan, plot)
    values = _curves(plan, plot, times, snapshot)
    if values is None:
        return np.full((len(times), len(plot.components or names)), np.nan)
    if plot.wrapped:
        for i in (names.index(name) for name in plot.wrapped):
            values[:, i] -= 2.0 * np.pi * np.round(values[:, i] / (2.0 * np.pi))
    if plot.components:
        values = np.stack([_component(values, names, name) for name in plot.components], axis=-1)
    return values / plot.factor


def _usual(plan: Plan, plot: StagedPlot) -> tuple[str, ...]:
    """Return the names of the components in the order in which they are computed."""
    if plot.signal == "sensor" and plot.of not in plan.instruments.sensors:
        return ()
    return components_of(plot, plan.scene).usual


def _component(values: Array, names: tuple[str, ...], name: str) -> Array:
    """Return one component (n,) of all that are usually shown (n, k), or the magnitude of three of them."""
    if name in names:
        return values[:, names.index(name)]
    which = name.removeprefix("norm").strip()
    parts = [i for i, each in enumerate(names) if not which or each.startswith(f"{which}_") or each.endswith(which)]
    return np.sqrt((values[:, parts] ** 2).sum(axis=-1))


def labels(plan: Plan, plot: StagedPlot) -> tuple[str, ...]:
    """Return a short name for each curve of a signal."""
    names = _usual(plan, plot)
    known = dict(zip(names, _usual_labels(plan, plot), strict=True))
    found = (known.get(name, name) for name in plot.components or names)
    return tuple(
        f"{label}, wrapped" if name in plot.wrapped else label
        for name, label in zip(plot.components or names, found, strict=True)
    )


def _usual_labels(plan: Plan, plot: StagedPlot) -> tuple[str, ...]:
    match plot.signal:
        case "angles":
            return tuple(f"angle {i} about {axis.lower()}" for i, axis in enumerate(plot.sequence, 1))
        case "sensor":
            staged = plan.instruments.sensors.get(plot.of)
            return () if staged is None else staged.sensor.labels
        case _:
            return components_of(plot, plan.scene).usual


def describe(plot: StagedPlot | PlottedSignal) -> str:
    """Return what a signal is, in the words that `framescope.core.signal_text` reads.

    >>> describe(StagedPlot("velocity", "tip", "world", "arm", "mm/s", 1e-3))
    'velocity of tip relative to world resolved in arm in mm/s'
    """
    text: str = plot.signal
    if plot.of:
        text += f" of {plot.of}"
    if plot.relative_to and plot.signal != "residues":
        text += f" relative to {plot.relative_to}"
    if plot.resolved_in:
        text += f" resolved in {plot.resolved_in}"
    if plot.sequence:
        text += f" by {plot.sequence}"
    text += f" in {plot.unit}" if plot.unit else ""
    if plot.components:
        text += ": " + ", ".join(plot.components)
    if plot.wrapped:
        text += f" (wrapped: {', '.join(plot.wrapped)})"
    return text


def _curves(plan: Plan, plot: StagedPlot, times: Array, snapshot: Snapshot | None) -> Array | None:
    """Return the curves in SI units, or None where what they are of cannot be used."""
    instruments = plan.instruments
    match plot.signal:
        case "sensor":
            staged = instruments.sensors.get(plot.of)
            return None if staged is None else _sensor_curves(plan, plot.of, times)
        case "measured":
            claim = instruments.claims.get(plot.of)
            return None if claim is None else _claim_curves(plan, claim, times)
        case _ if TAKES[plot.signal].of in ("points", "elements", ""):
            return _simulated_curves(plan, plot, times)
        case _:
            snapshot = snapshot or frames_at(plan, frames_of(plan, plot), times)
    match plot.signal:
        case "residues":
            return residues(snapshot, plot.of)
        case "angles":
            return _angles(snapshot, plot.of, plot.relative_to, plot.sequence)
        case "quaternion":
            return _quaternions(snapshot, plot.of, plot.relative_to)
        case _:
            return RELATIVE[plot.signal](snapshot, plot.of, plot.relative_to, plot.resolved_in)


def _matrix(snapshot: Snapshot, of: str, relative_to: str) -> Array:
    """Return the matrices (n, 3, 3) from one frame into another."""
    R_WA, R_WB = (snapshot.R_WF[:, snapshot.index[name]] for name in (relative_to, of))
    return kernels.multiply_matrices(kernels.transpose(R_WB), R_WA)


def _angles(
    snapshot: Snapshot, of: str, relative_to: str, sequence: str | tuple[int, ...], guess_angle1: float | None = None
) -> Array:
    """Return the angles (n, 3) on the branch that each sample shares with the one before.

    Without a guess the first sample is on the branch whose second angle is the principal one.
    """
    T = _matrix(snapshot, of, relative_to)
    angles = np.full((len(T), 3), np.nan)
    is_posed = np.isfinite(T).all(axis=(-1, -2))
    if is_posed.any():
        R = orientation_of(T[is_posed], np.zeros((int(is_posed.sum()), 3)))
        guess = _principal_angle1(R, sequence) if guess_angle1 is None else guess_angle1
        angles[is_posed] = angle_branches.axes_rotations_angles_along(R, sequence, guess)
    return angles


def _principal_angle1(R: Orientation, sequence: str | tuple[int, ...]) -> float:
    """Return the first angle of the first sample on the branch of the principal second angle.

    That is within a right angle of 0 where the first and third axes differ, and from 0 to pi where they are the same.
    """
    axes = as_sequence(sequence)
    angles = frames.axes_rotations_angles(unchecked((R.T[0], R.w[0])), axes)
    is_principal = np.cos(angles[1]) >= 0.0 if axes[0] != axes[2] else angles[1] >= 0.0
    return float((angles if is_principal else angle_branches.other_branch(axes, angles))[0])


def _quaternions(snapshot: Snapshot, of: str, relative_to: str) -> Array:
    """Return the quaternions (n, 4), scalar last, with the sign that each sample shares with the one before."""
    T = _matrix(snapshot, of, relative_to)
    Q = np.full((len(T), 4), np.nan)
    is_posed = np.isfinite(T).all(axis=(-1, -2))
    if is_posed.any():
        Q[is_posed] = quaternions.continuous_signs(kernels.quaternion_from_matrix(T[is_posed], kernels.NO_TURN))
    return Q


def _sensor_curves(plan: Plan, name: str, times: Array) -> Array:
    """Return what a sensor shows over time, angles without jumps."""
    staged = plan.instruments.sensors[name]
    snapshot = frames_at(plan, staged.frames, times)
    shown = staged.sensor.output(snapshot)
    place = staged.sensor.slices.get("angles")
    if place is not None:
        sensor = staged.sensor
        shown[:, place] = _angles(snapshot, staged.at, staged.seen_from, sensor.sequence, sensor.guess_angle1)
    return shown


def _claim_curves(plan: Plan, claim: StagedClaim, times: Array) -> Array:
    """Return what is claimed beside what the tree says: vectors in the unit of the claim, poses by their positions."""
    snapshot = frames_at(plan, {claim.of, claim.relative_to, claim.resolved_in}, times)
    found = claimed(claim, snapshot)
    if found.vector is not None:
        computed = RELATIVE[claim.kind](snapshot, claim.of, claim.relative_to, claim.resolved_in)
        return np.concatenate([found.vector, computed], axis=-1) / claim.factor
    p_WM = found.p_WM if found.p_WM is not None else np.full((len(times), 3), np.nan)
    i = snapshot.index[claim.relative_to]
    p = kernels.apply_transposed(snapshot.R_WF[:, i], p_WM - snapshot.p_WF[:, i])
    return np.concatenate(
        [p, relations.relative_position(snapshot, claim.of, claim.relative_to, claim.relative_to)], -1
    )


def _simulated_curves(plan: Plan, plot: StagedPlot, times: Array) -> Array | None:
    simulation = plan.instruments.simulation
    if simulation is None:
        return None
    if plot.signal == "energy":
        energy = simulation.energy(times)
        return np.stack([energy.kinetic, energy.potential, energy.work, energy.dissipated, energy.residual], axis=-1)
    if plot.signal in ("linear momentum", "angular momentum"):
        momentum = simulation.momentum(times)
        return momentum.linear if plot.signal == "linear momentum" else momentum.angular
    read: dict[str, Callable[[Array], Mapping[str, Array]]] = {
        "port force": simulation.port_forces,
        "port velocity": simulation.port_velocities,
        "port displacement": simulation.displacements,
        "element force": simulation.element_forces,
    }
    if plot.signal == "constraint error":
        values = simulation.constraint_errors(times).get(plot.of, (None, None))[0]
    else:
        values = read[plot.signal](times).get(plot.of)
    return None if values is None else values.reshape(len(times), -1)


TRAIL_POINTS = 160


def trails(plan: Plan, t: float) -> dict[str, Array]:
    """Return the past path (TRAIL_POINTS, 3) of each frame with a trail, oldest first, in world, at time `t`.

    It reaches back the trail's duration, or to the start of the scene.
    """
    found: dict[str, Array] = {}
    for staged in plan.staging.trails:
        times = np.linspace(min(t, max(plan.start, t - staged.duration)), t, TRAIL_POINTS)
        snapshot = evaluate_tree(plan.trail_trees[staged.frame], times)
        found[staged.frame] = snapshot.p_WF[:, snapshot.index[staged.frame]]
    return found
