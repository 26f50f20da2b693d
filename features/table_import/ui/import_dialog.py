"""Import dialog of a table: choices with their reasons, problems of the rows, and the frames to import."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from framescope.core.errors import FramescopeError, counted, plural
from framescope.core.recordings.columns.guess_time import Clock
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.recordings import add_measurements, add_recordings, place_file
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Mend
from framescope.features.table_import.core.answers import ALL
from framescope.features.table_import.core.choices import (
    MAX_FRAMES,
    MOST_FRAMES,
    Choices,
    TableSource,
    motion_of,
    n_sources,
    sources,
    with_role,
)
from framescope.features.table_import.core.guess_columns import guess
from framescope.features.table_import.core.guess_conventions import rate_of
from framescope.features.table_import.core.row_checks import Checked, stamps_of, unread_times
from framescope.features.table_import.core.scene_start import end_of, placed_choices, start_by_clocks
from framescope.features.table_import.core.vectors import vector_sources
from framescope.features.table_import.ui.choices_form import ChoicesForm
from framescope.features.table_import.ui.findings_list import RowProblemsList
from framescope.features.table_import.ui.frames_list import FramesList
from framescope.features.table_import.ui.parts import SIDE_WIDTH, count_text, file_note, narrow_scroll_area
from framescope.features.table_import.ui.preview_plot import PreviewPlot
from framescope.features.table_import.ui.preview_table import SHOWN_ROWS, PreviewTable
from framescope.features.table_import.ui.row_check_thread import Checks
from framescope.features.table_import.ui.vectors_list import VectorsList
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.progress_bar import ProgressBar

_PLOT = 184
_FRAME_LINE, _MOST_LINES = 32, 3.5
_BAR = 120
_SIZE = QSize(1048, 700)


class ImportDialog(QDialog):
    """Dialog that shows a table with the guessed choices, and makes recorded frames or measured vectors of it.

    Parameters
    ----------
    path
        File of the table.
    table
        Table in the file.
    scene
        Scene to import into.
    folder
        Folder of the scene; None before it is saved.
    suffix
        Extension for a copy of the file, if a scene cannot name files with its own.
    end_s
        End of the scene, s. The dialog offers to set it to the end of longer recordings.
    clocks
        Clocks of the scene's recordings; the start is guessed from a shared one.
    into
        Name of the open scene, to which the dialog adds; empty for a new scene.

    Notes
    -----
    After acceptance, `edit` returns the edit of the scene; it expects the file at `place`.
    Frames of one table keep their common clock, whichever of them begins first.
    """

    def __init__(
        self,
        path: Path,
        table: MixedTable,
        scene: Scene,
        parent: QWidget | None = None,
        *,
        folder: Path | None = None,
        suffix: str = "",
        end_s: float = math.inf,
        clocks: Sequence[Clock] = (),
        into: str = "",
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setWindowTitle(f"Import {path.name}")
        self._table = table
        self._end_s = end_s
        self._clocks = tuple(clocks)
        self._guessed_start_s = 0.0
        self._stamps: tuple[float, float] | None = None
        self._is_measured = False
        guessed = guess(table, path.name)
        self._choices = guessed.choices
        self._shown = 0
        self._checked: dict[TableSource, Checked] = {}
        self._most = MAX_FRAMES
        self._is_importing = self._is_mending_all = self._is_seen = False
        self.checks = Checks(table, self)
        self.place = place_file(path, folder, suffix)

        target = f"into {into}" if into else "as a new scene"
        self.heading = ElidedLabel(f"Import {path.name} {target}", role="title", parent=self)
        self.facts = ElidedLabel("", role="quiet", parent=self)
        self.preview = PreviewTable(table, self)
        self._side = narrow_scroll_area(self)
        self.form = ChoicesForm(table, guessed.choices, guessed.reasons, self._side.viewport())
        self._side.setWidget(self.form)
        self.plot = PreviewPlot(self)
        self.findings = RowProblemsList(self)
        self.poses, self.vectors = FramesList(scene, path.stem, self), VectorsList(scene, path.stem, self)
        self.vectors.hide()
        self.message = InlineMessage(parent=self)
        self.bar = ProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(_BAR)
        self.bar.hide()
        self.what, self.left_out = QLabel("", self), QLabel("", self)
        self.left_out.setProperty("role", "quiet")
        self.list_all = push_button("List all", kind="small", parent=self)
        self.lengthen = QCheckBox(self)
        self.lengthen.setChecked(True)
        self.lengthen.hide()
        self.note = ElidedLabel(file_note(path, self.place), role="quiet", parent=self)
        self.import_button = push_button("Import", kind="main", parent=self)
        self.cancel_button = push_button("Cancel", parent=self)
        self.import_button.setDefault(True)
        self.cancel_button.setAutoDefault(False)
        self._lay_out()
        self._connect()
        self._set_choices(guessed.choices)
        self.resize(_SIZE)
        self.preview.setFocus()

    @property
    def choices(self) -> Choices:
        """Present choices."""
        return self._choices

    @property
    def frames(self) -> FramesList | VectorsList:
        """List in use: of frames, or of the measured vectors of a table without poses."""
        return self.vectors if self._is_measured else self.poses

    def edit(self) -> Edit:
        """Return the edit that adds the selected frames or vectors."""
        end_s = self._recorded_end_s() if self._is_longer and self.lengthen.isChecked() else None
        if self._is_measured:
            return add_measurements(self.vectors.measured(self._choices_of, self.place.name, self._mends_of), end_s)
        return add_recordings(
            [
                (
                    name,
                    parent,
                    motion_of(self._choices_of(source), source, self.place.name, self._mends_of(source)),
                )
                for name, parent, source in self.poses.chosen_sources()
            ],
            end_s,
        )

    def _mends_of(self, source: TableSource) -> tuple[Mend, ...]:
        """Return the applied fixes of one frame."""
        checked = self._checked.get(source)
        return () if checked is None else checked.mends

    # --- Choices

    def _set_choices(self, choices: Choices) -> None:
        if choices.time in self._table.stamps:
            choices = replace(choices, time_unit="s")
        choices = self._with_start(choices)
        self._choices = choices
        self._checked = {}
        self._is_importing = False
        self._stamps = stamps_of(self._table, choices)
        vectors = vector_sources(self._table, choices)
        self._is_measured = bool(vectors)
        listed = vectors or sources(self._table, choices, self._most)
        self.frames.set_sources(listed)
        self.poses.setVisible(not self._is_measured)
        self.vectors.setVisible(self._is_measured)
        self.what.setText("Vectors to import, relative to the world" if self._is_measured else "Frames to make")
        self.form.set_measured(self._is_measured)
        self._show_frame_count(len(listed), len(vectors) or n_sources(self._table, choices))
        self._shown = min(self._shown, max(len(self.frames.rows) - 1, 0))
        self.preview.set_choices(choices, [source.vector for source in vectors if source.vector is not None])
        few = max(len(listed), 1) > 1
        lines = min(max(len(listed), 1), _MOST_LINES)  # half a line hints at more
        self.frames.setFixedHeight(round(lines * _FRAME_LINE) + METRICS.gap + (2 if few else 0))
        self._show_frame()

    def _with_start(self, choices: Choices) -> Choices:
        """Return the choices with the start by the clocks of the scene, unless the user chose another one."""
        start_s, reason = start_by_clocks(self._table, choices, self._clocks)
        is_guessed = choices.start_s == self._guessed_start_s
        self._guessed_start_s = start_s
        self.form.set_start(start_s, reason)
        return replace(choices, start_s=start_s) if is_guessed else choices

    def _choices_of(self, source: TableSource) -> Choices:
        """Return the choices with the start of one frame or vector, which may begin later than the table."""
        checked = self._checked.get(source)
        first = None if checked is None or not len(checked.t) else checked.first + float(checked.t[0])
        return placed_choices(self._choices, self._stamps, first)

    def _show_frame(self) -> None:
        """Show the plot, the problems and the marked choices of the frame in the preview."""
        if not self.frames.rows:
            self.findings.set_problems(())
            self._show_state()
            return
        source = self.frames.rows[self._shown].source
        checked = self._checked.get(source)
        if checked is not None:
            self._show_check(source, checked)
            return
        self.form.show_choices(self._choices, ())
        self._wait(f"Checking {count_text(self._table.n_rows)} {plural(self._table.n_rows, 'row')}")
        self.checks.want(self._choices, [source])

    def _show_check(self, source: TableSource, checked: Checked) -> None:
        """Show the result of checking a frame."""
        problems = (*checked.problems, *unread_times(self._table, self._choices))
        self.form.show_choices(self._choices, problems)
        is_doubtful = self.form.is_doubtful("order") and checked.orientation.shape[1] == 4
        self.plot.set_checked(checked, self._choices, source.label, self._unit_of(source), is_doubtful=is_doubtful)
        mends = checked.open_mends if self._is_mending_all else () if self._is_seen else checked.gap_mends
        self._is_seen = True
        if mends:
            self._set_choices(replace(self._choices, mends=(*self._choices.mends, *mends)))
            return
        self._is_mending_all = False
        self.findings.set_problems(problems, checked.mends)
        self.facts.setText(self._facts(checked))
        self._show_state()

    def _unit_of(self, source: TableSource) -> str:
        """Return the chosen unit of a vector; empty for a pose."""
        rows = (row for row in self.vectors.rows if row.source == source)
        return next((row.unit_box.currentText() for row in rows), "") if self._is_measured else ""

    def _wait(self, what: str, n: int = 0) -> None:
        """Show progress of a check; of `n` frames, or 0 for one."""
        if self.checks.is_quick:
            return
        self.bar.setRange(0, n)
        self.bar.setValue(0)
        self.bar.setAccessibleName(what)
        self.bar.setToolTip(literal_text(what))
        self.bar.show()
        self.facts.setText(f"{what}…")
        self.findings.set_waiting(f"{what}…")
        self.import_button.setEnabled(False)

    def _show_frame_count(self, n_listed: int, n: int) -> None:
        """Show how many frames of the table are listed, and offer to list the others."""
        more = n - n_listed
        self.left_out.setText(f"The first {n_listed} of {count_text(n)} are listed." if more else "")
        most = min(n, MOST_FRAMES)
        self.list_all.setVisible(more > 0 and n_listed < most)
        self.list_all.setText("List all" if most == n else f"List {count_text(most)}")
        self.list_all.setAccessibleName(f"list {counted(most, 'frame')}")
        if more and n_listed >= MOST_FRAMES:
            self.left_out.setText(self.left_out.text() + " Split the table for the others.")

    def _show_state(self) -> None:
        """Show the first problem that prevents the import, and update the import button."""
        error_text = self.frames.problem()
        checked = self._checked.get(self.frames.rows[self._shown].source) if self.frames.rows else None
        if not error_text and checked is not None and self._is_wanted(self._shown):
            problems = (*checked.problems, *unread_times(self._table, self._choices))
            error_text = next((problem.message for problem in problems if problem.severity == "red"), "")
            error_text = error_text[:1].upper() + error_text[1:]
        self.message.set_message(error_text)
        is_ready = checked is not None and self.frames.is_complete
        self.import_button.setEnabled(not error_text and is_ready and not self._is_importing)
        n = len(self.frames.chosen_sources())
        kinds = "vectors" if self._is_measured else "frames"
        self.import_button.setText("Import" if n < 2 else f"Import {n} {kinds}")
        self.lengthen.setVisible(self._is_longer and (checked is None or checked.is_usable))
        self.lengthen.setText(f"Set the end of the scene to {self._recorded_end_s():.6g} s, the end of the recordings")

    def _recorded_end_s(self) -> float:
        """Return the scene time at which the selected recordings end, rounded up to 1 ms."""
        recordings = ((source, self._checked.get(source)) for _, _, source in self.frames.chosen_sources())
        return end_of(
            (self._choices_of(source).start_s, float(np.ptp(checked.t)))
            for source, checked in recordings
            if checked is not None and len(checked.t)
        )

    @property
    def _is_longer(self) -> bool:
        return self._recorded_end_s() > self._end_s

    def _is_wanted(self, i: int) -> bool:
        return self.frames.rows[i].is_wanted.isChecked()

    def _facts(self, checked: Checked) -> str:
        n_rows, n_columns = self._table.n_rows, len(self._table.own)
        parts = [f"{count_text(n_rows)} {plural(n_rows, 'row')}", counted(n_columns, "column")]
        if self.frames.n_sources > 1:
            kinds = "vectors" if self._is_measured else "frames"
            parts.append(f"{self.frames.n_sources} {kinds}, shown: {self.frames.rows[self._shown].name.text()}")
        if len(checked.t) > 1 and not unread_times(self._table, self._choices):
            rate = rate_of(Choices(time="t"), checked.t)
            seconds = float(checked.t.max() - checked.t.min())
            parts.append(f"{seconds:.4g} s" + ("" if rate is None else f" at {rate:.4g} Hz"))
        return " · ".join(parts)

    # --- Actions of the user

    def _on_role(self, column: str, role: str, i_group: int) -> None:
        self._set_choices(with_role(self._choices, column, role, i_group))

    def _on_frame(self, i: int) -> None:
        if i != self._shown:
            self._shown = i
            self._show_frame()

    def _on_mend(self, mend: Mend) -> None:
        """Apply a fix, or undo it."""
        self._is_mending_all = False
        mends = set(self._choices.mends) ^ {mend}
        self._set_choices(replace(self._choices, mends=tuple(other for other in ALL if other in mends)))

    def _on_mend_all(self) -> None:
        """Apply all fixes, including those of problems that appear afterwards."""
        self._is_mending_all = True
        self._show_frame()

    def _on_row_requested(self, row: int) -> None:
        if row <= min(SHOWN_ROWS, self._table.n_rows):
            index = self.preview.model().index(row - 1, self.preview.currentIndex().column())
            self.preview.setCurrentIndex(index)
            self.preview.scrollTo(index, self.preview.ScrollHint.PositionAtCenter)
        checked = self._checked.get(self.frames.rows[self._shown].source)
        if checked is None:
            return
        at = (checked.rows == row - 1).nonzero()[0]
        if len(at):
            self.plot.plot.set_cursor(float(checked.t[at[0]]))

    def _on_import(self) -> None:
        """Check the remaining frames, then accept."""
        missing = [source for _, _, source in self.frames.chosen_sources() if source not in self._checked]
        if not missing:
            self._finish()
            return
        self._is_importing = True
        self._wait(f"Checking {counted(len(missing), 'more frame')}", len(missing))
        self.checks.want(self._choices, missing)

    def _on_checked(self, source: TableSource, checked: Checked) -> None:
        self._checked[source] = checked
        self.bar.setValue(self.bar.value() + 1)
        if not self._is_importing and source == self.frames.rows[self._shown].source:
            self._show_check(source, checked)

    def _on_all_checked(self) -> None:
        self.bar.hide()
        if self._is_importing:
            self._is_importing = False
            self._finish()

    def _finish(self) -> None:
        """Accept, or show the first unusable frame."""
        rows = enumerate(self.frames.rows)
        bad = [i for i, row in rows if self._is_wanted(i) and not self._checked[row.source].is_usable]
        message = ""
        if not bad and not self.frames.problem():
            try:
                self.edit()
            except (ValueError, FramescopeError) as error:
                message = str(error)
            else:
                self.accept()
                return
        if bad:
            self._shown = bad[0]
            self.frames.rows[self._shown].name.setFocus()
        self._show_frame()
        if message:
            self.message.set_message(message)

    def _on_list_all(self) -> None:
        self._most = MOST_FRAMES
        self._set_choices(self._choices)

    def done(self, result: int) -> None:
        self.checks.cancel()
        super().done(result)

    # --- Layout

    def _connect(self) -> None:
        self.preview.role_chosen.connect(self._on_role)
        self.form.changed.connect(self._set_choices)
        self.findings.row_requested.connect(self._on_row_requested)
        self.findings.mend_requested.connect(self._on_mend)
        self.findings.mend_all.clicked.connect(self._on_mend_all)
        self.checks.checked.connect(self._on_checked)
        self.checks.finished.connect(self._on_all_checked)
        self.list_all.clicked.connect(self._on_list_all)
        for rows in (self.poses, self.vectors):
            rows.changed.connect(self._show_state)
            rows.focused.connect(self._on_frame)
        self.import_button.clicked.connect(self._on_import)
        self.cancel_button.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        # From the outside in: Qt restyles a widget with all its children when its parent changes.
        top, body, above, foot = QHBoxLayout(), QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        layouts.column(
            top,
            separator(self),
            (body, 1),
            separator(self),
            above,
            self.poses,
            self.vectors,
            separator(self),
            foot,
            on=self,
            margins=0,
            spacing=0,
        )
        top.setContentsMargins(METRICS.padding, METRICS.gap, METRICS.padding, METRICS.gap)
        top.setSpacing(METRICS.padding)
        top.addWidget(self.heading)
        top.addWidget(self.facts, 1)
        self._fill_body(body)
        self._fill_frames_heading(above)
        self._fill_foot(foot)

    def _fill_body(self, body: QHBoxLayout) -> None:
        left, right = QVBoxLayout(), QVBoxLayout()
        body.addLayout(left, 1)
        body.addWidget(separator(self, is_vertical=True))
        body.addLayout(right)
        for layout in (left, right, body):
            layout.setSpacing(0)
        self.plot.setFixedHeight(_PLOT)
        self.findings.setFixedWidth(SIDE_WIDTH)
        left.addWidget(self.preview, 1)
        left.addWidget(separator(self))
        left.addWidget(self.plot)
        fits = layouts.label("What does not fit", "section", parent=self)
        heading = layouts.row(fits, layouts.STRETCH, self.findings.mend_all, margins=(METRICS.padding, METRICS.inner))
        right.addWidget(self._side, 1)
        right.addWidget(separator(self))
        right.addLayout(heading)
        right.addWidget(self.findings)

    def _fill_frames_heading(self, above: QHBoxLayout) -> None:
        self.what.setProperty("role", "section")
        above.setContentsMargins(METRICS.padding, METRICS.inner, METRICS.padding, 0)
        above.setSpacing(METRICS.gap)
        above.addWidget(self.what)
        above.addWidget(self.left_out)
        above.addWidget(self.list_all)
        above.addStretch(1)
        above.addWidget(self.lengthen)

    def _fill_foot(self, foot: QHBoxLayout) -> None:
        foot.setContentsMargins(METRICS.padding, METRICS.gap, METRICS.padding, METRICS.gap)
        foot.setSpacing(METRICS.gap)
        message = QVBoxLayout()
        foot.addLayout(message, 1)
        message.setSpacing(0)
        message.addWidget(self.message)
        message.addWidget(self.note)
        foot.addWidget(self.bar)
        foot.addWidget(self.cancel_button)
        foot.addWidget(self.import_button)
