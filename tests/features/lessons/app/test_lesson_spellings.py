"""Wrong spellings in lessons: units, commands of TeX and backslashes, each with a message that names the right one."""

from pathlib import Path

import pytest

from framescope.features.lessons.app.lesson_lookup import read_lesson
from framescope.features.lessons.core.lesson import LessonError

POINT = "{form: point, ask: Point along it., frame: aircraft, axis: [0, 1, 0], tolerance: 15 degs}"
TURN = "{form: turn, ask: Turn it., frame: aircraft, at: 9 s, tolerance: 15 degs}"
SKETCH = "{form: sketch, ask: Draw it., signal: %s, start: 0 s, end: 9 s}"
NUMBER = "{form: number, ask: How far?, value: 77, unit: %s, tolerance: 1}"
NO_COMMAND = " is no command of TeX, and is shown as it is written. Write"
ROLL = "angular velocity of aircraft relative to world resolved in aircraft in %s"


def said(folder: Path, text: str = "Look at it.", question: str = "", time: str = "0 s") -> list[str]:
    """Return the faults and the advice of a lesson of one step, with their hints."""
    block = f"scene: aircraft\ntime: {time}\nhide: [arcs]\n" + (f"question: {question}\n" if question else "")
    path = folder / "one.lesson.md"
    path.write_text(f"# One\n\n## A step\n\n{text}\n\n```yaml\n{block}```\n", encoding="utf-8")
    try:
        problems = list(read_lesson(path).advice())
    except LessonError as error:
        problems = list(error.problems)
    return [f"{problem.message} {problem.hint}" for problem in problems]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"question": POINT}, '"degs" is no unit of angle. Did you mean "deg"?'),
        ({"question": TURN}, '"degs" is no unit of angle. Did you mean "deg"?'),
        ({"time": "0 sec"}, '"sec" is no unit of time. Did you mean "s"?'),
        ({"question": NUMBER % "deg/sec"}, '"deg/sec" is written deg/s. Write unit: deg/s.'),
        ({"question": SKETCH % (ROLL % "deg/sec")}, '"deg/sec" is no unit of angular velocity. Did you mean "deg/s"?'),
        ({"question": SKETCH % (ROLL % "boxes")}, 'there is no frame "aircraft in boxes".'),
        ({"text": "It is $\\dotpsi$."}, "\\dotpsi" + NO_COMMAND + " \\dot\\psi."),
        ({"text": "$\\Cos b$"}, "\\Cos" + NO_COMMAND + " \\cos."),
        ({"text": "$\\omgea$"}, "\\omgea" + NO_COMMAND + " \\omega."),
        ({"text": "$\\xyzzyq$"}, "\\xyzzyq" + NO_COMMAND + " such as \\dot\\psi."),
        ({"question": (NUMBER % "deg").replace("How far?", '"How far is $\\psi$?"')}, "In single quotes"),
    ],
)  # fmt: skip
def test_that_a_wrong_spelling_has_a_message_with_the_right_one(step: dict, message: str, tmp_path: Path) -> None:
    (first, *others) = said(tmp_path, **step)
    assert message in first
    assert others == []


def test_that_a_command_is_reported_once_a_step(tmp_path: Path) -> None:
    assert len(said(tmp_path, "$\\dotpsi$ and $\\dotpsi + \\dotpsi$")) == 1
