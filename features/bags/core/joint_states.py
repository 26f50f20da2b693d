"""Joint states of a bag: values of joints over time, by topic, publisher and joint name."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.core.system.caches import FileCache
from framescope.features.bags.core.bag import Bag
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.messages import JointState
from framescope.features.bags.core.tf_log import Whole, decode_messages

TYPE = "sensor_msgs/JointState"

CACHED_BAGS = 2
"""Number of bags whose joint states stay in memory."""


@dataclass(frozen=True, eq=False)
class JointTrack:
    """Values of one joint as one publisher sends them, in the order of reception.

    Attributes
    ----------
    topic, publisher, name
        The topic, its sender, which is empty if unknown, and the name of the joint.
    stamp_ns, log_ns : (n,) int64
        Stamps, which are times of reception where messages have none, and times of reception, ns.
    position, velocity : (n,)
        Values, rad or m, and their rates; NaN where a message has none.
    n_repeats
        Number of messages that name the joint more than once; their first value is kept.
    """

    topic: str
    publisher: str
    name: str
    stamp_ns: Whole
    log_ns: Whole
    position: Array
    velocity: Array
    n_repeats: int = 0

    def in_order(self) -> tuple[Whole, Array]:
        """Return the stamps (m,) of finite values, ns, each once and increasing, and the values (m,) at them."""
        good = np.flatnonzero(np.isfinite(self.position))
        stamps, first = np.unique(self.stamp_ns[good], return_index=True)
        return stamps, self.position[good][first]


@dataclass(frozen=True, eq=False)
class JointSeries:
    """Values (n,) of one joint, rad or m, at times (n,), s, since the first joint state of its bag."""

    times: Array
    values: Array


@dataclass
class _Builder:
    stamps: array[int] = field(default_factory=lambda: array("q"))
    received: array[int] = field(default_factory=lambda: array("q"))
    positions: array[float] = field(default_factory=lambda: array("d"))
    velocities: array[float] = field(default_factory=lambda: array("d"))
    n_repeats: int = 0


def read_joint_tracks(bag: Bag, damages: list[str]) -> tuple[JointTrack, ...]:
    """Return the values of all joints in an open bag.

    Messages whose positions or velocities are not one for each name have none.

    Parameters
    ----------
    bag
        An open bag.
    damages
        Receives messages about unreadable messages.
    """
    builders: dict[tuple[str, str, str], _Builder] = {}
    for channel, log_ns, messages in decode_messages(bag, lambda channel: channel.type == TYPE, damages):
        for message in messages:
            if not isinstance(message, JointState):
                continue
            n, stamp = len(message.names), message.stamp_ns or log_ns
            positions = message.positions if len(message.positions) == n else (np.nan,) * n
            velocities = message.velocities if len(message.velocities) == n else (np.nan,) * n
            seen: set[str] = set()
            for name, position, velocity in zip(message.names, positions, velocities, strict=True):
                builder = builders.setdefault((channel.topic, channel.publisher, name), _Builder())
                if name in seen:
                    builder.n_repeats += 1
                    continue
                seen.add(name)
                builder.stamps.append(stamp)
                builder.received.append(log_ns)
                builder.positions.append(position)
                builder.velocities.append(velocity)
    return tuple(_track(*key, builder) for key, builder in builders.items())


def _track(topic: str, publisher: str, name: str, builder: _Builder) -> JointTrack:
    stamps, received = (np.frombuffer(part, np.int64).copy() for part in (builder.stamps, builder.received))
    positions, velocities = (np.frombuffer(part).copy() for part in (builder.positions, builder.velocities))
    return JointTrack(topic, publisher, name, stamps, received, positions, velocities, builder.n_repeats)


def read_joint_states(path: Path) -> Mapping[str, Mapping[str, JointSeries]]:
    """Return the values of joints in a bag by topic and name; missing stamps are replaced by times of reception.

    Raises as `framescope.features.bags.core.bag_file.open_bag`.
    """
    with open_bag(path) as bag:
        tracks = [track for track in read_joint_tracks(bag, []) if not np.isnan(track.position).all()]
    groups: dict[str, dict[str, list[JointTrack]]] = {}
    for track in tracks:
        groups.setdefault(track.topic, {}).setdefault(track.name, []).append(track)
    first = min((int(track.stamp_ns.min()) for track in tracks), default=0)
    return {topic: {name: _series(parts, first) for name, parts in joints.items()} for topic, joints in groups.items()}


def _series(parts: list[JointTrack], first_ns: int) -> JointSeries:
    """Return the values of a joint by all publishers of a topic, in the order of reception."""
    order = np.argsort(np.concatenate([part.log_ns for part in parts]), kind="stable")
    stamps = np.concatenate([part.stamp_ns for part in parts])[order]
    values = np.concatenate([part.position for part in parts])[order]
    return JointSeries((stamps - first_ns) / NS, values)


joint_states_of = FileCache(read_joint_states, CACHED_BAGS)
"""Joint states of the bag at a path, cached until the file changes."""
