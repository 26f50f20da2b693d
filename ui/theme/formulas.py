r"""Formulas in texts: TeX between dollars, taken out of Markdown, and set as SVG or MathML.

``$\omega$`` stands in a line, ``$$\omega$$`` on one of its own. In code nothing is a formula.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import lru_cache

from framescope.core.errors import FramescopeError

_CODE = r"(?P<code>```.*?```|`[^`\n]*`)"
_DISPLAY = r"(?<![\\$\w])\$\$(?P<display>[^$]+)\$\$"
_INLINE = r"(?<![\\$\w])\$(?P<inline>[^\s$][^$\n]*?)(?<!\s)\$(?![\w$])"
_PARTS = re.compile(f"{_CODE}|{_DISPLAY}|{_INLINE}", re.DOTALL)
MARK = "\ue000{}\ue001"
"""Where the formula of a number stood: characters that no text has."""
MARKS = re.compile("\ue000(\\d+)\ue001")
MAX_LENGTH = 1000
"""Characters of one formula."""


class FormulaError(FramescopeError):
    """A text between dollars is no formula; the message says which."""


@dataclass(frozen=True)
class Formula:
    """A formula: its TeX, and whether it stands on a line of its own."""

    tex: str
    is_display: bool


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

    return _PARTS.sub(mark, markdown), tuple(found)


@lru_cache(maxsize=512)
def set_formula(formula: Formula, size: float, color: str) -> SetFormula:
    """Return a formula as SVG in a colour, for text of a size, px; raise `FormulaError` where it is none.

    Its paths need no font.
    """
    try:
        _check(formula)
        with warnings.catch_warnings():  # that what it uses of Python is to be called otherwise
            warnings.simplefilter("ignore")
            from ziamath.config import config
            from ziamath.zmath import Latex

            config.svg2 = False
            made = Latex(formula.tex, size=size, color=color, inline=not formula.is_display, margin=0.0)
            svg, (width, height), below = made.svg(), made.getsize(), -made.getyofst()
    except Exception as error:  # noqa: BLE001 - the library raises whatever it meets
        raise FormulaError(f"{formula.tex[:60]} is no formula: {error or type(error).__name__}.") from None
    return SetFormula(svg, width, height - below, max(below, 0.0))


@lru_cache(maxsize=512)
def mathml_of(formula: Formula) -> str:
    """Return a formula as MathML; raise `FormulaError` where it is none."""
    from latex2mathml.converter import convert

    try:
        _check(formula)
        return convert(formula.tex, display="block" if formula.is_display else "inline")
    except Exception as error:  # noqa: BLE001 - the library raises whatever it meets
        raise FormulaError(f"{formula.tex[:60]} is no formula: {error or type(error).__name__}.") from None


def _check(formula: Formula) -> None:
    if len(formula.tex) > MAX_LENGTH:
        raise ValueError(f"it has more than {MAX_LENGTH} characters")
    if formula.tex.count("{") != formula.tex.count("}"):
        raise ValueError("a brace is not closed")
