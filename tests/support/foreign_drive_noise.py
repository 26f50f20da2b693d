"""Spectral densities of the noise of derivatives of readings, near the frequencies of the motion."""

from __future__ import annotations

import copy
import functools

import numpy as np
from scipy.spatial.transform import Rotation

from tests.support.foreign_drives import Sensor
from tests.support.foreign_motions import Array, Motion

QUICK_RAD_S = 17.0
"""Angular frequency at which noise is compared where nothing moves, rad/s."""

JITTER_S = 3e-4
"""Standard deviation of stamps, s."""

NOISE_S = 40.0
"""Time over which noise is drawn at most, s."""


@functools.lru_cache(maxsize=8)
def spectra(sensors: tuple[Sensor, ...], motion: Motion) -> dict[str, tuple[Array, Array]]:
    """Return the spectral densities (3,) of the noise of the first and the second derivative of readings.

    They are those near the frequencies of the motion, where derivatives are compared: of the angular velocity for
    orientations and headings, of the acceleration for velocities, of the velocity and of the specific force for
    positions. Noise is drawn as the drive draws it, so that white noise, slow errors and random walks are all in it.
    """
    t = np.arange(0.0, motion.duration, 0.05)
    w_of = motion.rate(t)
    w = _frequency(w_of, 1)
    a, v, f = motion.acceleration(t), motion.velocity(t), motion.specific_force(t, np.zeros(3))
    once_of = {"orientation": w, "heading": w, "velocity": _frequency(a, 1), "position": _frequency(v, 1)}
    of_sensor = {}
    for k, sensor in enumerate(sensors):
        if sensor.quantity not in once_of:
            continue
        e = _noise_of(sensor, min(motion.duration, NOISE_S), k)
        moved = rms(
            w_of if sensor.quantity in ("orientation", "heading") else a if sensor.quantity == "velocity" else v
        )
        white = np.sqrt(sensor.white**2 + (JITTER_S * moved) ** 2)
        of_sensor[sensor.name] = tuple(
            _density(e, white, sensor.hz, frequency, n)
            for n, frequency in ((1, once_of[sensor.quantity]), (2, _frequency(f, 2)))
        )
    return of_sensor


def _frequency(values: Array, n: int) -> float:
    """Return the angular frequency of values 0.05 s apart, from the size of their n-th derivative, rad/s."""
    changing = values - values.mean(axis=0)
    derivative = np.diff(values, n, axis=0) / 0.05**n
    size = np.sqrt(np.mean(np.sum(changing**2, axis=1)))
    if size < 1e-3:
        return QUICK_RAD_S
    return float(np.clip((np.sqrt(np.mean(np.sum(derivative**2, axis=1))) / size) ** (1.0 / n), 0.5, QUICK_RAD_S))


def _noise_of(sensor: Sensor, duration: float, k: int) -> Array:
    """Return noise of a sensor (2, n, k): of orientations as small turns in the axes of the body, rad."""
    t = np.arange(0.0, duration, 1.0 / sensor.hz)
    exact = sensor.exact(t)
    draws = []
    for j in range(2):
        noisy = sensor.noisy
        of = getattr(noisy, "__self__", None)
        if of is not None:  # a state of its own, so that the recording stays as it is
            of = copy.copy(of)
            of.t = np.zeros(0)
            noisy = getattr(of, noisy.__name__)
        values = noisy(np.random.default_rng([52, k, j]), t)
        if sensor.quantity == "orientation":
            draws.append((Rotation.from_quat(exact).inv() * Rotation.from_quat(values)).as_rotvec())
        else:
            draws.append(values - exact)
    return np.array(draws)


def _density(e: Array, white: Array, hz: float, frequency: float, n: int) -> Array:
    """Return the spectral density (3,) of the n-th derivative of noise (j, m, k) about an angular frequency.

    It is at least that of white noise: readings that are always zero, such as sideways velocities, are not exact.
    """
    m = e.shape[1]
    taper = np.hanning(m)[:, None]
    power = np.mean(np.abs(np.fft.rfft((e - e.mean(axis=1, keepdims=True)) * taper, axis=1)) ** 2, axis=0)
    omega = 2.0 * np.pi * np.fft.rfftfreq(m, 1.0 / hz)
    top = min(frequency, 0.25 * omega[-1])
    rows = (omega >= 0.5 * top) & (omega <= 2.0 * top)
    least = white**2 * np.sum(taper**2)
    return np.mean(omega[rows, None] ** (2 * n) * np.maximum(power[rows], least), axis=0) / (hz * np.sum(taper**2))


def rms(values: Array) -> Array:
    """Return the root mean squares (k,) of values (n, k)."""
    return np.sqrt((values * values).sum(axis=0) / len(values))
