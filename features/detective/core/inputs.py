"""Sources of the two sides in the window: text, a table, a frame, a recording or a measurement."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from framescope.core.errors import FramescopeError, counted
from framescope.core.evaluation.compile.recorded import source_of, table_of
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.local_motion import MotionContext
from framescope.core.scene.schema.model import WORLD
from framescope.core.system.file_access import Access
from framescope.features.detective.core.apply_to_recording import Section, recorded_motion
from framescope.features.detective.core.interpretations import Interpretation, interpretations_of
from framescope.features.detective.core.pairing import Pairs
from framescope.features.detective.core.pasted_samples import read_pasted_samples
from framescope.features.detective.core.pipeline import Report, detect_samples
from framescope.features.detective.core.samples import Samples, read_samples

Kind = Literal["pasted", "file", "frame", "recording", "measured"]

OF_SCENE: tuple[Kind, ...] = ("frame", "recording", "measured")
"""Kinds from the scene, with its clock."""

OPENERS = ("there", "pair", "one", "the", "line", "each", "nothing", "rows", "what", "brackets")
"""First words of messages to capitalise."""

FEWEST, MOST = 400, 20_000
"""Smallest and largest number of samples of a scene frame."""

FINER = 4
"""Sampling rate of a scene frame, as a multiple of the other side's."""


class SideError(FramescopeError):
    """Error of one side without usable numbers; `side` is ``"a"``, ``"b"``, or empty for an error of both."""

    def __init__(self, side: str, message: str) -> None:
        self.side = side
        super().__init__(message)

    def __reduce__(self) -> tuple[object, ...]:
        """Return the arguments for pickling."""
        return SideError, (self.side, str(self))


@dataclass(frozen=True)
class Side:
    """Source of the numbers of one side.

    Attributes
    ----------
    kind
        ``pasted`` text; a table ``file``; a ``frame`` of the scene relative to another one; the raw numbers in the file
        of a frame's ``recording``; or a ``measured`` pose, with the raw numbers of its file or its constant
        orientation. `frame` is then the name of the measurement.
    text, path, frame, relative_to
        Data for the kind.
    read_as
        Known interpretation, as for `interpretations_of`; ``auto`` tries all.
    """

    kind: Kind = "pasted"
    text: str = ""
    path: str = ""
    frame: str = ""
    relative_to: str = WORLD
    read_as: str = "auto"

    @property
    def is_given(self) -> bool:
        """Whether a source is chosen."""
        match self.kind:
            case "pasted":
                return bool(self.text.strip())
            case "file":
                return bool(self.path)
            case _:
                return bool(self.frame)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two sides with their samples, the pairs of rows and the report."""

    side_a: Side
    side_b: Side
    a: Samples
    b: Samples
    pairs: Pairs
    report: Report

    @property
    def title(self) -> str:
        """Heading of the comparison."""
        n = self.report.n_samples
        return f"{self.a.label} against {self.b.label} · {counted(n, 'sample')}".replace(
            ",", "\N{NARROW NO-BREAK SPACE}"
        )


def compare(side_a: Side, side_b: Side, plan: Plan, access: Access) -> Comparison:
    """Read the numbers of two sides and detect their conventions.

    Raises
    ------
    SideError
        When a side cannot be read, or the sides do not match.
    """
    first = _samples("a", side_a, plan, access, None)
    second = _samples("b", side_b, plan, access, first)
    if side_a.kind == "frame":
        first = _samples("a", side_a, plan, access, second)
    is_one_clock = all(side.kind in OF_SCENE for side in (side_a, side_b))
    interpretations_a = _interpretations("a", side_a, first.numbers.shape[1])
    interpretations_b = _interpretations("b", side_b, second.numbers.shape[1])
    try:
        pairs, report = detect_samples(
            first, second, 0.0 if is_one_clock else None, interpretations_a, interpretations_b
        )
    except ValueError as error:
        raise SideError("", _sentence(error)) from None
    return Comparison(side_a, side_b, first, second, pairs, report)


def _samples(name: str, side: Side, plan: Plan, access: Access, other: Samples | None) -> Samples:
    try:
        match side.kind:
            case "pasted":
                return read_pasted_samples(side.text, name.upper())
            case "file":
                return read_samples(Path(side.path))
            case "frame":
                return _frame(side, plan, other)
            case "recording":
                return _recording(side.frame, "frames", plan, access)
            case "measured":
                return _measured(side, plan, access)
    except (FramescopeError, OSError) as error:
        raise SideError(name, _sentence(error)) from None


def _frame(side: Side, plan: Plan, other: Samples | None) -> Samples:
    """Return samples of a frame's orientation relative to another frame, over the range of the scene."""
    for frame in (side.frame, side.relative_to):
        if frame not in plan.index:
            raise FramescopeError(f"there is no frame {frame}.")
    if other is None or other.times is None:
        n = FEWEST if other is None else len(other.numbers)
        times = np.linspace(plan.start, plan.end, max(n, 1))
    else:
        steps = np.diff(np.sort(other.times))
        steps = steps[steps > 0.0]
        n = FINER * (plan.end - plan.start) / float(np.median(steps)) if len(steps) else FEWEST
        times = np.linspace(plan.start, plan.end, int(np.clip(n, FEWEST, MOST)))
    snapshot = evaluate(plan, times)
    R_WA, R_WB = (snapshot.R_WF[:, plan.index[frame]] for frame in (side.relative_to, side.frame))
    numbers = (np.swapaxes(R_WA, 1, 2) @ R_WB).reshape(-1, 9)
    label = f"{side.frame} in {side.relative_to}"
    message = f"{label}, {plan.start:g} to {plan.end:g} s"
    return Samples(numbers, times, label, message, (Interpretation("matrix"),))


