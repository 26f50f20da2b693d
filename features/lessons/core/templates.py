"""Templates of questions: each kind with the names of its scene, ready to be changed."""

from __future__ import annotations

from typing import Any

import yaml

from framescope.core.scene.schema.model import WORLD, Scene
from framescope.features.lessons.core.editing import WIDTH

KINDS = {
    "choose": "Choose one of several answers",
    "number": "Type a number",
    "turn": "Turn a frame",
    "point": "Point along a direction",
    "sketch": "Sketch a curve",
}
"""Kinds of questions, with their words in the window."""

_FENCE = "```"


def question_template(kind: str, scene: Scene, frame: str, t: float, end: float) -> dict[str, Any]:
    """Return a question of a kind about a frame of a scene, which can be played at once.

    Parameters
    ----------
    kind
        A key of `KINDS`.
    scene
        Scene of the step.
    frame
        Selected frame. Without one, or with the world, the last frame of the scene is taken.
    t, end
        Time of the step and end of the scene, s.
    """
    name = frame if frame in scene.frames else next(reversed(scene.frames), WORLD)
    parent = WORLD if name == WORLD else scene.frames[name].parent
    later = f"{round(end if end > t else t + 1.0, 3):g} s"
    question: dict[str, Any] = {"form": kind, "ask": f"What happens to {name}?"}
    match kind:
        case "choose":
            question["options"] = [
                {"text": "The right answer", "right": True, "reply": "Why it is right."},
                {"text": "A usual error", "reply": "What leads to it."},
            ]
        case "number":
            question |= {"value": 1, "unit": "deg", "tolerance": 0.1}
            question["misreadings"] = [{"value": -1, "reply": "What leads to this number."}]
        case "turn":
            question |= {
                "frame": name,
                "to": {"form": "axes", "sequence": "ZYX", "angles": [30, 20, 10], "unit": "deg"},
            }
        case "point":
            question |= {"frame": name, "axis": [0, 0, 1]}
            question["misreadings"] = [{"axis": [1, 0, 0], "reply": "What leads to this direction."}]
        case _:
            signal = f"position of {_quoted(name)} relative to {_quoted(parent)} resolved in {_quoted(parent)} in m"
            question |= {"signal": signal, "component": "x", "start": f"{round(t, 3):g} s", "end": later}
            question["misreadings"] = [{"expression": "0*t", "reply": "What leads to this curve."}]
    return question | {"hints": ["What to look at."]}


def _quoted(name: str) -> str:
    words = ("relative to", "resolved in", " by ", " in ", "through")
    return f'"{name}"' if any(word in f" {name} " for word in words) else name


def with_question(source: str, question: dict[str, Any]) -> str:
    r"""Return the text of a step with a question in place of the one that it has, if any.

    >>> print(with_question("## A\n\n```yaml\ntime: 3 s\nquestion: {form: x}\nnotes: n\n```\n", {"ask": "Why?"}))
    ## A
    <BLANKLINE>
    ```yaml
    time: 3 s
    notes: n
    question:
      ask: Why?
    ```
    <BLANKLINE>
    """
    lines = source.rstrip("\n").split("\n")
    begin = next((i for i, line in enumerate(lines) if line.strip() == f"{_FENCE}yaml"), None)
    if begin is None:
        lines += ["", f"{_FENCE}yaml", _FENCE]
        begin = len(lines) - 2
    end = next((i for i in range(begin + 1, len(lines)) if lines[i].strip() == _FENCE), len(lines))
    kept: list[str] = []
    is_old = False
    for line in lines[begin + 1 : end]:
        is_old = line.startswith("question:") or (is_old and (not line.strip() or line[0] in " -#"))
        kept += [] if is_old else [line]
    text = yaml.safe_dump({"question": question}, sort_keys=False, width=WIDTH, allow_unicode=True)
    return "\n".join([*lines[: begin + 1], *kept, text.rstrip("\n"), *lines[end:]]) + "\n"
