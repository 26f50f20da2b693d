import ast
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

spec = importlib.util.spec_from_file_location("framescope_run", ROOT / "run.py")
run = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = run  # dataclasses look it up there
spec.loader.exec_module(run)
Host, SystemNeed = run.platforms.Host, run.platforms.SystemNeed

DEBIAN = {"ID": "debian", "VERSION_CODENAME": "bookworm"}
USER = Host("linux", os_release=DEBIAN)
ROOT_USER = Host("linux", is_root=True, os_release=DEBIAN)
WINDOWS = Host("win32")

EGL = SystemNeed("libEGL.so.1", "libegl1")


# --- What is asked for


def test_that_no_argument_starts_framescope_off_screen_where_no_display_is():
    job = run.plan([], USER)

    assert job.arguments == ["-P", "-m", "framescope.app"]
    assert job.capabilities == ("draw",)
    assert not job.is_dev


def test_that_a_window_needs_more_of_the_system(monkeypatch):
    monkeypatch.setattr(run.platforms, "has_display", lambda host: True)

    assert run.plan([], USER).capabilities == ("draw", "window")


def test_that_arguments_after_two_dashes_go_to_framescope_where_the_caller_is():
    job = run.plan(["--", "export", "a.yaml", "--fps", "30"], USER)

    assert job.arguments[3:] == ["export", "a.yaml", "--fps", "30"]
    assert not job.is_in_root


def test_that_tests_run_on_a_virtual_display_and_alike_each_time():
    job = run.plan(["test", "-x", "-k", "frames"], USER)

    assert job.arguments[1:] == ["-m", "pytest", "-x", "-k", "frames"]
    assert job.environ == {
        "PYTHONHASHSEED": "0", "QT_API": "pyside6", "QT_QPA_PLATFORM": "xcb",
        "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "",
    }  # fmt: skip
    assert "virtual display" in job.capabilities
    assert job.is_dev
    assert job.is_in_root


def test_that_the_suite_goes_on_all_cores_and_tells_its_slowest_tests():
    usual, every = (run.plan(words, USER).arguments for words in (["test"], ["test", "all", "-x"]))

    for arguments in (usual, every):
        assert "-n" in arguments
        assert arguments[arguments.index("--durations") + 1] == "10"
    assert usual[-2:] == ["-m", run.USUAL]
    assert every[-1] == "-x"
    assert "-m" not in every[every.index("pytest") :]


def test_that_fast_tests_need_no_display_and_leave_out_all_that_is_marked():
    job = run.plan(["test", "fast", "-x"], USER)
    marked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]

    assert job.capabilities == ("draw",)
    assert job.arguments[-1] == "-x"
    assert "-n" in job.arguments
    assert set(re.findall(r"\w+", run.FAST)) - {"not", "or"} == {text.partition(":")[0] for text in marked["markers"]}


def test_that_no_x11_is_asked_for_on_windows():
    assert "QT_QPA_PLATFORM" not in run.plan(["test"], WINDOWS).environ


def test_that_benchmarks_prefer_a_real_display(monkeypatch):
    assert run.plan(["bench"], USER).is_on_virtual_display
    monkeypatch.setattr(run.platforms, "has_display", lambda host: True)
    job = run.plan(["bench", "start", "--json", "x.json"], USER)

    assert job.arguments == [str(ROOT / "tests" / "bench" / "bench_run.py"), "start", "--json", "x.json"]
    assert not job.is_on_virtual_display


@pytest.mark.parametrize(("verb", "script"), [("check", "check_run"), ("lock", "lock_files")])
def test_that_contributors_verbs_run_scripts_that_exist(verb, script):
    job = run.plan([verb, "x"], USER)

    assert job.arguments == ["-m", f"tests.tools.{script}", "x"]
    assert (ROOT / "tests" / "tools" / f"{script}.py").exists()
    assert job.is_dev
    assert job.is_in_root


def test_that_an_unknown_verb_is_answered_with_the_known_ones(capsys):
    assert run.main(["tset"]) == 2
    said = capsys.readouterr().err
    assert "tset" in said
    assert "python3 run.py test" in said


def test_that_help_needs_no_set_up(capsys, monkeypatch):
    monkeypatch.setattr(run, "set_up", lambda *_: pytest.fail("set up"))

    assert run.main(["--help"]) == 0
    assert "python3 run.py test" in capsys.readouterr().out


