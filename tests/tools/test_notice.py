"""NOTICE.md names what is installed and shipped, each with its licence, as the packages themselves state it."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from tests.tools import lock_files

ROOT = Path(__file__).resolve().parents[2]
NOTICE = (ROOT / "NOTICE.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ASSETS = ROOT / "assets"

OF_CLASSIFIERS = {
    "MIT License": "MIT",
    "BSD License": "BSD-",
    "ISC License (ISCL)": "ISC",
    "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "Matplotlib licence",
}
"""How a licence begins that a package states by a classifier alone."""


def rows_of(heading: str) -> dict[str, str]:
    """Return the licence of each package in the table of a section."""
    section = NOTICE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([\w.-]+) \| ([^|]*) \|", section, re.MULTILINE)
    return {name: licence.strip() for name, licence in rows if name != "package"}


INSTALLED, ON_REQUEST = (
    rows_of("Packages that are installed with it"),
    rows_of("Packages that are installed on request"),
)


def names_in(lines: set[str] | list[str]) -> list[str]:
    return sorted({re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in lines})


def test_that_each_package_of_the_lock_has_a_line() -> None:
    pins = lock_files.pins((ROOT / lock_files.LOCK).read_text(encoding="utf-8"))
    assert list(INSTALLED) == names_in(pins)
    assert all(INSTALLED.values())


def test_that_each_package_of_an_extra_has_a_line() -> None:
    extras = PROJECT["optional-dependencies"]
    wanted = [text for name, packages in extras.items() if name != "window" for text in packages]
    assert list(ON_REQUEST) == names_in(wanted)


def _is_here(name: str) -> bool:
    """Return whether a package is installed: some are of other systems, or on request."""
    return bool(list(metadata.distributions(name=name)))


HERE = {name: licence for name, licence in {**INSTALLED, **ON_REQUEST}.items() if _is_here(name)}


@pytest.mark.parametrize(("name", "licence"), HERE.items())
def test_that_a_licence_is_what_the_package_states(name: str, licence: str) -> None:
    data = metadata.metadata(name)
    stated = data.get("License-Expression")
    short = data.get("License") or ""
    classifiers = [
        text.rpartition(" :: ")[2] for text in data.get_all("Classifier") or [] if text.startswith("License")
    ]
    if stated:
        assert licence == stated
    elif classifiers:
        assert licence.startswith(OF_CLASSIFIERS[classifiers[-1]])
    elif len(short.splitlines()) == 1 and "Copyright" not in short:
        assert licence == short
    else:  # the text itself: of the BSD licence with three clauses
        assert licence == "BSD-3-Clause"
        assert "may be used to endorse or promote" in " ".join(short.split()) or "Copyright" in short


def test_that_what_asks_for_more_than_a_notice_is_told_at_length() -> None:
    section = NOTICE.partition("## Licences that ask for more")[2].partition("\n## ")[0]
    strict = [name for name, licence in INSTALLED.items() if re.search(r"GPL|MPL", licence)]
    assert strict
    assert [name for name in strict if name not in section] == []
    assert "imageio-ffmpeg" in section  # GPL by what is in its wheel


@pytest.mark.process
def test_that_the_licence_of_ffmpeg_is_what_the_program_says() -> None:
    import subprocess

    import imageio_ffmpeg

    done = subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), "-L"], capture_output=True, text=True, check=True)
    words = " ".join(done.stdout.split())
    assert "GNU General Public License" in words
    version = re.search(r"either version (\d)", words)
    assert version is not None
    assert f"GPL-{version[1]}.0-or-later" in NOTICE


def test_that_each_folder_of_others_is_named_and_has_its_licence() -> None:
    folders = sorted(path for path in (ASSETS / "third_party").iterdir() if path.is_dir())
    assert folders
    for folder in folders:
        assert f"`assets/third_party/{folder.name}`" in NOTICE
        assert [path for path in folder.iterdir() if "LICEN" in path.name.upper()], folder


def test_that_each_licence_beside_a_file_of_assets_is_named() -> None:
    beside = [path for path in ASSETS.rglob("*") if "LICENCE" in path.name.upper() and "third_party" not in path.parts]
    assert beside
    for path in beside:
        assert f"`{path.relative_to(ROOT).as_posix()}`" in NOTICE


def test_that_fonts_and_pictures_of_others_are_where_they_are_named() -> None:
    others = [path for path in ASSETS.rglob("*") if path.suffix in (".ttf", ".otf", ".woff2", ".svg")]
    assert [path for path in others if "third_party" not in path.parts] == []


@pytest.mark.parametrize(("package", "pattern"), [("ziamath", "*.ttf"), ("ziafont", "*.ttf")])
def test_that_fonts_in_packages_are_those_that_are_named(package: str, pattern: str) -> None:
    home = Path(str(metadata.distribution(package).locate_file(package)))
    fonts = {"DejaVuSans": "DejaVu Sans", "STIXTwoMath-Regular": "STIX Two Math"}
    line = next(line for line in NOTICE.splitlines() if line.startswith(f"| {package} |"))
    for path in home.rglob(pattern):
        assert fonts[path.stem] in line


def test_that_the_files_are_part_of_the_distribution() -> None:
    assert PROJECT["license-files"] == ["LICENSE", "NOTICE.md"]
