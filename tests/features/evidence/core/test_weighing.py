"""Costs of states: plain ones are upper bounds, and batches cost what their members cost."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.evidence.core.hypotheses import hypotheses_of
from framescope.features.evidence.core.relations import Scope, relations_of
from framescope.features.evidence.core.search import stacked
from framescope.features.evidence.core.tracks import bodies_of, tracks_of
from framescope.features.evidence.core.weighing import Evidence, stated
from tests.support.turning_device import device


def _evidence() -> Evidence:
    log = device(10.0)
    scope = Scope(tracks_of(log, bodies_of(log)))
    return Evidence(scope, tuple(relations_of(scope)))


@pytest.mark.parametrize("kind", ["turn", "gravity", "carried", "motion"])
def test_that_a_batch_costs_what_its_members_cost(kind: str) -> None:
    evidence = _evidence()
    k = 1 if kind == "turn" else 2
    relation = next(r for r in evidence.relations if r.kind == kind and k in r.members)
    quantity = "angular velocity" if k == 1 else "specific force"
    every = [h.state for h in hypotheses_of(quantity)[:12]]
    states = stated(evidence.scope)
    together = evidence.costs_of(relation, states | {k: stacked(every)}, None, 12, np.arange(12))
    alone = [float(evidence.cost(relation, states | {k: state})) for state in every]
    assert together == pytest.approx(alone, rel=1e-9, abs=1e-9)
    plain = evidence.plain(relation, states | {k: stacked(every)}, None)
    assert (plain >= together - 1.0).all()


def test_that_costs_are_kept_and_forgotten_with_the_clocks() -> None:
    from framescope.features.evidence.core.windows import Clock

    evidence = _evidence()
    states = stated(evidence.scope)
    relation = next(r for r in evidence.relations if r.kind == "turn" and 1 in r.members)
    before = evidence.cost(relation, states)
    assert evidence.cost(relation, states) is before
    evidence.set_clocks({1: Clock(0.2)})
    assert float(evidence.cost(relation, states)) != float(before)
