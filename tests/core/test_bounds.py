"""Numbers that cannot be: no field takes them, and those in a file are problems of their items."""

from __future__ import annotations

import pytest

from framescope.core.analysis.diagnostics.diagnose import diagnose
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits.fields import RefusedValueError, value_at, with_value
from framescope.core.scene.files.loading import parse_scene

TEXT = """\
framescope: 1
frames: {arm: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [0, 0, 0], unit: deg}}}
bodies:
  cone: {frame: arm, shape: {form: cone, radius: 3 cm, height: 5 cm}, mass: 2 kg,
    inertia: {value: [1, 2, 2.5], unit: kg m²}}
  plate: {frame: arm, shape: {form: box, size: [1, 2, 3], unit: cm}}
points:
  foot: {body: cone, kind: Z, offset: {value: [0, 0, 0], unit: m}}
elements:
  spring: {form: spring, point: foot, stiffness: 1 N/m}
view:
  rings: [{frame: arm, radius: 10 cm}]
"""

SHAPE = ("bodies", "cone", "shape")
INERTIA = ("bodies", "cone", "inertia", "value")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((*SHAPE, "radius"), "-3 cm"),
        ((*SHAPE, "height"), "0 cm"),
        (("bodies", "cone", "mass"), "-2 kg"),
        (INERTIA, (1, -2, 2.5)),
        (INERTIA, ((1, 0, 0), (0, 0, 0), (0, 0, 1))),
        (("bodies", "plate", "shape", "size"), (1, 0, 3)),
        (("elements", "spring", "stiffness"), "-1 N/m"),
        (("view", "rings", 0, "radius"), "0 m"),
        (("view", "forces"), "-1 m per N"),
    ],
)
def test_that_no_field_takes_a_number_that_cannot_be(path, value) -> None:
    with pytest.raises(RefusedValueError, match=r"Expected (more than zero|zero or more)"):
        with_value(parse_scene(TEXT)[0], path, value)


def test_that_products_of_inertia_may_have_any_sign() -> None:
    rows = ((2, -0.1, 0), (-0.1, 2, 0), (0, 0, 2))
    assert value_at(with_value(parse_scene(TEXT)[0], INERTIA, rows), INERTIA) == rows


def test_that_wrong_numbers_of_a_file_are_mended_one_by_one() -> None:
    path = ("bodies", "plate", "shape", "size")
    scene = parse_scene(TEXT.replace("[1, 2, 3]", "[-1, 0, 3]"))[0]
    scene = with_value(scene, path, (-1, 2, 3))
    assert value_at(with_value(scene, path, (1, 2, 3)), path) == (1, 2, 3)


@pytest.mark.parametrize(
    ("before", "after", "path"),
    [
        ("radius: 3 cm", "radius: -3 cm", (*SHAPE, "radius")),
        ("mass: 2 kg", "mass: -2 kg", ("bodies", "cone", "mass")),
        ("mass: 2 kg", "mass: 2 m", ("bodies", "cone", "mass")),
        ("[1, 2, 2.5]", "[1, 0, 2.5]", INERTIA),
    ],
)
def test_that_a_number_of_a_file_that_cannot_be_is_one_problem_of_its_field(before, after, path) -> None:
    plan = compile_plan(parse_scene(TEXT.replace(before, after))[0])
    at_body = [fault for fault in diagnose(plan) if fault.item == ("bodies", "cone")]
    assert [fault.key_path for fault in at_body] == [path]


def test_that_the_title_of_a_problem_names_the_field() -> None:
    plan = compile_plan(parse_scene(TEXT.replace("radius: 3 cm", "radius: -3 cm"))[0])
    fault = next(fault for fault in diagnose(plan) if fault.item == ("bodies", "cone"))
    assert fault.kind == "value"
    assert "radius" in fault.title
