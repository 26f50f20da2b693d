r"""Plain text of Markdown, for captions. Formulas become Unicode text, such as ``ω × r`` for ``\omega \times r``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from markdown_it.token import Token

from framescope.ui.theme.formulas import Formula, FormulaError, mathml_of
from framescope.ui.theme.lesson_markdown import formula_in, tokens_of

_SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_SUBSCRIPTS = str.maketrans("0123456789+-−", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
_ACCENTS = {"→": "", "˙": "\u0307", "¨": "\u0308", "^": "\u0302", "¯": "\u0304", "˜": "\u0303", "~": "\u0303"}
_SPACED = set("=+−×·≈≠≤≥<>→⇒∈±")
_SIGN = re.compile(r"((?:^|[(,;=/] ?)[−+]) ")
_INDEXED = re.compile(r"_\w+$")
_COMPOUND = set("+−=×·/ ")


def plain_text(markdown: str) -> str:
    r"""Return Markdown as one line of text without markup.

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
    r"""Return a formula as text in one line; its TeX source if it is invalid.

    >>> formula_text(Formula(r"\vec{v}_p = \omega^2 \cdot r", False))
    'v_p = ω²·r'
    """
    try:
        return _tidy(_text(mathml_of(formula)))
    except FormulaError:
        return formula.tex


def _tidy(text: str) -> str:
    """Normalise the spaces of a formula: a sign has no space before its operand."""
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
            return f"√{_enclose(_row(parts))}"
        case _, [first, second]:
            return _join_two(kind, first, second)
        case "msubsup" | "munderover", [base, below, above]:
            return base + _subscript(below) + _superscript(above)
        case _:
            return _row(parts)


def _join_two(kind: str, first: str, second: str) -> str:
    """Join the two children of an element by its kind, such as a fraction."""
    match kind:
        case "mfrac":
            return f"{_enclose(first)}/{_enclose(second)}"
        case "mroot":
            return f"{_superscript(second)}√{_enclose(first)}"
        case "msup":
            return first + _superscript(second)
        case "msub":
            return first + _subscript(second)
        case "mover" if second.strip() in _ACCENTS and len(first.strip()) == 1:
            return first.strip() + _ACCENTS[second.strip()]
        case _:
            return _row([first, second])


def _row(parts: list[str]) -> str:
    """Join parts side by side, with a space after an index."""
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


def _enclose(text: str) -> str:
    text = _tidy(text)
    return f"({text})" if _COMPOUND & set(text) else text


def _superscript(text: str) -> str:
    text = _tidy(text)
    result = text.translate(_SUPERSCRIPTS)
    return result if all(a != b for a, b in zip(text, result, strict=True)) else f"^{_enclose(text)}"


def _subscript(text: str) -> str:
    text = _tidy(text)
    result = text.translate(_SUBSCRIPTS)
    return result if all(a != b for a, b in zip(text, result, strict=True)) else f"_{_enclose(text)}"
