"""Autopsy of a whole bag: all its namespaces of transforms, and its other topics."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from framescope.core.scene.schema.base import FrozenDict
from framescope.core.system.features import entries
from framescope.features.bags.core.autopsy.autopsy import by_gravity, examine
from framescope.features.bags.core.autopsy.fault import TfFault
from framescope.features.bags.core.autopsy.plausibility import covariance_faults, unit_faults
from framescope.features.bags.core.autopsy.source_faults import odometry_faults
from framescope.features.bags.core.autopsy.topic_faults import (
    missing_frames,
    nameless_frames,
    slash_headers,
    topic_faults,
    without_transforms,
)
from framescope.features.bags.core.autopsy.topic_stamps import has_clock_of_recorder, topic_stamp_faults
from framescope.features.bags.core.autopsy.tree_faults import joined_by_odometry
from framescope.features.bags.core.bag import Bag
from framescope.features.bags.core.tf_log import TfLog, is_path, namespaces, read_poses, read_tf
from framescope.features.bags.core.topic_series import TopicContents, read_topics


@dataclass(frozen=True, eq=False)
class BagAutopsy:
    """Logs and faults of the frames of a bag.

    Attributes
    ----------
    logs
        Transforms by their namespace.
    faults
        The most severe first, each with its namespace, which is empty for topics other than transforms.
    damages
        Messages about unreadable parts of the bag.
    paths
        Poses of each topic of paths in a bag without transforms.
    """

    logs: dict[str, TfLog]
    faults: tuple[tuple[str, TfFault], ...]
    damages: tuple[str, ...]
    paths: Mapping[str, TfLog] = FrozenDict()


def examine_bag(bag: Bag) -> BagAutopsy:
    """Return the logs and faults of the frames in an open bag; may be called on any thread."""
    logs = {name: read_tf(bag, name) for name in namespaces(bag.channels)}
    faults = [(name, fault) for name, log in logs.items() for fault in examine(log)]
    damages = [text for log in logs.values() for text in log.damages]
    contents = read_topics(bag)
    damages += contents.damages
    if has_clock_of_recorder(contents.clocks):
        faults = [(name, fault) for name, fault in faults if fault.kind != "clock offset"]
    paths: dict[str, TfLog] = {}
    if not any(log.names for log in logs.values()):
        topics = dict.fromkeys(channel.topic for channel in bag.channels if is_path(channel) and channel.count)
        paths = {topic: read_poses(bag, topic) for topic in topics}
        damages += [text for log in paths.values() for text in log.damages]
    faults = [(name, joined_by_odometry(fault, logs[name], contents.odometry)) for name, fault in faults]
    faults += [("", fault) for fault in faults_of_topics(contents, logs.values())]
    end = bag.span_ns[1] if bag.span_ns else 0
    faults = [(name, replace(fault, last_ns=min(fault.last_ns, max(end, fault.first_ns)))) for name, fault in faults]
    return BagAutopsy(
        logs,
        tuple(sorted(faults, key=lambda item: by_gravity(item[1]))),
        tuple(dict.fromkeys([*bag.damages, *damages])),
        FrozenDict(paths),
    )


def faults_of_topics(
    contents: TopicContents, logs: Collection[TfLog], added: Collection[str] = ()
) -> Iterator[TfFault]:
    """Yield the faults of the topics other than transforms.

    Parameters
    ----------
    contents
        Contents of these topics.
    logs
        All transforms, by namespace.
    added
        Names of frames that a scene has besides those of transforms.
    """
    named = (*contents.named, *contents.sensors)
    known = {name for log in logs for name in log.names}
    if known:
        has_static = any(bool(log.is_static.any()) for log in logs)
        yield from missing_frames(named, known.union(added), has_static=has_static)
        yield from slash_headers(named, known.union(added))
    else:
        yield from without_transforms(contents)
    yield from nameless_frames(named, has_transforms=bool(known))
    yield from topic_faults(contents)
    of_odometry, of_poses = ([(series, slice(3, 7)) for series in each] for each in (contents.odometry, contents.poses))
    yield from unit_faults([*of_odometry, *of_poses, *((series, slice(0, 4)) for series in contents.inertial)])
    yield from covariance_faults(contents.covariances)
    yield from odometry_faults(contents.odometry, logs)
    for check in entries(lambda feature: feature.bag_checks):
        yield from check(contents.descriptions, logs)
    yield from topic_stamp_faults(contents.clocks, logs)
