"""Judgement of what is said of a set-up whose truth is known: found, explained, and mended towards the truth."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.schema.model import Scene
from tests.setups.corpus import Case
from tests.setups.items import Setup
from tests.setups.motions import Array, Pose, Truth, angles_between, between, in_world, still, vector

TIMES = 60
KEPT = 0.9
"""Part of the times that counts: wild rows, and what is next to them, are left out of both sides."""

NEAR = {"m": 3e-3, "rad": np.radians(0.2), "m/s": 0.02, "rad/s": 0.003, "m/s²": 0.05}
"""By how much a mended scene may miss the truth by more than the healthy one does."""

REST = 0.25
"""Part of a miss that a mend may leave: of what a delay or a turn was estimated to be."""

SEVERAL = re.compile(r"\bMend (both|all)\b|\bSay it so\b")
"""Words of buttons that mend several causes at once."""

Misses = Mapping[tuple[str, str], float]
"""By how much each item misses the truth: by its name and a unit."""


@dataclass(frozen=True)
class Judgement:
    """What became of a case.

    Attributes
    ----------
    found
        Whether something red or amber stands at the item, or on a loop or measurement that it takes part in.
    explained
        ``mend`` where the first mend leads back to the truth, ``choice`` where one of several does, ``named`` where no
        mend is offered but the right item and the right cause are said; empty where it is not explained.
    harm
        What a first mend makes worse.
    invented
        Buttons that mend more than there is, and leave the truth: of several causes where one is planted.
    alarms
        Red and amber problems that are not of the fault.
    """

    label: str
    found: bool
    explained: str
    harm: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()
    alarms: tuple[str, ...] = ()
    told: tuple[str, ...] = field(default=(), repr=False)


def judged(case: Case) -> Judgement:
    """Return whether what is said of a case is right."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        healthy = _compiled(case.healthy.write(folder), folder)
        expected = misses(healthy, case.healthy)
        plan = _compiled(case.setup.write(folder), folder)
        before = misses(plan, case.healthy)
        said = [one for one in diagnose(plan) if one.severity in ("red", "amber")]
        said = [one for one in said if (one.name, one.kind) not in case.setup.allowed]
        at = [touched(case.healthy, fault.item) | touched(case.setup, fault.item) for fault in case.faults]
        harm = [
            f"{one.fix_text} of {one.name}: {worse}"
            for one in said
            if (after := _mended(one, plan, folder, case.healthy)) is not None
            for worse in _worse(before, after)
        ]
        invented = [
            f"{text} of {one.name}: {edit.label}"
            for one in said
            for text, edit in _mends(one)
            if len(case.faults) < 2 and SEVERAL.search(text)
            and any(_worse(before, _after(edit, plan, folder, case.healthy)))
        ]  # fmt: skip
        explained = [
            _explained(case, i, [one for one in said if one.name in at[i]], plan, folder, expected, before)
            for i in range(len(case.faults))
        ]
    told = tuple(f"{one.severity} {one.name}: {one.kind}, {one.title}: {one.message} "
                 f"{one.hint} [{', '.join(text for text, _ in _mends(one))}]" for one in said)  # fmt: skip
    found = all(any(one.name in names for one in said) for names in at) or _says_several(said)
    alarms = tuple(text for one, text in zip(said, told, strict=True) if not any(one.name in names for names in at))
    joined = explained[0] if len(explained) == 1 else " and ".join(explained) if all(explained) else ""
    if len(case.faults) > 1 and not joined and _says_several(said):
        joined = "several"
    return Judgement(case.label, found and bool(said), joined, tuple(harm), tuple(invented), alarms, told)


def touched(setup: Setup, item: str) -> set[str]:
    """Return the items that a faulty one has a part in: itself, and what is measured by way of it, or the other way."""
    paths = {name: _path(setup, name) for name in setup.measured}
    if item in setup.measured:
        return {item, *paths[item]}
    loops = {name for name, path in paths.items() if item in path}
    return {item, *loops}


def _path(setup: Setup, name: str) -> set[str]:
    """Return the frames by way of which a measurement closes a loop."""
    one = setup.measured[name]
    ends = [one.of, getattr(one, "parent", ""), getattr(one, "relative_to", ""), getattr(one, "resolved_in", "")]
    above = [_above(setup, end) for end in ends if end]
    return set.union(*above) - set.intersection(*above)


def _above(setup: Setup, frame: str) -> set[str]:
    found: set[str] = set()
    while frame in setup.frames:
        found.add(frame)
        frame = setup.frames[frame].parent
    return found


def misses_of(setup: Setup, healthy: Setup) -> Misses:
    """Return by how much a set-up as it is written misses the truth of the healthy one."""
    with tempfile.TemporaryDirectory() as folder:
        return misses(_compiled(setup.write(Path(folder)), Path(folder)), healthy)


