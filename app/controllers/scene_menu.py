"""Context menu of the scene: what can be done with the item under the pointer."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu

from framescope.app.controllers.question_controller import QuestionController
from framescope.app.session.session import Session
from framescope.core.errors import RefusedError
from framescope.core.evaluation import reparenting
from framescope.core.scene.edits.answers import FORMS, can_be_arrow
from framescope.core.scene.edits.plots import with_keys
from framescope.core.scene.schema.model import NO_ITEM, WORLD, ItemKey
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.window.main_window import MainWindow


class SceneMenu(QObject):
    """Opens a menu at the pointer on a click with the right button, and adds questions to the menu of the outline."""

    def __init__(self, session: Session, window: MainWindow, questions: QuestionController) -> None:
        super().__init__(window)
        self._session, self._window, self._questions = session, window, questions
        window.scene_view.menu_requested.connect(self.open)
        window.outline.menu_opening.connect(self._fill_for_outline)

    def open(self, key: ItemKey, where: QPoint) -> None:
        """Open the menu of an item, or of the scene where there is none."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        if key in (NO_ITEM, ("frames", WORLD)):
            self._fill_for_scene(menu)
        else:
            before = self._session.selected_frame()
            self._session.select(key)
            self._fill_for_item(menu, key, before)
        menu.popup(where)

    def _fill_for_scene(self, menu: QMenu) -> None:
        commands = self._window.commands
        self._window.outline.actions_of_items.fill_insert(menu.addMenu("Insert"))
        menu.addSeparator()
        menu.addActions([commands.fit, commands.authored_camera, commands.view.parallel])
        menu.addSeparator()
        menu.addActions([commands.copy_picture, commands.save_picture, commands.export])

    def _fill_for_outline(self, menu: QMenu, key: ItemKey) -> None:
        """Add what the scene can show of the selected item below the first entry of its menu."""
        questions = self._questions_menu(menu) if key == self._session.selection else None
        if questions is not None:
            menu.insertMenu(menu.actions()[1], questions)

    def _fill_for_item(self, menu: QMenu, key: ItemKey, before: str) -> None:
        window, scene = self._window, self._session.document.scene
        commands, frame = window.commands, frame_of(scene, key)
        heading = menu.addAction(literal_text(key[1]).replace("&", "&&"))
        heading.setEnabled(False)
        menu.addSeparator()
        menu.addAction(commands.view.fit_selection)
        menu.addActions([action for action in commands.actions_in("frame") if action.isEnabled() and frame])
        self._add_questions(menu, frame)
        menu.addSeparator()
        actions = window.outline.actions_of_items.by_name
        menu.addActions([actions[name] for name in ("rename", "hide", "duplicate", "move", "delete")])
        if frame:
            menu.addSeparator()
            of_frame = window.inspector.orientation.actions_of_frame
            menu.addMenu("Copy as code").addActions(list(of_frame.copy.values()))
        if before and frame and before != frame:
            self._add_pair(menu, frame, before)

    def _add_questions(self, menu: QMenu, frame: str) -> None:
        questions = self._questions_menu(menu)
        if questions is None:
            return
        menu.addMenu(questions)
        if frame:
            menu.addAction("Measure from it", self._measure)

    def _questions_menu(self, parent: QMenu) -> QMenu | None:
        """Return a menu of the forms in which the question of the bar is answered; None without a question."""
        question = self._window.question.question
        if question is None:
            return None
        menu = QMenu(f"Show its {question.signal} as", parent)
        for form in FORMS:
            action = menu.addAction(form, partial(self._questions.toggle, question, form, True))
            action.setEnabled(form != "arrow" or can_be_arrow(question))
        return menu

    def _add_pair(self, menu: QMenu, frame: str, before: str) -> None:
        """Add what can be done with the item and the frame that was selected before it."""
        menu.addSeparator()
        other = literal_text(before).replace("&", "&&")
        bar = self._window.question
        question = bar.question
        if question is not None and "relative_to" in signal_named(question.signal).frames:
            menu.addAction(f"Ask how it moves relative to {other}", lambda: self._ask(frame, relative_to=before))
            menu.addAction(f"Ask how {other} moves relative to it", lambda: self._ask(before, relative_to=frame))
        menu.addAction(f"Make it the parent of {other}", lambda: self._hang(before, frame))

    def _ask(self, of: str, relative_to: str) -> None:
        bar = self._window.question
        bar.set_item(("frames", of))
        if bar.question is not None:
            frames = signal_named(bar.question.signal).frames
            keys = {"relative_to": relative_to, "resolved_in": relative_to}
            bar.set_question(with_keys(bar.question, **{key: keys[key] for key in frames}))
        self._window.show_dock("question")

    def _measure(self) -> None:
        self._window.scene_view.set_measuring(True)

    def _hang(self, name: str, parent: str) -> None:
        scene, snapshot = self._session.document.scene, self._session.snapshot
        try:
            edit = reparenting.rehang(scene, (("frames", name),), ("frames", parent), "world", snapshot)
        except RefusedError as error:
            self._session.status.emit("amber", str(error))
            return
        self._session.commit(edit)
