"""What the manual says of the ends of a smoothed recording, measured on a circle whose motion is known."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.recordings.pose_spline import Recording, smooth

RATE = 2.0  # rad/s


@pytest.mark.parametrize("bandwidth_hz", [2.0, 5.0, 10.0])
def test_that_the_ends_are_off_for_about_one_over_the_bandwidth(bandwidth_hz) -> None:
    t = np.arange(0.0, 20.0, 0.01)
    p = 3.0 * np.stack([np.cos(RATE * t + 0.3), np.sin(RATE * t + 0.3), 0.0 * t], axis=-1)
    angle = RATE * t + 0.2 * np.sin(RATE * t)
    Q = np.stack([0.0 * t, 0.0 * t, np.sin(angle / 2), np.cos(angle / 2)], axis=-1)
    motion = smooth(Recording(t, p, Q), bandwidth_hz).sample(t)
    w, a = motion[2], motion[5]
    off = np.linalg.norm(a + RATE**2 * p, axis=1) / (3.0 * RATE**2)
    assert off[[0, -1]] == pytest.approx(1.0, abs=0.02)  # none at all
    since = np.minimum(t, t[-1] - t) * bandwidth_hz
    assert off[since > 0.4].max() < 0.05
    assert off[since > 0.9].max() < 0.01
    turning = np.abs(w[:, 2] - RATE * (1.0 + 0.2 * np.cos(RATE * t))) / RATE
    assert turning.max() < 0.025