def _recording(name: str, section: Section, plan: Plan, access: Access) -> Samples:
    """Return the raw numbers in the file of a recorded frame or measurement."""
    motion = recorded_motion(plan.scene, name, section)
    if motion is None:
        raise FramescopeError(f"there is no recorded {'frame' if section == 'frames' else 'measurement'} {name}.")
    context = MotionContext(plan.start, plan.end, access, plan.scene.parameters)
    table, columns, times = table_of(source_of(motion, context))
    if columns.orientation is None:
        raise FramescopeError(f"the recording of {name} has no orientation.")
    numbers = np.stack([table.column(column) for column in columns.orientation.columns], axis=-1)
    start = motion.start.si("time", (section, name, "motion", "start"))
    message = f"{table.name}, {', '.join(columns.orientation.columns)}"
    return Samples(numbers, times + start, f"file of {name}", message, pose_columns=columns)


def _measured(side: Side, plan: Plan, access: Access) -> Samples:
    """Return the raw numbers in the file of a measured pose, or its constant orientation over the scene's range."""
    if recorded_motion(plan.scene, side.frame, "measured") is not None:
        return _recording(side.frame, "measured", plan, access)
    compiled = plan.instruments.measurements.get(side.frame)
    if compiled is None or compiled.pose is None or not compiled.has_orientation:
        raise FramescopeError(f"there is no measured orientation {side.frame}.")
    times = np.linspace(plan.start, plan.end, FEWEST)
    T, *_ = compiled.pose(times)
    numbers = np.ascontiguousarray(np.swapaxes(T, 1, 2)).reshape(-1, 9)
    label = f"{side.frame}, {compiled.of} in {compiled.relative_to}"
    return Samples(numbers, times, label, f"{label}, constant", (Interpretation("matrix"),))


def _interpretations(name: str, side: Side, n_columns: int) -> tuple[Interpretation, ...] | None:
    if side.read_as == "auto":
        return (Interpretation("matrix"),) if side.kind == "frame" else None
    try:
        return interpretations_of(n_columns, side.read_as)
    except ValueError as error:
        raise SideError(name, _sentence(error)) from None


def _sentence(error: Exception) -> str:
    text = str(error)
    if text.partition(" ")[0] in OPENERS:  # not a file or frame name
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."
