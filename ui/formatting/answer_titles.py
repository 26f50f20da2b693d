"""Words of an answer to a question: what it shows, between which frames, and how many decimals its numbers have."""

from __future__ import annotations

from collections.abc import Sequence

from framescope.core.evaluation.answer_texts import words_at
from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.signal_kinds import ANGLE_SIGNALS, XYZ, signal_named

MAGNITUDES = {"position": "distance", "velocity": "speed"}
"""Words for the magnitude of a vector, where they are usual."""


def title_of(signal: CompiledPlot) -> str:
    """Return what a card shows, in a few words.

    >>> title_of(CompiledPlot("velocity", "tip", "world", "world", "m/s", 1.0, components=("norm",)))
    'speed of tip'
    >>> title_of(CompiledPlot("angular velocity", "tip", "world", "tip", "deg/s", 1.0, components=("x",)))
    'ωx of tip'
    >>> title_of(CompiledPlot("quaternion", "tip", "world", "", "", 1.0, components=("x",)))
    'x of the quaternion of tip'
    """
    letter = signal_named(signal.signal).symbol
    symbol = letter or signal.signal
    if signal.components == ("norm",):
        symbol = MAGNITUDES.get(signal.signal, symbol)
    elif len(signal.components) == 1:
        part = signal.components[0]
        of_whole = f"{letter}{part}" if letter else f"{part} of the {signal.signal}"
        symbol = of_whole if part in XYZ else part
    return f"{symbol} of {signal.of}" if signal.of else symbol


def detail_of(signal: CompiledPlot) -> str:
    """Return the frames of a signal and how its numbers are made: relative to, in axes of, by which sequence."""
    parts = [f"relative to {signal.relative_to}"] if signal.relative_to else []
    if signal.resolved_in and signal.components != ("norm",):
        parts.append(f"in axes of {signal.resolved_in}")
    if signal.sequence:
        parts.append(f"{signal.sequence} about moving axes")
    return " · ".join(parts)


def detail_at(plan: Plan, signal: CompiledPlot, t: float) -> str:
    """Return the frames of a signal, or for the direction of an axis where it looks at a time, s, in words."""
    return words_at(plan, signal, t) or detail_of(signal)


def decimals_of(signal: CompiledPlot) -> int:
    """Return the digits after the decimal point of the numbers of a signal."""
    return 2 if signal.unit.startswith("deg") else 4


ANGLE_LETTERS = ("α", "β", "γ")

MAX_LETTERS = 2
"""Length of a component's name, such as xy, up to which it stands before its number."""


def letters_of(signal: CompiledPlot, names: Sequence[str]) -> tuple[str, ...]:
    """Return what stands before each number of a card: a letter, two for an entry of a matrix, or nothing.

    >>> letters_of(CompiledPlot("residues", "a", "", "", "", 1.0), ("xx", "yy", "wobble"))
    ('xx', 'yy', '')
    """
    if signal.signal in ANGLE_SIGNALS and len(names) == len(ANGLE_LETTERS):
        return ANGLE_LETTERS
    return tuple(name if len(name) <= MAX_LETTERS else "" for name in names)
