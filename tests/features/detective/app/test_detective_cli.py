"""``framescope detect``: tables and numbers in; a ranked table, JSON and code out, and an exit status that tells."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from framescope.app.cli.main import app
from framescope.features.detective.core.interpretations import Interpretation
from tests.support.command_line import CliRunner
from tests.support.detective_cases import random_matrices, shaken

runner = CliRunner()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write a vendor's angles and the true quaternions, and two sets that leave the third angle out."""
    random = np.random.default_rng(1)
    R = random_matrices(random, 20)
    angles = Interpretation("angles", "ZXY", "deg").numbers(shaken(random, R))
    np.savetxt(tmp_path / "vendor.csv", angles, delimiter=",", header="first,second,third", comments="")
    quaternions = Interpretation("quaternion", "wxyz").numbers(R)
    np.savetxt(tmp_path / "truth.csv", quaternions, delimiter=",", header="qw,qx,qy,qz", comments="")
    flat = np.column_stack([random.uniform(-60, 60, (20, 2)), np.zeros(20)])
    np.savetxt(tmp_path / "flat.txt", flat)
    np.savetxt(tmp_path / "flat-truth.txt", Interpretation("angles", "ZYX", "deg").matrices(flat).reshape(-1, 9))
    return tmp_path


def run(*arguments: object, status: int = 0, given: str = ""):
    result = runner.invoke(app, ["detect", *map(str, arguments)], input=given)
    assert result.exit_code == status, result.output
    return result


def test_that_the_best_is_told_first_with_the_code(files: Path) -> None:
    out = run(files / "vendor.csv", files / "truth.csv", "--code", "python").stdout
    assert "A is vendor.csv: columns first, second, third" in out
    assert "rows paired in order" in out
    first = next(line for line in out.splitlines() if line.split()[:1] == ["1"])
    assert first.split()[:6] == ["1", "ZXY", "moving", "active", "deg", "wxyz"]
    assert first.endswith("0 of 20")
    assert "Angles ZXY about moving axes, deg. B is quaternion wxyz; fits 20 samples to 0.0" in out
    scope: dict = {}
    exec(out[out.index("import numpy") :], scope)
    assert scope["b_from_a"]([0.0, 0.0, 0.0]).tolist() == [1.0, 0.0, 0.0, 0.0]


def test_that_json_holds_the_same(files: Path) -> None:
    found = json.loads(run(files / "vendor.csv", files / "truth.csv", "--json").stdout)
    assert found["is_found"]
    assert found["cannot_tell"] == []
    assert found["samples"] == 20
    assert found["sides"]["b"] == {"name": "truth.csv", "read": "columns qw, qx, qy, qz", "rows": 20}
    best = found["findings"][0]
    assert best["a"] == {"kind": "angles", "choice": "ZXY", "unit": "deg"}
    assert best["b"] == {"kind": "quaternion", "choice": "wxyz", "unit": ""}
    assert (best["sense"], best["against"], best["fits_like_the_first"]) == ("active", 0, True)
    assert best["parent_axes"] == np.eye(3).tolist()
    assert best["rms"] < 2e-3
    assert [finding["rank"] for finding in found["findings"]] == list(range(1, len(found["findings"]) + 1))


def test_that_what_the_data_cannot_tell_has_its_own_status(files: Path) -> None:
    out = run(files / "flat.txt", files / "flat-truth.txt", status=3).stdout
    assert "Cannot tell 1 from 2" in out
    assert "The third angle is 0 in all 20 samples. One sample with it at 10°" in out
    assert "=1  ZYX" in out
    found = json.loads(run(files / "flat.txt", files / "flat-truth.txt", "--json", status=3).stdout)
    assert 2 in found["cannot_tell"]
    assert found["advice"][0]["sample"][2] == 10.0


def test_that_what_is_known_narrows_the_search(files: Path) -> None:
    run(files / "flat.txt", files / "flat-truth.txt", "--a-as", "angles ZYX deg")
    result = run(files / "flat.txt", files / "flat-truth.txt", "--a-as", "quaternion", status=2)
    assert 'nothing of that is "quaternion"' in result.output


@pytest.mark.long
def test_that_numbers_may_be_given_at_once_or_by_standard_input(files: Path) -> None:
    text = (files / "flat-truth.txt").read_text()
    out = run(files / "flat.txt", "-", "--a-as", "ZYX", given=text).stdout
    assert "B is standard input: 20 samples of 9 numbers" in out
    out = run("10 20 30; -40 50 60; 70 -20 10; 5 6 7", "10 20 30; -40 50 60; 70 -20 10; 5 6 7").stdout
    assert "A is numbers A: 4 samples of 3 numbers" in out
    assert "fits 4 samples exactly" in out


def test_that_nothing_fits_what_does_not_belong_together(files: Path) -> None:
    random = np.random.default_rng(2)
    np.savetxt(files / "other.txt", random_matrices(random, 20).reshape(-1, 9))
    assert "Nothing fits" in run(files / "vendor.csv", files / "other.txt", status=4).stdout


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        ("nope.csv", "1 2 3", "there is no file nope.csv"),
        ("-", "-", "both sides are -"),
        ("1 2 3; 4 5 6", "1 2 3", "has 2 rows and numbers B 1"),
        ("1 2 3 4 5", "1 2 3", "no columns that look like an orientation"),
    ],
)
def test_that_what_cannot_be_read_is_said_and_exits_with_two(a: str, b: str, says: str) -> None:
    assert says in run(a, b, status=2).output


def test_that_an_unknown_language_is_refused(files: Path) -> None:
    assert (
        'Did you mean "matlab"' in run(files / "vendor.csv", files / "truth.csv", "--code", "matlap", status=2).output
    )
