"""What a scene leaves behind in the window when another one is opened: no zoom of a plot, no empty dock."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from framescope.app.session.scene_lookup import example_path
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from framescope.features.lessons.app.lesson_entry import lesson_player
from framescope.features.lessons.app.lesson_lookup import find_lesson
from tests.support.whole import REST, write_rest
from tests.support.whole_window import wait_for

pytestmark = pytest.mark.usefixtures("dark")

PLOTTED = """\
framescope: 1
title: {title}
time: {{start: 0 s, end: {end} s}}
frames: {{arm: {{parent: world, orientation: {{form: axis, axis: z, angle: "{amplitude}*sin(t)", unit: deg}}}}}}
view: {{plots: [{{signal: angles, of: arm, relative_to: world, sequence: ZYX, unit: deg}}]}}
"""


def plotted(folder: Path, title: str, end: float, amplitude: float) -> Path:
    path = folder / f"{title}.yaml"
    path.write_text(PLOTTED.format(title=title, end=end, amplitude=amplitude))
    return path


def settle(wiring) -> None:
    QApplication.processEvents()
    QApplication.processEvents()


def zoom_and_hide(wiring) -> None:
    """Look closer at a plot along both axes, and hide a curve of it."""
    plot = wiring.window.plots.plots[0]
    plot.canvas.zoom_t(4.0)
    plot.canvas.zoom_y(2.0)
    plot.toggle_curve(0)
    settle(wiring)
    assert plot.canvas.t_view is not None
    assert plot.canvas.y_view is not None
    assert plot.hidden


def assert_shows_all(wiring) -> None:
    plan, panel = wiring.session.plan, wiring.window.plots
    assert panel.t_view is None
    for plot in panel.plots:
        if plot.curves is None:
            continue
        assert plot.canvas.ranges[0] == pytest.approx((plan.start, plan.end), abs=0.05 * (plan.end - plan.start))
        assert plot.canvas.y_view is None
        assert not plot.hidden


def test_that_another_scene_is_plotted_whole_with_other_times_or_the_same_plots(open_window, tmp_path) -> None:
    wiring = open_window(plotted(tmp_path, "first", 10, 30))
    for title, end in (("longer", 20), ("alike", 10), ("shorter", 4)):
        zoom_and_hide(wiring)
        wiring.open(plotted(tmp_path, title, end, 300))
        wait_for(lambda title=title: wiring.session.plan.scene.title == title)
        settle(wiring)
        assert_shows_all(wiring)


def test_that_a_lesson_is_plotted_whole_at_each_step(open_window) -> None:
    wiring = open_window(example_path("drift"))
    zoom_and_hide(wiring)
    lesson_player(wiring).open(find_lesson("8-what-a-gyroscope-integrates"))
    wait_for(lambda: lesson_player(wiring).is_on)
    for i in range(len(lesson_player(wiring).read.stagings)):
        lesson_player(wiring).go(i)
        settle(wiring)
        assert_shows_all(wiring)
        if wiring.window.plots.plots[0].curves is not None and wiring.window.has_dock("plots"):
            wiring.window.plots.plots[0].canvas.zoom_t(4.0)
    lesson_player(wiring).leave()
    settle(wiring)
    assert_shows_all(wiring)


# Docks


@pytest.fixture
def robot(tmp_path) -> Path:
    return write_rest(tmp_path, REST)


def shown(wiring) -> set[str]:
    return {name for name in ("recording", "joints") if wiring.window.has_dock(name)}


def test_that_docks_go_with_their_data_and_come_back_with_them(open_window, robot) -> None:
    wiring = open_window(robot)
    for name in ("recording", "joints"):
        wiring.window.show_dock(name)
    wiring.open(example_path("gimbal-lock"))
    assert shown(wiring) == set()
    wiring.window.set_place("Learn")
    assert shown(wiring) == set()
    wiring.window.set_place("Build")
    wiring.open(example_path("recorded-camera"))
    assert shown(wiring) == {"recording"}
    wiring.open(robot)
    assert shown(wiring) == {"recording", "joints"}


def test_that_a_dock_which_was_closed_by_hand_stays_closed_and_one_that_was_asked_for_is_shown(open_window, robot):
    wiring = open_window(robot)
    wiring.window.show_dock("joints")
    wiring.window.hide_dock("joints")
    wiring.open(example_path("gimbal-lock"))
    wiring.open(robot)
    assert shown(wiring) == set()
    wiring.open(example_path("gimbal-lock"))
    wiring.window.show_dock("joints")  # by the menu: it says that there are none
    wiring.session.new()
    assert shown(wiring) == set()


def test_that_docks_are_gone_at_the_next_start_on_a_scene_without_their_data(open_window, robot) -> None:
    wiring = open_window(robot)
    for name in ("recording", "joints"):
        wiring.window.show_dock(name)
    wiring.session.document.is_handed_back = True
    wiring.window.close()
    again = open_window(example_path("gimbal-lock"))
    assert shown(again) == set()
    again.session.document.is_handed_back = True
    again.window.close()
    wiring = open_window(robot)
    assert shown(wiring) == set()


def test_that_docks_that_went_for_a_lesson_are_as_before_after_it(open_window, robot) -> None:
    wiring = open_window(robot)
    wiring.window.show_dock("joints")
    lesson_player(wiring).open(find_lesson("8-what-a-gyroscope-integrates"))
    wait_for(lambda: lesson_player(wiring).is_on)
    assert shown(wiring) == set()
    lesson_player(wiring).leave()
    settle(wiring)
    assert shown(wiring) == {"joints"}


def test_that_the_scenes_here_have_what_they_are_here_for(robot) -> None:
    from framescope.features.bags.core.recorded_frames import has_recordings
    from framescope.features.robots.core.scene_joints import has_joints

    assert has_joints(load_scene(robot).scene)
    assert has_recordings(load_scene(robot).scene)
    assert not has_joints(Scene())
    assert not has_recordings(Scene())
