"""Scene files as no person would write them: good ones, damaged at random, and what opening one does."""

from __future__ import annotations

import itertools
import json
import os
import shutil
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import yaml

from framescope import assets
from framescope.app.cli.check_report import contents
from framescope.core.errors import SceneError
from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import load_scene
from framescope.core.simulation.result import Simulation
from framescope.core.simulation.simulate import Cancelled
from tests.support.scenes import GOOD, PROBLEMS, UNREADABLE
from tests.support.whole import WHOLE

# --- Good files

KINDS = """\
framescope: 1
time: {start: 0 s, end: 2 s}
frames:
  box:
    parent: world
    orientation: {form: quaternion, value: [0, 0, 0.6, 0.8], order: xyzw}
  plate:
    parent: box
    orientation: {form: matrix, rows: [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], maps: parent to frame}
  arm:
    parent: plate
    position: {value: ["0.3*cos(t)", 1e-3, "smoothstep(t, 0, 1)"], unit: m}
    orientation: {form: planar, axis: [0, 0, 1], angle: "90*t", unit: deg}
  hand:
    parent: arm
    orientation: {form: axis, axis: x, angle: "pulses(t, 1, 0.5)", unit: turn}
  tool:
    parent: hand
    orientation: {form: nxy, n_x: [1, 1, 0], n_y: [0, 1, 0]}
  head:
    parent: tool
    orientation: {form: rpy, angles: [10, "20*t", 30], unit: deg}
  eye:
    parent: head
    orientation: {form: extrinsic, sequence: yzx, angles: ["t", 0.2, 0], unit: rad}
  walk:
    parent: world
    motion: {form: recorded, file: walk.txt, format: tum, bandwidth: 2 Hz}
bodies:
  ball: {frame: tool, shape: {form: sphere, radius: 10 mm}, color: "#a0b1c2"}
view:
  camera: {position: [4, -4, 3], focal_point: [0, 0, 0.5], unit: m, view_angle: 30 deg}
  trails: [{frame: tool, duration: 1 s}]
  plots:
    - {signal: position, of: tool, relative_to: world, resolved_in: box, unit: mm}
"""


def seeds() -> list[str]:
    """Return the examples and the scenes of the tests."""
    examples = [path.read_text(encoding="utf-8") for path in sorted(assets.path("scenes").glob("*.yaml"))]
    broken = [text for text, *_ in (*PROBLEMS.values(), *UNREADABLE.values())]
    return [KINDS, GOOD, WHOLE, *examples, *broken]


def furnish(folder: Path) -> None:
    """Put the files of the examples into a folder, and beside them some that no scene should be able to misuse."""
    for path in assets.path("scenes").iterdir():
        if path.is_file() and path.suffix not in (".yaml", ".md"):
            shutil.copy(path, folder)
    rows = "".join(f"{0.1 * i} {i} 0 0 0 0 0 1\n" for i in range(40))
    (folder / "walk.txt").write_text(rows)
    (folder / "backwards.txt").write_text(rows + rows)
    (folder / "endless.txt").write_text("1e308 " * 8 + "\n" + rows)
    (folder / "empty.txt").write_text("")
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 40)
    (folder / "folder.txt").mkdir()
    np.savez(folder / "objects.npz", t=np.array([{}, 1], dtype=object))
    (folder / "broken.npz").write_bytes(b"PK\x03\x04" + bytes(60))
    for suffix in ("stl", "obj", "ply", "glb", "csv", "parquet"):
        (folder / f"broken.{suffix}").write_bytes(b"solid\0\xff" * 99)
    if os.name == "posix":
        os.mkfifo(folder / "pipe.txt")
        (folder / "round.txt").symlink_to("round.txt")
        (folder / "out.txt").symlink_to("/etc/hostname")
        (folder / "zero.txt").symlink_to("/dev/zero")


# --- Damage

