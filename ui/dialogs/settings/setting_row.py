"""Row of a setting, and the search in rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from framescope.ui.formatting.fuzzy_match import fold

Value = str | float


def _no_details(_value: Value) -> str:
    return ""


@dataclass(frozen=True)
class SettingRow:
    """Setting in the dialog.

    Attributes
    ----------
    name
        Name of the setting in the program.
    key
        Key in the settings file. A slash follows the name of its section.
    group, title, text
        Heading of its group, its title, and a sentence on its effect.
    choices
        Text and value of each choice.
    usual
        Value of an unset setting.
    words
        Other words by which the row is found.
    details
        Function that returns a second sentence on a value; empty for none.
    """

    name: str
    key: str
    group: str
    title: str
    text: str
    choices: tuple[tuple[str, Value], ...]
    usual: Value
    words: str = ""
    details: Callable[[Value], str] = _no_details

    def matches(self, query: str) -> bool:
        """Return whether the row contains all words of a query.

        >>> row = SettingRow("theme", "theme", "Appearance", "Theme", "", (("Dark", "dark"),), "dark", "colours night")
        >>> row.matches("NIGHT theme"), row.matches("night owl")
        (True, False)
        """
        texts = (self.group, self.title, self.text, self.key, self.words, *(text for text, _ in self.choices))
        text = _folded(" ".join(texts))
        return all(word in text for word in _folded(query).split())


def matching_rows(rows: Iterable[SettingRow], query: str) -> tuple[SettingRow, ...]:
    """Return the rows that match a query, in order."""
    return tuple(row for row in rows if row.matches(query))


def _folded(text: str) -> str:
    return "".join(fold(text))
