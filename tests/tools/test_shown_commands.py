"""Every command that README, the manual and the help texts show runs as its reader has it.

The reader has the packages of requirements.lock and no others, and the files that the pages name, which are made here.
The commands of a page run one after another in one folder. Films are cut, as each of their pictures costs time.
"""

from __future__ import annotations

import doctest
import inspect
import json
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import run
from framescope.app import platforms
from framescope.core.system.optional_packages import EXTRAS
from tests.support.desktop import Desktop, wait_until
from tests.support.program import Program, running
from tests.support.readers import SCENE, Reader, Result, write_files
from tests.support.shown_commands import HELP, PAGES, PROGRAMS, Command, blocks, shown_commands, shown_options, tree

pytestmark = [pytest.mark.process, pytest.mark.long]

COMMANDS = shown_commands()
OPTIONS = shown_options()

NOT_RUN = {
    "python3 run.py": "sets up, from the network",
    "python3 run.py test": "runs the suite",
    "python3 run.py check": "checks the checkout",
    "python3 run.py bench [NAME] [--compare]": "runs benchmarks for minutes",
    "python3 run.py add tables": "installs from the network",
    "python3 run.py add usd": "installs from the network",
    "python3 run.py add robots": "installs from the network",
    "python3 run.py add speed": "installs from the network",
    "python3 run.py add cluster": "installs from the network",
    ".venv/bin/python -m tests.tools.make_pictures": "takes the pictures of README anew",
    "python3 -m http.server": "serves until it is stopped",
}
"""Commands that cannot run here, each with the reason. Those of clusters have tests beside the feature."""

ENDS = {
    'framescope read "0.71 0 0 0.71"': 3,
    "framescope import walk.csv": 3,
    "framescope import walk.csv --json": 3,
    "framescope robot diff arm.yaml": 1,
    "framescope check drive.bag": 2,
}
"""Exit statuses other than 0: an open reading, an open unit, a scene unlike its robot, a fault in the bag."""

PRINTED = {
    "align imu.txt camera.txt": r"^camera is mounted on imu ",
    "align imu.txt camera.txt --as": r"^ +# T_cam_imu takes points of imu0 to cam0$",
    "align hand.txt": r"^X_hand_camera = ",
    "ape ref": r"^est\.(txt|kitti) +120 ",
    "ape ref.txt a.txt": r"^b\.txt +120 ",
    "ape truth.txt": r"^slam\.txt +120 ",
    "check": r"^  no problems$",
    "check drive.bag": r"^  8 frames, 682 transforms$",
    "check drive.mcap": r"^  8 frames, 68 transforms$",
    "compare rpy 10 20 30 deg": r"^settled: They are the same: ",
    "compare KUKA A 30": r"^settled: They are the same: ",
    "convert --from axes XYZ 10 20 30 deg": r"^R_12 = Rotation\.from_quat\(\[0\.1276794",
    "convert --from rpy 10 20 30 deg": r"^quaternion xyzw 0\.0381345",
    "convert --from -": r'"text": "quaternion xyzw 0 0 0 1"',
    "convert --help": r"^ +axes ZYX 10 20 30 deg ",
    "detect vendor.csv truth.csv": r"^  1  ZYX  .*active.*wxyz.* 0 of 30$",
    "detect vendor.csv mine.csv": r"^  1  ZYX  .*active.*xyzw.* 0 of 30$",
    "detect vendor.csv truth.csv --a-as": r"^def ",
    "detect 10 20 30; 40 5 60": r'"verdict": "Angles ZYX about moving axes',
    "evaluate drive.mcap": r"^1\.0,-?\d",
    "import walk.csv": r"position_unit",
    "import --help": r"--quaternion",
    "lesson check": r"^my\.lesson\.md: Gimbal lock: 12 steps",
    "lesson list": r"(^\d-.*\n){9}",
    "read q.setRPY": r"tf2's setRPY: roll, pitch, yaw$",
    "read 0.71 0 0 0.71": r"^scalar last: x y z w$",
    "rig camchain.yaml imucam.yaml": r"^1 loop of imu0, cam0 and cam1 closes: ",
    "rig drive.mcap camchain.yaml": r"^There is no loop: ",
    "rig rover.sdf camchain.yaml": r"^1 loop of base_link, imu0, cam0_body and cam0 closes: ",
    "robot diff": r'^\+ .*xyz="0\.2 0 0"',
    "robot play arm.yaml walk.csv": r"angle_unit  rad",
    "robot write": r"arm\.urdf: mount ",
    "rpe ref.txt": r"^est\.txt +120 ",
    "rpe truth.txt": r"^slam\.txt +120 ",
    "traj est.txt": r"^est\.kitti$",
    "traj slam.txt": r"^slam\.kitti$",
    "traj truth.txt": r"^slam\.txt +120 ",
}
"""Pattern of a line that a command prints, by the beginning of its arguments; the longest one counts."""