NUMBERS = (
    *("0", "-1", "1e308", "-1e308", "5e-324", "1e999", "-1e999", ".nan", ".inf", "1e16", "0x10", "1_000", "07", "1e-9"),
    *("9" * 19, "9" * 400, "true", '"1"', "-0.0", "1e7", "1e5", "0.001", "45", "2"),
)
TOKENS = (
    *(
        "&a",
        "*a",
        "<<: *a",
        "!!python/object/apply:os.system [ls]",
        "!x",
        "%YAML 9.9",
        "---",
        "...",
        "?",
        "|",
        ">",
        "- ",
    ),
    *(
        "{",
        "[",
        "}",
        "]",
        "'",
        '"',
        ":",
        ": ",
        ",",
        "#",
        "\t",
        "~",
        "null",
        "''",
        "world",
        "\x00",
        "\x1b[31m",
        "\u202e",
    ),
    *("\ufeff", "\x85", "\u2028", "\U0001f600", "__class__", "framescope", "{}", "[]", "[[[[1]]]]", "{a: {a: {a: 1}}}"),
    *("0 s", "1e-300 s", "1e300 s", "-5 s", "1e9 m", "5", "5 furlong", "1 kHz", "1e-6 Hz", "0.1 ms", "simulated"),
)
EXPRESSIONS = (
    *(
        "t",
        "1/0",
        "0/0",
        "sqrt(-1)",
        "exp(exp(exp(t)))",
        "t**t**t**t**t",
        "9**9**9**9",
        "log(0)",
        "tan(pi/2)",
        "1e308*10",
    ),
    *(
        "(" * 60 + "t" + ")" * 60,
        "t+" * 400 + "t",
        "-" * 300 + "t",
        "sin(" * 45 + "t" + ")" * 45,
        "t" * 2000,
        "sin",
        "t(",
    ),
    *(
        "__import__('os').system('ls')",
        "t.__class__",
        "lambda: 0",
        "t if t else 0",
        "x",
        "max(t)",
        "pulse(t, 1, 0)",
        "",
    ),
    *(
        "1e999",
        "pulses(t, 0, 0)",
        "smoothstep(t, 1, 1)",
        "min(" + "t, " * 200 + "t)",
        "0*(1/0)",
        "abs(-t)**0.5",
        "t # a",
    ),
)
FILES = (
    *(
        "walk.txt",
        "../walk.txt",
        "/etc/passwd",
        "/etc/hosts.txt",
        "~/walk.txt",
        "C:\\a.txt",
        "\\\\server\\share\\a.txt",
    ),
    *("//server/share/a.csv", "http://example.org/a.csv", "file:///etc/hostname.txt", "/dev/zero", "NUL", "con.txt"),
    *(
        "pipe.txt",
        "round.txt",
        "out.txt",
        "zero.txt",
        "folder.txt",
        "empty.txt",
        "binary.txt",
        "endless.txt",
        ".",
        "..",
    ),
    *(
        "backwards.txt",
        "objects.npz",
        "broken.npz",
        "broken.csv",
        "broken.stl",
        "broken.parquet",
        "a\0b.txt",
        "a" * 300,
    ),
    *("x/" * 400 + "a.txt", "walk.txt/", "sub\\walk.txt", "walk.txt.", "", " ", "walk.exe", "wlak.txt", "broken.glb"),
)
VALUES: tuple[object, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1e308,
        float("inf"),
        float("nan"),
        10**18,
        10**30,
        "",
        "text",
        "5*t",
        "t" * 5000,
        [],
        {},
    ),
    *([1, 2, 3], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0] * 500, {"form": "axes"}, {"form": None}, {"value": [0, 0, 0]}),
    *(
        [{}],
        {"": 1},
        {"a\nb": 1},
        ["t", "t", "t"],
        "1 m",
        "1 s",
        {str(i): i for i in range(300)},
        [[[[[[]]]]]],
        "world",
    ),
)

Mutation = Callable[[Random, str, list[str]], str | bytes]


def _line_edited(random: Random, text: str, _seeds: list[str]) -> str:
    lines = text.splitlines(keepends=True) or [""]
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(5):
        case 0:
            del lines[i]
        case 1:
            lines.insert(j, lines[i])
        case 2:
            lines[i], lines[j] = lines[j], lines[i]
        case 3:
            lines[i] = " " * random.randrange(9) + lines[i].lstrip(" ")
        case _:
            lines[i:i] = lines[min(i, j) : max(i, j)] * random.choice((1, 2, 30))
    return "".join(lines)


def _cut(random: Random, text: str, _seeds: list[str]) -> str:
    i, j = sorted((random.randrange(len(text) + 1), random.randrange(len(text) + 1)))
    return random.choice((text[:i], text[i:], text[:i] + text[j:], text[:j] + text[i:]))


def _spliced(random: Random, text: str, seeds: list[str]) -> str:
    other = random.choice(seeds).splitlines(keepends=True)
    lines = text.splitlines(keepends=True)
    i, j = random.randrange(len(lines) + 1), random.randrange(len(other) + 1)
    return "".join(lines[:i] + other[j:] + random.choice(([], lines[i:])))


