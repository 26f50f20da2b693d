"""Every undo returns the exact former scene, and every redo the later one, after many edits by hand of all kinds."""

from __future__ import annotations

import random
from collections import deque

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QTreeView

from framescope.features.table_import.ui.import_dialog import ImportDialog
from framescope.ui.widgets.number_field import NumberField
from tests.features.table_import.ui.test_importing import columns, write_csv
from tests.support.hands import CTRL, LEFT, PLAIN, SHIFT, Key, drag, strike, type_in, wheel, x_of
from tests.support.insert_menu import insert_path
from tests.support.whole_window import (
    ALT,
    answering,
    carry,
    choose,
    click,
    click_item,
    drop_files,
    from_menu,
    in_window,
    name_file,
    strike_in,
    wait_for,
    wait_until_saved,
    windows,
)

pytestmark = pytest.mark.usefixtures("dark", "quick_wheel")

SEED = 20

SCENE = """\
# What a person has written, comments and all.
framescope: 1
title: "Undone: everything"
time: {start: 0 s, end: 10 s}   # ten seconds
parameters: {reach: 0.30}
frames:
  arm:          # turns by hand
    parent: world
    position: {value: [0, 0, 0.5], unit: m}
    orientation: {form: axes, sequence: XYZ, angles: [200, 20.0, -3e1], unit: deg}
  runs:
    parent: arm
    orientation: {form: axes, sequence: ZYX, angles: ["20*t", "5*t - 10", 30], unit: deg}
  quat: {parent: world, orientation: {form: quaternion, value: [0, 0, 0, 1], order: xyzw}}

  keyed:
    parent: world
    motion:
      form: keyframes
      keys:
        - {time: 0 s}
        - {time: 4000 ms, orientation: {form: axis, axis: z, angle: 90, unit: deg}}
        - {time: 8 s}
bodies:
  box: {frame: arm, shape: {form: box, size: [10, 20, 30], unit: cm}}
  ball: {frame: quat, shape: {form: sphere, radius: 8 cm}, color: x}
sensors:
  gyro: {form: absolute, frame_a: runs, get_w: true}
view:
  plots:
    - {signal: angles, of: arm, relative_to: world, sequence: XYZ, unit: deg}
    - {signal: angular velocity, of: runs, relative_to: world, resolved_in: world, unit: rad/s}
"""