TITLES = {
    "my.yaml": {"my.yaml"},
    "arm.urdf": {"arm.urdf"},
    "drive.mcap": {"untitled.yaml", "Open a bag"},
    "aircraft": {"aircraft.yaml"},
    "gimbal-lock": {"Gimbal lock, step 1"},
    "my.lesson.md": {"Gimbal lock, step 1"},
    "gyro-frame.yaml": {"gyro-frame.yaml"},
    "Pendulum_res.mat": {"Pendulum_res.mat"},
}
"""Windows that a command opens, by the file or lesson at its end; the name of the program follows."""

STARTS = {
    ".csv": b"",
    ".csr": b"-----BEGIN CERTIFICATE REQUEST",
    ".gif": b"GIF89a",
    ".glb": b"glTF",
    ".html": b"<!doctype html",
    ".mp4": b"\0\0\0 ftyp",
    ".pdf": b"%PDF",
    ".pem": b"-----BEGIN ",
    ".png": b"\x89PNG",
    ".py": b"# Frames below ",
    ".urdf": b"<?xml",
    ".webm": b"\x1aE\xdf\xa3",
    ".yaml": b"framescope: 1",
}
"""First bytes of a file, by its ending."""

FILMS = (".mp4", ".webm", ".gif")
OUTPUTS = ("--out", "-out", "-keyout", "--plot", "--save", "--save_results", "--save_aligned", ">")
"""Words before the name of a file to write."""

PLACES = {("export",): 2, ("picture",): 2, ("lesson", "export"): 3, ("robot", "expand"): 3}
"""Place of the file to write among the arguments of a command."""


def is_run(command: Command) -> bool:
    return command.text not in NOT_RUN and not command.needs_cluster


def opens_window(command: Command) -> bool:
    arguments = command.arguments
    return arguments is not None and ((arguments[0],) not in tree() or arguments[:2] == ["lesson", "play"])


def draws(command: Command) -> bool:
    """Return whether a command draws, which takes long."""
    arguments = command.arguments or [""]
    return arguments[0] == "picture" or "export" in arguments[:2]


def outputs(command: Command) -> list[Path]:
    """Return the files that a command writes."""
    arguments = command.arguments or []
    places = [place for words, place in PLACES.items() if tuple(arguments[: len(words)]) == words]
    named = [after for word, after in pairwise(command.words) if word in OUTPUTS]
    return [Path(name) for name in (*(arguments[place] for place in places), *named)]


def shortening(command: Command) -> list[str]:
    """Return arguments that cut a film to a few pictures."""
    arguments = command.arguments or []
    if not draws(command) or outputs(command)[0].suffix not in FILMS:
        return []
    if arguments[0] == "lesson":
        return ["--size", "320x180", "--fps", "1"]
    if "--film" in arguments:
        return ["--size", "160x90", "--fps", "1"]
    start = next((float(after) for word, after in pairwise(arguments) if word == "--start"), 0.0)
    return ["--stop", f"{start + 0.05}"]


