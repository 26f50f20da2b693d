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
"""Of an action that says in the menu what it would do now: what it is called in lists."""

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
    """Something to be found and done.

    Attributes
    ----------
    title
        What it does, as in a menu.
    kind
        The menu it stands in, or what else it belongs to; shown small beside the title.
    shortcut
        The keys that do it, as they are written for people; empty when none do.
    run
        Does it.
    words
        What it is found by besides its title, and not shown.
    icon
        Name of an icon in place of that of its kind.
    is_on
        Whether it is switched on, for commands that switch.
    """

    title: str
    kind: Kind
    shortcut: str = ""
    run: Callable[[], object] = field(default=lambda: None, compare=False)
    words: str = ""
    icon: str = ""
    is_on: bool = False


def commands_of_actions(
    actions: Iterable[QAction], kind: Kind = "edit", *, is_enabled_only: bool = True
) -> tuple[Command, ...]:
    """Return the commands of actions, those in menus included; hidden ones are left out, disabled ones by default.

    A menu in the menu bar says the kind of what is in it, a menu further down begins the title: "Look from: Top".
    """
    found = _of_actions(actions, kind, "", 0)
    return tuple(command for action, command in found if action.isEnabled() or not is_enabled_only)


def item_commands(scene: Scene, pick: Callable[[ItemKey], object]) -> Iterator[Command]:
    """Return a command for each item of a scene, which selects it."""
    for kind, what in ITEM_WORDS.items():
        for name in getattr(scene, kind):
            words, icon = f"{what} {OF_KINDS['item']}", _ICONS_OF_ITEMS.get(kind, "")
            yield Command(f"Select {name}", "item", "", _called(pick, (kind, name)), words, icon)


def example_commands(cards: Iterable[ExampleCard], open_example: Callable[[str], object]) -> Iterator[Command]:
    """Return a command for each example, which opens it; it is found by what it teaches, too."""
    for card in cards:
        words = f"open example {card.name} {card.teaches} {OF_KINDS['example']}"
        yield Command(card.title, "example", "", _called(open_example, card.name), words)


def text_of(action: QAction) -> tuple[str, str]:
    """Return what an action says and its keys, without the marks of menus; one whose text changes says its name."""
    text, _, hint = action.text().partition("\t")
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    text = action.property(NAME_PROPERTY) or text
    # The last plus is a key itself.
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&"), re.sub(r"\+(?=.)", " ", keys or hint)


def _of_actions(actions: Iterable[QAction], kind: Kind, before: str, depth: int) -> Iterator[tuple[QAction, Command]]:
    for action in actions:
        if action.isSeparator() or not action.isVisible():
            continue
        title, keys = text_of(action)
        menu = action.menu()
        if isinstance(menu, QMenu):
            inner_kind = _kind_of_menu(title, kind)
            is_named = depth > 0 and inner_kind == kind
            yield from _of_actions(menu.actions(), inner_kind, f"{before}{title}: " if is_named else before, depth + 1)
        elif title:
            is_on = action.isCheckable() and action.isChecked()
            whole = f"{before}{title}"
            yield action, Command(whole, kind, keys, action.trigger, other_words(whole, kind), is_on=is_on)


def _kind_of_menu(title: str, kind: Kind) -> Kind:
    word = title.partition(" ")[0].lower()
    for known in get_args(Kind):
        if word == known:
            return known
    return _KINDS_OF_MENUS.get(word, kind)


def _called(do: Callable[..., object], value: object) -> Callable[[], object]:
    return lambda: do(value)
