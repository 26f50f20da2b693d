"""Typed arrays of a page: packed one after another in one run of bytes, with tracks that name them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.sampled_tracks import Track

Json = dict[str, Any]

NEAR = 16.0
"""Numbers up to this size have six digits behind the point in single precision."""

STEPS = 65535
"""Into which the range of a track is divided that need not be exact: a 30 000th of a picture is not seen."""

_KINDS = {"float32": "f4", "int16": "i2", "uint16": "u2", "int8": "i1", "uint8": "u1", "uint32": "u4"}


class Packed:
    """Arrays and tracks that are put together; what is added twice stands there once."""

    def __init__(self) -> None:
        self.tracks: list[Json] = []
        self._blob = bytearray()
        self._arrays: dict[tuple[str, bytes], list[Any]] = {}
        self._tracks: dict[tuple[bool, bytes, bytes], int] = {}

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

    def track(self, track: Track, start: float, *, is_exact: bool = False) -> int:
        """Return the place of a track, whose times are told from `start`.

        What stands still is just its numbers. What need not be exact is told in steps of its range, zero exactly; the
        rest in single precision, from a whole number in the middle of it where it lies far from zero.
        """
        key = (is_exact, track.times.tobytes(), track.values.tobytes())
        if key not in self._tracks:
            self._tracks[key] = len(self.tracks)
            self.tracks.append(self._told(track, start, is_exact=is_exact))
        return self._tracks[key]

    def _told(self, track: Track, start: float, *, is_exact: bool) -> Json:
        values = track.values
        if track.is_still:
            return {"still": values[0].tolist()}
        times = self.array((track.times - start).astype(np.float32))
        low, high = values.min(axis=0), values.max(axis=0)
        text: Json = {"width": values.shape[1], "times": times}
        if is_exact:
            ends = zip(low.tolist(), high.tolist(), strict=True)
            base = [float(round(0.5 * (a + b))) if max(abs(a), abs(b)) > NEAR else 0.0 for a, b in ends]
            return {**text, "low": base, "array": self.array((values - base).astype(np.float32))}
        # Zero says that something is not there: it is a step of the range, if it lies in it at the low end.
        step = np.maximum((high - low) / STEPS, 1e-300)
        steps = np.asarray(np.round((values - low) / step), dtype=np.uint16)
        return {**text, "low": low.tolist(), "step": step.tolist(), "array": self.array(steps)}
