"""Joint states of a bag: values of joints over time, by topics and by the names that joints have there."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.core.system.caches import FileCache
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.messages import JointState
from framescope.features.bags.core.tf_log import decoded

TYPE = "sensor_msgs/JointState"

KEPT = 2
"""Bags whose joint states are kept."""


@dataclass(frozen=True, eq=False)
class JointSeries:
    """Values (n,) of one joint, rad or m, at times (n,) since the first joint state of its bag, s."""

    times: Array
    values: Array


@dataclass
class _Growing:
    stamps: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))


def read_joint_states(path: Path) -> Mapping[str, Mapping[str, JointSeries]]:
    """Return the values of joints in a bag by topic and name; messages without a stamp count as they were received.

    Raises as `framescope.features.bags.core.bag_file.open_bag`.
    """
    found: dict[str, dict[str, _Growing]] = {}
    with open_bag(path) as bag:
        for channel, log_ns, messages in decoded(bag, lambda each: each.type == TYPE, []):
            joints = found.setdefault(channel.topic, {})
            for message in messages:
                if isinstance(message, JointState) and len(message.positions) == len(message.names):
                    for name, value in zip(message.names, message.positions, strict=True):
                        growing = joints.setdefault(name, _Growing())
                        growing.stamps.append(message.stamp_ns or log_ns)
                        growing.values.append(value)
    stamps = [np.frombuffer(each.stamps, np.int64) for joints in found.values() for each in joints.values()]
    first = min((int(each.min()) for each in stamps), default=0)
    return {topic: {name: _series(each, first) for name, each in joints.items()} for topic, joints in found.items()}


def _series(growing: _Growing, first_ns: int) -> JointSeries:
    return JointSeries((np.frombuffer(growing.stamps, np.int64) - first_ns) / NS, np.frombuffer(growing.values).copy())


joint_states_of = FileCache(read_joint_states, KEPT)
"""The joint states of the bag at a path, as long as the file is as it was."""
