"""Trials of the search in rigs: planted rigs as the program reads them, and the outcomes."""

from __future__ import annotations

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Edge
from framescope.features.calibrations.core.rig.graph import blocks
from framescope.features.calibrations.core.rig.rig import RigEdge
from framescope.features.calibrations.core.rig.search import Verdict, search
from tests.support.planted_rigs import PlantedRig


def edges_of(rig: PlantedRig) -> tuple[RigEdge, ...]:
    return tuple(
        RigEdge(
            Edge(
                pose.parent,
                pose.child,
                Transform(pose.matrix[:3, :3], pose.matrix[:3, 3]),
                pose.entry,
                pose.is_inverse,
            )
        )
        for pose in rig.poses
    )


def named(edges: tuple[RigEdge, ...], verdict: Verdict) -> set[tuple[str, str]]:
    """Return the entries that a verdict blames, each with its kind."""
    return set() if verdict.best is None else {(edges[k].edge.entry, fault.kind) for k, fault in verdict.best.faults}


def outcome_of(rig: PlantedRig) -> str:
    """Return how the search answers a rig.

    "right" or "wrong" for an entry and a kind that it names, "open" where it cannot tell, "out of sight" for a fault in
    no loop, "silent" for a healthy rig without a word, "missed" for a fault in a loop that it does not see, and "false
    alarm".
    """
    edges = edges_of(rig)
    opened = [verdict for verdict in search(edges) if verdict.is_open]
    if not rig.entries:
        return "false alarm" if opened else "silent"
    in_loops = {edges[k].edge.entry for block in blocks([edge.frames for edge in edges]) for k in block}
    if not set(rig.entries) & in_loops:
        return "false alarm" if opened else "out of sight"
    if not opened:
        return "missed"
    truth = set(zip(rig.entries, rig.kinds, strict=True))
    told = [named(edges, verdict) for verdict in opened if verdict.state == "found"]
    if any(not found <= truth for found in told):
        return "wrong"
    return "right" if len(told) == len(opened) else "open"