# --- Old Pythons


def test_that_an_old_python_3_can_parse_it_and_so_reaches_the_message():
    ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 6))


@pytest.mark.process
@pytest.mark.parametrize("version", [(3, 6), (3, 10), (3, 15)])
def test_that_another_python_is_told_which_ones_serve(version):
    source = (ROOT / "run.py").read_text(encoding="utf-8")
    code = f"import sys\nsys.version_info = {version}\nexec(compile({source!r}, 'run.py', 'exec'))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "needs Python 3.11 to 3.14, but this is Python {}.{}".format(*version) in done.stderr


def test_that_the_versions_are_those_of_pyproject():
    required = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    (major, oldest), (_, newest) = run.OLDEST, run.NEWEST

    assert required == f">={major}.{oldest},<{major}.{newest + 1}"


# --- The environment


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """An empty checkout in which pip and venv are played; `checkout.commands` is what was run."""
    for name in ("pyproject.toml", run.LOCK, run.DEV_LOCK):
        (tmp_path / name).write_text(f"content of {name}\n")
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "VENV", tmp_path / ".venv")
    return Checkout(tmp_path, monkeypatch)


class Checkout:
    def __init__(self, root, monkeypatch):
        self.root = root
        self.commands = []
        self.fails_at = None
        monkeypatch.setattr(run, "follow", lambda command, reader, environ: self.play(command))
        monkeypatch.setattr(run, "run_quietly", lambda command, environ: self.play(command))

    def play(self, command):
        text = " ".join(map(str, command))
        what = "venv" if "-m venv" in text else "project" if "--editable" in text else Path(command[-1]).name
        self.commands.append(what)
        if what == self.fails_at:
            raise run.SetupError("played failure")
        if what == "venv":
            (self.root / ".venv" / "bin").mkdir()
            (self.root / ".venv" / "bin" / "python").touch()

    def set_up(self, is_dev=False):
        """Set up and return what was run for it."""
        self.commands.clear()
        run.set_up(run.Job([], is_dev=is_dev), USER)
        return list(self.commands)


def test_that_the_first_set_up_makes_everything(checkout):
    assert checkout.set_up() == ["venv", run.LOCK, "project"]


def test_that_nothing_is_run_when_nothing_is_to_be_done(checkout):
    checkout.set_up()

    assert checkout.set_up() == []


def test_that_development_adds_to_what_is_there(checkout):
    checkout.set_up()

    assert checkout.set_up(is_dev=True) == [run.DEV_LOCK, "project"]
    assert checkout.set_up() == []
    assert checkout.set_up(is_dev=True) == []


def test_that_a_set_up_for_development_serves_everybody(checkout):
    checkout.set_up(is_dev=True)

    assert checkout.set_up() == []


def test_that_a_changed_lock_is_installed(checkout):
    checkout.set_up()
    (checkout.root / run.LOCK).write_text("changed")

    assert checkout.set_up() == [run.LOCK, "project"]


def test_that_a_changed_dev_lock_concerns_developers_only(checkout):
    checkout.set_up(is_dev=True)
    (checkout.root / run.DEV_LOCK).write_text("changed")

    assert checkout.set_up() == []
    assert checkout.set_up(is_dev=True) == [run.DEV_LOCK, "project"]


def test_that_a_changed_pyproject_links_the_project_again(checkout):
    checkout.set_up(is_dev=True)
    (checkout.root / "pyproject.toml").write_text("changed")

    assert checkout.set_up() == ["project"]
    assert checkout.set_up(is_dev=True) == []


@pytest.mark.parametrize("step", ["venv", run.LOCK, "project"])
def test_that_an_interrupted_set_up_starts_over(checkout, capsys, step):
    checkout.fails_at = step
    with pytest.raises(run.SetupError):
        checkout.set_up()
    checkout.fails_at = None

    assert checkout.set_up() == ["venv", run.LOCK, "project"]
    assert checkout.set_up() == []


def test_that_an_interrupted_update_starts_over(checkout, capsys):
    checkout.set_up()
    (checkout.root / run.LOCK).write_text("changed")
    checkout.fails_at = run.LOCK
    with pytest.raises(run.SetupError):
        checkout.set_up()
    checkout.fails_at = None

    assert checkout.set_up() == ["venv", run.LOCK, "project"]
    assert "its last set-up was not finished" in capsys.readouterr().out


