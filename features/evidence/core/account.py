"""Account of the evidence in a recording: which readings agree, which contradict, by which faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core.errors import Severity
from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.readings import SensorLog

OPEN = np.radians(20.0)
"""Standard error of a turn from which its angle is no statement, rad."""

FaultKind = Literal[
    "quaternion order",  # the numbers are w x y z where x y z w is stated, or the other way
    "inverse",  # the orientation is that of the reference relative to the frame
    "world axes",  # the reference has other axes than stated, such as NED for ENU
    "body axes",  # the frame has other axes than stated, such as FRD for FLU
    "doubled axes",  # reference and frame have other axes than stated: changed never, or twice
    "mirrored axes",  # one axis has the opposite sign, so that the axes are left-handed
    "mounting",  # the sensor is turned on its frame, other than a mount states
    "wrong frame",  # the readings are those of another known frame
    "resolved in reference",  # a vector stated in the frame is resolved in the reference
    "resolved in frame",  # a vector stated in the reference is resolved in the frame
    "unit",  # degrees for radians, g for m/s², millimetres for metres
    "sign",  # all components have the opposite sign
    "scale",  # the readings are a constant factor too large, which is no known unit
    "bias",  # the readings have a constant offset
    "gravity removed",  # a specific force without the reaction to gravity
    "starts as zero",  # the first orientation is taken for zero
    "delay",  # the stamps are late or early by a constant time
    "clock drift",  # the clock of the stamps runs at another rate
    "angles",  # an orientation made from swapped or negated angles
    "joint order",  # the values of joints belong to other joints
    "joint name",  # a joint that the robot lacks, or one that is sent twice
]
"""Kind of a fault of readings."""


@dataclass(frozen=True, eq=False)
class Fault:
    """Fault that brings readings into agreement with others.

    Attributes
    ----------
    kind
        Kind of the fault.
    readings
        Name of the faulty readings.
    words
        The fault in words, such as ``"in degrees per second"`` or ``"38 ms late"``.
    value : (k,)
        Size in SI units: factor of a unit or a scale, delay in s, rate of a drift, bias, quaternion of a mounting
        (scalar last) or of a change of axes; empty if the kind has no size.
    sigma : (k,)
        Standard errors of `value`; of a quaternion those of a small turn (3,), rad; empty if exact.
    """

    kind: FaultKind
    readings: str
    words: str
    value: tuple[float, ...] = ()
    sigma: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Mounting:
    """Fixed pose of a sensor on a frame, estimated from motion.

    Attributes
    ----------
    frame, parent
        The sensor's frame, and the frame on which it is mounted.
    Q : (4,)
        Quaternion of `frame` relative to `parent`, scalar last.
    p : (3,) or None
        Position of `frame` in `parent`, m; None if unknown.
    covariance : (3, 3) or (6, 6)
        Covariance of a small turn resolved in `parent`, rad, and of the position, m.
    words
        The rotation in words: axes such as ``"−y z −x"`` if it is near to axes, else angles.
    """

    frame: str
    parent: str
    Q: Array
    p: Array | None
    covariance: Array
    words: str

    @property
    def is_known(self) -> bool:
        """Whether no turn is open, such that anything about some direction is as likely."""
        covariance = np.asarray(self.covariance, dtype=float)[:3, :3]
        return bool(np.isfinite(covariance).all() and np.linalg.eigvalsh(covariance)[-1] < OPEN**2)


@dataclass(frozen=True, eq=False)
class Unexcited:
    """Part of an answer that the motion leaves open.

    Attributes
    ----------
    readings
        Names of the readings.
    what
        What stays open: a turn about the direction, a position along it, or everything since nothing moves.
    direction : (3,)
        The direction, resolved in `frame`; zero if everything is open.
    frame
        Frame in which the direction is resolved.
    words
        The direction, and the motion that would tell, in words.
    """

    readings: tuple[str, ...]
    what: Literal["turn", "position", "all"]
    direction: Array
    frame: str
    words: str


Verdict = Literal["agree", "explained", "contradict", "cannot tell"]
"""Whether two readings agree as stated, agree if faults are taken back, disagree under all hypotheses, or the motion
cannot tell."""


@dataclass(frozen=True, eq=False)
class Agreement:
    """Comparison of two readings: a cell of the table of who confirms whom.

    Attributes
    ----------
    first, second
        Names of the readings.
    verdict
        Outcome.
    faults
        Faults that explain the disagreement.
    apart
        Standard errors by which the best rival explanation fits worse; the certainty of the outcome.
    miss
        Root mean square difference with the faults taken back, over that expected from the noise.
    before, after
        Root mean square difference as stated, and with the faults taken back, in `unit`.
    unit
        Unit of the differences.
    stretch
        Start and end of the part of the recording that proves the outcome, s.
    sentence
        The outcome in one sentence.
    t : (m,)
        Times of the differences, s.
    residual : (m, 2)
        Differences as stated, and with the faults taken back.
    """

    first: str
    second: str
    verdict: Verdict
    faults: tuple[Fault, ...]
    apart: float
    miss: float
    before: float
    after: float
    unit: str
    stretch: tuple[float, float]
    sentence: str
    t: Array
    residual: Array


@dataclass(frozen=True, eq=False)
class Finding:
    """One sentence about a sensor, with the faults and the mounting that it states.

    Attributes
    ----------
    sentence
        Such as ``"imu is mounted −y z −x to base_link (±0.4°), 38 ms late; proven by 12.0 to 18.5 s."``.
    severity
        As in `framescope.core.errors.Problem`; a note states what agrees or cannot be told.
    readings
        Names of the readings that the sentence is about.
    faults
        Faults of these readings, most important first.
    mounting
        Estimated mounting; None if none is stated.
    unexcited
        What the motion leaves open.
    stretch
        Start and end of the part of the recording that proves it, s.
    is_certain
        Whether every rival explanation is at least three standard errors away.
    frame
        Frame that the sentence is about, if its readings name none; empty if they do.
    """

    sentence: str
    severity: Severity
    readings: tuple[str, ...]
    faults: tuple[Fault, ...] = ()
    mounting: Mounting | None = None
    unexcited: tuple[Unexcited, ...] = ()
    stretch: tuple[float, float] = (0.0, 0.0)
    is_certain: bool = True
    frame: str = ""


@dataclass(frozen=True, eq=False)
class Account:
    """Account of all evidence in a recording.

    Attributes
    ----------
    log
        The readings.
    findings
        Sentences, the most severe first.
    agreements
        Comparisons of readings by pairs.
    """

    log: SensorLog
    findings: tuple[Finding, ...]
    agreements: tuple[Agreement, ...]
