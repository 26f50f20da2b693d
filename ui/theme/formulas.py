r"""Formulas in texts: TeX between dollars, extracted from Markdown, and rendered as SVG or MathML.

``$\omega$`` is inline, ``$$\omega$$`` is displayed on a line of its own. Code contains no formulas.
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

from framescope.core.errors import FramescopeError, near_miss

_CODE = r"(?P<code>```.*?```|`[^`\n]*`)"
_DISPLAY = r"(?<![\\$\w])\$\$(?P<display>[^$]+)\$\$"
_INLINE = r"(?<![\\$\w])\$(?P<inline>[^\s$][^$\n]*?)(?<!\s)\$(?![\w$])"
_PARTS = re.compile(f"{_CODE}|{_DISPLAY}|{_INLINE}", re.DOTALL)
MARK = "\ue000{}\ue001"
"""Placeholder of a formula by its number: characters that `extract_formulas` removes from every text."""
MARKS = re.compile("\ue000(\\d+)\ue001")
_ADDRESS_MARKS = re.compile("%EE%80%80(\\d+)%EE%80%81")
"""Placeholders within an address, percent-encoded."""
_FOREIGN: dict[int, str] = {0xE000: "\ufffd", 0xE001: "\ufffd"}
"""Replacements for the placeholder characters in a text that contains them."""
MAX_SIZE = 200, 100
"""Maximum width and height of a formula, in font sizes."""


REASONS = {
    "MissingEndError": r"a \begin has no \end of the same name",
    "ExtraLeftOrMissingRightError": r"\left and \right are not in pairs",
    "DoubleSubscriptsError": "it has two subscripts in a row. Put the first in braces, {a_b}_c",
    "DoubleSuperscriptsError": "it has two superscripts in a row. Put the first in braces, {a^b}^c",
    "MissingSuperScriptOrSubscriptError": "a subscript or superscript is missing",
    "NoAvailableTokensError": "a command at its end lacks a part",
    "NumeratorNotFoundError": "a fraction lacks its upper part",
    "DenominatorNotFoundError": "a fraction lacks its lower part",
    "InvalidStyleForGenfracError": r"the style of \genfrac is a number from 0 to 3",
    "InvalidAlignmentError": "a column of an array is l, c or r",
    "InvalidWidthError": "a width is a number with a unit, as in 2em",
    "LimitsMustFollowMathOperatorError": r"\limits is only for an operator such as \sum",
}
"""Reasons by the names of the errors of latex2mathml."""


class FormulaError(FramescopeError):
    """A text between dollars is no formula; the message quotes it."""


@dataclass(frozen=True)
class Formula:
    """A formula: its TeX, and whether it is displayed on a line of its own."""

    tex: str
    is_display: bool

    @property
    def source(self) -> str:
        """The formula as written in a text."""
        mark = "$$" if self.is_display else "$"
        return f"{mark}{self.tex}{mark}"


@dataclass(frozen=True)
class SetFormula:
    """A rendered formula: its SVG, and its width, and height above and depth below the baseline, px."""

    svg: str
    width: float
    ascent: float
    descent: float


def extract_formulas(markdown: str) -> tuple[str, tuple[Formula, ...]]:
    r"""Return Markdown with placeholders instead of formulas, and the formulas.

    >>> extract_formulas(r"So $\omega = 2$, in code `$x$`, for 5 $ and 6 $.")[1]
    (Formula(tex='\\omega = 2', is_display=False),)
    """
    formulas: list[Formula] = []

    def mark(match: re.Match[str]) -> str:
        if match["code"] is not None:
            return match[0]
        formulas.append(Formula((match["display"] or match["inline"]).strip(), match["display"] is not None))
        return MARK.format(len(formulas) - 1)

    return _PARTS.sub(mark, markdown.translate(_FOREIGN)), tuple(formulas)


def restore_formulas(marked: str, formulas: Sequence[Formula]) -> str:
    r"""Return a text or an address with the formulas' source in place of their marks, where none can be rendered.

    >>> restore_formulas(*extract_formulas(r"for $\omega$"))
    'for $\\omega$'
    """
    marked = MARKS.sub(lambda mark: formulas[int(mark[1])].source, marked)
    return _ADDRESS_MARKS.sub(lambda mark: quote(formulas[int(mark[1])].source), marked)


@lru_cache(maxsize=512)
def set_formula(formula: Formula, size: float, color: str) -> SetFormula:
    """Render a formula as SVG in a colour, for text of a size, px; raise `FormulaError` for invalid TeX.

    Its paths need no font.
    """
    from framescope.ui.theme import mathml  # imported here, as below, since scenes without formulas do not need it

    mathml_of(formula)
    try:
        tree = mathml.mathml_tree(_drawable_tex(formula.tex), is_display=formula.is_display)
        with warnings.catch_warnings():  # deprecation warnings about Python itself
            warnings.simplefilter("ignore")
            from ziamath.config import config
            from ziamath.zmath import Math

            config.svg2 = False
            drawing = Math(_drawable(tree, color), size=size, margin=0.0)
            (width, height), below = drawing.getsize(), -drawing.getyofst()
            svg = drawing.svg() if width <= MAX_SIZE[0] * size and height <= MAX_SIZE[1] * size else ""
    except Exception as error:  # noqa: BLE001 - the library raises whatever it meets
        raise _failure(formula, error) from None
    if not svg:
        raise _failure(formula, "it is too large to be drawn")
    return SetFormula(svg, width, height - below, max(below, 0.0))


def mathml_text_of(formula: Formula) -> str:
    """Return a formula as MathML for a page; raise `FormulaError` for invalid TeX."""
    from framescope.ui.theme.mathml import mathml_text

    return mathml_text(mathml_of(formula))


@lru_cache(maxsize=512)
def mathml_of(formula: Formula) -> ET.Element:
    """Return the tree of a formula's MathML, which callers must not change; raise `FormulaError` for invalid TeX."""
    from framescope.ui.theme.mathml import mathml_tree

    try:
        return mathml_tree(formula.tex, is_display=formula.is_display)
    except Exception as error:  # noqa: BLE001 - the library raises whatever it meets
        raise _failure(formula, error) from None