def _words(text: str) -> list[tuple[int, int]]:
    """Return where the pieces between blanks, brackets, commas and quotes begin and end."""
    places, start = [], None
    for i, mark in enumerate(text + " "):
        is_part = mark not in ' \n,:[]{}"'
        if is_part and start is None:
            start = i
        elif not is_part and start is not None:
            places.append((start, i))
            start = None
    return places or [(0, 0)]


def _token_replaced(random: Random, text: str, _seeds: list[str]) -> str:
    i, j = random.choice(_words(text))
    return text[:i] + random.choice(TOKENS) + text[random.choice((i, j)) :]


def _word_moved(random: Random, text: str, _seeds: list[str]) -> str:
    places = _words(text)
    (i, j), (k, m) = random.choice(places), random.choice(places)
    return text[:i] + text[k:m] + text[j:]


def _number_changed(random: Random, text: str, _seeds: list[str]) -> str:
    places = [(i, j) for i, j in _words(text) if text[i:j].lstrip("+-.")[:1].isdigit()]
    if not places:
        return text
    i, j = random.choice(places)
    return text[:i] + random.choice((*NUMBERS, str(random.randint(-400, 400)), repr(random.gauss(0, 10)))) + text[j:]


def _bytes_flipped(random: Random, text: str, _seeds: list[str]) -> bytes:
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(random.choice((1, 1, 2, 8, 64))):
        if data:
            data[random.randrange(len(data))] = random.randrange(256)
    return bytes(data)


def _encoded(random: Random, text: str, _seeds: list[str]) -> bytes:
    text = text.encode("utf-8", "replace").decode()
    match random.randrange(6):
        case 0:
            return text.encode("utf-16")
        case 1:
            return b"\xef\xbb\xbf" + text.encode()
        case 2:
            return text.replace("\n", "\r\n").encode()
        case 3:
            return text.replace("\n", "\r").encode()
        case 4:
            return text.encode("utf-32")
        case _:
            return text.encode() + b"\xc3"


def _nested(random: Random, text: str, _seeds: list[str]) -> str:
    i, j = random.choice(_words(text))
    n = random.choice((5, 30, 45, 200, 20_000))
    opening, closing = random.choice((("[", "]"), ("{a: ", "}"), ("[{a: ", "}]"), ("- ", ""), ("? ", ""), ("{", "")))
    return text[:i] + opening * n + text[i:j] + closing * n + text[j:]


def _repeated(random: Random, text: str, _seeds: list[str]) -> str:
    """Return much of the same: many frames in a chain, many keys, a long list, or a long text."""
    n = random.choice((50, 300, 1500))
    match random.randrange(6):
        case 0:
            chain = (f"  c{i}: {{parent: {f'c{i - 1}' if i else 'world'}}}\n" for i in range(n))
            return text.replace("frames:\n", "frames:\n" + "".join(chain), 1)
        case 1:
            circle = (f"  c{i}: {{parent: c{(i + 1) % n}}}\n" for i in range(n))
            return text.replace("frames:\n", "frames:\n" + "".join(circle), 1)
        case 2:
            lost = (f"  c{i}: {{parent: lost{i}}}\n" for i in range(n))
            return text.replace("frames:\n", "frames:\n" + "".join(lost), 1)
        case 3:
            return text + "".join(f"key{i}: {i}\n" for i in range(n))
        case 4:
            i, j = random.choice(_words(text))
            return text[:i] + "[" + (text[i:j] + ", ") * n + "]" + text[j:]
        case _:
            i, j = random.choice(_words(text))
            return text[:i] + text[i:j] * n + text[j:]


def key_paths(data: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *itertools.chain.from_iterable(key_paths(value, (*path, key)) for key, value in pairs)]


def set_value(data: object, path: tuple[str | int, ...], value: object) -> object:
    if not path:
        return value
    *above, last = path
    at = data
    for key in above:
        at = at[key]
    at[last] = value
    return data


def _get(data: object, path: tuple[str | int, ...]) -> object:
    for key in path:
        data = data[key]
    return data


def as_data(text: str) -> dict | None:
    if len(text) > 200_000 or max(map(text.count, "[{&")) > 2000:  # deep nesting takes libyaml minutes
        return None
    try:
        data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _at_key_path(random: Random, text: str, seeds: list[str], choose: Callable[[object, dict], object]) -> str:
    data = as_data(text) or as_data(random.choice(seeds[:2])) or {}
    paths = [path for path in key_paths(data) if path]
    path = random.choice(paths) if paths else ()
    return json.dumps(
        set_value(data, path, choose(_get(data, path), data)), ensure_ascii=random.random() < 0.5, default=str
    )