def fault_of(command: Command, result: Result, folder: Path) -> str:
    """Return what is wrong with the end of a command; nothing if it has done what its page promises."""
    if result.status != ENDS.get(command.text, 0):
        return f"exit status {result.status}"
    if "Traceback" in result.text:
        return "an error of the program"
    for path in outputs(command):
        if not (folder / path).is_file():
            return f"no file {path}"
        content = (folder / path).read_bytes()
        if not content or not content.lower().startswith(STARTS[path.suffix].lower()):
            return f"{path} begins with {content[:20]!r}"
    if command.arguments is None:
        return ""
    if is_json(command):
        json.loads(result.stdout)
    if not outputs(command) and not re.search(printed(command), result.text, re.MULTILINE):
        return f"nothing printed like {printed(command)}"
    return "" if not command.output or says(result.text, command.output) else "another output than the page shows"


def says(text: str, shown: str) -> bool:
    """Return whether a text has all shown lines, with numbers that differ by less than a tenth.

    Of a line that ends in an ellipsis, only the beginning is compared.
    """
    number = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?")

    def is_same(line: str, shown_line: str) -> bool:
        if shown_line.endswith(" …"):
            shown_line = shown_line.removesuffix(" …")
            line = line[: len(shown_line)]
        values, shown_values = (list(map(float, number.findall(each))) for each in (line, shown_line))
        is_worded_alike = number.sub("#", line) == number.sub("#", shown_line)
        return is_worded_alike and values == pytest.approx(shown_values, rel=0.1)

    lines = [line.strip() for line in text.splitlines()]
    return all(any(is_same(line, shown_line.strip()) for line in lines) for shown_line in shown.splitlines())


def is_json(command: Command) -> bool:
    arguments = command.arguments or [""]
    return "--json" in arguments or arguments[-1] == "schema"


def printed(command: Command) -> str:
    """Return the pattern of a line that a command prints; it prints one if it writes no file."""
    line = " ".join(command.arguments or [])
    if is_json(command) and not any(line.startswith(start) for start in PRINTED):
        return r"^[\[{]$"
    return PRINTED[beginning(line)]


def beginning(line: str) -> str:
    """Return the key of PRINTED for the arguments of a command."""
    return max((start for start in PRINTED if line.startswith(start)), key=len, default="")


def in_journeys(of_page: Any, page: str) -> Any:
    """Return a parameter as it is for the README, and of a journey for other pages."""
    return of_page if page == "README" else pytest.param(of_page, marks=pytest.mark.journey)


def pages(is_chosen: Callable[[Command], bool]) -> list[str]:
    """Return the pages with commands of a kind that run here."""
    return list(dict.fromkeys(command.page for command in COMMANDS if is_run(command) and is_chosen(command)))


# --- What is found


def test_that_the_commands_of_the_pages_are_found() -> None:
    by_page = {page: [command for command in COMMANDS if command.page == page] for page in (*PAGES, HELP)}
    assert len(by_page["README"]) >= 25
    assert {page for page, found in by_page.items() if found} >= {
        *("README", "bags", "cluster", "detective", "export", "import", "lessons", "modelica", "robots", HELP),
    }
    first_words = {command.arguments[0] for command in COMMANDS if command.arguments}
    assert {words[0] for words in tree() if words} - first_words == {"open", "extras"}
    assert {"my.yaml", "drive.mcap", "arm.urdf", "Pendulum_res.mat"} <= first_words


def test_that_a_block_without_a_language_begins_with_a_command() -> None:
    others = [
        block.splitlines()[0]
        for path in PAGES.values()
        for language, block in blocks(path.read_text(encoding="utf-8"))
        if language in ("", "sh") and block.removeprefix("$ ").split()[0] not in PROGRAMS
    ]
    assert others == ["# Half a turn"]  # a lesson


def test_that_no_more_commands_are_left_out_than_cannot_run() -> None:
    kinds = [[kind(command) for kind in (is_quick, draws, opens_window)] for command in COMMANDS if is_run(command)]
    assert all(sum(each) == 1 for each in kinds)
    assert len(kinds) == len(COMMANDS) - len(NOT_RUN) - sum(command.needs_cluster for command in COMMANDS)
    assert len(NOT_RUN) <= 11


