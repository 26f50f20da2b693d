"""Faults of frames: planted at random places, they are found by kind and place, and the mend takes them away."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from framescope.core.analysis.diagnostics import diagnose, fix_all_safe
from framescope.core.conventions.matrix_problems import matrix_problem
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import UNITS, hint_for_unit, meant_unit

NAMES = ("base", "shoulder", "elbow joint", "wrist", "camera mount", "gripper", "lidar")
EXAMPLES = settings(max_examples=8)


@st.composite
def trees(draw) -> dict:
    """Return the data of a sound scene: frames at different places, each under one that stands before it."""
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    frames: dict[str, dict] = {}
    for i, name in enumerate(NAMES):
        parent = draw(st.sampled_from(("world", *NAMES[:i])))
        frames[name] = {
            "parent": parent,
            "position": {"value": [round(float(x), 3) + i for x in rng.uniform(-1, 1, 3)], "unit": "m"},
        }
        if draw(st.booleans()):
            angles = [round(float(x), 2) for x in rng.uniform(-80, 80, 3)]
            frames[name]["orientation"] = {"form": "axes", "sequence": "ZYX", "angles": angles, "unit": "deg"}
    return {"framescope": 1, "frames": frames}


def faults(data: dict | Scene) -> tuple[Problem, ...]:
    scene = data if isinstance(data, Scene) else Scene.model_validate(data)
    return diagnose(compile_plan(scene))


def scene_of(data: dict) -> Scene:
    return Scene.model_validate(data)


def only(found: tuple[Problem, ...], kind: str) -> Problem:
    matching = [one for one in found if one.kind == kind]
    assert len(matching) == 1, [str(one) for one in found]
    return matching[0]


def mended(data: dict, one: Problem) -> Scene:
    assert one.fix is not None
    assert one.fix_text
    return one.fix.change.apply(scene_of(data))


def rotation(seed: int) -> np.ndarray:
    return Rotation.random(random_state=seed).as_matrix()


def as_matrix_form(M: np.ndarray) -> dict:
    return {"form": "matrix", "rows": M.tolist(), "maps": "parent to frame"}


@given(trees())
@EXAMPLES
def test_that_a_sound_scene_has_no_fault(data) -> None:
    assert faults(data) == ()


# --- Names and the tree


@given(trees(), st.sampled_from(NAMES[1:]), st.data())
@EXAMPLES
def test_that_a_misspelt_parent_is_found_and_mended(data, name, choose) -> None:
    before = scene_of(data)
    parent = data["frames"][name]["parent"]
    i = choose.draw(st.integers(1, len(parent) - 1))
    written = parent[:i] + parent[i + 1 :]
    assume(written not in (*NAMES, "world"))
    data["frames"][name]["parent"] = written
    found = faults(data)
    one = only(found, "parent-missing")
    assert one.where == f"frames.{name}.parent"
    assert one.severity == "red"
    assert one.fix_text == f"Use {parent}"
    assert one.has_safe_fix
    assert "one letter away" in one.message
    assert {each.kind for each in found} <= {"parent-missing", "unreachable"}
    assert mended(data, one) == before


@pytest.mark.parametrize(
    ("written", "is_safe"), [("link 3", False), ("lnik 2", True), ("LINK 2", True), ("xlink 22", False)]
)
def test_that_only_a_slip_of_the_hand_is_safe_to_mend(written, is_safe) -> None:
    data = {"framescope": 1, "frames": {"link 2": {"parent": "world"}, "tip": {"parent": written}}}
    one = only(faults(data), "parent-missing")
    assert (one.fix_text, one.has_safe_fix) == ("Use link 2", is_safe)


@given(trees(), st.sampled_from(NAMES[1:]))
@EXAMPLES
def test_that_a_parent_that_is_nothing_like_a_name_can_be_the_world(data, name) -> None:
    data["frames"][name]["parent"] = "qqqqqqqq"
    one = only(faults(data), "parent-missing")
    assert (one.fix_text, one.has_safe_fix) == ("Set parent to world", False)
    assert faults(mended(data, one)) == ()


def test_that_a_frame_is_never_hung_on_what_hangs_on_it() -> None:
    data = {"framescope": 1, "frames": {"arm": {"parent": "hnd"}, "hand": {"parent": "arm"}}}
    one = only(faults(data), "parent-missing")
    assert one.fix_text == "Set parent to world"


@given(trees(), st.sampled_from(NAMES))
@EXAMPLES
def test_that_what_nothing_reaches_is_told_with_its_cause(data, name) -> None:
    data["frames"][name]["parent"] = "qqqqqqqq"
    below = {name}
    for other in NAMES:
        if data["frames"][other]["parent"] in below:
            below.add(other)
    found = [one for one in faults(data) if one.kind == "unreachable"]
    assert {one.name for one in found} == below - {name}
    assert all(f"Fix {name} first." == one.hint for one in found)


@given(trees(), st.data())
@EXAMPLES
def test_that_a_circle_of_parents_is_found_and_cut(data, choose) -> None:
    ring = choose.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
        data["frames"][a]["parent"] = b
    one = only(faults(data), "cycle")
    assert one.name in ring
    after = faults(mended(data, one))
    assert [each.kind for each in after if each.severity != "note"] == []


@given(trees(), st.sampled_from(NAMES))
@EXAMPLES
def test_that_a_doubled_frame_is_found_and_merged(data, name) -> None:
    data["frames"]["copy"] = data["frames"][name]
    data["frames"]["tip"] = {"parent": "copy", "position": {"value": [9, 9, 9], "unit": "m"}}
    one = only(faults(data), "doubled-frame")
    assert (one.name, one.severity, one.has_safe_fix) == ("copy", "note", False)
    scene = mended(data, one)
    assert scene.frames["tip"].parent == name
    assert faults(scene) == ()


def hand(**second: object) -> dict[str, object]:
    """Return a hand with two fingers at one place, of which the second differs as it is said."""
    finger = {"parent": "palm", "motion": GRIP}
    return {
        "framescope": 1,
        "parameters": {"grip": 0.0, "other": 0.0},
        "frames": {"palm": {"parent": "world"}, "left": finger, "right": finger | second},
    }


GRIP = {"form": "joint", "type": "prismatic", "axis": [0, 1, 0], "value": "grip", "unit": "m"}


def test_that_frames_that_part_with_a_parameter_are_not_doubled() -> None:
    assert faults(hand(motion=GRIP | {"axis": [0, -1, 0]})) == ()
    assert faults(hand(motion=GRIP | {"value": "other"})) == ()
    still = {"parent": "palm", "position": {"value": [0, "grip", 0], "unit": "m"}}
    data = hand()
    data["frames"]["right"] = still
    assert faults(data) == ()
    assert only(faults(hand()), "doubled-frame").fix is not None, "these never part"


@pytest.mark.parametrize(("key", "kind"), [("frame_a", "name-missing"), ("frame_resolve", "name-missing")])
def test_that_a_misspelt_frame_of_a_sensor_is_mended(key, kind) -> None:
    sensor = {"form": "absolute", "frame_a": "arm", "frame_resolve": "bench"} | {
        key: "banch" if key == "frame_resolve" else "amr"
    }
    data = {
        "framescope": 1,
        "frames": {
            "arm": {"parent": "world", "position": {"value": [1, 0, 0], "unit": "m"}},
            "bench": {"parent": "world"},
        },
        "sensors": {"eye": sensor},
    }
    one = only(faults(data), kind)
    assert one.where == f"sensors.eye.{key}"
    assert faults(mended(data, one)) == ()


# --- Numbers that are no rotation


@given(trees(), st.sampled_from(NAMES), st.integers(0, 10**6), st.floats(0.3, 3.0))
@EXAMPLES
def test_that_a_quaternion_of_another_length_is_normalised(data, name, seed, length) -> None:
    assume(abs(length - 1.0) > 2e-3)
    q = Rotation.random(random_state=seed).as_quat()
    data["frames"][name]["orientation"] = {"form": "quaternion", "value": (length * q).tolist(), "order": "xyzw"}
    one = only(faults(data), "not-normalised")
    assert one.where == f"frames.{name}.orientation.value"
    assert f"{length:.6g}" in one.message
    assert one.has_safe_fix
    scene = mended(data, one)
    assert faults(scene) == ()
    np.testing.assert_allclose(scene.frames[name].orientation.value, q, atol=1e-9)


LINES = st.sampled_from(
    [("rows", 0, 1), ("rows", 1, 2), ("rows", 0, 2), ("columns", 0, 1), ("columns", 1, 2), ("columns", 0, 2)]
)


@given(trees(), st.sampled_from(NAMES), st.integers(0, 10**6), LINES)
@EXAMPLES
def test_that_a_mirrored_matrix_becomes_a_rotation(data, name, seed, lines) -> None:
    M = rotation(seed)
    kind, i, k = lines
    order = [0, 1, 2]
    order[i], order[k] = k, i
    M = M[order] if kind == "rows" else M[:, order]
    data["frames"][name]["orientation"] = as_matrix_form(M)
    one = only(faults(data), "left-handed")
    assert one.where == f"frames.{name}.orientation.rows"
    assert "-1.0000" in one.message
    assert not one.has_safe_fix
    scene = mended(data, one)
    assert faults(scene) == ()
    after = np.array(scene.frames[name].orientation.rows)
    assert np.linalg.det(after) == pytest.approx(1.0)


@given(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), LINES)
@EXAMPLES
def test_that_swapped_lines_of_a_frame_that_is_turned_little_are_the_ones_proposed(a, b, c, lines) -> None:
    M = Rotation.from_euler("XYZ", [a, b, c]).as_matrix()
    kind, i, k = lines
    order = [0, 1, 2]
    order[i], order[k] = k, i
    fault = matrix_problem(M[order] if kind == "rows" else M[:, order])
    angle = np.arccos(np.clip((np.trace(fault.fix.change) - 1) / 2, -1, 1))
    planted = np.arccos(np.clip((np.trace(M) - 1) / 2, -1, 1))
    assert angle <= planted + 1e-6


@given(st.integers(0, 10**6), st.integers(0, 2), st.integers(0, 2))
@EXAMPLES
def test_that_one_wrong_sign_is_found(seed, i, k) -> None:
    M = rotation(seed)
    assume(np.abs(M).min() > 0.05)
    wrong = M.copy()
    wrong[i, k] *= -1.0
    fault = matrix_problem(wrong)
    assert fault.fix_text == "Change sign"
    assert f"row {i + 1}, column {k + 1}" in fault.message
    np.testing.assert_array_equal(fault.fix.change, M)


@given(trees(), st.sampled_from(NAMES), st.integers(0, 10**6), st.floats(0.2, 4.0))
@EXAMPLES
def test_that_a_scale_is_taken_off(data, name, seed, scale) -> None:
    assume(abs(scale - 1.0) > 5e-3)
    R = rotation(seed)
    data["frames"][name]["orientation"] = as_matrix_form(scale * R)
    one = only(faults(data), "scaled-matrix")
    assert f"{scale:.6g}" in one.message
    assert one.has_safe_fix
    scene = mended(data, one)
    assert faults(scene) == ()
    np.testing.assert_allclose(scene.frames[name].orientation.rows, R, atol=1e-9)


@given(trees(), st.sampled_from(NAMES), st.integers(0, 10**6), st.floats(0.02, 0.2))
@EXAMPLES
def test_that_a_sheared_matrix_becomes_the_nearest_rotation(data, name, seed, shear) -> None:
    S = np.eye(3)
    S[0, 1] = shear
    data["frames"][name]["orientation"] = as_matrix_form(S @ rotation(seed))
    one = only(faults(data), "sheared-matrix")
    assert one.where == f"frames.{name}.orientation.rows"
    assert faults(mended(data, one)) == ()


# --- Units and other words


@given(trees(), st.sampled_from(NAMES), st.sampled_from(["meter", "Metres", "M", "meters"]))
@EXAMPLES
def test_that_a_unit_written_otherwise_is_mended(data, name, unit) -> None:
    data["frames"][name]["position"]["unit"] = unit
    one = only(faults(data), "unit-unknown")
    assert one.where == f"frames.{name}.position.unit"
    assert (one.fix_text, one.has_safe_fix) == ("Use m", True)
    assert faults(mended(data, one)) == ()


@given(trees(), st.sampled_from(NAMES), st.sampled_from(["cmm", "mmm"]))
@EXAMPLES
def test_that_a_mistyped_unit_has_a_mend_that_is_never_safe(data, name, unit) -> None:
    data["frames"][name]["position"]["unit"] = unit
    one = only(faults(data), "unit-unknown")
    assert one.fix_text in ("Use cm", "Use mm")
    assert not one.has_safe_fix


@given(trees(), st.sampled_from(NAMES))
@EXAMPLES
def test_that_a_missing_unit_is_that_of_all_others_and_never_safe(data, name) -> None:
    del data["frames"][name]["position"]["unit"]
    one = only(faults(data), "unit-missing")
    assert (one.fix_text, one.has_safe_fix) == ("Use m", False)
    assert faults(mended(data, one)) == ()
    other = next(each for each in NAMES if each != name)
    data["frames"][other]["position"]["unit"] = "mm"
    assert only(faults(data), "unit-missing").fix is None


def test_that_words_for_units_are_understood() -> None:
    words = {"Degrees": "deg", "radians/second": "rad/s", "°/s": "deg/s", "m/sec^2": "m/s²", "hz": "Hz", "KG": "kg"}
    every = {unit for units in UNITS.values() for unit in units}
    assert {word: meant_unit(word, every) for word in words} == words
    assert meant_unit("parsec", every) is None


@pytest.mark.parametrize(
    ("written", "dimension", "meant"),
    [
        ("\N{MICRO SIGN}m", "length", "um"),
        ("inches", "length", "in"),
        ("nm", "length", None),
        ("Mm", "length", None),
        ("MM", "length", "mm"),
        ("mHz", "frequency", None),
        ("mrad/s", "angular velocity", "mrad/s"),
        ("Mrad/s", "angular velocity", None),
        ("Mg", "mass", None),
    ],
)
def test_that_a_unit_of_another_size_is_never_proposed(written, dimension, meant) -> None:
    assert meant_unit(written, UNITS[dimension]) == meant
    hint = hint_for_unit(written, UNITS[dimension])
    assert hint == (f"Use one of: {', '.join(UNITS[dimension])}." if meant is None else f'Did you mean "{meant}"?')


def test_that_small_lengths_and_angles_and_inches_are_read() -> None:
    turn = {"form": "axis", "axis": "z", "angle": 5, "unit": "mrad"}
    data = {
        "framescope": 1,
        "frames": {
            "a": {"parent": "world", "position": {"value": [2, 0, 0], "unit": "um"}, "orientation": turn},
            "b": {"parent": "world", "position": {"value": [2, 0, 0], "unit": "in"}},
        },
    }
    assert faults(data) == ()
    snapshot = evaluate(compile_plan(scene_of(data)), 0.0)
    np.testing.assert_allclose(snapshot.p_WF[:, 0], [0.0, 2e-6, 0.0508], rtol=1e-12)
    np.testing.assert_allclose(snapshot.R_WF[1, 1, 0], np.sin(0.005), rtol=1e-12)


@given(trees(), st.sampled_from(NAMES), st.sampled_from(["deg", "degrees", "s", "rad/s", "kg"]))
@EXAMPLES
def test_that_a_unit_of_another_quantity_has_no_mend(data, name, unit) -> None:
    data["frames"][name]["position"]["unit"] = unit
    assert only(faults(data), "unit-unknown").fix is None


@pytest.mark.parametrize(
    ("orientation", "is_told"),
    [
        ({"form": "axes", "sequence": "ZYX", "angles": [90, 45, 180]}, True),
        ({"form": "axes", "sequence": "ZYX", "angles": [0, 0, -15]}, True),
        ({"form": "axes", "sequence": "ZYX", "angles": [12.7, 3.1, "sin(t)"]}, False),
        ({"form": "axes", "sequence": "ZYX", "angles": [12.7, 3.1, 114.2]}, True),
        ({"form": "axes", "sequence": "ZYX", "angles": [1, 2, 3]}, False),
        ({"form": "axes", "sequence": "ZYX", "angles": [10, 5, 0]}, False),
        ({"form": "axes", "sequence": "ZYX", "angles": ["90*t", 0, 0]}, False),
        ({"form": "axis", "axis": "z", "angle": 90}, True),
        ({"form": "axis", "axis": "z", "angle": 9}, False),
        ({"form": "axis", "axis": "z", "angle": 62.83185307}, False),
        ({"form": "planar", "axis": [0, 0, 1], "angle": 270}, True),
    ],
)
def test_that_degrees_said_to_be_radians_are_told(orientation, is_told) -> None:
    key = {"time": "1 s", "orientation": orientation | {"unit": "rad"}}
    data = {
        "framescope": 1,
        "frames": {
            "still": {"parent": "world", "orientation": orientation | {"unit": "rad"}},
            "right": {"parent": "still", "orientation": orientation | {"unit": "deg"}},
        },
    }
    if is_told:  # keys take constants
        data["frames"]["keyed"] = {"parent": "world", "motion": {"form": "keyframes", "keys": [key]}}
    found = faults(data)
    places = ["frames.still.orientation.unit", "frames.keyed.motion.keys[0].orientation.unit"]
    assert [one.where for one in found] == places * is_told
    assert {(one.kind, one.severity, one.fix_text, one.has_safe_fix) for one in found} <= {
        ("unit-wrong", "amber", "Read as deg", False)
    }
    scene = scene_of(data)
    for one in found:
        scene = one.fix.change.apply(scene)
    assert faults(scene) == ()


def test_that_a_unit_that_is_wrong_itself_is_not_passed_on() -> None:
    data = {
        "framescope": 1,
        "frames": {
            "a": {"parent": "world", "position": {"value": [1, 0, 0], "unit": "deg"}},
            "b": {"parent": "world", "position": {"value": [0, 1, 0]}},
        },
    }
    assert [(one.kind, one.fix) for one in faults(data)] == [("unit-unknown", None), ("unit-missing", None)]


def test_that_a_convention_that_is_missing_has_no_mend() -> None:
    q = {"form": "quaternion", "value": [0, 0, 0.6, 0.8]}
    data = {"framescope": 1, "frames": {"a": {"parent": "world", "orientation": q}}}
    one = only(faults(data), "convention-missing")
    assert one.fix is None


def test_that_all_that_is_safe_is_mended_at_once_and_nothing_else() -> None:
    q = {"form": "quaternion", "value": [0, 0, 1.2, 1.6], "order": "xyzw"}
    data = {
        "framescope": 1,
        "frames": {
            "mast": {"parent": "world", "orientation": q},
            "lens": {"parent": "mats", "position": {"value": [1, 0, 0], "unit": "Meter"}},
            "mirror": {"parent": "mast", "orientation": as_matrix_form(np.diag([1.0, 1.0, -1.0]))},
        },
    }
    found = faults(data)
    edit = fix_all_safe(found)
    assert edit.label == "Fixed 3 problems"
    scene = edit.apply(scene_of(data))
    assert [one.kind for one in faults(scene)] == ["left-handed"]
    assert fix_all_safe(faults(scene)) is None


# --- Runs


@pytest.mark.long
def test_that_a_balance_that_does_not_close_is_told_and_a_tighter_tolerance_closes_it() -> None:
    data = {
        "framescope": 1,
        "frames": {
            "stone": {
                "parent": "world",
                "motion": {
                    "form": "simulated",
                    "model": "finite",
                    "angular_velocity": {"value": [0.2, 9, 0.1], "unit": "rad/s", "resolved_in": "frame"},
                },
            }
        },
        "bodies": {
            "box": {
                "frame": "stone",
                "mass": "1 kg",
                "inertia": {"value": [1.0, 2.0, 2.8], "unit": "kg m²"},
                "shape": {"form": "box", "size": [1, 2, 3], "unit": "cm"},
            }
        },
        "time": {"end": "200 s"},
        "simulation": {"tolerance": 1e-2},
    }
    one = only(faults(data), "balance-open")
    assert one.where == "simulation.tolerance"
    assert faults(mended(data, one)) == ()


def test_that_a_thousand_sound_frames_have_no_fault() -> None:
    frames = {
        f"f{i}": {"parent": "world" if i < 10 else f"f{i - 10}", "position": {"value": [i, 0, 1], "unit": "m"}}
        for i in range(1000)
    }
    plan = compile_plan(scene_of({"framescope": 1, "frames": frames}))
    assert diagnose(plan) == ()
    assert np.isfinite(evaluate(plan, 0.0).p_WF).all()


def test_that_all_faults_of_an_item_are_listed_at_once_each_with_its_choices() -> None:
    axes = {"form": "axes", "sequence": "XYY", "angles": [1, 2], "unit": "dgr"}
    data = {
        "framescope": 1,
        "frames": {"a": {"parent": "wrld", "position": {"value": [0, 0]}, "orientation": axes}},
        "bodies": {"disc": {"frame": "a", "mass": 3, "shape": {"form": "cylinder", "radius": 20, "height": 0.05}}},
    }
    found = {one.where: one for one in faults(data)}
    assert sorted(found) == [
        "bodies.disc.mass", "bodies.disc.shape.height", "bodies.disc.shape.radius", "frames.a.orientation.angles",
        "frames.a.orientation.sequence", "frames.a.orientation.unit", "frames.a.parent", "frames.a.position.unit",
        "frames.a.position.value",
    ]  # fmt: skip
    assert [fix.text for fix in found["bodies.disc.mass"].others] == ["Use kg", "Use g", "Use t"]
    assert [fix.text for fix in found["frames.a.orientation.unit"].fixes][:2] == ["Use deg", "Use rad"]
    scene = Scene.model_validate(data)
    for where in ("bodies.disc.mass", "bodies.disc.shape.height", "bodies.disc.shape.radius", "frames.a.position.unit"):
        scene = found[where].others[1].change.apply(scene)
    assert str(scene.bodies["disc"].shape.radius) == "20 cm"
    assert scene.frames["a"].position.unit == "cm"
    assert not {one.where for one in faults(scene)} & {"bodies.disc.mass", "frames.a.position.unit"}


def test_that_one_fault_is_not_listed_with_consequences_of_its_filling() -> None:
    zero = {"form": "quaternion", "value": [0, 0, 0], "order": "xyzw"}
    data = {"framescope": 1, "frames": {"a": {"parent": "world", "orientation": zero}}}
    assert [one.where for one in faults(data)] == ["frames.a.orientation.value"]
    rows = {"form": "matrix", "maps": "parent-to-frame", "rows": [[1, 0, 0], [0, 1, 0]]}
    data["frames"]["a"]["orientation"] = rows
    assert [one.where for one in faults(data)] == ["frames.a.orientation.rows"]
