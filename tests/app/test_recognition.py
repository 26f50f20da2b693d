"""Recognition of files by all that they hold: nothing is called a scene that is none, and a scene is always found."""

from __future__ import annotations

import json
import time

import pytest

from framescope.app.cli.main import app
from framescope.app.importers.documents import document_of, has_version
from framescope.app.importers.registry import importer_of
from framescope.core.errors import FramescopeError
from tests.support.command_line import CliRunner

run = CliRunner().invoke

LONG = "x" * 70_000
ROWS = [{"t": i / 100, "x": i * 0.5, "y": 1 - i * 0.25} for i in range(4000)]
NERF = {
    "camera_angle_x": 0.7,
    "frames": [{"file_path": f"{i}.png", "transform_matrix": [[1, 0, 0, i]] * 3 + [[0, 0, 0, 1]]} for i in range(3)],
}
PACKAGE = {"name": "viewer", "version": "1.2.0", "dependencies": {"framescope": "^1", LONG: "1"}}

NONE = {
    "a list of numbers": ("a.json", json.dumps(list(range(30_000))), "a list in JSON with 30000 items, and no scene"),
    "a list of lists": ("a.json", json.dumps([["a", "b"]] * 9), "a list in JSON with 9 items, and no scene"),
    "poses by name": (
        *("a.json", json.dumps({"poses": {f"p{i}": [i] * 16 for i in range(3000)}})),
        "a JSON file with the key poses, and no scene",
    ),
    "many keys": (
        *("a.json", json.dumps({f"k{i}": LONG for i in range(7)})),
        "a JSON file with the keys k0, k1, k2, k3, k4 and 2 more, and no scene",
    ),
    "npm": ("package.json", json.dumps(PACKAGE, indent=2), "a package.json of npm"),
    "npm, the name in a key": ("package.json", json.dumps(PACKAGE), "a package.json of npm"),
    "OpenMVG": ("sfm_data.json", json.dumps({"sfm_data_version": "0.3", "views": []}), "OpenMVG or Meshroom"),
    "OpenSfM": ("r.json", json.dumps([{"cameras": {}, "shots": {}}]), "a reconstruction of OpenSfM"),
    "GeoJSON": ("a.json", json.dumps({"type": "FeatureCollection", "features": []}), "a map in GeoJSON"),
    "glTF": ("a.json", json.dumps({"asset": {"version": "2.0"}, "nodes": []}), "a model in glTF"),
    "Compose": ("a.yaml", "services:\n  framescope: {image: x}\n  framescope:\n", "Docker Compose"),
    "key below another": ("a.yaml", "tools:\n  framescope: 1\nother: 2\n", "a YAML file with the keys tools, other"),
    "key in a list": ("a.json", json.dumps([{"framescope": 1}]), "a list in JSON with 1 item"),
    "key in an object": ("a.json", '{"a": {"framescope": 1}}', "a JSON file with the key a"),
    "key in a text": ("a.yaml", 'text: "\n  framescope: 1"\n', "a YAML file with the key text"),
    "a list in YAML": ("a.yaml", "- framescope: 1\n- b\n", "text without the keys of a scene"),
    "prose": ("a.yaml", "Nothing at all, in words\n", "text without the keys of a scene"),
    "broken JSON": ("a.json", '{"poses": [1, 2', "no scene, and no valid JSON: "),
    "deep JSON": ("a.json", "[" * 90_000, "no scene, and no valid JSON: "),
    "empty": ("a.yaml", "", "is empty"),
    "blank": ("a.json", "\n \n", "is empty"),
    "binary": ("a.yaml", "\0\1\2\3" * 40, "binary data"),
    "hostile keys": ("a.yaml", "\x1b]0;x\a: 1\n" + "k" * 900 + ": 2\n", "a YAML file with the keys "),
}
"""Files that are no scenes: a name, the text, and what is said."""

SCENES = {
    "the key last, in one line": json.dumps({"title": LONG[:200], "frames": {}, "framescope": 1}),
    "the key beyond what is read first": json.dumps(
        {"frames": {f"f{i}": {"parent": "world"} for i in range(4000)}, "framescope": 1}
    ),
    "YAML, the key last": "frames:\n"
    + "".join(f"  f{i}: {{parent: world}}\n" for i in range(4000))
    + "framescope: 1\n",
    "comments before": "# c\n" * 20_000 + "framescope: 1\n",
    "a document marker": "%YAML 1.2\n---\n# c\nframescope: 1\n",
    "all indented": "  framescope: 1\n  frames: {}\n",
    "braces without quotes": "{framescope: 1, frames: {a: {parent: world}}}",
    "braces over lines": "# a comment\n{\n  title: x,\n  framescope: 1\n}\n",
    "quoted": "'framescope': 1\n",
    "with a mark of its encoding": "\ufeffframescope: 1\n",
}


