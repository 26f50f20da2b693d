"""Steps of DOP853 for a mechanism: scipy's solver with its stages computed in place.

Step sizes, stages and results are the same as in scipy. This version avoids overhead: it allocates no new arrays for
each stage, and evaluates the signals at all times of a step together.

References
----------
E. Hairer, S. P. Nørsett, G. Wanner, "Solving Ordinary Differential Equations I", sections II.4 to II.6.
scipy 1.17, ``integrate/_ivp/rk.py``: ``DOP853``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.simulation.equations import Equations

SAFETY, SHRINKS, GROWS = 0.9, 0.2, 10.0
"""Safety factor of the step size, and limits of the ratio of consecutive steps, as in scipy."""

Signals = Callable[[Array], tuple[Array, Array]]
"""Values and first derivatives (k, c) of the signals at times (k,)."""


class _Table:
    """Coefficients of a method; the last stages are for states inside a step.

    Attributes
    ----------
    n
        Number of stages; the next stage is the end of the step.
    factors : (n_all, n_all)
        Weights of earlier derivatives in each stage.
    shares : (n_all,)
        Times of the stages as fractions of the step.
    weights : (2, n + 1)
        Weights of the errors of order 5 and 3.
    """

    def __init__(self, method: Any) -> None:
        self.n, n_extra = int(method.n_stages), len(method.C_EXTRA)
        n_all = self.n + 1 + n_extra
        self.factors = np.zeros((n_all, n_all))
        self.factors[: self.n, : self.n] = method.A
        self.factors[self.n, : self.n] = method.B
        self.factors[self.n + 1 :, : method.A_EXTRA.shape[1]] = method.A_EXTRA
        self.shares = np.concatenate([method.C, [1.0], method.C_EXTRA])
        self.weights = np.stack([method.E5, method.E3])


class _Steps:
    """Mixin that replaces the steps of scipy's solver; `set_equations` is called before the first step."""

    table: _Table
    n: int
    t: float
    t_bound: float
    y: Array
    y_old: Array
    f: Array
    D: Array
    K_extended: Array
    rtol: float
    atol: Array
    h_abs: float
    h_previous: float
    max_step: float
    error_exponent: float
    TOO_SMALL_STEP: str

    def set_equations(self, equations: Equations, signals: Signals) -> Any:
        self._equations, self._signals = equations, signals
        self._factors = np.zeros_like(self.table.factors)
        K = self.K_extended
        self._stages = [(self._factors[s, :s], K[:s], K[s]) for s in range(len(self.table.shares))]
        self._state = np.empty(self.n)
        return self

    def _stage(self, s: int, y: Array, state: Array) -> None:
        """Compute the state of a stage and its derivative."""
        factors, before, out = self._stages[s]
        np.dot(factors, before, out=state)
        np.add(state, y, out=state)
        self._equations.rate_into(state, self._values[s], self._rates[s], out)

    def _step_impl(self) -> tuple[bool, str | None]:
        t, y = float(self.t), self.y
        shortest = 10.0 * (math.nextafter(t, math.inf) - t)
        h = min(max(float(self.h_abs), shortest), float(self.max_step))
        is_rejected = False
        while True:
            if not h >= shortest:
                return False, self.TOO_SMALL_STEP
            t_new = min(t + h, self.t_bound)
            h = t_new - t
            y_new, error = self._try_step(t, y, h)
            if error < 1.0:
                break
            h *= max(SHRINKS, SAFETY * error**self.error_exponent)
            is_rejected = True
        self.h_previous, self.y_old = h, y
        self.t, self.y, self.f = t_new, y_new, self.K_extended[self.table.n].copy()
        self.h_abs = h * _growth(error, self.error_exponent, most=1.0 if is_rejected else GROWS)
        return True, None

    def _try_step(self, t: float, y: Array, h: float) -> tuple[Array, float]:
        """Return the state after a step, and its error relative to the tolerance."""
        np.multiply(self.table.factors, h, out=self._factors)
        self._values, self._rates = self._signals(t + h * self.table.shares)
        K, n = self.K_extended, self.table.n
        K[0] = self.f
        for s in range(1, n):
            self._stage(s, y, self._state)
        y_new = np.empty(self.n)
        self._stage(n, y, y_new)
        scale = np.maximum(np.abs(y), np.abs(y_new)) * self.rtol
        scale += self.atol
        err5, err3 = np.dot(self.table.weights, K[: n + 1]) / scale
        square = float(np.dot(err5, err5))
        rest = square + 0.01 * float(np.dot(err3, err3))
        return y_new, (h * square / math.sqrt(rest * self.n) if rest != 0.0 else 0.0)

    def coefficients(self) -> Array:
        """Return the coefficients (7, n) of the state inside the last step."""
        K, h = self.K_extended, self.h_previous
        for s in range(self.table.n + 1, len(K)):
            self._stage(s, self.y_old, self._state)
        delta = self.y - self.y_old
        rows = np.empty((3 + len(self.D), self.n))
        rows[0] = delta
        np.subtract(h * K[0], delta, out=rows[1])
        np.subtract(2.0 * delta, h * (self.f + K[0]), out=rows[2])
        np.dot(self.D, K, out=rows[3:])
        rows[3:] *= h
        return rows


@cache
def stepper() -> Any:
    """Return the solver class, created on first use, because scipy's solvers are slow to import."""
    from scipy import integrate

    return type("Steps", (_Steps, integrate.DOP853), {"table": _Table(integrate.DOP853)})


def _growth(error: float, exponent: float, *, most: float) -> float:
    """Return the factor for the next step size after an error, which is relative to the tolerance."""
    return most if error == 0.0 else min(most, SAFETY * error**exponent)
