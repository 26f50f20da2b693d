"""The limits that SECURITY.md states are those of the code, and what it promises is held by tests that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from framescope.app.controllers import restart
from framescope.app.session import document_record as record
from framescope.app.storage import settings_store
from framescope.core.mesh_files import clouds, gltf, gltf_data, surface
from framescope.core.recordings import pose_spline
from framescope.core.recordings.tables import limits, mixed
from framescope.core.scene.files import yaml_reading
from framescope.core.system import xml_elements
from framescope.features.bags.core import compression, sqlite_file
from framescope.features.lessons.core import lesson
from framescope.features.modelica.core import visual_xml
from framescope.features.robots.app import mjcf_reader as mjcf
from framescope.features.robots.app import xacro_reader as xacro
from framescope.features.robots.core.mjcf import child, source
from framescope.features.table_import.core import choices
from framescope.ui.theme import mathml

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
        ("points", f"{clouds.MAX_BYTES // 1_000_000} MB, {surface.MAX_POINTS // 1_000_000} million points"),
        ("points", f"{clouds.MAX_DRAWN // 1000} 000 are drawn, evenly chosen"),
        ("points", f"a line {clouds.MAX_LINE_LENGTH // 1_000_000} MB"),
        ("texts in a table", f"{mixed.MAX_NAMES:,} different ones".replace(",", " ")),
        ("texts in a table", f"{limits.MAX_NAME_LENGTH} characters of each"),
        ("bag", f"a message or part of a file {round(compression.MAX_PART / 1.048576e6)} MB"),
        ("bag", f"a packed file {compression.MAX_RATIO} times its size"),
        ("bag", f"{sqlite_file.MAX_TEXT >> 20} MB of SQL text, {sqlite_file.MAX_TOPICS // 1000} 000 topics"),
        ("robot: URDF, SDF, MJCF", f"{xml_elements.MAX_BYTES // 1_000_000} MB of XML without a document type"),
        (
            "robot: URDF, SDF, MJCF",
            f"{xml_elements.MAX_ELEMENTS // 1000} 000 elements, {xml_elements.MAX_DEPTH} levels",
        ),
        ("MJCF, compiled", f"{source.MAX_COMPILED // 1000} 000 elements with their replicas, {mjcf.TIMEOUT_S:g} s"),
        ("MJCF, compiled", f"a process of {mjcf.LIMITS.memory >> 30} GB"),
        ("MJCF, compiled", f"hands back {child.MOST_WRITTEN // 1_000_000} MB"),
        ("xacro", f"{xacro.TIMEOUT_S:g} s in a process of {xacro.LIMITS.memory >> 30} GB"),
        (
            "Modelica result (`.mat`)",
            f"{visual_xml.MAX_BYTES // 1_000_000} MB, {visual_xml.MAX_SHAPES // 1000} 000 shapes",
        ),
        ("lesson", f"{yaml_reading.MAX_FILE_BYTES // 1_000_000} MB of UTF-8, {lesson.MAX_STEPS} steps"),
        ("formula", f"{mathml.MAX_LENGTH} characters, {mathml.MAX_WORK} units of work"),
        ("settings", f"{settings_store.MAX_BYTES // 1_000_000} MB at most"),
        ("note of a start in another size", f"{restart.MAX_NOTE_BYTES // 1_000_000} MB"),
        (
            "note of a start in another size",
            f"{record.MAX_CHARACTERS // 1_000_000} million characters of earlier scenes",
        ),
        ("note of a start in another size", f"{record.MAX_TEXT_CHARACTERS // 1_000_000} million of earlier texts"),
        ("frames of one table", f"{choices.MOST_FRAMES} are offered, the first {choices.MAX_FRAMES}"),
    ],
)
def test_that_the_stated_limits_are_true(name, text) -> None:
    assert text in row(name)


HELD_BY = {
    "**Run code.**": "app/test_hostile_surroundings.py tools/test_fuzz.py core/test_expressions.py",
    "**Reach the network.**": (
        "features/web_page/export/test_page_in_course.py export/test_hostile_texts.py "
        "features/lessons/export/test_lesson_markup.py"
    ),
    "**Read elsewhere without your consent.**": "core/test_named_files.py",
    "**Open what is no ordinary file:**": "app/test_hostile_surroundings.py tools/test_fuzz.py",
    "**Write anything.**": "app/test_outputs.py window/test_outputs_of_dialogs.py",
    "Show text.": "export/test_hostile_texts.py window/test_hostile_window.py",
    "Every process that Framescope starts": "app/test_children_end.py features/robots/app/test_import_mjcf.py",
    "An export ends at most 5 s after a signal.": "export/test_export_ends.py",
    "the\nwindow opens with a report": "window/test_reader_slips.py app/test_reader_fuzz.py",
    "Machine code": "features/compiled/core/test_machine_code_on_disk.py",
    "Exports on a cluster": "features/cluster/export/test_export_cluster.py",
    "| note of a start in another size |": "app/test_document_record.py",
    "| bag |": "features/bags/core/test_hostile_bags.py",
    "| film |": "features/films/test_moments.py features/films/test_film_export.py",
}
"""Promises of the page, and the test files that hold them."""


@pytest.mark.parametrize(("promise", "files"), HELD_BY.items())
def test_that_each_promise_is_held_by_tests(promise, files) -> None:
    assert promise in PAGE
    for name in files.split():
        tree = ast.parse((Path(__file__).parents[1] / name).read_text("utf-8"))
        assert any(isinstance(node, ast.FunctionDef) and node.name.startswith("test_that") for node in tree.body), name
