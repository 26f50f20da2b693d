"""Variants of a plan that share its unchanged parts, so that hundreds of them can be tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from framescope.core.analysis.diagnostics.underconstrained_bodies import not_at_all
from framescope.core.errors import ItemError
from framescope.core.evaluation.compile.instruments import CompiledMeasurement, compile_measurement
from framescope.core.evaluation.compile.motions import compile_motion
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.evaluation.frame_tree import FrameTree, Rows, build_tree, rings_of, subtree, without_rings
from framescope.core.evaluation.local_motion import LocalMotion
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.model import ITEM_KINDS, Scene
from framescope.core.scene.schema.motions import Simulated

PASSIVE_PARTS = frozenset({*ITEM_KINDS, "view", "title", "source"}) - {"bodies", "points", "elements"}
"""Parts of a scene that may change without another simulation."""


def restrict_plan(plan: Plan, names: Iterable[str]) -> Plan:
    """Return a plan of only the named frames and their ancestors."""
    return replace(plan, tree=subtree(plan.tree, names))


def vary_plan(plan: Plan, scene: Scene, motions: Mapping[str, LocalMotion] | None = None) -> Plan:
    """Return the plan of a changed scene, without running a simulation.

    Parameters
    ----------
    plan
        The plan that provides the unchanged parts.
    scene
        The changed scene. Problems are not reported: an invalid item is left out.
    motions
        Motions of frames that replace those in the scene.
    """
    if not _is_near(plan.scene, scene):
        return compile_plan(scene, access=plan.context.access, run=not_at_all)
    tree, compiled = plan.tree, dict(plan.tree.motions)
    given_motions, is_moved = dict(motions or {}), False
    for name, frame in scene.frames.items():
        row = tree.index.get(name)
        if row is None or (frame is plan.scene.frames[name] and name not in given_motions):
            continue
        is_moved = is_moved or frame.parent != plan.scene.frames[name].parent
        try:
            compiled[row] = given_motions.get(name) or compile_motion(name, frame, plan.context, {})
        except ItemError:
            compiled.pop(row, None)
    changed = [row for row in {*compiled, *tree.motions} if compiled.get(row) is not tree.motions.get(row)]
    if not is_moved and all(
        _is_still(motions_of.get(row)) for row in changed for motions_of in (tree.motions, compiled)
    ):
        tree = _with_still(tree, {row: compiled[row] for row in changed})
    else:
        tree = build_tree(tree.names, _parents(scene, tree) if is_moved else tree.parents, compiled)
    return replace(
        plan,
        scene=scene,
        tree=tree,
        instruments=replace(plan.instruments, measurements=_compile_measurements(plan, scene)),
    )


def _parents(scene: Scene, tree: FrameTree) -> Rows:
    """Return the parent rows of all frames of a tree according to a scene."""
    rows = (tree.index.get(scene.frames[name].parent, -1) for name in tree.names[1:])
    parents = np.array([0, *rows], dtype=np.intp)
    return without_rings(parents, rings_of(parents))


def _is_still(motion: LocalMotion | None) -> bool:
    return motion is not None and motion.still is not None


def _with_still(tree: FrameTree, motions: Mapping[int, LocalMotion]) -> FrameTree:
    """Return a tree with other poses of some constant frames."""
    if not motions:
        return tree
    T, p = tree.still_T_PF.copy(), tree.still_p_PF.copy()
    for row, motion in motions.items():
        if motion.still is not None:
            T[row], p[row] = motion.still
    return replace(tree, motions={**tree.motions, **motions}, still_T_PF=T, still_p_PF=p)


def _compile_measurements(plan: Plan, scene: Scene) -> Mapping[str, CompiledMeasurement]:
    measurements = dict(plan.instruments.measurements)
    for name, item in scene.measured.items():
        if item is not plan.scene.measured[name]:
            measurements.pop(name, None)
            try:
                measurements[name], _ = compile_measurement(name, item, plan.index, plan.context)
            except ItemError:
                continue
    return measurements


def with_item_of(scene: Scene, kind: str, name: str, item: Item) -> Scene:
    """Return a scene with another item under an existing name, without validation: it comes from a valid item."""
    return scene.model_copy(update={kind: getattr(scene, kind) | {name: item}})


def _is_near(scene: Scene, other: Scene) -> bool:
    """Return whether two scenes have the same items, and differ only in frames and measurements."""
    if any(
        getattr(scene, key) is not getattr(other, key) for key in type(scene).model_fields if key not in PASSIVE_PARTS
    ):
        return False
    if scene.frames.keys() != other.frames.keys() or scene.measured.keys() != other.measured.keys():
        return False
    changed = (name for name, frame in other.frames.items() if frame is not scene.frames[name])
    return not any(isinstance(version.frames[name].motion, Simulated) for name in changed for version in (scene, other))
