"""Moments of films: times, blends, looks and problems, without drawing."""

from __future__ import annotations

import math

import numpy as np
import pytest
import yaml

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits.items import remove_items, rename_item
from framescope.core.scene.schema.films import Shot
from framescope.core.scene.schema.model import Scene
from framescope.features.films.app import scene_looks
from framescope.features.films.core.camera_poses import CameraPose, mix_poses
from framescope.features.films.core.compiled_film import CompiledFilm, compile_film, film_problems
from framescope.features.films.core.easing import eased
from framescope.features.films.core.moments import ItemLook, Moment, frame_moment, moment_at
from tests.support.hostile_texts import TEXT

SCENE = """\
framescope: 1
time: {end: 10 s}
frames:
  top: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["2*t", 0.4, 0.2], unit: rad}}
  arm: {parent: top, position: {value: [1, 0, 0], unit: m}}
bodies:
  ball: {frame: arm, shape: {form: sphere, radius: 10 cm}}
sensors:
  gyro: {form: absolute, frame_a: arm, get_w: true, arrows: {w: 0.1 m per rad/s}}
view:
  hidden: {bodies: [ball]}
  plots: [{signal: position, of: arm, relative_to: world, resolved_in: world, unit: m}]
film:
  f:
    fps: 10
    shots:
"""


def film_of(shots: str, more: str = "") -> tuple[CompiledFilm, list[str]]:
    indented = "\n".join(f"      {line}" for line in shots.strip("\n").splitlines())
    scene = Scene.model_validate(yaml.safe_load(SCENE + indented + "\n" + more))
    film, problems = compile_film(compile_plan(scene), "f")
    return film, [str(problem) for problem in problems]


def times(film: CompiledFilm) -> np.ndarray:
    return np.array([frame_moment(film, i).shot.t for i in range(film.count)])


def test_that_the_duration_is_the_sum_of_the_shots_and_the_end_card() -> None:
    film, problems = film_of(
        """
- {title: One, start: 1 s, end: 3 s}
- {end: 5 s, speed: 0.5, transition: {form: cross-fade, duration: 1 s}}
- {title: Two, duration: 3 s}
- {end: 4 s, duration: 2 s, freeze: 1 s}
""",
        "    end_card: {title: End, duration: 1.5 s}\n",
    )
    assert problems == []
    assert [shot.count for shot in film.shots] == [20, 40, 30, 20, 15]
    assert film.duration == 12.5
    assert film.chapters == ((0.0, 6.0, "One"), (6.0, 12.5, "Two"))
    assert [shot.start for shot in film.shots] == [1.0, 3.0, 5.0, 5.0, 4.0]


def test_that_the_scene_plays_at_the_speed_rests_and_goes_backward() -> None:
    film, problems = film_of(
        "- {start: 2 s, end: 4 s, speed: 2}\n- {duration: 1 s}\n- {end: 2 s, duration: 1 s, freeze: 0.5 s}"
    )
    assert problems == []
    t = times(film)
    np.testing.assert_allclose(t[:10], 2.0 + 0.2 * np.arange(10), atol=1e-12)
    np.testing.assert_array_equal(t[10:20], 4.0)
    np.testing.assert_allclose(t[20:25], 4.0 - 0.4 * np.arange(5), atol=1e-12)
    np.testing.assert_array_equal(t[25:], 2.0)


@pytest.mark.parametrize("easing", ["linear", "ease in", "ease out", "ease in and out"])
def test_that_an_easing_reaches_its_ends_and_its_speed_is_the_integral_of_the_way(easing) -> None:
    u = np.linspace(0.0, 1.0, 20001)
    way = np.array([eased(easing, value) for value in u])
    assert (way[0], way[-1]) == (0.0, 1.0)
    assert (np.diff(way) >= 0.0).all()
    speed = np.gradient(way, u)
    assert np.trapezoid(speed, u) == pytest.approx(1.0, abs=1e-6)
    ends = [eased(easing, 1.0 + h) - eased(easing, 1.0) for h in (1e-6, -1e-6)]
    assert ends[0] == pytest.approx(-ends[1], abs=1e-11)  # no jolt where a shot continues under a cross-fade


