"""The options of an export, of which those are shown that the format takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from framescope.ui.dialogs.export.box_entries import (
    ACCURACIES,
    CAMERAS,
    LAYOUTS,
    QUALITIES,
    RATES,
    SIZES,
    SPEEDS,
    TABLE_RATES,
    TEXT_SIZES,
    THEMES,
)
from framescope.ui.dialogs.export.entries import Entries, entries_of, put_back
from framescope.ui.dialogs.export.fields import (
    FIELD_WIDTH,
    LABEL_WIDTH,
    choice_box,
    choose_value,
    number_box,
    read_field,
    row_of,
    seconds_text,
    share_of,
    speed_of,
    text_field,
    whole_number,
    whole_turns,
)
from framescope.ui.dialogs.export.options import ExportChoice, Offer, SceneFacts, Size
from framescope.ui.dialogs.export.plots_button import PlotsButton
from framescope.ui.formatting import number_text
from framescope.ui.formatting.time_text import parse_seconds
from framescope.ui.theme.tokens import METRICS

_CAPTION_ROWS = 2
CAPTIONS_TIP = (
    "One a line, with the time of the scene at which it begins: 2.5: Then the pitch. "
    "A time may also be 500 ms or 1:30. Without a time it stands from the start. "
    "Each stands until the next one begins, the last until the end; "
    "a time without words (4:) ends the one before."
)
_OWN, _AS_WINDOW = "own", "window"
_OF_OTHERS = "sizes and rates of other kinds"


class ExportForm(QWidget):
    """Fields and boxes for the options.

    Signals
    -------
    changed()
        Something else is chosen, or typed.
    """

    changed = Signal()

    def __init__(self, facts: SceneFacts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts = facts
        self._offer: Offer | None = None
        self._of_kin: dict[str, tuple[str, str]] = {}  # size and rate of films, tables and so on, each with its own
        self._is_filling = False
        self._make_fields()
        self._lay_out()
        self._connect()

    # What is chosen

    def set_choice(self, choice: ExportChoice) -> None:
        """Show a choice, all of it."""
        self._is_filling = True
        named = next((name for name, size in SIZES.items() if size == choice.size), _OWN)
        choose_value(self.size_box, _AS_WINDOW if choice.is_size_of_window else named)
        self.width_field.setText(str(choice.size[0]))
        self.height_field.setText(str(choice.size[1]))
        if choice.fps is not None:
            self.fps.setEditText(f"{choice.fps:g}")
        choose_value(self.time, choice.time)
        choose_value(self.accuracy, choice.accuracy)
        self.start.setText(seconds_text(choice.start))
        self.stop.setText(seconds_text(choice.stop))
        self.moment.setText(seconds_text(choice.moment))
        choose_value(self.theme, _AS_WINDOW if choice.is_theme_of_window else choice.theme)
        for box, value in ((self.layout_box, choice.layout), (self.camera, choice.is_eye)):
            choose_value(box, value)
        self.plots.set_chosen(choice.plots)
        choose_value(self.frame, choice.frame)
        choose_value(self.follow, choice.follow)
        self.turns.setText(f"{choice.turns or 1}")
        self.speed.setEditText(f"{choice.speed:g}×")
        self.hold.setText(seconds_text(choice.hold))
        self.text_size.setEditText(f"{100 * choice.text_size:g} %")
        choose_value(self.quality, choice.quality)
        self.captions.setPlainText("\n".join(choice.captions))
        self.title.setText(choice.title)
        self.license.setText(choice.license)
        for box, is_on in (
            (self.round, choice.turns != 0),
            (self.turning, choice.turning),
            (self.transparent, choice.transparent),
            (self.bare, choice.bare),
            (self.long, choice.long),
            (self.bounce, choice.bounce),
        ):
            box.setChecked(is_on)
        self._is_filling = False
        self._show_fields()

    @property
    def _kin(self) -> str:
        return "" if self._offer is None else self._offer.kin

    @property
    def is_empty(self) -> bool:
        """Whether the format takes no option at all."""
        return not any(map(self._is_shown, (*self._rows, *self._boxes)))

    def entries(self) -> Entries:
        """Return what stands in all fields, shown or not, and whether it can be read or not."""
        others = {kin: list(found) for kin, found in self._of_kin.items() if kin != self._kin}
        return {**entries_of(self._fields), _OF_OTHERS: others}

    def set_entries(self, entries: Mapping[str, object]) -> None:
        """Put back what stood in some of the fields."""
        self._is_filling = True
        put_back(self._fields, entries)
        others = entries.get(_OF_OTHERS)
        for kin, found in cast("dict[str, object]", others).items() if isinstance(others, dict) else ():
            match found:
                case [str(size), str(rate)]:
                    self._of_kin[kin] = size, rate
                case _:
                    pass
        self._is_filling = False
        self._show_fields()

    def set_offer(self, offer: Offer) -> None:
        """Show the options that a format takes, and the rates it can have."""
        was, self._offer = self._offer, offer
        self._is_filling = True
        if was is not None:
            self._of_kin[was.kin] = (self.size_box.currentData(), self.fps.currentText())
        if was is None or was.kin != offer.kin:
            size, fps = self._of_kin.get(offer.kin, (offer.size, f"{offer.fps:g}"))
            choose_value(self.size_box, size)
        else:
            fps = self.fps.currentText()
        rates = TABLE_RATES if offer.is_table else tuple(rate for rate in RATES if rate <= offer.max_fps)
        self.fps.clear()
        self.fps.addItems([str(rate) for rate in rates])
        self.fps.setEditText(fps)
        self._labels["fps"].setText("Rows a second" if offer.is_table else "Frames a second")
        self.fps.setAccessibleName(self._labels["fps"].text().lower())
        self._is_filling = False
        self._show_fields()

    def choice(self, key: str) -> ExportChoice:
        """Return what is chosen; raise `ValueError` with the option and a sentence for what cannot be read."""
        choice = ExportChoice(
            key=key,
            theme=self._facts.theme if self.theme.currentData() == _AS_WINDOW else self.theme.currentData(),
            is_theme_of_window=self.theme.currentData() == _AS_WINDOW,
            transparent=self._is_alone() and self.transparent.isChecked(),
            bare=self._is_alone() and self.bare.isChecked(),
            long=self.long.isChecked(),
            is_eye=self.camera.currentData(),
            bounce=self.bounce.isChecked(),
        )
        if self._is_shown("size"):
            choice = replace(choice, size=self._size(), is_size_of_window=self.size_box.currentData() == _AS_WINDOW)
        if self._is_shown("fps"):
            choice = replace(choice, fps=read_field("fps", self.fps.lineEdit(), number_text.parse_number))
        if self._is_shown("accuracy"):
            choice = replace(choice, accuracy=self.accuracy.currentData())
        if self._is_shown("start"):
            start, stop = self._range()
            choice = replace(choice, time=self.time.currentData(), start=start, stop=stop)
        if self._is_shown("speed"):
            speed, hold = (
                read_field("speed", self.speed.lineEdit(), speed_of),
                read_field("hold", self.hold, parse_seconds),
            )
            choice = replace(choice, speed=speed, hold=hold)
        if self._is_shown("quality"):
            choice = replace(choice, quality=self.quality.currentData())
        if self._is_shown("captions"):
            # With empty lines: faults name them by number.
            captions = tuple(self.captions.toPlainText().rstrip().splitlines())
            text_size = read_field("text_size", self.text_size.lineEdit(), share_of)
            title, license_ = self.title.text().strip(), self.license.text().strip()
            choice = replace(choice, captions=captions, text_size=text_size, title=title, license=license_)
        if self._is_shown("moment"):
            choice = replace(choice, moment=read_field("moment", self.moment, parse_seconds))
        return self._with_view(choice)

    def _with_view(self, choice: ExportChoice) -> ExportChoice:
        """Add what is shown beside the scene, and where it is seen from."""
        if self._is_shown("turns") and self.round.isChecked():
            choice = replace(choice, turns=round(read_field("turns", self.turns, whole_turns)))
        if self._is_shown("follow"):
            follow = self.follow.currentData()
            choice = replace(choice, follow=follow, turning=bool(follow) and self.turning.isChecked())
        if self._is_shown("layout"):
            choice = replace(choice, layout=self.layout_box.currentData(), plots=self.plots.chosen)
        if choice.layout == "lecture":
            choice = replace(choice, frame=self.frame.currentData())
        return choice

    def _size(self) -> Size:
        name: str = self.size_box.currentData()
        if name == _OWN:
            width, height = (read_field("size", field, whole_number) for field in (self.width_field, self.height_field))
            return round(width), round(height)
        return self._facts.view_size if name == _AS_WINDOW else SIZES[name]

    def _range(self) -> tuple[float, float]:
        time: str = self.time.currentData()
        if time == "own":
            return read_field("start", self.start, parse_seconds), read_field("stop", self.stop, parse_seconds)
        part = self._facts.part
        return part if time == "part" and part is not None else (self._facts.start, self._facts.end)

    def mark(self, name: str) -> None:
        """Mark the field of an option as the one that something is wrong with; none when empty."""
        fields: dict[str, Iterable[QWidget]] = {
            "size": (self.width_field, self.height_field, self.size_box),
            "fps": (self.fps,),
            "accuracy": (self.accuracy,),
            "start": (self.start,),
            "stop": (self.stop,),
            "moment": (self.moment,),
            "time": (self.moment,),
            "turns": (self.turns,),
            "plots": (self.plots,),
            "speed": (self.speed,),
            "hold": (self.hold,),
            "text_size": (self.text_size,),
            "captions": (self.captions,),
            "title": (self.title,),
            "license": (self.license,),
        }
        for of, widgets in fields.items():
            for widget in widgets:
                is_wrong = of == name
                if bool(widget.property("invalid")) != is_wrong:
                    widget.setProperty("invalid", is_wrong)
                    widget.style().unpolish(widget)
                    widget.style().polish(widget)

    # How it is made

    def _make_fields(self) -> None:
        facts = self._facts
        self.size_box = choice_box(
            "size of the picture", [(f"{w} × {h}, {name}", name) for name, (w, h) in SIZES.items()]
        )
        width, height = facts.view_size
        self.size_box.addItem(f"{width} × {height}, as in the window", _AS_WINDOW)
        self.size_box.addItem("Another size", _OWN)
        self.width_field, self.height_field = text_field("width, pixels"), text_field("height, pixels")
        self.fps = number_box("frames a second", ())
        whole = f"All of it, {seconds_text(facts.start)} to {seconds_text(facts.end)} s"
        times: list[tuple[str, object]] = [(whole, "whole")]
        if facts.part is not None:
            times.append(
                (f"The part in the timeline, {seconds_text(facts.part[0])} to {seconds_text(facts.part[1])} s", "part")
            )
        self.accuracy = choice_box("how far it may be off between samples", [(t, deg) for deg, t in ACCURACIES.items()])
        self.time = choice_box("which part of the time", [*times, ("From … to …", "own")])
        self.start, self.stop = text_field("start, seconds"), text_field("end, seconds")
        self.moment = text_field("moment, seconds")
        of_window = f"{THEMES[facts.theme]}, as in the window"
        self.theme = choice_box("colours", [(of_window, _AS_WINDOW), *((text, name) for name, text in THEMES.items())])
        self.layout_box = choice_box("what is shown", [(text, name) for name, text in LAYOUTS.items()])
        self.plots = PlotsButton(facts.plots)
        frames = [(name, name) for name in facts.frames]
        self.frame = choice_box("frame whose numbers are shown", frames)
        self.camera = choice_box("camera", CAMERAS.items())
        self.round = QCheckBox("Go round")
        self.round.setAccessibleName("go round the scene")
        self.turns = text_field("how often it goes round the scene")
        self.follow = choice_box("frame that the camera follows", [("Nothing", ""), *frames])
        self.turning = QCheckBox("Turn with it")
        self.transparent = QCheckBox("Transparent ground")
        self.bare = QCheckBox("Without bar, legend and grid")
        self.long = QCheckBox("One row for each number, with its name and unit")
        self.speed = number_box("how fast the scene goes", [f"{speed:g}×" for speed in SPEEDS])
        self.hold = text_field("how long the end stays, seconds")
        self.text_size = number_box("size of text", [f"{100 * size:g} %" for size in TEXT_SIZES])
        self.quality = choice_box("quality", [(text, name) for name, text in QUALITIES.items()])
        self.captions = QPlainTextEdit(tabChangesFocus=True)
        self.captions.setAccessibleName("captions, one a line")
        self.captions.setPlaceholderText("2.5: Then the pitch\nOne a line. Without a time it stands from the start")
        self.captions.setToolTip(CAPTIONS_TIP)
        rows = _CAPTION_ROWS * self.captions.fontMetrics().lineSpacing()
        self.captions.setFixedHeight(rows + 2 * METRICS.gap)
        self.title, self.license = QLineEdit(), QLineEdit()
        self.title.setAccessibleName("title in the file")
        self.title.setPlaceholderText(facts.title or "Title")
        self.license.setAccessibleName("licence in the file")
        self.license.setPlaceholderText("Licence, such as CC BY 4.0")
        self.bounce = QCheckBox("Forth and back, so that it repeats without a jump")
        self._fields: dict[str, QWidget] = {
            "size": self.size_box,
            "width": self.width_field,
            "height": self.height_field,
            "fps": self.fps,
            "accuracy": self.accuracy,
            "time": self.time,
            "start": self.start,
            "stop": self.stop,
            "moment": self.moment,
            "theme": self.theme,
            "layout": self.layout_box,
            "plots": self.plots,
            "frame": self.frame,
            "eye": self.camera,
            "round": self.round,
            "turns": self.turns,
            "follow": self.follow,
            "turning": self.turning,
            "transparent": self.transparent,
            "bare": self.bare,
            "long": self.long,
            "speed": self.speed,
            "hold": self.hold,
            "text_size": self.text_size,
            "quality": self.quality,
            "captions": self.captions,
            "title": self.title,
            "license": self.license,
            "bounce": self.bounce,
        }

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(METRICS.padding)
        form.setVerticalSpacing(METRICS.gap)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._own_size = row_of(self.width_field, QLabel("×"), self.height_field)
        self._own_time = row_of(self.start, QLabel("to"), self.stop, QLabel("s"))
        self._turns = row_of(self.turns, QLabel("times"))
        self._quality = QLabel("quality"), self.quality
        self._text = QLabel("text"), self.text_size
        self._rows: dict[str, QWidget] = {
            "layout": row_of(self.layout_box, self.plots, self.frame),
            "size": row_of(self.size_box, self._own_size),
            "fps": row_of(self.fps, *self._quality),
            "accuracy": self.accuracy,
            "start": row_of(self.time, self._own_time),
            "speed": row_of(self.speed, QLabel("the end stays"), self.hold, QLabel("s")),
            "moment": row_of(self.moment, QLabel("s")),
            "theme": row_of(self.theme, *self._text),
            "eye": row_of(self.camera, self.round, self._turns),
            "follow": row_of(self.follow, self.turning),
            "captions": self.captions,
            "title": row_of(self.title, self.license),
        }
        words = (
            "Show",
            "Size",
            "Frames a second",
            "Accuracy",
            "Time",
            "Speed",
            "Moment",
            "Colours",
            "Camera",
            "Follow",
        )
        words = (*words, "Captions", "In the file")
        self._labels: dict[str, QLabel] = {}
        for (name, row), word in zip(self._rows.items(), words, strict=True):
            self._labels[name] = QLabel(word)
            self._labels[name].setMinimumWidth(LABEL_WIDTH)
            form.addRow(self._labels[name], row)
        self._boxes = {"transparent": self.transparent, "bare": self.bare, "bounce": self.bounce, "long": self.long}
        for box in self._boxes.values():
            box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)  # as wide as what can be clicked
            form.addRow("", box)
        for box in (self.fps, self.speed, self.text_size):
            box.setMaximumWidth(FIELD_WIDTH + 24)

    def _connect(self) -> None:
        combos = (self.size_box, self.time, self.theme, self.layout_box, self.frame, self.camera, self.follow)
        for combo in (*combos, self.accuracy, self.quality):
            combo.currentIndexChanged.connect(self._on_changed)
        for combo in (self.fps, self.speed, self.text_size):
            combo.editTextChanged.connect(self._on_changed)
        numbers = (self.width_field, self.height_field, self.start, self.stop, self.moment, self.turns, self.hold)
        for field in (*numbers, self.title, self.license):
            field.textEdited.connect(self._on_changed)
        self.captions.textChanged.connect(self._on_changed)
        self.plots.changed.connect(self._on_changed)
        for box in (*self._boxes.values(), self.round, self.turning):
            box.toggled.connect(self._on_changed)

    # What is shown

    def _is_shown(self, name: str) -> bool:
        return self._offer is not None and name in self._offer.takes

    def _is_alone(self) -> bool:
        """Return whether there is nothing but the scene in the picture."""
        return not self._is_shown("layout") or self.layout_box.currentData() == "scene"

    def _show_fields(self) -> None:
        for name, row in self._rows.items():
            is_shown = self._is_shown(name)
            row.setVisible(is_shown)
            self._labels[name].setVisible(is_shown)
        for name, box in self._boxes.items():
            box.setVisible(self._is_shown(name))
        for name, widgets in (("quality", self._quality), ("text_size", self._text)):
            for widget in widgets:
                widget.setVisible(self._is_shown(name))
        self._own_size.setVisible(self.size_box.currentData() == _OWN)
        self._own_time.setVisible(self.time.currentData() == "own")
        self.plots.setVisible(self.layout_box.currentData() != "scene")
        self.frame.setVisible(self.layout_box.currentData() == "lecture")
        self.round.setVisible(self._is_shown("turns"))
        self._turns.setVisible(self._is_shown("turns") and self.round.isChecked())
        self.turning.setVisible(bool(self.follow.currentData()))
        # A bar on no ground would hang in the air: a transparent picture is the scene alone. With plots it is neither.
        is_clear = self.transparent.isChecked() and self._is_shown("transparent")
        self.transparent.setEnabled(self._is_alone())
        self.bare.setEnabled(self._is_alone() and not is_clear)

    def _on_changed(self) -> None:
        if not self._is_filling:
            self._show_fields()
            self.changed.emit()
