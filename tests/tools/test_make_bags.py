"""The prepared bags are what their script writes, are small, and have the fault that the manual says."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
from framescope.features.bags.core.bag_file import open_bag
from tests.support.bags import common_store
from tests.tools import make_bags

KINDS = {
    "two-parents": "two parents",
    "clock-behind": "late stamps",
    "trees-apart": "trees apart",
    "falls-silent": "silence",
    "two-spellings": "similar name",
}


def test_that_the_bags_are_what_the_script_writes(tmp_path) -> None:
    make_bags.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in make_bags.FOLDER.iterdir()}
    for cause in make_bags.CAUSES:
        name = f"{cause}.bag"
        assert (tmp_path / name).read_bytes() == (make_bags.FOLDER / name).read_bytes()


def test_that_the_turned_imu_is_what_the_script_writes(tmp_path) -> None:
    make_bags.write(tmp_path)
    made, kept = (list(messages_of(folder / f"{make_bags.TURNED_IMU}.bag")) for folder in (tmp_path, make_bags.FOLDER))
    assert [words for words, _ in made] == [words for words, _ in kept]
    # Sines and sums differ in their last bits from processor to processor.
    for (_, numbers), (_, others) in zip(made, kept, strict=True):
        np.testing.assert_allclose(numbers, others, rtol=0.0, atol=1e-9)


def messages_of(path: Path) -> Iterator[tuple[list[object], list[float]]]:
    """Yield topic, time and all other values of each message, and its floating-point numbers."""
    from rosbags.rosbag1 import Reader

    types = common_store(1)
    with Reader(path) as reader:
        for connection, time, raw in reader.messages():
            values = list(values_of(types.deserialize_ros1(raw, connection.msgtype)))
            numbers = [value for value in values if isinstance(value, float)]
            yield [connection.topic, time, *(value for value in values if not isinstance(value, float))], numbers


def values_of(message: object) -> Iterator[object]:
    """Yield the values of a message, field by field and element by element."""
    if dataclasses.is_dataclass(message):
        for field in dataclasses.fields(message):
            yield from values_of(getattr(message, field.name))
    elif isinstance(message, np.ndarray | list):
        for element in message:
            yield from values_of(element)
    else:
        yield float(message) if isinstance(message, np.floating) else message


@pytest.mark.parametrize("cause", make_bags.CAUSES)
def test_that_each_is_small_and_has_its_one_cause(cause: str) -> None:
    path = make_bags.FOLDER / f"{cause}.bag"
    assert path.stat().st_size < 200_000
    with open_bag(path) as bag:
        (fault,) = [fault for _, fault in examine_bag(bag).faults]
    assert fault.kind == KINDS[cause]
