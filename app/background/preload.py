"""Preloading of modules while the window is idle, so that the first use of a panel takes no longer."""

from __future__ import annotations

import importlib
from collections import deque

from PySide6.QtCore import QObject, QTimer

from framescope.core.system.features import installed_features

LATER = (
    "ruamel.yaml",
    "framescope.app.controllers.instruments.relation_controller",
    "framescope.ui.panels.relation.relation_panel",
    "framescope.core.recordings.tables.mixed",
    *(feature.full(module) for feature in installed_features() for module in feature.preload),
    "framescope.core.simulation.simulate",
    "framescope.app.exporters.picture",
    "framescope.app.exporters.formats",
    "framescope.app.export_service.client",
    "framescope.ui.dialogs.export.dialog",
    "framescope.app.controllers.exports.export_dialog_controller",
    "framescope.ui.dialogs.example_gallery",
    "framescope.ui.help.manual_viewer",
    "framescope.ui.help.shortcut_sheet",
    "framescope.ui.help.log_view",
    "framescope.app.storage.bug_report",
)
"""Modules in the order in which they are likely to be needed, what they stand on first.

None of them needs scipy, which takes 38 MB: only simulations do, and those run in a process of their own.
"""

FIRST_MS, NEXT_MS = 1500, 150
"""How long after the start the first is imported, and each after the one before."""


class Preloader(QObject):
    """Imports one module after another, with pauses in which the window does what it is told."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left = deque(LATER)
        self._timer = QTimer(self, interval=FIRST_MS, singleShot=True)
        self._timer.timeout.connect(self._go_on)
        self._timer.start()

    def _go_on(self) -> None:
        importlib.import_module(self._left.popleft())
        if self._left:
            self._timer.start(NEXT_MS)
