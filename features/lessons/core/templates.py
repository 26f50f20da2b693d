"""Templates of questions: each kind with the names of its scene, ready to be changed."""

from __future__ import annotations

from typing import Any

from framescope.core.evaluation.signal_parser import SignalTextError, parse_signal
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.core.scene.schema.signal_kinds import all_signals

KINDS = {
    "choose": "Choose one of several answers",
    "number": "Type a number",
    "turn": "Turn a frame",
    "point": "Point along a direction",
    "sketch": "Sketch a curve",
}
"""Kinds of questions, with their words in the window."""

MAX_SIGNALS = 200
"""Largest number of texts of signals that are offered for a scene."""


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


def signal_texts(scene: Scene) -> list[str]:
    """Return texts of signals of a scene: of each frame relative to its parent, and of each other item.

    >>> from framescope.core.scene.schema.model import Frame
    >>> signal_texts(Scene(frames={"tip": Frame(parent="world")}))[0]
    'position of tip relative to world resolved in world in m'
    """
    texts: list[str] = []
    for signal in all_signals().values():
        for name in getattr(scene, signal.item) if signal.item else ():
            of = f"{signal.name} of {_quoted(name)}"
            parent = _quoted(scene.frames[name].parent) if signal.item == "frames" else ""
            ends = f"{' by ZYX' if signal.has_sequence else ''}{f' in {signal.unit}' if signal.unit else ''}"
            of_frames = (f"{of} relative to {parent} resolved in {parent}", f"{of} relative to {parent}", of)
            forms = [f"{form}{end}" for form in of_frames for end in dict.fromkeys((ends, ""))]
            text = next((form for form in forms if _is_signal(form, scene)), "")
            texts += [text] if text else []
            if len(texts) >= MAX_SIGNALS:
                return texts
    return texts


def _is_signal(text: str, scene: Scene) -> bool:
    try:
        parse_signal(text, scene)
    except SignalTextError:
        return False
    return True
