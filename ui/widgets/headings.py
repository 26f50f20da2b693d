"""Headings of docks, of sections and of read-outs, and the line between sections."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QWidget

from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.elided_label import ElidedLabel

WHOLE_TITLE = 110
"""Width up to which the title of a dock or of a block is never cut, logical pixels; a name may be much longer."""

_BUTTON = 22
"""Least height of a small button inside its border, as in the stylesheet of the application."""


class SectionHeader(QWidget):
    """A heading with a muted note at the right.

    Parameters
    ----------
    title : str
        The heading.
    note : str
        Unit, order or frames of the content.
    is_quiet : bool
        In the style of a read-out's caption: `ω, in axes of inner ring`.
    """

    def __init__(self, title: str, note: str = "", *, is_quiet: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title_label = ElidedLabel(title, role="quiet" if is_quiet else "section")
        self.note_label = layouts.plain_label(note, "quiet")
        self._row = layouts.row((self.title_label, 1), self.note_label, on=self, margins=0, spacing=METRICS.inner + 2)

    def set_title(self, title: str) -> None:
        """Change the heading."""
        if title != self.title_label.text():
            self.title_label.setText(title)

    def set_note(self, note: str) -> None:
        """Change the note; cheap if unchanged."""
        if note != self.note_label.text():
            self.note_label.setText(note)

    def add_widget(self, widget: QWidget) -> None:
        """Add a number or a button at the right end."""
        self._row.addWidget(widget)


class DockHeader(QWidget):
    """The title bar of a dock: title, muted subtitle, and buttons.

    Parameters
    ----------
    title, subtitle : str
        Content of the dock, and its object.

    Attributes
    ----------
    large
        Button that makes the dock large; None for none.
    """

    large: IconButton | None = None

    def __init__(self, title: str, subtitle: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "dock-header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(METRICS.dock_header)
        self._n_common, self._scale = 0, 1.0
        self._title = ElidedLabel(title, role="title", least=WHOLE_TITLE)
        self._subtitle = ElidedLabel(subtitle, role="quiet")
        self._row = layouts.row(
            self._title,
            METRICS.inner,
            (self._subtitle, 1),
            on=self,
            margins=(METRICS.padding, 0, METRICS.gap, 0),
            spacing=METRICS.inner,
        )

    def sizeHint(self) -> QSize:
        # A dock uses only the size hint to make room for its title bar.
        return QSize(super().sizeHint().width(), round(self._scale * METRICS.dock_header))

    def set_scale(self, scale: float) -> None:
        """Scale texts and buttons relative to their usual size, as for a presentation."""
        if scale == self._scale:
            return
        self._scale = scale
        sizes = {"QLabel": METRICS.base, 'QLabel[role="quiet"]': METRICS.secondary, "QPushButton": METRICS.secondary}
        rules = [f"{part} {{ font-size: {round(scale * size)}px; }}" for part, size in sizes.items()]
        rules.append(f"QPushButton {{ min-height: {round(scale * _BUTTON)}px; }}")
        self.setStyleSheet("" if scale == 1.0 else "\n".join(rules))
        for button in self.findChildren(IconButton):
            button.set_scale(scale)
        self.setFixedHeight(round(scale * METRICS.dock_header))
        self.updateGeometry()

    def set_title(self, title: str, subtitle: str = "") -> None:
        """Change title and subtitle."""
        self._title.setText(title)
        self._subtitle.setText(subtitle)

    def add_widget(self, widget: QWidget) -> None:
        """Add a button of every dock at the right end."""
        self._row.addWidget(widget)
        self._n_common += 1

    def add_beside_title(self, widget: QWidget) -> None:
        """Add a widget right after the title."""
        self._row.insertWidget(2, widget)

    def insert_widget(self, widget: QWidget) -> None:
        """Add a button of the panel, before the buttons of every dock."""
        self._row.insertWidget(self._row.count() - self._n_common, widget)


def separator(parent: QWidget | None = None, *, is_vertical: bool = False) -> QFrame:
    """Return a line of one pixel between sections."""
    line = QFrame(parent)
    line.setProperty("role", "separator")
    (line.setFixedWidth if is_vertical else line.setFixedHeight)(1)
    return line
