"""Commands of the palette: of actions, items, examples and manual pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from framescope.core.scene.schema.model import ITEM_WORDS, ItemKey, Scene
from framescope.ui.palette.example_card import ExampleCard
from framescope.ui.palette.synonyms import OF_KINDS, other_words

Kind = Literal["view", "edit", "file", "insert", "window", "help", "item", "example"]

ICONS: dict[Kind, str] = {
    "view": "eye",
    "edit": "pencil",
    "file": "folder-open",
    "insert": "plus",
    "window": "layers",
    "help": "circle-help",
    "item": "axis-3d",
    "example": "layout-grid",
}
_KINDS_OF_MENUS: dict[str, Kind] = {"examples": "example", "recent": "file"}
NAME_PROPERTY = "name"
"""Property of an action whose menu text changes, or needs its group in lists: its constant name for lists."""

GROUPING_PROPERTY = "is_grouping"
"""Property of a submenu that only keeps its menu short: its title does not precede its commands."""

_ICONS_OF_ITEMS = {
    "bodies": "box",
    "points": "pin",
    "elements": "link",
    "sensors": "gauge",
    "measured": "ruler",
    "notes": "message-square-text",
}


@dataclass(frozen=True)
class Command:
    """Command that the palette can find and run.

    Attributes
    ----------
    title
        Text, as in a menu.
    kind
        Menu or other category, shown small beside the title.
    shortcut
        Keys as text for users; empty when there are none.
    run
        Function that runs the command.
    words
        Hidden search words besides the title.
    icon
        Name of an icon in place of the kind's.
    is_on
        Whether the command is a switch that is on.
    is_to_read
        Whether the command opens a text to read. What can be done comes first.
    """

    title: str
    kind: Kind
    shortcut: str = ""
    run: Callable[[], object] = field(default=lambda: None, compare=False)
    words: str = ""
    icon: str = ""
    is_on: bool = False
    is_to_read: bool = False


def commands_of_actions(
    actions: Iterable[QAction], kind: Kind = "edit", *, is_enabled_only: bool = True
) -> tuple[Command, ...]:
    """Return the commands of actions and their menus, without hidden ones and, by default, disabled ones.

    The title of a top-level menu is the kind of its commands. Titles of submenus precede the command, as in
    "Look from: Top", except those with `GROUPING_PROPERTY`.
    """
    pairs = _of_actions(actions, kind, "", 0)
    return tuple(command for action, command in pairs if action.isEnabled() or not is_enabled_only)


def item_commands(scene: Scene, pick: Callable[[ItemKey], object]) -> Iterator[Command]:
    """Yield a command for each item of a scene that selects the item."""
    for kind, what in ITEM_WORDS.items():
        for name in getattr(scene, kind):
            words, icon = f"{what} {OF_KINDS['item']}", _ICONS_OF_ITEMS.get(kind, "")
            yield Command(f"Select {name}", "item", "", _bind_value(pick, (kind, name)), words, icon)


def example_commands(cards: Iterable[ExampleCard], open_example: Callable[[str], object]) -> Iterator[Command]:
    """Yield a command for each example that opens it. Its sentence on the topic is searchable, too."""
    for card in cards:
        words = f"open example {card.words} {card.teaches} {OF_KINDS['example']}"
        yield Command(card.full_title, "example", "", _bind_value(open_example, card.name), words)


def text_of(action: QAction) -> tuple[str, str]:
    """Return the text and keys of an action without menu markup. An action with a name property has that name."""
    text, _, hint = action.text().partition("\t")
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    text = action.property(NAME_PROPERTY) or text
    # A plus at the end is a key itself.
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&"), re.sub(r"\+(?=.)", " ", keys or hint)


def _of_actions(actions: Iterable[QAction], kind: Kind, before: str, depth: int) -> Iterator[tuple[QAction, Command]]:
    for action in actions:
        if action.isSeparator() or not action.isVisible():
            continue
        title, keys = text_of(action)
        menu = action.menu()
        if isinstance(menu, QMenu):
            inner_kind = _kind_of_menu(title, kind)
            is_named = depth > 0 and inner_kind == kind and not menu.property(GROUPING_PROPERTY)
            yield from _of_actions(menu.actions(), inner_kind, f"{before}{title}: " if is_named else before, depth + 1)
        elif title:
            is_on = action.isCheckable() and action.isChecked()
            full_title = f"{before}{title}"
            yield action, Command(full_title, kind, keys, action.trigger, other_words(full_title, kind), is_on=is_on)


def _kind_of_menu(title: str, kind: Kind) -> Kind:
    word = title.partition(" ")[0].lower()
    for known in get_args(Kind):
        if word == known:
            return known
    return _KINDS_OF_MENUS.get(word, kind)


def _bind_value(do: Callable[..., object], value: object) -> Callable[[], object]:
    return lambda: do(value)
