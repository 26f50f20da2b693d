"""What draws: frames are the same bits only where the same renderer draws them."""

from __future__ import annotations

from functools import cache

from vtkmodules.vtkRenderingCore import vtkRenderWindow

SOFTWARE = ("llvmpipe", "softpipe", "swiftshader", "software")
"""Words in the names of renderers that draw without a graphics card."""

_TOLD = ("OpenGL vendor string", "OpenGL renderer string", "OpenGL version string")


@cache
def renderer_name() -> str:
    """Return vendor, name and version of what draws off screen in this process."""
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - makes windows that draw

    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetSize(16, 16)
    try:
        window.Render()
        lines = window.ReportCapabilities().splitlines()
    finally:
        window.Finalize()
    told = (line.partition(":") for line in lines)
    return "; ".join(value.strip() for name, _, value in told if name.strip() in _TOLD)


def is_software() -> bool:
    """Return whether frames are drawn without a graphics card."""
    name = renderer_name().lower()
    return any(word in name for word in SOFTWARE)
