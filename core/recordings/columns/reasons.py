"""Reason of a guess about a column, and how certain the guess is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Certainty = Literal["format", "certain", "assumed", "open"]
"""Degree of certainty of a decision.

``"format"``: the format or a name in the file states the value. ``"certain"``: the numbers in the file prove it.
``"assumed"``: the value is usual, and nothing in the file contradicts it. ``"open"``: nothing in the file favours a
value.
"""

CERTAIN = 0.9
"""Smallest confidence of a certain guess."""

ASSUMED = 0.5
"""Smallest confidence of an assumed guess."""


@dataclass(frozen=True)
class Reason:
    """Reason of a guess, as a phrase, and the confidence of the guess from 0 (none) to 1 (beyond doubt).

    `alternatives` are the other possible values, the most likely first. Empty: all values are possible.
    """

    text: str
    confidence: float = 1.0
    alternatives: tuple[str, ...] = field(default=(), repr=False)

    @property
    def certainty(self) -> Certainty:
        """Confidence as a word."""
        if self.confidence >= 1.0:
            return "format"
        return "certain" if self.confidence >= CERTAIN else "assumed" if self.confidence >= ASSUMED else "open"

    @property
    def is_doubtful(self) -> bool:
        """Whether nothing in the file confirms the guess, so that the user should check it first."""
        return self.confidence < ASSUMED


Reasons = Mapping[str, Reason]
"""Reasons of choices by the names of the choices."""
