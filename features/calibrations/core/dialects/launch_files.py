"""Lines of `static_transform_publisher` in shell scripts and launch files of ROS 1 and ROS 2.

The transform takes points of the child to the parent. In order the arguments are ``x y z yaw pitch roll parent child``
or ``x y z qx qy qz qw parent child``, in ROS 1 with a period in milliseconds at the end. Named, they are ``--x`` to
``--frame-id`` and ``--child-frame-id``. Files are read as text and never run: a line whose arguments depend on other
values, such as ``$(arg x)`` or a variable, is reported and left out.
"""

from __future__ import annotations

import ast
import itertools
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from framescope.core.errors import KeyPath, Problem, visible_text
from framescope.core.readings.angle_units import AngleRemark, angle_remark
from framescope.core.readings.numerals import NUMBER
from framescope.core.readings.ros_texts import PublisherArguments, publisher_arguments
from framescope.core.scene.files.yaml_reading import Span
from framescope.core.system.xml_elements import Element, read_elements
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Edge, Turn
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.length_checks import length_problems
from framescope.features.calibrations.core.numbers_in_text import new_number
from framescope.features.calibrations.core.pose_numbers import (
    angles_of,
    check_pair,
    frame_name,
    pose_of_angles,
    pose_of_quaternion,
    quaternion_of,
    rounded,
)
from framescope.features.calibrations.core.tree_writing import PlacedFrame, launch_python
from framescope.features.calibrations.core.yaml_texts import read_yaml, replace_spans

PUBLISHER = "static_transform_publisher"

MAX_PYTHON = 200_000
"""Largest number of characters of a launch file in Python, which its parser holds as a tree in memory."""

MAX_LINES = 20_000
"""Largest number of publishers of a file."""

_PLAIN_NUMBER = re.compile(NUMBER)
_OPEN = re.compile(r"\$|`|\{\{|%\(")
"""Marks of values that other parts of a launch file or a shell fill in."""

_XML_NODE = re.compile(rb"<(?:node|executable|launch)\b")
_SHELL_LINE = re.compile(
    rb"^[^#\n]*?(?:\b(?:rosrun|ros2[ \t]+run)[ \t]+(?:tf|tf2_ros)[ \t]+static_transform_publisher\b"
    rb"|^[ \t]*(?:\S*/)?static_transform_publisher[ \t]+[-+.\d])",
    re.MULTILINE,
)
_YAML_NODE = re.compile(rb"[\"']?\bexec(?:utable)?[\"']?[ \t]*:[ \t]*[\"']?static_transform_publisher")
_PYTHON_CALL = re.compile(rb"\b(?:Node|ExecuteProcess|LaunchDescription)\s*\(")


def is_launch_file(head: bytes) -> bool:
    """Return whether a text starts publishers of static transforms."""
    if b"\0" in head or PUBLISHER.encode() not in head:
        return False
    return _language(head) is not None


def _language(data: bytes) -> str | None:
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<":
        return "XML" if _XML_NODE.search(data) else None
    if _PYTHON_CALL.search(data):
        return "Python"
    if _YAML_NODE.search(data):
        return "YAML"
    return "shell" if _SHELL_LINE.search(data) else None


@dataclass(frozen=True, eq=False)
class _Word:
    """Argument of a publisher: its text, and its span in the file; None if the file does not hold it as it is."""

    text: str
    span: Span | None


@dataclass(frozen=True, eq=False)
class _Line:
    """Publisher in a file: its line, from 1, its arguments, why they are open (else empty), and its condition."""

    line: int
    words: tuple[_Word, ...] = ()
    open: str = ""
    condition: str = ""


def read(source: Source) -> Calibration:
    """Return the poses of the publishers in a file; those whose arguments are open become problems."""
    lines = _lines(source.text)
    edges: list[Edge] = []
    problems: list[Problem] = []
    for entry, line in _entries(lines):
        try:
            edge, _, faults = _edge(line, entry)
        except CalibrationError as error:
            hint = "The other lines are read. Enter this pose as a frame."
            message = str(error).removeprefix(f"{entry}: ")
            problems.append(Problem((entry,), message, hint, line=line.line, kind="open-line"))
            continue
        edges.append(edge)
        problems += faults
        if line.condition:
            message = f"it starts only under a condition: {line.condition}."
            problems.append(Problem((entry,), message, severity="note", line=line.line, kind="condition"))
    problems += length_problems(edges, {entry: line.line for entry, line in _entries(lines)})
    if not edges:
        reason = f" {problems[0].message}" if problems else ""
        raise CalibrationError(f"{source.name}: no {PUBLISHER} with numbers could be read.{reason}")
    return Calibration("static_transform_publisher", tuple(edges), problems=tuple(problems))


