"""Checked films: their times in seconds, their shots as whole numbers of frames, and their problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from framescope.core.analysis.staged_rotation import staged_rotation_of
from framescope.core.errors import ItemError, KeyPath, NoSuchNameError, Problem, add_problem, did_you_mean
from framescope.core.evaluation.compile.plots import compile_plot
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.scene.files.referenced_files import SOUND_FILES
from framescope.core.scene.schema.films import (
    AnyShotCamera,
    Cue,
    CueLook,
    DollyCamera,
    Easing,
    EndCard,
    Film,
    FilmText,
    FollowCamera,
    Inset,
    OrbitCamera,
    PathCamera,
    PoseCamera,
    Shot,
    StagedTurns,
    Timed,
    Transition,
)
from framescope.core.scene.schema.model import ITEM_KINDS, ITEM_WORDS, WORLD
from framescope.core.scene.schema.quantities import Quantity, unit_factor
from framescope.core.scene.schema.view import Camera
from framescope.core.system.features import missing_film_panel
from framescope.core.system.file_access import resolve_named
from framescope.features.films.core.camera_poses import CameraPose, checked_pose
from framescope.features.films.core.easing import eased, smooth

FPS = 30.0
"""Frames per second of a film that states none."""

SHOT_S = 3.0
"""Duration of a shot whose times have a problem, s."""

MAX_FILM_S = 6 * 3600.0
"""Longest film, s."""

PULSE_S = 1.2
"""Period of a pulse, s."""

SENSOR_PARTS = ("v", "a", "w", "z", "s")
FRAME_PARTS = ("x", "y", "z", "triad", "label", "link", "rings", "arcs", "stages", "trail")

WITH_SECOND_LINE = ("title", "lower third")
"""Kinds of texts that show a second line."""

T = TypeVar("T")
Item = tuple[str, str, str]
"""Kind and name of an item, and its part; empty for the whole item."""


@dataclass(frozen=True)
class Window:
    """Span of a shot, s, with the durations of the changes at its ends; None: open, without a change."""

    start: float | None
    end: float | None
    fade: float

    def share(self, elapsed: float) -> float:
        """Return 0 outside and 1 inside, and between them during the changes.

        >>> window = Window(1.0, 3.0, 0.5)
        >>> [window.share(t) for t in (0.9, 1.25, 2.0, 2.75, 3.1)]
        [0.0, 0.5, 1.0, 0.5, 0.0]
        >>> Window(None, None, 0.5).share(0.0), Window(1.0, None, 0.0).share(1.0)
        (1.0, 1.0)
        """
        fade = self.fade
        if self.start is not None and self.end is not None:
            fade = min(fade, 0.5 * (self.end - self.start))
        rise = 1.0 if self.start is None else _step(elapsed - self.start, fade)
        fall = 1.0 if self.end is None else _step(self.end - elapsed, fade)
        return min(rise, fall)


def _step(u: float, fade: float) -> float:
    return smooth(u / fade) if fade > 0.0 else float(u >= 0.0)


@dataclass(frozen=True)
class CompiledCue:
    """Look of items during a window of a shot."""

    look: CueLook
    items: tuple[Item, ...]
    window: Window
    opacity: float


@dataclass(frozen=True)
class CompiledStaging:
    """Rotation of a frame shown turn by turn: turns from and to, the times of each, s, and the axes."""

    frame: str
    axes: str
    pieces: tuple[tuple[float, float, float, float], ...]
    """Start and duration, s, first and last progress of each turn."""

    def progress(self, elapsed: float) -> float:
        """Return the number of turns so far."""
        progress = self.pieces[0][2] if self.pieces else 0.0
        for start, duration, first, last in self.pieces:
            if elapsed >= start:
                share = smooth((elapsed - start) / duration) if duration > 0.0 else 1.0
                progress = first + (last - first) * share
        return progress


@dataclass(frozen=True)
class CompiledCamera:
    """Camera of a shot in SI units.

    Attributes
    ----------
    authored
        The camera of the file; None for the scene's own.
    blend
        Duration of the blend from the camera before, s.
    pose
        Pose at the start of the shot; None for the scene's own camera.
    keys
        Times, s, poses and easings of a path.
    angle
        Angle of an orbit, rad.
    duration
        Duration of the motion, s.
    easing
        Course of an orbit or an approach.
    frame, turning
        Frame to follow, and whether the camera rotates with it.
    frames, distance
        Frames to approach, and the final distance relative to that at which they fill the picture.
    """

    authored: AnyShotCamera | None
    blend: float = 0.0
    pose: CameraPose | None = None
    keys: tuple[tuple[float, CameraPose, Easing], ...] = ()
    angle: float = 0.0
    duration: float = 0.0
    easing: Easing = "linear"
    frame: str = ""
    turning: bool = False
    frames: tuple[str, ...] = ()
    distance: float = 1.0

    @property
    def form(self) -> str:
        """Form of the camera, as in the file."""
        return "scene" if self.authored is None else self.authored.form


@dataclass(frozen=True)
class CompiledShot:
    """Shot of a film in seconds.

    Attributes
    ----------
    shot
        The shot of the file.
    first, count
        Number of its first frame, and of its frames.
    begin, duration
        Time of the film at which it begins, and its duration, s.
    start, end
        Time of the scene at its first instant and at the end of its motion, s.
    playing
        Duration of the motion, s.
    rests
        Whether the scene rests after the motion; otherwise it would continue.
    transition, fade_out
        Form and duration, s, of the transition from the shot before; duration of the fade to the next shot, s.
    """

    shot: Shot
    first: int
    count: int
    begin: float
    duration: float
    start: float
    end: float
    playing: float
    rests: bool
    transition: str
    transition_s: float
    fade_out: float
    camera: CompiledCamera
    cues: tuple[CompiledCue, ...]
    insets: tuple[tuple[Inset, Window], ...]
    texts: tuple[tuple[FilmText, Window], ...]
    staging: CompiledStaging | None
    card: EndCard | None = None

    def scene_time(self, elapsed: float, first: float, last: float) -> float:
        """Return the time of the scene `elapsed` seconds after the start of the shot, within `first` and `last`, s."""
        u = elapsed / self.playing if self.playing > 0.0 else 1.0
        share = eased(self.shot.easing, min(u, 1.0) if self.rests else u)
        return min(max(self.start + (self.end - self.start) * share, first), last)


@dataclass(frozen=True)
class CompiledFilm:
    """A film in seconds and frames.

    Attributes
    ----------
    name, film
        Name and film of the scene.
    fps
        Frames per second.
    shots
        The shots; the end card is the last of them.
    hidden
        Items that the view of the scene hides.
    start, end
        Time range of the scene, s.
    sound
        Name of the sound file; empty for none.
    """

    name: str
    film: Film
    fps: float
    shots: tuple[CompiledShot, ...]
    hidden: frozenset[tuple[str, str]]
    start: float
    end: float
    sound: str = ""

    @property
    def count(self) -> int:
        """Number of frames."""
        return self.shots[-1].first + self.shots[-1].count

    @property
    def duration(self) -> float:
        """Duration, s."""
        return self.count / self.fps

    def shot_at_frame(self, i: int) -> int:
        """Return the index of the shot that shows a frame."""
        return next(k for k in range(len(self.shots) - 1, -1, -1) if i >= self.shots[k].first or k == 0)

    @property
    def chapters(self) -> tuple[tuple[float, float, str], ...]:
        """Start and end, s, and title of each chapter: shots with a title, each with the untitled ones after it."""
        starts = [(shot.begin, " ".join(shot.shot.title.split())) for shot in self.shots if shot.shot.title.strip()]
        ends = [*(start for start, _ in starts), self.duration][1:]
        return tuple((start, end, title) for (start, title), end in zip(starts, ends, strict=True))

    @property
    def subtitles(self) -> tuple[tuple[float, float, str], ...]:
        """Start and end, s of the film, and text of each caption."""
        rows: list[tuple[float, float, str]] = []
        for shot in self.shots:
            for text, window in shot.texts:
                if text.form == "caption":
                    start = min(window.start or 0.0, shot.duration)
                    end = shot.duration if window.end is None else min(window.end, shot.duration)
                    if end > start:
                        rows.append((shot.begin + start, shot.begin + end, text.text))
        return tuple(sorted(rows))


def film_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the problems of the films of a scene."""
    for name in plan.scene.film:
        yield from compile_film(plan, name)[1]