PACKAGES = {"numpy": "numpy-2.0.dist-info", "yaml": "PyYAML-6.0.dist-info", "pip": "pip-25.0.dist-info"}


@pytest.fixture
def furnished(checkout, monkeypatch):
    """A checkout whose played pip installs packages, as far as they are not there."""
    site_packages = run.platforms.venv_site_packages(run.VENV, USER)
    play = checkout.play

    def played(command):
        play(command)
        for folder, info in PACKAGES.items():
            if not (site_packages / info).exists():
                for name in (folder, info):
                    (site_packages / name).mkdir(parents=True, exist_ok=True)
                (site_packages / info / "RECORD").write_text(f"{folder}/__init__.py,,\n{info}/METADATA,,\n")

    monkeypatch.setattr(checkout, "play", played)
    checkout.site_packages = site_packages
    return checkout


@pytest.mark.parametrize("gone", ["numpy", "numpy-2.0.dist-info", "PyYAML-6.0.dist-info"])
def test_that_a_package_that_was_removed_is_installed_again(furnished, capsys, gone):
    furnished.set_up()
    before = {path.name for path in furnished.site_packages.iterdir()}
    for path in (furnished.site_packages / gone).iterdir():
        path.unlink()
    (furnished.site_packages / gone).rmdir()

    assert furnished.set_up() == [run.LOCK, "project"]
    assert f"something was removed: {gone}." in capsys.readouterr().out
    assert {path.name for path in furnished.site_packages.iterdir()} == before
    assert furnished.set_up() == []


NO_NETWORK = (
    "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by 'NewConnectionError(\"HTTPSConnection("
    "host='index'): Failed to establish a new connection: [Errno -3] Temporary failure in name resolution\")'\n"
    "ERROR: Could not find a version that satisfies the requirement numpy==2.0 (from versions: none)\n"
)


def unplug(checkout, monkeypatch, output=NO_NETWORK):
    """Have pip fail as where there is no network, before it has changed anything."""

    def fail(command, reader, environ):
        checkout.commands.append("offline")
        raise run.failure(command, 1, output)

    monkeypatch.setattr(run, "follow", fail)


def test_that_a_damaged_environment_without_a_network_is_one_sentence(furnished, capsys, monkeypatch):
    furnished.set_up()
    played = run.follow
    (furnished.site_packages / "numpy").rmdir()
    unplug(furnished, monkeypatch)

    for _ in range(2):  # what can be mended later is not thrown away meanwhile
        with pytest.raises(run.SetupError) as error:
            furnished.set_up()
        assert furnished.commands == ["offline"]
        assert str(error.value).startswith("The environment .venv lacks numpy")
        assert str(error.value).endswith(
            ", and no package index can be reached: connect to the network and run the same command again."
        )
        assert "Retrying" not in str(error.value)
        assert "\n" not in str(error.value)
    assert (furnished.site_packages / "yaml").exists()

    monkeypatch.setattr(run, "follow", played)
    assert furnished.set_up() == [run.LOCK, "project"]
    assert furnished.set_up() == []


def test_that_a_first_set_up_and_an_update_without_a_network_are_one_sentence(furnished, monkeypatch):
    played = run.follow
    unplug(furnished, monkeypatch)
    with pytest.raises(
        run.SetupError, match=r"needs the packages of requirements\.lock, and no package index"
    ) as error:
        furnished.set_up()
    assert "\n" not in str(error.value)
    monkeypatch.setattr(run, "follow", played)
    furnished.set_up()
    (furnished.root / run.LOCK).write_text("changed")
    unplug(furnished, monkeypatch)
    with pytest.raises(run.SetupError, match="no package index can be reached"):
        furnished.set_up()
    monkeypatch.setattr(run, "follow", played)
    assert furnished.set_up() == [run.LOCK, "project"]  # and not everything from nothing


def test_that_another_failure_of_pip_is_shown_whole(furnished, monkeypatch):
    furnished.set_up()
    (furnished.site_packages / "numpy").rmdir()
    unplug(furnished, monkeypatch, "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES\n")
    with pytest.raises(run.SetupError, match="DO NOT MATCH THE HASHES"):
        furnished.set_up()


def test_that_an_environment_without_its_pip_is_made_anew(furnished, capsys):
    furnished.set_up()
    (furnished.site_packages / "pip").rmdir()

    assert furnished.set_up() == ["venv", run.LOCK, "project"]
    assert "its pip is gone" in capsys.readouterr().out


