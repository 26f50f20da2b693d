"""OpenCV's YAML and XML are read to the data that a slow reader by OpenCV's rules finds, and patched in place."""

from __future__ import annotations

import contextlib
import difflib
import random
import time

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.features.calibrations.core.calibration import CalibrationError
from framescope.features.calibrations.core.opencv_storage import (
    MAX_NUMBERS,
    matrix_of,
    plain_yaml,
    read_storage,
    replace_entry,
)


class SlowReader:
    """Reads OpenCV's YAML character by character: keys end at a colon, blocks go by their indent."""

    def __init__(self, text: str) -> None:
        self.text, self.i = text, 0

    def skip(self) -> None:
        while self.i < len(self.text):
            c = self.text[self.i]
            if c == "#" or (c == "%" and self.column() == 0) or self.text.startswith("---", self.i):
                while self.i < len(self.text) and self.text[self.i] != "\n":
                    self.i += 1
            elif c.isspace():
                self.i += 1
            else:
                return

    def column(self) -> int:
        return self.i - (self.text.rfind("\n", 0, self.i) + 1)

    def mapping(self, ends: str = "") -> dict:
        """Read the entries of a mapping: of a block up to a smaller indent, or up to a bracket."""
        self.skip()
        indent, data = self.column(), {}
        while True:
            self.skip()
            if self.i >= len(self.text) or (not ends and self.column() != indent):
                return data
            if ends and self.text[self.i] in ends:
                self.i += 1
                return data
            if self.text[self.i] == ",":
                self.i += 1
                continue
            colon = self.text.index(":", self.i)
            key = self.text[self.i : colon].strip()
            self.i = colon + 1
            data[key] = self.value(indent, ends)

    def value(self, indent: int, ends: str):
        start = self.text.rfind("\n", 0, self.i)
        self.skip()
        if self.i < len(self.text) and self.text[self.i] == "!":
            while not self.text[self.i].isspace():
                self.i += 1
            self.skip()
        if self.i >= len(self.text):
            return None
        c = self.text[self.i]
        if c == "[":
            self.i += 1
            return self.numbers()
        if c == "{":
            self.i += 1
            return self.mapping("}")
        if self.text.rfind("\n", 0, self.i) != start and self.column() > indent:
            return self.mapping()
        if c in "\"'":
            end = self.text.index(c, self.i + 1)
            text, self.i = self.text[self.i + 1 : end], end + 1
            return text
        stop = self.i
        while stop < len(self.text) and self.text[stop] not in f"\n{ends and ',' + ends}" and self.text[stop] != "#":
            stop += 1
        word, self.i = self.text[self.i : stop].strip(), stop
        return number(word)

    def numbers(self) -> list:
        items, word = [], ""
        while True:
            c = self.text[self.i]
            if c == "#":
                self.skip()
                continue
            if c in ",]" or c.isspace():
                items += [number(word)] if word else []
                word = ""
            else:
                word += c
            self.i += 1
            if c == "]":
                return items


def number(word: str):
    if word.lower() in (".nan", ".inf", "-.inf"):
        return float(word.replace(".", ""))
    try:
        return float(word)
    except ValueError:
        return word


def test_that_a_text_directly_behind_a_colon_in_braces_is_its_value() -> None:
    stored = read_storage("%YAML 1.2\n---\nlens: { model:\"PinHole\", rate:30, unit:'px' }\n", "a.yml")
    assert stored.data == {"lens": {"model": "PinHole", "rate": 30, "unit": "px"}}


