"""Outcomes of the search in rigs of `foreign_rigs`."""

from __future__ import annotations

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Edge
from framescope.features.calibrations.core.rig.rig import RigEdge
from framescope.features.calibrations.core.rig.search import search
from tests.support.foreign_rigs import Rig


def outcome_of(rig: Rig) -> str:
    """Return ``right``, ``open``, ``silent``, or ``wrong`` for another entry or kind of fault than the planted."""
    edges = [
        RigEdge(Edge(e.parent, e.child, Transform(e.matrix[:3, :3], e.matrix[:3, 3]), e.name, e.is_inverse), "rig.yaml")
        for e in rig.entries
    ]
    opened = [verdict for verdict in search(edges) if verdict.is_open]
    if not opened:
        return "silent"
    found = [verdict.best for verdict in opened if verdict.state == "found"]
    if not found:
        return "open"
    (cause,) = found
    named = [(edges[k].edge.entry, kind) for k, kind in zip(cause.edges, cause.kinds, strict=True)] if cause else []
    return "right" if named == [(rig.wrong, rig.fault)] and len(opened) == 1 else "wrong"
