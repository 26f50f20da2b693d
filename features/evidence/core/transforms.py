"""Fourier transforms of real series along their first axis, with types."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from framescope.core.kernels.validation import Array


def transform_length(n: int) -> int:
    """Return a length of at least n samples whose Fourier transform is fast.

    >>> transform_length(1021)
    1024
    """
    length: Any = fft.next_fast_len(n, real=True)  # pyright: ignore[reportUnknownMemberType]
    return int(length)


def spectrum_of(x: Array, n: int) -> NDArray[np.complex128]:
    """Return the transform (f, ...) of series (m, ...), cut or filled with zeros to n samples."""
    X: Any = fft.rfft(x, n=n, axis=0)  # pyright: ignore[reportUnknownMemberType]
    return X


def series_of_spectrum(X: NDArray[np.complex128], n: int) -> Array:
    """Return the series (n, ...) of a transform (f, ...)."""
    x: Any = fft.irfft(X, n=n, axis=0)  # pyright: ignore[reportUnknownMemberType]
    return x
