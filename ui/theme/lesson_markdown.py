r"""Markdown of lessons as tokens: its formulas are tokens of their own, where they stand in text.

Formulas are taken out before Markdown is parsed, so that it leaves their signs alone. Where one stood in what is no
text (code, the title of a link, an address, a word for a picture), it is put back as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from markdown_it import MarkdownIt
from markdown_it.token import Token

from framescope.ui.theme.formulas import MARKS, Formula, taken_out, written

FORMULA = "formula"
"""Type of the tokens of formulas; their `meta` has the formula."""


def parser() -> MarkdownIt:
    """Return the parser of lessons: CommonMark with tables, in which HTML is text like any other."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def tokens_of(markdown: str, *, is_inline: bool = False) -> list[Token]:
    r"""Return the tokens of Markdown, or of words in one line.

    >>> [child.type for child in tokens_of(r"So $\omega$ `and $x$`", is_inline=True)[0].children]
    ['text', 'formula', 'text', 'code_inline']
    """
    marked, formulas = taken_out(markdown)
    made = parser()
    tokens = made.parseInline(marked) if is_inline else made.parse(marked)
    for token in tokens:
        _place(token, formulas)
    return tokens


def formulas_of(markdown: str) -> Iterator[Formula]:
    """Yield the formulas that stand in the text of Markdown."""
    for token in tokens_of(markdown):
        for child in token.children or ():
            if child.type == FORMULA:
                yield formula_in(child)


def formula_in(token: Token) -> Formula:
    """Return the formula of a token of type `FORMULA`."""
    return cast("Formula", token.meta[FORMULA])


def _place(token: Token, formulas: Sequence[Formula]) -> None:
    """Set the formulas in the text of a token; write those in its other parts as they were."""
    for name, value in token.attrs.items():
        if isinstance(value, str):
            token.attrs[name] = written(value, formulas)
    token.info = written(token.info, formulas)
    if token.children is not None and token.type == "inline":
        token.children = [part for child in token.children for part in _parts(child, formulas)]
    for child in token.children or ():
        _place(child, formulas)
    token.content = written(token.content, formulas)


def _parts(token: Token, formulas: Sequence[Formula]) -> Iterator[Token]:
    """Yield a token, or where it is text with marks the texts and formulas that it is."""
    if token.type != "text" or not MARKS.search(token.content):
        yield token
        return
    for k, part in enumerate(MARKS.split(token.content)):
        if k % 2:
            yield Token(FORMULA, "", 0, meta={FORMULA: formulas[int(part)]}, level=token.level)
        elif part:
            yield Token("text", "", 0, content=part, level=token.level)
