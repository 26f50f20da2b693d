"""Controller of the export dialog. Its process draws previews of the scene, then writes the export."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from framescope.app.export_service.client import Ended, ExportProcess
from framescope.app.export_service.tasks import Drawn, ExportJob
from framescope.app.exporters.captions import outside_text
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.formats import offers
from framescope.app.exporters.rendering.headless import omitted_answers
from framescope.app.exporters.rendering.missing_glyphs import letters_note
from framescope.app.exporters.request import ExportRequest, SceneSource, check_folder, checked_request, frame_source_of
from framescope.app.exporters.scene_graph.remarks import left_out_text
from framescope.app.session.export_entries import ExportEntries
from framescope.app.session.session import Session
from framescope.app.storage.settings import AS_WINDOW, LAST_TIME, AngleUnit, Settings
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.files.referenced_files import named_files
from framescope.core.scene.schema.model import Scene
from framescope.core.system.features import load_entry
from framescope.ui.dialogs.export.choice import ChoiceVerdict, ExportChoice, SceneFacts, choice_of
from framescope.ui.dialogs.export.dialog import ExportDialog
from framescope.ui.dialogs.save_dialog import may_write, path_to_save
from framescope.ui.exports.format import Format
from framescope.ui.exports.options import SIZES, ExportOptions
from framescope.ui.plots.plot_content import chart_titles
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.theme import current_theme
from framescope.ui.window.main_window import MainWindow

SKETCH_SIDE = 192
"""Minimum length of a preview's shorter side, pixels. Plots need that much room."""

MODEL_SHAPE = (16, 9)

FILM_FORMAT = "mp4"
"""Format of a film where the remembered one is none of films."""


@dataclass(frozen=True)
class Seen:
    """State of the window for an export: camera, time, s, angle unit, and selected frame, empty without one."""

    eye: CameraState
    t: float
    angle_unit: AngleUnit
    frame: str = ""


