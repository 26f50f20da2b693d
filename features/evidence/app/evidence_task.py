"""Task of the evidence for the worker process, without Qt."""

from __future__ import annotations

import time

from framescope.app.background.plan_source import IsCancelled, Report, now_and_then
from framescope.app.background.worker_client import TaskCancelledError
from framescope.core.errors import FramescopeError
from framescope.core.system.cooperative_yield import part, report_progress_to
from framescope.features.evidence.core.evidence_problems import BagEvidence, examine_scene_bag
from framescope.features.evidence.core.scene_readings import SceneBag

MOST_S = 120.0
"""Processor time after which the search is given up, s. It runs at a low priority, so that it may wait for long."""


def examine_in_worker(bags: tuple[SceneBag, ...], report: Report, is_cancelled: IsCancelled) -> tuple[BagEvidence, ...]:
    """Return the accounts of the bags of a scene; report completed fractions meanwhile.

    Raises
    ------
    TaskCancelledError
        When the task is cancelled.
    FramescopeError
        When a bag cannot be read, or the search takes longer than `MOST_S`.
    """
    begin = time.process_time()
    send = now_and_then(report)

    def receive(share: float | None) -> None:
        if is_cancelled():
            raise TaskCancelledError
        if time.process_time() - begin > MOST_S:
            raise FramescopeError(f"The comparison of the sensors needs more than {MOST_S:g} s and was stopped.")
        if share is not None:
            send(share)

    found: list[BagEvidence] = []
    with report_progress_to(receive):
        for i, bag in enumerate(bags):
            with part(i / len(bags), (i + 1) / len(bags)):
                found.append(examine_scene_bag(bag))
    return tuple(found)
