"""The transform buffer against the answers of the real tf2, and against an oracle that shares nothing with it."""

import gzip
import json
import math
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from framescope.core.recordings.tf_buffer import TfBuffer, TfLookUpError, refusal_of
from tests.support.slow_tf_buffer import SlowTfBuffer, matrix

ANSWERS = json.loads(gzip.decompress((Path(__file__).parents[1] / "golden" / "tf2.json.gz").read_bytes()))
KINDS = {
    "ExtrapolationException": "extrapolation",
    "ConnectivityException": "connectivity",
    "LookupException": "lookup",
    "InvalidArgumentException": "invalid",
}


@pytest.mark.parametrize("scenario", ANSWERS["scenarios"], ids=lambda scenario: scenario["name"])
def test_that_look_ups_have_the_answers_of_tf2(scenario):
    buffer = TfBuffer(scenario["cache_s"])
    for event in scenario["events"]:
        pose = event["translation"], event["rotation_xyzw"]
        buffer.insert(event["stamp_ns"], event["parent"], event["child"], *pose, is_static=event["static"])

    for query in scenario["queries"]:
        try:
            position, quaternion = asked(buffer, query)
        except TfLookUpError as error:
            assert (error.kind, error.tf2_message) == (KINDS[query["error"]], query["message"])  # noqa: PT017 (or no error)
        else:
            answer = query["answer"]
            np.testing.assert_allclose(position, answer["translation"], rtol=0, atol=1e-13)
            np.testing.assert_allclose(quaternion, answer["rotation_xyzw"], rtol=0, atol=1e-13)
            if query.get("stamp_ns") == 0:
                assert buffer.newest_common_ns(query["target"], query["source"]) == answer["stamp_ns"]


def asked(buffer, query):
    if "fixed" in query:
        return buffer.look_up_full(*(query[key] for key in ("target", "target_ns", "source", "source_ns", "fixed")))
    return buffer.look_up(query["target"], query["source"], query["stamp_ns"])


def test_that_all_answers_are_there():
    queries = [query for scenario in ANSWERS["scenarios"] for query in scenario["queries"]]
    assert (len(ANSWERS["scenarios"]), len(queries)) == (66, 1327)
    assert {query.get("error") for query in queries} == {None, *KINDS}


@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 10, 2]))
def test_that_it_agrees_with_an_oracle_of_matrices(seed, cache_s):
    random = np.random.default_rng(seed)
    frames = [f"f{i}" for i in range(7)]
    buffer, oracle = TfBuffer(cache_s), SlowTfBuffer(None if cache_s is None else cache_s * 10**9)
    start = 1_700_000_000_123_456_789
    static = set(random.choice(frames, 2, replace=False).tolist())
    for _ in range(60):
        child = int(random.integers(1, 7))
        # Parents are of a lower number, so that there is no loop; some children change theirs, some have none.
        parent = int(random.integers(0, child)) if random.random() < 0.1 else (child - 1) // 2
        stamp = start + int(random.integers(0, 40)) * 100_000_000
        pose = random.normal(size=3).tolist(), Rotation.random(rng=random).as_quat().tolist()
        for each in (buffer, oracle):
            each.insert(stamp, frames[parent], frames[child], *pose, is_static=frames[child] in static)

    for _ in range(40):
        target, source = random.choice(frames, 2).tolist()
        t = 0 if random.random() < 0.2 else start + int(random.integers(-5, 450)) * 10_000_000
        wanted = oracle.look_up(target, source, t)
        try:
            position, quaternion = buffer.look_up(target, source, t)
        except TfLookUpError as error:
            assert error.kind == wanted  # noqa: PT017 (or no error)
        else:
            X = matrix(position, Rotation.from_quat(quaternion))
            np.testing.assert_allclose(X, wanted, rtol=0, atol=1e-12)


