"""Curves of a plot: arrays over time, and the style of each curve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from framescope.core.scene.edits.plots import CurveKey
from framescope.ui.plots.dashes import AXIS_DASHES, DASHES, SOLID, Dash
from framescope.ui.theme.tokens import AXIS_LETTERS

OTHER_COLORS = ("text", "omega", "frame_a", "force", "good", "quiet")
"""Colours of further curves in a plot, once the colours of the axes are in use."""

_CURVES_OF_A_COLOR = 2


@dataclass(frozen=True)
class CurveStyle:
    """
    Name and look of one curve.

    Parameters
    ----------
    name : str
        Name in the legend, for example ωx.
    color : str
        Role of the theme or `#RRGGBB`.
    dash : Dash
        Dash of the line, unless another curve of the plot has it.
    """

    name: str
    color: str = "text"
    dash: Dash = SOLID


@dataclass(frozen=True)
class Curves:
    """
    Curves over a common time.

    Parameters
    ----------
    t : array, shape (n,)
        Seconds, increasing.
    ys : array, shape (n_curves, n)
        Values; NaN where a curve has none.
    styles : tuple of CurveStyle
        One for each curve. Their dashes are made to differ, so that curves are told apart without their colours.
    title, subtitle, unit : str
        Quantity; item and frames (of, relative to, resolved in); unit. The unit is shown after the subtitle.
    decimals : int, optional
        Digits after the decimal point; None: by the size of the values.
    i_plot : int, optional
        Index of the plot in the scene.
    keys : tuple of CurveKey
        Key of each curve in that plot.
    quantity : str
        Name of the quantity at the vertical axis, such as "Angular velocity". It does not depend on the title.
    y_most : float, optional
        Largest magnitude that the automatic view includes. Angle rates, for example, are unbounded near gimbal lock.
    y_zero : tuple of float
        For each curve, the largest magnitude that counts as rounding error; empty without such a bound.
    note : str
        Text shown instead of missing curves, such as "Simulating…".
    rule : str
        Rule by which one of several possible values is chosen; empty if there is only one.
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
        object.__setattr__(self, "styles", distinct_styles(self.styles))

    @property
    def ys_in_view(self) -> NDArray[np.float64]:
        """Values that the automatic view includes: clipped to `y_most`, and zero for a curve of rounding errors."""
        most = np.inf if self.y_most is None else self.y_most
        ys = np.clip(self.ys, -most, most)
        if not self.y_zero or not ys.size:
            return ys
        largest = np.where(np.isfinite(ys), np.abs(ys), 0.0).max(axis=1, keepdims=True)
        return np.where((largest <= np.array(self.y_zero)[:, np.newaxis]) & np.isfinite(ys), 0.0, ys)

    def extended(self, t: NDArray[np.float64], ys: NDArray[np.float64], start: float = -np.inf) -> Curves:
        """Return the curves with samples (m,), (n_curves, m) appended; they replace the samples from time `t[0]` on.

        Samples before `start` are removed.
        """
        n_before = np.searchsorted(self.t, t[0])
        times = np.append(self.t[:n_before], t)
        first = np.searchsorted(times, start)
        return replace(self, t=times[first:], ys=np.append(self.ys[:, :n_before], ys, axis=1)[:, first:])

    def at(self, t: float) -> NDArray[np.float64]:
        """Return the values at a time, interpolated; NaN outside the times, shape (n_curves,)."""
        last = len(self.t) - 1
        if last < 0 or not self.t[0] <= t <= self.t[-1]:
            return np.full(len(self.styles), np.nan)
        right = min(int(np.searchsorted(self.t, t, side="right")), last)
        left = max(right - 1, 0)
        span = self.t[right] - self.t[left]
        share = (t - self.t[left]) / span if span > 0 else 0.0
        # At a sample, use its value alone: the neighbour may be NaN.
        if share == 0.0:
            return self.ys[:, left].copy()
        if share == 1.0:
            return self.ys[:, right].copy()
        return (1.0 - share) * self.ys[:, left] + share * self.ys[:, right]


def xyz_styles(prefix: str = "") -> tuple[CurveStyle, CurveStyle, CurveStyle]:
    """Return the three styles of a vector, named `ωx ωy ωz` for the prefix ω."""
    x, y, z = (CurveStyle(prefix + letter, f"axis_{letter}", AXIS_DASHES[letter]) for letter in AXIS_LETTERS)
    return x, y, z


def distinct_styles(styles: Iterable[CurveStyle]) -> tuple[CurveStyle, ...]:
    """Return styles with different dashes, and with a colour for two curves at most.

    From the ninth curve on, dashes repeat in other colours.

    Examples
    --------
    >>> [style.dash for style in distinct_styles([CurveStyle("a"), CurveStyle("b")])]
    [(), (8.0, 3.0)]
    """
    distinct: list[CurveStyle] = []
    colors, dashes, looks = Counter[str](), Counter[Dash](), set[tuple[str, Dash]]()
    for style in styles:
        color = style.color
        if colors[color] >= _CURVES_OF_A_COLOR:
            color = min(OTHER_COLORS, key=colors.__getitem__)
        fewest = min(dashes[dash] for dash in DASHES)
        free = [dash for dash in (style.dash, *DASHES) if dashes[dash] == fewest]
        dash = next((dash for dash in free if (color, dash) not in looks), free[0])
        distinct.append(replace(style, color=color, dash=dash))
        colors[color] += 1
        dashes[dash] += 1
        looks.add((color, dash))
    return tuple(distinct)
