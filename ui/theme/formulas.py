r"""Formulas in texts: TeX between dollars, taken out of Markdown, and set as SVG or MathML.

``$\omega$`` stands in a line, ``$$\omega$$`` on one of its own. In code nothing is a formula.
"""

from __future__ import annotations

import copy
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote
from xml.etree import ElementTree as ET

from framescope.core.errors import FramescopeError

_CODE = r"(?P<code>```.*?```|`[^`\n]*`)"
_DISPLAY = r"(?<![\\$\w])\$\$(?P<display>[^$]+)\$\$"
_INLINE = r"(?<![\\$\w])\$(?P<inline>[^\s$][^$\n]*?)(?<!\s)\$(?![\w$])"
_PARTS = re.compile(f"{_CODE}|{_DISPLAY}|{_INLINE}", re.DOTALL)
MARK = "\ue000{}\ue001"
"""Where the formula of a number stood: characters that `taken_out` leaves in no text."""
MARKS = re.compile("\ue000(\\d+)\ue001")
_ADDRESS_MARKS = re.compile("%EE%80%80(\\d+)%EE%80%81")
"""Marks as they stand in an address."""
_FOREIGN: dict[int, str] = {0xE000: "\ufffd", 0xE001: "\ufffd"}
"""Characters of marks, where a text has them itself."""
MAX_SIZE = 200, 100
"""Width and height of a formula, in sizes of its letters."""


class FormulaError(FramescopeError):
    """A text between dollars is no formula; the message says which."""


@dataclass(frozen=True)
class Formula:
    """A formula: its TeX, and whether it stands on a line of its own."""

    tex: str
    is_display: bool

    @property
    def source(self) -> str:
        """The formula as it is written in a text."""
        mark = "$$" if self.is_display else "$"
        return f"{mark}{self.tex}{mark}"


@dataclass(frozen=True)
class SetFormula:
    """A formula as it is set: its SVG, and its width, and height above and depth below the base line, px."""

    svg: str
    width: float
    ascent: float
    descent: float


def taken_out(markdown: str) -> tuple[str, tuple[Formula, ...]]:
    r"""Return Markdown with marks where formulas stood, and the formulas.

    >>> taken_out(r"So $\omega = 2$, in code `$x$`, for 5 $ and 6 $.")[1]
    (Formula(tex='\\omega = 2', is_display=False),)
    """
    found: list[Formula] = []

    def mark(match: re.Match[str]) -> str:
        if match["code"] is not None:
            return match[0]
        found.append(Formula((match["display"] or match["inline"]).strip(), match["display"] is not None))
        return MARK.format(len(found) - 1)

    return _PARTS.sub(mark, markdown.translate(_FOREIGN)), tuple(found)


def written(marked: str, formulas: Sequence[Formula]) -> str:
    r"""Return a text or an address with its formulas as they were written, where there is no place to set them.

    >>> written(*taken_out(r"for $\omega$"))
    'for $\\omega$'
    """
    marked = MARKS.sub(lambda mark: formulas[int(mark[1])].source, marked)
    return _ADDRESS_MARKS.sub(lambda mark: quote(formulas[int(mark[1])].source), marked)


@lru_cache(maxsize=512)
def set_formula(formula: Formula, size: float, color: str) -> SetFormula:
    """Return a formula as SVG in a colour, for text of a size, px; raise `FormulaError` where it is none.

    Its paths need no font.
    """
    from framescope.ui.theme import mathml  # here, as below: scenes without formulas do without

    mathml_of(formula)
    try:
        tree = mathml.mathml_tree(_drawable_tex(formula.tex), is_display=formula.is_display)
        with warnings.catch_warnings():  # that what it uses of Python is to be called otherwise
            warnings.simplefilter("ignore")
            from ziamath.config import config
            from ziamath.zmath import Math

            config.svg2 = False
            made = Math(_drawable(tree, color), size=size, margin=0.0)
            (width, height), below = made.getsize(), -made.getyofst()
            svg = made.svg() if width <= MAX_SIZE[0] * size and height <= MAX_SIZE[1] * size else ""
    except Exception as error:  # noqa: BLE001 - the library raises whatever it meets
        raise _failure(formula, error) from None
    if not svg:
        raise _failure(formula, "it is too large to be drawn")
    return SetFormula(svg, width, height - below, max(below, 0.0))


def mathml_text_of(formula: Formula) -> str:
    """Return a formula as MathML that can stand in a page; raise `FormulaError` where it is none."""
    from framescope.ui.theme.mathml import mathml_text

    return mathml_text(mathml_of(formula))


@lru_cache(maxsize=512)
def mathml_of(formula: Formula) -> ET.Element:
    """Return the tree of a formula's MathML, which nobody changes; raise `FormulaError` where it is none."""
    from framescope.ui.theme.mathml import mathml_tree

    try:
        return mathml_tree(formula.tex, is_display=formula.is_display)
    except Exception as error:  # noqa: BLE001 - the library raises whatever it meets
        raise _failure(formula, error) from None


def _failure(formula: Formula, error: Exception | str) -> FormulaError:
    why = "it has too many parts in each other" if isinstance(error, RecursionError) else error or type(error).__name__
    return FormulaError(f"{formula.tex[:60]} is no formula: {why}.")


def _drawable_tex(tex: str) -> str:
    """Return TeX with what ziamath cannot set, or sets badly, said otherwise, as its `tex2mml` does."""
    tex = re.sub(r"\\binom{(.+?)}{(.+?)}", r"\\left( \1 \\atop \2 \\right)", tex)
    tex = re.sub(r"\\mathrm{(.+?)}", r"\\mathrm {\1}", tex)
    return tex.replace("||", "‖").replace("{aligned}", "{align*}")


_STANDING = frozenset("\u2191\u2193\u27e8\u27e9")
"""Signs that ziamath would stretch: arrows up and down, and angle brackets."""

_ACCENTS: dict[tuple[str, str | None], str] = {("^", "false"): "\u02c6", ("^", None): "\u0302", ("~", None): "\u0303"}
"""Accents as ziamath has them, by the sign and whether it stretches."""


def _drawable(tree: ET.Element, color: str) -> ET.Element:
    r"""Return a copy of a formula's MathML in a colour, changed where ziamath takes it otherwise than browsers do.

    Its `tex2mml` does the same on text, in which it takes what stands in ``\text{…}`` for markup.
    """
    made = copy.deepcopy(tree)
    made.attrib = {"display": made.attrib["display"], "mathcolor": color}  # its reader wants tags without a namespace
    for node in made.iter():
        if node.text is not None and (accent := _ACCENTS.get((node.text, node.get("stretchy")))) and node.tag == "mo":
            node.text = accent
        elif node.text is not None and node.text in _STANDING and node.get("stretchy") is None:
            node.set("stretchy", "false")
        if node.get("columnspacing") == "0em 2em":
            node.set("columnspacing", "0em 0.3em")
    return made