def test_that_orientations_close_together_are_turned_between_in_all_digits():
    buffer = TfBuffer()
    for stamp, angle in ((10, 0.0), (20, 2e-9)):
        buffer.insert(stamp, "world", "base", [0, 0, 0], [0, 0, math.sin(angle / 2), math.cos(angle / 2)])

    _, quaternion = buffer.look_up("world", "base", 13)

    np.testing.assert_allclose(quaternion[2], 0.3e-9, rtol=1e-12)


@pytest.mark.parametrize(
    ("sample", "refusal"),
    [
        (("world", "", [0, 0, 0], [0, 0, 0, 1]), "no child"),
        (("", "base", [0, 0, 0], [0, 0, 0, 1]), "no parent"),
        (("base", "/base", [0, 0, 0], [0, 0, 0, 1]), "own parent"),
        (("world", "base", [0, math.nan, 0], [0, 0, 0, 1]), "not finite"),
        (("world", "base", [0, 0, 0], [0, 0, math.inf, 1]), "not finite"),
        (("world", "base", [0, 0, 0], [0, 0, 0, 0]), "not unit"),
        (("world", "base", [0, 0, 0], [0, 0, 0, 1.005]), "not unit"),
        (("world", "base", [0, 0, 0], [0, 0, 0, 1.0049]), None),
    ],
)
def test_that_a_sample_is_refused_as_tf2_refuses_it(sample, refusal):
    buffer = TfBuffer()
    assert buffer.insert(5, *sample) == refusal
    assert buffer.frames == (() if refusal else ("base", "world"))
    assert refusal_of(sample[0], sample[1].lstrip("/"), *sample[2:]) == refusal


def test_that_a_repeated_and_an_old_stamp_are_told():
    buffer = TfBuffer(cache_s=10)
    here = [0, 0, 0], [0, 0, 0, 1]
    assert buffer.insert(20_000_000_000, "world", "base", *here) is None
    assert buffer.insert(20_000_000_000, "world", "base", *here) == "repeated"
    assert buffer.insert(9_999_999_999, "world", "base", *here) == "old"
    assert buffer.insert(10_000_000_000, "world", "base", *here) is None


def test_that_an_error_says_what_is_to_blame_and_what_may_be_meant():
    buffer = TfBuffer()
    here = [0, 0, 0], [0, 0, 0, 1]
    buffer.insert(1_000_000_000, "odom", "base_link", *here)
    buffer.insert(2_000_000_000, "odom", "base_link", *here)
    buffer.insert(0, "map", "marker", *here, is_static=True)

    with pytest.raises(TfLookUpError, match="did you mean base_link") as unknown:
        buffer.look_up("odom", "baselink", 1_000_000_000)
    with pytest.raises(TfLookUpError, match="map is the root of one, odom of the other") as apart:
        buffer.look_up("map", "base_link", 1_000_000_000)
    with pytest.raises(TfLookUpError, match=r"newest sample of base_link in odom .* 0\.500000000 s before") as late:
        buffer.look_up("odom", "base_link", 2_500_000_000)

    assert [error.value.kind for error in (unknown, apart, late)] == ["lookup", "connectivity", "extrapolation"]
    assert late.value.frame == "base_link"


@pytest.mark.parametrize("ends", [("elsewhere", "d"), ("d", "elsewhere")])
def test_that_frames_that_are_each_others_parents_are_an_error_and_no_endless_walk(ends):
    buffer = TfBuffer()
    here = [0, 0, 0], [0, 0, 0, 1]
    for parent, child in (("a", "b"), ("b", "c"), ("c", "a"), ("root", "elsewhere"), ("a", "d")):
        buffer.insert(5, parent, child, *here)

    with pytest.raises(TfLookUpError, match="each other's parents") as error:
        buffer.look_up(*ends, 5)

    assert error.value.kind == "lookup"


def test_that_samples_in_any_order_are_put_in_without_looking_through_all():
    started = time.process_time()
    buffer = TfBuffer(cache_s=10)
    for i in range(20_000):
        buffer.insert(i * 10_000_000, "world", "base", (float(i), 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    assert time.process_time() - started < 5.0  # a thousand times what a search through all would take
    assert buffer.look_up("world", "base", 199_990_000_000)[0][0] == 19_999.0
