"""Form of the export options. It shows those that the format takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from framescope.ui.dialogs.export.choice import ExportChoice, SceneFacts
from framescope.ui.dialogs.export.entries import Entries, entries_of, put_back
from framescope.ui.dialogs.export.fields import (
    LABEL_WIDTH,
    OptionField,
    box_field,
    choice_box,
    choose_value,
    field_of,
    line_field,
    row_of,
    seconds_text,
    text_field,
    whole_number,
)
from framescope.ui.dialogs.export.plots_button import PlotsButton
from framescope.ui.exports.format import Format
from framescope.ui.exports.options import RATES, SIZES, TABLE_RATES, Size, fill_defaults, options_in
from framescope.ui.theme.tokens import METRICS

_OWN, _AS_WINDOW = "own", "window"
_OF_OTHERS = "sizes and rates of other kinds"

_ROWS: dict[str, tuple[str, ...]] = {
    "film": ("film",),
    "layout": ("layout", "plots", "frame"),
    "size": ("size", "width", "height"),
    "fps": ("fps", "quality"),
    "accuracy": ("accuracy",),
    "time": ("time", "start", "stop"),
    "speed": ("speed", "hold"),
    "moment": ("moment",),
    "theme": ("theme", "text_size"),
    "eye": ("eye", "round", "turns"),
    "follow": ("follow", "turning"),
    "captions": ("captions",),
    "title": ("title", "license"),
}
"""Fields that share a row, by the first of them. Other options have a row of their own."""

_LABELS = {"film": "Film", "size": "Size", "time": "Time", "eye": "Camera", "follow": "Follow", "root": "Frames"}
_AROUND = {"height": ("×", ""), "turns": ("", "times")}
"""Label of a row, and texts around a field, for fields that no option describes."""

_OPTION_OF = {"width": "size", "height": "size", "time": "start", "round": "turns"}
"""Option of a field that has another name than the option."""


class ExportForm(QWidget):
    """Fields for the options of an export.

    Parameters
    ----------
    facts
        Facts of the scene and the window.
    choice
        Initial choice.

    Signals
    -------
    changed()
        The user has changed a field.
    """

    changed = Signal()

    def __init__(self, facts: SceneFacts, choice: ExportChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts = facts
        self._format: Format | None = None
        self._of_kin: dict[str, tuple[str, str]] = {}  # size and rate by kind of format: films, tables and so on
        self._is_filling = False
        self._plain = fill_defaults(type(choice)(size=SIZES["1080p"]))
        self._options = options_in(type(choice))
        self.fields: dict[str, OptionField] = self._create_fields()
        self._around: dict[str, list[QLabel]] = {}
        self._labels: dict[str, QLabel] = {}
        self._lay_out()
        for field in self.fields.values():
            field.changed.connect(self._on_changed)

    # Values

    def set_choice(self, choice: ExportChoice) -> None:
        """Show all fields of a choice."""
        self._is_filling = True
        filled = replace(self._plain, **{name: value for name, value in vars(choice).items() if value is not None})
        values = vars(filled)
        size = cast("Size", filled.size)
        size_name = next((name for name, preset in SIZES.items() if preset == size), _OWN)
        special = {
            "size": _AS_WINDOW if filled.is_size_of_window else size_name,
            "width": size[0],
            "height": size[1],
            "theme": _AS_WINDOW if filled.is_theme_of_window else filled.theme,
            "eye": filled.is_eye,
            "round": bool(filled.turns),
            "turns": filled.turns or 1,
            "plots": filled.plots,
        }
        for name, field in self.fields.items():
            value = special.get(name, values.get(name))
            if value is not None or name == "plots":
                field.show(value)
        self._is_filling = False
        self._show_fields()

    def widget(self, name: str) -> QWidget:
        """Return the widget of a field."""
        return self.fields[name].widget

    @property
    def _kin(self) -> str:
        return "" if self._format is None else self._format.kin

    @property
    def is_empty(self) -> bool:
        """Whether the format takes no options."""
        return not any(map(self._is_taken, self.fields))

    def entries(self) -> Entries:
        """Return the entries of all fields, visible or not, valid or not."""
        others = {kin: list(size_and_rate) for kin, size_and_rate in self._of_kin.items() if kin != self._kin}
        return {**entries_of(self._widgets()), _OF_OTHERS: others}

    def set_entries(self, entries: Mapping[str, object]) -> None:
        """Restore entries of fields."""
        self._is_filling = True
        put_back(self._widgets(), entries)
        others = entries.get(_OF_OTHERS)
        for kin, size_and_rate in cast("dict[str, object]", others).items() if isinstance(others, dict) else ():
            match size_and_rate:
                case [str(size), str(rate)]:
                    self._of_kin[kin] = size, rate
                case _:
                    pass
        self._is_filling = False
        self._show_fields()

    def set_format(self, offer: Format) -> None:
        """Show the options of a format, and its possible rates."""
        size_box, rate_box = self._box("size"), self._box("fps")
        before, self._format = self._format, offer
        self._is_filling = True
        if before is not None:
            self._of_kin[before.kin] = (size_box.currentData(), rate_box.currentText())
        if before is None or before.kin != offer.kin:
            size, fps = self._of_kin.get(offer.kin, (offer.size, f"{offer.fps:g}"))
            choose_value(size_box, size)
        else:
            fps = rate_box.currentText()
        rates = TABLE_RATES if offer.is_table else tuple(rate for rate in RATES if rate <= offer.max_fps)
        rate_box.clear()
        rate_box.addItems([str(rate) for rate in rates])
        rate_box.setEditText(fps)
        self._offer_libraries(offer)
        self._labels["fps"].setText("Rows a second" if offer.is_table else "Frames a second")
        rate_box.setAccessibleName(self._labels["fps"].text().lower())
        self._is_filling = False
        self._show_fields()

    def _offer_libraries(self, offer: Format) -> None:
        """Offer the libraries of a format; keep the chosen one if the format has it."""
        if not offer.libraries:
            return
        box = self._box("library")
        chosen = box.currentData()
        box.clear()
        for text, library in offer.libraries:
            box.addItem(text, library)
        choose_value(box, chosen)

    def choice(self, key: str) -> ExportChoice:
        """Return the current choice. Raise `ValueError` with the option and a message if a field cannot be parsed."""
        values = {name: self._read(name) for name in self._options if name in self.fields and self._is_read(name)}
        time = self._value("time") if self._is_taken("time") else "whole"
        if self._is_taken("start") and time != "own":
            facts = self._facts
            part = facts.part if time == "part" else None
            values["start"], values["stop"] = part or (facts.start, facts.end)
        if self._is_taken("size"):
            values["size"] = self._size()
        is_theme_of_window = self._value("theme") == _AS_WINDOW
        return replace(
            self._plain,
            **values,
            key=key,
            time=time,
            theme=self._facts.theme if is_theme_of_window else self._value("theme"),
            is_theme_of_window=is_theme_of_window,
            is_size_of_window=self._is_taken("size") and self._value("size") == _AS_WINDOW,
            is_eye=self._value("eye"),
            root=self._value("root") if self._is_taken("root") else "",
        )

    def _is_read(self, name: str) -> bool:
        """Return whether the value of an option comes directly from its field."""
        return name not in ("size", "theme", "eye") and self._is_taken(name) and self._is_asked(name)

    def _size(self) -> Size:
        name: str = self._value("size")
        if name == _OWN:
            return self._read("width"), self._read("height")
        return self._facts.view_size if name == _AS_WINDOW else SIZES[name]

    def _read(self, name: str) -> Any:
        """Return the value of a field. A `ValueError` holds the option and a message."""
        try:
            return self._value(name)
        except ValueError as error:
            raise ValueError(_OPTION_OF.get(name, name), str(error)) from None

    def _value(self, name: str) -> Any:
        return self.fields[name].read()

    def _box(self, name: str) -> QComboBox:
        box = self.fields[name].widget
        assert isinstance(box, QComboBox)  # noqa: S101 - as it was made
        return box

    def mark(self, name: str) -> None:
        """Mark the fields of an option as invalid, or none if the name is empty."""
        name = "moment" if name == "time" else name  # a single picture has a moment instead of a time range
        for own, field in self.fields.items():
            widget, is_wrong = field.widget, own == name or (_OPTION_OF.get(own) == name == "size")
            if bool(widget.property("invalid")) != is_wrong:
                widget.setProperty("invalid", is_wrong)
                widget.style().unpolish(widget)
                widget.style().polish(widget)

    # Building

    def _create_fields(self) -> dict[str, OptionField]:
        facts = self._facts
        fields = {name: field_of(entry.ask) for name, entry in self._options.items() if entry.ask is not None}
        for name, words in (("width", "width, pixels"), ("height", "height, pixels")):
            fields[name] = line_field(text_field(words), whole_number, str)
        width, height = facts.view_size
        sizes = [(f"{w} × {h}, {name}", name) for name, (w, h) in SIZES.items()]
        sizes += [(f"{width} × {height}, as in the window", _AS_WINDOW), ("Another size", _OWN)]
        fields["size"] = box_field(choice_box("size of the picture", sizes))
        times: list[tuple[str, object]] = [(f"All of it, {_span(facts.start, facts.end)}", "whole")]
        if facts.part is not None:
            times.append((f"The part in the timeline, {_span(*facts.part)}", "part"))
        fields["time"] = box_field(choice_box("which part of the time", [*times, ("From … to …", _OWN)]))
        theme = fields["theme"].widget
        assert isinstance(theme, QComboBox)  # noqa: S101 - by its option
        theme_name = theme.itemText(theme.findData(facts.theme))
        theme.insertItem(0, f"{theme_name}, as in the window", _AS_WINDOW)
        theme.setCurrentIndex(0)
        plots = PlotsButton(facts.plots)
        films = [(" ".join(name.split()), name) for name in facts.films]
        fields["film"] = box_field(choice_box("film", [("The scene in one shot", ""), *films]))
        fields["plots"] = OptionField(plots, lambda: plots.chosen, plots.set_chosen, plots.changed)
        frames = [(name, name) for name in facts.frames]
        fields["frame"] = box_field(choice_box("frame whose numbers are shown", frames))
        fields["follow"] = box_field(choice_box("frame that the camera follows", [("Nothing", ""), *frames]))
        below = [(f"Below {name}", name) for name in facts.frames]
        fields["root"] = box_field(choice_box("frames that are written", [("All", ""), *below]))
        cameras = (("The scene's own camera", False), ("As the window shows it now", True))
        fields["eye"] = box_field(choice_box("camera", cameras))
        go_round = QCheckBox("Orbit")
        go_round.setAccessibleName("orbit the scene")
        fields["round"] = OptionField(go_round, go_round.isChecked, go_round.setChecked, go_round.toggled)
        title = fields["title"].widget
        assert isinstance(title, QLineEdit)  # noqa: S101 - by its option
        title.setPlaceholderText(facts.title or "Title")
        return fields

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setHorizontalSpacing(METRICS.padding)
        form.setVerticalSpacing(METRICS.gap)
        placed = {name for row in _ROWS.values() for name in row}
        own = [name for name in self.fields if name not in placed]
        ticks = [name for name in own if isinstance(self.fields[name].widget, QCheckBox)]
        rows = {**_ROWS, **{name: (name,) for name in own if name not in ticks}}
        for first, names in rows.items():
            ask = self._options[first].ask if first in self._options else None
            label = QLabel(_LABELS[first] if ask is None else ask.label or ask.name.capitalize())
            label.setMinimumWidth(LABEL_WIDTH)
            self._labels[first] = label
            row = [widget for name in names for widget in self._with_words(name)]
            form.addRow(label, row[0] if len(row) == 1 else row_of(*row))
        for name in ("transparent", "bare", "bounce", "long", *ticks):
            tick = self.fields[name].widget
            if tick.parent() is None:
                tick.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)  # as wide as can be clicked
                form.addRow("", tick)

    def _with_words(self, name: str) -> list[QWidget]:
        """Return a field with the texts around it."""
        ask = self._options[name].ask if name in self._options else None
        before, after = (ask.before, ask.after) if ask is not None else _AROUND.get(name, ("", ""))
        before, after = _AROUND.get(name, (before, after))
        words = [QLabel(text) for text in (before, after) if text]
        self._around[name] = words
        widget = self.fields[name].widget
        return [*words[: bool(before)], widget, *words[bool(before) :]]

    # Visibility

    def _widgets(self) -> dict[str, QWidget]:
        return {name: field.widget for name, field in self.fields.items()}

    def _is_taken(self, name: str) -> bool:
        """Return whether the format, and a chosen film, take the option of a field."""
        option = _OPTION_OF.get(name, name)
        if name == "root":
            return self._format is not None and self._format.is_tree
        if self._format is None or option not in self._format.takes:
            return False
        if not self._facts.films or "film" not in self._format.takes:
            return option != "film"
        return not self._value("film") or option in self._facts.film_options

    def _is_asked(self, name: str) -> bool:
        """Return whether an option applies, given the other choices."""
        match name:
            case "width" | "height":
                return self._value("size") == _OWN
            case "start" | "stop":
                return self._value("time") == _OWN
            case "plots":
                return self._value("layout") != "scene"
            case "frame":
                return self._value("layout") == "lecture"
            case "turns":
                return self._value("round")
            case "turning":
                return bool(self._value("follow"))
            case "transparent" | "bare":
                return not self._is_taken("layout") or self._value("layout") == "scene"
            case _:
                return True

    def _show_fields(self) -> None:
        visibility: dict[QWidget, bool] = {}
        for name, field in self.fields.items():
            is_shown = self._is_taken(name) and (self._is_asked(name) or name in ("transparent", "bare"))
            visibility |= dict.fromkeys((field.widget, *self._around.get(name, ())), is_shown)
        for name, label in self._labels.items():
            holder = self.fields[name].widget.parentWidget()
            visibility |= dict.fromkeys(
                (label, *([] if holder is None or holder is self else [holder])), self._is_taken(name)
            )
        # Hide fields first. Showing others first would enlarge the dialog for good.
        for widget, is_shown in sorted(visibility.items(), key=lambda pair: pair[1]):
            widget.setVisible(is_shown)
        for name in ("transparent", "bare"):  # a picture with plots is neither
            self.fields[name].widget.setEnabled(self._is_asked(name))

    def _on_changed(self) -> None:
        if not self._is_filling:
            self._show_fields()
            self.changed.emit()


def _span(start: float, stop: float) -> str:
    return f"{seconds_text(start)} to {seconds_text(stop)} s"
