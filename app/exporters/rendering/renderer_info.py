"""Identity of the renderer: frames are the same bits only where the same renderer draws them."""

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
"""Words in the names of renderers that draw without a graphics card."""

_TOLD = ("OpenGL vendor string", "OpenGL renderer string", "OpenGL version string")


NEEDED = (3, 2)
"""The version of OpenGL below which VTK ends the process."""

_GL_RENDERER, _GL_VERSION = 0x1F01, 0x1F02


@cache
def renderer_name() -> str:
    """Return vendor, name and version of what draws off screen in this process.

    Raises
    ------
    GraphicsError
        When nothing does, or OpenGL is too old. VTK would end the process at the first picture.
    """
    before = vtkLogger.GetCurrentVerbosityCutoff()
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)  # it is told below, in our words
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
    return "; ".join(value.strip() for name, _, value in text if name.strip() in _TOLD)


def _check(window: vtkRenderWindow) -> None:
    """Raise `GraphicsError` when a window has no context, or one of too old a version."""
    assert isinstance(window, vtkOpenGLRenderWindow)  # noqa: S101 - VTK draws with nothing else
    major: Any = reference(0)  # a number that VTK can set
    minor: Any = reference(0)
    if window.GetInitialized():
        window.GetOpenGLVersion(major, minor)
        if (major, minor) >= NEEDED:
            return
    found = _found() if window.GetInitialized() else ""
    raise GraphicsError(platforms.graphics_hint(found, platforms.this_host()))


def _found() -> str:
    """Return what the current context is, asked of the library itself: VTK knows no version that is too old."""
    try:
        library = ctypes.CDLL(platforms.opengl_library(platforms.this_host()))
        library.glGetString.restype = ctypes.c_char_p
        name, version = (library.glGetString(key) or b"" for key in (_GL_RENDERER, _GL_VERSION))
    except (OSError, AttributeError):
        return ""
    return opengl_words(version.decode(errors="replace"), name.decode(errors="replace"))


def opengl_words(version: str, name: str) -> str:
    """Return what draws, in words, of the version and the renderer as OpenGL tells them; nothing of nothing.

    >>> opengl_words("2.1 Mesa 22.3.6", "llvmpipe (LLVM 15.0.6, 256 bits)")
    'OpenGL 2.1 of llvmpipe (LLVM 15.0.6, 256 bits)'
    """
    number = version.strip().partition(" ")[0]
    found = f"OpenGL {number}" if number else ""
    return f"{found} of {name}" if found and name else found


def is_software() -> bool:
    """Return whether frames are drawn without a graphics card."""
    name = renderer_name().lower()
    return any(word in name for word in SOFTWARE)
