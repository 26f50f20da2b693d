"""Whether a drive of `foreign_drives` can tell its fault, from exact readings and the noise, by NumPy and SciPy alone.

Readings are laid against each other in relations: turns against turns and rates, specific forces against turns and
accelerations, velocities against positions, positions against positions, fields against turns. A rival is another
explanation of the same readings: no fault, or one fault of another kind or of other readings. Its least chi-square,
over its own numbers and those that nobody knows (headings of references, biases, mounts that are not stated), has to
be over nine: three standard errors.

The table of the first drives: ``python -m tests.support.foreign_drive_rivals SEED...``.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.support.foreign_drive_cases import CAN_TELL, Case, Fit
from tests.support.foreign_drive_hypotheses import (
    NOTHING,
    Explanation,
    Hypothesis,
    by_kind,
    groups_of,
    is_kindred,
)
from tests.support.foreign_drives import Drive, Planted, drive
from tests.support.foreign_motions import Array

OPEN_DEG = 5.0
"""Standard error of a mount from which a direction counts as open, degrees."""

MOST_ALTERNATIVES = 8
"""Kinds of fault in place of one planted fault beside which the other is compared with its rivals."""

SAME_TURN, SAME_VECTORS, SAME_FITTED = 0.1, 0.03, 0.3
"""Difference up to which two faults do the same: of orientations, rad, as a part of vectors, and of fitted values."""


TABLE = Path(__file__).with_name("foreign_drive_rivals.json")
"""Nearest rivals of the faults of the first drives, since they take some seconds each."""


@functools.cache
def _table() -> dict[str, list[dict[str, Any]]]:
    return json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}


def judged(planted: Drive) -> Drive:
    """Return a drive whose faults say whether the motion can tell them, and which rival is nearest.

    The answers of the first drives are kept in `TABLE`.
    """
    rows = _table().get(str(planted.seed), [])
    if [(row["kind"], row["of"]) for row in rows] != [(fault.kind, list(fault.sensors)) for fault in planted.faults]:
        return computed(planted)
    faults = [
        replace(
            fault,
            rival=row["rival"],
            apart=row["apart"],
            can_tell=row["apart"] > CAN_TELL,
            also=tuple(row["also"]),
            single=tuple((kind, name) for kind, name in row["single"]),
        )
        for fault, row in zip(planted.faults, rows, strict=True)
    ]
    return replace(planted, faults=tuple(faults))


def computed(planted: Drive) -> Drive:
    """Return a drive whose faults say whether the motion can tell them, computed anew."""
    verdicts = [_judge(planted, fault) for fault in planted.faults]
    single: tuple[tuple[str, str], ...] = ()
    if len(verdicts) == 2:
        single = _compare_with_single(planted, verdicts)
        open_kinds = [verdict.alternatives() for verdict in verdicts]
        for verdict, of_other in zip(verdicts, reversed(open_kinds), strict=True):
            _compare_with_pairs(planted, verdict, of_other)
    return replace(planted, faults=tuple(replace(verdict.fault(), single=single) for verdict in verdicts))


class Verdict:
    """Nearest rival of a planted fault, as far as rivals have been compared."""

    def __init__(self, drive: Drive, planted: Planted) -> None:
        self.planted = planted
        self.alone = Case(drive, planted)
        self.apart, self.rival = np.inf, ""
        self.also: list[str] = []
        self.rivals: list[Fit] = []
        self._known: dict[Hypothesis, bool] = {}

    def compare(self, chi_square: float, words: str) -> None:
        """Keep a rival if it is nearer than the others."""
        if chi_square < self.apart:
            self.apart, self.rival = float(chi_square), words

    def alternatives(self) -> list[Hypothesis]:
        """Return the faults, one of each kind and readings, that the motion cannot tell from this one, with values.

        Those that bring the true readings back are left out, since the other planted fault is compared beside them.
        """
        least: dict[tuple[str, tuple[str, ...]], Fit] = {}
        for fit in self.rivals:
            fault = fit.explanation[0]
            key = fault.kind, fault.sensors
            is_undone = (
                set(self.planted.sensors) <= set(fault.sensors)
                and fault.kind not in ("delay", "clock drift")
                and self.alone.difference_of_mended(fault, fit.x) < SAME_VECTORS
            )
            if not is_undone and (key not in least or fit.chi_square < least[key].chi_square):
                least[key] = fit
        return [fit.fitted() for fit in sorted(least.values(), key=lambda fit: fit.chi_square)[:MOST_ALTERNATIVES]]

    def is_planted(self, hypothesis: Hypothesis, x: Array) -> bool:
        """Return whether a hypothesis, with all that is unknown and its own numbers, is the planted fault."""
        planted = self.planted
        if set(hypothesis.sensors) != set(planted.sensors) or not is_kindred(hypothesis.kind, planted.kind):
            return False
        if planted.kind in ("unit", "scale", "bias", "clock drift") or hypothesis.kind == "clock drift":
            return True
        if planted.kind == "delay":
            return bool(x[-1] * planted.value[0] > 0.0)
        difference = self.alone.difference_of_mended(hypothesis, x)
        if not hypothesis.size:
            is_turned = all(name.startswith("orientation") for name in hypothesis.sensors[:1])
            return difference < (SAME_TURN if is_turned else SAME_VECTORS)
        return difference < SAME_FITTED or not self._is_known(hypothesis)

    def _is_known(self, hypothesis: Hypothesis) -> bool:
        """Return whether the motion leaves no direction of the fitted turn of a planted fault open.

        If it leaves one, other values are the planted fault as well, since they go over into each other.
        """
        if hypothesis not in self._known:
            fit = self.alone.least([(hypothesis,)])
            J = self.alone.jacobian(fit.x, self.alone.residual(fit.x, fit.explanation), fit.explanation, ())
            covariance = np.linalg.inv(J.T @ J + 1e-6 * np.eye(len(fit.x)))[-hypothesis.size :, -hypothesis.size :]
            known = np.degrees(np.sqrt(np.linalg.eigvalsh(covariance)[-1])) < OPEN_DEG
            self._known[hypothesis] = bool(known)
        return self._known[hypothesis]

    def fault(self) -> Planted:
        """Return the planted fault with what has been found."""
        return replace(
            self.planted,
            can_tell=bool(self.apart > CAN_TELL),
            rival=self.rival,
            apart=float(self.apart),
            also=tuple(dict.fromkeys(self.also)),
        )


def _compare_with_single(drive: Drive, verdicts: list[Verdict]) -> tuple[tuple[str, str], ...]:
    """Compare planted faults with single faults that explain all of them, and return those.

    A single fault that is one of the planted ones is a rival of the others alone.
    """
    case = Case(drive, *drive.faults)
    single: list[tuple[str, str]] = []
    nothing = case.least([NOTHING]).chi_square
    for verdict in verdicts:
        verdict.compare(nothing, "no fault at all")
    for group, bound in _open_groups(case):
        if bound > CAN_TELL:
            for verdict in verdicts:
                if not set(verdict.planted.sensors) <= set(group):
                    verdict.compare(bound, "one fault of " + ", ".join(group))
            continue
        for hypotheses in by_kind(drive, group).values():
            words = f"{hypotheses[0].kind} alone of " + ", ".join(group)
            fits = [_rival_of(case, verdict, hypotheses, ()) for verdict in verdicts]
            for verdict, fit in zip(verdicts, fits, strict=True):
                if fit is not None:
                    verdict.compare(fit.chi_square, words)
            if any(fit is not None and fit.chi_square < CAN_TELL for fit in fits):
                single += [(hypotheses[0].kind, name) for name in group]
    return tuple(single)


def _compare_with_pairs(drive: Drive, verdict: Verdict, of_other: list[Hypothesis]) -> None:
    """Compare a planted fault with another in its place, beside each that cannot be told from the other planted one."""
    case = Case(drive, *drive.faults)
    open_groups: dict[tuple[str, ...], list[tuple[tuple[str, ...], float]]] = {}
    for beside in of_other:
        if verdict.apart < CAN_TELL:
            return
        if verdict.is_planted(beside, np.concatenate([case.first_unknowns(), beside.starts[0]])):
            continue
        if beside.sensors not in open_groups:
            open_groups[beside.sensors] = list(_open_groups(case, beside.sensors))
        words = f"with {beside.kind} of " + ", ".join(beside.sensors)
        for group, bound in open_groups[beside.sensors]:
            if bound < CAN_TELL:
                _compare_beside(case, verdict, group, beside)
            elif not set(verdict.planted.sensors) <= set(group):
                verdict.compare(bound, f"any fault of {', '.join(group)} {words}")


def _compare_beside(case: Case, verdict: Verdict, group: tuple[str, ...], beside: Hypothesis) -> None:
    """Compare a planted fault with those that some readings may have, beside another of other readings."""
    if case.least([(beside,)], without=group).chi_square > verdict.apart:
        return
    for hypotheses in by_kind(case.drive, group).values():
        fit = _rival_of(case, verdict, hypotheses, (beside,))
        is_turned_round = is_kindred(hypotheses[0].kind, verdict.planted.kind) and set(group) <= set(verdict.also)
        if fit is not None and not is_turned_round:
            names = ", ".join(beside.sensors)
            words = f"{hypotheses[0].kind} of {', '.join(group)} with {beside.kind} of {names}"
            verdict.compare(fit.chi_square, words)


def _open_groups(case: Case, beside: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield readings that may share a fault, with the chi-square without them and without some others.

    No fault of theirs leaves less. Readings among others whose bound is too large are left out.
    """
    excluded: list[set[str]] = []
    for group in sorted(groups_of(case.drive), key=len, reverse=True):
        if any(set(group) <= names for names in excluded):
            continue
        is_faulty = set(case.faulty) <= {*group, *beside}
        bound = 0.0 if is_faulty else case.least([NOTHING], without=tuple(dict.fromkeys(group + beside))).chi_square
        if bound > CAN_TELL:
            excluded.append(set(group))
        yield group, bound


