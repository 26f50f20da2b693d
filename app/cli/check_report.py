"""What ``framescope check --deep`` and ``--json`` print."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from framescope.app.session.mesh_problems import mesh_problems
from framescope.core.analysis.diagnostics import Diagnosis, diagnose
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.files.loading import LoadedScene


def all_faults(plan: Plan, *, deep: bool) -> tuple[Diagnosis, ...]:
    """Return what is wrong with a plan, and with the mesh files it draws."""
    meshes = (Diagnosis(problem, "file", "mesh file") for problem in mesh_problems(plan))
    return (*diagnose(plan, deep=deep), *meshes)


def as_lines(loaded: LoadedScene, faults: Iterable[Diagnosis]) -> Iterator[str]:
    """Yield a line for each fault, and one for its mend."""
    for fault in faults:
        problem = loaded.locate(fault.problem)
        yield f"{loaded.path}: {problem.severity}: {fault.title}: {problem}"
        if fault.mend is not None:
            safe = ", changes nothing else" if fault.is_safe else ""
            yield f"  mend: {fault.mend_text}{safe}"


def as_json_text(loaded: LoadedScene, faults: Iterable[Diagnosis]) -> str:
    """Return the faults as a JSON list."""
    return json.dumps([_fields(loaded, fault) for fault in faults], indent=2)


def _fields(loaded: LoadedScene, fault: Diagnosis) -> dict[str, object]:
    problem = loaded.locate(fault.problem)
    return {
        "kind": fault.kind,
        "severity": problem.severity,
        "title": fault.title,
        "where": problem.where,
        "line": problem.line,
        "time": problem.time,
        "times": list(fault.times),
        "rows": list(fault.rows),
        "message": problem.message,
        "hint": problem.hint,
        "mend": fault.mend_text or None,
        "is_safe": fault.is_safe,
    }
