"""The clock: a closed set of commands on one frozen state, and no timer of its own.

Whoever drives it says how much real time went by; a late tick simply brings more of it, so that late
ticks are dropped and never queued.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

STEP_S = 0.05
"""How far the step buttons go at speed 1."""


@dataclass(frozen=True)
class Playback:
    """Where the clock stands, in scene seconds, and how it goes on."""

    start: float
    end: float
    t: float
    is_playing: bool = False
    is_looping: bool = True
    speed: float = 1.0

    def advance(self, elapsed: float) -> Playback:
        """Return the state after `elapsed` real seconds."""
        if not self.is_playing:
            return self
        t = self.t + max(0.0, elapsed) * self.speed
        if t <= self.end:
            return replace(self, t=t)
        if self.is_looping:
            return replace(self, t=self.start + (t - self.start) % (self.end - self.start))
        return replace(self, t=self.end, is_playing=False)

    def toggled(self) -> Playback:
        """Play or pause; play at the end begins again at the start."""
        is_at_end = not self.is_playing and self.t >= self.end
        return replace(self, is_playing=not self.is_playing, t=self.start if is_at_end else self.t)

    def paused(self) -> Playback:
        """Pause."""
        return replace(self, is_playing=False)

    def at(self, t: float) -> Playback:
        """Go to a time, held inside the range."""
        return replace(self, t=min(max(t, self.start), self.end))

    def stepped(self, n_steps: int) -> Playback:
        """Pause, and go some steps forward or back."""
        return self.paused().at(self.t + n_steps * STEP_S * min(self.speed, 1.0))

    def with_range(self, start: float, end: float) -> Playback:
        """Take over another time range; the clock stays where it can."""
        return replace(self, start=start, end=end).at(self.t)
