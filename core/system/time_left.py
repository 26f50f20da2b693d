"""Estimate of the remaining time of long work, in words."""

from __future__ import annotations

SOON_S = 2.0
"""Elapsed time from which the remaining time is estimated, s."""

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86_400.0


def time_left(share: float, elapsed_s: float) -> str:
    """Return the remaining time of work in words; empty while it is too early to estimate, and after the end.

    Parameters
    ----------
    share
        Completed fraction of the work, from 0 to 1.
    elapsed_s
        Elapsed time, s.

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
