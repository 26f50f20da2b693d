"""Time that work will still take, in words."""

from __future__ import annotations

SOON_S = 2.0
"""Time that work has taken before its rest is estimated, s."""

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86_400.0


def time_left(share: float, elapsed_s: float) -> str:
    """Return how long work will still take, in words; nothing where it is too early to tell, or done.

    Parameters
    ----------
    share
        Part of the work that is done, from 0 to 1.
    elapsed_s
        Time that it has taken, s.

    Examples
    --------
    >>> time_left(0.25, 30.0), time_left(0.01, 60.0), time_left(0.5, 1.0)
    ('about 90 s left', 'about 99 min left', '')
    """
    if not 0.0 < share < 1.0 or elapsed_s < SOON_S:
        return ""
    seconds = elapsed_s * (1.0 - share) / share
    if seconds >= 2.0 * _DAY:
        return "more than a day left"
    for unit, name in ((_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= 2.0 * unit:
            return f"about {round(seconds / unit)} {name} left"
    return f"about {max(round(seconds), 1)} s left"