def test_that_the_lists_of_this_test_have_no_dead_entry() -> None:
    texts = {command.text for command in COMMANDS}
    assert set(NOT_RUN) <= texts
    assert set(ENDS) <= texts
    assert set(TITLES) == {Path(command.arguments[-1]).name for command in COMMANDS if opens_window(command)}
    printing = [command for command in COMMANDS if is_quick(command) and command.arguments and not outputs(command)]
    assert set(PRINTED) == {beginning(" ".join(command.arguments)) for command in printing} - {""}
    assert set(STARTS) == {path.suffix for command in COMMANDS if is_run(command) for path in outputs(command)}


def test_that_run_py_and_the_extras_know_what_the_pages_ask_them_for() -> None:
    host = platforms.this_host()
    for command in COMMANDS:
        words = command.words
        if words[:2] == ["python3", "run.py"]:
            run.plan(words[2:], host)  # raises SetupError
            assert words[2:3] != ["add"] or words[3] in EXTRAS


def test_that_options_that_stand_by_themselves_exist() -> None:
    known = {name for command in tree().values() for parameter in command.params for name in parameter.opts}
    shown = {word for options in OPTIONS.values() for words in options for word in words if word.startswith("--")}
    assert shown - known == set()


# --- What runs


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    reader = Reader(tmp_path_factory.mktemp("reader"))
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the pages name."""
    files = tmp_path_factory.mktemp("files")
    write_files(files)
    return files


@pytest.fixture
def folder(files: Path, tmp_path: Path) -> Path:
    """The folder of a test, with the files that the pages name."""
    return Path(shutil.copytree(files, tmp_path / "folder", symlinks=True))


def test_that_the_environment_of_a_reader_has_no_extras(reader: Reader) -> None:
    code = (
        "import importlib.util as u\n"
        "assert not [n for n in ('pyarrow', 'mujoco', 'pxr', 'distributed', 'llvmlite', 'pytest') if u.find_spec(n)]\n"
        "import framescope.app, lz4, mcap, xacro, zstandard, PySide6, vtkmodules, numpy"
    )
    done = subprocess.run([reader.python, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def check_commands(page: str, is_chosen: Callable[[Command], bool], reader: Reader, folder: Path, subtests) -> None:
    """Run the commands of a page in turn, and check the end of each."""
    for command in COMMANDS:
        if command.page != page or not is_run(command) or not is_chosen(command):
            continue
        with subtests.test(command.text):
            result = reader.run(command, folder, *shortening(command))
            assert fault_of(command, result, folder) == "", f"{command.text}\n{result.text}"


def is_quick(command: Command) -> bool:
    return not draws(command) and not opens_window(command)


@pytest.mark.parametrize("page", [in_journeys(page, page) for page in pages(is_quick)])
def test_that_the_commands_of_a_page_run(page: str, reader: Reader, folder: Path, subtests) -> None:
    check_commands(page, is_quick, reader, folder, subtests)


@pytest.mark.journey
@pytest.mark.window
@pytest.mark.parametrize("page", pages(draws))
def test_that_the_exports_of_a_page_run(page: str, reader: Reader, folder: Path, subtests) -> None:
    check_commands(page, draws, reader, folder, subtests)


def test_that_no_line_of_a_help_text_is_broken_or_lost_in_a_terminal_of_80_columns(
    reader: Reader, folder: Path
) -> None:
    for words, command in tree().items():
        if "\b" in (command.help or ""):  # lines stay as they are written
            shown = {line.strip() for line in reader.run_framescope([*words, "--help"], folder).stdout.splitlines()}
            _, *kept = inspect.cleandoc(command.help).split("\b")
            lines = {line.strip() for part in kept for line in part.partition("\n\n")[0].splitlines()}
            assert lines - shown == set()


@pytest.mark.window
@pytest.mark.parametrize(
    "command", [in_journeys(c, c.page) for c in COMMANDS if opens_window(c)], ids=lambda command: command.text
)
def test_that_a_command_opens_its_window(
    command: Command, reader: Reader, folder: Path, tmp_path: Path, desktop_of: Callable[[int, int], Desktop]
) -> None:
    line = (reader.python, "-P", "-m", "framescope.app", *command.arguments)
    with running(desktop_of(1280, 800), tmp_path, command=line, folder=folder) as program:
        titles = TITLES[Path(command.arguments[-1]).name]
        wait_until(lambda: {f"{title} — Framescope" for title in titles} == set(program.windows.values()), "the window")
        assert program.end("signal") == 128 + signal.SIGTERM, program.status
    assert "Traceback" not in program.status + program.log


@pytest.mark.journey
@pytest.mark.window
def test_that_without_a_display_a_scene_becomes_a_film_and_a_lesson_says_so(reader: Reader, folder: Path) -> None:
    (folder / "my.yaml").write_text(SCENE.replace("end: 3 s", "end: 0.05 s"), encoding="utf-8")
    done = reader.run_framescope(["my.yaml"], folder)
    assert done.status == 0, done.text
    (film,) = re.findall(r"\S+\.mp4", done.stdout)[-1:]
    assert (folder / film).stat().st_size > 0
    done = reader.run_framescope(["lesson", "play", "gimbal-lock"], folder)
    assert done.status == 3
    assert "There is no display to play" in done.stderr


OPTIONS_OF_EXPORTS = [options for options in OPTIONS["README"] if options[0] not in ("--json", "--deep")]


@pytest.mark.journey
@pytest.mark.window
@pytest.mark.parametrize("options", OPTIONS_OF_EXPORTS, ids=" ".join)
def test_that_the_options_of_exports_that_readme_shows_are_taken(
    options: list[str], reader: Reader, folder: Path
) -> None:
    ends = {"--interactive": ".html", "--accuracy": ".glb"}
    end = ".webm" if "--transparent" in options else ".mp4"
    runs = [(ends.get(options[0], end), [word for word in options if word != "--long"])]
    if options == ["--accuracy"]:
        runs = [(".glb", ["--accuracy", "1"])]
    if "--long" in options:  # of tables, and not of films
        runs.append((".csv", ["--long"]))
    for end, taken in runs:
        done = reader.run_framescope(
            ["export", "my.yaml", f"out{end}", "--start", "2.5", "--stop", "2.52", *taken], folder
        )
        assert done.status == 0, done.text
        assert (folder / f"out{end}").stat().st_size > 0


# --- Scenes and code


def test_that_the_scene_of_readme_is_sound(reader: Reader, folder: Path) -> None:
    texts = dict(blocks(PAGES["README"].read_text(encoding="utf-8")))
    (folder / "shown.yaml").write_text(texts["yaml"], encoding="utf-8")
    assert reader.run_framescope(["check", "shown.yaml"], folder).status == 0


def test_that_the_examples_of_the_pages_run_for_a_reader(reader: Reader, folder: Path) -> None:
    paths = [str(path) for path in PAGES.values() if ">>> " in path.read_text(encoding="utf-8")]
    done = subprocess.run(
        [reader.python, "-P", "-m", "doctest", *paths], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.window
@pytest.mark.parametrize(
    ("page", "windows", "film"),
    [("README", 0, ""), pytest.param("python", 2, "arm.mp4", marks=pytest.mark.journey)],
)
def test_that_the_code_of_a_page_runs_with_its_windows(
    page: str, windows: int, film: str, reader: Reader, folder: Path, tmp_path: Path, desktop_of
) -> None:
    script = folder / "shown.py"
    script.write_text(code_of(page).replace('end="4 s"', 'end="0.05 s"'), encoding="utf-8")
    desktop = desktop_of(1280, 800)
    program = Program(desktop, tmp_path, command=(reader.python, "-P", script), folder=folder)
    try:
        closed: set[str] = set()
        for _ in range(windows):
            wait_until(lambda: set(program.windows) - closed or program.process.poll() is not None, "a window")
            (window,) = set(program.windows) - closed
            desktop.close(window)
            closed.add(window)
        assert program.process.wait(60) == 0, program.status
    finally:
        program.process.kill()
    assert "Traceback" not in program.status
    assert not film or (folder / film).read_bytes().startswith(STARTS[".mp4"])


def code_of(page: str) -> str:
    """Return the code of a page as one script."""
    found = blocks(PAGES[page].read_text(encoding="utf-8"))
    texts = [text for language, text in found if language in ("python", "pycon")]
    return "\n".join(doctest.script_from_examples(text) if text.startswith(">>> ") else text for text in texts)
