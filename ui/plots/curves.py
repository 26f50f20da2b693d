"""Curves of a plot: arrays over time and how each of them is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from framescope.core.scene.edits.plots import CurveKey
from framescope.ui.theme.tokens import AXIS_LETTERS


@dataclass(frozen=True)
class CurveStyle:
    """
    Name and look of one curve.

    Parameters
    ----------
    name : str
        As the legend shows it, for example ωx.
    color : str
        Role of the theme or `#RRGGBB`.
    is_dashed : bool
        Dashed, as for product residues and for what was measured.
    """

    name: str
    color: str = "text"
    is_dashed: bool = False


@dataclass(frozen=True)
class Curves:
    """
    Curves over a common time.

    Parameters
    ----------
    t : array, shape (n,)
        Seconds, increasing.
    ys : array, shape (n_curves, n)
        Values; NaN where there is none.
    styles : tuple of CurveStyle
        One for each curve.
    title, subtitle, unit : str
        What it is; of, relative to, resolved in; unit. The subtitle is shown with the unit behind it.
    decimals : int, optional
        Digits after the point; as the values need when left out.
    i_plot : int, optional
        Which plot of the scene it is.
    keys : tuple of CurveKey
        Which curve of that plot each one is.
    quantity : str
        What the values are, as it stands at their axis: "Angular velocity", whatever the title says.
    y_most : float, optional
        Values further from zero than this are not brought into view by themselves, as near a lock they know no bounds.
    y_zero : tuple of float
        For each curve, up to which distance from zero it is zero but for rounding; empty where all of it counts.
    note : str
        What stands in place of curves that are not there (yet): "Simulating…".
    rule : str
        Which of several numbers for the same thing these are, where there are several.
    """

    t: NDArray[np.float64]
    ys: NDArray[np.float64]
    styles: tuple[CurveStyle, ...]
    title: str = ""
    subtitle: str = ""
    unit: str = ""
    decimals: int | None = None
    i_plot: int | None = None
    keys: tuple[CurveKey, ...] = ()
    note: str = ""
    quantity: str = ""
    y_most: float | None = None
    y_zero: tuple[float, ...] = ()
    rule: str = ""

    def __post_init__(self) -> None:
        if self.ys.shape != (len(self.styles), len(self.t)):
            raise ValueError(
                f"ys has shape {self.ys.shape}; {len(self.styles)} styles and {len(self.t)} times need "
                f"({len(self.styles)}, {len(self.t)})"
            )

    @property
    def ys_in_view(self) -> NDArray[np.float64]:
        """The values that are brought into view: none beyond `y_most`, and zero for a curve that is only rounding."""
        most = np.inf if self.y_most is None else self.y_most
        ys = np.clip(self.ys, -most, most)
        if not self.y_zero or not ys.size:
            return ys
        largest = np.where(np.isfinite(ys), np.abs(ys), 0.0).max(axis=1, keepdims=True)
        return np.where((largest <= np.array(self.y_zero)[:, np.newaxis]) & np.isfinite(ys), 0.0, ys)

    def extended(self, t: NDArray[np.float64], ys: NDArray[np.float64], start: float = -np.inf) -> Curves:
        """Return the curves with samples (m,), (n_curves, m) at their end, in place of those from the first of them on.

        Samples before `start` are let go.
        """
        kept = np.searchsorted(self.t, t[0])
        times = np.append(self.t[:kept], t)
        first = np.searchsorted(times, start)
        return replace(self, t=times[first:], ys=np.append(self.ys[:, :kept], ys, axis=1)[:, first:])

    def at(self, t: float) -> NDArray[np.float64]:
        """Return the values at a time, interpolated; NaN outside the times, shape (n_curves,)."""
        last = len(self.t) - 1
        if last < 0 or not self.t[0] <= t <= self.t[-1]:
            return np.full(len(self.styles), np.nan)
        right = min(int(np.searchsorted(self.t, t, side="right")), last)
        left = max(right - 1, 0)
        span = self.t[right] - self.t[left]
        share = (t - self.t[left]) / span if span > 0 else 0.0
        # At a sample that sample alone: its neighbour may be missing.
        if share == 0.0:
            return self.ys[:, left].copy()
        if share == 1.0:
            return self.ys[:, right].copy()
        return (1.0 - share) * self.ys[:, left] + share * self.ys[:, right]


def xyz_styles(prefix: str = "") -> tuple[CurveStyle, CurveStyle, CurveStyle]:
    """Return the three styles of a vector, named `ωx ωy ωz` for the prefix ω."""
    x, y, z = (CurveStyle(prefix + letter, f"axis_{letter}") for letter in AXIS_LETTERS)
    return x, y, z
