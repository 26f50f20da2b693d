"""A new motion, orientation form, shape and element: a model, its descriptor, and one line that registers it."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from framescope import assets
from framescope.core import conventions
from framescope.core import scene as scene_package
from framescope.core.errors import RefusedError
from framescope.core.evaluation.compile import motions, orientations, simulated_elements
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.local_motion import LocalMotion, MotionContext, Sample
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.motion_kind import set_motion
from framescope.core.scene.edits.new_items import add_item, templates
from framescope.core.scene.edits.orientation import convert_form, orient_frame, why_read_only
from framescope.core.scene.edits.pose import Moment, turn_frame
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.referenced_files import named_files, renamed_files
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.base import Item, Vector3
from framescope.core.scene.schema.bodies import Shape
from framescope.core.scene.schema.kinds.elements import ELEMENT_KINDS, ElementKind
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS, MotionKind
from framescope.core.scene.schema.kinds.orientations import ORIENTATION_KINDS, Now, OrientationKind, Still, conversions
from framescope.core.scene.schema.kinds.shapes import SHAPE_KINDS, ShapeKind
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Motion
from framescope.core.scene.schema.points import Element, JoiningElement
from framescope.core.scene.schema.poses import OrientationForm
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.references import owner_of, references
from framescope.core.simulation.system import Spring
from framescope.ui.formatting import item_names
from framescope.ui.panels.inspector.editors.fields import forms_in
from framescope.ui.panels.inspector.editors.form import FormsEditor
from framescope.ui.panels.inspector.inspector import Inspector
from framescope.ui.panels.orientation.form_names import authored_text
from framescope.ui.panels.outline.actions import OutlineActions
from framescope.ui.panels.outline.rows import look_of
from framescope.ui.scene_view.base.pick_ray import PickRay
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.geometry.lathe_meshes import cone
from framescope.ui.scene_view.visuals.bodies import SHAPE_DRAWINGS, Bodies, ShapeDrawing
from tests.support.toy_kinds import registered
from tests.support.visuals import built, tick_of

TEXT = """\
framescope: 1
title: Toys
time: {start: 0 s, end: 4 s}
frames:
  moon: {parent: world, motion: {form: circling, radius: 2 m, course: moon.txt}}
  tilted: {parent: world, orientation: {form: vector, value: [0, 0, 1]}}
  buoy: {parent: world, motion: {form: simulated, model: finite}}
bodies:
  hat: {frame: moon, shape: {form: tent, radius: 50 cm, height: 1 m}}
  hull: {frame: buoy, shape: {form: box, size: [1, 1, 1], unit: m}, mass: 2 kg, inertia: uniform}
points:
  keel: {body: hull, kind: XYZ, offset: {value: [0, 0, 1], unit: m}}
elements:
  mooring: {form: rope, point: keel, stiffness: 50 N/m}