def compile_film(plan: Plan, name: str, fps: float | None = None) -> tuple[CompiledFilm, tuple[Problem, ...]]:
    """Return a film of a scene at a frame rate, by default its own, and its problems; faulty parts are left out."""
    return _compile_film(plan, name, fps)


@lru_cache(maxsize=8)
def _compile_film(plan: Plan, name: str, fps: float | None) -> tuple[CompiledFilm, tuple[Problem, ...]]:
    film = plan.scene.film[name]
    compiler = _Compiler(plan, name)
    rate = fps or film.fps or FPS
    shots = compiler.shots(film, rate)
    sound = compiler.keep(("sound",), lambda: compiler.sound(film.sound))
    compiled = CompiledFilm(name, film, rate, shots, plan.view_data.hidden, plan.start, plan.end, sound or "")
    if compiled.duration > MAX_FILM_S:
        problem = ItemError(("shots",), f"expected at most {MAX_FILM_S / 3600.0:g} hours, got {compiled.duration:g} s.")
        add_problem(compiler.problems, ("film", name), problem)
    return compiled, tuple(compiler.problems)


class _Compiler:
    """Compiler of one film, with the problems that it has met."""

    def __init__(self, plan: Plan, name: str) -> None:
        self._plan, self._prefix = plan, ("film", name)
        self.problems: list[Problem] = []

    def keep(self, prefix: KeyPath, make: Callable[[], T]) -> T | None:
        """Return the made part; None after adding its problem."""
        try:
            return make()
        except ItemError as problem:
            add_problem(self.problems, (*self._prefix, *prefix), problem)
            return None

    def sound(self, name: str | None) -> str:
        """Return the name of the sound file; raise `ItemError` if it cannot be read."""
        if name is not None:
            resolve_named(name, self._plan.context.access, (), SOUND_FILES)
        return name or ""

    def shots(self, film: Film, fps: float) -> tuple[CompiledShot, ...]:
        """Return the shots, the end card as the last."""
        compiled: list[CompiledShot] = []
        for k, shot in enumerate(film.shots):
            compiled.append(self._shot(k, shot, compiled[-1] if compiled else None, fps))
        if film.end_card is not None:
            compiled.append(self._end_card(film.end_card, compiled[-1], fps))
        for k in range(1, len(compiled)):
            after = compiled[k]
            if after.transition == "fade":
                compiled[k - 1] = replace(compiled[k - 1], fade_out=0.5 * after.transition_s)
        return tuple(compiled)

    def _shot(self, k: int, shot: Shot, before: CompiledShot | None, fps: float) -> CompiledShot:
        place: KeyPath = ("shots", k)
        usual = (before.end if before is not None else self._plan.start, 0.0, SHOT_S, SHOT_S)
        times = self.keep(place, lambda: self._times(shot, usual[0]))
        start, end, playing, whole = times or (usual[0], usual[0], SHOT_S, SHOT_S)
        count, first = max(1, round(whole * fps)), 0 if before is None else before.first + before.count
        duration = count / fps
        form, transition_s = self._transition((*place, "transition"), shot.transition, duration, before)
        cues = tuple(self._cue((*place, "items", i), cue) for i, cue in enumerate(shot.items))
        camera = self.keep((*place, "camera"), lambda: self._camera(shot, cues, duration, before))
        staging = None
        if shot.staged is not None:
            staged = shot.staged
            staging = self.keep((*place, "staged"), lambda: self._staging(staged, start, playing))
        return CompiledShot(
            shot=shot,
            first=first,
            count=count,
            begin=first / fps,
            duration=duration,
            start=start,
            end=end,
            playing=playing,
            rests=shot.freeze is not None or start == end,
            transition=form,
            transition_s=transition_s,
            fade_out=0.0,
            camera=camera or CompiledCamera(None),
            cues=cues,
            insets=self._timed((*place, "insets"), shot.insets, self._check_inset),
            texts=self._timed((*place, "texts"), shot.texts, _check_text),
            staging=staging,
        )

    def _end_card(self, card: EndCard, before: CompiledShot, fps: float) -> CompiledShot:
        place: KeyPath = ("end_card",)
        seconds = self.keep(place, lambda: _positive(card.duration, ("duration",))) or SHOT_S
        count, first = max(1, round(seconds * fps)), before.first + before.count
        form, transition_s = self._transition((*place, "transition"), card.transition, count / fps, before)
        return CompiledShot(
            shot=Shot(),
            first=first,
            count=count,
            begin=first / fps,
            duration=count / fps,
            start=before.end,
            end=before.end,
            playing=0.0,
            rests=True,
            transition=form,
            transition_s=transition_s,
            fade_out=0.0,
            camera=CompiledCamera(None),
            cues=(),
            insets=(),
            texts=(),
            staging=None,
            card=card,
        )

    # --- the times

    def _times(self, shot: Shot, usual_start: float) -> tuple[float, float, float, float]:
        """Return start and end in the scene, duration of the motion and of the shot, s."""
        start = usual_start if shot.start is None else self._scene_time(shot.start, "start")
        freeze = 0.0 if shot.freeze is None else _not_negative(shot.freeze, ("freeze",))
        whole = None if shot.duration is None else _positive(shot.duration, ("duration",))
        if shot.speed is not None and not shot.speed > 0.0:
            raise ItemError(("speed",), f"expected more than zero, got {shot.speed:g}.")
        if whole is not None and freeze > whole:
            raise ItemError(("freeze",), f"expected at most the duration, {whole:g} s, got {freeze:g} s.")
        if shot.end is not None:
            end = self._scene_time(shot.end, "end")
            if whole is not None and shot.speed is not None:
                hint = "Leave out the duration, or the speed."
                raise ItemError(("speed",), "start, end and duration already give the speed.", hint)
            if end == start and whole is None and freeze == 0.0:
                raise ItemError(("duration",), "the scene rests, so the shot needs a duration.", "Add duration: 3 s.")
            if whole is None:
                playing = abs(end - start) / (shot.speed or 1.0)
                return start, end, playing, playing + freeze
            return start, end, whole - freeze, whole
        if whole is None:
            hint = "Add an end, such as end: 4 s, or a duration."
            raise ItemError(("end",), "the shot has neither an end nor a duration.", hint)
        if shot.speed is None:
            return start, start, whole - freeze, whole
        end = start + shot.speed * (whole - freeze)
        if end > self._plan.end + 1e-9:
            message = f"at this speed the shot ends at {end:g} s, after the scene, which ends at {self._plan.end:g} s."
            raise ItemError(("duration",), message, "Use a shorter duration, or a lower speed.")
        return start, end, whole - freeze, whole

    def _scene_time(self, time: Quantity, key: str) -> float:
        t, first, last = time.si("time", (key,)), self._plan.start, self._plan.end
        if not first <= t <= last:
            raise ItemError((key,), f"expected {first:g} to {last:g} s, the time of the scene, got {t:g} s.")
        return t

    def _transition(
        self, place: KeyPath, transition: Transition | None, duration: float, before: CompiledShot | None
    ) -> tuple[str, float]:
        if transition is None or transition.form == "cut":
            return "cut", 0.0
        seconds = self.keep(place, lambda: _not_negative(transition.duration, ("duration",))) or 0.0
        most = duration if before is None else min(duration, before.duration)
        if transition.form == "cross-fade" and before is None:
            return "fade", min(seconds, duration)
        return transition.form, min(seconds, most)

    # --- what is shown

    def _timed(
        self, place: KeyPath, parts: tuple[TimedT, ...], check: Callable[[TimedT], None]
    ) -> tuple[tuple[TimedT, Window], ...]:
        timed: list[tuple[TimedT, Window]] = []
        for i, part in enumerate(parts):

            def make(part: TimedT = part) -> tuple[TimedT, Window]:
                check(part)
                return part, _window(part)

            made = self.keep((*place, i), make)
            if made is not None:
                timed.append(made)
        return tuple(timed)

    def _cue(self, place: KeyPath, cue: Cue) -> CompiledCue:
        window = self.keep(place, lambda: _window(cue)) or Window(None, None, 0.0)
        items: list[Item] = []
        for kind in ITEM_KINDS:
            known = self._plan.index if kind == "frames" else getattr(self._plan.scene, kind)
            for i, name in enumerate(getattr(cue, kind)):
                if name not in known:
                    error = NoSuchNameError((kind, i), ITEM_WORDS[kind], name, known)
                    add_problem(self.problems, (*self._prefix, *place), error)
                    continue
                items += ((kind, name, part) for part in self._parts(place, kind, cue.parts) or ("",))
        if cue.parts and not items:
            message = "only frames and sensors have parts."
            add_problem(self.problems, (*self._prefix, *place), ItemError(("parts",), message, "Name one of them."))
        return CompiledCue(cue.look, tuple(items), window, cue.opacity)

    def _parts(self, place: KeyPath, kind: str, parts: tuple[str, ...]) -> tuple[str, ...]:
        known = {"frames": FRAME_PARTS, "sensors": SENSOR_PARTS}.get(kind, ())
        for i, part in enumerate(parts):
            if part not in known:
                message = f'a {ITEM_WORDS[kind]} has no part "{part}".'
                hint = did_you_mean(part, known) if known else "Leave out parts."
                add_problem(self.problems, (*self._prefix, *place), ItemError(("parts", i), message, hint))
        return tuple(part for part in parts if part in known)

    def _check_inset(self, inset: Inset) -> None:
        given = [key for key in ("plot", "curves", "answer", "panel") if getattr(inset, key) is not None]
        if len(given) != 1:
            message = f"expected one of plot, curves, answer and panel, got {' and '.join(given) or 'none'}."
            raise ItemError((), message, "An inset shows one of them.")
        if inset.panel is not None:
            self._check_panel(inset.panel, inset.of)
        if inset.plot is not None:
            titles = [plot.called for plot in self._plan.scene.view.plots]
            if i_plot_of(inset.plot, titles) is None:
                hint = did_you_mean(str(inset.plot), titles) if titles else "Add a plot to the view, or use curves."
                raise ItemError(("plot",), f'there is no plot "{inset.plot}".', hint)
        for key in ("curves", "answer"):
            signal = getattr(inset, key)
            if signal is not None:
                try:
                    compile_plot(signal, self._plan.scene, self._plan.index)
                except ItemError as error:
                    raise ItemError((key, *error.key_path), error.message, error.hint) from None

    def _check_panel(self, panel: str, frame: str | None) -> None:
        if why := missing_film_panel(panel):
            raise ItemError(("panel",), why, "Install it, or show something else.")
        if frame is None:
            raise ItemError(("of",), "a panel follows a frame.", "Name it in of.")
        self._require_frame(frame, ("of",))
        if frame == WORLD:
            raise ItemError(("of",), "world has no motion for a panel to show.", "Name another frame.")

    # --- camera and turns

    def _camera(
        self, shot: Shot, cues: tuple[CompiledCue, ...], duration: float, before: CompiledShot | None
    ) -> CompiledCamera:
        camera = shot.camera
        if camera is None:
            return CompiledCamera(None)
        blend = 0.0 if camera.blend is None else _not_negative(camera.blend, ("blend",))
        compiled = CompiledCamera(camera, min(blend, duration) if before is not None else 0.0)
        match camera:
            case PoseCamera():
                return replace(compiled, pose=_pose(camera, ()))
            case PathCamera():
                return replace(compiled, keys=_path(camera))
            case OrbitCamera():
                angle = camera.angle.si("angle", ("angle",))
                return replace(compiled, pose=_start(camera.pose), angle=angle, duration=duration, easing=camera.easing)
            case FollowCamera():
                self._require_frame(camera.frame, ("frame",))
                return replace(compiled, pose=_start(camera.pose), frame=camera.frame, turning=camera.turning)
            case DollyCamera():
                frames = camera.to or _lit_frames(cues, self._plan)
                for i, name in enumerate(frames):
                    self._require_frame(name, ("to", i))
                if not frames:
                    raise ItemError(("to",), "no frame is lit in this shot.", "Name the frames to approach.")
                seconds = duration if camera.duration is None else _positive(camera.duration, ("duration",))
                motion = replace(compiled, duration=seconds, easing=camera.easing)
                return replace(motion, pose=_start(camera.pose), frames=frames, distance=camera.distance)
            case _:
                return compiled

    def _require_frame(self, name: str, key_path: KeyPath) -> None:
        if name not in self._plan.index:
            raise NoSuchNameError(key_path, "frame", name, self._plan.index)

    def _staging(self, staged: StagedTurns, t: float, playing: float) -> CompiledStaging:
        self._require_frame(staged.frame, ("frame",))
        try:
            staged_rotation_of(self._plan, evaluate(self._plan, t), staged.frame)
        except ValueError as error:
            raise ItemError(("frame",), f"{error}.") from None
        pause, (first, last) = _not_negative(staged.pause, ("pause",)), staged.turns
        way = 1 if last >= first else -1
        inner = [float(n) for n in range(4) if min(first, last) < n < max(first, last)][::way]
        ends = [first, *inner, last]
        pause = min(pause, 0.5 * playing / max(len(inner), 1))
        turning = playing - pause * len(inner)
        pieces: list[tuple[float, float, float, float]] = []
        start = 0.0
        for a, b in pairwise(ends):
            seconds = turning * abs(b - a) / abs(last - first) if last != first else 0.0
            pieces.append((start, seconds, a, b))
            start += seconds + pause
        return CompiledStaging(staged.frame, staged.axes, tuple(pieces))


