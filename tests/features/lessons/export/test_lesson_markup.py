"""Lessons of strangers: formulas in every construct of Markdown, and markup that must not reach a reader."""

from __future__ import annotations

import json

import pytest
from PySide6.QtGui import QImage, QPainter, QTextDocument, QTextFormat
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.app.exporters.registry import write as write_request
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.export.lesson_request import lesson_request
from framescope.features.lessons.app.export.plain_text import plain_text
from framescope.features.lessons.app.export.printed_text import markdown_pieces
from framescope.features.lessons.app.export.words_html import html_of
from framescope.features.lessons.app.lesson_lookup import read_lesson
from framescope.ui.exports.options import ExportOptions
from framescope.ui.theme import markdown_pages
from tests.support.markdown_constructs import CONSTRUCTS

pytestmark = pytest.mark.window

SCENE = """\
framescope: 1
title: "A {{@0}} {{@1}} <b> \\\\u003c"
time: {start: 0 s, end: 1 s}
frames: {"{{@0}} \\\\u003cb>": {parent: world}}
"""


def steps(text: str, **moment: object) -> str:
    block = json.dumps({"scene": "hostile.yaml", "time": "0 s"} | moment)
    return f"# T $x$\n\n{text}\n\n## S $y$\n\n{text}\n\n```yaml\n{block}\n```\n"


@pytest.fixture
def read(tmp_path):
    def read(text: str):
        (tmp_path / "hostile.yaml").write_text(SCENE)
        path = tmp_path / "own.lesson.md"
        path.write_text(text, encoding="utf-8")
        return read_lesson(path)

    return read


def write(read, out):
    write_request(
        lesson_request(read.lesson, read.stagings, lambda name: Access(read.folder_of(name)), out, ExportOptions())
    )


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_that_a_formula_in_any_construct_is_shown_in_every_form(qapp, name) -> None:
    markdown, expected = CONSTRUCTS[name]
    page, told = html_of(markdown), plain_text(markdown)
    assert page.count("<math") == len(expected)
    document = QTextDocument()
    markdown_pages.fill(document, markdown)
    images = [look for *_, look in markdown_pages.fragments(document) if look.isImageFormat()]
    assert [look.property(QTextFormat.Property.ImageAltText) for look in images] == expected
    assert not any("\ue000" in text or "%EE%80" in text for text in (page, told, document.toPlainText()))
    assert not any("\ue000" in look.anchorHref() for *_, look in markdown_pages.fragments(document))
    image = QImage(500, 500, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for piece in markdown_pieces(markdown, 300.0):
        piece.paint(painter)
    painter.end()


def test_that_a_lesson_of_all_constructs_is_checked_and_printed(read, tmp_path) -> None:
    made = read(steps("\n\n".join(markdown for markdown, _ in CONSTRUCTS.values())))
    assert CliRunner().invoke(app, ["lesson", "check", str(made.path)]).exit_code == 0
    out = tmp_path / "out.pdf"
    done = CliRunner().invoke(app, ["lesson", "export", str(made.path), str(out)])
    assert done.exception is None or done.exit_code == 0, done.output
    assert out.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("place", ["title", "text", "step", "ask", "notes"])
def test_that_a_check_tells_of_what_is_no_formula_wherever_it_stands(read, tmp_path, place) -> None:
    bad = r"$\\href{a}{b}$" if place in ("ask", "notes") else r"$\href{a}{b}$"
    text = steps(bad if place == "text" else "Words.")
    text = text.replace("$x$", bad) if place == "title" else text.replace("$y$", bad) if place == "step" else text
    question = {"form": "number", "ask": bad, "value": 1, "tolerance": 0.1}
    more = {"question": question} if place == "ask" else {"notes": bad} if place == "notes" else {}
    if more:
        text = steps("Words.", **json.loads(json.dumps(more).replace("\\\\\\\\", "\\\\")))
    (tmp_path / "hostile.yaml").write_text(SCENE)
    path = tmp_path / "bad.lesson.md"
    path.write_text(text)
    done = CliRunner().invoke(app, ["lesson", "check", str(path)])
    assert done.exit_code == 2, done.output
    assert "must not have \\href" in done.output


def test_that_an_author_comment_is_shown_nowhere_and_html_is_text_everywhere(read, qapp) -> None:
    made = read(steps("A <!-- to do\n\n## not a step --> word `<!-- code -->` <b>bold</b>\n\n<div>row</div>"))
    assert len(made.stagings) == 1
    document = QTextDocument()
    markdown_pages.fill(document, made.lesson.text)
    texts = document.toPlainText(), plain_text(made.lesson.text), html_of(made.lesson.text)
    for text in texts:
        assert "to do" not in text
        assert "code --" in text
    assert all("<b>bold</b>" in text and "<div>row</div>" in text for text in texts[:2])
    assert "&lt;b&gt;bold&lt;/b&gt;" in texts[2]


HOSTILE = '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/a"><iframe src="file:///etc/hosts"></iframe>'
FORMULA = r"$\text{<meta/http-equiv=\"refresh\"/content=\"0;url=http://127.0.0.1:9/b\"><iframe/src=file:///etc/hosts>}$"
IN_TITLE = (
    r'[a](b "$\text{\" onmouseover=alert(1) x=\"><img src=x>}$") ![$x$ " onerror=alert(1)](http://127.0.0.1:9/c.png)'
)


def test_that_a_page_of_a_hostile_lesson_has_no_element_of_it_and_asks_for_nothing(browser, read, tmp_path) -> None:
    text = f"{HOSTILE} {FORMULA} {IN_TITLE} \ue0007\ue001 $\\text{{if a<b & c}}$ {{{{@0}}}} {{{{script}}}}"
    options = [{"text": text, "right": True, "reply": text}, {"text": "no", "reply": text}]
    question = {"form": "choose", "ask": text, "options": options, "hints": [text], "if_right": text}
    lesson = steps(text, question=question).replace("# T $x$", f"# T {text}").replace("## S", f"## S {text}")
    out = tmp_path / "page.html"
    write(read(lesson), out)
    page = browser.open(out, (1000, 700), is_reduced=True)
    page.wait_until("Boolean(lesson.scene())")
    for button in ("hint", "show", "check"):
        page.evaluate(
            f"document.getElementById('{button}').disabled = false; document.getElementById('{button}').click()"
        )
    page.next_picture()
    for root in ("document", "document.getElementById('frame').contentDocument"):
        count = "meta[http-equiv=refresh], img, iframe:not(#frame), object, embed, base, main script, [onmouseover]"
        assert page.evaluate(f"[...{root}.querySelectorAll({count!r})].length") == 0
    assert page.evaluate("document.getElementById('text').innerText.replaceAll('\\u00a0', ' ').includes('if a<b & c')")
    assert page.evaluate("document.getElementById('frame').contentDocument.title") == "A {{@0}} {{@1}} <b> \\u003c"
    assert page.evaluate("location.href") == out.as_uri() + "#step=1"
    assert page.complaints == []
    assert len(page.requests) == 1
    page.close()