def _entries(lines: Sequence[_Line]) -> Iterator[tuple[str, _Line]]:
    """Yield the publishers with the names of their places: ``"line 3"``, and ``"line 3 (2)"`` for the second there."""
    count: dict[int, int] = {}
    for line in lines:
        n = count[line.line] = count.get(line.line, 0) + 1
        yield f"line {line.line}" + (f" ({n})" if n > 1 else ""), line


def _lines(text: str) -> list[_Line]:
    language = _language(text.encode("utf-8", "replace"))
    readers: Mapping[str | None, Callable[[str], Iterator[_Line]]] = {
        "XML": _xml_lines,
        "Python": _python_lines,
        "YAML": _yaml_lines,
        "shell": _shell_lines,
    }
    if language is None:
        raise CalibrationError(f"expected lines of {PUBLISHER}.")
    lines: list[_Line] = []
    for line in readers[language](text):
        lines.append(line)
        if len(lines) > MAX_LINES:
            raise CalibrationError(f"the file has more than {MAX_LINES:,} publishers.")
    return lines


# --- Arguments


def _edge(line: _Line, entry: str) -> tuple[Edge, PublisherArguments, tuple[Problem, ...]]:
    """Return the edge of a publisher, with its arguments."""
    if line.open:
        raise CalibrationError(line.open)
    words = [word.text for word in line.words]
    if "--ros-args" in words:
        words = words[: words.index("--ros-args")]
    filled = next((word for word in words if _OPEN.search(word)), None)
    if filled is not None:
        raise CalibrationError(f"its arguments are open: {visible_text(filled)[:60]} is filled in when it starts.")
    _check_commas(words)
    arguments = publisher_arguments(words)
    expected = "expected x y z, yaw pitch roll or qx qy qz qw, parent and child"
    if arguments is None:
        raise CalibrationError(f"{expected}, got {visible_text(' '.join(words))[:80]!r}.")
    _check_arguments(words, arguments, expected)
    parent, child = (frame_name(name, entry) for name in (arguments.parent, arguments.child))
    check_pair(parent, child, entry)
    numbers = list(map(float, arguments.numbers.values()))
    if arguments.is_quaternion:
        X, problems = pose_of_quaternion(numbers[3:], numbers[:3], entry)
        turn = Turn("quaternion", tuple(numbers[3:]), "xyzw")
        return Edge(parent, child, X, entry, turn=turn), arguments, problems
    X = pose_of_angles(numbers[3:], numbers[:3], entry)
    remark = angle_remark(numbers[:2:-1])
    problems = () if remark is None else (_large_angle(remark, entry, line.line, numbers[3:]),)
    return Edge(parent, child, X, entry, turn=Turn("angles", tuple(numbers[3:]), "ZYX")), arguments, problems


def _large_angle(remark: AngleRemark, entry: str, line: int, ypr: Sequence[float]) -> Problem:
    radians = ", ".join(
        f"{name} {math.radians(angle):.6g}" for name, angle in zip(("yaw", "pitch", "roll"), ypr, strict=True)
    )
    hint = f"Angles are in radians: write {radians} if degrees are meant."
    return Problem((entry,), remark.message, hint, remark.severity, line, kind="large-angle")


_COMMA = re.compile(r"[-+]?\d+,\d+\Z")


def _check_commas(words: Sequence[str]) -> None:
    """Raise a `CalibrationError` where a number has a decimal comma."""
    word = next((word for word in words if _COMMA.match(word)), None)
    if word is not None:
        raise CalibrationError(f"{word[:40]} has a decimal comma. Write {word[:40].replace(',', '.')}.")


def _check_arguments(words: Sequence[str], arguments: PublisherArguments, expected: str) -> None:
    """Raise a `CalibrationError` where the publisher would not read the same numbers."""
    for name, (i, offset) in arguments.places.items():
        if _PLAIN_NUMBER.fullmatch(words[i][offset:]) is None:
            raise CalibrationError(f"{name} is {words[i][offset:][:40]!r}, expected a number.")
    if not (arguments.parent and arguments.child):
        raise CalibrationError(f"{expected}: a name of a frame is missing.")
    if any(word.startswith("--") for word in words):
        _check_options(words, arguments)
        return
    if arguments.places["x"] != (0, 0):
        raise CalibrationError(f"{expected}: the first argument is {words[0][:40]!r}.")
    extra = [words[i] for i in arguments.rest if ":=" not in words[i]]
    if len(extra) > 1 or (extra and _PLAIN_NUMBER.fullmatch(extra[0]) is None):
        raise CalibrationError(f"{expected}, then at most a period: got {extra[-1][:40]!r}, too.")


