"""Reason in words why frames have no known pose relative to each other at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from framescope.core.evaluation.evaluate import Plan

MAX_SPANS = 2
"""Limit of listed time spans of a frame."""


def missing_pose_text(plan: Plan, names: Iterable[str], t: float) -> str:
    """Return why some frames have no known pose relative to each other at a time, s; empty if no frame is the reason.

    The reason is a frame whose recording has a gap at this time, or a frame that no transform connects with the world.
    """
    rows = list(dict.fromkeys(row for name in names for row in _chain(plan, name)))
    motions = plan.tree.motions
    for row in rows:
        motion = motions.get(row)
        if motion is not None and motion.known is not None:
            spans = motion.known.tolist()
            if not any(first <= t <= last for first, last in spans):
                return f"{plan.names[row]} has no pose at {t:.2f} s. {_recorded_text(spans)}"
    apart = next((plan.names[row] for row in rows if row in motions and not motions[row].is_connected), "")
    return f"No transform connects {apart} with the other frames." if apart else ""


def _chain(plan: Plan, name: str) -> Iterator[int]:
    """Yield the rows of a frame and its ancestors."""
    row, seen = plan.index.get(name, -1), set[int]()
    while row >= 0 and row not in seen:
        seen.add(row)
        yield row
        row = int(plan.tree.parents[row])


def _recorded_text(spans: list[list[float]]) -> str:
    if not spans:
        return "Its recording has no sample."
    listed = " and ".join(f"{first:.2f} s to {last:.2f} s" for first, last in spans[:MAX_SPANS])
    return f"It is recorded from {listed}{' and later' if len(spans) > MAX_SPANS else ''}."
