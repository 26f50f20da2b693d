"""Numbers of a page, packed: arrays one after another in one run of bytes, and tracks that name them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Json = dict[str, Any]

TINY = 1e-12
"""What moves by less stands still."""

STEPS = 65535
"""Into which the range of a track is divided that need not be exact: a 30 000th of a picture is not seen."""

_KINDS = {"float32": "f4", "int16": "i2", "uint16": "u2", "int8": "i1", "uint8": "u1", "uint32": "u4"}


class Packed:
    """Arrays and tracks that are put together; what is added twice stands there once."""

    def __init__(self) -> None:
        self.tracks: list[Json] = []
        self._blob = bytearray()
        self._arrays: dict[tuple[str, bytes], list[Any]] = {}
        self._tracks: dict[bytes, int] = {}

    def content(self) -> bytes:
        """Return all bytes, little endian."""
        return bytes(self._blob)

    def array(self, values: NDArray[np.number]) -> list[Any]:
        """Return kind, offset and count of an array.

        >>> packed = Packed()
        >>> packed.array(np.array([1, 2, 3], dtype=np.uint8)), packed.array(np.array([0.5], dtype=np.float32))
        (['u1', 0, 3], ['f4', 4, 1])
        """
        kind = _KINDS[values.dtype.name]
        stored = np.asarray(values, dtype=f"<{kind}").tobytes()
        if (kind, stored) not in self._arrays:
            self._blob += bytes(-len(self._blob) % 4)
            self._arrays[kind, stored] = [kind, len(self._blob), values.size]
            self._blob += stored
        return self._arrays[kind, stored]

    def track(self, values: ArrayLike, *, is_exact: bool = False) -> int:
        """Return the place of a track of values (n, m) over time.

        What stands still is just its numbers. What need not be exact is told in steps of its range, zero exactly.
        """
        table = np.asarray(values, dtype=float)
        key = bytes([is_exact]) + table.tobytes()
        if key not in self._tracks:
            self._tracks[key] = len(self.tracks)
            self.tracks.append(self._told(table, is_exact=is_exact))
        return self._tracks[key]

    def _told(self, table: NDArray[np.float64], *, is_exact: bool) -> Json:
        if np.ptp(table, axis=0).max() <= TINY:
            return {"still": table[0].tolist()}
        told: Json = {"width": table.shape[1]}
        if is_exact:
            return {**told, "array": self.array(table.astype(np.float32))}
        low, high = table.min(axis=0), table.max(axis=0)
        # Zero says that something is not there: it is a step of the range, if it lies in it at the low end.
        step = np.maximum((high - low) / STEPS, 1e-300)
        steps = np.asarray(np.round((table - low) / step), dtype=np.uint16)
        return {**told, "low": low.tolist(), "step": step.tolist(), "array": self.array(steps)}