_OPTIONS = {"x", "y", "z", "qx", "qy", "qz", "qw", "roll", "pitch", "yaw", "frame-id", "child-frame-id"}


def _check_options(words: Sequence[str], arguments: PublisherArguments) -> None:
    names: list[str] = []
    waiting = iter(words)
    for word in waiting:
        name, equals, _ = word.removeprefix("--").partition("=")
        if not word.startswith("--") or name not in _OPTIONS:
            raise CalibrationError(f"unknown argument {word[:40]!r}, expected --x to --child-frame-id.")
        if name in names:
            raise CalibrationError(f"--{name} is there twice.")
        if not equals:
            next(waiting, "")
        names.append(name)
        if not name.endswith("frame-id") and name not in arguments.places:
            raise CalibrationError(f"--{name}: expected a number.")
    if arguments.is_quaternion and {"roll", "pitch", "yaw"} & set(names):
        raise CalibrationError("its orientation is there twice, as a quaternion and as angles.")


# --- Shell


_SHELL_WORD = re.compile(
    r"(?:\$\([^()\n]{0,200}\)|[^\s\"'\\;&|<>()#]|(?<=\S)#|\\[^\n]|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')+"
    r"|[;&|<>()]|#[^\n]*|\\\n|\n"
)
_PUBLISHER_WORD = re.compile(rf"(?:\S*/)?{PUBLISHER}")


def _shell_lines(text: str) -> Iterator[_Line]:
    words: list[_Word] | None = None
    line, at, position = 0, 1, 0
    for match in _SHELL_WORD.finditer(text):
        part = match[0]
        if part == "\\\n":
            continue
        if part in tuple("\n;&|<>()") or part.startswith("#"):
            if words is not None:
                yield _Line(line, tuple(words))
            words = None
        elif words is None and _PUBLISHER_WORD.fullmatch(_unquoted(part)):
            at, position = at + text.count("\n", position, match.start()), match.start()
            words, line = [], at
        elif words is not None:
            plain = _unquoted(part)
            start = match.start() + (part.find(plain) if plain in part else 0)
            words.append(_Word(plain, (start, start + len(plain)) if plain in part else None))
    if words is not None:
        yield _Line(line, tuple(words))


def _unquoted(token: str) -> str:
    return re.sub(
        r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|\\(.)", lambda match: match[1] or match[2] or match[3] or "", token
    )


# --- XML


def _xml_lines(text: str) -> Iterator[_Line]:
    data = text.encode()
    byte = char = 0
    waiting = [(read_elements(data), "")]
    while waiting:  # in the order of the file
        element, outer = waiting.pop()
        own = [f'{key}="{element.attributes[key]}"' for key in ("if", "unless") if key in element.attributes]
        under = " and ".join(filter(None, (outer, *own)))
        waiting += [(child, under) for child in reversed(element.children)]
        runs = element.get("type") or element.get("exec") or ""
        if element.tag == "node" and runs == PUBLISHER:
            key = "args"
        elif element.tag == "executable" and PUBLISHER in (element.get("cmd") or ""):
            key = "cmd"
        else:
            continue
        char += len(data[byte : element.start].decode("utf-8", "replace"))
        byte = element.start
        yield _xml_line(element, key, text, char, under)


def _xml_line(element: Element, key: str, text: str, start: int, condition: str) -> _Line:
    """Return the publisher of an element, whose tag starts at an offset of the text."""
    value = element.attributes.get(key)
    if value is None:
        return _Line(element.line, open="it has no args.", condition=condition)
    match = re.compile(rf"\s{key}\s*=\s*(?:\"([^\"]*)\"|'([^']*)')").search(text, start)
    group = 0 if match is None else match.lastindex or 0
    raw, at = ("", start) if match is None else (match[group], match.start(group))
    words = _words_in(value, raw, at)
    names = [i for i, word in enumerate(words) if _PUBLISHER_WORD.fullmatch(word.text)]
    line = element.line + text.count("\n", start, at)
    return _Line(line, words[names[0] + 1 :] if key == "cmd" and names else words, condition=condition)