def _rival_of(case: Case, verdict: Verdict, hypotheses: list[Hypothesis], beside: Explanation) -> Fit | None:
    """Return the best fit of some faults of one kind that is not the planted one."""
    if hypotheses[0].size:
        explanations: list[Explanation] = [(*beside, hypothesis) for hypothesis in hypotheses]
        is_near = set(hypotheses[0].sensors) == set(verdict.planted.sensors)
        return case.least(explanations, skip=verdict.is_planted if is_near else None)
    x = case.first_unknowns()
    others = [hypothesis for hypothesis in hypotheses if not verdict.is_planted(hypothesis, x)]
    return case.least([(*beside, hypothesis) for hypothesis in others]) if others else None


def write_table(seeds: Iterable[int]) -> None:
    """Put the nearest rivals of drives, computed anew, into the table."""
    for seed in seeds:
        faults = computed(drive(seed)).faults
        rows = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
        rows[str(seed)] = [
            {
                "kind": f.kind,
                "of": f.sensors,
                "rival": f.rival,
                "apart": float(f"{f.apart:.4g}"),
                "also": f.also,
                "single": f.single,
            }
            for f in faults
        ]
        lines = [f"{json.dumps(key)}: {json.dumps(rows[key], ensure_ascii=False)}" for key in sorted(rows, key=int)]
        TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _judge(drive: Drive, fault: Planted) -> Verdict:
    """Return the verdict about a fault whose other planted faults are known."""
    verdict = Verdict(drive, fault)
    case = verdict.alone
    verdict.compare(case.least([NOTHING]).chi_square, "no fault")
    if verdict.apart < CAN_TELL:
        return verdict
    for group, bound in _open_groups(case):
        if bound > CAN_TELL:
            verdict.compare(bound, "any fault of " + ", ".join(group))
            continue
        for hypotheses in by_kind(drive, group).values():
            kind = hypotheses[0].kind
            is_decided = len(drive.faults) == 1 and verdict.apart < 0.1 * CAN_TELL
            if is_decided and not is_kindred(kind, fault.kind):
                continue
            fit = _rival_of(case, verdict, hypotheses, NOTHING)
            if fit is None:
                continue
            is_other_group = set(group) != set(fault.sensors)
            if is_other_group and is_kindred(kind, fault.kind) and fit.chi_square < CAN_TELL:
                verdict.also += group
            else:
                verdict.compare(fit.chi_square, f"{kind} of " + ", ".join(group))
            if fit.chi_square < CAN_TELL:
                verdict.rivals.append(fit)
    return verdict


def open_directions(drive: Drive, frame: str) -> list[Array]:
    """Return the unit vectors, in the body, about which a mount cannot be known; three if it cannot be known at all."""
    values, vectors = np.linalg.eigh(mount_covariance(drive, frame))
    return [vectors[:, k] for k in range(3) if np.degrees(np.sqrt(values[k])) > OPEN_DEG]


def mount_covariance(drive: Drive, frame: str) -> Array:
    """Return the covariance of the mount of a frame by exact readings without faults, resolved in the body, rad²."""
    return Case(replace(drive, faults=())).mount_covariance(frame)


if __name__ == "__main__":
    write_table(map(int, sys.argv[1:]))
