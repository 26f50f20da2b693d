"""All faults of a scene file that cannot be read, those besides which keep it from being read."""

from __future__ import annotations

from pathlib import Path

import pytest

from framescope.app.importers.scenes import load_with_all_faults
from framescope.core.errors import SceneError
from framescope.core.evaluation import unreadable_scene
from tests.support.whole import FAULTS, WHOLE, write_whole

SEVERAL = """\
framescope: 1
frames:
  mast:
    parent: erth
    position: {value: [0, 2, 0]}
  boom: {parent: mast, orientation: {form: axes, sequence: ZYX, angles: [5, 6, [7]], unit: dge}}
bodies:
  sail: {frame: bom, shape: {form: bxo, size: [1, 1, 1], unit: m}}
  hull: {frame: mast, shape: {form: box, size: [1, 1, 1], unit: mm}, colour: blue}
"""

QUICK = WHOLE.replace("tolerance: 1e-9", "tolerance: 1e-3").replace("end: 2 s}", "end: 200 ms}", 1)


def faults_of(folder: Path, text: str) -> dict[str, str]:
    path = folder / "scene.yaml"
    path.write_text(text)
    with pytest.raises(SceneError) as caught:
        load_with_all_faults(path)
    return {problem.where: str(problem) for problem in caught.value.problems}


def test_that_all_faults_are_told_each_once_with_its_line_in_the_order_of_the_file(tmp_path) -> None:
    found = faults_of(tmp_path, SEVERAL)
    assert [*found] == [
        "frames.mast.parent",
        "frames.mast.position.unit",
        "frames.boom.orientation.angles[2]",
        "frames.boom.orientation.unit",
        "bodies.sail.shape.form",
        "bodies.sail.frame",
        "bodies.hull.colour",
    ]
    assert 'no frame "erth"' in found["frames.mast.parent"]
    assert '"dge" is no unit. Did you mean "deg"?' in found["frames.boom.orientation.unit"]
    assert all("(line " in text for text in found.values())


@pytest.mark.fuzz
@pytest.mark.parametrize("name", [name for name in FAULTS if FAULTS[name][2].startswith("frames.")])
def test_that_a_fault_beside_one_that_keeps_the_file_from_being_read_is_told_too(name, tmp_path) -> None:
    old, new, where, message, hint = FAULTS[name]
    write_whole(tmp_path, QUICK)
    found = faults_of(tmp_path, QUICK.replace(old, new, 1) + "surprise: 3\n")
    assert "unknown key" in found["surprise"]
    assert message in found[where] or hint in found[where]


def test_that_one_fault_brings_no_other_along(tmp_path) -> None:
    """Whatever is left out to read the rest, nobody misses it."""
    write_whole(tmp_path, QUICK)
    for old, new, where in (
        ("size: [0.6, 0.4, 0.05]", "size: [0.6, 0.4]", "bodies.slab.shape.size"),
        ("sequence: ZYX, angles: [", "sequence: ZYX, angels: [", "frames.arm.orientation"),
        ("stiffness: 1 kN/m, damping", "stifness: 1 kN/m, damping", "elements.spring A"),
        ("      - {time: 2 s, position: [3, 3, 2]", "      - {time: 2 s, position: [3, 3]", "view.camera_path.keys"),
    ):
        assert old in QUICK
        found = faults_of(tmp_path, QUICK.replace(old, new, 1))
        assert found
        assert all(place.startswith(where) for place in found), found


@pytest.mark.parametrize(
    "text",
    [
        "framescope: 1\nframes: {a: {parent: world}\n",
        "title: no version\n",
        "- 1\n- 2\n",
        "framescope: 99\nframes: 3\n",
        "framescope: 1\nframes: 3\nbodies: [1]\nview: text\n",
        "framescope: 1\nframes: {? [1, 2] : 3}\n",
    ],
)
def test_that_what_is_no_scene_at_all_is_told_as_before(text, tmp_path) -> None:
    assert faults_of(tmp_path, text)


def test_that_a_slip_on_the_way_hides_nothing(tmp_path, monkeypatch) -> None:
    def fail(*_arguments) -> None:
        raise RecursionError

    monkeypatch.setattr(unreadable_scene, "compile_plan", fail)
    found = faults_of(tmp_path, SEVERAL)
    assert {"frames.boom.orientation.angles[2]", "bodies.sail.shape.form", "bodies.hull.colour"} <= found.keys()
