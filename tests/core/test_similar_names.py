"""Names a letter away are found without comparing all with all, and what no path reaches is found in one walk."""

from __future__ import annotations

import string
from random import Random

import pytest

from framescope.core.analysis.diagnostics import similar_names
from framescope.core.analysis.diagnostics.diagnose import diagnose
from framescope.core.analysis.diagnostics.similar_names import SimilarNames, is_letter_away
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.schema.model import Scene

pytestmark = pytest.mark.long


def scene_of(parents: dict[str, str]) -> Scene:
    frames = {name: {"parent": parent} for name, parent in parents.items()}
    return Scene.model_validate({"framescope": 1, "frames": frames})


def test_that_names_near_are_those_that_comparing_each_gives() -> None:
    random = Random(5)
    names = list(dict.fromkeys("".join(random.choices("abA\U0001f600é", k=random.randint(0, 5))) for _ in range(150)))
    similar = SimilarNames(names)
    for text in [*names[:60], *("".join(random.choices("abAé", k=random.randint(0, 6))) for _ in range(60))]:
        slow = [name for name in names if is_letter_away(text.casefold(), name.casefold())]
        assert similar.near(text) == slow, text
    assert SimilarNames([]).near("a") == []
    assert SimilarNames(["é" * 200]).near("é" * 199) == ["é" * 200]


def test_that_no_name_is_meant_where_hundreds_are_a_letter_away() -> None:
    letters = [chr(0x4E00 + i) for i in range(2000)]
    assert SimilarNames(letters).near("x") == []


@pytest.mark.parametrize("n", [40, 1300])
def test_that_misspelt_parents_have_their_mends_however_many_there_are(n, monkeypatch) -> None:
    names = [f"{a}{b}{c} link" for a in string.ascii_lowercase for b in string.digits for c in string.digits][:n]
    parents = dict.fromkeys(names, "world") | {f"part {i}": name.replace("link", "lnk") for i, name in enumerate(names)}
    plan = compile_plan(scene_of(parents))
    compared: list[str] = []

    def counted(a: str, b: str) -> bool:
        compared.append(b)
        return is_letter_away(a, b)

    monkeypatch.setattr(similar_names, "is_letter_away", counted)
    found = diagnose(plan, deep=False)
    assert [one.fix_text for one in found] == [f"Use {name}" for name in names]
    assert len(compared) < 40 * n


def test_that_a_frame_is_never_told_to_hang_on_what_hangs_on_it() -> None:
    parents = {"mast": "mast_b", "mast_a": "mast", "tool": "mast_a", "most_b": "world"}
    (one,) = diagnose(compile_plan(scene_of(parents)), deep=False)
    assert one.fix_text == "Use most_b"  # and not mast_a, which is as near


def test_that_all_frames_of_a_long_chain_are_told_why_nothing_reaches_them() -> None:
    n = 3000
    ring = {f"f{i}": f"f{(i - 1) % n}" for i in range(n)} | {"a": "f7", "b": "a"}
    lost = {f"f{i}": f"f{i - 1}" if i else "nowhere at all" for i in range(n)}
    of_ring, of_lost = (diagnose(compile_plan(scene_of(parents))) for parents in (ring, lost))
    assert [one.kind for one in of_ring].count("cycle") == 1
    hanging = [one for one in of_ring if one.kind == "unreachable"]
    assert [one.name for one in hanging] == ["a", "b"]
    assert all("its ancestor f7 is in a circle" in one.message for one in hanging)
    unreachable = [one for one in of_lost if one.kind == "unreachable"]
    assert [one.name for one in unreachable[:3]] == ["f1", "f2", "f3"]
    assert all("its ancestor f0 has no parent" in one.message for one in unreachable)