TimedT = TypeVar("TimedT", bound=Timed)


def i_plot_of(plot: str | int, titles: list[str]) -> int | None:
    """Return the index of a plot given by its title or its number; None if there is none.

    >>> i_plot_of(2, ["a", "b"]), i_plot_of("B", ["a", "b"]), i_plot_of("c", ["a", "b"])
    (1, 1, None)
    """
    if str(plot).strip().isdecimal() and 1 <= int(plot) <= len(titles):
        return int(plot) - 1
    words = str(plot).strip().casefold()
    return next((i for i, title in enumerate(titles) if title.casefold() == words), None)


def _window(timed: Cue | Timed) -> Window:
    start = None if timed.start is None else _not_negative(timed.start, ("start",))
    end = None if timed.end is None else _not_negative(timed.end, ("end",))
    if start is not None and end is not None and end < start:
        raise ItemError(("end",), f"{timed.end} is before its start, {timed.start}, so that it is never shown.")
    return Window(start, end, _not_negative(timed.fade, ("fade",)))


def _lit_frames(cues: tuple[CompiledCue, ...], plan: Plan) -> tuple[str, ...]:
    """Return the frames that are lit in a shot, and those of lit bodies, sensors and notes."""
    names: dict[str, None] = {}
    for cue in cues:
        if cue.look in ("lit", "pulse"):
            for kind, name, _ in cue.items:
                names[name if kind == "frames" else _frame_of(plan, kind, name)] = None
    return tuple(name for name in names if name)


