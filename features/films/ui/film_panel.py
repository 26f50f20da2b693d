"""Panel of a film: its clock, its picture, and the strip of its shots."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from framescope.features.films.ui.shot_strip import ShotCard, ShotStrip
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import METRICS
from framescope.ui.timeline.markers import Marker
from framescope.ui.timeline.track import TimeTrack
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.choice_box import ChoiceBox

ASPECTS = ((16, 9), (9, 16), (1, 1), (4, 3))
"""Shapes of films that the menu offers."""

SAME_SHAPE = 0.01
"""Relative difference up to which a size has a shape: sizes are whole, even numbers."""

KEY_STEP_S = 0.1
PAGE_STEP_S = 1.0


def clock_text(t: float) -> str:
    """Return a time of a film as minutes and seconds.

    >>> clock_text(0.0), clock_text(72.25)
    ('0:00.0', '1:12.2')
    """
    tenths = int(t * 10.0 + 1e-6)
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"


def span_text(start: float, end: float) -> str:
    """Return the span of a shot.

    >>> span_text(0.0, 72.0)
    '0:00 – 1:12'
    """
    first, last = round(start), round(end)
    return f"{first // 60}:{first % 60:02d} – {last // 60}:{last % 60:02d}"


class FilmPanel(QWidget):
    """Clock, picture and strip of a film; without a film, a button that adds one.

    Signals
    -------
    film_chosen(str)
        Name of the film to show.
    scrubbed(float)
        Time of the film, s.
    aspect_chosen(int, int)
        Shape that the film is to have, such as 16 to 9.
    play_toggled(), added(), exported(), created()
        Buttons for playing, a new shot, the export, and a new film.
    appeared()
        The panel became visible.
    left()
        Escape: the scene is to be shown as before the film.
    """

    film_chosen = Signal(str)
    scrubbed = Signal(float)
    aspect_chosen = Signal(int, int)
    play_toggled = Signal()
    added = Signal()
    exported = Signal()
    created = Signal()
    appeared = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._t = self._duration = 0.0
        self.choice = ChoiceBox()
        self.choice.setAccessibleName("film")
        self.choice.activated.connect(lambda i: self.film_chosen.emit(self.choice.itemData(i)))
        self.play = IconButton("play", "Play the film", size=METRICS.small_button)
        self.play.clicked.connect(self.play_toggled)
        self.time = layouts.label("0:00.0", "number")
        self.track = TimeTrack(has_part=False)
        self.track.set_step_size(KEY_STEP_S)
        self.track.setAccessibleName("time of the film")
        self.track.scrubbed.connect(self.scrubbed)
        self.aspect = ChoiceBox()
        self.aspect.setAccessibleName("shape of the film")
        self.aspect.setToolTip("Shape of the film: wide, upright, square or classic")
        self.aspect.activated.connect(self._on_aspect)
        self.total = layouts.label("0:00.0", "quiet")
        self.export = push_button("Export film…", "download", "small")
        self.export.clicked.connect(self.exported)
        self.picture = FilmPicture()
        self.strip = ShotStrip()
        tools = [
            IconButton("plus", "Add a shot, seen as in the view", size=METRICS.small_button),
            IconButton(
                "copy",
                "Duplicate the shot (Ctrl+D)",
                size=METRICS.small_button,
                clicked=lambda: self.strip.duplicated.emit(self.strip.currentRow()),
            ),
            IconButton(
                "trash-2",
                "Delete the shot (Del)",
                size=METRICS.small_button,
                clicked=lambda: self.strip.deleted.emit(self.strip.currentRow()),
            ),
        ]
        self.add, self.duplicate, self.delete = tools
        self.add.clicked.connect(self.added)
        self.facts = layouts.plain_label(role="caption")
        desk = layouts.panel(self)
        clock = layouts.row(
            self.choice,
            self.play,
            self.time,
            (self.track, 1),
            self.total,
            self.aspect,
            self.export,
            spacing=METRICS.gap,
        )
        shots = layouts.row(
            (self.picture, 0, Qt.AlignmentFlag.AlignTop),
            (self.strip, 1),
            layouts.column(*tools, layouts.STRETCH, spacing=METRICS.inner),
            spacing=METRICS.gap,
        )
        layouts.column(
            clock, (shots, 1), self.facts, on=desk, margins=(METRICS.padding, METRICS.gap), spacing=METRICS.inner
        )
        empty = layouts.panel(self)
        text = "A film shows this scene in shots, each with its own time, camera, lit items and texts."
        self.begin = push_button("New film", "video", "main")
        self.begin.clicked.connect(self.created)
        layouts.column(
            layouts.STRETCH,
            layouts.label(text, "quiet", wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter),
            layouts.row(layouts.STRETCH, self.begin, layouts.STRETCH),
            layouts.STRETCH,
            on=empty,
        )
        self.pages = QStackedWidget(self)
        self.pages.addWidget(desk)
        self.pages.addWidget(empty)
        layouts.column((self.pages, 1), on=self, margins=0, spacing=0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.appeared.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, steps = event.key(), self._steps
        if key == Qt.Key.Key_Escape:
            self.left.emit()
        elif self.track.hasFocus() and key in steps:
            self.scrubbed.emit(min(max(self._t + steps[Qt.Key(key)], 0.0), self._duration))
        else:
            super().keyPressEvent(event)

    @property
    def _steps(self) -> dict[Qt.Key, float]:
        """Steps of time by the keys of the clock, s."""
        return {
            Qt.Key.Key_Left: -KEY_STEP_S,
            Qt.Key.Key_Right: KEY_STEP_S,
            Qt.Key.Key_PageUp: PAGE_STEP_S,
            Qt.Key.Key_PageDown: -PAGE_STEP_S,
            Qt.Key.Key_Home: -self._duration,
            Qt.Key.Key_End: self._duration,
        }

    def show_size(self, size: tuple[int, int] | None) -> None:
        """Show the shape of a film; one of no usual shape is shown by its pixels, one without a size as wide."""
        shape = next((shape for shape in ASPECTS if size is not None and _is_shape(size, shape)), None)
        own = size is not None and shape is None
        self.aspect.clear()
        for width, height in ASPECTS:
            self.aspect.addItem(f"{width}:{height}", (width, height))
        if size is not None and own:
            self.aspect.addItem(f"{size[0]} × {size[1]}", None)
        self.aspect.setCurrentIndex(len(ASPECTS) if own else ASPECTS.index(shape or ASPECTS[0]))

    def _on_aspect(self, i: int) -> None:
        shape = self.aspect.itemData(i)
        if shape is not None:
            self.aspect_chosen.emit(*shape)

    def show_films(self, names: Sequence[str], name: str) -> None:
        """Show the names of the films, and which of them is shown."""
        self.pages.setCurrentIndex(0 if names else 1)
        self.choice.clear()
        for other in names:
            self.choice.addItem(" ".join(other.split()), other)
        self.choice.setCurrentIndex(self.choice.findData(name))
        self.choice.setVisible(len(names) > 1)

    def show_shots(
        self,
        cards: Sequence[ShotCard],
        k: int,
        stills: Sequence[QImage | None],
        duration: float,
        keys: Sequence[Marker],
        facts: str,
    ) -> None:
        """Show the shots, the duration of the film, s, the keys of its cameras, and a line of facts."""
        self.strip.show_cards(cards, k, stills)
        self._duration = duration
        self.track.set_range(0.0, duration)
        self.track.set_markers(tuple(keys))
        self.total.setText(clock_text(duration))
        self.facts.setText(facts)

    def show_time(self, t: float, *, is_playing: bool) -> None:
        """Show a time of the film, s."""
        self._t = t
        self.track.set_time(t)
        self.time.setText(clock_text(t))
        self.play.set_icon(*(("pause", "Pause the film") if is_playing else ("play", "Play the film")))


def _is_shape(size: tuple[int, int], shape: tuple[int, int]) -> bool:
    return abs(size[0] * shape[1] / (size[1] * shape[0]) - 1.0) < SAME_SHAPE


class FilmPicture(QWidget):
    """Picture of the film at the present time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("picture of the film")
        self.image: QImage | None = None
        """The picture; None before the first is drawn."""
        self.note = ""
        """Text in place of the picture."""
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(232, 130)

    def show_image(self, image: QImage | None, note: str = "") -> None:
        """Show a picture, or a note in place of it."""
        self.image, self.note = image, note
        self.setToolTip(note)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self.image is None:
            painter.fillRect(self.rect(), current_theme.qcolor("field"))
            painter.setPen(current_theme.qcolor("quiet"))
            flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(self.rect(), flags, self.note or "Drawing…")
            return
        size = self.image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        x, y = (self.width() - size.width()) // 2, 0
        painter.drawImage(self.rect().adjusted(x, y, -x, size.height() - self.height()), self.image)
