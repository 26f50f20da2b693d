r"""Text of Markdown without markup, for captions and titles.

In plain text, formulas are Unicode text, such as ``ω × r`` for ``\omega \times r``. In marked text, each is one private
character, so that a caption can be broken and counted as text, and its formulas set.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from xml.etree import ElementTree as ET

from markdown_it.token import Token

from framescope.ui.theme.formulas import MARK, Formula, FormulaError, mathml_of
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
    return _joined(markdown, formula_text)


class MarkedFormulas:
    r"""Formulas of texts, each with a private character in its place.

    >>> marks = MarkedFormulas()
    >>> text = marks.text_of(r"The angle $\psi$ is *small*.")
    >>> len(text), marks.plain(text), marks.marked(text) == f"The angle {MARK.format(0)} is small."
    (21, 'The angle ψ is small.', True)
    """

    def __init__(self) -> None:
        self.formulas: list[Formula] = []

    def text_of(self, markdown: str) -> str:
        """Return Markdown as one line of text without markup, with a private character for each formula."""
        return _joined(_PRIVATE.sub("\ufffd", markdown), self._character)

    def has_formula(self, text: str) -> bool:
        """Return whether a text has formulas."""
        return _PRIVATE.search(text) is not None

    def plain(self, text: str) -> str:
        """Return a text with its formulas as Unicode text."""
        return _PRIVATE.sub(lambda match: formula_text(self._formula(match)), text)

    def marked(self, text: str) -> str:
        """Return a text with the marks of `framescope.ui.theme.formulas` in place of the private characters."""
        return _PRIVATE.sub(lambda match: MARK.format(ord(match[0]) - _FIRST), text)

    def _character(self, formula: Formula) -> str:
        if len(self.formulas) > _LAST - _FIRST:
            return formula_text(formula)
        self.formulas.append(formula)
        return chr(_FIRST + len(self.formulas) - 1)

    def _formula(self, match: re.Match[str]) -> Formula:
        return self.formulas[ord(match[0]) - _FIRST]


_FIRST, _LAST = 0xF0000, 0xFFFFD
_PRIVATE = re.compile(f"[{chr(_FIRST)}-{chr(_LAST)}]")


def _joined(markdown: str, of_formula: Callable[[Formula], str]) -> str:
    parts = (part for token in tokens_of(markdown) for part in _texts(token, of_formula))
    return " ".join(" ".join(parts).split())


def _texts(token: Token, of_formula: Callable[[Formula], str]) -> Iterator[str]:
    if token.type in ("fence", "code_block"):
        yield token.content
    elif token.type == "inline":
        yield "".join(_words(child, of_formula) for child in token.children or ())


def _words(token: Token, of_formula: Callable[[Formula], str]) -> str:
    match token.type:
        case "softbreak" | "hardbreak":
            return " "
        case "formula":
            return of_formula(formula_in(token))
        case "image":
            return "".join(_words(child, of_formula) for child in token.children or ())
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
