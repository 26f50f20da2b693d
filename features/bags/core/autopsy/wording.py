"""Words of the autopsy: numbers, spans and lists as its sentences have them."""

from __future__ import annotations

from collections.abc import Sequence

from framescope.core.scene.schema.stamps import NS

MAX_NAMES = 4


def listed(names: Sequence[str]) -> str:
    """Return names in a sentence, the first few.

    >>> listed(["a", "b"]), listed(list("abcdef"))
    ('a and b', 'a, b, c, d and 2 more')
    """
    if len(names) > MAX_NAMES:
        return f"{', '.join(names[:MAX_NAMES])} and {len(names) - MAX_NAMES} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def span(ns: int) -> str:
    """Return a length of time with a unit that suits it.

    >>> span(250_000_000), span(1_500_000_000)
    ('250 ms', '1.5 s')
    """
    seconds = abs(ns) / NS
    return (
        f"{seconds * 1e3:.3g} ms" if seconds < 0.9995 else f"{seconds:,.3g} s" if seconds < 1e3 else f"{seconds:,.0f} s"
    )


def by(publishers: Sequence[str]) -> str:
    """Return who sent something, where that is known.

    >>> by(["/driver"]), by([])
    (' by /driver', '')
    """
    return f" by {listed(publishers)}" if publishers else ""
