"""Joint states of a bag: values of joints over time, by topic and joint name."""

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
from framescope.features.bags.core.tf_log import decode_messages

TYPE = "sensor_msgs/JointState"

CACHED_BAGS = 2
"""Number of bags whose joint states stay in memory."""


@dataclass(frozen=True, eq=False)
class JointSeries:
    """Values (n,) of one joint, rad or m, at times (n,), s, since the first joint state of its bag."""

    times: Array
    values: Array


@dataclass
class _SeriesBuilder:
    stamps: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))


def read_joint_states(path: Path) -> Mapping[str, Mapping[str, JointSeries]]:
    """Return the values of joints in a bag by topic and name; missing stamps are replaced by times of reception.

    Raises as `framescope.features.bags.core.bag_file.open_bag`.
    """
    builders: dict[str, dict[str, _SeriesBuilder]] = {}
    with open_bag(path) as bag:
        for channel, log_ns, messages in decode_messages(bag, lambda channel: channel.type == TYPE, []):
            joints = builders.setdefault(channel.topic, {})
            for message in messages:
                if isinstance(message, JointState) and len(message.positions) == len(message.names):
                    for name, value in zip(message.names, message.positions, strict=True):
                        builder = joints.setdefault(name, _SeriesBuilder())
                        builder.stamps.append(message.stamp_ns or log_ns)
                        builder.values.append(value)
    stamps = [np.frombuffer(builder.stamps, np.int64) for joints in builders.values() for builder in joints.values()]
    first = min((int(part.min()) for part in stamps), default=0)
    return {
        topic: {name: _series(builder, first) for name, builder in joints.items()} for topic, joints in builders.items()
    }


def _series(growing: _SeriesBuilder, first_ns: int) -> JointSeries:
    return JointSeries((np.frombuffer(growing.stamps, np.int64) - first_ns) / NS, np.frombuffer(growing.values).copy())


joint_states_of = FileCache(read_joint_states, CACHED_BAGS)
"""Joint states of the bag at a path, cached until the file changes."""
