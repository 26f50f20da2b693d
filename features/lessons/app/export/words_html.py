"""HTML of the texts of a lesson: formulas become MathML, and HTML in the Markdown is shown as text."""

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
"""Link to another lesson. It is dropped, as the location of that lesson's page is unknown."""


def html_of(markdown: str, *, is_inline: bool = False) -> str:
    r"""Convert Markdown to HTML; with `is_inline`, one line without a paragraph.

    >>> html_of("*if* $a<b$ <b> [a](x \"$x$\")", is_inline=True).replace("\n", "")[:24]
    '<em>if</em> <math xmlns='
    >>> html_of("<b> ![the *rig*](rig.png)")
    '<p>&lt;b&gt; the rig</p>\n'
    """
    markdown_parser = parser()
    markdown_parser.add_render_rule("formula", _formula)
    markdown_parser.add_render_rule("image", _image)
    text = markdown_parser.renderer.render(tokens_of(markdown, is_inline=is_inline), markdown_parser.options, {})
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
    """Return an image that is embedded in the lesson; for others their alternative text, as a page reads no files."""
    if str(tokens[i].attrGet("src")).startswith("data:"):
        return RendererHTML.image(renderer, tokens, i, options, dict(env))
    return html.escape(renderer.renderInlineAsText(tokens[i].children, options, dict(env)))