"""

NOW = Moment(0.0, 0.0, np.eye(3), np.zeros(3))


# --- A motion


class Circling(Item):
    """Round the origin of the parent, a radian a second."""

    form: Literal["circling"] = "circling"
    radius: Quantity
    course: str | None = None


def circling(motion: Circling, _context: MotionContext) -> LocalMotion:
    """Make it."""
    radius = motion.radius.si("length", ("motion", "radius"))

    def sample(t: Array) -> Sample:
        p = radius * np.stack([np.cos(t), np.sin(t), 0.0 * t], axis=-1)
        v = radius * np.stack([-np.sin(t), np.cos(t), 0.0 * t], axis=-1)
        return Sample(np.broadcast_to(np.eye(3), (len(t), 3, 3)), p, 0.0 * p, v, 0.0 * p, -p)

    return LocalMotion(sample, is_constant=False)


CIRCLING = MotionKind(
    model=Circling, text=lambda motion: f"circling at {motion.radius}", start={"radius": "1 m"}, files=("course",)
)


# --- An orientation form


class RotationVector(Item):
    """Axis times angle, rad."""

    form: Literal["vector"] = "vector"
    value: Vector3


def _with_matrix(form: RotationVector, T: Array, now: Now) -> RotationVector:
    return form.model_copy(update={"value": now.digits.of_numbers(conventions.rotation_vector_from_T(T))})


VECTOR = OrientationKind(
    model=RotationVector,
    word=lambda _form: "vector",
    text=lambda _form: "rotation vector",
    start={"value": (0, 0, 0)},
    still=lambda form: Still(conventions.T_from_rotation_vector(form.value)),
    with_matrix=_with_matrix,
    conversions={"vector": "Rotation vector"},
)


# --- A shape


class Tent(Item):
    """A pyramid on six sides, its base at the origin."""

    form: Literal["tent"] = "tent"
    radius: Quantity
    height: Quantity


TENT = ShapeKind(
    model=Tent, title="Tent", start={"radius": "1 m", "height": "1 m"}, shares={"radius": 1.0, "height": 2.0}
)
TENT_DRAWING = ShapeDrawing(lambda body: cone(body.size["radius"], 0.0, body.size["height"], 6))


# --- An element


class Rope(JoiningElement):
    """A spring of hemp, which takes energy off."""

    form: Literal["rope"] = "rope"
    stiffness: Quantity


def rope(element: Rope, name: str, n: int, _context: MotionContext) -> Spring:
    """Make it."""
    k = element.stiffness.si("stiffness", ("stiffness",))
    return Spring(name, element.point, element.to, np.full(n, k), np.full(n, 0.1 * k))


ROPE = ElementKind(model=Rope, icon="link", titles={"rope": "Rope"}, start={"stiffness": "10 N/m"})


@pytest.fixture
def toys():
    with registered(
        (MOTION_KINDS, CIRCLING, (motions.COMPILERS, Circling, circling)),
        (ORIENTATION_KINDS, VECTOR),
        (SHAPE_KINDS, TENT, (SHAPE_DRAWINGS, "tent", TENT_DRAWING)),
        (ELEMENT_KINDS, ROPE, (simulated_elements.COMPILERS, Rope, rope)),
    ):
        yield parse_scene(TEXT)[0]


def test_that_toys_are_read_and_written_again(toys: Scene) -> None:
    assert isinstance(toys.frames["moon"].motion, Circling)
    assert isinstance(toys.frames["tilted"].orientation, RotationVector)
    assert isinstance(toys.bodies["hat"].shape, Tent)
    assert isinstance(toys.elements["mooring"], Rope)
    assert parse_scene(scene_text(toys))[0] == toys
    assert named_files(toys) == ("moon.txt",)
    assert named_files(renamed_files(toys, {"moon.txt": "sun.txt"})) == ("sun.txt",)
    assert owner_of(toys.elements["mooring"]) == ("points", "keel")
    assert set(references(toys.elements["mooring"])) == {("points", "keel")}


@pytest.mark.parametrize(
    ("kinds", "union"),
    [
        (MOTION_KINDS, Motion),
        (ORIENTATION_KINDS, OrientationForm),
        (SHAPE_KINDS, Shape),
        (ELEMENT_KINDS, Element),
    ],
)
def test_that_each_model_of_a_union_has_its_kind(kinds, union) -> None:
    models = [model for _, model in forms_in(union)]
    assert set(kinds.by_model) == set(models)
    assert {kinds.named(model.model_fields["form"].default).model for model in models} == set(models)


def test_that_each_kind_can_be_written_in_code_found_and_looked_up() -> None:
    kinds = (*SHAPE_KINDS, *ELEMENT_KINDS, *ORIENTATION_KINDS, *MOTION_KINDS)
    here = {kind.model.__name__ for kind in kinds if kind.model.__module__.startswith("framescope.")}
    assert here <= set(scene_package.__all__), "name it in core/scene/__init__.py"
    manual = assets.path("manual/scene-file.md").read_text(encoding="utf-8")
    forms = [kind.form for kind in (*SHAPE_KINDS, *ELEMENT_KINDS) if kind.model.__module__.startswith("framescope.")]
    assert [form for form in forms if form not in manual] == [], "say it in assets/manual/scene-file.md"


def test_that_each_kind_is_drawn_or_made() -> None:
    assert {kind.form for kind in SHAPE_KINDS} == set(SHAPE_DRAWINGS)
    assert set(ELEMENT_KINDS.by_model) == set(simulated_elements.COMPILERS)
    assert {kind.model for kind in ORIENTATION_KINDS if kind.still is None} == set(orientations.COMPILERS)
    assert {kind.model for kind in MOTION_KINDS if kind.gives_pose} == set(motions.COMPILERS)


def test_that_toys_are_no_forms_where_they_are_not_registered() -> None:
    with pytest.raises(Exception, match="no form here"):
        parse_scene(TEXT)


def test_that_toys_are_compiled_and_evaluated(toys: Scene) -> None:
    plan = compile_plan(toys)
    assert not [problem for problem in plan.problems if problem.severity == "red"]
    snapshot = evaluate(plan, np.array([0.0, np.pi / 2]))
    np.testing.assert_allclose(snapshot.p_WF[:, snapshot.index["moon"]], [(2, 0, 0), (0, 2, 0)], atol=1e-12)
    T = conventions.T_from_rotation_vector((0, 0, 1))
    np.testing.assert_allclose(snapshot.R_WF[0, snapshot.index["tilted"]], T.T, atol=1e-12)
    simulation = plan.instruments.simulation
    assert simulation is not None
    assert [type(element) for element in simulation.system.elements] == [Spring]


def test_that_toys_are_described_and_listed(toys: Scene, qapp) -> None:
    moon, tilted = toys.frames["moon"], toys.frames["tilted"]
    assert (item_names.frame_kind(moon), item_names.motion_text(moon)) == ("circling", "circling at 2 m")
    assert (item_names.frame_kind(tilted), authored_text(tilted)) == ("vector", "rotation vector")
    assert look_of(toys, ("bodies", "hat")) == ("box", "tent")
    assert look_of(toys, ("elements", "mooring")) == ("link", "rope")
    assert {"tent", "rope"} < templates().keys()
    assert "vector" in conversions()
    from PySide6.QtWidgets import QWidget

    owner = QWidget()
    assert {"tent", "rope"} < OutlineActions(owner).insert.keys()
    owner.deleteLater()


def test_that_toys_are_edited(toys: Scene) -> None:
    assert why_read_only(toys, "moon", NOW)
    with pytest.raises(RefusedError):
        turn_frame("moon", np.array([0.0, 0.0, 1.0]), 0.5, NOW, "").apply(toys)
    T = conventions.T_from_rotation_vector((0, 0, 1))
    now = Moment(0.0, 0.0, T, np.zeros(3))
    turned = turn_frame("tilted", np.array([0.0, 0.0, 1.0]), 0.5, now, "").apply(toys)
    assert turned.frames["tilted"].orientation.value == pytest.approx((0.0, 0.0, 1.5))
    back = orient_frame("tilted", np.eye(3), now, "").apply(toys)
    assert back.frames["tilted"].orientation == RotationVector(value=(0.0, 0.0, 0.0))
    matrix = convert_form("tilted", "matrix", now, "").apply(toys)
    again = convert_form("tilted", "vector", now, "").apply(matrix)
    assert again.frames["tilted"].orientation.value == pytest.approx((0.0, 0.0, 1.0))
    assert set_motion("tilted", "circling", now, "").apply(toys).frames["tilted"].motion == Circling(
        radius=Quantity(1.0, "m")
    )
    assert add_item(toys, "tent", [("frames", "moon")]).apply(toys).bodies["tent"].shape.height == Quantity(0.4, "m")
    assert isinstance(add_item(toys, "rope", [("points", "keel")]).apply(toys).elements["rope"], Rope)


def test_that_toys_are_chosen_and_edited_in_the_inspector(toys: Scene, desk, dark) -> None:
    inspector = desk.put(Inspector())
    committed = []
    inspector.edits.committed.connect(committed.append)
    plan = compile_plan(toys)
    inspector.set_plan(plan)
    inspector.show_snapshot(evaluate(plan, 0.0))
    for key, path, form, fields in (
        (("bodies", "hull"), ("bodies", "hull", "shape"), "tent", {"radius", "height"}),
        (("elements", "mooring"), ("elements", "mooring"), "rope", {"point", "to", "stiffness"}),
        (("frames", "tilted"), ("frames", "tilted", "orientation"), "vector", {"value"}),
        (("frames", "tilted"), ("frames", "tilted", "motion"), "circling", {"radius", "course"}),
    ):
        inspector.set_item(key)
        for title in ("Rotation as written", "Motion"):
            if title in inspector.page.folds:
                inspector.page.folds[title].set_open(True)
        editor = next(each for each in inspector.page.findChildren(FormsEditor) if each.path == path)
        editor.on_form(form)
        scene = committed[-1].apply(toys)
        part = scene
        for step in path:
            part = part[step] if isinstance(part, dict) else getattr(part, step)
        assert part.form == form
        changed = compile_plan(scene)
        inspector.set_plan(changed)
        assert editor.form is not None
        assert editor.form.editors.keys() == fields
        inspector.set_plan(plan)


def test_that_a_toy_shape_is_drawn_and_picked(toys: Scene) -> None:
    plan = compile_plan(toys)
    bodies, tick = built(Bodies, plan), tick_of(plan)
    drawn = next(placed for placed in bodies.placed if placed.body.name == "hat")
    assert drawn.actors
    bodies.show(tick)
    assert all(actor.GetVisibility() for actor in drawn.actors)
    projection = Projection(CameraState((2.0, -3.0, 0.5), (2.0, 0.0, 0.5)), 400, 300, 1.0)
    assert [hit.key for hit in bodies.pick(PickRay(tick, projection, 200, 150))] == [("bodies", "hat")]