def _words_in(value: str, raw: str, at: int) -> tuple[_Word, ...]:
    """Return the words of a value; their spans where the raw text of the file, from an offset on, has the same."""
    pattern = re.compile(r"(?:[^\s\"'$]|\$\([^()]{0,200}\)|\$|\"[^\"]*\"|'[^']*')+")
    written = [(match[0], match.start()) for match in pattern.finditer(raw)]
    words = [match[0] for match in pattern.finditer(value)]
    is_same = [word for word, _ in written] == words
    spans = [(at + start, at + start + len(word)) for word, start in written] if is_same else [None] * len(words)
    return tuple(_trimmed(word, span) for word, span in zip(words, spans, strict=True))


def _trimmed(word: str, span: Span | None) -> _Word:
    """Return a word without quotes around it."""
    if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'":
        return _Word(word[1:-1], None if span is None else (span[0] + 1, span[1] - 1))
    return _Word(word, span)


# --- YAML


def _yaml_lines(text: str) -> Iterator[_Line]:
    document = read_yaml(text, "the launch file")

    def walk(data: Any, path: KeyPath) -> Iterator[_Line]:
        if isinstance(data, list):
            for i, item in enumerate(cast("list[Any]", data)):
                yield from walk(item, (*path, i))
        elif isinstance(data, dict):
            node = cast("dict[str, Any]", data)
            if PUBLISHER in (node.get("exec"), node.get("executable")):
                yield _yaml_line(node, path, text, document.spans, document.lines.get((*path, "args"), 1))
            for key, value in node.items():
                yield from walk(value, (*path, key))

    yield from walk(document.data, ())


def _yaml_line(node: Mapping[str, Any], path: KeyPath, text: str, spans: Mapping[KeyPath, Span], line: int) -> _Line:
    condition = " and ".join(f'{key}="{node[key]}"' for key in ("if", "unless") if key in node)
    value, span = node.get("args"), spans.get((*path, "args"))
    if not isinstance(value, str) or span is None:
        return _Line(line, open="it has no args as text.", condition=condition)
    raw = text[slice(*span)]
    quote = 1 if raw[:1] in ("'", '"') else 0
    return _Line(line, _words_in(value, raw[quote : len(raw) - quote], span[0] + quote), condition=condition)


# --- Python


