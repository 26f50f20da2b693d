"""Render quality of the window: OpenGL renderer, frame rate and edge smoothing."""

from __future__ import annotations

import time
from collections import deque

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.ui.scene_view.scene_renderer import SceneRenderer

GPU_SAMPLES = 4
IDLE_MS = 20
"""Interval between two steps of preparation while nothing moves, ms."""

STILL_MS = 150
"""Time without motion after which software GL smooths the edges, ms."""

SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swiftshader", "software")


class Drawing(QObject):
    """Drawing of a widget. Software GL uses no samples, and draws smooth edges and full meshes only while still."""

    def __init__(self, widget: QWidget, window: vtkRenderWindow, renderer: SceneRenderer) -> None:
        super().__init__(widget)
        self._widget, self._window = widget, window
        self.renderers = [renderer]
        """Renderers of the widget: of the scene, then of its insets."""
        self.name: str = ""
        """Name of the OpenGL renderer; empty until the first picture is drawn."""
        self._times: deque[float] = deque(maxlen=120)
        self._is_software = True
        self._still = QTimer(self, interval=STILL_MS, singleShot=True)
        self._still.timeout.connect(self._on_still)
        self._idle = QTimer(self, interval=IDLE_MS)
        self._idle.timeout.connect(self._prepare)
        # On software GL multisampling is the largest cost; a GPU gets samples once its name is known.
        window.SetMultiSamples(0)

    @property
    def short_name(self) -> str:
        """Name of the renderer in words that everybody knows: ``no GPU`` is software GL."""
        return "no GPU" if self.name and self._is_software else self.name

    @property
    def frames_per_second(self) -> float:
        """Number of pictures drawn in the last second."""
        now = time.perf_counter()
        return float(sum(1 for t in self._times if now - t <= 1.0))

    def note_picture(self) -> bool:
        """Record a drawn picture; return whether it was the first one."""
        self._times.append(time.perf_counter())
        is_first = not self.name
        if is_first:
            self._ask_renderer()
        return is_first

    def hurry(self) -> None:
        """Draw fast while something moves, and with smooth edges once everything is still."""
        if self._is_software:
            self._idle.stop()
            for renderer in self.renderers:
                renderer.layers.smooth_edges(False)
                renderer.set_moving(True)
            self._still.start()

    def stop(self) -> None:
        """Stop all timers."""
        self._still.stop()
        self._idle.stop()

    def _ask_renderer(self) -> None:
        """Read the name of the OpenGL renderer, and let a GPU smooth the edges by multisampling."""
        window = self._window
        lines = window.ReportCapabilities().splitlines()
        name = next((line.split(":", 1)[1] for line in lines if line.startswith("OpenGL renderer string")), "").strip()
        short = name.split("(")[0].strip() or "unknown"
        self._is_software = any(word in name.lower() for word in SOFTWARE_RENDERERS)
        self.name = f"software GL, {short}" if self._is_software else short
        if not self._is_software:
            for renderer in self.renderers:
                renderer.layers.smooth_edges(False)
                renderer.set_gpu(True)
            window.SetMultiSamples(GPU_SAMPLES)

    def _on_still(self) -> None:
        for renderer in self.renderers:
            renderer.layers.smooth_edges(True)
            renderer.set_moving(False)
        self._widget.update()
        self._idle.start()

    def _prepare(self) -> None:
        if not any(renderer.prepare_moving() for renderer in self.renderers):
            self._idle.stop()
