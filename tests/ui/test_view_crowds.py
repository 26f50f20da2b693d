"""Scenes of many frames: thin axes, names that never pile up, and axes of the selection that show through bodies."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from framescope.core.evaluation.compile.view_data import FULL_TRIADS
from framescope.core.scene.edits.axes import AXES_LOOKS, axes_look, next_axes_look, set_axes_look
from framescope.ui.scene_view.base.scene_options import SELECTED
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.visuals.axis_letters import AxisLetters
from framescope.ui.scene_view.visuals.frame_names import Labels
from framescope.ui.scene_view.visuals.selected_axes import SelectedAxes
from framescope.ui.scene_view.visuals.triads import SOFTWARE, Triads, arrow_template, sketch_template, template_for
from framescope.ui.theme.tokens import DARK
from tests.support.scenes import HEAD, scene_of
from tests.support.visuals import give, in_place, looks_outward, plan_of, points, tick_of


def robot(n_fingers: int = 5, n_links: int = 12) -> str:
    """Return a hand whose fingers bend with time."""
    frames = "  palm: {parent: world}\n"
    for finger in range(n_fingers):
        parent = "palm"
        for link in range(n_links):
            name = f"finger {finger} link {link}"
            place = [0.02, 0.025 * (finger - 2), 0.0] if parent == "palm" else [0.02, 0.0, 0.0]
            frames += (
                f"  {name}: {{parent: {parent}, position: {{value: {place}, unit: m}}, "
                f'orientation: {{form: axis, axis: y, angle: "4*t", unit: deg}}}}\n'
            )
            parent = name
    return HEAD + frames + "view: {triad_length: 0.03 m}\n"


def same_place(count: int) -> str:
    frames = "".join(f"  a frame of some length {i}: {{parent: world}}\n" for i in range(count))
    return f"{HEAD}{frames}"


def boxes(batch) -> list[tuple[float, float, float, float]]:
    corners = batch.corners()[..., :2]
    return [(*c.min(axis=0), *c.max(axis=0)) for c in corners if np.ptp(c[:, 0]) > 0]


def middle(box) -> tuple[float, float, float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, box[2] - box[0], box[3] - box[1]


def overlap(first, second) -> float:
    return min(min(first[2], second[2]) - max(first[0], second[0]), min(first[3], second[3]) - max(first[1], second[1]))


def drawn(text: str, t: float, eye, selected: str = "", size=(1000, 480)):
    """Return the visuals of names and letters of a scene, placed for a camera."""
    plan = plan_of(text)
    visuals, context = in_place([Labels, AxisLetters], plan)
    for visual in visuals:
        if selected:
            give(visual, SELECTED, selected)
        visual.show(tick_of(plan, t))
    projection = Projection(CameraState(eye, (0.1, 0.0, 0.0)), *size, 1.0)
    context.occupied.clear()
    for visual in visuals:
        visual.occupy(projection)
    for visual in visuals:
        visual.place(projection)
    return visuals


@pytest.mark.parametrize("t", [0.0, 2.0, 5.0])
@pytest.mark.parametrize("eye", [(0.3, -0.6, 0.3), (0.1, -0.2, 0.5), (2.0, -3.0, 1.0)])
@pytest.mark.parametrize("text", [robot(), robot(2, 4), same_place(12), same_place(30)], ids=["60", "8", "12", "30"])
def test_that_names_and_letters_never_lie_on_each_other(text, eye, t) -> None:
    labels, letters = drawn(text, t, eye)
    names, marks = boxes(labels.batch), boxes(letters.batch)
    assert names
    assert all(overlap(*pair) <= 1.0 for pair in combinations(names, 2))
    assert all(overlap(name, mark) <= 0.0 for name in names for mark in marks)
    cores = [(x - 0.3 * w, y - 0.3 * h, x + 0.3 * w, y + 0.3 * h) for x, y, w, h in map(middle, marks)]
    assert all(overlap(*pair) <= 1.0 for pair in combinations(cores, 2))  # pixels are whole


def test_that_the_selection_keeps_its_name_and_its_letters_in_a_crowd() -> None:
    name = "finger 3 link 7"
    labels, letters = drawn(robot(), 2.0, (0.3, -0.6, 0.3), name)
    assert labels.box_of(name) is not None
    assert labels.box_of("world") is not None
    crowd, _ = drawn(robot(2, 6), 2.0, (2.0, -3.0, 1.0), "finger 1 link 5")
    assert crowd.box_of("finger 1 link 5") is not None
    assert len(boxes(letters.batch)) >= 3


# --- Axes of all frames


def width(visual) -> float:
    """Return the reach of the drawn triads across the x axis of world, at the middle of its shaft."""
    at = points(visual.scene_actors[0])
    template = arrow_template(is_fine=True)
    first = at[: len(template.points)]
    return float(np.hypot(first[:, 1], first[:, 2])[template.axis_of == 0].max())


@pytest.mark.parametrize(
    ("n_frames", "view", "is_thin"),
    [
        (FULL_TRIADS - 1, "{}", False),  # the world has axes, too
        (FULL_TRIADS, "{}", True),
        (FULL_TRIADS, "{thin_triads: false}", False),
        (1, "{thin_triads: true}", True),
        (FULL_TRIADS + 5, "{triads: false, frames: {world: {triad: true}}}", False),
    ],
)
def test_that_axes_are_thin_among_many_frames_or_where_the_scene_says_so(n_frames, view, is_thin) -> None:
    frames = "".join(f"  f{i}: {{parent: world, position: {{value: [{i}, 0, 0], unit: m}}}}\n" for i in range(n_frames))
    plan = plan_of(f"{HEAD}{frames}view: {view}\n")
    assert plan.view_data.has_thin_triads is is_thin
    (triads,), _ = in_place([Triads], plan)
    triads.show(tick_of(plan))
    assert (width(triads) < 0.2 * 0.06) is is_thin


def test_that_thin_axes_are_as_long_keep_their_shapes_and_look_outward() -> None:
    for full, slim in (
        (arrow_template(is_fine=True), arrow_template(is_fine=True, is_thin=True)),
        (sketch_template(), sketch_template(is_thin=True)),
    ):
        assert full.points.shape == slim.points.shape
        for axis in range(3):
            tips = [template.points[template.axis_of == axis, axis].max() for template in (full, slim)]
            assert tips[0] == pytest.approx(1.0, abs=1e-9)
            assert tips[1] == pytest.approx(1.0, abs=1e-9)
    slim = arrow_template(is_fine=True, is_thin=True)
    assert looks_outward(slim.points, slim.cells, slim.normals)
    assert template_for(SOFTWARE.plain + 1, is_thin=True) is sketch_template(is_thin=True)


@pytest.mark.parametrize("look", AXES_LOOKS)
@pytest.mark.parametrize("before", ["{}", "{triads: false}", "{thin_triads: true}", "{thin_triads: false}"])
def test_that_one_edit_sets_the_axes_of_all_frames(look, before) -> None:
    scene = scene_of(f"framescope: 1\nview: {before}\n")
    after = set_axes_look(look).apply(scene)
    assert axes_look(after.view) == look
    assert set_axes_look(look).apply(after) == after


def test_that_the_key_goes_through_full_thin_and_off() -> None:
    scene, looks = scene_of("framescope: 1\n"), []
    for _ in range(4):
        is_thin = scene.view.thin_triads is True
        scene = set_axes_look(next_axes_look(scene.view, are_thin=is_thin)).apply(scene)
        looks.append(axes_look(scene.view))
    assert looks == ["thin", "off", "full", "thin"]


# --- Axes of the selection


def test_that_the_axes_of_the_selection_follow_it_and_are_full_among_thin_ones() -> None:
    plan = plan_of(robot())
    (axes,), _ = in_place([SelectedAxes], plan)
    pale, full = axes.scene_actors
    axes.show(tick_of(plan, 1.0))
    assert not pale.GetVisibility()
    give(axes, SELECTED, "finger 2 link 3")
    assert pale.GetVisibility()
    assert full.GetVisibility()
    row, snapshot = plan.index["finger 2 link 3"], tick_of(plan, 1.0).snapshot
    matrix = np.array([[pale.GetUserMatrix().GetElement(i, j) for j in range(4)] for i in range(3)])
    np.testing.assert_allclose(matrix[:, :3], 0.03 * snapshot.R_WF[row], atol=1e-12)
    np.testing.assert_allclose(matrix[:, 3], snapshot.p_WF[row], atol=1e-12)
    give(axes, SELECTED, None)
    assert not pale.GetVisibility()


def test_that_among_few_frames_only_the_pale_axes_are_added() -> None:
    (axes,), _ = in_place([SelectedAxes], plan_of(robot(1, 3)))
    assert len(axes.scene_actors) == 1


def test_that_a_frame_without_axes_shows_none() -> None:
    plan = plan_of(robot(1, 3).replace("view: {", "view: {frames: {palm: {triad: false}}, "))
    (axes,), _ = in_place([SelectedAxes], plan)
    axes.show(tick_of(plan))
    give(axes, SELECTED, "palm")
    assert not axes.scene_actors[0].GetVisibility()


def test_that_the_colours_of_the_axes_are_those_of_the_theme() -> None:
    (axes,), _ = in_place([SelectedAxes], plan_of(robot(1, 3)))
    colors = axes.scene_actors[0].GetMapper().GetInput().GetPointData().GetScalars()
    first = [colors.GetComponent(0, k) for k in range(3)]
    assert "#" + "".join(f"{round(value):02X}" for value in first) == DARK.axis_x


def test_that_axes_in_files_are_as_thin_as_in_the_window() -> None:
    def thickness(count: int) -> float:
        node = next(iter(in_place([Triads], plan_of(same_place(count)))[0][0].nodes()))
        along_x = node.shapes[0].points
        return float(np.linalg.norm(along_x[np.argmin(along_x[:, 0]), 1:]))

    full, thin = thickness(FULL_TRIADS - 1), thickness(FULL_TRIADS)  # the world has axes, too
    assert thin == pytest.approx(0.45 * full)
