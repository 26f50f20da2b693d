"""Search for names similar to a misspelt one, without comparing it with all names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

MAX_NEAR = 100
"""Largest number of similar names; with more of them, none is returned."""

_BASE = 0x9E3779B97F4A7C15
_INVERSE = np.uint64(pow(_BASE, -1, 2**64))
"""Odd base of the hashes, and its inverse modulo 2**64."""

_ONE = np.uint64(1)


class SimilarNames:
    """Names, searchable by a text that differs by one letter or by case.

    Two texts that differ by a letter that is added, omitted, changed or swapped with the next become equal when one
    letter is removed from one or both of them. Each name is stored by the hashes of itself and of itself without each
    of its letters.

    Examples
    --------
    >>> SimilarNames(["mast_link", "mast_lid", "tool"]).near("mast_lnk")
    ['mast_link']
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        parts = [_hashes(name.casefold()) for name in names]
        hashes = np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint64)
        owners = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._owners = hashes[order], owners[order]

    def near(self, text: str) -> list[str]:
        """Return the names that differ by one letter, in order; none if there are too many."""
        folded = text.casefold()
        wanted = _hashes(folded)
        starts, ends = (np.searchsorted(self._hashes, wanted, side=side) for side in ("left", "right"))
        if (ends - starts).sum() > 4 * MAX_NEAR + len(wanted) * 4:
            return []
        rows = {int(i) for a, b in zip(starts, ends, strict=True) for i in self._owners[a:b]}
        names = [self.names[i] for i in sorted(rows) if is_letter_away(folded, self.names[i].casefold())]
        return names if len(names) <= MAX_NEAR else []


def _hashes(text: str) -> Hashes:
    """Return the hashes of a text and of the text without each of its letters."""
    letters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64) + _ONE
    n = len(letters)
    forward = np.zeros(n + 1, dtype=np.uint64)
    np.cumsum(letters * _powers(n), out=forward[1:])
    hashes = np.empty(n + 1, dtype=np.uint64)
    # The letters behind a removed one move one place down.
    hashes[:n] = forward[:-1] + (forward[n] - forward[1:]) * _INVERSE
    hashes[n] = forward[n]
    return hashes


@lru_cache(maxsize=256)
def _powers(n: int) -> Hashes:
    """Return the first `n` powers of the base, modulo 2**64."""
    powers = np.full(n, _BASE, dtype=np.uint64)
    powers[:1] = 1
    return np.multiply.accumulate(powers)


def is_letter_away(a: str, b: str) -> bool:
    """Return whether texts are equal, or differ by one letter that is added, omitted, changed or swapped with the next.

    >>> is_letter_away("mast_lnk", "mast_link"), is_letter_away("stadn", "stand"), is_letter_away("arm", "tool")
    (True, True, False)
    """
    if abs(len(a) - len(b)) > 1:
        return False
    start = _common_length(a, b)
    a, b = a[start:], b[start:]
    end = _common_length(a[::-1], b[::-1])
    a, b = a[: len(a) - end], b[: len(b) - end]
    return max(len(a), len(b)) <= 1 or (len(a) == 2 and a == b[::-1])


def _common_length(a: str, b: str) -> int:
    """Return the length of the common start of two texts."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
