"""Identity of the renderer: frames are equal to the bit only with the same renderer."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from vtkmodules.vtkCommonCore import reference, vtkLogger
from vtkmodules.vtkRenderingCore import vtkRenderWindow
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLRenderWindow

from framescope.app import platforms
from framescope.app.errors import GraphicsError

SOFTWARE = ("llvmpipe", "softpipe", "swiftshader", "software")
"""Words in the names of renderers that run without a graphics card."""

_CAPABILITIES = ("OpenGL vendor string", "OpenGL renderer string", "OpenGL version string")


MIN_OPENGL = (3, 2)
"""Oldest usable version of OpenGL; with an older one VTK ends the process."""

_GL_RENDERER, _GL_VERSION = 0x1F01, 0x1F02


@cache
def renderer_name() -> str:
    """Return vendor, name and version of the off-screen renderer of this process.

    Raises
    ------
    GraphicsError
        When there is none, or its OpenGL is too old; VTK would end the process at the first picture.
    """
    before = vtkLogger.GetCurrentVerbosityCutoff()
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)  # `_check` raises with a clearer message
    try:
        window = vtkRenderWindow()
        window.SetOffScreenRendering(1)
        window.SetSize(16, 16)
        window.Initialize()
    finally:
        vtkLogger.SetStderrVerbosity(before)
    _check(window)
    try:
        window.Render()
        lines = window.ReportCapabilities().splitlines()
    finally:
        window.Finalize()
    text = (line.partition(":") for line in lines)
    return "; ".join(value.strip() for name, _, value in text if name.strip() in _CAPABILITIES)


def _check(window: vtkRenderWindow) -> None:
    """Raise `GraphicsError` when the window has no OpenGL context or its version is too old."""
    assert isinstance(window, vtkOpenGLRenderWindow)  # noqa: S101 - VTK has no other render window here
    major: Any = reference(0)  # a number that VTK sets
    minor: Any = reference(0)
    if window.GetInitialized():
        window.GetOpenGLVersion(major, minor)
        if (major, minor) >= MIN_OPENGL:
            return
    description = _context_words() if window.GetInitialized() else ""
    raise GraphicsError(platforms.graphics_hint(description, platforms.this_host()))


def _context_words() -> str:
    """Describe the current OpenGL context, read from the library itself; VTK reports no version that is too old."""
    try:
        library = ctypes.CDLL(platforms.opengl_library(platforms.this_host()))
        library.glGetString.restype = ctypes.c_char_p
        name, version = (library.glGetString(key) or b"" for key in (_GL_RENDERER, _GL_VERSION))
    except (OSError, AttributeError):
        return ""
    return opengl_words(version.decode(errors="replace"), name.decode(errors="replace"))


def opengl_words(version: str, name: str) -> str:
    """Describe a renderer by its OpenGL version and name; empty when both are empty.

    >>> opengl_words("2.1 Mesa 22.3.6", "llvmpipe (LLVM 15.0.6, 256 bits)")
    'OpenGL 2.1 of llvmpipe (LLVM 15.0.6, 256 bits)'
    """
    number = version.strip().partition(" ")[0]
    text = f"OpenGL {number}" if number else ""
    return f"{text} of {name}" if text and name else text


def is_software() -> bool:
    """Return whether frames are drawn in software, without a graphics card."""
    name = renderer_name().lower()
    return any(word in name for word in SOFTWARE)
