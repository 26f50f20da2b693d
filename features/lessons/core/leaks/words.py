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


def words_of(text: str) -> set[str]:
    """Return the words of a text and the letters of axes, without endings and without words of grammar."""
    return {_stem(word) for word in written_words(text) if (len(word) > 2 or word in XYZ) and word not in _GRAMMAR}


def written_words(text: str) -> list[str]:
    """Return the words of a text in lower case, in their order."""
    return re.findall(r"[a-zà-ž]+(?:-[a-zà-ž]+)*", plain_of(text).lower())


def _stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s|ly)\Z", "", word)
