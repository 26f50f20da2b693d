"""Faults of recorded frames: what is wrong, where, since when, and what leaves it out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from framescope.core.errors import Severity
from framescope.features.bags.core.tf_log import Whole

FaultKind = Literal[
    "two parents",
    "static and moving",
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
    "clock jump",
    "log time spread",
    "gap",
    "silence",
    "late start",
    "not finite",
    "not unit",
    "nearly unit",
    "own parent",
    "no name",
    "jump",
    "outlier",
    "frame missing",
    "no transforms",
    "twist",
    "gravity",
    "no orientation",
]

TITLES: dict[FaultKind, str] = {
    "two parents": "Two parents",
    "static and moving": "Static and moving at once",
    "trees apart": "Trees that never meet",
    "loop": "Frames are each other's parents",
    "similar name": "One frame, two spellings",
    "leading slash": "Names with a slash",
    "static changed": "Static transform changed",
    "static late": "Static transform comes late",
    "repeated stamp": "Stamps sent again",
    "backward stamp": "Stamps that go back",
    "future stamp": "Stamps ahead of their time",
    "late stamps": "Stamps behind all others",
    "clock jump": "The clock jumps",
    "log time spread": "Stamps and reception drift apart",
    "gap": "Gap",
    "silence": "A frame falls silent",
    "late start": "A frame starts late",
    "not finite": "Numbers that are none",
    "not unit": "Quaternion off unit length",
    "nearly unit": "Quaternion not quite of unit length",
    "own parent": "A frame is its own parent",
    "no name": "A frame without a name",
    "jump": "Jump between samples",
    "outlier": "Sample off the path",
    "frame missing": "Named, but never sent",
    "no transforms": "No transforms at all",
    "twist": "Twist is not the motion of the pose",
    "gravity": "No gravity in the accelerations",
    "no orientation": "No orientation in the readings",
}

MendKind = Literal["leave out", "take name", "normalize"]


@dataclass(frozen=True)
class TfMend:
    """What makes a log without a fault, see `framescope.features.bags.core.autopsy.mends`.

    Attributes
    ----------
    kind
        ``"leave out"`` rows; ``"take name"`` of a child for `name`; ``"normalize"`` its quaternions.
    text
        The words of its button.
    child, parent
        Whose rows; an empty one is any.
    name
        What `child` is called then.
    stamps_ns
        Stamps of single rows; without any it is all.
    log_ns
        Time of reception from which on rows are left out, ns.
    """

    kind: MendKind
    text: str
    child: str = ""
    parent: str = ""
    name: str = ""
    stamps_ns: tuple[int, ...] = ()
    log_ns: int | None = None


@dataclass(frozen=True, eq=False)
class TfFault:
    """One fault of a recording.

    Attributes
    ----------
    kind
        Its sort, which does not change.
    severity
        As of a `framescope.core.errors.Problem`.
    frame
        The frame that is to blame; empty where all are.
    parent
        Its parent in the samples that are wrong, where that matters.
    publishers
        Who sent what is wrong, where the file says.
    cause
        A sentence: what is wrong, and why.
    rows : (n,) int
        Rows of the log that are wrong, in its order; none where something is missing.
    first_ns, last_ns
        Times of reception of what is wrong, or within which something is missing, ns.
    count
        How often it occurs.
    answer
        What tf2 answered there, in its own words; empty where it answered as if nothing was wrong.
    mend
        What leaves it out, where something does.
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
    mend: TfMend | None = None

    @property
    def title(self) -> str:
        """A few words."""
        return TITLES[self.kind]
