"""The limits that SECURITY.md states are those that tables and meshes are read with."""

from __future__ import annotations

from pathlib import Path

import pytest

from framescope.core.mesh_files import gltf, gltf_data, surface
from framescope.core.recordings import pose_spline
from framescope.core.recordings.columns import choices
from framescope.core.recordings.tables import limits, mixed

PAGE = (Path(__file__).parents[2] / "SECURITY.md").read_text("utf-8")


def row(name: str) -> str:
    return next(line for line in PAGE.splitlines() if line.startswith(f"| {name} |"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("table, recording", f"{limits.MAX_FILE_BYTES // 1_000_000} MB of UTF-8"),
        ("table, recording", f"{limits.MAX_UNPACKED_BYTES // 1_000_000} MB when unpacked"),
        ("table, recording", f"{limits.MAX_RATIO} times its packed size"),
        ("table, recording", f"over {limits.ANY_RATIO_BYTES // 1_000_000} MB"),
        ("table, recording", f"{limits.MAX_ROWS // 1_000_000} million rows"),
        ("table, recording", f"{limits.MAX_COLUMNS} columns"),
        ("table, recording", f"{limits.MAX_CELLS // 1_000_000} million cells"),
        ("table, recording", f"a line {limits.MAX_LINE_LENGTH:,} characters".replace(",", " ")),
        ("table, recording", f"the name of a column {limits.MAX_NAME_LENGTH}"),
        ("table, recording", f"a recording {pose_spline.MAX_SAMPLES:,} samples".replace(",", " ")),
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
        ("texts in a table", f"{mixed.MAX_NAMES:,} different ones".replace(",", " ")),
        ("texts in a table", f"{limits.MAX_NAME_LENGTH} characters of each"),
        ("frames of one table", f"{choices.MOST_FRAMES} are offered, the first {choices.MAX_FRAMES}"),
    ],
)
def test_that_the_stated_limits_are_true(name, text) -> None:
    assert text in row(name)