def _wrong_type(random: Random, text: str, seeds: list[str]) -> str:
    return _at_key_path(random, text, seeds, lambda _old, _data: random.choice(VALUES))


def _moved(random: Random, text: str, seeds: list[str]) -> str:
    return _at_key_path(random, text, seeds, lambda _old, data: deepcopy(_get(data, random.choice(key_paths(data)))))


def _replaced_where(
    random: Random, text: str, is_meant: Callable[[tuple[str | int, ...], object], bool], new: str
) -> str:
    data = as_data(text) or as_data(KINDS) or {}
    paths = [path for path in key_paths(data) if path and is_meant(path, _get(data, path))]
    return json.dumps(set_value(data, random.choice(paths), new), default=str) if paths else text


def _expression_changed(random: Random, text: str, _seeds: list[str]) -> str:
    new = random.choice(EXPRESSIONS)
    if random.random() < 0.3:
        new = "".join(random.choice("t0123.+-*/(), sincoexplgqrt") for _ in range(random.randrange(1, 60)))
    return _replaced_where(random, text, lambda path, _value: bool({"value", "angles", "angle", "w"} & set(path)), new)


def _file_changed(random: Random, text: str, _seeds: list[str]) -> str:
    if "file:" not in text and '"file"' not in text:
        text = KINDS
    return _replaced_where(random, text, lambda path, _value: path[-1] in ("file", "times"), random.choice(FILES))


MUTATIONS: Mapping[str, Mutation] = {
    "lines": _line_edited,
    "cuts": _cut,
    "splices": _spliced,
    "tokens": _token_replaced,
    "words": _word_moved,
    "numbers": _number_changed,
    "bytes": _bytes_flipped,
    "encodings": _encoded,
    "nesting": _nested,
    "repetition": _repeated,
    "types": _wrong_type,
    "moved values": _moved,
    "expressions": _expression_changed,
    "file names": _file_changed,
}
MAX_TEXT = 12_000_000


def mutant(number: int, seeds: list[str]) -> bytes:
    """Return the file of a number: always the same for the same seeds."""
    random = Random(number)
    text: str | bytes = random.choice(seeds)
    for _ in range(random.choice((1, 1, 1, 2, 3, 5))):
        if isinstance(text, bytes):
            break
        text = random.choice(list(MUTATIONS.values()))(random, text, seeds)[:MAX_TEXT]
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


# --- Opening


@dataclass(frozen=True)
class Opened:
    """What became of a file: `outcome` is ``"scene"``, ``"problems"`` or ``"refused"``; `jobs` are its simulations."""

    outcome: str
    jobs: tuple[SimulationJob, ...] = ()


def open_file(path: Path) -> Opened:
    """Do with a file what ``framescope check`` does, and show it at some times; simulations are left to be run."""
    try:
        loaded = load_scene(path)
    except SceneError as error:
        return Opened("refused" if _is_told(error) else "refused without a word")
    plan = compile_plan(loaded.scene, path.parent, run=lambda _job: None)
    for line in contents(plan):
        assert len(line) < 20_000
    for problem in plan.problems:
        assert str(loaded.locate(problem))
    for t in (plan.start, np.array([0.5 * (plan.start + plan.end), plan.end]), 1e6):
        snapshot = evaluate(plan, t)
        assert snapshot.is_posed.shape == (*np.shape(t), len(plan.names))
        assert snapshot.a_WF.shape == snapshot.w_WF_F.shape
        for shown in (snapshot.sensors, snapshot.arrows, snapshot.ports, snapshot.measurements):
            assert all(shown[name] is not None for name in shown)
    return Opened("problems" if plan.problems else "scene", plan.pending)


def _is_told(error: SceneError) -> bool:
    """Return whether an error says what, and where: a place, or something of the file as a whole."""
    return bool(error.problems) and all(
        problem.message and len(str(problem)) < 20_000 and (problem.line is not None or not problem.key_path)
        for problem in error.problems
    )


def simulate_job(job: SimulationJob, is_cancelled: Callable[[], bool]) -> Simulation | None:
    """Run a simulation until it ends or is cancelled."""
    try:
        return job.run(is_cancelled=is_cancelled)
    except Cancelled:
        return None
