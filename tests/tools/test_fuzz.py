"""Broken, hostile, huge and deeply nested files: always a scene, its problems, or a `SceneError` that names the place.

``run.py bench fuzz`` opens ten thousand more, with bounds on time and memory.
"""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from framescope.core.recordings.pose_spline import MAX_SAMPLES, Recording, RecordingError, smooth
from framescope.core.scene.files.loading import parse_scene
from tests.support import fuzzing
from tests.support.fuzzing import KINDS, MUTATIONS, furnish, mutant, open_file, seeds

OUTCOMES = ("scene", "problems", "refused")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzz")
    furnish(folder)
    return folder


def outcome(folder, data: str | bytes) -> str:
    path = folder / "scene.yaml"
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    return open_file(path).outcome


@pytest.mark.long
def test_that_the_seeds_are_scenes(folder) -> None:
    found = [outcome(folder, text) for text in seeds()]
    assert found[:2] == ["scene"] * 2
    assert set(found) <= set(OUTCOMES)


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_that_a_damaged_scene_file_opens_or_is_refused(folder, number) -> None:
    assert outcome(folder, mutant(number, SEEDS)) in OUTCOMES


@pytest.mark.long
@pytest.mark.parametrize("kind", MUTATIONS)
def test_that_every_kind_of_damage_is_survived(folder, kind) -> None:
    random = Random(kind)
    for _ in range(5):
        assert outcome(folder, MUTATIONS[kind](random, KINDS, SEEDS)) in OUTCOMES


@pytest.mark.parametrize("name", fuzzing.FILES)
def test_that_a_hostile_file_name_is_a_problem_of_its_item(folder, name) -> None:
    data = json.dumps(fuzzing.as_data(KINDS)).replace('"walk.txt"', json.dumps(name))
    assert outcome(folder, data) == ("scene" if name == "walk.txt" else "problems")


@pytest.mark.parametrize("text", fuzzing.EXPRESSIONS)
def test_that_a_hostile_expression_is_no_crash(folder, text) -> None:
    assert outcome(folder, KINDS.replace('"0.3*cos(t)"', json.dumps(text))) in OUTCOMES


scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(fuzzing.TOKENS)
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)


@settings(max_examples=30)
@given(st.data())
def test_that_any_value_at_any_key_opens_or_is_refused(folder, data) -> None:
    scene = fuzzing.as_data(KINDS)
    path = data.draw(st.sampled_from([path for path in fuzzing.key_paths(scene) if path]))
    assert outcome(folder, json.dumps(fuzzing.set_value(scene, path, data.draw(values)))) in OUTCOMES


def test_that_a_recording_too_long_to_be_fitted_is_refused() -> None:
    n = MAX_SAMPLES + 1
    recording = Recording(np.arange(float(n)), np.zeros((n, 3)), np.broadcast_to([0.0, 0.0, 0.0, 1.0], (n, 4)))
    with pytest.raises(RecordingError, match=f"{n} samples, at most {MAX_SAMPLES}") as caught:
        smooth(recording, 0.1)
    assert "every n-th" in caught.value.hint


def test_that_mutants_are_the_same_in_every_run() -> None:
    assert [mutant(number, SEEDS) for number in range(20)] == [mutant(number, SEEDS) for number in range(20)]
    assert parse_scene(KINDS)[0].title == ""


SEEDS = seeds()
