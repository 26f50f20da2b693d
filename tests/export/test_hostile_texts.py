"""Hostile texts in every string of a scene, in every format that leaves the program, on terminals and in the window."""

from __future__ import annotations

import csv
import json
import warnings
from xml.etree import ElementTree as ET
from xml.sax.saxutils import quoteattr

import pytest
import yaml
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from framescope.ui.scene_view.geometry.note_pictures import note_picture
from framescope.ui.theme.tokens import DARK
from tests.support.export_fuzzing import LIGHT, export_all
from tests.support.hostile_texts import LENGTHS, MARK, NAME, NOT_TEXT, hostile_fields, hostile_scene, text_fields
from tests.support.whole import write_whole

pytestmark = [pytest.mark.window, pytest.mark.usefixtures("qapp")]


@pytest.fixture(scope="module")
def path(tmp_path_factory, qapp):
    data = hostile_scene()
    data["time"]["end"] = "200 ms"
    data["simulation"]["tolerance"] = 1e-3
    return write_whole(tmp_path_factory.mktemp("hostile"), yaml.safe_dump(data, allow_unicode=True, sort_keys=False))


@pytest.fixture(scope="module")
def written(path, tmp_path_factory):
    """Give the files of the scene in a format, each written once."""
    made: dict[str, object] = {}

    def write(key: str):
        if key not in made:
            folder = tmp_path_factory.mktemp(key)
            assert dict(export_all(path, folder, (key,))) == {key: "written"}
            (made[key],) = (folder / "out").iterdir()
        return made[key]

    return write


