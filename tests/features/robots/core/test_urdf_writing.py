"""Writing into a URDF: that one place changes, and reading gives what was written."""

from __future__ import annotations

import difflib
import random

import pytest

from framescope.core.errors import FramescopeError
from framescope.features.robots.core.robot import Placement
from framescope.features.robots.core.urdf import read_urdf
from framescope.features.robots.core.urdf_writing import with_placements
from tests.support.robots import healthy_robot

ODD = """\
<?xml version="1.0"?>\r
<!-- <origin xyz="0 0 0"/> of joint a -->\r
<robot name='r'>\r
  <link name="1"/><link name="2"/><link name="3"/><link name="4>"/>\r
  <joint name = "a"\ttype="fixed" ><parent link="1"/><child link="2"/>\r
     <origin   rpy = '0 0.50 0'\r
        xyz="1.0 2.00 3" />\r
  </joint>\r
  <joint name="b>" type="fixed"><child link="3"/><origin xyz="0 0 0"></origin><parent link="2"/></joint>\r
  <joint name="ä" type="fixed">\r
    <child link="4>"/><parent link="2"/></joint>\r
</robot>\r
"""


def lines_changed(before: bytes, after: bytes) -> list[str]:
    found = difflib.ndiff(before.decode().splitlines(keepends=True), after.decode().splitlines(keepends=True))
    return [line for line in found if line[:1] in "+-"]


def test_that_one_line_changes_and_numbers_that_stay_keep_their_spelling() -> None:
    data = ODD.encode()
    written = with_placements(data, {"a": Placement((1.0, 2.5, 3.0), (0.0, 0.5, 0.0))})
    assert lines_changed(data, written) == [
        '-         xyz="1.0 2.00 3" />\r\n',
        '+         xyz="1 2.5 3" />\r\n',
    ]
    written = with_placements(data, {"a": Placement((1.0, 2.0, 3.0), (0.1, 0.5, -0.0))})
    assert lines_changed(data, written) == [
        "-      <origin   rpy = '0 0.50 0'\r\n",
        "+      <origin   rpy = '0.1 0.5 0'\r\n",
    ]
    assert with_placements(data, {"a": Placement((1.0, 2.0, 3.0), (0.0, 0.5, 0.0))}) == data


def test_that_an_attribute_or_the_element_is_added_where_it_is_missing() -> None:
    data = ODD.encode()
    written = with_placements(data, {"b>": Placement((0.0, 0.0, 0.0), (0.0, 0.0, 1.5))})
    assert '<origin xyz="0 0 0" rpy="0 0 1.5"></origin>' in written.decode()
    written = with_placements(data, {"ä": Placement((0.0, 0.0, 0.25))})
    assert lines_changed(data, written) == ['+     <origin xyz="0 0 0.25" rpy="0 0 0"/>\r\n']


@pytest.mark.parametrize("seed", range(6))
def test_that_what_is_written_is_what_is_read_and_nothing_else_changes(seed: int) -> None:
    made, rng = healthy_robot(seed), random.Random(seed)
    data = made.text.encode()
    before = read_urdf(data)
    chosen = rng.sample([joint.name for joint in before.joints], k=4)
    placements = {
        name: Placement(*(tuple(round(rng.uniform(-3, 3), 6) for _ in range(3)) for _ in range(2))) for name in chosen
    }
    after = read_urdf(with_placements(data, placements))
    assert after.faults == ()
    for one, two in zip(before.joints, after.joints, strict=True):
        expected = placements.get(one.name, one.placement)
        assert (two.placement.xyz, two.placement.rpy) == (expected.xyz, expected.rpy)
    assert after.links == before.links
    assert len(lines_changed(data, with_placements(data, placements))) == 8


def test_that_what_cannot_be_written_is_said() -> None:
    with pytest.raises(FramescopeError, match='no joint is called "nobody"'):
        with_placements(ODD.encode(), {"nobody": Placement()})
    twice = ODD.replace('name="b>"', 'name = "a"').encode()
    with pytest.raises(FramescopeError, match='2 joints are called "a"'):
        with_placements(twice, {"a": Placement()})
    with pytest.raises(FramescopeError, match="UTF-16"):
        with_placements(ODD.replace('"1.0"?', '"1.0" encoding="UTF-16"?').encode("utf-16"), {"a": Placement()})
