"""Recordings of joints: which joints a file tells of, and the edit that has it move them."""

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
from framescope.features.robots.core.joint_columns import matched_columns
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
    """Recordings of joints by the names of their frames, how long they last, s, and what there is to say of them.

    `angles` is the decision on the unit of their angles; None where there are none.
    """

    file: str
    recordings: Mapping[str, JointRecording]
    duration: float
    note: str = ""
    angles: Decision | None = None

    def edit(self, plan: Plan) -> Edit:
        """Return the edit that has the joints moved; where nothing else moves the scene lasts as long as they do."""
        is_still = all(motion.is_constant for motion in plan.tree.motions.values())
        is_new_end = self.duration > plan.end - plan.start or (is_still and self.duration > 0.0)
        end = self.duration if is_new_end else None
        n = len(self.recordings)
        label = f"Played {self.file} on {n} joint{'s' * (n != 1)}"
        return record_joints(self.recordings, label, None if end is None else plan.start + end)


def find_joints(plan: Plan, path: Path, name: str, angles: str | None = None) -> JointsFound:
    """Return what a file tells of the joints of a scene. On any thread.

    Parameters
    ----------
    name
        What the scene is to call the file.
    angles
        Unit of the angles that a person has answered; None where the file is to decide it.

    Raises
    ------
    FramescopeError
        When the file cannot be read, or tells of none of the joints, or when there is no such unit.
    """
    if angles is not None and angles not in (*SIZES, OWN):
        raise FramescopeError(f'"{angles}" is no unit of angles here. Use rad, deg or "{OWN}".')
    titles = _titles(plan)
    start = {"start": f"{plan.start:g} s"} if plan.start else {}
    try:
        read = _in_bag if is_bag_at(path) else _in_table
        found, duration, decision = read(plan, path, name, start, angles)
    except OSError as error:
        raise FramescopeError(f"{path.name} cannot be read: {error.strerror or error}.") from None
    if not found:
        listed = ", ".join(list(titles.values())[:LISTED])
        hint = f"Columns, or names in joint states, are to be called as the joints: {listed}."
        raise FramescopeError(f"{path.name} tells of none of the joints. {hint}")
    is_told = decision is not None and decision.certainty != "format" and angles is None
    said = (decision_words(decision),) if decision is not None and is_told else ()
    followed = dict(_following(plan, found))
    whole = {**found, **followed}
    missing = [title for frame, title in titles.items() if frame not in whole]
    if missing:
        listed = ", ".join(missing[:LISTED]) + (" and others" if len(missing) > LISTED else "")
        said = (*said, f"{path.name} says nothing of {listed}.")
    return JointsFound(path.name, whole, duration, " ".join(said), decision)


Found = tuple[dict[str, JointRecording], float, Decision | None]
"""Recordings by frames, how long they last, s, and the decision on the unit of their angles."""


def _titles(plan: Plan) -> dict[str, str]:
    """Return what the joints of a scene are called, by the names of their frames."""
    frames = plan.scene.frames
    return {frame: joint_title(each, frame) for frame, each in frames.items() if joint_of(each) is not None}


def _in_bag(plan: Plan, path: Path, name: str, start: Mapping[str, str], angles: str | None) -> Found:
    """Return the joints that the topic with most of them tells of, and of the others what the next topic does."""
    topics = joint_states_of(named_file(path))
    titles, found, end = _titles(plan), dict[str, JointRecording](), 0.0
    matches = {topic: matched_columns(titles.values(), list(joints)) for topic, joints in topics.items()}
    for topic, columns in sorted(matches.items(), key=lambda each: -len(each[1])):
        for frame, title in titles.items():
            if title in columns and frame not in found:
                data: dict[str, object] = {"file": name, "topic": topic, "column": columns[title], **start}
                if angles == "deg" and _is_revolute(plan, frame):
                    data["factor"] = SIZES["deg"]
                found[frame] = JointRecording.model_validate(data)
                end = max(end, float(topics[topic][columns[title]].times[-1]))
    if not any(_is_revolute(plan, frame) for frame in found):
        return found, end, None
    return found, end, bag_decision(angles)


def _is_revolute(plan: Plan, frame: str) -> bool:
    joint = joint_of(plan.scene.frames[frame])
    return joint is not None and joint.type == "revolute"


def _in_table(plan: Plan, path: Path, name: str, start: Mapping[str, str], angles: str | None) -> Found:
    titles, table = _titles(plan), read_once(path)
    matched = matched_columns(titles.values(), [column for column in table.order if column in table.numbers])
    columns = {frame: matched[title] for frame, title in titles.items() if title in matched}
    if not columns:
        return {}, 0.0, None
    time, unit, duration = joint_times(table, columns.values())
    joints = {frame: joint for frame, each in plan.scene.frames.items() if (joint := joint_of(each)) is not None}
    told = [
        JointColumn(column, titles[frame], joints[frame], table.numbers[column]) for frame, column in columns.items()
    ]
    t = table.numbers[time] * TIME_UNITS[unit]
    sizes, decision = decide_units(told, t, table.numbers, angles)
    found = dict[str, JointRecording]()
    for frame, column in columns.items():
        factor = sizes[column] / unit_size(joints[frame])
        data = {"file": name, "column": column, "time": time, "time_unit": unit, **start}
        found[frame] = JointRecording.model_validate(data if factor == 1.0 else {**data, "factor": factor})
    return found, duration, decision


def _following(plan: Plan, found: Mapping[str, JointRecording]) -> Iterator[tuple[str, JointRecording]]:
    """Yield the recordings of joints that follow one that is recorded, and are not recorded themselves."""
    frames, parameters = plan.scene.frames, plan.scene.parameters
    leaders = {str(joint.value).strip(): (frame, joint) for frame, each in frames.items() if (joint := joint_of(each))}
    for frame, each in frames.items():
        joint = joint_of(each)
        if joint is None or frame in found or not isinstance(joint.value, str) or joint.value.strip() in parameters:
            continue
        line = line_of(joint.value, parameters)
        leader = None if line is None else leaders.get(line[0])
        if line is None or leader is None or leader[0] not in found:
            continue
        recorded = found[leader[0]]
        # Values of a bag are in rad or m, whatever the units of the joints.
        size = 1.0 if recorded.topic is None else unit_size(joint) / unit_size(leader[1])
        factor, offset = line[1] * recorded.factor * size, line[1] * recorded.offset + line[2]
        yield frame, recorded.model_copy(update={"factor": factor, "offset": offset})


def line_of(text: str, parameters: Mapping[str, float]) -> tuple[str, float, float] | None:
    """Return parameter, factor and offset of an expression that is a straight line in one; None of any other.

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