def test_that_every_text_of_the_schema_is_tried(path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fields = text_fields(Scene.model_json_schema())
    tried = hostile_fields(load_scene(path).scene)
    missing = {field for field in fields - tried if field.partition(".")[2] not in {*NOT_TEXT, *LENGTHS}}
    assert missing <= REFERENCES, (
        "a text of the schema is in no hostile scene: put it into tests/support/hostile_texts.py"
    )
    assert {"Scene.title", "Scene.source", "Note.text", "Plot.title", "Scene.frames{}"} <= tried


REFERENCES = {
    *("BagParent.frame", "Hidden.bodies", "Hidden.elements", "Hidden.frames", "Hidden.measured", "Hidden.notes"),
    *("Hidden.points", "Hidden.sensors", "ParentKey.parent", "Answer.through", "Plot.through", "PlottedSignal.through"),
    *("PlottedSignal.of", "PlottedSignal.relative_to", "PlottedSignal.resolved_in", "RecordedSensor.frame_a"),
    *("ForceElement.to", "SpringElement.to", "VelocityElement.to", "Scene.parameters{}", "Scene.robots{}"),
    *("RelativeSensor.resolve_in", "AngularVelocity.resolved_in", "View.frames{}", "MeasuredPose.relative_to"),
    *("MeasuredVector.relative_to", "Moment.select", "DollyCamera.to", "Inset.of", "Inset.plot"),
    *("Cue.bodies", "Cue.elements", "Cue.frames", "Cue.measured", "Cue.notes", "Cue.points", "Cue.sensors"),
}
"""Names of items, which are hostile where the others refer to them; names of parameters, which are identifiers."""


SEEN = """[...document.querySelectorAll('*')].filter(e => e.closest('svg, math') === null).flatMap(e => [
  ...(e.matches('iframe, img, object, embed, base, form:not([method=dialog])') ? [e.outerHTML] : []),
  ...[...e.attributes].filter(a => a.name.startsWith('on') || /^javascript:/i.test(a.value)).map(a => a.name)])"""


def test_that_a_page_has_no_element_of_a_text_and_asks_for_nothing(browser, written) -> None:
    out = written("html")
    page = browser.open(out, (1200, 800), is_reduced=True)
    page.wait_until("Boolean(window.framescope)")
    page.next_picture()
    assert page.evaluate(SEEN) == []
    assert page.evaluate("[document.querySelectorAll('script').length, document.querySelectorAll('meta').length]") == [
        3,
        5,
    ]
    assert MARK in page.evaluate("document.title")
    assert page.evaluate("location.href") == out.as_uri()
    assert page.complaints == []
    assert len(page.requests) == 1
    page.close()


def test_that_a_table_has_no_formula(written, path, tmp_path) -> None:
    long = tmp_path / "long.csv"
    done = CliRunner().invoke(app, ["export", "--with-problems", str(path), str(long), "--long", "--fps", "10"])
    assert done.exit_code == 0, done.output
    for out in (written("csv"), long):
        cells = [cell for row in csv.reader(out.read_text("utf-8").splitlines()[:400]) for cell in row]
        assert any(MARK in cell for cell in cells)
        for cell in cells:
            assert not cell.startswith(("=", "+", "@", "\t", "\r"))
            assert not cell.startswith("-") or float(cell) < 0.0 or cell == "-0.0"


@pytest.mark.parametrize("key", ["glb", "usda", "npz", "zip"])
def test_that_a_model_and_a_bundle_are_whole(written, key) -> None:
    data = written(key).read_bytes()
    if key == "glb":
        text = data[20 : 20 + int.from_bytes(data[12:16], "little")].decode()
        assert any(MARK in node.get("name", "") for node in json.loads(text)["nodes"])
    if key == "usda":
        from pxr import Usd

        stage = Usd.Stage.Open(str(written(key)))
        assert any(MARK in prim.GetDisplayName() for prim in stage.Traverse())
    assert len(data) > 500


def test_that_a_picture_is_of_shapes_and_texts_alone(written) -> None:
    root = ET.parse(written("svg")).getroot()
    tags = {node.tag.rpartition("}")[2] for node in root.iter()}
    assert tags <= {
        *("svg", "title", "desc", "metadata", "defs", "g", "path", "rect", "image", "text", "tspan", "clipPath", "use"),
        *("polyline", "line", "circle", "polygon", "ellipse", "style", "RDF", "Work", "rights", "creator", "license"),
        *("linearGradient", "stop", "source", "format", "type", "Agent"),
    }
    links = [value for node in root.iter() for name, value in node.attrib.items() if name.endswith("href")]
    assert all(value.startswith(("data:image/", "#")) for value in links)
    assert not any(name.startswith("on") for node in root.iter() for name in node.attrib)


COMMANDS = [["check"], ["check", "--json"], ["check", "--deep"], ["evaluate", "--rate", "10"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_that_a_terminal_is_told_no_control(path, command) -> None:
    done = CliRunner().invoke(app, [command[0], str(path), *command[1:]])
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert MARK in done.output
    assert all(char.isprintable() or char == "\n" for char in done.output), ascii(done.output)


def test_that_everything_else_is_written(written) -> None:
    assert {written(key).suffix for key in LIGHT} == {".html", ".glb", ".usda", ".csv", ".npz", ".zip"}


def test_that_names_of_a_robot_are_texts_on_a_terminal_and_in_a_page(tmp_path) -> None:
    base, tip = (quoteattr(NAME.replace("${x}", "") + f"\x9b31m {name}") for name in ("base", "tip"))
    path = tmp_path / "robot.urdf"
    path.write_text(
        f"<robot name={base}><link name={base}/><link name={tip}/>"
        f"<joint name={tip} type={tip}><parent link={base}/><child link={tip}/></joint></robot>",
        encoding="utf-8",
    )
    done = CliRunner().invoke(app, ["check", str(path)])
    assert "no type of joint" in done.output
    assert all(char.isprintable() or char == "\n" for char in done.output), ascii(done.output)
    out = tmp_path / "robot.html"
    assert CliRunner().invoke(app, ["export", "--with-problems", str(path), str(out)]).exit_code == 0
    page = out.read_text("utf-8")
    assert MARK in page
    assert "<img" not in page


def test_that_a_note_of_many_lines_or_of_a_wide_formula_is_a_small_picture() -> None:
    for text in ("\n" * 1999 + "a", r"$\hspace{999em}x$", r"$\rule{999em}{999em}$"):
        width, height = note_picture(text, "large", DARK, 1.0).size
        assert width < 2000
        assert height < 6000
