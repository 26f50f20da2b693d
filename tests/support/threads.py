"""Threads that work beside a window."""

from __future__ import annotations

import threading


def beside() -> list[threading.Thread]:
    """Return those that are at work."""
    return [thread for thread in threading.enumerate() if thread.name == "work beside the window"]


def end_threads() -> None:
    """Wait for those that are at work; what they tell waits for the next events."""
    for thread in beside():
        thread.join(20.0)
        assert not thread.is_alive()
