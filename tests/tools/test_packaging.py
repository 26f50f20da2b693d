"""The wheel that is built of the checkout holds all of Framescope and nothing else, and works on its own."""

import importlib
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from framescope.app import platforms
from tests.tools import lock_files

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("app", "assets", "core", "features", "framescope", "ui")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def files_on_disk() -> set[str]:
    """Return the files that belong into the wheel: all in the folders of the package."""
    paths = [path for layer in LAYERS for path in (ROOT / layer).rglob("*") if path.is_file()]
    return {f"framescope/{in_package(path).as_posix()}" for path in paths if "__pycache__" not in path.parts}


def in_package(path: Path) -> Path:
    """Return the place of a file or folder below the package: the folder `framescope` is the package itself."""
    place = path.relative_to(ROOT)
    return place.relative_to("framescope") if place.parts[0] == "framescope" else place


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built of a copy, as building leaves things behind."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for layer in LAYERS:
        shutil.copytree(ROOT / layer, source / layer)
    for name in ("pyproject.toml", "LICENSE", "NOTICE.md", "README.md"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*command, "--wheel-dir", folder, source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_that_every_package_on_disk_is_listed():
    """setuptools finds no packages under a mapped name, so pyproject.toml lists them by hand."""
    on_disk = {
        ".".join(["framescope", *in_package(path.parent).parts])
        for layer in LAYERS
        for path in (ROOT / layer).rglob("__init__.py")
    }

    assert set(PYPROJECT["tool"]["setuptools"]["packages"]) == on_disk


def test_that_every_folder_with_modules_is_a_package():
    folders = {path.parent for layer in LAYERS for path in (ROOT / layer).rglob("*.py")}

    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_that_the_wheel_holds_what_is_on_disk_and_nothing_else(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/")}
    version = PYPROJECT["project"]["version"]
    inside = {name for name in names if not name.startswith(f"framescope-{version}.dist-info/")}

    assert inside == files_on_disk()


def test_that_the_wheel_serves_all_platforms_and_brings_its_licence(wheel):
    names = zipfile.ZipFile(wheel).namelist()

    assert wheel.name.endswith("-py3-none-any.whl")
    for file in ("LICENSE", "NOTICE.md"):
        assert any(name.endswith(f".dist-info/licenses/{file}") for name in names)


def test_that_the_command_tells_its_version_in_an_environment_with_nothing_else(wheel, tmp_path):
    host = platforms.this_host()
    venv.create(tmp_path / "empty", with_pip=False)
    python = platforms.venv_python(tmp_path / "empty", host)
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--no-deps",
        "--no-index",
        "--no-compile",
        wheel,
    ]
    subprocess.run(install, check=True, capture_output=True, cwd=tmp_path)
    command = python.with_name("framescope.exe" if host.is_windows else "framescope")

    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False, cwd=tmp_path)

    assert (done.returncode, done.stdout, done.stderr) == (0, f"framescope {PYPROJECT['project']['version']}\n", "")


def test_that_the_checkout_itself_is_what_is_installed():
    for layer in LAYERS:
        module = importlib.import_module("framescope" if layer == "framescope" else f"framescope.{layer}")
        assert Path(module.__file__).resolve() == ROOT / layer / "__init__.py"


@pytest.mark.parametrize("name", [lock_files.LOCK, lock_files.DEV_LOCK])
def test_that_a_lock_file_names_no_host_and_no_path(name):
    assert lock_files.foreign_lines((ROOT / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://example.org/simple",
        "--find-links /srv/wheels",
        "#    uv pip compile /home/me/pyproject.toml",
        "numpy @ https://example.org/numpy.whl \\",
        "-e /home/me/framescope",
        "    # via -r /home/me/requirements.in",
    ],
)
def test_that_a_host_or_path_in_a_lock_file_would_be_found(line):
    good = "# made by uv\nnumpy==2.4.6 ; python_full_version < '3.12' \\\n    --hash=sha256:" + "0" * 64

    assert lock_files.foreign_lines(good) == []
    assert lock_files.foreign_lines(f"{good}\n{line}\n") == [line]


def test_that_development_adds_to_the_same_pins():
    pins, dev_pins = (
        lock_files.pins((ROOT / name).read_text(encoding="utf-8")) for name in (lock_files.LOCK, lock_files.DEV_LOCK)
    )

    assert pins < dev_pins
