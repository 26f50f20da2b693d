"""Faces of OBJ files whose corners are alike are read together, and as they are read one by one."""

from __future__ import annotations

import io
import random

import numpy as np
import pytest

from framescope.core.mesh_files import formats, obj
from framescope.core.mesh_files.formats import kept_surface
from framescope.core.mesh_files.obj import read_obj
from framescope.core.mesh_files.surface import UnreadableMesh
from framescope.features.robots.core.mesh_sizes import bounds_of

POINTS = "".join(f"v {i} {i % 3} {i % 5}\n" for i in range(12))
NORMALS = "".join(f"vn 0 {i} 1\n" for i in range(6))
FACES = {
    "places": ["1 2 3", "3 4 5", "12 1 2"],
    "places and texture": ["1/1 2/2 3/3", "3/9 4/9 5/9"],
    "places and normals": ["1//1 2//2 3//3", "3//6 4//6 5//6", "10//1 11//2 12//3"],
    "all three": ["1/7/1 2/7/2 3/7/3", "3/1/6 4/1/6 5/1/6"],
    "four corners": ["1//1 2//2 3//3 4//4", "3//6 4//6 5//6 6//6"],
    "two spaces": ["1//1  2//2 3//3", "3//6  4//6 5//6"],
    "mixed sizes": ["1//1 2//2 3//3", "3//6 4//6 5//6 6//6"],
    "mixed forms": ["1//1 2//2 3//3", "3/1/6 4/1/6 5/1/6", "1/1 2/2 3/3", "1 2 3"],
    "mixed in a face": ["1/2/3 4//5 6", "1//2 3/4/5 6//6"],
    "numbers are as many": ["1/2/3 4//5 6//", "1/2/3 4//5 6//"],
    "missing place": ["//1 2//2 3//3", "1//1 2//2 3//3"],
    "missing normal": ["1// 2//2 3//3", "1//1 2//2 3//3"],
    "missing texture": ["1/ 2/ 3/", "1/1 2/2 3/3"],
    "from the end": ["-1//-1 -2//-2 -3//-3", "1//1 2//2 3//3"],
    "zero": ["0//1 2//2 3//3"],
    "too far": ["1//1 2//2 3//99", "1//1 2//2 3//3"],
    "beyond all": ["1//1 2//2 99999999999999999999999//3"],
    "two corners": ["1//1 2//2", "2//2 3//3"],
    "words": ["1//1 2//two 3//3"],
    "comment": ["1//1 2//2 3//3 # a face", "1//1 2//2 3//3"],
    "four parts": ["1/1/1/1 2/2/2/2 3/3/3/3"],
    "a plus": ["+1//1 +2//2 +3//3"],
    "a point": ["1.0//1 2//2 3//3"],
}


def told(text: str) -> object:
    """Return what is read of a file, or what is said of it."""
    try:
        found = read_obj(io.BytesIO(text.encode()))
    except UnreadableMesh as problem:
        return problem.place, problem.what
    arrays = (found.points, found.normals, found.corners, found.sizes)
    return tuple(None if array is None else (array.dtype.str, array.tolist()) for array in arrays)


def one_by_one(text: str, monkeypatch) -> object:
    with monkeypatch.context() as patch:
        patch.setattr(obj.Contents, "take_run", lambda *_: False)
        return told(text)


@pytest.mark.parametrize("kind", FACES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_that_faces_are_the_same_together_and_one_by_one(kind, end, monkeypatch) -> None:
    text = POINTS + NORMALS + "".join(f"f {face}{end}" for face in FACES[kind] * 3)
    assert told(text) == one_by_one(text, monkeypatch)
    assert told(text.rstrip()) == one_by_one(text.rstrip(), monkeypatch)


def test_that_made_up_faces_are_the_same_together_and_one_by_one(monkeypatch) -> None:
    random_of = random.Random(3)
    for _ in range(300):
        faces = [random_of.choice(random_of.choice(list(FACES.values()))) for _ in range(random_of.choice([1, 2, 4]))]
        text = "\n".join(f"f {face}" for face in faces)
        if random_of.random() < 0.5:
            at = random_of.randrange(len(text))
            text = text[:at] + random_of.choice("/ 0129-\n#\t") + text[at + random_of.choice([0, 1]) :]
        text = POINTS + NORMALS + text
        assert told(text) == one_by_one(text, monkeypatch), text


def test_that_faces_with_normals_are_not_taken_word_by_word(monkeypatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr(obj.Contents, "take_face", lambda *_: taken.append(1))
    for kind in ("places and texture", "places and normals", "all three", "four corners"):
        assert told(POINTS + NORMALS + "".join(f"f {face}\n" for face in FACES[kind] * 50))
    assert taken == []


def test_that_a_mesh_is_read_once_for_its_size_and_its_picture(tmp_path, monkeypatch) -> None:
    path, read = tmp_path / "part.obj", []
    path.write_text(POINTS + NORMALS + "f 1//1 2//2 3//3\n")
    monkeypatch.setitem(formats.READERS, ".obj", lambda file: (read.append(1), read_obj(file))[1])
    box = bounds_of(path)
    surface = kept_surface(path)
    np.testing.assert_array_equal(box, [surface.points.min(axis=0), surface.points.max(axis=0)])
    assert read == [1]
