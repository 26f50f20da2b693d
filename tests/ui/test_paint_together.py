"""The plots of a window are painted together, whichever of them changed first."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from framescope.ui.plots.plot_item import BarePlot
from tests.support.hands import show

N_PLOTS = 3


class Seen(QObject):
    """Notes what is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[tuple[QEvent.Type, QObject]] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.UpdateRequest, QEvent.Type.Paint):
            self.events.append((event.type(), watched))
        return False


def test_that_changes_of_several_plots_are_painted_at_once(qtbot, dark) -> None:
    window = QWidget()
    column = QVBoxLayout(window)
    plots = [BarePlot(20, 20, (0, 0, 0, 0), window) for _ in range(N_PLOTS)]
    curves = [pg.PlotCurveItem([0.0, 1.0], [0.0, 1.0]) for _ in plots]
    for plot, curve in zip(plots, curves, strict=True):
        column.addWidget(plot)
        plot.box.addItem(curve)
    show(window, qtbot)
    seen = Seen()
    for watched in (window, *(plot.viewport() for plot in plots)):
        watched.installEventFilter(seen)

    for curve in curves:
        curve.setData([0.0, 1.0], [1.0, 0.0])
    QApplication.processEvents()

    requests = [watched for kind, watched in seen.events if kind == QEvent.Type.UpdateRequest]
    painted = [watched for kind, watched in seen.events if kind == QEvent.Type.Paint]
    assert requests == [window]
    assert {id(watched) for watched in painted} == {id(plot.viewport()) for plot in plots}