class ExportDialogController(QObject):
    """Opens the export dialog and lives as long as the dialog.

    Signals
    -------
    started(ExportProcess, ExportJob)
        The user has confirmed the export; the process is to write the job.
    """

    started = Signal(object, object)

    def __init__(
        self,
        session: Session,
        window: MainWindow,
        settings: Settings,
        entries: ExportEntries,
        film: str = "",
        film_t: float = 0.0,
    ) -> None:
        super().__init__(window)
        document = session.document
        self._settings, self._entries, self._document = settings, entries, document
        self._film, self._film_t = film, film_t
        self._plan: Plan = session.plan
        self._seen = _seen_in(session, window)
        self._place = document.working_folder / Path(document.name).stem
        self._measured: ExportChoice | None = None
        self._size_texts: dict[ExportChoice, str] = {}
        self.offers = offers_of(settings)
        self._is_handed_on = False
        self._process = ExportProcess(replace(session.plan_source(), scene=document.scene), self)
        facts = facts_of(session, window)
        choice = first_choice(choice_of(settings.export_choice, facts), self.offers, facts.theme, settings)
        entered: Mapping[str, object] = {} if film else entries.of(document)
        if film:
            choice = film_choice(choice, self.offers, document.scene, film)
        self.dialog = ExportDialog(
            document.name, tuple(self.offers.values()), facts, choice, self._judge, window, entries=entered
        )
        self._process.drawn.connect(self._on_drawn)
        self._process.measured.connect(self._on_measured)
        self._process.ended.connect(self._on_gone)
        self.dialog.preview_requested.connect(self._sketch)
        self.dialog.chosen.connect(self._on_chosen)
        self.dialog.finished.connect(self._on_finished)
        window.closed.connect(self.dialog.reject)
        self.dialog.open()

    # Requests of the dialog

    def _judge(self, choice: ExportChoice) -> ChoiceVerdict:
        """Check a choice with the export's own checks and summarize the result."""
        offer = self.offers[choice.key]
        options = options_of(choice, offer, self._seen)
        try:
            request = checked_request(self._plan.scene, self._plan, Path(f"x{offer.suffix}"), offer, options)
        except ExportError as error:
            of, colon, problem = str(error).partition(": ")
            is_of_field = colon and of.isidentifier()
            return ChoiceVerdict(_sentence(problem), of) if is_of_field else ChoiceVerdict(_sentence(str(error)))
        missing = omitted_answers(request) if "layout" in offer.takes else ""
        if offer.is_still:
            summary = f"One picture, {_pixels(request.size)}"
            return ChoiceVerdict(summary=summary, size=request.size, left_out=missing)
        if "accuracy" in offer.takes:
            unknown = f"Rotations within {choice.accuracy:g}° between samples; computing the size…"
            text = self._size_texts.get(_colorless(choice)) or unknown
            return ChoiceVerdict(summary=text, size=MODEL_SHAPE, left_out=left_out_text(self._plan, offer.suffix))
        if offer.summary:
            try:
                text = load_entry(offer.preview)(request) if offer.preview else ""
                return ChoiceVerdict(summary=load_entry(offer.summary)(request), text=text)
            except ExportError as error:
                return ChoiceVerdict(_sentence(str(error)))
        if not offer.takes & {"fps"}:
            n = len(named_files(self._plan.scene))
            return ChoiceVerdict(summary=f"The scene and {n} file{'s' * (n != 1)}")
        if offer.is_table:
            return ChoiceVerdict(summary=_of_table(request))
        n = len(request.times)
        text = f"{_group_digits(n)} frame{'s' * (n != 1)}, {n / request.fps:.4g} s"
        if undrawn := self._size_texts.get(choice):
            text = f"{_group_digits(n)} frame{'s' * (n != 1)}, {undrawn}, {n / request.fps:.4g} s"
        if "size" in offer.takes:
            text = f"{text}, {_pixels(request.size)}"
        outside = outside_text(request.captions, float(request.times.max()))
        return ChoiceVerdict(summary=text, size=request.size, left_out=" ".join(filter(None, (missing, outside))))

    def _sketch(self, choice: ExportChoice, room: QSize) -> None:
        """Request a preview of a choice for the available space."""
        offer = self.offers[choice.key]
        shape = choice.size if choice.size is not None and "size" in offer.takes else MODEL_SHAPE
        options = replace(options_of(choice, offer, self._seen), size=_sketch_size(shape, room))
        if "layout" not in offer.takes:
            options = replace(options, frame=None)  # the numbers of a frame beside the scene are not in the preview
        start, stop = options.start, options.stop
        is_inside = start is None or stop is None or start <= self._seen.t <= stop
        measured = None
        if "accuracy" in offer.takes and _colorless(choice) not in self._size_texts:
            self._measured = choice
            measured = self._job(choice, Path(f"x{offer.suffix}"))
        if is_film := frame_source_of(options) is not None:
            self._measured = choice
            measured = self._job(choice, Path(f"x{offer.suffix}"))
        job = replace(self._job(choice, Path(f"x{offer.suffix}")), options=options)
        t = self._seen.t if is_inside else start or 0.0
        if is_film:
            t = self._film_t if choice.film == self._film else 0.0
        self._process.sketch(job, t, measured)

    def _job(self, choice: ExportChoice, path: Path) -> ExportJob:
        """Return the export job of a choice."""
        offer, document = self.offers[choice.key], self._document
        source = SceneSource(document.name, document.text, document.access)
        return ExportJob(self._process.plan, path, options_of(choice, offer, self._seen), offer.is_still, source)

    def _on_drawn(self, drawn: Drawn) -> None:
        if drawn.png:
            self.dialog.show_sketch(QImage.fromData(drawn.png))
        else:
            self.dialog.show_no_sketch(drawn.why)

    def _on_measured(self, text: str) -> None:
        measured = self._measured
        if measured is None:
            return
        if "accuracy" not in self.offers[measured.key].takes:
            self._size_texts[measured] = text
            if self.dialog.choice == measured:
                self.dialog.show_summary(self._judge(measured).summary)
            return
        self._size_texts[_colorless(measured)] = _sentence(text)
        if self.dialog.choice == measured:
            self.dialog.show_summary(_sentence(text))

    def _on_gone(self, ended: Ended) -> None:
        self.dialog.show_no_sketch(ended.why)

    # Path of the export

    def _on_chosen(self, choice: ExportChoice) -> None:
        offer = self.offers[choice.key]
        path = self._ask_folder() if offer.key == "frames" else self.ask_file(offer)
        if path is None:
            return
        try:
            check_folder(path)
        except ExportError as error:
            self.dialog.message.set_message(str(error))
            return
        self._settings.export_choice = choice.storable()
        process, self._is_handed_on = self._process, True
        process.drawn.disconnect(self._on_drawn)
        process.measured.disconnect(self._on_measured)
        process.ended.disconnect(self._on_gone)
        self.dialog.accept()
        self.started.emit(process, self._job(choice, path))

    def ask_file(self, offer: Format) -> Path | None:
        """Ask for the file of an export. Return None when the user cancels."""
        start = self._place.with_name(f"{self._place.name}{offer.suffix}")
        filter_text = f"{offer.title} (*{offer.suffix})"
        title = f"Export: {offer.title}"
        inputs, others = self._document.files, {other.suffix for other in self.offers.values()}
        return path_to_save(
            self.dialog, title, start, filter_text, offer.suffix, inputs=inputs, is_only=True, others=others
        )

    def _ask_folder(self) -> Path | None:
        chosen = QFileDialog.getExistingDirectory(self.dialog, "Folder for the pictures", str(self._place.parent))
        path = Path(chosen) / f"{self._place.name.replace('%', '')}-%04d.png"
        return path if chosen and may_write(self.dialog, "Export", path, self._document.files) else None

    def _on_finished(self) -> None:
        entries = self.dialog.entries
        if self._is_handed_on:
            entries.pop("moment", None)  # it belonged to this picture
        else:
            self._process.close()
        self._entries.keep(self._document, entries)
        self.dialog.deleteLater()
        self.deleteLater()


