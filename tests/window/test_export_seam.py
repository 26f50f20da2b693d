"""A new option is a field of a class, and a new exporter a file and a line: command line, dialog and checks know it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from framescope.app.cli import export_commands
from framescope.app.controllers.exports.export_dialog_controller import Seen, options_of
from framescope.app.exporters import formats
from framescope.app.exporters.encoding.chunks import Film
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.registry import export, request_for
from framescope.core.evaluation.evaluate import compile_plan
from framescope.features.cluster.app.chunk_task import job_of
from framescope.ui.dialogs.export.choice import ChoiceVerdict, ExportChoice, SceneFacts, choice_of
from framescope.ui.dialogs.export.dialog import ExportDialog
from framescope.ui.exports.format import Format
from framescope.ui.exports.options import Ask, between, option, options_text
from tests.support.hands import Key, show, type_in
from tests.support.scenes import GOOD, scene_of

FACTS = SceneFacts(0.0, 10.0, 4.0, None, (800, 500))
TAKES = frozenset({"grain", "start"})
TOY = Format("toy", ".toy", "Toys", "Toy", "To play", "tests.support.toy_exporter", "a toy", TAKES)


@dataclass(frozen=True)
class Toy(ExportChoice):
    grain: float | None = option(float, "How coarse it is, mm.", default=2.0, check=between(1, 9, "mm"), ask=Ask("numbers", "grain", unit=" mm"))  # fmt: skip # noqa: E501 - one line


@pytest.fixture(autouse=True)
def toys(monkeypatch) -> None:
    monkeypatch.setattr(formats, "FORMATS", [*formats.FORMATS, TOY])


@pytest.fixture
def good(tmp_path) -> Path:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    return path


def run(*arguments: str | Path):
    app = typer.Typer()
    app.command()(export_commands.with_options(Toy)(export_commands.write_export))
    return CliRunner().invoke(app, [*map(str, arguments)], env={"COLUMNS": "160"})


def test_that_the_command_line_tells_of_it_and_it_has_its_effect(good, tmp_path) -> None:
    told = run("--help").output
    assert "--grain" in told
    assert "How coarse it is, mm." in told
    out = tmp_path / "out.toy"
    assert run(good, out, "--grain", "3", "--start", "1").exit_code == 0
    assert out.read_text() == "grain 3.0 at 1 s"
    assert run(good, out).exit_code == 0
    assert out.read_text() == "grain 2.0 at 0 s"


def test_that_a_value_it_cannot_have_and_a_format_that_takes_none_are_refused(good, tmp_path) -> None:
    refused = run(good, tmp_path / "out.toy", "--grain", "20")
    assert refused.exit_code == 2
    assert "grain: expected 1 to 9 mm, got 20." in refused.output
    refused = run(good, tmp_path / "out.csv", "--grain", "3")
    assert refused.exit_code == 2
    assert "grain: a table takes no grain." in refused.output
    assert list(tmp_path.iterdir()) == [good]


def test_that_the_dialog_asks_for_it_and_hands_it_on(qtbot, dark, tmp_path) -> None:
    def judge(choice: ExportChoice) -> ChoiceVerdict:
        try:
            request_for(scene, plan, tmp_path / "out.toy", options_of(choice, TOY, Seen(None, 0.0, "deg")))
        except ExportError as error:
            return ChoiceVerdict(str(error), "grain")
        return ChoiceVerdict()

    scene = scene_of(GOOD)
    plan = compile_plan(scene)
    dialog = ExportDialog("good", formats.offers(), FACTS, choice_of(None, FACTS, Toy), judge)
    qtbot.addWidget(dialog)
    show(dialog, qtbot)
    field = dialog.form.widget("grain")
    assert not field.isVisible()
    dialog.formats.choose("toy")
    assert field.isVisible()
    assert field.currentText() == "2 mm"
    type_in(field.lineEdit(), "20 mm", Key.Key_Tab)
    assert dialog.choice is None
    assert field.property("invalid")
    type_in(field.lineEdit(), "5", Key.Key_Tab)
    choice = dialog.choice
    assert choice.grain == 5.0
    assert choice_of(choice.storable(), FACTS, Toy).grain == 5.0
    assert dialog.entries["grain"] == "5"
    export(scene, plan, tmp_path / "out.toy", options_of(choice, TOY, Seen(None, 0.0, "deg")))
    assert (tmp_path / "out.toy").read_text() == "grain 5.0 at 0 s"


def test_that_the_job_of_a_cluster_and_the_documentation_have_it(tmp_path) -> None:
    scene = scene_of(GOOD)
    asked = Toy(grain=4.0, size=(96, 64))
    request = request_for(scene, compile_plan(scene), tmp_path / "a.mp4", asked)
    assert job_of(request, Film((), "mp4")).options.grain == 4.0
    assert "grain\n        How coarse it is, mm." in options_text(Toy)
    assert "captions\n        A text below the picture" in export.__doc__