ACCENTS = ("dot", "ddot", "hat", "vec", "bar", "tilde", "sqrt", "mathrm", "mathbf", "text")
GREEK_NAMES = (
    *(
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
    ),
    *("pi", "rho", "sigma", "tau", "phi", "varphi", "chi", "psi", "omega"),
    *("Gamma", "Delta", "Theta", "Lambda", "Pi", "Sigma", "Phi", "Psi", "Omega"),
)
USUAL = (
    *("frac", "cdot", "times", "approx", "neq", "leq", "geq", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "exp"),
    *("ln", "log", "left", "right", "begin", "end", "quad", "sum", "int", "circ", "prime", "infty", "partial", "pm"),
)


def meant_command(command: str) -> str:
    r"""Return the command of TeX that the writer of an unknown one probably meant, or an example.

    >>> meant_command(r"\dotpsi"), meant_command(r"\Cos"), meant_command(r"\omgea"), meant_command(r"\unknown")
    ('\\dot\\psi', '\\cos', '\\omega', 'such as \\dot\\psi')
    """
    name = command.removeprefix("\\")
    for accent in ACCENTS:
        rest = name.removeprefix(accent)
        if rest != name and rest in GREEK_NAMES:
            return f"\\{accent}\\{rest}"
    meant = near_miss(name, (*USUAL, *GREEK_NAMES, *ACCENTS))
    return f"\\{meant}" if meant else "such as \\dot\\psi"


def _failure(formula: Formula, error: Exception | str) -> FormulaError:
    return FormulaError(f"{formula.tex[:60]} is no formula: {error if isinstance(error, str) else _reason(error)}.")


def _reason(error: Exception) -> str:
    """Return the reason of an error in words; the libraries raise errors without any, or with those of Python."""
    from framescope.ui.theme.mathml import RefusedFormulaError

    if isinstance(error, RecursionError):
        return "it has too many parts in each other"
    if isinstance(error, RefusedFormulaError):
        return str(error)
    return REASONS.get(type(error).__name__, "a command lacks a part or is in the wrong place")


def _drawable_tex(tex: str) -> str:
    """Return TeX rewritten where ziamath fails or renders badly, as its `tex2mml` does."""
    tex = re.sub(r"\\binom{(.+?)}{(.+?)}", r"\\left( \1 \\atop \2 \\right)", tex)
    tex = re.sub(r"\\mathrm{(.+?)}", r"\\mathrm {\1}", tex)
    return tex.replace("||", "‖").replace("{aligned}", "{align*}")


_STANDING = frozenset("\u2191\u2193\u27e8\u27e9")
"""Characters that ziamath would stretch: arrows up and down, and angle brackets."""

_ACCENTS: dict[tuple[str, str | None], str] = {("^", "false"): "\u02c6", ("^", None): "\u0302", ("~", None): "\u0303"}
"""Accents in ziamath, by character and whether it stretches."""


def _drawable(tree: ET.Element, color: str) -> ET.Element:
    r"""Return a copy of a formula's MathML in a colour, changed where ziamath differs from browsers.

    Its `tex2mml` does the same on text, where it mistakes the content of ``\text{…}`` for markup.
    """
    copied = copy.deepcopy(tree)
    copied.attrib = {
        "display": copied.attrib["display"],
        "mathcolor": color,
    }  # tags without a namespace, as its parser needs
    for node in copied.iter():
        if node.text is not None and (accent := _ACCENTS.get((node.text, node.get("stretchy")))) and node.tag == "mo":
            node.text = accent
        elif node.text is not None and node.text in _STANDING and node.get("stretchy") is None:
            node.set("stretchy", "false")
        if node.get("columnspacing") == "0em 2em":
            node.set("columnspacing", "0em 0.3em")
    return copied