def _python_lines(text: str) -> Iterator[_Line]:
    rows = text.split("\n")
    starts = list(itertools.accumulate((len(row) + 1 for row in rows), initial=0))

    def span(node: ast.expr) -> Span:
        ends: list[int] = []
        for line, column in ((node.lineno, node.col_offset), (node.end_lineno or 1, node.end_col_offset or 0)):
            ends.append(starts[line - 1] + len(rows[line - 1].encode()[:column].decode("utf-8", "replace")))
        return ends[0], ends[1]

    calls = [node for node in ast.walk(_parsed(text)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
        if _is_publisher(keywords.get("executable", keywords.get("node_executable"))):
            condition = "a condition of the launch file" if "condition" in keywords else ""
            yield _python_line(call, keywords.get("arguments"), text, span, condition)
        elif isinstance(items := keywords.get("cmd"), ast.List):
            names = [i for i, item in enumerate(items.elts) if _is_publisher(item)]
            if names:
                rest = ast.List(items.elts[names[0] + 1 :], items.ctx)
                yield _python_line(call, ast.copy_location(rest, items), text, span, "")


def _parsed(text: str) -> ast.Module:
    """Return the syntax tree of a text in Python, which is not run."""
    if len(text) > MAX_PYTHON:
        raise CalibrationError(f"a launch file in Python has at most {MAX_PYTHON:,} characters.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes in the texts of the file
            return ast.parse(text)
    except SyntaxError as error:
        raise CalibrationError(f"line {error.lineno or 1}: it is no valid Python: {error.msg}.") from None
    except (ValueError, RecursionError, MemoryError):
        raise CalibrationError("it is no valid Python, or nested too deeply.") from None


def _is_publisher(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value == PUBLISHER


def _python_line(
    call: ast.Call, arguments: ast.expr | None, text: str, span: Callable[[ast.expr], Span], condition: str
) -> _Line:
    line = call.lineno if arguments is None else arguments.lineno
    if arguments is None:
        return _Line(line, open="it has no arguments.", condition=condition)
    if (split := _split_text(arguments)) is not None:
        start, end = span(split)
        words = _words_in(cast("str", split.value), text[start + 1 : end - 1], start + 1)
        return _Line(line, words, condition=condition)
    if not isinstance(arguments, ast.List | ast.Tuple):
        return _Line(line, open=f"its arguments are open: {_code(arguments)} is no list.", condition=condition)
    words_: list[_Word] = []
    for item in arguments.elts:
        value = _inside_str(item)
        try:
            literal: Any = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            literal = None
        if isinstance(literal, bool) or not isinstance(literal, str | int | float):
            reason = f"its arguments are open: {_code(item)} on line {item.lineno} is no plain text or number."
            return _Line(line, open=reason, condition=condition)
        words_.append(_python_word(str(literal), text, span(value)))
    return _Line(line, tuple(words_), condition=condition)


def _inside_str(node: ast.expr) -> ast.expr:
    """Return the argument of ``str(…)``; other expressions as they are."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str":
        return node.args[0] if len(node.args) == 1 and not node.keywords else node
    return node


def _python_word(word: str, text: str, outer: Span) -> _Word:
    """Return a word with its span in a literal, if the literal holds it once and as it is."""
    raw = text[slice(*outer)]
    inner = raw[1:-1] if raw[:1] in ("'", '"') else raw
    if inner == word:
        start = outer[0] + raw.index(word)
        return _Word(word, (start, start + len(word)))
    return _Word(word, outer if raw[:1] not in ("'", '"') and _PLAIN_NUMBER.fullmatch(raw) else None)


def _split_text(node: ast.expr) -> ast.Constant | None:
    """Return the text of ``"…".split()``; None for other expressions."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split"):
        return None
    text = node.func.value
    is_text = isinstance(text, ast.Constant) and isinstance(text.value, str)
    is_plain = all(isinstance(arg, ast.Constant) and arg.value in (None, " ") for arg in node.args)
    return text if isinstance(text, ast.Constant) and is_text and is_plain and not node.keywords else None


def _code(node: ast.expr) -> str:
    try:
        return visible_text(ast.unparse(node))[:60]
    except (ValueError, RecursionError, MemoryError):
        return "an expression"


# --- Writing


def patch(text: str, edges: tuple[Edge, ...]) -> str:
    """Return the text of a file with the numbers of some edges replaced, in the form that each line has."""
    edits: list[tuple[Span, str]] = []
    lines = dict(_entries(_lines(text)))
    for edge in edges:
        if edge.entry not in lines:
            raise CalibrationError(f"{edge.entry}: the file has no {PUBLISHER} there.")
        line = lines[edge.entry]
        _, arguments, _ = _edge(line, edge.entry)
        for name, value in _new_values(edge, arguments).items():
            place = arguments.places.get(name)
            if place is None:
                if abs(value - arguments.numbers[name]) > 1e-12:
                    raise CalibrationError(f"{edge.entry}: add --{name} 0 to the line first, which has none.")
                continue
            span = line.words[place[0]].span
            if span is None:
                raise CalibrationError(f"{edge.entry}: the file does not hold {name} as a plain number.")
            at = span[0] + place[1]
            edits.append(((at, span[1]), new_number(text[at : span[1]], value, f"{edge.entry}: {name}")))
    return replace_spans(text, edits)


def _new_values(edge: Edge, arguments: PublisherArguments) -> dict[str, float]:
    keys, old = list(arguments.numbers), list(map(float, arguments.numbers.values()))
    turn_of = quaternion_of if arguments.is_quaternion else angles_of
    turn = turn_of(edge.X_PC, edge.entry, old[3:])
    return dict(zip(keys, [*rounded(edge.X_PC.p_AB), *turn], strict=True))


def write(calibration: Calibration) -> str:
    """Return a launch file of ROS 2 in Python with a publisher for each fixed pose.

    Raises
    ------
    CalibrationError
        When there is no fixed pose.
    """
    if not calibration.edges:
        raise CalibrationError("a launch file needs fixed poses, and there are none.")
    return launch_python([PlacedFrame(edge.child, edge.parent, edge.X_PC) for edge in calibration.edges])


EXAMPLE = """\
# The lidar on the base, 1.5 m high and turned by a quarter of a turn to the left
ros2 run tf2_ros static_transform_publisher --x 0.25 --y 0 --z 1.5 --yaw 1.5707963 --pitch 0 --roll 0 \\
  --frame-id base_link --child-frame-id lidar
"""

LAUNCH_FILES = Dialect(
    "static_transform_publisher",
    "launch files and scripts with a static_transform_publisher",
    (".launch", ".xml", ".py", ".sh", ".yaml"),
    is_launch_file,
    read,
    ((PUBLISHER, "takes points of the child frame to the parent (frame-id)"),),
    EXAMPLE,
    write,
    patch,
)
