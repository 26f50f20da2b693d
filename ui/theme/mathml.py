r"""MathML of a TeX formula: only listed elements and attributes of MathML, with validated values.

latex2mathml copies the content of ``\text{…}`` and of attributes verbatim, so a formula could inject any markup into a
page. Therefore its tree is rebuilt from the known elements, and written by one serialiser.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from xml.etree import ElementTree as ET

NAMESPACE = "http://www.w3.org/1998/Math/MathML"

MAX_LENGTH = 1000
"""Maximum number of characters of a formula."""

MAX_WORK = 5000
"""Maximum cost of rendering a formula, in independent parts: ten matrices of three by three."""

_WORK = {"mrow": 2, "mtd": 2, "mpadded": 3, "mphantom": 3}
"""Number of times ziamath lays out the content of an element, recursively: nested rows take exponential time."""

REFUSED = frozenset(
    (
        *("href", "style", "class"),  # not part of a formula, but of its page
        *("def", "newcommand", "renewcommand", "providecommand", "newenvironment"),  # some generate text without end
    )
)
"""Commands that are forbidden in formulas."""

_ELEMENTS = frozenset(
    (
        *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup"),
        *("munder", "mover", "munderover", "mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd"),
        *("mstyle", "mpadded", "mphantom", "menclose"),
    )
)
_LENGTH = re.compile(r"[-+]?(\d{1,3}(\.\d{0,6})?|\.\d{1,6})(em|ex|px|pt|pc|in|cm|mm|mu|width|height|depth|%)?")
_WORD = re.compile(r"[A-Za-z][A-Za-z-]{0,40}|-?\d{1,2}")
_HEX_COLOR = re.compile(r"#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}")


class RefusedFormulaError(ValueError):
    """A formula is refused; the message is the reason."""


def _is_length(value: str) -> bool:
    return all(_LENGTH.fullmatch(part) or _WORD.fullmatch(part) for part in value.split())


def _is_word(value: str) -> bool:
    return all(_WORD.fullmatch(part) for part in value.split())


def _is_color(value: str) -> bool:
    return bool(_HEX_COLOR.fullmatch(value)) or value.lower() in _color_names()


@cache
def _color_names() -> frozenset[str]:
    """Return the colour names of style sheets."""
    from PIL.ImageColor import colormap

    return frozenset(colormap)


_LENGTHS = (
    *("width", "height", "depth", "voffset", "lspace", "rspace", "minsize", "maxsize", "mathsize", "linethickness"),
    *("rowspacing", "columnspacing"),
)
_WORDS = (
    *("display", "displaystyle", "scriptlevel", "stretchy", "symmetric", "fence", "form", "separator", "accent"),
    *("accentunder", "movablelimits", "largeop", "mathvariant", "notation", "linebreak"),
    *("columnalign", "rowalign", "columnlines", "rowlines"),
)
_ATTRIBUTES: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(_LENGTHS, _is_length),
    **dict.fromkeys(_WORDS, _is_word),
    **dict.fromkeys(("mathcolor", "mathbackground"), _is_color),
}
"""Allowed attributes, with the check of their values; all others are removed: links, styles, scripts."""

_REFERENCE = re.compile("&#x([0-9A-Fa-f]{1,8});")
_ESCAPED = re.compile(r"\\([%&#_{}])")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_KEEPER = "\ue002"
"""Character that keeps ``&#`` of a text from being read as a reference, as the library writes them."""


def mathml_tree(tex: str, *, is_display: bool) -> ET.Element:
    r"""Return the MathML of a formula in TeX.

    Raises
    ------
    RefusedFormulaError
        If it is too large, or contains anything forbidden. Other errors of any class come from the library.

    Examples
    --------
    >>> mathml_text(mathml_tree(r"\text{if a<b}", is_display=False)).partition("<mtext>")[2]
    'if\xa0a&lt;b</mtext></math>'
    """
    from latex2mathml.converter import convert_to_element

    _check(tex)
    display = "block" if is_display else "inline"
    converted = convert_to_element(tex.replace(_KEEPER, "").replace("&#", f"&{_KEEPER}#"), display=display)
    root = ET.Element("math", {"xmlns": NAMESPACE, "display": display})
    for child in converted:
        root.append(_rebuild(child))
    if _work(root) > MAX_WORK:
        raise RefusedFormulaError("it is too long, or has too many parts in each other")
    return root


def mathml_text(root: ET.Element) -> str:
    """Return MathML as text: characters that end a text or an attribute are written as references."""
    return ET.tostring(root, encoding="unicode")


def _check(tex: str) -> None:
    if len(tex) > MAX_LENGTH:
        raise RefusedFormulaError(f"it has {len(tex)} characters, at most {MAX_LENGTH} are allowed")
    if tex.count("{") != tex.count("}"):
        raise RefusedFormulaError(f"a brace is not {'closed' if tex.count('{') > tex.count('}') else 'opened'}")
    refused = sorted(REFUSED & set(_COMMAND.findall(tex)))
    if refused:
        raise RefusedFormulaError(f"formulas must not have \\{refused[0]}")


def _rebuild(node: ET.Element) -> ET.Element:
    """Return an element rebuilt from known MathML, without the single-child rows that the library adds."""
    if node.tag not in _ELEMENTS:
        raise RefusedFormulaError(f"it makes <{node.tag}>, which no formula has")
    attributes = {
        name: value for name, value in node.attrib.items() if name in _ATTRIBUTES and _ATTRIBUTES[name](value)
    }
    if node.tag == "mrow" and len(node) == 1 and not attributes:
        return _rebuild(node[0])
    element = ET.Element(node.tag, attributes)
    if node.text:
        element.text = _plain(node.text, is_text=node.tag == "mtext")
    for child in node:
        element.append(_rebuild(child))
    return element


def _work(node: ET.Element) -> int:
    return 1 + _WORK.get(node.tag, 1) * sum(map(_work, node))


def _plain(text: str, *, is_text: bool) -> str:
    """Return the text of an element, with the library's references resolved."""
    text = _REFERENCE.sub(lambda reference: _sign(int(reference[1], 16)), text).replace(_KEEPER, "")
    if is_text:
        text = _ESCAPED.sub(r"\1", text)
    return without_controls(text)


def without_controls(text: str) -> str:
    """Return a text with characters that XML cannot hold replaced: controls and unpaired surrogates."""
    return _CONTROLS.sub("\ufffd", text)


def _sign(code: int) -> str:
    return chr(code) if code <= 0x10FFFF else "\ufffd"
