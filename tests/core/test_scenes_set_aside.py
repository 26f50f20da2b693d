"""What scenes leave in cycles when they were set aside from the garbage collector is freed after a few more of them."""

from __future__ import annotations

import gc
import weakref

import pytest

from framescope.core.system import garbage_collection
from framescope.core.system.garbage_collection import N_SCENES, set_aside, set_scene_aside


class Knot:
    """An object that holds itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def counted_anew(monkeypatch):
    """Start the count at zero. Objects stay set aside: older test modules' are not for the search after this test."""
    monkeypatch.setattr(garbage_collection, "n_since_scan", [0])


@pytest.mark.long
def test_that_what_was_set_aside_in_a_cycle_is_freed_after_a_few_scenes() -> None:
    knots = []
    for _ in range(N_SCENES - 1):
        knots.append(weakref.ref(Knot()))
        set_scene_aside()
    gc.collect()
    assert all(knot() is not None for knot in knots)
    set_scene_aside()
    assert all(knot() is None for knot in knots)
    assert gc.get_freeze_count() > 0


def test_that_a_start_looks_for_nothing(monkeypatch) -> None:
    looks = []
    monkeypatch.setattr(gc, "collect", lambda *_: looks.append(True))
    for _ in range(3 * N_SCENES):
        set_aside()
    assert not looks
    for _ in range(3 * N_SCENES):
        set_scene_aside()
    assert len(looks) == 3