def _frame_of(plan: Plan, kind: str, name: str) -> str:
    item = getattr(plan.scene, kind)[name]
    for key in ("frame", "frame_b", "frame_a", "of"):
        frame = getattr(item, key, None)
        if isinstance(frame, str):
            return frame
    return ""


def _start(pose: Camera | None) -> CameraPose | None:
    return None if pose is None else _pose(pose, ("pose",))


def _pose(camera: Camera, key_path: KeyPath) -> CameraPose:
    factor = unit_factor(camera.unit, "length", (*key_path, "unit"))
    angle = camera.view_angle.si("angle", (*key_path, "view_angle"))
    return checked_pose(camera.position, camera.focal_point, camera.up, factor, angle, key_path)


def _path(camera: PathCamera) -> tuple[tuple[float, CameraPose, Easing], ...]:
    factor = unit_factor(camera.unit, "length", ("unit",))
    keys: list[tuple[float, CameraPose, Easing]] = []
    for i, key in enumerate(camera.keys):
        time = _not_negative(key.time, ("keys", i, "time"))
        if keys and time <= keys[-1][0]:
            raise ItemError(("keys", i, "time"), f"{key.time} is not later than the key before it.")
        angle = key.view_angle.si("angle", ("keys", i, "view_angle"))
        pose = checked_pose(key.position, key.focal_point, key.up, factor, angle, ("keys", i))
        keys.append((time, pose, key.easing))
    return tuple(keys)


def _check_text(text: FilmText) -> None:
    if text.below and text.form not in WITH_SECOND_LINE:
        message = f"a {text.form} has no second line."
        raise ItemError(("below",), message, "Choose title or lower third as its kind, or leave it out.")


def _positive(time: Quantity, key_path: KeyPath) -> float:
    seconds = time.si("time", key_path)
    if not seconds > 0.0:
        raise ItemError(key_path, f"expected more than zero, got {time}.")
    return seconds


def _not_negative(time: Quantity, key_path: KeyPath) -> float:
    seconds = time.si("time", key_path)
    if not seconds >= 0.0:
        raise ItemError(key_path, f"expected zero or more, got {time}.")
    return seconds
