"""Dialog for saving a picture: its size, colours and background."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QFormLayout, QWidget

from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox

SIZES = (
    ("HD", (1280, 720)),
    ("Full HD", (1920, 1080)),
    ("4K", (3840, 2160)),
    ("8K", (7680, 4320)),
    ("square", (2000, 2000)),
)
COLORS = ("dark", "light", "white")
WORDS = {"dark": "Dark", "light": "Light", "white": "White, for papers"}
_WIDTH = 360


@dataclass(frozen=True)
class PictureChoice:
    """Choice of size, colours and background of a picture."""

    size: tuple[int, int]
    theme: str
    is_transparent: bool
    is_bare: bool


class PictureDialog(QDialog):
    """Asks for size, colours and background of a picture.

    Parameters
    ----------
    view_size
        Width and height of the scene in the window, device pixels.
    theme
        The theme of the window.

    Signals
    -------
    chosen(PictureChoice)
        Save was pressed; the caller asks for the file.
    """

    chosen = Signal(object)

    def __init__(self, view_size: tuple[int, int], theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setWindowTitle("Save a picture")
        heading = layouts.label("Save a picture of this moment", "title")
        self._sizes: Sequence[tuple[int, int]] = (view_size, *(size for _, size in SIZES))
        self.size_box, self.theme_box = ChoiceBox(), ChoiceBox()
        names = ("as in the window", *(name for name, _ in SIZES))
        self.size_box.addItems(
            [f"{width} × {height}, {name}" for name, (width, height) in zip(names, self._sizes, strict=True)]
        )
        self.size_box.setCurrentIndex(2)
        self.theme_box.addItems([WORDS[color] for color in COLORS])
        self.theme_box.setCurrentIndex(COLORS.index(theme) if theme in COLORS else 0)
        self.size_box.setAccessibleName("size of the picture")
        self.theme_box.setAccessibleName("colours of the picture")
        self.transparent = QCheckBox("Transparent background")
        self.bare = QCheckBox("Without bar, legend, answers and grid")
        form = QFormLayout()
        form.setHorizontalSpacing(METRICS.padding)
        form.setVerticalSpacing(METRICS.gap)
        form.addRow("Size", self.size_box)
        form.addRow("Colours", self.theme_box)
        self.save, cancel = push_button("Save…", kind="main"), push_button("Cancel")
        self.save.setDefault(True)
        cancel.setAutoDefault(False)
        self.save.clicked.connect(self._on_save)
        cancel.clicked.connect(self.reject)
        buttons = layouts.row(layouts.STRETCH, cancel, self.save, spacing=METRICS.gap)
        layouts.column(
            heading,
            form,
            self.transparent,
            self.bare,
            METRICS.inner,
            buttons,
            on=self,
            margins=METRICS.padding,
            spacing=METRICS.gap,
        )
        self.setMinimumWidth(_WIDTH)

    def choice(self) -> PictureChoice:
        """Return the current choice."""
        return PictureChoice(
            self._sizes[self.size_box.currentIndex()],
            COLORS[self.theme_box.currentIndex()],
            self.transparent.isChecked(),
            self.bare.isChecked(),
        )

    def _on_save(self) -> None:
        self.accept()
        self.chosen.emit(self.choice())
