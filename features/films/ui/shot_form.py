"""Panel with all fields of the selected shot, and of the film."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from framescope.core.errors import KeyPath, Problem
from framescope.core.scene.schema.films import Film, Shot
from framescope.ui.panels.inspector.editors import lists, parameters  # noqa: F401 - they add their editors
from framescope.ui.panels.inspector.editors.collapsible import Fold
from framescope.ui.panels.inspector.editors.editor import EditorContext
from framescope.ui.panels.inspector.editors.form import ModelForm
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.inline_message import InlineMessage


@dataclass(frozen=True)
class ShotContext(EditorContext):
    """Context of the fields of a shot: its present time counts from the start of the shot.

    Attributes
    ----------
    elapsed
        Time since the start of the shot, s.
    """

    elapsed: float = 0.0

    @property
    def t(self) -> float:
        """Time since the start of the shot, s."""
        return self.elapsed


class ShotForm(QWidget):
    """Fields of a shot, and below them those of its film.

    Signals
    -------
    view_taken()
        The camera of the shot is to become that of the view.
    """

    view_taken = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.edits = EditSink(self)
        self._paths: tuple[KeyPath, ...] = ()
        body = layouts.panel(self)
        self.title = layouts.plain_label(role="title", parent=body, wordWrap=True)
        self.message = InlineMessage()
        self.shot = ModelForm(Shot, parent=body)
        self.take = push_button("Set camera to view", "camera", "small")
        self.take.clicked.connect(self.view_taken)
        self.take.setToolTip("Give the camera of this shot the present view; on a path, add a key at the present time")
        self.film: ModelForm | None = None
        """Fields of the film; None until the user opens them."""
        self._shown: tuple[ShotContext, str, int, Sequence[Problem]] | None = None
        fold = Fold("Film", self._make_film_form, {}, parent=body)
        fold.opened.connect(self._on_opened)
        layouts.column(
            self.title,
            self.message,
            self.shot,
            layouts.row(self.take, layouts.STRETCH),
            fold,
            layouts.STRETCH,
            on=body,
            margins=(METRICS.padding, METRICS.gap),
            spacing=METRICS.gap,
        )
        self.area = layouts.scroll_area(body, "shot")
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layouts.column((self.area, 1), on=self, margins=0, spacing=0)

    def show_shot(self, context: ShotContext, name: str, k: int, problems: Sequence[Problem]) -> None:
        """Show a shot of a film, with its problems at their fields."""
        film: Film = context.scene.film[name]
        path: KeyPath = ("film", name, "shots", k)
        title = " ".join(film.shots[k].title.split())
        self.title.setText(f"Shot {k + 1}" + (f" · {title}" if title else ""))
        self.shot.show_values(context, path)
        if self.film is not None:
            self.film.show_values(context, path[:2])
        self._show_problems(path, problems)
        self._shown = context, name, k, problems

    def _on_opened(self) -> None:
        if self._shown is not None:
            self.show_shot(*self._shown)

    def _make_film_form(self) -> QWidget:
        self.film = ModelForm(Film, without=("shots",), parent=self)
        return self.film

    def _show_problems(self, path: KeyPath, problems: Sequence[Problem]) -> None:
        of_shot: dict[str, str] = {}
        of_film: dict[str, str] = {}
        others: list[str] = []
        for problem in problems:
            text = " ".join(filter(None, (problem.message, problem.hint)))
            keys = problem.key_path
            if keys[:4] == path and len(keys) > 4 and str(keys[4]) in self.shot.editors:
                of_shot.setdefault(str(keys[4]), text)
            elif keys[:2] == path[:2] and len(keys) > 2 and keys[2] != "shots":
                of_film.setdefault(str(keys[2]), text)
                if self.film is None:
                    others.append(text)
            elif keys[:4] == path:
                others.append(text)
        self.shot.show_messages(of_shot)
        if self.film is not None:
            self.film.show_messages(of_film)
        self.message.set_message(" ".join(others))
