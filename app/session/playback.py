"""Playback clock: commands on one frozen state, without a timer of its own.

The caller passes the elapsed real time. A late tick passes more of it, so late ticks are dropped and never queued.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

STEP_S = 0.05
"""Default time of a step button at speed 1, s."""


@dataclass(frozen=True)
class Playback:
    """State of the clock, in seconds of the scene.

    Attributes
    ----------
    start, end
        Time range of the scene, s.
    t
        Present time, s.
    speed
        Seconds of the scene per real second.
    step_s
        Time of a step button at speed 1, s.
    part
        The part of the time range that is played; None for all of it.
    is_live
        Whether the time range grows with incoming data.
    is_following
        Whether the clock stays at the end of a growing range.
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
        """Start of the played range."""
        return self.start if self.part is None else self.part[0]

    @property
    def last(self) -> float:
        """End of the played range."""
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

    def toggle(self) -> Playback:
        """Play or pause; at the end play starts again, or follows the end of a growing range."""
        if self.is_following:
            return self.pause()
        if self.is_live and not self.is_playing and self.t == self.end:
            return self.at_end()
        is_outside = not self.is_playing and not self.first <= self.t < self.last
        return replace(self, is_playing=not self.is_playing, t=self.first if is_outside else self.t)

    def pause(self) -> Playback:
        """Pause."""
        return replace(self, is_playing=False, is_following=False)

    def at(self, t: float) -> Playback:
        """Go to a time, clamped to the range."""
        return replace(self, t=min(max(t, self.start), self.end), is_following=False)

    def at_end(self) -> Playback:
        """Go to the end; follow it from now on if it grows."""
        return replace(self.pause().at(self.end), is_following=True) if self.is_live else self.at(self.end)

    def grow(self, start: float, end: float) -> Playback:
        """Set a growing time range after data were added at its end, and perhaps removed at its start."""
        state = replace(self, start=start, end=end, is_live=True)
        return state.at_end() if self.is_following else state.at(self.t)

    def step(self, n_steps: int) -> Playback:
        """Pause and go some steps forward, or back if negative."""
        return self.pause().at(self.t + n_steps * self.step_s * min(self.speed, 1.0))

    def with_range(self, start: float, end: float) -> Playback:
        """Set another time range and play all of it; keep the time where possible."""
        state = replace(self, start=start, end=end, part=None)
        return state.at_end() if self.is_following else state.at(self.t)

    def with_part(self, first: float, last: float) -> Playback:
        """Play a part of the time range; a part shorter than a step, or the whole range, removes the part."""
        first, last = max(first, self.start), min(last, self.end)
        is_whole = (first, last) == (self.start, self.end)
        return replace(self, part=None if is_whole or last - first < self.step_s else (first, last))
