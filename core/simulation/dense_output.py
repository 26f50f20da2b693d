"""States between the steps of an integration, at any times: one time and many give the same bits.

A scipy solver has an interpolant for each step. This module stores its numbers in arrays and evaluates them
elementwise. With ``x`` the fraction of the step, from 0 to 1, all three methods have the form of nested products,

    y = y_old + z_0 (c_0 + z_1 (c_1 + z_2 (c_2 + ...)))

in which `z` is always `x` for RK45 and Radau, and ``x, 1 - x, x, ...`` for DOP853.

References
----------
E. Hairer, S. P. Nørsett, G. Wanner, "Solving Ordinary Differential Equations I", section II.6; II, section IV.8.
scipy 1.17, ``integrate/_ivp/rk.py``, ``radau.py``: ``RkDenseOutput``, ``Dop853DenseOutput``, ``RadauDenseOutput``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from framescope.core.kernels.validation import Array

BLOCK = 2048
"""Number of times evaluated together, so that intermediate arrays fit in the cache."""


@dataclass(frozen=True, eq=False)
class DenseStates:
    """States of `m` steps as a continuous function of time.

    Attributes
    ----------
    times : (m + 1,)
        Times at which steps begin and end, s.
    starts : (max(m, 1), n)
        State at the start of each step; without steps, the constant state.
    coefficients : (m, d, n)
        Coefficients `c` of each step.
    is_alternating
        Whether the factors are ``x, 1 - x, x, ...`` instead of `x` alone.
    """

    times: Array
    starts: Array
    coefficients: Array
    is_alternating: bool

    def __call__(self, t: Array) -> Array:
        """Return states (k, n) at times (k,); outside the steps they are constant.

        >>> steps = DenseStates(np.array([0.0, 2.0]), np.array([[1.0]]), np.array([[[3.0]]]), False)
        >>> steps(np.array([-1.0, 0.0, 1.0, 2.0])).ravel()
        array([1. , 1. , 2.5, 4. ])
        """
        if len(t) > BLOCK:
            return np.concatenate([self(t[i : i + BLOCK]) for i in range(0, len(t), BLOCK)])
        if len(self.times) < 2:
            return np.broadcast_to(self.starts[0], (len(t), self.starts.shape[1])).copy()
        i = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2)
        x = (np.clip(t, self.times[0], self.times[-1]) - self.times[i]) / (self.times[i + 1] - self.times[i])
        x = x[:, np.newaxis]
        factors = (x, 1.0 - x) if self.is_alternating else (x, x)
        sums = np.zeros((len(t), self.starts.shape[1]))
        for k in range(self.coefficients.shape[1] - 1, -1, -1):
            sums = (sums + self.coefficients[i, k]) * factors[k % 2]
        return self.starts[i] + sums


def step_coefficients(interpolant: Any) -> tuple[Array, Array, bool]:
    """Return start (n,), coefficients (d, n) and whether they alternate, of a scipy interpolant of one step.

    Parameters
    ----------
    interpolant
        Result of ``dense_output()`` of `scipy.integrate.RK45`, `DOP853` or `Radau`.

    Raises
    ------
    TypeError
        When the interpolant has another form.

    Examples
    --------
    >>> from scipy.integrate import RK45
    >>> solver = RK45(lambda t, y: -y, 0.0, [1.0], 1.0)
    >>> solver.step()
    >>> start, coefficients, is_alternating = step_coefficients(solver.dense_output())
    >>> start, coefficients.shape, is_alternating
    (array([1.]), (4, 1), False)
    """
    form = type(interpolant).__name__
    if form == "Dop853DenseOutput":
        return interpolant.y_old, interpolant.F, True
    if form == "RkDenseOutput":
        return interpolant.y_old, interpolant.h * interpolant.Q.T, False
    if form == "RadauDenseOutput":
        return interpolant.y_old, interpolant.Q.T, False
    raise TypeError(f"interpolant: expected that of DOP853, RK45 or Radau, got {form}")
