r"""Plain text of Markdown, for captions: formulas as they are read, such as ``ω × r`` for ``\omega \times r``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from markdown_it.token import Token

from framescope.ui.theme.formulas import Formula, FormulaError, mathml_of
from framescope.ui.theme.lesson_markdown import formula_in, tokens_of

_RAISED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_LOWERED = str.maketrans("0123456789+-−", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
_ACCENTS = {"→": "", "˙": "\u0307", "¨": "\u0308", "^": "\u0302", "¯": "\u0304", "˜": "\u0303", "~": "\u0303"}
_SPACED = set("=+−×·≈≠≤≥<>→⇒∈±")
_SIGN = re.compile(r"((?:^|[(,;=/] ?)[−+]) ")
_INDEXED = re.compile(r"_\w+$")
_COMPOUND = set("+−=×·/ ")


def plain_text(markdown: str) -> str:
    r"""Return what Markdown says, as one line without marks.

    >>> plain_text("At the *lock*\n\n$$\\frac{1}{\\cos b}$$\n\nis `inf`.")
    'At the lock 1/(cos b) is inf.'
    """
    return " ".join(" ".join(part for token in tokens_of(markdown) for part in _texts(token)).split())


def _texts(token: Token) -> Iterator[str]:
    if token.type in ("fence", "code_block"):
        yield token.content
    elif token.type == "inline":
        yield "".join(map(_words, token.children or ()))


def _words(token: Token) -> str:
    match token.type:
        case "softbreak" | "hardbreak":
            return " "
        case "formula":
            return formula_text(formula_in(token))
        case "image":
            return "".join(map(_words, token.children or ()))
        case _:
            return token.content


def formula_text(formula: Formula) -> str:
    r"""Return a formula as it is read in a line; its TeX where it is none.

    >>> formula_text(Formula(r"\vec{v}_p = \omega^2 \cdot r", False))
    'v_p = ω²·r'
    """
    try:
        return _tidied(_text(mathml_of(formula)))
    except FormulaError:
        return formula.tex


def _tidied(text: str) -> str:
    """Return a text with its spaces where they belong: a sign stands at what it is of."""
    text = " ".join(text.split()).replace(" · ", "·").replace("( ", "(")
    return _SIGN.sub(r"\1", text)


def _text(node: ET.Element) -> str:
    kind, parts = node.tag.rpartition("}")[2], [_text(child) for child in node]
    match kind, parts:
        case "mi" | "mn" | "mo" | "mtext", _:
            return _leaf(kind, node.text or "")
        case "mtable", _:
            return "; ".join(parts)
        case "mtr", _:
            return ", ".join(part.strip() for part in parts)
        case "msqrt", _:
            return f"√{_closed(_row(parts))}"
        case _, [first, second]:
            return _of_two(kind, first, second)
        case "msubsup" | "munderover", [base, below, above]:
            return base + _lowered(below) + _raised(above)
        case _:
            return _row(parts)


def _of_two(kind: str, first: str, second: str) -> str:
    """Return two parts as the kind of what holds them has it."""
    match kind:
        case "mfrac":
            return f"{_closed(first)}/{_closed(second)}"
        case "mroot":
            return f"{_raised(second)}√{_closed(first)}"
        case "msup":
            return first + _raised(second)
        case "msub":
            return first + _lowered(second)
        case "mover" if second.strip() in _ACCENTS and len(first.strip()) == 1:
            return first.strip() + _ACCENTS[second.strip()]
        case _:
            return _row([first, second])


def _row(parts: list[str]) -> str:
    """Return parts side by side: what follows an index stands apart."""
    text = ""
    for part in parts:
        text += " " * bool(_INDEXED.search(text) and part[:1].isalnum()) + part
    return text


def _leaf(kind: str, text: str) -> str:
    text = unicodedata.normalize("NFKC", text) if kind == "mi" else text
    if kind == "mi" and len(text) > 1:
        return f" {text} "
    if text == ",":
        return ", "
    return f" {text} " if kind == "mo" and text in _SPACED else text


def _closed(text: str) -> str:
    text = _tidied(text)
    return f"({text})" if _COMPOUND & set(text) else text


def _raised(text: str) -> str:
    text = _tidied(text)
    raised = text.translate(_RAISED)
    return raised if all(a != b for a, b in zip(text, raised, strict=True)) else f"^{_closed(text)}"


def _lowered(text: str) -> str:
    text = _tidied(text)
    lowered = text.translate(_LOWERED)
    return lowered if all(a != b for a, b in zip(text, lowered, strict=True)) else f"_{_closed(text)}"
