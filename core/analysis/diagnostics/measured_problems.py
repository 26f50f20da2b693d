"""Problems of measurements: poses and vectors that differ from the motion of their frames, and by how much.

The base reports the size alone. A feature may explain it, see `framescope.core.system.features.Feature.explanations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from framescope.core.analysis.diagnostics.comparisons import Comparisons
from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.analysis.misses.miss import Miss
from framescope.core.analysis.misses.vector_comparison import VectorComparison, miss_by, rms_of
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.measured import MeasuredPose

LOOP_OPEN = "loop-open"
"""Kind of a problem of a measured pose."""

RATE_MISMATCH = "rate-mismatch"
"""Kind of a problem of a measured vector."""

NOISE = 3.0
"""Factor of the noise up to which a miss counts as noise."""

AS_MEASURED = 0.05
"""Miss up to which a vector matches even if its noise is smaller, as a fraction of its size."""

FAR = 0.2
"""Miss above which a vector does not match at all, as a fraction of its size."""


def measured_problems(comparisons: Comparisons) -> Iterator[Problem]:
    """Yield a problem for each measurement that differs from the motion of its frames, in the order of the scene."""
    plan = comparisons.plan
    for name in plan.instruments.measurements:
        if name in comparisons.vectors:
            comparison = comparisons.vectors[name]
            miss = miss_by(comparison, comparison.expected.e)
            problem = vector_problem(comparison, miss) if miss.rms > largest_match(comparison, miss) else None
        else:
            problem = pose_problem(plan, name, comparisons.poses.get(name, ()))
        if problem is not None:
            yield problem


# --- Poses


def pose_problem(plan: Plan, name: str, parts: Sequence[Miss]) -> Problem | None:
    """Return the problem of a measured pose from its misses, the position first; None when they are noise."""
    item = plan.scene.measured[name]
    if not isinstance(item, MeasuredPose) or all(part.is_rounding for part in parts):
        return None
    is_open = any(part.is_open for part in parts)
    if not is_open and any(part.noise for part in parts):
        return None
    size = " and ".join(part.words for part in parts)
    worst = next((part for part in parts if part.is_open), parts[0])
    times = () if worst.time is None else (worst.time,)
    _, _, other = parts[0].quantity.partition(" against ")
    if other:
        message = f"it and {other} are two paths from {item.relative_to} to {item.of}, and end {size} apart."
        return (
            make_problem(("measured", name), LOOP_OPEN, "measurements differ", message, times=times)
            if is_open
            else None
        )
    message = f"it puts {item.of} {size} from where the frames put it relative to {item.relative_to}."
    title, severity = ("loop open", "amber") if is_open else ("loop closed nearly", "note")
    return make_problem(("measured", name), LOOP_OPEN, title, message, severity=severity, times=times)


# --- Vectors


def size_of(comparison: VectorComparison) -> float:
    """Return the root mean square of a vector, measured or expected, whichever is larger, SI."""
    return max(rms_of(comparison.m), rms_of(comparison.mean(comparison.expected.e)))


def largest_match(comparison: VectorComparison, miss: Miss) -> float:
    """Return the largest rms miss of a vector that counts as a match, SI: from noise, and tolerance or size."""
    stated = comparison.measurement.tolerance
    least = AS_MEASURED * size_of(comparison) if stated is None else stated * comparison.staged.factor
    return max(NOISE * miss.noise, least, 1e-9)


def is_far_off(comparison: VectorComparison, miss: Miss) -> bool:
    """Return whether a vector misses by much more than noise, and by much of its size."""
    return miss.rms > max(NOISE * miss.noise, FAR * size_of(comparison))


def vector_problem(comparison: VectorComparison, miss: Miss, *, has_cause: bool = False) -> Problem:
    """Return the problem of a measured vector, without its cause; a note if the vector roughly matches."""
    does_not_match = is_far_off(comparison, miss) or has_cause
    title, severity = ("does not match", "amber") if does_not_match else ("matches roughly", "note")
    text = miss_text(comparison, miss)
    return make_problem(
        ("measured", comparison.name), RATE_MISMATCH, title, text, severity=severity, times=(miss.time or 0.0,)
    )


def miss_text(comparison: VectorComparison, miss: Miss) -> str:
    """Return a sentence on how far a vector is from the motion, without its cause."""
    return f"it differs from {_motion(comparison)} by {_rms(comparison, miss)} ({_largest(comparison, miss)})."


def fit_text(comparison: VectorComparison, miss: Miss, reading: str, rest: str, condition: str = "only if") -> str:
    """Return what makes a vector fit the motion, and then what it is as given.

    Parameters
    ----------
    comparison, miss
        The vector as given, and its miss.
    reading
        Change that makes it fit, such as ``in the axes of imu``.
    rest
        Error that then remains, with its unit.
    condition
        How sure that is: ``only if``, ``if`` or ``best if``.
    """
    rest, reading = rest.removesuffix(" rms"), reading.rstrip(",")
    number, _, unit = rest.partition(" ")
    error = _rms(comparison, miss)
    rest = number if unit and unit == miss.text(miss.rms).partition(" ")[2] else rest
    return (
        f"it fits {condition} it is read {reading}: error {rest} instead of {error}. "
        f"As given, it is {_motion(comparison)} ({_largest(comparison, miss)})."
    )


def _motion(comparison: VectorComparison) -> str:
    given = comparison.measurement
    return f"the {given.form} of {given.of} relative to {given.relative_to} in the axes of {given.resolved_in}"


def _rms(comparison: VectorComparison, miss: Miss) -> str:
    means = f", of means over {comparison.width:.2g} s" if comparison.width else ""
    return f"{miss.text(miss.rms)} rms{means}"


def _largest(comparison: VectorComparison, miss: Miss) -> str:
    """Return the largest miss with its time, the noise, and the number of rows left out."""
    largest = "" if miss.time is None else f"at most {miss.text(miss.worst)} at {miss.time:.2f} s; "
    n_wild = comparison.n_wild + miss.n_wild
    wild = f"; {n_wild} wild row{'s' * (n_wild > 1)} left out" if n_wild else ""
    return f"{largest}noise {miss.text(miss.noise)}{wild}"
