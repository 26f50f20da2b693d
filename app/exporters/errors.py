"""Errors of exports."""

from __future__ import annotations

from framescope.core.errors import FramescopeError


class ExportError(FramescopeError):
    """An export failed or its options are invalid; the message gives the reason and a remedy."""


class ExportCancelledError(FramescopeError):
    """The caller or the user cancelled an export; no file remains."""
