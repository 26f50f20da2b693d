"""Report of ``framescope check --deep`` and ``--json``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from framescope.app.session.mesh_problems import mesh_problems
from framescope.core.analysis.diagnostics import Diagnosis, diagnose
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.files.loading import LoadedScene


def all_problems(plan: Plan, *, deep: bool) -> tuple[Diagnosis, ...]:
    """Return what is wrong with a plan, and with the mesh files it draws."""
    meshes = (Diagnosis(problem, "file", "mesh file") for problem in mesh_problems(plan))
    return (*diagnose(plan, deep=deep), *meshes)


def as_lines(loaded: LoadedScene, problems: Iterable[Diagnosis]) -> Iterator[str]:
    """Yield a line for each problem, and one for its mend."""
    for error_text in problems:
        problem = loaded.locate(error_text.problem)
        yield f"{loaded.path}: {problem.severity}: {error_text.title}: {problem}"
        if error_text.mend is not None:
            safe = ", changes nothing else" if error_text.is_safe else ""
            yield f"  mend: {error_text.mend_text}{safe}"


def as_json_text(loaded: LoadedScene, problems: Iterable[Diagnosis]) -> str:
    """Return the problems as a JSON list."""
    return json.dumps([_fields(loaded, problem) for problem in problems], indent=2)


def _fields(loaded: LoadedScene, error_text: Diagnosis) -> dict[str, object]:
    problem = loaded.locate(error_text.problem)
    return {
        "kind": error_text.kind,
        "severity": problem.severity,
        "title": error_text.title,
        "where": problem.where,
        "line": problem.line,
        "time": problem.time,
        "times": list(error_text.times),
        "rows": list(error_text.rows),
        "message": problem.message,
        "hint": problem.hint,
        "mend": error_text.mend_text or None,
        "is_safe": error_text.is_safe,
    }
