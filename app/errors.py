"""Errors of the program as a whole."""

from __future__ import annotations

from framescope.core.errors import FramescopeError


class GraphicsError(FramescopeError):
    """Drawing is impossible on this machine; the message gives the OpenGL found, the version needed, and remedies."""
