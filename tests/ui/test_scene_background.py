"""The background of a picture is the same whether it is drawn or copied."""

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderWindow
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLRenderWindow

from framescope.ui.scene_view.base.background import SceneBackground
from framescope.ui.theme.tokens import DARK, LIGHT, Theme


def _picture(window: vtkRenderWindow) -> np.ndarray:
    window.Render()
    pixels = vtkUnsignedCharArray()
    width, height = window.GetSize()
    window.GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, pixels)
    return vtk_to_numpy(pixels).reshape(height, width, 4)[..., :3].copy()


def _distance(picture: np.ndarray, theme: Theme) -> float:
    """Return the largest difference from the lower colour of a theme in the lowest row."""
    return float(np.abs(picture[0].astype(int) - 255 * np.array(_rgb(theme.scene_bottom))).max())


def _rgb(color: str) -> tuple[float, ...]:
    return tuple(int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))


@pytest.fixture
def drawn():
    window, background = vtkRenderWindow(), SceneBackground()
    assert isinstance(window, vtkOpenGLRenderWindow)
    window.SetOffScreenRendering(1)
    window.SetSize(120, 80)
    window.SetMultiSamples(0)
    window.AddRenderer(background.layer)
    background.attach(window)
    background.color(DARK)
    yield window, background
    background.detach()
    window.Finalize()


def test_that_a_copied_background_is_the_drawn_one_after_a_resize_and_in_another_theme(drawn) -> None:
    window, background = drawn
    for size, theme in (((120, 80), DARK), ((160, 50), DARK), ((160, 50), LIGHT)):
        window.SetSize(*size)
        background.color(theme)
        first, *copies = (_picture(window) for _ in range(3))
        assert first.shape == (size[1], size[0], 3)
        assert _distance(first, theme) <= 2.0
        assert np.ptp(first[:, 0].astype(int), axis=0).max() > 3  # two colours
        for copy in copies:
            assert np.array_equal(copy, first)


def test_that_a_copy_stands_for_the_clearing_of_the_layer(drawn) -> None:
    window, background = drawn
    _picture(window)
    assert not background.layer.GetPreserveColorBuffer()
    _picture(window)
    assert background.layer.GetPreserveColorBuffer()
