"""Orientations that were made from wrong angles: roll and pitch swapped, of opposite sign, or in the opposite order.

No other axes and no mounting do the same to an orientation, so that these are told before the search for other faults.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.account import Account, Agreement, Fault, Finding
from framescope.features.evidence.core.readings import Readings, SensorLog
from framescope.features.evidence.core.tracks import FEWEST_SAMPLES
from framescope.features.evidence.core.wording import percent_words

FITS, UNLIKE = 0.15, 0.4
"""Relative difference of rates up to which an orientation turns as a gyroscope reads, and above which it does not."""

BETTER = 0.5
"""Part of the difference of every other explanation up to which one is taken."""

WINDOW = 0.3
"""Time over which rates are compared, s, long enough to average the noise of orientations."""

FEWEST_WINDOWS = 30
"""Fewest windows of a comparison."""

LEAST_TILT = math.radians(2.0)
"""Least spread of roll and of pitch that tells them apart, rad."""

WORDS = {
    "swapped": "made with roll and pitch swapped",
    "pitch": "made with pitch of opposite sign",
    "roll": "made with roll of opposite sign",
    "order": "made from roll, pitch and yaw in the opposite order, about fixed axes in place of moving ones",
}
"""Words of each fault, which complete "… is"."""


@dataclass(frozen=True, eq=False)
class Misread:
    """An orientation made from wrong angles: its readings, the fault, the corrected readings, and the proof.

    Attributes
    ----------
    readings, corrected
        Readings as stated, and with the fault taken back.
    fault
        The fault.
    gyroscope
        Name of the readings of the gyroscope that proves it.
    before, after
        Relative difference of rates as stated, and with the fault taken back.
    """

    readings: Readings
    corrected: Readings
    fault: Fault
    gyroscope: str
    before: float
    after: float

    def finding(self) -> Finding:
        """Return the sentence about the orientation."""
        t = self.readings.t
        sentence = (
            f"{self.readings.name} is {self.fault.words}: it then turns as {self.gyroscope} reads, with a difference of"
            f" {percent_words(self.after)} instead of {percent_words(self.before)}. Check the order of the angles from"
            " which the driver makes the quaternion."
        )
        stretch = float(t[0]), float(t[-1])
        return Finding(sentence, "red", (self.readings.name, self.gyroscope), (self.fault,), stretch=stretch)


def misread_attitudes(log: SensorLog) -> tuple[Misread, ...]:
    """Return the orientations of a log that were made from wrong angles, by gyroscopes of the same frame."""
    found: list[Misread] = []
    for readings in log.readings:
        gyroscopes = [
            other
            for other in log.readings
            if other.quantity == "angular velocity" and other.frame == readings.frame and readings.frame
        ]
        gyroscopes.sort(key=lambda other: other.source != readings.source)
        if readings.quantity == "orientation" and gyroscopes and len(readings.t) >= FEWEST_SAMPLES:
            found += _misread(readings, gyroscopes[0])
    return tuple(found)


def _misread(readings: Readings, gyroscope: Readings) -> Iterator[Misread]:
    good = np.flatnonzero(np.isfinite(readings.values).all(axis=1))
    t, Q = readings.t[good], readings.values[good]
    lengths = np.linalg.norm(Q, axis=1)
    if len(t) < FEWEST_SAMPLES or not (np.abs(lengths - 1.0) < 0.1).all() or not (np.diff(t) > 0.0).all():
        return
    angles = Rotation.from_quat(Q).as_euler("ZYX")
    if min(float(np.std(angles[:, 1])), float(np.std(np.unwrap(angles[:, 2])))) < LEAST_TILT:
        return
    edges, rates = _rates(t, gyroscope)
    if len(rates) < FEWEST_WINDOWS:
        return
    plain = _misfit(t, Rotation.from_quat(Q), edges, rates)
    if plain <= UNLIKE:
        return
    tried = {kind: Rotation.from_euler("ZYX", other) for kind, other in _other_angles(angles)}
    tried["order"] = Rotation.from_euler("ZYX", Rotation.from_quat(Q).as_euler("XYZ")[:, ::-1])
    sizes = {kind: _misfit(t, R, edges, rates) for kind, R in tried.items()}
    best = min(sizes, key=lambda kind: sizes[kind])
    others = [plain, *(size for kind, size in sizes.items() if kind != best)]
    if sizes[best] > FITS or sizes[best] > BETTER * min(others):
        return
    values = np.full_like(readings.values, np.nan)
    values[good] = tried[best].as_quat()
    fault = Fault("angles", readings.name, WORDS[best])
    yield Misread(readings, replace(readings, values=values), fault, gyroscope.name, plain, sizes[best])


def _other_angles(angles: Array) -> Iterator[tuple[str, Array]]:
    """Yield yaw, pitch and roll (n, 3), rad, that were meant, for each fault."""
    yaw, pitch, roll = angles.T
    yield "swapped", np.stack([yaw, roll, pitch], axis=1)
    yield "pitch", np.stack([yaw, -pitch, roll], axis=1)
    yield "roll", np.stack([yaw, pitch, -roll], axis=1)


def _rates(t: Array, gyroscope: Readings) -> tuple[Array, Array]:
    """Return edges (k + 1,) of windows in which both read, s, and mean rates (k, 3) of the gyroscope."""
    good = np.isfinite(gyroscope.values).all(axis=1)
    t_w, w = gyroscope.t[good], gyroscope.values[good]
    if len(t_w) < 2:
        return np.zeros(0), np.zeros((0, 3))
    step = max(WINDOW, float(np.median(np.diff(t))), float(np.median(np.diff(t_w))))
    edges = np.arange(max(t[0], t_w[0]), min(t[-1], t_w[-1]), step)
    if len(edges) < 2:
        return np.zeros(0), np.zeros((0, 3))
    steps = 0.5 * (w[1:] + w[:-1]) * np.diff(t_w)[:, np.newaxis]
    turned = np.vstack([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    columns: list[Array] = [np.interp(edges, t_w, turned[:, k]) for k in range(3)]
    at_edges: Array = np.stack(columns, axis=1)
    return edges, np.diff(at_edges, axis=0) / step


def _misfit(t: Array, R: Rotation, edges: Array, rates: Array) -> float:
    """Return the relative difference of the rates of an orientation and a gyroscope, under the best factor."""
    at = Slerp(t, R)(edges)
    own = (at[:-1].inv() * at[1:]).as_rotvec() / np.diff(edges)[:, np.newaxis]
    shared, size = float(np.sum(own * rates)), float(np.sum(own**2) * np.sum(rates**2))
    if not size > 0.0 or not shared > 0.0:
        return 1.0
    return math.sqrt(max(1.0 - shared**2 / size, 0.0))


def corrected_log(log: SensorLog, misread: Sequence[Misread]) -> SensorLog:
    """Return a log with the faults of orientations taken back."""
    corrected = {each.readings.name: each.corrected for each in misread}
    return replace(log, readings=tuple(corrected.get(each.name, each) for each in log.readings))


def with_misread(account: Account, log: SensorLog, misread: Sequence[Misread]) -> Account:
    """Return the account of a corrected log as that of the log: with the faults that were taken back.

    The differences as stated are unknown (NaN) where they are those of the corrected orientation.
    """
    if not misread:
        return account
    faults = {each.readings.name: each.fault for each in misread}
    return Account(
        log,
        (*(each.finding() for each in misread), *account.findings),
        tuple(_restated(agreement, faults) for agreement in account.agreements),
    )


def _restated(agreement: Agreement, faults: dict[str, Fault]) -> Agreement:
    own = [faults[name] for name in (agreement.first, agreement.second) if name in faults]
    if not own or agreement.verdict not in ("agree", "explained"):
        return agreement
    words = " and ".join(f"{fault.readings} is {fault.words}" for fault in own)
    residual = agreement.residual.copy()
    residual[:, 0] = np.nan
    sentence = f"{agreement.first} and {agreement.second} agree if {words}: {agreement.after:.3g} {agreement.unit} rms."
    return replace(
        agreement,
        verdict="explained",
        faults=(*own, *agreement.faults),
        before=math.nan,
        sentence=sentence,
        residual=residual,
    )
