"""The prepared bags are what their script writes, are small, and have the fault that the manual says."""

from __future__ import annotations

import pytest

from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
from framescope.features.bags.core.bag_file import open_bag
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
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        path.name: path.read_bytes() for path in make_bags.FOLDER.iterdir()
    }


@pytest.mark.parametrize("cause", make_bags.CAUSES)
def test_that_each_is_small_and_has_its_one_cause(cause: str) -> None:
    path = make_bags.FOLDER / f"{cause}.bag"
    assert path.stat().st_size < 200_000
    with open_bag(path) as bag:
        (fault,) = [fault for _, fault in examine_bag(bag).faults]
    assert fault.kind == KINDS[cause]
