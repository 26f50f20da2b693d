"""The film that a window edits: its selected shot, its clock, and its moments in the scene of the window."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from framescope.app.session.session import Session
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.features.films.app.scene_looks import SceneLook, look_of
from framescope.features.films.core.compiled_film import CompiledFilm, compile_film
from framescope.features.films.core.film_edits import (
    add_camera_key,
    add_film,
    add_shot,
    delete_shot,
    duplicate_shot,
    has_film,
    is_same_but_films,
    move_shot,
    moves_by_itself,
    set_film_aspect,
    set_shot_camera,
)
from framescope.features.films.core.moments import moment_at, moment_in_shot
from framescope.ui.scene_view.base.scene_options import HIDDEN_AXES
from framescope.ui.theme import current_theme
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring
    from framescope.features.films.app.shot_cameras import ShotCameras

DOCKS = ("film", "shot")
"""Docks of the film and of its selected shot."""

ADD_TEXT, SHOW_TEXT = "Film", "Show the film"
"""Texts of the action that opens the film: without a film it adds one."""

TICK_MS = 33

CAMERA_SIZE = (1920, 1080)
"""Size of the picture of a film that states none, pixels."""


class FilmDesk(QObject):
    """Film, selected shot and time of a window, shared by the panels of the film.

    Signals
    -------
    changed()
        The plan, the film or the selected shot has changed.
    moved()
        The time or the playing has changed.
    """

    changed = Signal()
    moved = Signal()

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.name = ""
        """Name of the film; empty without one."""
        self.k = 0
        """Index of the selected shot."""
        self.t = 0.0
        """Time of the film, s."""
        self._had_film = False
        self._shown_films: object = None
        self._is_moving = False
        self._look: SceneLook | None = None
        self._cameras: tuple[CompiledFilm, ShotCameras] | None = None
        self._last = 0.0
        self._timer = QTimer(self, interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._advance)
        self._action = window.commands.of_features["film"]
        self._action.triggered.connect(self.open)
        self._name_action(session.plan)
        session.document_opened.connect(self._on_opened)
        session.plan_changed.connect(self._on_plan)

    # State

    @property
    def plan(self) -> Plan:
        """Present plan."""
        return self._session.plan

    @property
    def film(self) -> CompiledFilm | None:
        """Compiled film; None without one."""
        return compile_film(self.plan, self.name)[0] if self.name in self.plan.scene.film else None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of the film."""
        return compile_film(self.plan, self.name)[1] if self.name in self.plan.scene.film else ()

    @property
    def elapsed(self) -> float:
        """Time since the start of the selected shot, s; 0 outside it."""
        film = self.film
        if film is None:
            return 0.0
        shot = film.shots[self.k]
        elapsed = self.t - shot.begin
        return elapsed if 0.0 <= elapsed <= shot.duration else 0.0

    @property
    def is_playing(self) -> bool:
        """Whether the film plays."""
        return self._timer.isActive()

    # Commands

    def open(self) -> None:
        """Show the panels of the film; add a film where the scene has none."""
        if not has_film(self.plan.scene):
            self._session.commit(add_film(self.plan.scene, self._window.scene_view.camera.state))
        self.show_docks()

    def choose(self, name: str) -> None:
        """Show another film."""
        self.pause()
        self.name, self.k, self.t = name, 0, 0.0
        self.changed.emit()

    def select(self, k: int) -> None:
        """Select a shot, and show its beginning."""
        film = self.film
        if film is None or k == self.k or not 0 <= k < len(film.film.shots):
            return
        self.k = k
        self.changed.emit()
        self.go(film.shots[k].begin)

    def go(self, t: float) -> None:
        """Show a time of the film, s, in the scene: time and camera."""
        self._session.pause()
        self.t = t
        self._show_moment()

    def toggle_play(self) -> None:
        """Play from the present time, at the end from the start; or pause."""
        film = self.film
        if film is None or self.is_playing:
            self.pause()
            return
        if self.t >= film.duration - 1e-6:
            self.t = 0.0
        self.go(self.t)
        self._last = time.perf_counter()
        self._timer.start()
        self.moved.emit()

    def pause(self) -> None:
        """Pause."""
        if self.is_playing:
            self._timer.stop()
            self.moved.emit()

    def add(self) -> None:
        """Add a shot after the selected one, seen as in the view, and select it."""
        film, plan = self.film, self.plan
        left = plan.end - (film.shots[self.k].end if film is not None and self.k < len(film.shots) else plan.start)
        edit = add_shot(self.name, self.k, self._window.scene_view.camera.state, (plan.start, left))
        self._edit_and_select(edit, self.k + 1)

    def duplicate(self, k: int) -> None:
        """Duplicate a shot, and select the copy."""
        if k >= 0:
            self._edit_and_select(duplicate_shot(self.name, k), k + 1)

    def move(self, k: int, to: int) -> None:
        """Move a shot to another place, where it stays selected."""
        self._edit_and_select(move_shot(self.name, k, to), to)

    def delete(self, k: int) -> None:
        """Delete a shot, and select the one in its place."""
        if k >= 0:
            self._edit_and_select(delete_shot(self.name, k), k)

    def set_aspect(self, width: int, height: int) -> None:
        """Give the film a shape, such as 16 to 9, with the length of its shorter side."""
        self._session.commit(set_film_aspect(self.name, width, height))

    def take_view(self) -> None:
        """Give the camera of the selected shot the pose of the view."""
        eye = self._window.scene_view.camera.state
        self._session.commit(set_shot_camera(self.name, self.k, eye, self.elapsed))

    @property
    def takes_camera_key(self) -> bool:
        """Whether the camera of the selected shot can get a key at the present time."""
        film = self.film
        if film is None:
            return False
        shot = film.shots[self.k]
        return 0.0 <= self.t - shot.begin <= shot.duration and not moves_by_itself(shot.shot.camera)

    def add_camera_key(self) -> None:
        """Add a key to the camera of the selected shot: the view at the present time."""
        film = self.film
        if film is None or not self.takes_camera_key:
            return
        first = self._cameras_of(film).at(moment_in_shot(film, self.k, 0.0).shot.camera)
        eye = self._window.scene_view.camera.state
        self._session.commit(add_camera_key(self.name, self.k, eye, self.elapsed, first))
        self._show_moment()

    def leave(self) -> None:
        """Pause, and show the scene from the viewpoint that the user had before the film was shown."""
        self.pause()
        self._show_look(None)
        self._window.scene_view.camera.go_home(even_if_moved=True)

    def close(self) -> None:
        """Stop the clock."""
        self._timer.stop()

    def show_docks(self) -> None:
        """Open both docks, the film in front."""
        for name in reversed(DOCKS):
            self._window.show_dock(name)

    # Internal

    def _edit_and_select(self, edit: object, k: int) -> None:
        from framescope.core.scene.edits.base import Edit

        assert isinstance(edit, Edit)  # noqa: S101 - of this module
        before = self.plan.scene.film.get(self.name)
        self._session.commit(edit)
        film = self.film
        if film is None or film.film is before:
            return
        self.k = min(k, len(film.film.shots) - 1)
        self.t = film.shots[self.k].begin
        self.changed.emit()

    def _on_opened(self) -> None:
        self.leave()
        self.name, self.k, self.t = "", 0, 0.0
        self._had_film = has_film(self._session.document.scene)

    def _name_action(self, plan: Plan) -> None:
        self._action.setText(SHOW_TEXT if has_film(plan.scene) else ADD_TEXT)

    def _on_plan(self, plan: Plan, is_preview: bool) -> None:
        self._name_action(plan)
        films = plan.scene.film
        if self.name not in films:
            self.pause()
            self.name, self.k, self.t = next(iter(films), ""), 0, 0.0
        if is_preview and films is self._shown_films:
            self.moved.emit()  # a gesture that leaves the films alone: the camera rests, and only pictures may change
            return
        self._shown_films = films
        film = self.film
        if film is not None:
            self.k = min(self.k, len(film.film.shots) - 1)
            self.t = min(self.t, film.duration)
        self.changed.emit()
        if film is not None and not self._is_moving:
            self._show_again(film)
        if not is_preview and bool(films) != self._had_film:
            self._open_or_close(has_films=bool(films))

    def _show_again(self, film: CompiledFilm) -> None:
        """Show the present moment after an edit, unless the scene is shown without the film."""
        camera = self._window.scene_view.camera
        if camera.is_visiting:
            self._show_moment()
        elif camera.has_home:  # the user has turned the view
            self._show_look(look_of(self.plan, film, moment_at(film, self.t).shot))
        else:
            self._show_look(None)

    def _open_or_close(self, *, has_films: bool) -> None:
        """Open the panels with the first film of a scene, and close them with its last."""
        self._had_film = has_films
        if has_films:
            self.show_docks()
            return
        self.leave()
        for name in DOCKS:
            self._window.hide_dock(name)

    def _advance(self) -> None:
        film, now = self.film, time.perf_counter()
        if film is None:
            self.pause()
            return
        self.t = min(self.t + now - self._last, film.duration)
        self._last = now
        if self.t >= film.duration:
            self._timer.stop()
        self._show_moment()

    def _show_moment(self) -> None:
        """Show the present moment in the scene: its time and its camera."""
        film = self.film
        if film is None:
            return
        moment = moment_at(film, self.t)
        k = min(moment.shot.shot, len(film.film.shots) - 1)
        if k != self.k:
            self.k = k
            self.changed.emit()
        self._is_moving = True
        self._show_look(look_of(self.plan, film, moment.shot))
        self._session.scrub(moment.shot.t, is_drag=True)
        self._window.scene_view.camera.visit(self._cameras_of(film).at(moment.shot.camera))
        self._is_moving = False
        self.moved.emit()

    def _show_look(self, look: SceneLook | None) -> None:
        """Show the looks of items in the scene; None shows the scene itself."""
        view = self._window.scene_view
        if look is not None and look.is_plain(self.plan):
            look = replace(look, hidden=None, opacities=())
        if look != self._look:
            has_variant = look is not None and (look.hidden is not None or look.opacities)
            before = (None, ()) if self._look is None else (self._look.hidden, self._look.opacities)
            if look is None or not has_variant:
                view.set_variant(None)
            elif (look.hidden, look.opacities) != before:
                view.set_variant(look.vary)
            view.set_option(HIDDEN_AXES, frozenset() if look is None else look.axes)
            lit, was_lit = ("" if each is None else each.lit for each in (look, self._look))
            if lit != was_lit:
                view.set_lit(lit)
            self._look = look

    def _cameras_of(self, film: CompiledFilm) -> ShotCameras:
        """Return the cameras of the film; what only depends on the scene around it is kept while its shots change."""
        from framescope.features.films.app.shot_cameras import SceneEye, ShotCameras

        size = film.film.size or CAMERA_SIZE
        if self._cameras is None or self._cameras[0] is not film:
            eye = None if self._cameras is None else self._cameras[1].eye
            if eye is None or eye.size != size or not is_same_but_films(eye.plan.scene, self.plan.scene):
                eye = SceneEye(self.plan, size, current_theme.current(), 1.0)
            self._cameras = film, ShotCameras(film, eye)
        return self._cameras[1]


def connect_films(wiring: Wiring) -> None:
    """Create the desk of the window."""
    desk = FilmDesk(wiring.session, wiring.window)
    wiring.instruments.close_with_window(desk)
