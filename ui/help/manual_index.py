"""Index of the manual: pages in order, headings, search, and the help page of each panel.

Imports Qt only to read the property with a widget's help page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtWidgets import QWidget

from framescope import assets
from framescope.core.system.features import installed_features, put_after
from framescope.ui.formatting.fuzzy_match import fold
from framescope.ui.palette.command import Command

BASE = ("index", "window", "settings", "export", "expressions", "scene-file", "scene-keys", "conventions", "python")
"""Pages of the base, in their order."""

ORDER = tuple(put_after(BASE, (page for feature in installed_features() for page in feature.manual)))
"""Pages of base and features, in their order. The manual shows no other page."""

TOPIC = "helpTopic"
"""Dynamic property of a widget with its help page, such as ``window.md#outline``."""

TOPICS = {
    "orientation": "window.md#orientation-panel",
    "scene": "window.md#the-scene",
    "status": "window.md#status-line",
}
"""Help pages of panels without a dock of their own."""

FIRST = "index.md"
MAX_HITS = 40
_BEFORE, _AFTER = 14, 86
"""Length of an excerpt before and after the match, characters. The match stays visible in narrow lists."""
_ENDINGS = ("ing", "s", "e")
_HEADING = re.compile(r"^(#{1,3}) +(.+?) *#*$")


@dataclass(frozen=True)
class Heading:
    """Heading: level (1 to 3), text, and name for links."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True)
class Page:
    """Page of Markdown. `name` is the file name without the ending."""

    name: str
    text: str
    headings: tuple[Heading, ...]

    @property
    def title(self) -> str:
        """First heading."""
        return self.headings[0].text if self.headings else self.name

    @property
    def target(self) -> str:
        """Name for links."""
        return f"{self.name}.md"


@dataclass(frozen=True)
class ManualHit:
    """Search result: target, heading above it, and excerpt."""

    target: str
    title: str
    excerpt: str


def anchor_of(heading: str) -> str:
    """Return the name of a heading for links, as GitHub forms it.

    >>> anchor_of("The scene's own `camera`")
    'the-scenes-own-camera'
    """
    letters = re.sub(r"[^\w\s-]", "", plain(heading).casefold())
    return re.sub(r"\s+", "-", letters.strip())


def plain(markdown: str) -> str:
    """Return a line of Markdown without its markup.

    >>> plain("**T** is `v2 = T @ v1`, see [there](conventions.md)")
    'T is v2 = T @ v1, see there'
    """
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown).replace("**", "").replace("`", "")


def read_page(path: Path) -> Page:
    """Read a page."""
    text = path.read_text(encoding="utf-8")
    headings = tuple(heading for _, heading in _lines(text) if isinstance(heading, Heading))
    return Page(path.stem, text, headings)


@cache
def manual_pages() -> tuple[Page, ...]:
    """Return the pages of the manual, in order."""
    return tuple(read_page(assets.path("manual") / f"{name}.md") for name in ORDER)


def search(pages: Sequence[Page], query: str) -> list[ManualHit]:
    """Return headings, then paragraphs, that contain all words of a query."""
    tokens = [_stem(token) for token in "".join(fold(query)).split()]
    if not tokens:
        return []
    in_headings: list[ManualHit] = []
    in_texts: list[ManualHit] = []
    for page in pages:
        text: set[str] = set()
        for line, folded, heading, is_heading in _search_rows(page):
            target = f"{page.target}#{heading.anchor}"
            if not all(token in folded for token in tokens) or target in text:
                continue
            text.add(target)
            excerpt = _excerpt(line, folded.find(tokens[0]))
            title = page.title if heading.level == 1 else f"{page.title}: {plain(heading.text)}"
            (in_headings if is_heading else in_texts).append(ManualHit(target, title, "" if is_heading else excerpt))
    return (in_headings + in_texts)[:MAX_HITS]


def _stem(word: str) -> str:
    """Return a word without a common ending, so that other forms of it match.

    >>> [_stem(word) for word in ("interpolate", "lessons", "smoothing", "axes")]
    ['interpolat', 'lesson', 'smooth', 'axes']
    """
    return next((word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) > len(end) + 3), word)


def _excerpt(line: str, place: int) -> str:
    """Return the words of a line around a position, without the markup of tables and emphasis.

    >>> _excerpt("| *G* | handles of the selected frame |", 8)
    '… G · handles of the selected frame …'
    """
    low, high = max(0, place - _BEFORE), place + _AFTER
    # cut the ends at spaces
    low = line.find(" ", low) if low and " " in line[low:place] else low
    high = line.rfind(" ", place, high) if high < len(line) and " " in line[place:high] else high
    cells = (cell.strip() for cell in line[low:high].replace("*", "").split("|"))
    return f"… {' · '.join(cell for cell in cells if cell.strip('-: '))} …"


@lru_cache(maxsize=64)
def _search_rows(page: Page) -> tuple[tuple[str, str, Heading, bool], ...]:
    """Return the text, folded text and heading of each heading and paragraph, and whether it is a heading.

    Cached, since each keystroke in a search goes through all pages.
    """
    below = page.headings[0] if page.headings else Heading(1, page.name, "")
    rows: list[tuple[str, str, Heading, bool]] = []
    for line, heading in _paragraphs(page.text):
        below = heading or below
        rows.append((line, "".join(fold(line)), below, heading is not None))
    return tuple(rows)


def help_page_of(widget: QWidget | None) -> str:
    """Return the help page of a widget or its nearest ancestor with one, else the first page."""
    while widget is not None:
        topic = widget.property(TOPIC)
        if isinstance(topic, str) and topic:
            return topic
        widget = widget.parentWidget()
    return FIRST


def manual_commands(pages: Sequence[Page], show: Callable[[str], object]) -> Iterator[Command]:
    """Yield a command for each page and heading that opens the manual there."""
    for page in pages:
        for heading in page.headings:
            target = f"{page.target}#{heading.anchor}"
            words = "manual help " + ("" if heading.level == 1 else page.title)
            yield Command(plain(heading.text), "help", "", _bind_target(show, target), words, is_to_read=True)


def manual_finds(pages: Sequence[Page], show: Callable[[str], object], query: str) -> Iterator[Command]:
    """Yield a command for each paragraph that matches a query. It opens the manual there."""
    for hit in search(pages, query):
        if hit.excerpt:
            yield Command(f"{hit.title}: {hit.excerpt}", "help", "", _bind_target(show, hit.target), is_to_read=True)


def _bind_target(show: Callable[[str], object], target: str) -> Callable[[], object]:
    return lambda: show(target)


def _lines(text: str) -> Iterator[tuple[str, Heading | None]]:
    """Yield lines with their heading, or None for other lines and lines in code blocks."""
    is_code = False
    for line in text.splitlines():
        if line.startswith("```"):
            is_code = not is_code
        match = None if is_code else _HEADING.match(line)
        heading = Heading(len(match[1]), plain(match[2]), anchor_of(match[2])) if match else None
        yield line, heading


def _paragraphs(text: str) -> Iterator[tuple[str, Heading | None]]:
    """Yield headings, and the paragraphs between them as one line each."""
    gathered: list[str] = []
    for line, heading in (*_lines(text), ("", None)):
        if heading is not None or not line.strip() or line.startswith("```"):
            if gathered:
                yield plain(" ".join(gathered)), None
                gathered = []
            if heading is not None:
                yield heading.text, heading
        else:
            gathered.append(line.strip())
