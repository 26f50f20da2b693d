"""Optional packages are named with a command that works here; what bags and xacro need is always there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from typer.testing import CliRunner

from framescope.app.cli import extras_commands
from framescope.app.cli.main import app
from framescope.core.errors import FramescopeError
from framescope.core.system import optional_packages
from framescope.core.system.optional_packages import Extra, requirement
from tests.tools import lock_files

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
OPTIONAL = {name: value for name, value in vars(optional_packages).items() if isinstance(value, Extra)}


@pytest.mark.parametrize("extra", OPTIONAL.values(), ids=OPTIONAL)
def test_that_a_package_is_what_pyproject_asks_for(extra: Extra) -> None:
    assert requirement(extra.package) in EXTRAS[extra.name or "window"]


def test_that_every_extra_can_be_added() -> None:
    assert {*optional_packages.EXTRAS} == {*EXTRAS} - {"window"}
    assert all(extra.name == name for name, extra in optional_packages.EXTRAS.items())


@pytest.mark.parametrize("extra", optional_packages.EXTRAS.values(), ids=optional_packages.EXTRAS)
def test_that_a_message_names_the_command_of_this_installation(extra: Extra, tmp_path, monkeypatch) -> None:
    text, _, command = extra.reason.partition(". Add it with: ")
    assert text == f"{extra.what} needs {extra.package}"
    assert shlex.split(command)[1:] == [str(ROOT / "run.py"), "add", extra.name]
    monkeypatch.setattr(optional_packages, "__file__", str(tmp_path / "site-packages" / "a" / "b" / "c.py"))
    installed = shlex.split(extra.reason.partition(". Add it with: ")[2])
    assert installed == [sys.executable, "-m", "framescope.app", "extras", "add", extra.name]


@pytest.mark.parametrize("is_checkout", [True, False])
def test_that_a_package_of_the_program_itself_comes_back(is_checkout, tmp_path, monkeypatch) -> None:
    if not is_checkout:
        monkeypatch.setattr(optional_packages, "__file__", str(tmp_path / "site-packages" / "a" / "b" / "c.py"))
    sentence = optional_packages.MCAP.reason
    assert "belongs to Framescope and is missing from its environment" in sentence
    command = f"{ROOT / 'run.py'}" if is_checkout else f"-m pip install '{requirement('mcap')}'"
    assert sentence.endswith(command)


def test_that_an_extra_is_found_by_its_name_or_its_package() -> None:
    assert extras_commands.extra_of("usd") is extras_commands.extra_of("usd-core") is optional_packages.USD
    with pytest.raises(FramescopeError, match=r'There is no extra "usdd"\. Did you mean "usd"'):
        extras_commands.extra_of("usdd")


def test_that_extras_are_listed_with_their_use() -> None:
    result = CliRunner().invoke(app, ["extras"])
    assert result.exit_code == 0
    for name, extra in optional_packages.EXTRAS.items():
        state = "installed" if extra.is_installed else "not installed"
        assert re.search(rf"^{name} +{extra.what} needs {extra.package} \({state}\)$", result.output, re.MULTILINE)


def test_that_a_package_is_installed_as_the_lock_pins_it(monkeypatch) -> None:
    runs = []

    def run(command: list[str], **_options: object) -> subprocess.CompletedProcess[bytes]:
        at = command.index("--constraint") + 1
        runs.append((command, Path(command[at]).read_text("utf-8").splitlines()))
        return subprocess.CompletedProcess(command, len(runs) - 1)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(Extra, "is_installed", property(lambda _extra: False))
    assert CliRunner().invoke(app, ["extras", "add", "usd", "tables"]).exit_code == 0
    ((command, pins),) = runs
    assert command[:5] == [sys.executable, "-P", "-m", "pip", "install"]
    assert command[-2:] == [requirement("usd-core"), requirement("pyarrow")]
    assert {"numpy", "pyarrow", "usd-core"} <= {re.split("[= ]", pin)[0] for pin in pins}
    failed = CliRunner().invoke(app, ["extras", "add", "usd"])
    assert failed.exit_code == 2
    assert "pip could not install usd-core" in failed.output


@pytest.mark.process
def test_that_the_command_is_taken_by_the_environments_own_pip() -> None:
    """The package is there already, so that pip has nothing to fetch."""
    here = next(extra for extra in optional_packages.EXTRAS.values() if extra.is_installed)
    command = [sys.executable, "-P", "-m", "framescope.app", "extras", "add", here.name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{here.package} is installed already.\n", "")


CORE_ALONE = """
import sys
ALLOWED = {"numpy", "scipy", "pydantic", "yaml", "ruamel", "framescope", *ADDED}
class Wall:
    def find_spec(self, name, path=None, target=None):
        root = name.partition(".")[0]
        if root in PACKAGES and root not in ALLOWED:
            raise ModuleNotFoundError(f"{name} is not installed", name=root)
sys.meta_path.insert(0, Wall())
import framescope
from framescope.core.scene import Scene, load_scene, scene_text
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.analysis.diagnostics import diagnose
import framescope.core.frames, framescope.core.bodies, framescope.core.kinematics, framescope.core.spatial
scene = load_scene(PATH).scene
plan = compile_plan(scene)
print(evaluate(plan, 0.5).R_WF.shape, diagnose(plan), len(scene_text(scene)) > 100)
sys.argv = ["framescope", "check", "demo"]
from framescope.app.__main__ import main
main()
"""


@pytest.mark.process
def test_that_the_core_works_with_its_own_dependencies_alone() -> None:
    """Without the extra `window` scenes are read, checked, evaluated and saved, and the command says what it lacks."""
    found = metadata.packages_distributions()
    names = {_folded(text) for text in PROJECT["dependencies"]}
    needed = names | {need for name in names for need in _needs(name)}
    added = {package for package, owners in found.items() if {_folded(owner) for owner in owners} & needed}
    path = ROOT / "assets" / "scenes" / "aircraft.yaml"
    code = f"ADDED, PACKAGES, PATH = {added!r}, {set(found)!r}, {str(path)!r}\n{CORE_ALONE}"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "(3, 3, 3) () True"
    assert done.returncode == 1
    assert done.stderr.strip().endswith("The program needs the extra window: install framescope[window].")


def _needs(name: str) -> set[str]:
    lines = metadata.requires(name) or []
    return {_folded(line) for line in lines if "extra ==" not in line}


def _folded(requirement_line: str) -> str:
    return re.split(r"[^\w.-]", requirement_line)[0].lower().replace("_", "-")


def test_that_a_package_of_an_unknown_distribution_is_named_alone(monkeypatch) -> None:
    def requires(_name: str) -> list[str]:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "requires", requires)
    assert requirement("pyarrow") == "pyarrow"


@pytest.mark.parametrize("package", ["lz4", "mcap", "xacro", "zstandard"])
@pytest.mark.parametrize("lock", [lock_files.LOCK, lock_files.DEV_LOCK])
def test_that_what_bags_and_xacro_need_is_in_the_locks(package: str, lock: str) -> None:
    assert any(pin.startswith(f"{package}==") for pin in lock_files.pins((ROOT / lock).read_text(encoding="utf-8")))


PAGES = [ROOT / "README.md", *sorted((ROOT / "assets" / "manual").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_that_pages_add_optional_packages_as_the_program_says(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "pip install" not in text
    for name in re.findall(r"(?:run\.py|extras) add (\w+)", text):
        assert name in optional_packages.EXTRAS
