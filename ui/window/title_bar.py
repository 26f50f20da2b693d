"""Title bar: menus, the search box, the document, the layouts and the theme."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenuBar, QSizePolicy, QWidget

from framescope.ui.palette.search_box import SearchBox
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.segmented_control import Segmented

SEARCH_WIDTH = 320
NAME_WIDTH = 220
"""Maximum width of the document's name, logical pixels."""


class HeaderBar(QWidget):
    """Bar with menus at the left, the search box in the middle, and controls of the whole window at the right.

    `places` has the purpose of each place of the window, by its name.
    """

    def __init__(self, places: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.menu_bar = QMenuBar()
        self.menu_bar.setFixedHeight(METRICS.menu - 1)
        self.menu_bar.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.search = SearchBox()
        self.search.setMaximumWidth(SEARCH_WIDTH)
        self._name = layouts.plain_label(maximumWidth=NAME_WIDTH)
        self._name.setProperty("role", "quiet")
        self.places = Segmented(tuple(places), "place", tips=places)
        self.theme = IconButton("sun", "Light theme")
        self.export = IconButton("download", "Export (Ctrl+Shift+E)")
        row = layouts.row(
            self.menu_bar,
            layouts.STRETCH,
            (self.search, 4),
            layouts.STRETCH,
            self._name,
            self.places,
            self.theme,
            self.export,
            margins=(0, 0, METRICS.gap, 0),
            spacing=METRICS.gap,
        )
        layouts.column((row, 1), separator(), on=self, margins=0, spacing=0)
        self.setFixedHeight(METRICS.menu)

    def set_name(self, name: str, is_dirty: bool) -> None:
        """Show the document's name, and whether it has unsaved changes."""
        text = f"{name} ●" if is_dirty else name
        self._name.setText(self._name.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, NAME_WIDTH))
        self._name.setToolTip("Unsaved changes" if is_dirty else "")
