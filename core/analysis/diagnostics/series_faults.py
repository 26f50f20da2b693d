"""What is wrong with the times of recorded vectors."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from framescope.core.analysis.diagnostics.diagnosis import MAX_TIMES, Diagnosis, found
from framescope.core.analysis.diagnostics.row_text import count, mended_rows, more, without_numbers
from framescope.core.errors import ItemError
from framescope.core.evaluation.compile.recorded import file_faults
from framescope.core.evaluation.evaluate import Plan
from framescope.core.recordings.tables.mixed import missing_in, read_mixed
from framescope.core.scene.files.referenced_files import TABLE_FILES
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.system.file_access import resolve_named


def series_faults(plan: Plan) -> Iterator[Diagnosis]:
    """Yield why the times of a claimed vector cannot be used; what is otherwise wrong with its file is said already."""
    for name, claim in plan.scene.measured.items():
        if not isinstance(claim, MeasuredVector) or name in plan.instruments.claims:
            continue
        try:
            unit = unit_factor(claim.time_unit, "recorded time", ("time_unit",))
            start = claim.start.si("time", ("start",))
            path = resolve_named(claim.file, plan.context.access, ("file",), TABLE_FILES)
            with file_faults(("file",), claim.file):
                table = read_mixed(path)
                rows = table.whole_rows((claim.time, *claim.values))
                t = table.table([claim.time], rows).since_first(claim.time) if len(rows) else np.zeros(0)
        except ItemError:
            continue
        key = ("measured", name)
        missing = missing_in(table, (claim.time, *claim.values))
        if missing is not None and "drop missing" not in claim.mends:
            yield without_numbers(key, missing)
            continue
        if not len(t):
            continue
        at, step = start + unit * t, np.diff(t)
        back, same = np.flatnonzero(step < 0.0) + 1, np.flatnonzero(np.diff(np.sort(t)) == 0.0) + 1
        if back.size and "sort by time" not in claim.mends:
            by = float(-step.min()) * unit
            said = f"after row {rows[back[0] - 1] + 1} the time is {by:.3g} s earlier{more(len(back), 'such place')}."
            one = found(
                (*key, "file"), "time-backward", "time running back", said, severity="red",
                times=at[back[:MAX_TIMES]].tolist(), rows=(rows[back] + 1).tolist(),
            )  # fmt: skip
            yield one.with_mend("Sort by time", mended_rows(key, "sort by time"))
        elif same.size and "drop duplicates" not in claim.mends:
            order = np.argsort(t, kind="stable")[same]
            said = f"{count(len(same), 'row')} with the time of the one before."
            one = found(
                (*key, "file"), "duplicate-sample", "two samples of one time", said, severity="red",
                times=at[order[:MAX_TIMES]].tolist(), rows=(rows[order] + 1).tolist(),
            )  # fmt: skip
            yield one.with_mend("Leave out", mended_rows(key, "drop duplicates"))
