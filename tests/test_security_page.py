"""The limits that SECURITY.md states are those that tables and meshes are read with."""

from __future__ import annotations

from pathlib import Path

import pytest

from framescope.core import import_choices, mixed_tables, recordings, table_limits
from framescope.core.mesh_files import gltf, gltf_data, surface

PAGE = (Path(__file__).parents[1] / "SECURITY.md").read_text("utf-8")


def row(name: str) -> str:
    return next(line for line in PAGE.splitlines() if line.startswith(f"| {name} |"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("table, recording", f"{table_limits.MAX_FILE_BYTES // 1_000_000} MB of UTF-8"),
        ("table, recording", f"{table_limits.MAX_UNPACKED_BYTES // 1_000_000} MB when unpacked"),
        ("table, recording", f"{table_limits.MAX_RATIO} times its packed size"),
        ("table, recording", f"over {table_limits.ANY_RATIO_BYTES // 1_000_000} MB"),
        ("table, recording", f"{table_limits.MAX_ROWS // 1_000_000} million rows"),
        ("table, recording", f"{table_limits.MAX_COLUMNS} columns"),
        ("table, recording", f"{table_limits.MAX_CELLS // 1_000_000} million cells"),
        ("table, recording", f"a line {table_limits.MAX_LINE_LENGTH:,} characters".replace(",", " ")),
        ("table, recording", f"the name of a column {table_limits.MAX_NAME_LENGTH}"),
        ("table, recording", f"a recording {recordings.MAX_SAMPLES:,} samples".replace(",", " ")),
        ("mesh", f"{surface.MAX_BYTES // 1_000_000} MB, {surface.MAX_TRIANGLES // 1_000_000} million triangles"),
        (
            "mesh",
            f"{surface.MAX_POINTS // 1_000_000} million vertices, coordinates up to {surface.MAX_SIZE:.0e}".replace(
                "+", ""
            ),
        ),
        ("mesh", f"a line {surface.MAX_LINE_LENGTH // 1_000_000} MB"),
        ("mesh", f"a description of {gltf.MAX_JSON // 1_000_000} MB, {gltf.MAX_PARTS // 1000} 000 parts"),
        ("mesh", f"{gltf_data.MAX_MADE // 1_000_000} MB of what is not in the file"),
        ("texts in a table", f"{mixed_tables.MAX_NAMES:,} different ones".replace(",", " ")),
        ("texts in a table", f"{table_limits.MAX_NAME_LENGTH} characters of each"),
        ("frames of one table", f"{import_choices.MOST_FRAMES} are offered, the first {import_choices.MAX_FRAMES}"),
    ],
)
def test_that_the_stated_limits_are_true(name, text) -> None:
    assert text in row(name)