class Hand:
    """A hand that edits a window, the same way for the same seed."""

    def __init__(self, wiring, folder) -> None:
        self.wiring, self.window, self.session = wiring, wiring.window, wiring.session
        self.panel = wiring.window.inspector.orientation
        self.random = random.Random(SEED)
        self.folder, self.n_imported = folder, 0

    def scene(self):
        return self.session.document.scene

    def frame(self, *forms: str) -> str:
        """Select one of the frames, of some forms of orientation where they are named."""
        frames = self.scene().frames
        fitting = [
            name for name, frame in frames.items()
            if frame.motion is None and (not forms or (frame.orientation and frame.orientation.form in forms))
        ]  # fmt: skip
        click_item(self.wiring, ("frames", self.random.choice(fitting)))
        return self.session.selection[1]

    def item(self, *kinds: str) -> bool:
        keys = [(kind, name) for kind in kinds for name in getattr(self.scene(), kind)]
        if keys:
            click_item(self.wiring, self.random.choice(keys))
        return bool(keys)

    # Orientation panel

    def drag_a_slider(self) -> None:
        self.frame("axes")
        row = self.panel.rows[self.random.randrange(3)]
        x = x_of(row.slider, row.value_deg)
        drag(row.slider, x, x + self.random.choice((-25, 18, 40)))

    def turn_the_wheel(self) -> None:
        self.frame("axes", "quaternion")
        row = self.panel.rows[self.random.randrange(3)]
        row.slider.setFocus()
        wheel(row.slider, self.random.choice((-2, 1, 3)))
        wait_for(lambda: not self.session.is_previewing)

    def type_an_angle(self) -> None:
        self.frame("axes", "quaternion")
        type_in(self.panel.rows[self.random.randrange(3)].field, f"{self.random.randrange(-170, 170)},25")

    def take_the_offset_off(self) -> None:
        self.frame("axes")
        slider = self.panel.rows[self.random.randrange(3)].slider
        QTest.mouseDClick(slider, LEFT, pos=QPoint(round(slider.knob_x()), slider.height() // 2))

    def choose_a_sequence(self) -> None:
        self.frame("axes")
        self.panel.sequence.setFocus()
        QTest.keyClick(self.panel.sequence, self.random.choice((Key.Key_Down, Key.Key_Up)))

    def convert(self) -> None:
        self.frame("axes", "quaternion", "matrix", "axis")
        kind = self.random.choice(sorted(self.panel.parts.kinds))
        self.panel.parts.kinds[kind].trigger()
        if self.panel.parts.confirm.isVisible():
            click(self.panel.parts.confirm.yes)

    def turn_keyframes(self) -> None:
        keyed = [
            name for name, frame in self.scene().frames.items() if getattr(frame.motion, "form", "") == "keyframes"
        ]
        if keyed:
            self.session.scrub(self.random.choice((1.0, 4.0, 6.5)))
            self.session.end_scrub()
            click_item(self.wiring, ("frames", keyed[0]))
            type_in(self.panel.rows[2].field, str(self.random.randrange(5, 80)))

    # Scene

    def turn_by_the_handle(self) -> None:
        self.frame("axes", "quaternion")
        view = self.window.scene_view
        view.setFocus()
        if not view.manipulation.is_on:
            QTest.keyClick(view, Key.Key_G)
        axis = self.random.choice((Key.Key_X, Key.Key_Y, Key.Key_Z))
        for _ in range(self.random.choice((1, 2))):
            QTest.keyClick(view, axis)
        for _ in range(2):
            QTest.keyClick(view, Key.Key_Right)
        QTest.keyClick(view, Key.Key_Return)

    # Outline

    def add(self) -> None:
        self.frame()
        name = self.random.choice(("frame", "box", "arrow", "absolute sensor", "relative sensor", "measurement"))
        from_menu(self.wiring, "Insert", *insert_path(name))

    def rename(self) -> None:
        self.item("frames", "bodies", "sensors")
        strike(self.window.outline.tree, Key.Key_F2)
        editor = self.window.outline.tree.findChild(QLineEdit)
        editor.selectAll()
        QTest.keyClicks(editor, f"name {self.random.randrange(10000)}")
        QTest.keyClick(editor, Key.Key_Return)
        QApplication.processEvents()

    def strike_in_outline(self, key, modifiers=PLAIN, kinds=("frames", "bodies", "sensors")) -> None:
        if self.item(*kinds):
            strike(self.window.outline.tree, key, modifiers)

    def hide(self) -> None:
        self.strike_in_outline(Key.Key_H, self.random.choice((CTRL, CTRL | SHIFT)))

    def duplicate(self) -> None:
        self.strike_in_outline(Key.Key_D, CTRL)

    def delete(self) -> None:
        self.strike_in_outline(Key.Key_Delete, kinds=("bodies", "sensors"))

    def copy_and_paste(self) -> None:
        self.strike_in_outline(Key.Key_C, CTRL)
        self.strike_in_outline(Key.Key_V, CTRL, ("frames",))

    def hang_elsewhere_by_keys(self) -> None:
        self.strike_in_outline(
            self.random.choice((Key.Key_Left, Key.Key_Right)),
            self.random.choice((ALT, ALT | SHIFT)), ("frames",)
        )  # fmt: skip

    def hang_elsewhere_by_mouse(self) -> None:
        body = self.random.choice(sorted(self.scene().bodies))
        frames = set(self.scene().frames) - {self.scene().bodies[body].frame}
        target = ("frames", self.random.choice(sorted(frames)))
        self.row(target)
        start, end = self.row(("bodies", body)), self.row(target)
        if self.row(("bodies", body)) == start:  # both are in view
            carry(self.window, start, end, self.random.choice((PLAIN, ALT)))

    def row(self, key) -> QPoint:
        """Return a place on a row of the outline, in the window."""
        tree: QTreeView = self.window.outline.tree
        index = self.window.outline.tree.index_of(key)
        tree.scrollTo(index)
        rect = tree.visualRect(index)
        return in_window(self.window, tree.viewport(), QPoint(rect.left() + 30, rect.center().y()))

    # Inspector

    def type_in_the_inspector(self) -> None:
        if not self.item("bodies"):
            return
        fields = [field for field in self.window.inspector.findChildren(NumberField) if field.isVisible()]
        fields = [field for field in fields if field.isEnabled() and not field.isReadOnly()]
        if fields:
            type_in(self.random.choice(fields), f"0,{self.random.randrange(11, 99)}")

    # Timeline and plots

    def move_a_key(self) -> None:
        keyed = [
            name for name, frame in self.scene().frames.items() if getattr(frame.motion, "form", "") == "keyframes"
        ]
        if not keyed:
            return
        click_item(self.wiring, ("frames", keyed[0]))
        track = self.window.timeline.track
        movable = [marker for marker in track.markers if marker.i_key is not None][1:]
        start = QPoint(round(track.x_of(movable[0].t)), 4)
        QTest.mousePress(track, LEFT, PLAIN, start)
        for i in range(1, 6):
            QTest.mouseMove(track, start + QPoint(6 * i, 0))
        QTest.mouseRelease(track, LEFT, PLAIN, start + QPoint(30, 0))

    def carry_onto_a_plot(self) -> None:
        key = ("frames", self.random.choice(sorted(self.scene().frames)))
        plots = self.window.plots
        carry(self.window, self.row(key), in_window(self.window, plots, plots.rect().center()))

    def choose_in_a_plots_menu(self) -> None:
        plot = self.random.choice(self.window.plots.plots)
        if plot.curves is None or plot.curves.i_plot is None:
            return
        click(plot.header.menu_button)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        texts = [action.text() for action in menu.actions() if action.isEnabled()]
        wanted = [text for text in ("Move to the right", "Move to the left", "Split into plots") if text in texts]
        if wanted:
            choose(menu, self.random.choice(wanted))
        menu.close()

    # Import

    def import_a_recording(self) -> None:
        if self.n_imported > 1:
            return
        self.n_imported += 1
        drop_files(self.wiring, write_csv(self.folder / f"walk {self.n_imported}.csv", values=columns()))
        wait_for(lambda: any(d.isVisible() for d in self.window.findChildren(ImportDialog)))
        dialog = next(d for d in self.window.findChildren(ImportDialog) if d.isVisible())
        wait_for(dialog.import_button.isEnabled)
        before = self.scene()
        click(dialog.import_button)
        wait_for(lambda: self.scene() is not before)
        self.window.activateWindow()
        wait_for(self.window.isActiveWindow)


HELPERS = {"scene", "frame", "item", "row", "strike_in_outline"}
ACTS = tuple(name for name in vars(Hand) if not name.startswith("_") and name not in HELPERS)


def test_that_undo_and_redo_go_through_exactly_the_same_scenes(qtbot, tmp_path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        session, hand = wiring.session, Hand(wiring, tmp_path)
        assert session.document.path == path
        wiring.window.resize(wiring.window.minimumWidth(), 860)  # less to draw, and a long outline
        kept, did = [session.document.scene], []

        def keep() -> None:
            if session.document.scene is not kept[-1]:
                kept.append(session.document.scene)

        session.document_changed.connect(keep)
        left = deque(hand.random.sample(ACTS, len(ACTS)))
        while left:
            name, n_kept = left.popleft(), len(kept)
            getattr(hand, name)()
            did.append((name, len(kept) - n_kept))
            if len(kept) == n_kept:  # there was nothing to do it to, or it was so already: later once more
                left.append(name)
            assert len(did) < 4 * len(ACTS), did
        session.document_changed.disconnect(keep)
        assert {name for name, n in did if n} == set(ACTS)

        texts = [repr(scene) for scene in kept]
        for i in reversed(range(len(kept) - 1)):
            strike_in(wiring, Key.Key_Z, CTRL)
            assert session.document.scene == kept[i], i
        assert session.document.history.undo_label is None
        assert not session.document.is_dirty
        assert session.document.scene is kept[0]
        with answering(name_file(tmp_path / "again.yaml")):
            strike_in(wiring, Key.Key_S, CTRL | SHIFT)
        wait_until_saved(wiring)
        assert (tmp_path / "again.yaml").read_bytes() == path.read_bytes() == SCENE.encode()

        for i in range(1, len(kept)):
            strike_in(wiring, Key.Key_Z, CTRL | SHIFT)
            assert session.document.scene == kept[i], i
        assert session.document.history.redo_label is None
        assert [repr(scene) for scene in kept] == texts  # none was changed behind the history's back
        assert np.isfinite(session.snapshot.p_WF[0]).all()


def test_that_undo_takes_what_was_typed_and_refused_before_an_earlier_step(qtbot, tmp_path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        session, inspector = wiring.session, wiring.window.inspector
        start = session.document.scene
        click_item(wiring, ("frames", "arm"))
        type_in(inspector.orientation.rows[0].field, "12")
        edited = session.document.scene
        assert edited != start
        click_item(wiring, ("frames", "quat"))
        inspector.orientation.parts.also.chosen.emit("quaternion")
        form = inspector.orientation.parts.quaternion
        type_in(form.editor.fields[0], "2", Key.Key_Tab)
        assert form.editor.has_draft
        strike_in(wiring, Key.Key_Z, CTRL)
        assert session.document.scene == edited
        assert not form.editor.has_draft
        assert not form.editor.fields[0].property("invalid")
        type_in(inspector.orientation.rows[1].field, "abc", Key.Key_Tab)
        assert inspector.orientation.rows[1].field.property("invalid")
        strike_in(wiring, Key.Key_Z, CTRL)
        assert session.document.scene == edited
        assert not inspector.orientation.rows[1].field.property("invalid")
        strike_in(wiring, Key.Key_Z, CTRL)
        assert session.document.scene == start