def test_that_a_cross_fade_shows_both_shots_which_continue() -> None:
    film, _ = film_of(
        "- {start: 0 s, end: 2 s}\n- {start: 5 s, end: 7 s, transition: {form: cross-fade, duration: 1 s}}"
    )
    shares = [frame_moment(film, i).share for i in range(20, 31)]
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    assert shares[5] == 0.5
    moment = frame_moment(film, 25)
    assert moment.before is not None
    assert moment.before.t == pytest.approx(2.5)
    assert moment.shot.t == pytest.approx(5.5)
    assert frame_moment(film, 30).before is None


def test_that_a_fade_covers_the_picture_at_the_cut_and_nothing_else() -> None:
    film, _ = film_of("- {start: 0 s, end: 2 s}\n- {end: 4 s, transition: {form: fade, duration: 1 s}}")
    covers = [frame_moment(film, i).cover for i in range(film.count)]
    assert covers[20] == 1.0
    assert covers[:15] == [0.0] * 15
    assert covers[25:] == [0.0] * 15
    assert covers[17] == pytest.approx(covers[23], abs=1e-9)


def test_that_a_camera_blends_from_the_one_before() -> None:
    film, problems = film_of(
        """
- {duration: 1 s, camera: {form: pose, position: [4, 0, 0], focal_point: [0, 0, 0], unit: m}}
- {duration: 2 s, camera: {form: orbit, angle: 90 deg, blend: 1 s}}
"""
    )
    assert problems == []
    cameras = [frame_moment(film, i).shot.camera for i in range(10, 30)]
    assert cameras[0].share == 0.0
    assert cameras[0].before is not None
    assert cameras[0].before.shot == 0
    assert cameras[10].share == 1.0
    assert cameras[10].before is None


@pytest.mark.long
def test_that_cameras_on_the_way_keep_distance_and_direction_continuous() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        a, b = (
            CameraPose(tuple(rng.normal(size=3) * 5), tuple(rng.normal(size=3)), (0, 0, 1), rng.uniform(0.2, 1))
            for _ in "ab"
        )
        assert mix_poses(a, b, 0.0) == a
        assert mix_poses(a, b, 1.0) == b
        way = [mix_poses(a, b, share) for share in np.linspace(0.0, 1.0, 401)]
        steps = np.linalg.norm(np.diff([pose.position for pose in way], axis=0), axis=1)
        assert steps.max() < 0.1 * (steps.sum() + 1e-9)
        middle = math.dist(way[200].position, way[200].focal_point)
        ends = math.dist(a.position, a.focal_point) * math.dist(b.position, b.focal_point)
        assert middle == pytest.approx(math.sqrt(ends))


def looks(film: CompiledFilm, t: float) -> dict[tuple[str, str, str], ItemLook]:
    return {look.item: look for look in moment_at(film, t).shot.looks}


def test_that_items_fade_light_up_pulse_and_grow() -> None:
    film, problems = film_of(
        """
- duration: 5 s
  items:
    - {look: shown, bodies: [ball], start: 1 s, end: 4 s, fade: 1 s}
    - {look: faint, frames: [top], opacity: 0.2, start: 1 s, fade: 1 s}
    - {look: lit, frames: [arm], parts: [x, z], start: 2 s}
    - {look: pulse, frames: [arm], parts: [label]}
    - {look: drawn on, sensors: [gyro], parts: [w], start: 1 s, fade: 2 s}
"""
    )
    assert problems == []
    ball, top, x = ("bodies", "ball", ""), ("frames", "top", ""), ("frames", "arm", "x")
    label, gyro = ("frames", "arm", "label"), ("sensors", "gyro", "w")
    assert ball not in looks(film, 0.5)  # hidden by the view
    assert looks(film, 1.5)[ball].opacity == 0.5
    assert looks(film, 2.5)[ball].opacity == 1.0
    assert looks(film, 3.5)[ball].opacity == pytest.approx(0.5)
    assert looks(film, 1.5)[top].opacity == pytest.approx(0.6)
    assert looks(film, 4.9)[top].opacity == pytest.approx(0.2)
    assert x not in looks(film, 1.9)
    assert looks(film, 3.0)[x].light == 1.0
    assert looks(film, 0.6)[label].glow == pytest.approx(1.0)
    assert label not in looks(film, 0.0)
    assert looks(film, 0.5)[gyro].opacity == 0.0
    assert looks(film, 2.0)[gyro] == ItemLook(gyro, 1.0, 0.0, 0.5)
    assert gyro not in looks(film, 4.0)


