"""Readings of the sensors of a bag."""

from __future__ import annotations

from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.bag import Bag
from framescope.features.bags.core.topic_series import read_topics
from framescope.features.evidence.core.readings import Readings, SensorLog


def sensor_log_of(bag: Bag) -> SensorLog:
    """Return the readings of the sensors of an open bag."""
    start = bag.span_ns[0] if bag.span_ns else 0
    readings: list[Readings] = []
    contents = read_topics(bag)
    for series in contents.inertial:
        t, received = (series.stamp_ns - start) / NS, (series.log_ns - start) / NS
        quantities = (("orientation", slice(0, 4)), ("angular velocity", slice(4, 7)), ("specific force", slice(7, 10)))
        for quantity, part in quantities:
            name = f"{quantity} of {series.topic}"
            values = series.values[:, part]
            readings.append(Readings(name, series.topic, quantity, t, values, series.frame, received=received))
    return SensorLog(tuple(readings))
