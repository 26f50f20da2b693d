"""Fuzzy matching of titles with typed text: word beginnings rank above initials, initials above scattered letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

Value = TypeVar("Value")

# Scores of the kinds of matches; among equals, a shorter title and an earlier position win.
WHOLE, TITLE_START, WORD_START, INITIALS, INSIDE, SCATTERED = 120.0, 110.0, 100.0, 80.0, 60.0, 30.0
UNSEEN, UNSEEN_INSIDE = 45.0, 20.0
"""Scores of hidden words that begin with the typed text, and of those that contain it, as *simulated* has *imu*."""
TITLE_BEGUN = 103.0
"""Score of a title that starts with the typed text within a word; a whole word elsewhere in a title scores more."""
MAX_SCATTER = 3.0
"""Maximum length of the stretch of scattered letters, relative to the length of the typed text."""


@dataclass(frozen=True)
class Match:
    """Match of a title: its score, and the indices of the matching letters."""

    score: float
    places: tuple[int, ...] = ()


def fold(text: str) -> list[str]:
    """Return the letters of a text for comparison: without case and accents.

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
    """Return the match of a title with typed text; None if it does not match.

    Parameters
    ----------
    query
        Typed text. Each of its words must match, in any order.
    title
        Displayed title.
    words
        Further searchable words, which score less than the title.

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
    title_text = "".join(letters)
    if title_text.startswith(whole):
        ends_in_word = title_text[len(whole) : len(whole) + 1].isalnum()
        score = WHOLE if title_text == whole else TITLE_BEGUN if ends_in_word else TITLE_START
        return Match(score, tuple(range(len(whole))))
    initials = _match_initials("".join(tokens), letters)
    word_matches: list[Match] = []
    for token in tokens:
        word_match = _match_word(token, letters)
        if (word_match is None or word_match.score < UNSEEN) and token in hidden:
            unseen = Match(UNSEEN if begins_words(token, hidden) else UNSEEN_INSIDE)
            word_match = unseen if word_match is None or unseen.score > word_match.score else word_match
        if word_match is None:
            word_matches = []
            break
        word_matches.append(word_match)
    if not word_matches:
        return None if initials is None else Match(initials.score - 0.01 * len(letters), initials.places)
    # The worst word weighs most; words in the order of the title weigh a little.
    scores = [word_match.score for word_match in word_matches]
    starts = [word_match.places[0] for word_match in word_matches if word_match.places]
    in_order = 2.0 if all(a < b for a, b in pairwise(starts)) else 0.0
    places = tuple(dict.fromkeys(place for word_match in word_matches for place in word_match.places))
    total = 0.7 * min(scores) + 0.3 * sum(scores) / len(scores) + in_order - 0.01 * len(letters)
    if initials is not None and initials.score > total:
        return initials
    return Match(total, places)


def begins_words(query: str, text: str) -> bool:
    """Return whether each word of a typed text is a word of a text, or its beginning.

    >>> begins_words("fram ros", "Frames of ROS"), begins_words("ros", "gyroscope")
    (True, False)
    """
    letters = fold(text)
    starts, folded = _word_starts(letters), "".join(letters)
    return all(any(folded.startswith(token, start) for start in starts) for token in "".join(fold(query)).split())


def rank(query: str, entries: Iterable[tuple[Value, str, str]], limit: int) -> list[tuple[Value, Match]]:
    """Return the best values with a title and hidden words, the best first; ties keep their order."""
    matches = [(value, how) for value, title, words in entries if (how := match(query, title, words)) is not None]
    return sorted(matches, key=lambda pair: -pair[1].score)[:limit]


def _match_word(token: str, letters: Sequence[str]) -> Match | None:
    """Return the match of a single word, or None."""
    text = "".join(letters)
    starts = _word_starts(letters)
    n = len(token)
    for place in starts:
        if text.startswith(token, place):
            is_whole = place + n == len(text) or not text[place + n].isalnum()
            return Match(WORD_START + (5.0 if is_whole else 0.0) - 0.02 * place, tuple(range(place, place + n)))
    by_initials = _match_initials(token, letters)
    if by_initials is not None:
        return by_initials
    place = text.find(token)
    if place >= 0:
        return Match(INSIDE - 0.02 * place, tuple(range(place, place + n)))
    return _match_letters(token, text)


def _match_initials(token: str, letters: Sequence[str]) -> Match | None:
    """Match the first letters of words, such as `lax` in "Look along x"; best without skipped words between them."""
    starts = _word_starts(letters)
    n = len(token)
    if n < 2:
        return None
    for first in range(len(starts) - n + 1):
        places = starts[first : first + n]
        if all(letters[place] == letter for place, letter in zip(places, token, strict=True)):
            return Match(INITIALS - first, tuple(places))
    indices: list[int] = []
    for place in starts:
        if len(indices) < n and letters[place] == token[len(indices)]:
            indices.append(place)
    return Match(INITIALS - 10.0, tuple(indices)) if len(indices) == n else None


def _match_letters(token: str, text: str) -> Match | None:
    """Match letters in order, not too far apart, the first at the beginning of a word."""
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