def test_that_what_a_person_has_added_or_a_set_up_from_before_is_no_damage(furnished, capsys):
    furnished.set_up(is_dev=True)
    (furnished.site_packages / "their_own").mkdir()
    assert furnished.set_up(is_dev=True) == []
    state = run.read_state()
    del state[run.INSTALLED]
    run.state_file().write_text(json.dumps(state))
    assert furnished.set_up() == ["project"]
    (furnished.site_packages / "numpy").rmdir()
    assert furnished.set_up() == [run.DEV_LOCK, "project"]  # what served development goes on doing so


def change_state(checkout, **changes):
    file = checkout.root / ".venv" / "framescope-setup.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"python": "3.9"}, "it was made for Python 3.9"), ({"root": "/elsewhere"}, "it was made for /elsewhere")],
)
def test_that_an_environment_of_another_python_or_place_is_replaced(checkout, capsys, change, reason):
    checkout.set_up()
    (checkout.root / ".venv" / "bin" / "old").touch()
    change_state(checkout, **change)

    assert checkout.set_up() == ["venv", run.LOCK, "project"]
    assert reason in capsys.readouterr().out
    assert not (checkout.root / ".venv" / "bin" / "old").exists()


def test_that_an_environment_without_its_python_is_replaced(checkout, capsys):
    checkout.set_up()
    (checkout.root / ".venv" / "bin" / "python").unlink()

    assert checkout.set_up() == ["venv", run.LOCK, "project"]
    assert "its Python is gone" in capsys.readouterr().out


def test_that_a_damaged_record_counts_as_unfinished(checkout):
    checkout.set_up()
    (checkout.root / ".venv" / "framescope-setup.json").write_text('{"python": ')

    assert checkout.set_up() == ["venv", run.LOCK, "project"]


def test_that_an_environment_somebody_else_made_is_left_alone(checkout):
    precious = checkout.root / ".venv" / "bin" / "precious"
    precious.parent.mkdir(parents=True)
    precious.touch()

    with pytest.raises(run.SetupError, match=r"was not made by run\.py"):
        checkout.set_up()
    assert precious.exists()
    assert checkout.commands == []


