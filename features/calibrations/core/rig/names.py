"""Names of frames in different files that may mean the same frame, such as ``cam0`` and ``camera_0``."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from framescope.features.compare.core.sentences import distance_text

_PART = re.compile(r"[A-Za-z]+|\d+")
_SAME_WORD: Mapping[str, str] = {"camera": "cam", "infrared": "infra", "base": "body"}
_EMPTY_WORDS = frozenset({"link", "frame"})
_SIDES = frozenset({"left", "right", "front", "rear", "back", "top", "bottom", "center", "middle"})
_KINDS = frozenset({"cam", "imu", "lidar", "gps", "body"})
MOST_QUESTIONS = 50
"""Largest number of questions."""


@dataclass(frozen=True)
class NameQuestion:
    """Question whether two names mean the same frame.

    Attributes
    ----------
    names
        The two names.
    files
        The first file that has each.
    apart
        Angle, degrees, and distance, m, between the frames by the poses; None if no poses connect them.
    is_contradicted
        Whether the poses put the frames so far apart that one pose is wrong if they are the same frame.
    """

    names: tuple[str, str]
    files: tuple[str, str]
    apart: tuple[float, float] | None = None
    is_contradicted: bool = False

    @property
    def text(self) -> str:
        """The question as a sentence.

        >>> NameQuestion(("cam0", "camera0"), ("a.yaml", "b.yaml")).text
        'Are cam0 (a.yaml) and camera0 (b.yaml) the same frame?'
        """
        (first, second), (one, other) = self.names, self.files
        if self.apart is None:
            return f"Are {first} ({one}) and {second} ({other}) the same frame?"
        size = distance_text(*self.apart)
        if self.is_contradicted:
            away = f"the poses put them {size} apart: either they are two frames, or a pose is wrong."
            return f"{first} ({one}) and {second} ({other}) have like names, and {away}"
        near = f"The poses put {second} at {first}: they differ by {size}."
        return f"Are {first} ({one}) and {second} ({other}) the same frame? {near}"


def name_key(name: str) -> tuple[str, ...]:
    """Return what two spellings of one name have in common.

    >>> {name_key(name) for name in ("cam0", "camera_0", "Cam-00", "cam_0_link")}
    {('cam', '0')}
    >>> name_key("imu") == name_key("imu0") == name_key("imu_link"), name_key("cam_left") == name_key("left")
    (True, True)
    >>> name_key("camera_optical_frame") == name_key("camera_link")
    False
    """
    words: list[str] = [part.lower() for part in _PART.findall(name)]
    parts = [_SAME_WORD.get(word, word) for word in words]
    parts = [str(int(part)) if part.isdigit() and len(part) < 20 else part for part in parts]
    parts = [part for part in parts if part not in _EMPTY_WORDS] or parts
    if "cam" in parts and _SIDES & set(parts):
        parts.remove("cam")
    elif len(parts) == 1 and parts[0] in _KINDS:
        parts.append("0")
    return tuple(sorted(parts, key=str.isdigit))


def are_alike(first: str, second: str) -> bool:
    """Return whether people mistake two names: they differ in numbers, sides or single letters alone.

    >>> are_alike("cam0", "cam_1"), are_alike("left_optical", "right_optical"), are_alike("imu_a", "imu_b")
    (True, True, True)
    >>> are_alike("cam0", "imu0"), are_alike("cam0_left", "cam0")
    (False, False)
    """
    return _kind_of_name(first) == _kind_of_name(second)


def _kind_of_name(name: str) -> list[str]:
    """Return the words of a name, with one sign for each number, side and single letter."""
    words = [_SAME_WORD.get(word, word) for word in map(str.lower, _PART.findall(name)) if word not in _EMPTY_WORDS]
    return ["" if word.isdigit() or len(word) == 1 or word in _SIDES else word for word in words]


def name_questions(frames_by_file: Mapping[str, Sequence[str]]) -> tuple[NameQuestion, ...]:
    """Return the pairs of names in different files that may mean the same frame, and that no file has both.

    >>> name_questions({"a": ("cam0", "cam1"), "b": ("camera0", "cam1")})[0].names
    ('cam0', 'camera0')
    >>> name_questions({"a": ("cam0", "camera0"), "b": ("camera0",)})
    ()
    """
    questions: dict[tuple[str, str], NameQuestion] = {}
    having: dict[str, list[str]] = {}
    for file, names in frames_by_file.items():
        for name in names:
            having.setdefault(name, []).append(file)
    alike: dict[tuple[str, ...], list[str]] = {}
    for name in having:
        alike.setdefault(name_key(name), []).append(name)
    for group in alike.values():
        for first, second in itertools.combinations(group, 2):
            if set(having[first]).isdisjoint(having[second]) and len(questions) < MOST_QUESTIONS:
                questions[first, second] = NameQuestion((first, second), (having[first][0], having[second][0]))
    return tuple(questions.values())
