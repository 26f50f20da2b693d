"""The autopsy of a whole bag: all its namespaces of transforms, and the topics beside them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from framescope.features.bags.core.autopsy.autopsy import by_gravity, examine
from framescope.features.bags.core.autopsy.fault import TfFault
from framescope.features.bags.core.autopsy.topic_faults import missing_frames, topic_faults, without_transforms
from framescope.features.bags.core.bag import Bag
from framescope.features.bags.core.tf_log import TfLog, namespaces, read_tf
from framescope.features.bags.core.topic_series import read_topics


@dataclass(frozen=True, eq=False)
class BagAutopsy:
    """What a bag holds of frames, and what is wrong with them.

    Attributes
    ----------
    logs
        Transforms by their namespace.
    faults
        The gravest first; each with the namespace it is in, empty for topics beside the transforms.
    damages
        What of the bag could not be read.
    """

    logs: dict[str, TfLog]
    faults: tuple[tuple[str, TfFault], ...]
    damages: tuple[str, ...]


def examine_bag(bag: Bag, *, with_topics: bool = True) -> BagAutopsy:
    """Return what an open bag holds of frames, and what is wrong with them; on any thread.

    Parameters
    ----------
    bag
        Its messages of transforms are read, and of topics that name frames where `with_topics`.
    with_topics
        Whether odometry, inertial readings and the frames that messages are stamped in are looked at, too.
    """
    logs = {name: read_tf(bag, name) for name in namespaces(bag.channels)}
    found = [(name, fault) for name, log in logs.items() for fault in examine(log)]
    damages = [text for log in logs.values() for text in log.damages]
    if with_topics:
        contents = read_topics(bag)
        known = [name for log in logs.values() for name in log.names]
        damages += contents.damages
        lost = missing_frames(contents.named, known) if known else without_transforms(contents)
        found += [("", fault) for fault in (*lost, *topic_faults(contents))]
    end = bag.span_ns[1] if bag.span_ns else 0
    found = [(name, replace(fault, last_ns=min(fault.last_ns, max(end, fault.first_ns)))) for name, fault in found]
    return BagAutopsy(
        logs, tuple(sorted(found, key=lambda each: by_gravity(each[1]))), tuple(dict.fromkeys([*bag.damages, *damages]))
    )