def test_that_turns_come_one_after_another_with_a_rest_between_them() -> None:
    film, problems = film_of("- {duration: 8 s, speed: 0.001, staged: {frame: top, pause: 1 s}}")
    assert problems == []
    progress = {t: moment_at(film, t).shot.turns for t in (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.9)}
    assert progress[0.0] == 0.0
    assert progress[1.0] == pytest.approx(0.5)
    assert progress[2.0] == progress[3.0] == pytest.approx(1.0)
    assert progress[5.0] == progress[6.0] == pytest.approx(2.0)
    assert progress[7.9] == pytest.approx(3.0, abs=0.02)


def test_that_moments_of_a_shot_do_not_depend_on_its_place_in_the_film() -> None:
    shot = "- {start: 1 s, end: 4 s, easing: ease in, items: [{look: lit, frames: [arm], start: 1 s}]}"
    alone, _ = film_of(shot)
    later, _ = film_of("- {duration: 7.3 s}\n" + shot)
    offset = later.shots[1].first
    for i in range(alone.count):
        a, b = frame_moment(alone, i).shot, frame_moment(later, offset + i).shot
        assert (a.t, a.elapsed, a.looks) == (b.t, b.elapsed, b.looks)


def test_that_captions_are_subtitles_at_times_of_the_film() -> None:
    film, _ = film_of(
        """
- {duration: 2 s}
- {duration: 3 s, texts: [{form: caption, text: One, start: 1 s, end: 9 s}, {form: title, text: Two}]}
""",
        "    subtitles: {burnt: true}\n",
    )
    assert film.subtitles == ((3.0, 5.0, "One"),)


