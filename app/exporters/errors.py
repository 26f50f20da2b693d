"""Errors of exports."""

from __future__ import annotations

from framescope.core.errors import FramescopeError


class ExportError(FramescopeError):
    """An export failed or its options are invalid; the message says why and what to change."""


class ExportCancelledError(FramescopeError):
    """The caller or the user cancelled an export; no file remains."""
