"""Judgement of an import of a file whose truth is known: right, or doubtful with the right reading as a choice."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from framescope.app.cli.main import app
from tests.imports.motions import Motion, Variant
from tests.support.command_line import CliRunner

_OPTIONS = {
    "angle_unit": ("--unit", "angle="),
    "position_unit": ("--unit", "position="),
    "time_unit": ("--unit", "time="),
    "angular_velocity_unit": ("--unit", "angular_velocity="),
    "acceleration_unit": ("--unit", "acceleration="),
    "specific_force_unit": ("--unit", "specific_force="),
}


@dataclass(frozen=True)
class Judgement:
    """What became of a variant: ``right``, ``assumed``, ``open``, or why it is wrong."""

    verdict: str
    why: str = ""


def run_import(path: Path, answers: Mapping[str, str] = {}) -> tuple[dict[str, Any], int]:
    """Return what ``framescope import --json`` prints, and its exit status."""
    options: list[str] = []
    for name, value in answers.items():
        option, prefix = _OPTIONS.get(name, (f"--{name.replace('_', '-')}", ""))
        for part in value.split("; ") if name == "vector" else (value,):
            options += [option, prefix + part]
    result = CliRunner().invoke(app, ["import", str(path), "--json", *options])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return (json.loads(result.output) if result.output.startswith("{") else {"error": result.output}), result.exit_code


def judged(variant: Variant, folder: Path) -> Judgement:  # noqa: C901, PLR0912 - one return for each way to be wrong
    """Return whether a variant is read right, or says what it does not know."""
    path = variant.write(folder)
    found, status = run_import(path)
    if "error" in found or not found["files"][0]["recordings"]:
        return Judgement("wrong", str(found.get("error") or found["files"][0]["message"]))
    file = found["files"][0]
    made = {each["name"]: each for each in file["decisions"]}
    settled = [
        name for name in variant.must_be if name not in made or made[name]["certainty"] not in ("assumed", "open")
    ]
    if settled:
        return Judgement("wrong", f"taken for settled: {[(name, made.get(name)) for name in settled]}")
    if (status == 3) != any(each["certainty"] == "open" for each in file["decisions"]) and status != 2:
        return Judgement("wrong", f"exit status {status}")
    if variant.only_doubtful:
        return Judgement("open" if status == 3 else "wrong", f"exit status {status}")
    miss = difference(file, variant)
    if not miss:
        return Judgement("right")
    needed = {
        name: value for name, value in variant.answers.items() if name not in made or made[name]["value"] != value
    }
    if not needed:
        return Judgement("wrong", f"{miss}; {_shown(file)}")
    sorts: list[str] = []
    for name, value in needed.items():
        name, value = ("holds", "vectors") if name == "vector" else (name, value)  # noqa: PLW2901 - answered together
        decision = made.get(name)
        if decision is None:
            continue  # comes with another answer, which is judged
        if decision["certainty"] not in ("assumed", "open"):
            return Judgement("wrong", f"{name} is {decision['certainty']}: {decision}; {miss}")
        if name != "rate" and value not in decision["alternatives"]:
            return Judgement("wrong", f"{name}: {value} is not among {decision['alternatives']}; {miss}")
        sorts.append(decision["certainty"])
    if not sorts:
        return Judgement("wrong", f"{miss}; {_shown(file)}")
    answered, _ = run_import(path, variant.answers)
    if "error" in answered:
        return Judgement("wrong", f"answered {variant.answers}: {answered['error']}")
    miss = difference(answered["files"][0], variant)
    if miss:
        return Judgement("wrong", f"answered {dict(variant.answers)}, still {miss}; {_shown(answered['files'][0])}")
    return Judgement("open" if "open" in sorts else "assumed")


def _shown(file: Mapping[str, Any]) -> str:
    return "; ".join(f"{each['name']}={each['value']} ({each['certainty']})" for each in file["decisions"])


def difference(file: Mapping[str, Any], variant: Variant) -> str:  # noqa: C901 - the same
    """Return in what a report differs from the truth of its file; empty where it does not."""
    recordings: Sequence[Mapping[str, Any]] = file["recordings"]
    if variant.vectors:
        found = {each["form"]: each for each in recordings}
        for form, values in variant.vectors.items():
            if form not in found or found[form]["first"] is None:
                return f"no {form}"
            for end, i in (("first", 0), ("last", -1)):
                if not np.allclose(found[form][end]["value"], values[i], rtol=1e-4, atol=1e-6):
                    return f"{form}, {end}: {found[form][end]['value']} for {values[i]}"
        return _span(recordings[0], variant.truth, variant.slack)
    first = recordings[0]
    if first["form"] != "pose" or first["first"] is None:
        return f"no pose: {first['problems']}"
    truth = variant.truth
    for end, i in (("first", 0), ("last", -1)):
        if not np.allclose(first[end]["position"], truth.p[i], rtol=1e-6, atol=max(variant.slack, 1e-6)):
            return f"{end} position {first[end]['position']} for {truth.p[i]}"
        if not np.allclose(first[end]["matrix"], truth.R[i], atol=1e-6):
            return f"{end} rotation"
        if abs(abs(np.dot(first[end]["quaternion_xyzw"], truth.q[i])) - 1.0) > 1e-6:
            return f"{end} quaternion"
    return _span(first, truth, variant.slack) or ("" if first["usable"] else f"not usable: {first['problems']}")


def _span(recording: Mapping[str, Any], truth: Motion, slack: float) -> str:
    span = float(truth.t[-1] - truth.t[0])
    return (
        ""
        if abs(recording["duration"] - span) < max(slack, 2e-5) * span + 1e-6
        else f"{recording['duration']} s for {span} s"
    )