KEY = "{time: 1 s, position: [1, 0, 0], focal_point: [0, 0, 0]}"
PROBLEMS = {
    "no such frame": (
        "- {duration: 1 s, items: [{look: lit, frames: [topp]}]}",
        "items[0].frames[0]",
        'Did you mean "top"?',
    ),
    "no such body": ("- {duration: 1 s, items: [{look: lit, bodies: [bal]}]}", "items[0].bodies[0]", '"ball"'),
    "part of no frame": ("- {duration: 1 s, items: [{look: lit, frames: [top], parts: [w]}]}", "parts[0]", "no part"),
    "no such plot": ("- {duration: 1 s, insets: [{plot: Posision}]}", "insets[0].plot", '"Position"'),
    "two contents": (
        "- {duration: 1 s, insets: [{plot: 1, answer: {signal: energy, unit: J}}]}",
        "insets[0]",
        "one of",
    ),
    "panel without a frame": ("- {duration: 1 s, insets: [{panel: gimbal}]}", "insets[0].of", "follows a frame"),
    "panel of world": (
        "- {duration: 1 s, insets: [{panel: gimbal, of: world}]}",
        "insets[0].of",
        "world has no motion",
    ),
    "panel of no frame": ("- {duration: 1 s, insets: [{panel: gimbal, of: amr}]}", "insets[0].of", '"amr"'),
    "no content": ("- {duration: 1 s, insets: [{place: top}]}", "insets[0]", "one of"),
    "no times": ("- {title: x}", "shots[0].end", "neither an end nor a duration"),
    "both": ("- {end: 2 s, speed: 2, duration: 3 s}", "speed", "already give the speed"),
    "outside": ("- {end: 20 s}", "shots[0].end", "0 to 10 s"),
    "too fast": ("- {start: 5 s, speed: 10, duration: 3 s}", "duration", "after the scene"),
    "no unit": ("- {duration: 3}", "duration", "unit"),
    "zero": ("- {duration: 0 s}", "duration", "more than zero"),
    "rests": ("- {start: 1 s, end: 1 s}", "duration", "needs a duration"),
    "follow": ("- {duration: 1 s, camera: {form: follow, frame: topp}}", "camera.frame", '"top"'),
    "dolly": ("- {duration: 1 s, camera: {form: dolly}}", "camera.to", "no frame is lit"),
    "path": (
        f"- {{duration: 1 s, camera: {{form: path, unit: m, keys: [{KEY}, {KEY}]}}}}",
        "keys[1].time",
        "not later",
    ),
    "camera": (
        "- {duration: 1 s, camera: {form: pose, unit: m, position: [0, 0, 1], focal_point: [0, 0, 0]}}",
        "camera",
        "up",
    ),
    "backward": ("- {duration: 1 s, texts: [{text: a, start: 2 s, end: 1 s}]}", "texts[0].end", "before its start"),
    "staged": ("- {duration: 1 s, staged: {frame: topp}}", "staged.frame", '"top"'),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_that_a_fault_is_a_problem_with_its_place_and_the_rest_works(name) -> None:
    shots, place, words = PROBLEMS[name]
    film, problems = film_of(shots)
    assert len(problems) == 1
    assert problems[0].startswith("film.f.shots[0]")
    assert place in problems[0]
    assert words in problems[0]
    assert isinstance(frame_moment(film, 0), Moment)


def test_that_a_missing_or_strange_sound_is_a_problem() -> None:
    for name, words in (("no.wav", "beside the scene"), ("../x.wav", "outside"), ("a.exe", "extension")):
        _, problems = film_of("- {duration: 1 s}", f"    sound: {name}\n")
        assert len(problems) == 1
        assert words in problems[0] or "Save the scene" in problems[0]


def test_that_hundreds_of_shots_and_hostile_texts_are_films() -> None:
    film, problems = film_of("\n".join("- {duration: 0.1 s}" for _ in range(200)))
    assert (film.count, problems) == (200, [])
    scene = Scene.model_validate(yaml.safe_load(SCENE + "      - {duration: 1 s}\n"))
    for text in (TEXT, "a\x00b", "\u202e", " ", "x" * 2000, "-->"):
        caption = {"text": text, "form": "caption"}
        shot = Shot.model_validate({"duration": "1 s", "title": text, "texts": [caption]})
        film = scene.film["f"].model_copy(update={"shots": (shot,)})
        plan = compile_plan(scene.model_copy(update={"film": scene.film | {"f": film}}))
        assert list(film_problems(plan)) == []
        compiled, _ = compile_film(plan, "f")
        assert all("\n" not in title for _, _, title in compiled.chapters)


def test_that_renaming_and_deleting_items_keeps_films_whole() -> None:
    text = (
        SCENE
        + """\
      - duration: 1 s
        camera: {form: follow, frame: arm}
        items: [{look: lit, frames: [arm, top], sensors: [gyro]}]
        insets: [{answer: {signal: position, of: arm, relative_to: world, resolved_in: world, unit: m}}]
        staged: {frame: arm}
      - {duration: 1 s, camera: {form: dolly, to: [arm, top]}}
"""
    )
    scene = Scene.model_validate(yaml.safe_load(text))
    renamed = rename_item(scene, "frames", "arm", "boom").apply(scene)
    shot = renamed.film["f"].shots[0]
    assert (shot.camera.frame, shot.insets[0].answer.of, shot.staged.frame) == ("boom", "boom", "boom")
    assert shot.items[0].frames == ("boom", "top")
    assert list(film_problems(compile_plan(renamed))) == []
    fewer = remove_items(scene, [("frames", "arm")]).apply(scene)
    shot = fewer.film["f"].shots[0]
    assert (shot.camera, shot.items[0].frames, shot.staged) == (None, ("top",), None)
    assert fewer.film["f"].shots[1].camera.to == ("top",)


@pytest.mark.parametrize(
    ("item", "opacity"),
    [
        ("frames: [arm]", scene_looks.DIMMED),
        ("bodies: [ball]", 1.0),
        ("frames: [arm], parts: [x]", 1.0),
    ],
)
def test_that_the_scene_of_the_window_dims_what_the_film_dims(item: str, opacity: float) -> None:
    """A lit frame lights what is drawn of it, not the bodies on it; an axis is lit by the light of the window."""
    shot = f"- {{duration: 1 s, items: [{{look: shown, bodies: [ball]}}, {{look: lit, {item}}}]}}"
    film, problems = film_of(shot)
    assert problems == []
    look = scene_looks.look_of(
        compile_plan(Scene.model_validate(yaml.safe_load(SCENE + "      - {duration: 1 s}"))),
        film,
        frame_moment(film, 9).shot,
    )
    assert dict(look.opacities).get("ball", 1.0) == pytest.approx(opacity, abs=0.5 / scene_looks.STEPS)
