"""Specification of a film for its encoder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Film:
    """Encoding of frames as a film.

    Attributes
    ----------
    arguments
        How ffmpeg encodes a chunk.
    joined
        How chunks are joined: by ffmpeg's copy, or block by block.
    joining
        What ffmpeg is told when it joins.
    palette
        A picture that ffmpeg reads besides the frames; none when empty.
    """

    arguments: tuple[str, ...]
    joined: Literal["copy", "gif", "apng"] = "copy"
    joining: tuple[str, ...] = ()
    palette: bytes = b""
