"""Controller of bags: lists the contents of a bag, and opens the selected topics as a new scene."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject

from framescope.app.controllers.file_controller import FileCommands
from framescope.app.session.document import Document
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring
    from framescope.features.bags.core.bag import Channel
    from framescope.features.bags.core.bag_scene import BagChoices
    from framescope.features.bags.ui.bag_dialog import BagImportDialog

T = TypeVar("T")


@dataclass(frozen=True)
class _Index:
    """Contents of the index of a bag."""

    channels: tuple[Channel, ...]
    span_ns: tuple[int, int] | None
    damages: tuple[str, ...]


class BagController(QObject):
    """Opens bags."""

    def __init__(self, window: MainWindow, files: FileCommands) -> None:
        super().__init__(window)
        self._window, self._files = window, files
        self.dialog: BagImportDialog | None = None
        """The dialog that was opened last."""

    def ask(self, path: Path) -> None:
        """List the topics of a bag, let the user select some, and open them."""
        from framescope.ui.dialogs.read_thread import read_in_thread

        read_in_thread(self._window, path.name, partial(_index, path), partial(self._show, path))

    def _show(self, path: Path, index: _Index) -> None:
        from framescope.features.bags.ui.bag_dialog import BagImportDialog

        self.dialog = dialog = BagImportDialog(path.name, index.channels, index.span_ns, index.damages, self._window)
        dialog.accepted.connect(lambda: self._read(path, dialog.choices))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _read(self, path: Path, choices: BagChoices) -> None:
        from framescope.features.bags.app import bag_reader as bags

        def read() -> Document:
            return Document.of_contents(bags.read_chosen(path, choices), path.parent)

        def take(document: Document) -> None:
            self._files.open_converted(path.name, document, partial(self._window.show_dock, "recording"))

        from framescope.ui.dialogs.read_thread import read_in_thread

        read_in_thread(self._window, path.name, read, take)


def _index(path: Path) -> _Index:
    from framescope.features.bags.core.bag_file import open_bag

    with open_bag(path) as bag:
        return _Index(tuple(bag.channels), bag.span_ns, tuple(bag.damages))


def connect_bags(wiring: Wiring) -> None:
    """Connect the controller of bags with the files that the user opens."""
    bags = BagController(wiring.window, wiring.files)
    wiring.files.bag_requested.connect(bags.ask)
