"""Controllers of the panels of a film: its strip with clock and pictures, and the fields of a shot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QActionGroup, QImage
from PySide6.QtWidgets import QMenu

from framescope.app.background.latest_task import LatestTask
from framescope.app.background.worker_client import WorkerPool, drawing_loss_text
from framescope.app.export_service.tasks import ExportJob, undrawn_text
from framescope.app.session.session import Session
from framescope.core.errors import counted
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.films import Easing
from framescope.core.scene.schema.model import Scene
from framescope.core.snapshot import Snapshot
from framescope.features.films.app.film_desk import FilmDesk
from framescope.features.films.app.preview_task import PreviewPicture, UndrawnFrames, draw_preview
from framescope.features.films.core.compiled_film import CompiledFilm, CompiledShot
from framescope.features.films.core.film_edits import delete_shot_key, move_shot_key, set_key_easing
from framescope.features.films.ui.film_panel import FilmPanel, clock_text, span_text
from framescope.features.films.ui.shot_form import ShotContext, ShotForm
from framescope.features.films.ui.shot_strip import ShotCard
from framescope.ui.theme import current_theme
from framescope.ui.timeline.markers import Marker

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring

PICTURE_HEIGHT, MOST_WIDTH = 216, 512
"""Height and largest width of the pictures, pixels."""

REST_MS = 150
"""Time without a change after which pictures are drawn, ms."""


class FilmController(QObject):
    """Shows the film of a desk in its panel, with pictures that another process draws."""

    def __init__(self, wiring: Wiring, desk: FilmDesk, panel: FilmPanel) -> None:
        super().__init__(wiring.window)
        self._session: Session = wiring.session
        self._desk, self._panel, self._window = desk, panel, wiring.window
        self._stills: dict[str, QImage] = {}
        self._scene_of_stills: Scene | None = None
        self._packed: tuple[Plan, bytes] | None = None
        self._asked: list[str] = []
        self._exports = wiring.exports
        self._counted: object = None
        self._counting: object = None
        self._undrawn: int | None = None
        wiring.exports.ended.connect(self._on_exported)
        self._pool = WorkerPool(1, drawing_loss_text)
        self._task = LatestTask(self, self._pool, is_patient=True)
        self._task.found.connect(self._on_drawn)
        self._task.failed.connect(self._on_failed)
        self._task.idle.connect(self._on_idle)
        self._is_stale = False
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._draw)
        desk.changed.connect(self._on_changed)
        desk.moved.connect(self._on_moved)
        current_theme.signals.theme_changed.connect(self._on_theme)
        panel.appeared.connect(self._want)
        panel.left.connect(desk.leave)
        self._window.docks["film"].visibilityChanged.connect(self._on_seen)
        panel.film_chosen.connect(desk.choose)
        panel.scrubbed.connect(desk.go)
        panel.aspect_chosen.connect(desk.set_aspect)
        panel.play_toggled.connect(desk.toggle_play)
        panel.created.connect(desk.open)
        panel.added.connect(desk.add)
        track = panel.track
        track.key_previewed.connect(self._preview_key)
        track.key_moved.connect(self._move_key)
        track.key_cancelled.connect(self._session.cancel)
        track.key_deleted.connect(self._delete_key)
        track.menu_asked.connect(self._fill_menu)
        panel.strip.picked.connect(desk.select)
        panel.strip.moved.connect(desk.move)
        panel.strip.deleted.connect(desk.delete)
        panel.strip.duplicated.connect(desk.duplicate)
        self._on_changed()

    def close(self) -> None:
        """End the drawing process."""
        self._rest.stop()
        self._task.kill()
        self._pool.close()

    # Showing

    def _on_changed(self) -> None:
        desk, panel, film = self._desk, self._panel, self._desk.film
        panel.show_films(tuple(desk.plan.scene.film), desk.name)
        if film is None:
            return
        bare = desk.plan.scene.model_copy(update={"film": FrozenDict()})
        if bare != self._scene_of_stills:
            self._scene_of_stills = bare
            self._stills.clear()
        panel.show_size(film.film.size)
        self._show_cards(film)
        panel.show_time(desk.t, is_playing=desk.is_playing)
        self._want()

    def _show_cards(self, film: CompiledFilm) -> None:
        faulty = {problem.key_path[3] for problem in self._desk.problems if len(problem.key_path) > 3}
        shots = film.shots[: len(film.film.shots)]
        cards = [ShotCard(shot.shot.title, card_text(shot), is_faulty=k in faulty) for k, shot in enumerate(shots)]
        stills = [self._stills.get(_still_key(shot)) for shot in shots]
        keys = camera_markers(film)
        self._panel.show_shots(cards, self._desk.k, stills, film.duration, keys, facts_text(film, self._undrawn_now()))

    def _undrawn_now(self) -> int | None:
        """Return the number of frames that an export would draw, if it was counted for the present film."""
        counted = self._counted
        is_known = isinstance(counted, tuple) and counted[:2] == (self._desk.plan, self._desk.name)
        return self._undrawn if is_known else None

    def _on_moved(self) -> None:
        self._panel.show_time(self._desk.t, is_playing=self._desk.is_playing)
        self._want()

    def _on_seen(self) -> None:
        if not self._window.has_dock("film") and not self._window.is_presenting:  # which hides it for a while
            self._desk.leave()

    def _on_theme(self, _theme: object) -> None:
        self._stills.clear()
        self._on_changed()

    # Keys of cameras

    def _preview_key(self, key: Marker, t: float) -> None:
        self._session.preview(self._moved_key(key, t))

    def _move_key(self, key: Marker, t: float) -> None:
        self._session.commit(self._moved_key(key, t))

    def _delete_key(self, key: Marker) -> None:
        self._session.commit(delete_shot_key(self._desk.name, *_place_of(key)))

    def _moved_key(self, key: Marker, t: float) -> Edit:
        k, i_key = _place_of(key)
        film = self._desk.film
        begin = 0.0 if film is None else film.shots[k].begin
        return move_shot_key(self._desk.name, k, i_key, t - begin)

    def _fill_menu(self, menu: QMenu, key: Marker | None) -> None:
        """Add actions to the menu of the clock: on a key its easing, beside the keys a new key."""
        desk, film = self._desk, self._desk.film
        if film is None:
            return
        if key is None:
            text = f"Add a camera key at {clock_text(desk.t)} from this view"
            menu.addAction(text, desk.add_camera_key).setEnabled(desk.takes_camera_key)
            return
        k, i_key = _place_of(key)
        present = film.shots[k].camera.keys[i_key][2]
        group = QActionGroup(menu)
        menu.addSection("To the next key")
        for easing in get_args(Easing):
            edit = set_key_easing(desk.name, k, i_key, easing)
            action = menu.addAction(easing.capitalize(), lambda edit=edit: self._session.commit(edit))
            action.setCheckable(True)
            action.setChecked(easing == present)
            group.addAction(action)

    # Drawing

    def _want(self) -> None:
        """Request pictures once nothing has changed for a while; while the film plays, as fast as they are drawn."""
        self._is_stale = True
        if self._desk.is_playing:
            self._on_idle()
        else:
            self._rest.start()

    def _on_idle(self) -> None:
        if self._is_stale and not self._rest.isActive() and not self._task.is_busy:
            self._draw()

    def _draw(self) -> None:
        film, desk = self._desk.film, self._desk
        if film is None or not self._panel.isVisible():
            return
        self._is_stale = False
        if self._packed is None or self._packed[0] is not desk.plan:
            self._packed = desk.plan, self._session.plan_source().pack()
        shots = film.shots[: len(film.film.shots)]
        self._asked = [_still_key(shot) for shot in shots]
        missing = [] if desk.is_playing else [k for k, key in enumerate(self._asked) if key not in self._stills]
        theme = current_theme.current().name
        job = self._export_job(self._packed[1])
        self._task.want(draw_preview, self._packed[1], desk.name, preview_size(film), theme, desk.t, missing, job)

    def _export_job(self, plan: bytes) -> ExportJob | None:
        """Return the export whose frames are to be counted; None while the film plays, or where they are known."""
        if self._desk.is_playing:
            return None
        options, suffix = self._exports.film_options(self._desk.name)
        wanted = self._desk.plan, self._desk.name, options, suffix
        if wanted == self._counted:
            return None
        self._counting = wanted
        return ExportJob(plan, Path(f"film{suffix}"), options)

    def _on_failed(self, why: str) -> None:
        self._panel.picture.show_image(None, why)

    def _on_exported(self) -> None:
        self._counted = None
        self._want()

    def _on_drawn(self, drawn: PreviewPicture | UndrawnFrames) -> None:
        if isinstance(drawn, PreviewPicture):
            self._on_picture(drawn)
            return
        self._counted, self._undrawn = self._counting, drawn.n
        if self._desk.film is not None:
            self._show_cards(self._desk.film)

    def _on_picture(self, picture: PreviewPicture) -> None:
        if picture.why:
            self._on_failed(picture.why)
            return
        width, height = picture.size
        image = QImage(picture.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
        if picture.shot is None:
            self._panel.picture.show_image(image)
        elif picture.shot < len(self._asked):
            self._stills[self._asked[picture.shot]] = image
            film = self._desk.film
            if film is not None:
                self._show_cards(film)


def preview_size(film: CompiledFilm) -> tuple[int, int]:
    """Return the even width and height of the pictures, in the shape of the film, pixels."""
    width, height = film.film.size or (16, 9)
    scale = min(PICTURE_HEIGHT / height, MOST_WIDTH / width)
    return max(round(scale * width / 2) * 2, 64), max(round(scale * height / 2) * 2, 64)


def camera_markers(film: CompiledFilm) -> tuple[Marker, ...]:
    """Return the keys of the paths of all cameras of a film, at their times of the film."""
    markers: list[Marker] = []
    for k, shot in enumerate(film.shots):
        keys, span = shot.camera.keys, (shot.begin, shot.begin + shot.duration)
        for i, (elapsed, _, _) in enumerate(keys):
            if elapsed <= shot.duration:
                text = f"camera of shot {k + 1}: key {i + 1} of {len(keys)}, {elapsed:.2f} s"
                markers.append(Marker(shot.begin + elapsed, "camera key", text, i, str(k), span))
    return tuple(markers)


def _place_of(key: Marker) -> tuple[int, int]:
    """Return the indices of the shot and of the key that a marker stands for."""
    return int(key.group), key.i_key or 0


def card_text(shot: CompiledShot) -> str:
    """Return the times of a shot, and what is special about it."""
    parts = [span_text(shot.begin, shot.begin + shot.duration)]
    if shot.transition not in ("", "cut"):
        parts.append(shot.transition)
    if shot.camera.form not in ("scene", "pose"):
        parts.append(shot.camera.form)
    if shot.rests:
        parts.append("at rest")
    return " · ".join(parts)


def facts_text(film: CompiledFilm, undrawn: int | None = None) -> str:
    """Return sound, chapters, subtitles and frames of a film, and how many of them an export would draw."""
    parts = [film.sound] if film.sound else []
    if film.chapters:
        parts.append(counted(len(film.chapters), "chapter"))
    if film.film.subtitles is not None:
        parts.append(f"subtitles {film.film.subtitles.language}")
    parts.append(f"{film.count:,} frames")
    if words := undrawn_text(undrawn):
        parts.append(words)
    return " · ".join(parts)


def _still_key(shot: CompiledShot) -> str:
    """Return a text of all that the still of a shot depends on, besides the rest of the scene."""
    return repr(replace(shot, first=0, begin=0.0))


class ShotController(QObject):
    """Shows the selected shot of a desk in its form."""

    def __init__(self, wiring: Wiring, desk: FilmDesk, form: ShotForm) -> None:
        super().__init__(wiring.window)
        self._session, self._desk, self._form = wiring.session, desk, form
        self._eye = wiring.window.scene_view.camera
        self._ask_consent = wiring.files.ask_consent
        form.edits.lead_to(wiring.session)
        form.view_taken.connect(desk.take_view)
        desk.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        desk = self._desk
        if desk.film is None:
            return
        snapshot: Snapshot = self._session.snapshot
        context = ShotContext(
            desk.plan,
            self._form.edits,
            snapshot,
            eye=lambda: self._eye.state,
            ask_consent=self._ask_consent,
            elapsed=round(desk.elapsed, 3),
        )
        self._form.show_shot(context, desk.name, desk.k, desk.problems)


def _desk_of(wiring: Wiring) -> FilmDesk:
    desk = wiring.window.findChild(FilmDesk)
    assert desk is not None  # noqa: S101 - `connect_films` creates it with the window
    return desk


def fill_film(wiring: Wiring) -> None:
    """Fill the dock of the film."""
    panel, desk = FilmPanel(wiring.window.ground("film")), _desk_of(wiring)
    controller = FilmController(wiring, desk, panel)
    wiring.window.fill_dock("film", panel)
    wiring.instruments.close_with_window(controller)
    panel.exported.connect(lambda: wiring.exports.ask_film(desk.name, desk.t))


def fill_shot(wiring: Wiring) -> None:
    """Fill the dock of the selected shot."""
    form = ShotForm(wiring.window.ground("shot"))
    ShotController(wiring, _desk_of(wiring), form)
    wiring.window.fill_dock("shot", form)