def offers_of(settings: Settings) -> dict[str, Format]:
    """Return all formats by their keys, with the values that the settings name."""
    return {offer.key: offer for offer in (first_values(offer, settings) for offer in offers())}


def facts_of(session: Session, window: MainWindow) -> SceneFacts:
    """Return the facts of the scene of a window for the export dialog."""
    document, plan, view = session.document, session.plan, window.scene_view
    n_problems = sum(problem.severity == "red" for problem in session.problems)
    projection = view.renderer.projection()
    return SceneFacts(
        start=plan.start,
        end=plan.end,
        t=session.playback.t,
        part=session.playback.part,
        view_size=(projection.width // 2 * 2, projection.height // 2 * 2),
        frames=tuple(document.scene.frames),
        frame=session.selected_frame(),
        plots=tuple(chart_titles(plan)),
        problems=" ".join(filter(None, (_of_problems(n_problems), letters_note(document.scene)))),
        title=document.scene.title or "",
        theme=current_theme.current().name,
        is_camera_moved=view.renderer.is_camera_moved,
        **_films(document.scene),
    )


def offered_film_options(
    session: Session, window: MainWindow, settings: Settings, film: str
) -> tuple[ExportOptions, str]:
    """Return the options and the suffix with which the export dialog opens for a film."""
    formats, facts = offers_of(settings), facts_of(session, window)
    choice = first_choice(choice_of(settings.export_choice, facts), formats, facts.theme, settings)
    choice = film_choice(choice, formats, session.document.scene, film)
    offer = formats[choice.key]
    return options_of(choice, offer, _seen_in(session, window)), offer.suffix


def _seen_in(session: Session, window: MainWindow) -> Seen:
    view = window.scene_view
    unit = cast("AngleUnit", view.angle_unit.key)
    return Seen(view.camera.state, session.playback.t, unit, session.selected_frame())


def first_values(offer: Format, settings: Settings) -> Format:
    """Return a format with the size and the rate that the settings name for videos."""
    if not offer.is_video:
        return offer
    fps = offer.fps if settings.film_rate == LAST_TIME else float(settings.film_rate)
    return replace(offer, first_size=settings.film_size, fps=fps)


def first_choice(
    remembered: ExportChoice, formats: Mapping[str, Format], theme: str, settings: Settings
) -> ExportChoice:
    """Return the choice with which the dialog opens: the remembered one with the values that the settings name.

    `theme` is the name of the window's theme.
    """
    changes: dict[str, Any] = {}
    offer = formats.get(remembered.key)
    if offer is not None and offer.is_video:
        if settings.film_size != LAST_TIME:
            changes |= {"size": SIZES[settings.film_size], "is_size_of_window": False}
        if settings.film_rate != LAST_TIME:
            changes["fps"] = float(settings.film_rate)
    if settings.film_quality != LAST_TIME:
        changes["quality"] = settings.film_quality
    if settings.film_colours != LAST_TIME:
        is_of_window = settings.film_colours == AS_WINDOW
        changes |= {"theme": theme if is_of_window else settings.film_colours, "is_theme_of_window": is_of_window}
    return replace(remembered, **changes)


def options_of(choice: ExportChoice, offer: Format, seen: Seen) -> ExportOptions:
    """Return the options of a choice that a format accepts."""
    values = {name: getattr(choice, name) for name in offer.takes}
    chosen: dict[str, Any] = {name: None if value in ("", ()) else value for name, value in values.items()}
    is_composed = choice.layout not in (None, "scene")
    frame = seen.frame or None if "layout" not in offer.takes else chosen.get("frame") if is_composed else None
    frame = choice.root or None if offer.is_tree else frame
    chosen |= {
        "angle_unit": seen.angle_unit,
        "plots": [i + 1 for i in chosen["plots"]] if is_composed and chosen.get("plots") is not None else None,
        "frame": frame,
        "camera": "turntable" if choice.turns else None,
        "turns": choice.turns or None,
        "eye": seen.eye if choice.is_eye else None,
        "eye_time": seen.t if choice.is_eye else None,
    }
    chosen = {name: value for name, value in chosen.items() if name in offer.takes and value is not None}
    options = type(choice)(**chosen)
    source = frame_source_of(options)
    if source is None:
        return options
    return type(choice)(**{name: value for name, value in chosen.items() if name in source.takes})


def film_choice(choice: ExportChoice, formats: Mapping[str, Format], scene: Scene, name: str) -> ExportChoice:
    """Return the choice for a film: a format of films, and the size and the rate that the film states."""
    film = scene.film[name]
    changes: dict[str, Any] = {"film": name}
    if choice.key not in formats or "film" not in formats[choice.key].takes:
        changes["key"] = FILM_FORMAT
    if film.size is not None:
        changes |= {"size": film.size, "is_size_of_window": False}
    if film.fps is not None:
        changes["fps"] = film.fps
    return replace(choice, **changes)


def _films(scene: Scene) -> dict[str, Any]:
    """Return the facts of the films of a scene; none where no feature draws films."""
    name = next(iter(scene.film), "")
    source = frame_source_of(ExportOptions(film=name)) if name else None
    return {} if source is None else {"films": tuple(scene.film), "film_options": source.takes}


def _colorless(choice: ExportChoice) -> ExportChoice:
    """Return a choice without colours, which do not affect the size of a model."""
    return replace(choice, theme="", is_theme_of_window=False)


def _sketch_size(shape: tuple[int, int], room: QSize) -> tuple[int, int]:
    """Return the even width and height of a preview that fills the available space, at least `SKETCH_SIDE`."""
    width, height = shape
    scale = min(room.width() / width, room.height() / height)
    scale = max(scale, SKETCH_SIDE / min(width, height))
    return max(SKETCH_SIDE, round(scale * width / 2) * 2), max(SKETCH_SIDE, round(scale * height / 2) * 2)


def _of_problems(n: int) -> str:
    if n == 0:
        return ""
    many = n > 1
    return f"The scene has {n if many else 'a'} problem{'s' * many}. What cannot be drawn or computed is left out."


def _of_table(request: ExportRequest) -> str:
    """Return the number of rows and the duration of a table as text."""
    duration, n = request.stop - request.start, request.n_rows
    what = "time" if request.options.long else "row"
    note = ", one row for each number" if request.options.long else ""
    return f"{_group_digits(n)} {what}{'s' * (n != 1)}, {duration:.4g} s{note}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _group_digits(n: int) -> str:
    return f"{n:,}".replace(",", " ")


def _pixels(size: tuple[int, int]) -> str:
    return f"{size[0]} × {size[1]}"
