"""Faults of recorded frames: what, where and when, and the fix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from framescope.core.errors import Fix, Severity
from framescope.features.bags.core.tf_log import Whole

FaultKind = Literal[
    "two parents",
    "static and moving",
    "two sources",
    "trees apart",
    "loop",
    "similar name",
    "leading slash",
    "static changed",
    "static late",
    "repeated stamp",
    "backward stamp",
    "future stamp",
    "late stamps",
    "early stamps",
    "constant stamp",
    "zero stamp",
    "clock offset",
    "clock jump",
    "log time spread",
    "gap",
    "silence",
    "fixed on tf",
    "late start",
    "not finite",
    "not unit",
    "nearly unit",
    "own parent",
    "no name",
    "far away",
    "pose not unit",
    "covariance",
    "jump",
    "outlier",
    "frame missing",
    "empty frame",
    "no transforms",
    "odometry differs",
    "description differs",
    "twist",
    "no orientation",
]

TITLES: dict[FaultKind, str] = {
    "two parents": "Two parents",
    "static and moving": "Static and moving at once",
    "two sources": "Two sources of one frame",
    "trees apart": "Unconnected trees",
    "loop": "Frames are each other's parents",
    "similar name": "One frame, two spellings",
    "leading slash": "Names with a slash",
    "static changed": "Static transform changed",
    "static late": "Static transform comes late",
    "repeated stamp": "Repeated stamps",
    "backward stamp": "Stamps that go back",
    "future stamp": "Stamps ahead of their time",
    "late stamps": "Stamps behind all others",
    "early stamps": "Stamps ahead of all others",
    "constant stamp": "Stamps that never change",
    "zero stamp": "Stamps of 0",
    "clock offset": "Stamps of another clock than the recorder's",
    "clock jump": "The clock jumps",
    "log time spread": "Stamps and reception drift apart",
    "gap": "Gap",
    "silence": "A frame falls silent",
    "fixed on tf": "A fixed frame is sent as moving",
    "late start": "A frame starts late",
    "not finite": "Invalid numbers",
    "not unit": "Quaternion off unit length",
    "nearly unit": "Quaternion not quite of unit length",
    "own parent": "A frame is its own parent",
    "no name": "A frame without a name",
    "far away": "Far off for the size of the robot",
    "pose not unit": "Pose with a quaternion off unit length",
    "covariance": "Impossible covariance",
    "jump": "Jump between samples",
    "outlier": "Sample off the path",
    "frame missing": "Named, but never sent",
    "empty frame": "Header without a frame",
    "no transforms": "No transforms at all",
    "odometry differs": "Odometry and transforms disagree",
    "description differs": "Transform and robot description disagree",
    "twist": "Twist does not match the pose",
    "no orientation": "No orientation in the readings",
}


@dataclass(frozen=True)
class LogChange:
    """Change of a log that fixes a fault, see `framescope.features.bags.core.autopsy.fixes`.

    Attributes
    ----------
    kind
        ``"leave out"`` rows; ``"take name"`` `name` for a child; ``"normalize"`` its quaternions.
    child, parent
        Frame and parent of the affected rows; empty for any.
    name
        New name of `child`.
    stamps_ns
        Stamps of single affected rows; empty for all rows.
    log_ns
        Time of reception from which rows are left out, ns.
    """

    kind: Literal["leave out", "take name", "normalize"]
    child: str = ""
    parent: str = ""
    name: str = ""
    stamps_ns: tuple[int, ...] = ()
    log_ns: int | None = None


@dataclass(frozen=True, eq=False)
class TfFault:
    """Fault of a recording.

    It is no `framescope.core.errors.Problem`: its place is not in a file of a scene but in a log, as rows and times in
    ns of frames that a scene may name otherwise. `framescope.features.bags.core.bag_problems` makes the problem of a
    scene from it.

    Attributes
    ----------
    kind
        Kind of the fault, which is stable across versions.
    severity
        As in `framescope.core.errors.Problem`.
    frame
        The frame to blame; empty for all frames.
    parent
        Its parent in the wrong samples; empty if irrelevant.
    publishers
        Senders of the wrong samples; empty if unknown.
    cause
        A sentence that describes the fault and its cause.
    rows : (n,) int
        Wrong rows of the log, in its order; empty if the fault is missing data.
    first_ns, last_ns
        Times of reception of the wrong rows, or bounds of the missing ones, ns.
    count
        Number of occurrences.
    answer
        Error message of tf2 there; empty if its look-up succeeds.
    fix
        Fix of the fault; None without a fix.
    """

    kind: FaultKind
    frame: str
    cause: str
    first_ns: int
    last_ns: int
    count: int = 1
    severity: Severity = "red"
    parent: str = ""
    publishers: tuple[str, ...] = ()
    rows: Whole = field(default_factory=lambda: np.zeros(0, np.int64))
    answer: str = ""
    fix: Fix[LogChange] | None = None

    @property
    def title(self) -> str:
        """Short name of the fault."""
        return TITLES[self.kind]
