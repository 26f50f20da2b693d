"""Errors of exports."""

from __future__ import annotations

from framescope.core.errors import FramescopeError


class ExportError(FramescopeError):
    """An export cannot be made; the message says why and what would do."""


class ExportCancelledError(FramescopeError):
    """An export was given up by whoever asked for it; no file is left."""
