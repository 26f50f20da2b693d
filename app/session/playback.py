"""Playback clock: a closed set of commands on one frozen state, and no timer of its own.

Whoever drives it says how much real time went by; a late tick simply brings more of it, so that late
ticks are dropped and never queued.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

STEP_S = 0.05
"""How far the step buttons go at speed 1, unless it is set."""


@dataclass(frozen=True)
class Playback:
    """State of the clock, in scene seconds, and how it goes on.

    Attributes
    ----------
    start, end
        The time range of the scene.
    t
        Now.
    speed
        Scene seconds in a real one.
    step_s
        How far the step buttons go.
    part
        The part of the time range that is played; None is all of it.
    is_live
        Whether the time range grows, as data come.
    is_following
        Whether the clock stands at the end, and goes along as it grows.
    """

    start: float
    end: float
    t: float
    is_playing: bool = False
    is_looping: bool = True
    speed: float = 1.0
    step_s: float = STEP_S
    part: tuple[float, float] | None = None
    is_live: bool = False
    is_following: bool = False

    @property
    def first(self) -> float:
        """Where playing begins."""
        return self.start if self.part is None else self.part[0]

    @property
    def last(self) -> float:
        """Where playing ends."""
        return self.end if self.part is None else self.part[1]

    def advance(self, elapsed: float) -> Playback:
        """Return the state after `elapsed` real seconds."""
        if not self.is_playing:
            return self
        t = max(self.t, self.first) + max(0.0, elapsed) * self.speed
        if t <= self.last:
            return replace(self, t=t)
        if self.is_live and self.part is None:
            return self.at_end()
        if self.is_looping:
            return replace(self, t=self.first + (t - self.first) % (self.last - self.first))
        return replace(self, t=self.last, is_playing=False)

    def toggled(self) -> Playback:
        """Play or pause; play at the end begins again at the start, or goes along with it where it grows."""
        if self.is_following:
            return self.paused()
        if self.is_live and not self.is_playing and self.t == self.end:
            return self.at_end()
        is_outside = not self.is_playing and not self.first <= self.t < self.last
        return replace(self, is_playing=not self.is_playing, t=self.first if is_outside else self.t)

    def paused(self) -> Playback:
        """Pause."""
        return replace(self, is_playing=False, is_following=False)

    def at(self, t: float) -> Playback:
        """Go to a time, held inside the range."""
        return replace(self, t=min(max(t, self.start), self.end), is_following=False)

    def at_end(self) -> Playback:
        """Go to the end; where it grows, go along with it from now on."""
        return replace(self.paused().at(self.end), is_following=True) if self.is_live else self.at(self.end)

    def grown(self, start: float, end: float) -> Playback:
        """Take over a time range to which data were added, at its end, and from whose start some may have gone."""
        grown = replace(self, start=start, end=end, is_live=True)
        return grown.at_end() if self.is_following else grown.at(self.t)

    def stepped(self, n_steps: int) -> Playback:
        """Pause, and go some steps forward or back."""
        return self.paused().at(self.t + n_steps * self.step_s * min(self.speed, 1.0))

    def with_range(self, start: float, end: float) -> Playback:
        """Take over another time range, all of which is played; the clock stays where it can."""
        found = replace(self, start=start, end=end, part=None)
        return found.at_end() if self.is_following else found.at(self.t)

    def with_part(self, first: float, last: float) -> Playback:
        """Play a part of the time range; all of it, and what is shorter than a step, is no part."""
        first, last = max(first, self.start), min(last, self.end)
        is_whole = (first, last) == (self.start, self.end)
        return replace(self, part=None if is_whole or last - first < self.step_s else (first, last))