def plainly(value):
    """Return data with numbers as floats, and texts of NaN."""
    if isinstance(value, dict):
        return {key: plainly(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plainly(item) for item in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(float(value))
    return value


BY_HAND = """\
%YAML:1.0
---
# Settings by hand
Camera.type: "PinHole"
Camera.fx: 417.25   # focal length # of the left one
Camera.k1: -2.5e-01
Camera.k2:7.e-2
Viewer.PointSize:2
topic: "/cam0/image:raw"
other_topic:'/cam1#raw'
odd: .5
Tbc: !!opencv-matrix
   rows: 3
   cols: 4
   dt: f
   data:[1., 0., 0., .125,     # first 1 2 3
\t   0.0,-1.0, 0.0, -1.e-3,
          0., 0.,-1., 3.25E+2]
holes: !!opencv-matrix
  rows: 1
  cols: 3
  dt: d
  data: [ .Nan, -.Inf, .inf ]
roi: { x:10, y: 20,width:3 }
limits: !!map
   low:1
   high: 2.
last: 1.5"""


def test_that_a_text_by_hand_is_read_as_a_slow_reader_finds_it() -> None:
    stored = read_storage(BY_HAND, "settings.yaml")
    assert plainly(stored.data) == plainly(SlowReader(BY_HAND).mapping())
    assert stored.keys["Camera.fx"] == 417.25
    assert stored.keys["topic"] == "/cam0/image:raw"
    assert stored.keys["roi"] == {"x": 10, "y": 20, "width": 3}
    assert matrix_of(stored.keys["Tbc"], "Tbc").tolist() == [[1, 0, 0, 0.125], [0, -1, 0, -0.001], [0, 0, -1, 325]]
    assert stored.problems == ()


def written(rng: random.Random) -> str:
    """Return a random text as programs and people write OpenCV's YAML."""
    lines = [rng.choice(["%YAML:1.0", "%YAML 1.0"]), *(["---"] if rng.random() < 0.6 else [])]
    for k in range(rng.randrange(1, 9)):
        colon = rng.choice([": ", ":", ":  "])
        comment = rng.choice(["", "", "  # note: [1, 2", "\t# 3.5"])
        name = rng.choice(["Camera", "body_T_cam", "LEFT.D", "x-y"]) + str(k)
        kind = rng.randrange(4)
        if kind == 0:
            lines.append(f"{name}{colon}{scalar(rng)}{comment}")
        elif kind == 1:
            lines.append(f'{name}{colon}"a{rng.choice(["", " b: c", "#d", "[", "{x:1}"])}"{comment}')
        elif kind == 2:
            rows, cols = rng.randrange(1, 5), rng.randrange(1, 5)
            pad = " " * rng.randrange(1, 5)
            lines += [
                f"{name}: !!opencv-matrix{comment}",
                f"{pad}rows{colon}{rows}",
                f"{pad}cols: {cols}",
                f"{pad}dt: d",
            ]
            numbers = [scalar(rng) for _ in range(rows * cols)]
            text = "".join(part + rng.choice([", ", ",", ",\n" + pad, " ,\t"]) for part in numbers[:-1]) + numbers[-1]
            lines.append(f"{pad}data{colon}[{rng.choice(['', ' '])}{text}{rng.choice(['', ' '])}]")
        else:
            parts = [f"{key}{rng.choice([':', ': '])}{scalar(rng)}" for key in ("a", "b.c", "d_1")]
            lines.append(f"{name}{colon}{{ {', '.join(parts)} }}")
        lines += rng.choice([[], [], [""], ["# between: 4"]])
    return "\n".join(lines) + rng.choice(["", "\n", "\n...\n"])


def scalar(rng: random.Random) -> str:
    value = rng.choice([0.0, 1.0, -1.0, rng.uniform(-9, 9), rng.gauss(0, 1e-5), rng.uniform(-1e6, 1e6)])
    return rng.choice([repr(value), f"{value:.16e}", f"{value:.4f}", f"{value:.0f}.", str(int(value)), f"{value:.6E}"])


@pytest.mark.parametrize("seed", range(60))
def test_that_random_texts_are_read_as_a_slow_reader_finds_them(seed) -> None:
    text = written(random.Random(seed))
    expected = SlowReader(text.removesuffix("...\n")).mapping()
    assert plainly(read_storage(text, "x.yaml").data) == plainly(expected), text


def test_that_a_missing_comma_is_reported_and_read_over() -> None:
    text = "%YAML:1.0\nT: !!opencv-matrix\n  rows: 2\n  cols: 2\n  dt: d\n  data: [1.0, 2.0\n     3.0, 4.0]\n"
    stored = read_storage(text, "x.yaml")
    assert matrix_of(stored.keys["T"], "T").tolist() == [[1, 2], [3, 4]]
    (problem,) = stored.problems
    assert "comma" in problem.message
    assert (problem.where, problem.line) == ("T.data", 6)


XML = """\
<?xml version="1.0"?>
<!-- by a program -->
<opencv_storage>
<calibration_Time>"Mon 03 Aug 2026"</calibration_Time>
<image_Width>640</image_Width>
<Camera.fx>4.25e+02</Camera.fx>
<M1 type_id="opencv-matrix">
  <rows>2</rows>
  <cols>3</cols>
  <dt>d</dt>
  <data>
    420. 0. <!-- 5 6 -->3.185e+02
    .5 -1. 1.e-3</data></M1>
<names>
  "a.png" "b.png"</names>
<corners><_>1 2</_><_>3 4</_></corners>
</opencv_storage>
"""


def test_that_xml_is_read_to_the_same_data() -> None:
    keys = read_storage(XML, "x.xml").keys
    assert keys["image_Width"] == 640
    assert keys["Camera.fx"] == 425.0
    assert keys["corners"] == [[1, 2], [3, 4]]
    assert matrix_of(keys["M1"], "M1").tolist() == [[420, 0, 318.5], [0.5, -1, 0.001]]


@pytest.mark.parametrize(("text", "path"), [(BY_HAND, ("Tbc",)), (XML, ("M1",))])
def test_that_a_patch_changes_the_numbers_alone(text, path) -> None:
    old = matrix_of(read_storage(text, "x").at(path), "M").ravel()
    new = old.copy()
    new[2], new[-1] = 0.1234567890123456, -7.5
    changed = replace_entry(text, path, new.tolist())
    np.testing.assert_array_equal(matrix_of(read_storage(changed, "x").at(path), "M").ravel(), new)
    diff = [line for line in difflib.ndiff(text.split("\n"), changed.split("\n")) if line[0] in "+-"]
    assert len(diff) == 4
    assert ("# first 1 2 3" in changed) == ("# first 1 2 3" in text)
    assert replace_entry(text, path, old.tolist()) == text


def test_that_a_key_on_one_line_with_another_is_patched_or_refused() -> None:
    text = '{"XT": {"rows": 1, "cols": 1, "data": [5]}, "T": {"rows": 1, "cols": 1, "data": [7]}}'
    with pytest.raises(CalibrationError, match="cannot be replaced"):
        replace_entry(text, ("T",), [8.0])
    assert replace_entry(text, ("XT",), [8.0]) == text.replace("5", "8.0")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("%YAML:1.0\na: [1, 2\n", "line"),
        ("%YAML:1.0\na: 1\na: 2\n", "second time"),
        ("<opencv_storage><a>1</a><a>2</a></opencv_storage>", "second time"),
        ("<!DOCTYPE x><opencv_storage/>", "document type"),
        ("<?xml version='1.0'?><robot/>", "opencv_storage"),
        ("<opencv_storage>" + 60 * "<a>" + 60 * "</a>" + "</opencv_storage>", "nested"),
        (f"<opencv_storage><data>{'1 ' * (MAX_NUMBERS + 1)}</data></opencv_storage>", "numbers"),
        ("%YAML:1.0\na: &x [1]\nb: *x\n", "anchors"),
    ],
)
def test_that_a_broken_or_huge_text_is_one_clear_error(text, words) -> None:
    with pytest.raises(FramescopeError, match=words):
        read_storage(text, "x.yaml").at(("a",))


