"""Words of a text that carry meaning, without their endings, and its sentences."""

from __future__ import annotations

import re

from framescope.features.lessons.core.spoken_values import plain_of


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text in Markdown, without its marks."""
    paragraphs = re.split(r"\n\s*\n", text)
    return [part for paragraph in paragraphs for part in re.split(r"(?<=[.!?])\s+", plain_of(paragraph)) if part]


XYZ = ("x", "y", "z")
"""Letters of axes."""

_STOP = frozenset(
    [
        "about",
        "after",
        "again",
        "also",
        "along",
        "angle",
        "angles",
        "answer",
        "axes",
        "axis",
        "back",
        "because",
        "before",
        "body",
        "both",
        "does",
        "draw",
        "each",
        "first",
        "frame",
        "from",
        "have",
        "here",
        "into",
        "itself",
        "just",
        "like",
        "more",
        "most",
        "moves",
        "much",
        "only",
        "other",
        "over",
        "point",
        "points",
        "same",
        "second",
        "show",
        "shows",
        "that",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "turn",
        "turns",
        "under",
        "until",
        "very",
        "what",
        "when",
        "where",
        "which",
        "while",
        "with",
        "would",
        "your",
        "will",
        "between",
    ]
)


def stems(text: str) -> set[str]:
    """Return the words of a text that carry meaning, without endings."""
    return {_stem(word) for word in written_words(text) if len(word) > 3 and word not in _STOP}


_GRAMMAR = frozenset(
    [
        "about",
        "after",
        "all",
        "also",
        "and",
        "any",
        "are",
        "before",
        "between",
        "but",
        "can",
        "did",
        "does",
        "draw",
        "each",
        "for",
        "from",
        "had",
        "has",
        "have",
        "here",
        "how",
        "into",
        "its",
        "just",
        "many",
        "more",
        "most",
        "much",
        "must",
        "not",
        "one",
        "only",
        "our",
        "out",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "very",
        "was",
        "were",
        "what",
        "when",
        "where",
        "which",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)


_LEADING = frozenset(["a", "an", "are", "at", "by", "in", "is", "it", "on", "the", "they", "to", "towards"])


def phrase_of(text: str) -> str:
    """Return the words of an answer, in lower case, without an article or a preposition at the beginning.

    >>> phrase_of("To the pilot's right"), phrase_of("It is the same everywhere."), phrase_of("It is.")
    ('pilot s right', 'same everywhere', 'it is')
    """
    words = written_words(text)
    n = next((i for i, word in enumerate(words) if word not in _LEADING), 0)
    return " ".join(words[n:])


def has_phrase(text: str, phrase: str) -> bool:
    """Return whether a text has the words of a phrase, one after another.

    >>> has_phrase("The inner one only!", "inner one"), has_phrase("The inner ones", "inner one")
    (True, False)
    """
    return bool(phrase) and f" {phrase} " in f" {' '.join(written_words(text))} "


def contents_of(text: str) -> set[str]:
    """Return the words of a text, without endings and without words of grammar, and its numbers.

    >>> sorted(contents_of("ZXZ locks at 0° and at 180°."))
    ['0', '180', 'lock', 'zxz']
    """
    numbers = re.findall(r"(?<![\w.])[-−]?\d+(?:\.\d+)?", plain_of(text))
    return words_of(text) | {number.replace("−", "-") for number in numbers}


def words_of(text: str) -> set[str]:
    """Return the words of a text and the letters of axes, without endings and without words of grammar."""
    return {_stem(word) for word in written_words(text) if (len(word) > 2 or word in XYZ) and word not in _GRAMMAR}


def written_words(text: str) -> list[str]:
    """Return the words of a text in lower case, in their order."""
    return re.findall(r"[a-zà-ž]+(?:-[a-zà-ž]+)*", plain_of(text).lower())


def _stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s|ly)\Z", "", word)
