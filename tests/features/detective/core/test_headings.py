"""Headings against headings: unit, sense and offset, and what a still or a foreign heading leaves open."""

import numpy as np
import pytest

from framescope.features.detective.core.conversion import LABELS, conversion_code
from framescope.features.detective.core.pipeline import detect, detect_samples
from framescope.features.detective.core.samples import Samples, read_samples
from framescope.features.table_import.core.choices import FORMS

T = np.arange(0.0, 10.0, 0.05)


def heading(t=T):
    """Return the heading of a drive that passes 180°, deg."""
    return 130.0 * np.sin(0.4 * t) + 9.0 * t


def wrapped(degrees):
    return (degrees + 180.0) % 360.0 - 180.0


def column(degrees, noise=0.2, seed=0):
    return (wrapped(degrees + np.random.default_rng(seed).normal(0.0, noise, len(degrees))))[:, np.newaxis]


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (lambda a: a, ()),
        (lambda a: a + 37.0, ("B is zero where A is −3",)),
        (lambda a: 90.0 - a, ("B counts the other way", "B is zero where A is ")),
        (lambda a: -a, ("B counts the other way",)),
    ],
    ids=["same", "offset", "compass", "sense"],
)
@pytest.mark.parametrize("unit", ["deg", "rad"])
def test_that_sense_offset_and_unit_of_a_heading_are_told(of, words, unit):
    b = column(of(heading()), seed=1)
    report = detect(column(heading()), np.radians(b) if unit == "rad" else b)
    best = report.findings[0]
    assert report.status == "found"
    assert best.hypothesis.interpretation_b.unit == unit
    texts = best.hypothesis.texts[1:]
    assert len(texts) == len(words)
    assert all(text.startswith(word) for text, word in zip(texts, words, strict=True))
    assert best.rms == pytest.approx(np.radians(0.2 * np.sqrt(2.0)), rel=0.2)


def test_that_a_still_heading_leaves_the_sense_open():
    report = detect(column(np.full(200, 20.0)), column(np.full(200, 50.0), seed=1))
    assert report.status == "unclear"
    assert report.verdict.startswith(("Cannot tell", "Not proven"))


def test_that_unrelated_headings_do_not_fit():
    b = np.random.default_rng(3).uniform(-180.0, 180.0, (len(T), 1))
    assert detect(column(heading()), b).status == "nothing"


def test_that_wild_rows_are_left_out():
    b = column(90.0 - heading(), seed=1)
    b[::40] += 100.0
    report = detect(column(heading()), b)
    assert report.status == "found"
    assert report.n_wild == 5
    assert "90" in report.findings[0].hypothesis.texts[2] or "89.9" in report.findings[0].hypothesis.texts[2]


def test_that_clocks_that_are_apart_are_found():
    later = T + 0.4
    a, b = Samples(column(heading(T)), T, "a"), Samples(column(-heading(later), seed=1), T, "b")
    pairs, report = detect_samples(a, b)
    assert pairs.offset == pytest.approx(0.4, abs=0.02)
    assert report.status == "found"


@pytest.mark.parametrize("target", [*LABELS])
def test_that_the_code_of_headings_is_that_of_the_hypothesis(target):
    a, b = column(heading()), column(90.0 - heading(), seed=1)
    code = conversion_code(detect(a, b).findings[0].hypothesis, target)
    assert "b_from_a" in code or target not in ("numpy", "scipy")
    if target in ("numpy", "scipy"):
        scope = {}
        exec(code, scope)
        converted = np.array([scope["b_from_a"](row if target == "numpy" else row[np.newaxis]) for row in a]).reshape(
            -1
        )
        assert np.abs(wrapped(converted - b[:, 0])).max() < 2.0


def test_that_a_heading_against_an_orientation_is_refused():
    with pytest.raises(ValueError, match="headings on both"):
        detect(column(heading()), np.zeros((len(T), 3)))


def test_that_columns_of_headings_are_read(tmp_path):
    assert FORMS["heading"] == 1
    path = tmp_path / "a.csv"
    np.savetxt(path, np.column_stack([T, column(heading())]), delimiter=",", header="t,yaw", comments="")
    samples = read_samples(path)
    assert samples.numbers.shape == (len(T), 1)
    assert samples.times is not None
    assert np.allclose(read_samples(path, ("yaw",), "t").numbers, samples.numbers)
