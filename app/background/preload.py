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
"""Modules in the likely order of their use, each after the modules that it imports.

None of them needs scipy, which takes 38 MB: only simulations need it, and they run in another process.
"""

FIRST_MS, NEXT_MS = 1500, 150
"""Delay of the first import after the start, and of each further import after the one before, ms."""


class Preloader(QObject):
    """Imports one module after another, with pauses in which the window responds to the user."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._remaining = deque(LATER)
        self._timer = QTimer(self, interval=FIRST_MS, singleShot=True)
        self._timer.timeout.connect(self._import_next)
        self._timer.start()

    def _import_next(self) -> None:
        importlib.import_module(self._remaining.popleft())
        if self._remaining:
            self._timer.start(NEXT_MS)