@pytest.mark.parametrize("name", NONE)
def test_that_what_is_no_scene_is_never_called_one(tmp_path, name) -> None:
    file, text, message = NONE[name]
    path = tmp_path / file
    path.write_text(text, "utf-8")
    with pytest.raises(FramescopeError):
        importer_of(path)
    for command in ("import", "check", "evaluate"):
        shown = run(app, [command, str(path)])
        assert shown.exit_code == 2, shown.output
        assert message in " ".join(shown.output.split()), shown.output
        assert "a scene: " not in shown.output
        assert shown.output.isprintable() or set(shown.output) - {"\n"} <= set(filter(str.isprintable, shown.output))


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("suffix", [".yaml", ".json"])
def test_that_a_scene_is_found_wherever_its_version_stands(tmp_path, name, suffix) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_text(SCENES[name], "utf-8")
    assert importer_of(path).title == "scenes"
    assert run(app, ["check", str(path)]).exit_code == 0
    assert "a scene: " in run(app, ["import", str(path)]).output


def test_that_a_list_of_objects_is_a_table_whatever_its_length_and_name(tmp_path) -> None:
    for suffix in (".json", ".txt", ""):
        for rows, form in ((ROWS, None), (ROWS, 1), (ROWS[:20], None)):
            path = tmp_path / f"rows{suffix}"
            path.write_text(json.dumps(rows, indent=form))
            assert importer_of(path).title == "tables and trajectories"
    columns = {key: [row[key] for row in ROWS] for key in ROWS[0]}
    path = tmp_path / "columns.json"
    path.write_text(json.dumps(columns))
    assert importer_of(path).title == "tables and trajectories"
    assert f"{len(ROWS):,} rows, 3 columns" in run(app, ["import", str(path)]).output


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252"])
def test_that_a_scene_in_another_encoding_is_told_to_be_one(tmp_path, encoding) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("framescope: 1\ntitle: Körper\n".encode(encoding))
    assert importer_of(path).title == "scenes"
    for command in ("check", "import"):
        shown = run(app, [command, str(path)])
        assert shown.exit_code == 2
        assert "Save it as UTF-8" in shown.output


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_that_what_is_no_scene_in_another_encoding_is_described(tmp_path, encoding) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("töols: 1\nname: 2\n".encode(encoding))
    shown = run(app, ["check", str(path)])
    assert "name, and no scene" in shown.output


@pytest.mark.parametrize("part", [0.02, 0.3, 0.7, 0.99])
@pytest.mark.parametrize("text", [*SCENES.values(), json.dumps(NERF, indent=2)], ids=[*SCENES, "nerfstudio"])
def test_that_a_file_that_was_cut_short_is_no_error_of_the_program(tmp_path, text, part) -> None:
    for suffix in (".yaml", ".json", ".txt"):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(text.encode()[: int(part * len(text))])
        shown = run(app, ["import", str(path)])
        assert shown.exception is None or isinstance(shown.exception, SystemExit)
        if "a scene: " in shown.output:
            assert run(app, ["check", str(path)]).exit_code == 0


def test_that_a_scene_but_for_its_version_is_told_what_to_add(tmp_path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("title: Two\nframes:\n  a: {parent: world}\n")
    for command in ("check", "import", "evaluate"):
        assert "Begin it with the line framescope: 1." in run(app, [command, str(path)]).output


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "unit"),
    [
        ("", "[" * 10),
        ("", " " * 10),
        ("a", " " * 10),
        ("", "\n"),
        ("{", '"a\\"'),
        ("", '"'),
        ("{", "a:"),
        ("", "--- "),
        ("", "'a"),
    ],
)
def test_that_hostile_text_is_recognized_in_a_moment(before, unit) -> None:
    data = (before + unit * (1_000_000 // len(unit))).encode()
    begin = time.perf_counter()
    assert not has_version(data, is_strict=True)
    document_of(data)
    assert time.perf_counter() - begin < 10.0
