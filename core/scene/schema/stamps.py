"""Stamps of recordings: integers in ns since an epoch, and their texts in s with nine decimals."""

from __future__ import annotations

import re

NS = 1_000_000_000
"""Nanoseconds in a second."""

STAMP_PATTERN = r"^-?\d{1,10}(\.\d{1,9})?$"
"""Pattern of a stamp as text."""


def stamp_text(stamp_ns: int) -> str:
    """Return a stamp as text in seconds.

    >>> stamp_text(1_718_700_000_000_000_005), stamp_text(-1)
    ('1718700000.000000005', '-0.000000001')
    """
    sign = "-" if stamp_ns < 0 else ""
    whole, rest = divmod(abs(stamp_ns), NS)
    return f"{sign}{whole}.{rest:09d}"


def stamp_of(text: str) -> int:
    """Convert the text of a stamp to ns; raise `ValueError` for any other text.

    >>> stamp_of("1718700000.000000005"), stamp_of("-0.5"), stamp_of("12")
    (1718700000000000005, -500000000, 12000000000)
    """
    if re.match(STAMP_PATTERN, text) is None:
        raise ValueError(f"expected seconds with up to nine decimals, got {text[:40]!r}")
    whole, _, rest = text.lstrip("-").partition(".")
    stamp_ns = int(whole) * NS + int(rest.ljust(9, "0"))
    return -stamp_ns if text.startswith("-") else stamp_ns
