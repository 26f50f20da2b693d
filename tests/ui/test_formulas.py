"""Formulas in Markdown: they bring no markup into a page, are read as typed, and are set in a bounded time."""

from __future__ import annotations

import re
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from latex2mathml import exceptions

from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme.formulas import (
    REASONS,
    Formula,
    FormulaError,
    extract_formulas,
    mathml_of,
    mathml_text_of,
    set_formula,
)
from framescope.ui.theme.lesson_markdown import formulas_of, tokens_of
from framescope.ui.theme.mathml import NAMESPACE, REFUSED
from tests.support.markdown_constructs import CONSTRUCTS

ROOT = Path(__file__).parents[2]

MATHML = {
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup"),
    *("munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "menclose"),
}
HARMLESS = {
    *("xmlns", "display", "displaystyle", "scriptlevel", "stretchy", "fence", "form", "width", "height", "depth"),
    *("voffset", "lspace", "rspace", "minsize", "maxsize", "mathsize", "mathvariant", "mathcolor", "mathbackground"),
    *("accent", "linethickness", "movablelimits", "columnalign", "columnlines", "rowlines", "notation"),
}
MARKUP = '<meta/http-equiv="refresh"/content="0;url=http://127.0.0.1:9/a"></mtext><iframe/src="file:///etc/hosts">'
TEXTS = ("text", "textbf", "textit", "textrm", "texttt", "mbox", "hbox", "fbox", "emph", "tag", "operatorname", "verb")
HOSTILE = [
    *(rf"\{name}{{{MARKUP}}}" for name in TEXTS),
    *(rf"\{name}{{{MARKUP}}}{{x}}" for name in ("color", "textcolor", "colorbox", "hspace", "raise", "fcolorbox")),
    *(r"\text{a $x</mi><script>y$ b}", r"\big<", r"\unicode{3c}script\unicode{3e}", "a & b < c > d", r"\mathrm{<b>}"),
    *('\\text{"\' onload=alert(1) x="}', r"\color{url(http://127.0.0.1/)}{x}", r"\color{expression(1)}{x}"),
    *(r"\hspace{1em;background:url(x)}", r"\text{&lt;b&gt;&#60;i&#62;&#x0003C;u>}", "\\text{\x00\x1b[31m\ud800\ufffe}"),
    *(r"\rule{1em onload=x}{2em}", r"\begin{array}{c|<b>}1\end{array}", r"\fcolorbox{red}{blue}{<b>}", r"\foo<b>"),
]


@pytest.mark.parametrize("tex", HOSTILE)
@pytest.mark.parametrize("is_display", [False, True])
def test_that_a_formula_makes_elements_and_attributes_of_mathml_and_nothing_else(tex, is_display) -> None:
    try:
        text = mathml_text_of(Formula(tex, is_display))
    except FormulaError:
        return
    text.encode()
    for node in ET.fromstring(text).iter():
        assert node.tag.removeprefix(f"{{{NAMESPACE}}}") in MATHML
        assert node.attrib.keys() <= HARMLESS
        named = {name: value for name, value in node.attrib.items() if name != "xmlns"}
        assert not any(sign in value for value in named.values() for sign in "<>&\"':;()/\\")


WRONG = {
    r"\begin{matrix}1&2\\3": r"a \begin has no \end",
    r"\begin{matrix}1\end{pmatrix}": r"a \begin has no \end",
    "a_b_c": "two subscripts",
    "a^b^c": "two superscripts",
    "a_": "subscript or superscript is missing",
    r"\left( x": r"\left and \right",
    r"x\limits_0": r"\limits is only for an operator",
    r"\frac": "lacks a part",
    r"\sqrt[3": "lacks a part",
    "{a": "a brace is not closed",
    "a}": "a brace is not opened",
    **dict.fromkeys((r"\begin", r"\genfrac", r"\genfrac{}{}{x}", r"\text", r"\big", r"\left"), "in the wrong place"),
}


@pytest.mark.parametrize("tex", WRONG)
def test_that_what_is_no_formula_has_a_reason_in_words(tex) -> None:
    for make in (mathml_of, lambda formula: set_formula(formula, 16.0, "#000000")):
        with pytest.raises(FormulaError) as caught:
            make(Formula(tex, True))
        begin, _, reason = str(caught.value).partition(" is no formula: ")
        assert begin == tex
        assert WRONG[tex] in reason
        assert re.fullmatch(r"[a-z\\].*[a-z^c\d]\.", reason)


def test_that_every_error_of_the_library_has_words() -> None:
    names = {name for name, value in vars(exceptions).items() if isinstance(value, type)}
    assert names == REASONS.keys()


@pytest.mark.parametrize("tex", [r"\frac{1}", r"\overset{a}", r"\binom{1}"])
def test_that_what_cannot_be_drawn_has_a_reason_in_words(tex) -> None:
    with pytest.raises(FormulaError, match="a command lacks a part or is in the wrong place"):
        set_formula(Formula(tex, False), 16.0, "#000000")


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_that_commands_that_reach_out_of_a_formula_are_refused(name) -> None:
    for tex in (rf"\{name}{{http://127.0.0.1/}}{{x}}", rf"x \{name} y"):
        for make in (mathml_text_of, lambda formula: set_formula(formula, 16.0, "#000000")):
            with pytest.raises(FormulaError, match=rf"must not have \\{name}"):
                make(Formula(tex, False))


@pytest.mark.parametrize(
    ("tex", "seen"),
    [
        (r"\text{if a<b}", "if a<b"),
        (r"\text{a & b}", "a & b"),
        (r"\text{50 \% \& more}", "50 % & more"),
        (r"\text{&lt; &#60; &#x0003C;}", "&lt; &#60; &#x0003C;"),
        (r"\mbox{p->q}", "p->q"),
        (r"a<b", "a<b"),
    ],
)
def test_that_what_is_typed_in_a_formula_is_what_is_read(tex, seen) -> None:
    root = ET.fromstring(mathml_text_of(Formula(tex, False)))
    assert "".join(root.itertext()).replace("\xa0", " ") == seen
    made = set_formula(Formula(tex, False), 16.0, "#123456")
    assert made.width > 8.0 * len(seen) / 2.0
    assert "#123456" in made.svg


def test_that_honest_colours_and_spaces_are_kept() -> None:
    text = mathml_text_of(Formula(r"\color{red}{x}\hspace{2em}\textcolor{#12ab34}{y}", False))
    assert 'mathcolor="red"' in text
    assert 'mathcolor="#12ab34"' in text
    assert 'width="2em"' in text


@pytest.mark.parametrize(
    "tex",
    [
        *(
            begin * 60 + "x" + end * 60
            for begin, end in ((r"\frac{1}{a+", "}"), (r"\left(", r"\right)"), ("x^{a+", "}"))
        ),
        *(
            begin * 40 + "x" + end * 40
            for begin, end in ((r"\phantom{a+", "}"), (r"\smash{a+", "}"), (r"\hat{a+", "}"))
        ),
        r"\begin{matrix}a&" * 25 + r"\end{matrix}" * 25,
        *("x" * 1001, r"\hspace{999em}" * 60 + r"\rule{9em}{999em}"),
    ],
)
def test_that_a_formula_that_would_take_for_ever_or_all_memory_is_refused(tex) -> None:
    begin = time.process_time()
    with pytest.raises(FormulaError):
        set_formula(Formula(tex, False), 16.0, "#000000")
    assert time.process_time() - begin < 5.0  # the ones in each other took minutes


def test_that_a_formula_of_many_parts_is_set() -> None:
    cell = r"\frac{\cos\alpha}{\sin\beta}"
    rows = r" \\ ".join([" & ".join([cell] * 3)] * 3)
    assert (
        set_formula(Formula(rf"R_{{AB}} = \begin{{pmatrix}} {rows} \end{{pmatrix}}", True), 16.0, "#000000").width > 50
    )


def test_that_a_text_cannot_have_the_marks_of_formulas() -> None:
    text, found = extract_formulas("\ue0000\ue001 \ue0007\ue001 $x$")
    assert [formula.tex for formula in found] == ["x"]
    assert text.count("\ue000") == 1


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_that_formulas_stand_where_text_is(name) -> None:
    markdown, expected = CONSTRUCTS[name]
    assert [formula.tex for formula in formulas_of(f"A\n\n{markdown}\n\nB")] == expected
    for token in tokens_of(markdown):
        for part in (token, *(token.children or ())):
            assert "\ue000" not in f"{part.content}{part.info}{part.attrs}"
            assert "%EE%80" not in str(part.attrs)


def test_that_the_tree_of_a_formula_is_made_once() -> None:
    assert mathml_of(Formula("x^2", False)) is mathml_of(Formula("x^2", False))


def test_that_every_page_of_text_loads_nothing() -> None:
    """A text names pictures; a browser of Qt's own would read them from the disk, or from a share."""
    made = re.compile(r"\bQText(?:Browser|Edit)\(|class \w+\(QText(?:Browser|Edit)\):")
    sources = [path for room in ("ui", "app", "features") for path in (ROOT / room).rglob("*.py")]
    assert [path.name for path in sources if made.search(path.read_text("utf-8"))] == ["text_page.py"]


def test_that_every_question_shows_names_of_files_and_items_as_they_are() -> None:
    """A question is a label of rich text; those made of names go through `literal_text`."""
    sources = [path for room in ("ui", "app", "features") for path in (ROOT / room).rglob("*.py")]
    asking = {
        path.name for path in sources if re.search(r"QMessageBox\.question\(|QMessageBox\(", path.read_text("utf-8"))
    }
    literal = {path.name for path in sources if "literal_text" in path.read_text("utf-8")}
    assert asking <= literal
    assert literal_text("<img src=a> & b") == "<qt>&lt;img src=a&gt; &amp; b</qt>"
    assert literal_text("a < b") == "a < b"