def misses(plan: Plan, setup: Setup) -> Misses:
    """Return by how much the frames and the measurements of a scene miss the truth."""
    t = np.linspace(0.03, 0.97, TIMES) * setup.span
    snapshot = evaluate(plan, t)
    truth = _with_new_frames(setup.truth, plan)
    found: dict[tuple[str, str], float] = {}
    poses = {
        name: (snapshot.R_WF[:, i], snapshot.p_WF[:, i])
        for name, i in snapshot.index.items()
        if name in truth or name == "world"
    }
    for name in setup.truth:
        _add(found, name, poses.get(name), in_world(truth, name, t))
    for name, one in plan.instruments.measurements.items():
        if {one.of, one.relative_to, one.resolved_in or one.of} - poses.keys():
            continue  # of a frame that a mend has made
        if one.pose is not None:
            T, p = one.pose(t)
            true = between(in_world(truth, one.relative_to, t), in_world(truth, one.of, t))
            pose = np.swapaxes(T, -1, -2), p if one.has_position else true[1]
            _add(found, name, pose if one.has_orientation else (true[0], p), true)
        elif one.series is not None:
            true = vector(truth, one.kind, one.of, one.relative_to, one.resolved_in, t)
            unit = {"velocity": "m/s", "acceleration": "m/s²"}.get(one.kind, "rad/s")
            # averaged over noise: what is wrong with it stays
            found[name, unit] = _size(_averaged(one.series(_around(t))) - _averaged(
                vector(truth, one.kind, one.of, one.relative_to, one.resolved_in, _around(t))))  # fmt: skip
    return found


def _with_new_frames(truth: Truth, plan: Plan) -> Truth:
    """Return a truth that knows the fixed frames, too, which a mend has made."""
    snapshot, found = evaluate(plan, np.zeros(1)), dict(truth)
    for name in snapshot.index.keys() - truth.keys() - {"world"}:
        parent, i = plan.scene.frames[name].parent, snapshot.index[name]
        k = snapshot.index[parent]
        R, p = between((snapshot.R_WF[:, k], snapshot.p_WF[:, k]), (snapshot.R_WF[:, i], snapshot.p_WF[:, i]))
        found[name] = still(parent, R[0], tuple(p[0]))
    return found


def _around(t: Array) -> Array:
    return (t[:, None] + np.linspace(-0.02, 0.02, 9)).ravel()


def _averaged(values: Array) -> Array:
    return values.reshape(-1, 9, 3).mean(axis=1)


def _add(found: dict[tuple[str, str], float], name: str, pose: Pose | None, true: Pose) -> None:
    if pose is None:
        found[name, "m"] = found[name, "rad"] = np.inf
        return
    found[name, "m"] = _size(pose[1] - true[1])
    is_there = np.isfinite(pose[0]).all(axis=(1, 2))
    found[name, "rad"] = _size(angles_between(pose[0][is_there], true[0][is_there])[:, None])


def _size(vectors: Array) -> float:
    """Return the root mean square of the smaller ones."""
    lengths = np.sort(np.linalg.norm(vectors[np.isfinite(vectors).all(axis=1)], axis=1))
    kept = lengths[: max(1, int(KEPT * len(lengths)))]
    return float(np.sqrt((kept**2).mean())) if len(kept) else np.inf


def _worse(before: Misses, after: Misses) -> Iterator[str]:
    for key, miss in after.items():
        if key in before and miss > 1.05 * before[key] + NEAR[key[1]]:
            yield f"{key[0]} is {miss:.3g} {key[1]} off and not {before[key]:.3g}"


def _is_true(after: Misses, expected: Misses, before: Misses, names: set[str]) -> bool:
    """Return whether what a fault was in the way of is as in the healthy scene."""
    off = {key for key in expected if before.get(key, np.inf) > expected[key] + NEAR[key[1]] and key[0] in names}
    if not off:
        off = {key for key in expected if key[0] in names}
    return all(
        after.get(key, np.inf) <= expected[key] + max(NEAR[key[1]], REST * (min(before[key], 1e3) - expected[key]))
        for key in off
        if key in before
    )


def _explained(
    case: Case, i: int, said: list[Problem], plan: Plan, folder: Path, expected: Misses, before: Misses
) -> str:
    """Return how a fault is explained by what stands at its items."""
    others = {name for k, fault in enumerate(case.faults) if k != i for name in _below(case.healthy, fault.item)}
    names = {*_below(case.healthy, case.faults[i].item)} - others or {case.faults[i].item}
    for one in said:
        for k, (_, edit) in enumerate(_mends(one)):
            after = _after(edit, plan, folder, case.healthy)
            if after is not None and _is_true(after, expected, before, names) and not any(_worse(before, after)):
                return "mend" if k == 0 and one.fix is not None else "choice"
    fault = case.faults[i]
    for one in said:
        text = f"{one.title} {one.message} {one.hint}"
        names_it = one.name == fault.item or re.search(rf"\b{fault.item}\b", text)
        if one.fix is None and names_it and fault.words and re.search(fault.words, text, re.IGNORECASE):
            return "named"
    return ""


def _below(setup: Setup, item: str) -> set[str]:
    """Return a frame and those that hang on it; a measurement alone."""
    return {item, *(name for name in setup.frames if item in _above(setup, name))}


def _says_several(said: list[Problem]) -> bool:
    return any("more than one" in f"{one.message} {one.hint}" for one in said)


def _mends(one: Problem) -> list[tuple[str, object]]:
    """Return what is offered, the first button first."""
    return [(fix.text, fix.change) for fix in one.fixes]


def _mended(one: Problem, plan: Plan, folder: Path, setup: Setup) -> Misses | None:
    return None if one.fix is None else _after(one.fix.change, plan, folder, setup)


def _after(edit: object, plan: Plan, folder: Path, setup: Setup) -> Misses | None:
    return misses(compile_plan(edit.apply(plan.scene), folder), setup)


def _compiled(scene: dict, folder: Path) -> Plan:
    return compile_plan(Scene.model_validate(scene), folder)
