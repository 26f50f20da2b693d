"""Reason of a guess about a column, and how certain the guess is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Certainty = Literal["format", "certain", "assumed", "open"]
"""How certain a decision is.

``"format"``: the format or the names in the file state it. ``"certain"``: the numbers settle it. ``"assumed"``: it is
usual, and nothing in the file contradicts it. ``"open"``: nothing settles it.
"""

CERTAIN = 0.9
"""Smallest confidence of a certain guess."""

ASSUMED = 0.5
"""Smallest confidence of an assumed guess."""


@dataclass(frozen=True)
class Reason:
    """Reason of a guess, as a phrase, with its confidence from 0 (none) to 1 (beyond doubt).

    `alternatives` are other possible values of the choice, the most likely first. Empty: all values are possible.
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
        """Whether nothing settles the guess, so that the user should look at it first."""
        return self.confidence < ASSUMED


Reasons = Mapping[str, Reason]
"""Reasons of choices by the names of the choices."""
