"""Markdown of lessons as tokens, with formulas as tokens of their own within text.

Formulas are extracted before Markdown is parsed, so that it leaves their characters alone. A formula outside of text
(in code, the title of a link, an address, the alternative text of a picture) is restored as written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from markdown_it import MarkdownIt
from markdown_it.token import Token

from framescope.ui.theme.formulas import MARKS, Formula, extract_formulas, restore_formulas

FORMULA = "formula"
"""Type of the tokens of formulas; their `meta` has the formula."""


def parser() -> MarkdownIt:
    """Return the parser of lessons: CommonMark with tables, in which HTML is plain text."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def tokens_of(markdown: str, *, is_inline: bool = False) -> list[Token]:
    r"""Return the tokens of Markdown, or of inline Markdown.

    >>> [child.type for child in tokens_of(r"So $\omega$ `and $x$`", is_inline=True)[0].children]
    ['text', 'formula', 'text', 'code_inline']
    """
    marked, formulas = extract_formulas(markdown)
    markdown_parser = parser()
    tokens = markdown_parser.parseInline(marked) if is_inline else markdown_parser.parse(marked)
    for token in tokens:
        _place(token, formulas)
    return tokens


def formulas_of(markdown: str) -> Iterator[Formula]:
    """Yield the formulas in the text of Markdown."""
    for token in tokens_of(markdown):
        for child in token.children or ():
            if child.type == FORMULA:
                yield formula_in(child)


def formula_in(token: Token) -> Formula:
    """Return the formula of a token of type `FORMULA`."""
    return cast("Formula", token.meta[FORMULA])


def _place(token: Token, formulas: Sequence[Formula]) -> None:
    """Insert the formulas in the text of a token; restore their source in its other parts."""
    for name, value in token.attrs.items():
        if isinstance(value, str):
            token.attrs[name] = restore_formulas(value, formulas)
    token.info = restore_formulas(token.info, formulas)
    if token.children is not None and token.type == "inline":
        token.children = [part for child in token.children for part in _parts(child, formulas)]
    for child in token.children or ():
        _place(child, formulas)
    token.content = restore_formulas(token.content, formulas)


def _parts(token: Token, formulas: Sequence[Formula]) -> Iterator[Token]:
    """Yield a token, or the texts and formulas of a text token with placeholders."""
    if token.type != "text" or not MARKS.search(token.content):
        yield token
        return
    for k, part in enumerate(MARKS.split(token.content)):
        if k % 2:
            yield Token(FORMULA, "", 0, meta={FORMULA: formulas[int(part)]}, level=token.level)
        elif part:
            yield Token("text", "", 0, content=part, level=token.level)
