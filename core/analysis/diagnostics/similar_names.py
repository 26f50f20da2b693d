"""Near misses of a misspelt name, found without comparing it with every other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

MAX_NEAR = 100
"""Names near another that are told apart: where there are more of them no one is meant."""

_BASE = 0x9E3779B97F4A7C15
_INVERSE = np.uint64(pow(_BASE, -1, 2**64))
"""An odd number, and its inverse among 64-bit integers."""

_ONE = np.uint64(1)


class SimilarNames:
    """Names in order, found by a text that is a letter away from them, or the same but for capitals.

    Two texts that differ by one letter added, left out, changed or swapped with the next become the same when the right
    letter is taken out of each, or of one of them. Each name is kept by the hashes of itself and of all it becomes so.

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
        """Return the names that are a letter away, in their order; none where there are very many."""
        folded = text.casefold()
        wanted = _hashes(folded)
        starts, ends = (np.searchsorted(self._hashes, wanted, side=side) for side in ("left", "right"))
        if (ends - starts).sum() > 4 * MAX_NEAR + len(wanted) * 4:
            return []
        rows = {int(i) for a, b in zip(starts, ends, strict=True) for i in self._owners[a:b]}
        found = [self.names[i] for i in sorted(rows) if is_letter_away(folded, self.names[i].casefold())]
        return found if len(found) <= MAX_NEAR else []


def _hashes(text: str) -> Hashes:
    """Return the hash of a text, and of what is left of it without each of its letters."""
    letters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64) + _ONE
    n = len(letters)
    forward = np.zeros(n + 1, dtype=np.uint64)
    np.cumsum(letters * _powers(n), out=forward[1:])
    found = np.empty(n + 1, dtype=np.uint64)
    # What stands behind a letter that is taken out moves one place down.
    found[:n] = forward[:-1] + (forward[n] - forward[1:]) * _INVERSE
    found[n] = forward[n]
    return found


@lru_cache(maxsize=256)
def _powers(n: int) -> Hashes:
    """Return the first `n` powers of the base, modulo 2**64."""
    powers = np.full(n, _BASE, dtype=np.uint64)
    powers[:1] = 1
    return np.multiply.accumulate(powers)


def is_letter_away(a: str, b: str) -> bool:
    """Return whether a letter is to be added, left out, changed or swapped with the next, or none at all.

    >>> is_letter_away("mast_lnk", "mast_link"), is_letter_away("stadn", "stand"), is_letter_away("arm", "tool")
    (True, True, False)
    """
    if abs(len(a) - len(b)) > 1:
        return False
    start = _n_alike(a, b)
    a, b = a[start:], b[start:]
    end = _n_alike(a[::-1], b[::-1])
    a, b = a[: len(a) - end], b[: len(b) - end]
    return max(len(a), len(b)) <= 1 or (len(a) == 2 and a == b[::-1])


def _n_alike(a: str, b: str) -> int:
    """Return how many letters of two texts are the same before the first that is not."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
