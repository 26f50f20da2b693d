"""Texts for the sentences of the autopsy: durations and lists of names."""

from __future__ import annotations

from collections.abc import Sequence

from framescope.core.scene.schema.stamps import NS

MAX_NAMES = 4


def join_names(names: Sequence[str]) -> str:
    """Return the first few of some names as a list in a sentence.

    >>> join_names(["a", "b"]), join_names(list("abcdef"))
    ('a and b', 'a, b, c, d and 2 more')
    """
    if len(names) > MAX_NAMES:
        return f"{', '.join(names[:MAX_NAMES])} and {len(names) - MAX_NAMES} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def span(ns: int) -> str:
    """Return a duration with a suitable unit.

    >>> span(250_000_000), span(1_500_000_000)
    ('250 ms', '1.5 s')
    """
    seconds = abs(ns) / NS
    return (
        f"{seconds * 1e3:.3g} ms" if seconds < 0.9995 else f"{seconds:,.3g} s" if seconds < 1e3 else f"{seconds:,.0f} s"
    )


def by(publishers: Sequence[str]) -> str:
    """Return the publishers as the end of a phrase; empty if unknown.

    >>> by(["/driver"]), by([])
    (' by /driver', '')
    """
    return f" by {join_names(publishers)}" if publishers else ""
