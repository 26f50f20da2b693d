"""Recordings of joints: the joints with values in a file, and the edit that plays them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from framescope.core.errors import ExpressionError, FramescopeError
from framescope.core.evaluation.evaluate import Plan
from framescope.core.recordings.pose_columns import TIME_UNITS
from framescope.core.recordings.tables.mixed import read_once
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.joints import joint_of, joint_title, record_joints, unit_size
from framescope.core.scene.schema.motions import JointRecording
from framescope.features.bags.core.bag_file import is_bag_at, named_file
from framescope.features.bags.core.joint_states import joint_states_of
from framescope.features.robots.app.joint_tables import joint_times
from framescope.features.robots.core.joint_columns import match_columns
from framescope.features.robots.core.joint_units import (
    OWN,
    SIZES,
    JointColumn,
    bag_decision,
    decide_units,
    decision_words,
)
from framescope.features.table_import.core.decisions import Decision

LISTED = 5


@dataclass(frozen=True)
class JointsFound:
    """Recordings of joints by the names of their frames, their duration, s, and a note.

    `angles` is the decision on the unit of their angles; None without angles.
    """

    file: str
    recordings: Mapping[str, JointRecording]
    duration: float
    note: str = ""
    angles: Decision | None = None

    def edit(self, plan: Plan) -> Edit:
        """Return the edit that plays the recordings; if nothing else moves, the scene gets their duration."""
        is_still = all(motion.is_constant for motion in plan.tree.motions.values())
        is_new_end = self.duration > plan.end - plan.start or (is_still and self.duration > 0.0)
        end = self.duration if is_new_end else None
        n = len(self.recordings)
        label = f"Played {self.file} on {n} joint{'s' * (n != 1)}"
        return record_joints(self.recordings, label, None if end is None else plan.start + end)


def find_joints(plan: Plan, path: Path, name: str, angles: str | None = None) -> JointsFound:
    """Return the values of the joints of a scene in a file; may be called on any thread.

    Parameters
    ----------
    name
        Name of the file in the scene.
    angles
        Unit of the angles chosen by the user; None to let the file decide.

    Raises
    ------
    FramescopeError
        When the file cannot be read or has values of no joint, or the unit does not exist.
    """
    if angles is not None and angles not in (*SIZES, OWN):
        raise FramescopeError(f'"{angles}" is no unit of angles here. Use rad, deg or "{OWN}".')
    titles = _titles(plan)
    start = {"start": f"{plan.start:g} s"} if plan.start else {}
    try:
        read = _in_bag if is_bag_at(path) else _in_table
        recordings, duration, decision = read(plan, path, name, start, angles)
    except OSError as error:
        raise FramescopeError(f"{path.name} cannot be read: {error.strerror or error}.") from None
    if not recordings:
        listed = ", ".join(list(titles.values())[:LISTED])
        hint = f"Columns, or names in joint states, must have the names of the joints: {listed}."
        raise FramescopeError(f"{path.name} has values of none of the joints. {hint}")
    is_guess = decision is not None and decision.certainty != "format" and angles is None
    notes = (decision_words(decision),) if decision is not None and is_guess else ()
    followed = dict(_following(plan, recordings))
    whole = {**recordings, **followed}
    missing = [title for frame, title in titles.items() if frame not in whole]
    if missing:
        listed = ", ".join(missing[:LISTED]) + (" and others" if len(missing) > LISTED else "")
        notes = (*notes, f"{path.name} has no values of {listed}.")
    return JointsFound(path.name, whole, duration, " ".join(notes), decision)


Found = tuple[dict[str, JointRecording], float, Decision | None]
"""Recordings by frame, their duration, s, and the decision on the unit of their angles."""


def _titles(plan: Plan) -> dict[str, str]:
    """Return the titles of the joints of a scene by the names of their frames."""
    frames = plan.scene.frames
    return {frame: joint_title(item, frame) for frame, item in frames.items() if joint_of(item) is not None}


def _in_bag(plan: Plan, path: Path, name: str, start: Mapping[str, str], angles: str | None) -> Found:
    """Return the joints from the topic with most of them, and missing ones from the topics with fewer."""
    topics = joint_states_of(named_file(path))
    titles, recordings, end = _titles(plan), dict[str, JointRecording](), 0.0
    matches = {topic: match_columns(titles.values(), list(joints)) for topic, joints in topics.items()}
    for topic, columns in sorted(matches.items(), key=lambda match: -len(match[1])):
        for frame, title in titles.items():
            if title in columns and frame not in recordings:
                data: dict[str, object] = {"file": name, "topic": topic, "column": columns[title], **start}
                if angles == "deg" and _is_revolute(plan, frame):
                    data["factor"] = SIZES["deg"]
                recordings[frame] = JointRecording.model_validate(data)
                end = max(end, float(topics[topic][columns[title]].times[-1]))
    if not any(_is_revolute(plan, frame) for frame in recordings):
        return recordings, end, None
    return recordings, end, bag_decision(angles)


def _is_revolute(plan: Plan, frame: str) -> bool:
    joint = joint_of(plan.scene.frames[frame])
    return joint is not None and joint.type == "revolute"


def _in_table(plan: Plan, path: Path, name: str, start: Mapping[str, str], angles: str | None) -> Found:
    titles, table = _titles(plan), read_once(path)
    matched = match_columns(titles.values(), [column for column in table.order if column in table.numbers])
    columns = {frame: matched[title] for frame, title in titles.items() if title in matched}
    if not columns:
        return {}, 0.0, None
    time, unit, duration = joint_times(table, columns.values())
    joints = {frame: joint for frame, item in plan.scene.frames.items() if (joint := joint_of(item)) is not None}
    joint_columns = [
        JointColumn(column, titles[frame], joints[frame], table.numbers[column]) for frame, column in columns.items()
    ]
    t = table.numbers[time] * TIME_UNITS[unit]
    sizes, decision = decide_units(joint_columns, t, table.numbers, angles)
    recordings = dict[str, JointRecording]()
    for frame, column in columns.items():
        factor = sizes[column] / unit_size(joints[frame])
        data = {"file": name, "column": column, "time": time, "time_unit": unit, **start}
        recordings[frame] = JointRecording.model_validate(data if factor == 1.0 else {**data, "factor": factor})
    return recordings, duration, decision


def _following(plan: Plan, recordings: Mapping[str, JointRecording]) -> Iterator[tuple[str, JointRecording]]:
    """Yield recordings for unrecorded joints that follow a recorded joint."""
    frames, parameters = plan.scene.frames, plan.scene.parameters
    leaders = {str(joint.value).strip(): (frame, joint) for frame, item in frames.items() if (joint := joint_of(item))}
    for frame, item in frames.items():
        joint = joint_of(item)
        if (
            joint is None
            or frame in recordings
            or not isinstance(joint.value, str)
            or joint.value.strip() in parameters
        ):
            continue
        line = line_of(joint.value, parameters)
        leader = None if line is None else leaders.get(line[0])
        if line is None or leader is None or leader[0] not in recordings:
            continue
        recorded = recordings[leader[0]]
        # Values of a bag are in rad or m, whatever the units of the joints.
        size = 1.0 if recorded.topic is None else unit_size(joint) / unit_size(leader[1])
        factor, offset = line[1] * recorded.factor * size, line[1] * recorded.offset + line[2]
        yield frame, recorded.model_copy(update={"factor": factor, "offset": offset})


def line_of(text: str, parameters: Mapping[str, float]) -> tuple[str, float, float] | None:
    """Return parameter, factor and offset of an expression that is linear in one parameter; None for any other.

    >>> line_of("2.0*elbow - 0.1", {"elbow": 0.7})
    ('elbow', 2.0, -0.1)
    """
    from framescope.core.time_functions.expressions import parse_expression

    try:
        mentions = parse_expression(text, parameters).mentions
    except ExpressionError:
        return None
    if len(mentions) != 1 or "t" in mentions:
        return None
    (name,) = mentions
    at = [float(parse_expression(text, {name: x})(np.zeros(()))) for x in (0.0, 1.0, -1.0, 2.0)]
    factor, offset = round(at[1] - at[0], 12), at[0]
    is_line = np.allclose(at, [offset + factor * x for x in (0.0, 1.0, -1.0, 2.0)], rtol=0, atol=1e-9)
    return (name, factor, offset) if is_line else None
