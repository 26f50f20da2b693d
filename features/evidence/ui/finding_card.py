"""Card of a finding: its sentence, the readings it is about, and buttons that show and mend it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QSizePolicy, QWidget

from framescope.core.errors import visible_text
from framescope.features.evidence.core.account import Finding
from framescope.features.evidence.core.mends import Snippet, mounting_numbers
from framescope.ui.formatting import number_text
from framescope.ui.formatting.item_names import SEVERITIES
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button

_ROLES = {"red": "red", "amber": "amber", "note": "verdict"}
_WORDS = {"red": "problem", "amber": "warning", "note": "note"}
_UNCERTAIN = "Another explanation fits nearly as well."


class FindingCard(QFrame):
    """
    Card of a finding.

    Parameters
    ----------
    finding
        The finding.
    fix_text
        Text of the button that mends the scene; empty without one.
    snippets
        Texts that mend the finding outside of the scene, for a menu.

    Signals
    -------
    shown(object)
        The user wants to see the finding in the scene and on the timeline.
    mended(object)
        The user mends the scene.
    copied(str)
        A text was copied; the sentence for the status line.
    """

    shown = Signal(object)
    mended = Signal(object)
    copied = Signal(str)

    def __init__(
        self, finding: Finding, fix_text: str = "", snippets: Sequence[Snippet] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.finding = finding
        self.setProperty("role", _ROLES[finding.severity])
        self.setAccessibleName(f"{_WORDS[finding.severity]}: {visible_text(finding.sentence)}")
        self._icon = QLabel()
        self.sentence = layouts.plain_label(
            visible_text(finding.sentence),
            wordWrap=True,
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse,
        )
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.about = layouts.plain_label(about_text(finding), "caption", wordWrap=True)
        self.about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.show_button = push_button("Show", "eye", kind="small")
        self.show_button.setToolTip("Lights the stretch that proves it on the timeline and goes there")
        self.show_button.setAccessibleName(f"show: {visible_text(finding.sentence)}")
        self.show_button.clicked.connect(lambda: self.shown.emit(self.finding))
        buttons: list[QWidget] = [self.show_button]
        self.mend_button = push_button(fix_text or "Fix", kind="small")
        if fix_text:
            self.mend_button.setToolTip(literal_text(_fix_help(finding)))
            self.mend_button.clicked.connect(lambda: self.mended.emit(self.finding))
            buttons.append(self.mend_button)
        else:
            self.mend_button.setParent(self)
            self.mend_button.hide()
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)
        for snippet in snippets:
            action = self.menu.addAction(snippet.title, partial(self._copy, snippet))
            action.setToolTip(literal_text(snippet.text))
        if snippets:
            copy = push_button("Copy fix", "copy", kind="small")
            copy.setToolTip("Copies a static transform, a launch file or parameters of the driver")
            copy.setMenu(self.menu)
            buttons.append(copy)
        text = layouts.column(
            self.sentence,
            self.about,
            layouts.row(*buttons, layouts.STRETCH, margins=0, spacing=METRICS.inner + 2),
            margins=0,
            spacing=METRICS.inner,
        )
        layouts.row(
            (self._icon, 0, Qt.AlignmentFlag.AlignTop),
            (text, 1),
            on=self,
            margins=(METRICS.gap, METRICS.gap - 2),
            spacing=METRICS.gap,
        )
        self._paint_icon()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._paint_icon()
        super().changeEvent(event)

    def _paint_icon(self) -> None:
        self._icon.setPixmap(icons.pixmap(*SEVERITIES[self.finding.severity]))

    def _copy(self, snippet: Snippet) -> None:
        QGuiApplication.clipboard().setText(snippet.text)
        self.copied.emit(f"Copied: {snippet.title[:1].lower()}{snippet.title[1:]}")


def about_text(finding: Finding) -> str:
    """Return the readings that a finding is about, the stretch that proves it, and what stays open."""
    parts = [", ".join(finding.readings)]
    first, last = finding.stretch
    if last > first and "proven by" not in finding.sentence:
        parts.append(f"{number_text.seconds(first)} to {number_text.seconds(last)} s")
    lines = [" · ".join(filter(None, parts))]
    lines += [each.words for each in finding.unexcited if each.words and each.words not in finding.sentence]
    if not finding.is_certain:
        lines.append(_UNCERTAIN)
    return "\n".join(map(visible_text, lines))


def _fix_help(finding: Finding) -> str:
    """Return the numbers of the pose that the fix gives to a frame."""
    if finding.mounting is None:
        return "One step, which undo takes back"
    numbers = (f"{name}: {value}" for name, value in mounting_numbers(finding.mounting))
    return "\n".join(("One step, which undo takes back", *numbers))
