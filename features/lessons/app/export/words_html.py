"""Words of a lesson as HTML: Markdown in which formulas are MathML and HTML is text."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from framescope.ui.theme.formulas import FormulaError, mathml_text_of
from framescope.ui.theme.lesson_markdown import formula_in, parser, tokens_of

_LESSON_LINK = re.compile(r'<a href="lesson:[^"]*">(.*?)</a>')
"""A link to a lesson: where its page is, if anywhere, nobody knows."""


def html_of(markdown: str, *, is_inline: bool = False) -> str:
    r"""Return Markdown, or words in one line, as HTML.

    >>> html_of("*if* $a<b$ <b> [a](x \"$x$\")", is_inline=True).replace("\n", "")[:24]
    '<em>if</em> <math xmlns='
    >>> html_of("<b> ![the *rig*](rig.png)")
    '<p>&lt;b&gt; the rig</p>\n'
    """
    made = parser()
    made.add_render_rule("formula", _formula)
    made.add_render_rule("image", _image)
    text = made.renderer.render(tokens_of(markdown, is_inline=is_inline), made.options, {})
    return _LESSON_LINK.sub(r"\1", text)


def _formula(
    _renderer: RendererHTML, tokens: Sequence[Token], i: int, _options: OptionsDict, _env: Mapping[str, Any]
) -> str:
    formula = formula_in(tokens[i])
    try:
        return mathml_text_of(formula)
    except FormulaError:
        return html.escape(formula.source, quote=False)


def _image(
    renderer: RendererHTML, tokens: Sequence[Token], i: int, options: OptionsDict, env: Mapping[str, Any]
) -> str:
    """Return an image that is in the lesson itself; of another its words, as a page reads no files."""
    if str(tokens[i].attrGet("src")).startswith("data:"):
        return RendererHTML.image(renderer, tokens, i, options, dict(env))
    return html.escape(renderer.renderInlineAsText(tokens[i].children, options, dict(env)))
