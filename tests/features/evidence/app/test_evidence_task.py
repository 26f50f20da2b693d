"""The task that compares sensors in another process: its progress, its bound, and its end."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.background.worker_client import TaskCancelledError
from framescope.core.errors import FramescopeError
from framescope.core.system.cooperative_yield import checkpoint
from framescope.features.evidence.app import evidence_task
from framescope.features.evidence.app.evidence_task import examine_in_worker
from framescope.features.evidence.core import evidence_problems
from framescope.features.evidence.core.scene_readings import bags_of
from tests.support.bag_scenes import scene_plan
from tests.support.bags import write_ros1
from tests.support.hand_made_accounts import SENTENCE, account
from tests.support.imu_drives import drive_with, turned_imu


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bags")
    return write_ros1(folder / "turned.bag", drive_with(np.random.default_rng(3), (turned_imu(),), seconds=2.0))


@pytest.fixture
def bags(path):
    return bags_of(scene_plan(path)[1])


def searching(log):
    for share in (0.25, 0.75):
        checkpoint(share)
    return account()


def never() -> bool:
    return False


def test_that_it_reports_its_progress_and_returns_the_accounts(bags, monkeypatch) -> None:
    monkeypatch.setattr(evidence_problems, "examine", searching)
    shares: list[float] = []
    monkeypatch.setattr(evidence_task, "now_and_then", lambda report: report)
    (evidence,) = examine_in_worker(bags, shares.append, never)
    assert evidence.bag == bags[0]
    assert evidence.account.findings[0].sentence == SENTENCE
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] <= shares[-1] <= 1.0


def test_that_several_bags_share_the_progress(bags, monkeypatch) -> None:
    monkeypatch.setattr(evidence_problems, "examine", searching)
    monkeypatch.setattr(evidence_task, "now_and_then", lambda report: report)
    shares: list[float] = []
    assert len(examine_in_worker(bags * 2, shares.append, never)) == 2
    assert shares == sorted(shares)


def test_that_it_ends_where_it_is_cancelled(bags, monkeypatch) -> None:
    monkeypatch.setattr(evidence_problems, "examine", searching)
    with pytest.raises(TaskCancelledError):
        examine_in_worker(bags, lambda _share: None, lambda: True)


def test_that_it_gives_up_after_its_time(bags, monkeypatch) -> None:
    monkeypatch.setattr(evidence_problems, "examine", searching)
    monkeypatch.setattr(evidence_task, "MOST_S", -1.0)
    with pytest.raises(FramescopeError, match="needs more than"):
        examine_in_worker(bags, lambda _share: None, never)


def test_that_a_bag_that_is_gone_fails_with_its_name(bags, path, tmp_path) -> None:
    from dataclasses import replace

    with pytest.raises((FramescopeError, OSError)):
        examine_in_worker((replace(bags[0], file=tmp_path / "gone.bag"),), lambda _share: None, never)