def test_that_packages_of_other_pythons_do_not_leak_in(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/opt/ros/lib")
    monkeypatch.setenv("SOMETHING", "else")

    environ = run.clean_environment()

    assert "PYTHONPATH" not in environ
    assert environ["SOMETHING"] == "else"
    assert os.environ["PYTHONPATH"]


# --- The system


def test_that_a_user_is_told_the_line_to_run_and_nothing_is_installed(checkout, capsys, monkeypatch):
    monkeypatch.setattr(run.platforms, "this_host", lambda: USER)
    monkeypatch.setattr(run.platforms, "missing_needs", lambda capabilities, host: [EGL])

    assert run.main(["test"]) == 3
    assert "sudo apt-get install -y --no-install-recommends libegl1" in capsys.readouterr().err
    assert checkout.commands == []


def test_that_root_on_debian_gets_them_installed_first(checkout, monkeypatch):
    answers = [[EGL], [EGL], []]  # asked before the lock, inside it, and after the installation
    monkeypatch.setattr(run.platforms, "missing_needs", lambda capabilities, host: answers.pop(0))

    run.set_up(run.Job([], capabilities=("draw",)), ROOT_USER)

    assert checkout.commands == ["update", "libegl1", "venv", run.LOCK, "project"]


def test_that_libraries_missing_even_then_are_named(checkout, monkeypatch):
    monkeypatch.setattr(run.platforms, "missing_needs", lambda capabilities, host: [EGL])

    with pytest.raises(run.SetupError, match=r"still missing.*libEGL\.so\.1") as error:
        run.set_up(run.Job([], capabilities=("draw",)), ROOT_USER)
    assert error.value.status == 3


def test_that_a_debian_python_without_venv_is_told_the_package(checkout, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    with pytest.raises(run.SetupError, match=r"python3\.\d+-venv") as error:
        checkout.set_up()
    assert error.value.status == 3


# --- Progress


PIP = """\
Ignoring contourpy: markers 'python_full_version >= "3.12"' don't match your environment
Collecting numpy==2.4.6 (from -r requirements.lock (line 3))
  Downloading numpy-2.4.6-cp311-cp311-manylinux_2_28_x86_64.whl (16.9 MB)
Requirement already satisfied: pillow==13.0.0 in ./.venv/lib (from -r requirements.lock (line 9)) (13.0.0)
Processing /wheels/pip/ruamel_yaml-0.19.1-py3-none-any.whl (from -r requirements.lock (line 11))
Installing collected packages: numpy, ruamel-yaml
"""


def test_that_the_progress_of_pip_is_counted():
    reader = run.PipReader(4, lambda: 2)

    steps = [reader.read(line) for line in PIP.splitlines()]

    assert [step for step in steps if step] == [
        "[1/3] numpy 2.4.6",
        "[2/3] pillow 13.0.0",
        "[3/3] ruamel_yaml 0.19.1",
        "unpacking",
    ]
    assert reader.idle() == "unpacking: 2 of 3"


APT = """\
Reading package lists...
0 upgraded, 2 newly installed, 0 to remove and 3 not upgraded.
Get:1 somewhere bookworm/main amd64 libegl1 amd64 1.6.0-1 [34 kB]
Unpacking libegl1:amd64 (1.6.0-1) ...
Setting up libgl1:amd64 (1.6.0-1) ...
Setting up xvfb (2:21.1.7) ...
"""


def test_that_the_progress_of_apt_is_counted():
    reader = run.AptReader()

    steps = [reader.read(line) for line in APT.splitlines()]

    assert [step for step in steps if step] == ["fetching 2 packages", "[1/2] libgl1", "[2/2] xvfb"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_that_a_terminal_sees_one_line_that_is_wiped_at_the_end(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    progress = run.Progress(stream)

    progress.step("one")
    progress.sign_of_life("two")
    progress.close()

    assert re.split(r"\r\x1b\[K", stream.getvalue()) == ["", "  one", "  two", ""]


def test_that_a_dumb_terminal_sees_plain_lines_and_few_signs_of_life(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    stream = Terminal()
    progress = run.Progress(stream)

    progress.step("one")
    progress.sign_of_life("too soon")
    progress.SILENCE_S = -1.0
    progress.sign_of_life("late")
    progress.close()

    assert stream.getvalue() == "  one\n  late\n"


class Echo:
    def read(self, line):
        return line.strip()

    def idle(self):
        return "idle"


@pytest.mark.process
def test_that_output_is_followed(capsys):
    run.follow([sys.executable, "-c", "print('a'); print('b')"], Echo(), os.environ)

    assert capsys.readouterr().out == "  a\n  b\n"


@pytest.mark.process
def test_that_all_a_failed_command_said_is_shown():
    command = [sys.executable, "-c", "import sys; print('out', flush=True); print('err', file=sys.stderr); sys.exit(9)"]

    for fail in (lambda: run.follow(command, Echo(), os.environ), lambda: run.run_quietly(command, os.environ)):
        with pytest.raises(run.SetupError, match=r"out\n(.|\n)*err\n(.|\n)*exit status 9"):
            fail()


def test_that_silence_is_noticed():
    reading, writing = os.pipe()
    with os.fdopen(reading) as stream, os.fdopen(writing, "w", buffering=1) as sink:
        lines = run.lines_or_none(stream, every_s=0.01)
        assert next(lines) is None
        sink.write("late\n")
        assert next(line for line in lines if line is not None) == "late\n"
        sink.close()
        assert [line for line in lines if line is not None] == []


# --- Start


def test_that_the_job_is_handed_to_the_interpreter_of_the_environment(monkeypatch):
    calls = []
    monkeypatch.setattr(run.platforms, "hand_over", lambda *arguments: calls.append(arguments) or 0)

    assert run.start(run.Job(["-m", "x"], {"K": "v"}), USER) == 0

    command, environ, host = calls[0]
    assert command == [str(run.VENV / "bin" / "python"), "-m", "x"]
    assert environ["K"] == "v"
    assert host is USER


def test_that_a_job_in_the_root_is_run_there(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run.platforms, "hand_over", lambda *_: Path.cwd())

    assert run.start(run.Job([], is_in_root=True), USER) == ROOT


def test_that_a_virtual_display_is_started_around_a_job(monkeypatch):
    monkeypatch.setattr(run.platforms, "hand_over", lambda command, *_: command)

    command = run.start(run.Job(["x"], is_on_virtual_display=True), USER)

    assert Path(command[0]).name == "xvfb-run"
    assert "1600x1000x24" in command[3]
    assert command[-1] == "x"