@pytest.mark.parametrize(
    "value",
    [
        {"rows": 2, "cols": 2, "data": [1, 2, 3]},
        {"rows": -1, "cols": -3, "data": [1, 2, 3]},
        {"rows": 10**9, "cols": 10**9, "data": [1]},
        {"rows": 1, "cols": 1, "data": ["x"]},
        {"rows": 1, "cols": 1, "data": "ZCAg"},
        {"rows": 1.5, "cols": 1, "data": [1]},
        {"rows": 1, "data": [1]},
        "text",
        None,
    ],
)
def test_that_a_matrix_that_is_none_is_refused(value) -> None:
    with pytest.raises(CalibrationError, match="T"):
        matrix_of(value, "T")


def test_that_lines_stay_where_they_are() -> None:
    assert plain_yaml(BY_HAND).count("\n") == BY_HAND.count("\n")


@pytest.mark.parametrize(
    "part", ['\\"', "'", '"', "{", "{}", "[ ", "] [", ": ", "- ", "a:", ",a", "!", "#", " ", "1 ", "-", "{a:", "<a>"]
)
def test_that_a_long_line_is_read_or_refused_at_once(part) -> None:
    start = time.perf_counter()
    with contextlib.suppress(FramescopeError):
        read_storage(f"%YAML:1.0\nkey: {200_000 // len(part) * part}\n", "x.yaml")
    with contextlib.suppress(FramescopeError):
        read_storage(f"<opencv_storage>{20_000 * part}</opencv_storage>", "x.xml")
    assert time.perf_counter() - start < 2.0
