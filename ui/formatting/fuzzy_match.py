"""Fuzzy match of a title and what is typed: beginnings of words before initials, those before letters anywhere."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

Value = TypeVar("Value")

# What each way to match is worth; a title that is shorter, and where it begins earlier, wins among equals.
WHOLE, TITLE_START, WORD_START, INITIALS, INSIDE, SCATTERED, UNSEEN = 120.0, 110.0, 100.0, 80.0, 60.0, 30.0, 45.0
MAX_SCATTER = 3.0
"""How much longer than what is typed the stretch may be that its letters are scattered over."""


@dataclass(frozen=True)
class Match:
    """Match of a title: its score, and which of its letters matched."""

    score: float
    places: tuple[int, ...] = ()


def fold(text: str) -> list[str]:
    """Return what each letter of a text is compared as: without case and accents.

    >>> "".join(fold("Ångström"))
    'angstrom'
    """
    if text.isascii():
        return list(text.lower())
    folded: list[str] = []
    for letter in text:
        plain = "".join(c for c in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(c)).casefold()
        folded.append(plain[:1] or letter)
    return folded


def match(query: str, title: str, words: str = "") -> Match | None:
    """Return how well a title matches, None when it does not.

    Parameters
    ----------
    query
        What is typed. Each of its words has to be found, in any order.
    title
        What is shown.
    words
        What else counts, less than the title.

    Examples
    --------
    >>> match("lax", "Look along x").places
    (0, 5, 11)
    >>> match("frame sel", "Select frame").places
    (7, 8, 9, 10, 11, 0, 1, 2)
    >>> match("xyz", "Look along x") is None
    True
    """
    tokens = "".join(fold(query)).split()
    if not tokens:
        return Match(0.0)
    letters = fold(title)
    hidden = "".join(fold(words))
    whole = " ".join(tokens)
    shown = "".join(letters)
    if shown.startswith(whole):
        return Match(WHOLE if shown == whole else TITLE_START, tuple(range(len(whole))))
    initials = _initials("".join(tokens), letters)
    found: list[Match] = []
    for token in tokens:
        one = _one(token, letters)
        if one is None and token in hidden:
            one = Match(UNSEEN)
        if one is None:
            found = []
            break
        found.append(one)
    if not found:
        return None if initials is None else Match(initials.score - 0.01 * len(letters), initials.places)
    # The worst word tells most; words in the order of the title tell a little.
    scores = [one.score for one in found]
    starts = [one.places[0] for one in found if one.places]
    in_order = 2.0 if all(a < b for a, b in pairwise(starts)) else 0.0
    places = tuple(dict.fromkeys(place for one in found for place in one.places))
    total = 0.7 * min(scores) + 0.3 * sum(scores) / len(scores) + in_order - 0.01 * len(letters)
    if initials is not None and initials.score > total:
        return initials
    return Match(total, places)


def ranked(query: str, entries: Iterable[tuple[Value, str, str]], limit: int) -> list[tuple[Value, Match]]:
    """Return the best of values with a title and hidden words, the best first; equals stay in their order."""
    found = [(value, how) for value, title, words in entries if (how := match(query, title, words)) is not None]
    return sorted(found, key=lambda pair: -pair[1].score)[:limit]


def _one(token: str, letters: Sequence[str]) -> Match | None:
    """Return how well one word matches."""
    text = "".join(letters)
    starts = _word_starts(letters)
    n = len(token)
    for place in starts:
        if text.startswith(token, place):
            is_whole = place + n == len(text) or not text[place + n].isalnum()
            return Match(WORD_START + (5.0 if is_whole else 0.0) - 0.02 * place, tuple(range(place, place + n)))
    by_initials = _initials(token, letters)
    if by_initials is not None:
        return by_initials
    place = text.find(token)
    if place >= 0:
        return Match(INSIDE - 0.02 * place, tuple(range(place, place + n)))
    return _scattered(token, text)


def _initials(token: str, letters: Sequence[str]) -> Match | None:
    """Match the first letters of words, as `lax` does "Look along x"; best where no word is left out between them."""
    starts = _word_starts(letters)
    n = len(token)
    if n < 2:
        return None
    for first in range(len(starts) - n + 1):
        places = starts[first : first + n]
        if all(letters[place] == letter for place, letter in zip(places, token, strict=True)):
            return Match(INITIALS - first, tuple(places))
    found: list[int] = []
    for place in starts:
        if len(found) < n and letters[place] == token[len(found)]:
            found.append(place)
    return Match(INITIALS - 10.0, tuple(found)) if len(found) == n else None


def _scattered(token: str, text: str) -> Match | None:
    """Match letters in their order, not too far apart, the first at the beginning of a word."""
    if len(token) < 3:
        return None
    best: Match | None = None
    for start in _word_starts(text):
        places: list[int] = []
        at = start
        for letter in token:
            at = text.find(letter, at)
            if at < 0 or (not places and at != start):
                break
            places.append(at)
            at += 1
        if len(places) < len(token):
            continue
        stretch = places[-1] - places[0] + 1
        if stretch > MAX_SCATTER * len(token):
            continue
        score = SCATTERED - 10.0 * (stretch - len(token)) / (MAX_SCATTER * len(token))
        if best is None or score > best.score:
            best = Match(score, tuple(places))
    return best


def _word_starts(letters: Sequence[str]) -> list[int]:
    return [i for i, letter in enumerate(letters) if letter.isalnum() and (i == 0 or not letters[i - 1].isalnum())]
