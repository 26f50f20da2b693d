"""Words and mends for rows of files, and what is said of those without a number."""

from __future__ import annotations

from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, found
from framescope.core.errors import KeyPath
from framescope.core.recordings.tables.limits import quoted
from framescope.core.recordings.tables.mixed import Missing
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.fields import value_at, with_value
from framescope.core.scene.schema.model import Scene


def mended_rows(key: KeyPath, mend: str) -> Edit:
    """Return the edit that adds one of the `mends` to what reads a file, at its place."""
    path = (*key, "mends")

    def apply(scene: Scene) -> Scene:
        mends = value_at(scene, path)
        return scene if mend in mends else with_value(scene, path, (*mends, mend))

    return Edit(f"{key[1]}: {mend}", apply)


def without_numbers(key: KeyPath, missing: Missing) -> Diagnosis:
    """Return that rows lack a number, with the mend that leaves them out where there are others."""
    said = f"row {missing.rows[0] + 1} has no number in the column {quoted(missing.column)}"
    said += f"{more(len(missing.rows), 'such row')}."
    rows = (missing.rows + 1).tolist()
    one = found((*key, "file"), "missing-number", "no number", said, severity="red", rows=rows)
    return one.with_mend("Leave out", mended_rows(key, "drop missing")) if missing.left else one


def count(n: int, what: str) -> str:
    """Return a number of things.

    >>> count(1, "row"), count(3, "row")
    ('1 row', '3 rows')
    """
    return f"{n} {what}{'s' * (n > 1)}"


def more(n: int, what: str) -> str:
    """Return what follows the first of several things.

    >>> more(1, "gap"), more(3, "gap")
    ('', '; there are 3 gaps')
    """
    return f"; there are {n} {what}s" if n > 1 else ""
