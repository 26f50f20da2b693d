"""Reader of XML elements with lines and byte positions; entities are neither fetched nor expanded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from framescope.core.errors import FramescopeError

MAX_BYTES = 64_000_000
"""Largest size of an XML file, bytes."""
MAX_ELEMENTS = 300_000
"""Largest number of elements of an XML file."""
MAX_DEPTH = 200
"""Largest depth of nested elements."""


class XmlError(FramescopeError):
    """Error of a file that is not readable XML; `line` counts from 1, and `what` is the reason."""

    def __init__(self, line: int, message: str) -> None:
        self.line, self.what = line, message
        super().__init__(f"line {line}: {message}")


@dataclass(eq=False)
class Element:
    """XML element: tag with its prefix, attributes, children, and text.

    `line` counts from 1; `start` is the byte position of its tag.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    start: int
    children: list[Element] = field(default_factory=list["Element"])
    texts: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        """Text of the element, without the text of its children."""
        return "".join(self.texts)

    def first(self, *tags: str) -> Element | None:
        """Return the element at a path of tags, the first child with each tag; None where one is missing."""
        element: Element | None = self
        for tag in tags:
            element = next((child for child in element.children if child.tag == tag), None)
            if element is None:
                return None
        return element

    def all(self, tag: str) -> Iterator[Element]:
        """Yield the children with a tag."""
        return (child for child in self.children if child.tag == tag)

    def get(self, name: str) -> str | None:
        """Return an attribute without surrounding blanks; None where it is missing."""
        value = self.attributes.get(name)
        return None if value is None else value.strip()


def read_elements(data: bytes) -> Element:
    r"""Return the root element of an XML file.

    Raises
    ------
    XmlError
        When the file is not well-formed, declares a document type (which could name other files and grow without
        bound), or exceeds a limit.

    Examples
    --------
    >>> root = read_elements(b'<robot name="arm">\n  <link name="base"/>\n</robot>')
    >>> root.tag, root.first("link").get("name"), root.first("link").line
    ('robot', 'base', 2)
    """
    if len(data) > MAX_BYTES:
        raise XmlError(1, f"it has {len(data):,} bytes, more than {MAX_BYTES:,}.")
    return _Reader().read(data)


class _Reader:
    """Handlers of expat, and the open elements."""

    def __init__(self) -> None:
        self.open: list[Element] = []
        self.root: Element | None = None
        self.count = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._reject_doctype

    def read(self, data: bytes) -> Element:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise XmlError(error.lineno, f"it is not well-formed XML: {reason}, column {error.offset + 1}.") from None
        except (LookupError, ValueError) as error:  # unknown encoding
            raise XmlError(1, f"it cannot be decoded: {error}.") from None
        if self.root is None:
            raise XmlError(1, "it has no elements.")
        return self.root

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        line = self.parser.CurrentLineNumber
        if self.count > MAX_ELEMENTS:
            raise XmlError(line, f"it has more than {MAX_ELEMENTS:,} elements.")
        if len(self.open) >= MAX_DEPTH:
            raise XmlError(line, f"its elements are nested more than {MAX_DEPTH} levels deep.")
        element = Element(tag, attributes, line, self.parser.CurrentByteIndex)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, _tag: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        self.open[-1].texts.append(text)

    def _reject_doctype(self, *_declared: object) -> NoReturn:
        line = self.parser.CurrentLineNumber
        raise XmlError(line, "it declares a document type (<!DOCTYPE ...>), which could name other files. Remove that.")
