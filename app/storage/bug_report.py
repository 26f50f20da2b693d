"""Bug report bundle: versions, system, the end of the log, and the user's additions. It has no personal data."""

from __future__ import annotations

import json
import platform
import re
import sys
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from framescope.core.system.atomic_write import atomically
from framescope.ui.help.log_lines import LogLine

PACKAGES = (
    "framescope",
    "numpy",
    "scipy",
    "pydantic",
    "PySide6-Essentials",
    "pyqtgraph",
    "pyvista",
    "pyvistaqt",
    "vtk",
)
MAX_LINES = 500

README = """A bug report of Framescope.

about.json    versions, platform, graphics and settings
log.txt       the last lines of the log
scene.yaml    the scene, when you chose to add it
window.png    the window, when you chose to add it

The path of your home folder is written as ~ everywhere. Look through it before you send it.
"""

# Home folders of any user, because files from others contain their paths.
_HOME = re.compile(
    r"(?:/home/|/Users/|/var/home/|[A-Za-z]:(?:\\\\|\\|/)Users(?:\\\\|\\|/))[^/\\\s\"':;,<>|]+", re.IGNORECASE
)


@dataclass(frozen=True)
class BugReport:
    """Contents of a bug report bundle.

    Attributes
    ----------
    renderer
        Name of the renderer in OpenGL.
    settings
        Result of `Settings.summary`.
    lines
        Lines of the log.
    scene_text, screenshot
        The scene and a picture of the window (PNG), if the user adds them.
    """

    renderer: str = "unknown"
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    lines: tuple[LogLine, ...] = ()
    scene_text: str | None = None
    screenshot: bytes | None = None


def write_report(report: BugReport, path: Path) -> None:
    """Write a bundle as a ZIP file; it appears complete or not at all. Raise `OSError` when that fails."""
    with atomically(path) as partial, zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, data in contents(report).items():
            bundle.writestr(name, data)


def contents(report: BugReport) -> dict[str, str | bytes]:
    """Return the files of a bundle by name."""
    files: dict[str, str | bytes] = {
        "README.txt": README,
        "about.json": without_homes(json.dumps(_about(report), indent=1)),
        "log.txt": without_homes(_text(report.lines)),
    }
    if report.scene_text is not None:
        files["scene.yaml"] = without_homes(report.scene_text)
    if report.screenshot is not None:
        files["window.png"] = report.screenshot
    return files


def without_homes(text: str, home: Path | None = None) -> str:
    r"""Replace every path of a home folder in a text by ~, whatever its slashes.

    >>> without_homes("read /people/ada/arm/a.csv", Path("/people/ada"))
    'read ~/arm/a.csv'
    """
    home = Path.home() if home is None else home
    own = {str(home), home.as_posix(), str(home).replace("\\", "\\\\"), home.as_posix().replace(" ", "%20")}
    for spelling in sorted(own, key=len, reverse=True):
        if len(spelling) > 1:
            text = re.sub(re.escape(spelling) + r"(?![\w-])", "~", text, flags=re.IGNORECASE)
    return _HOME.sub("~", text)


def _about(report: BugReport) -> dict[str, object]:
    return {
        "python": sys.version,
        "packages": {name: _version(name) for name in PACKAGES},
        "qt": _qt_version(),
        "platform": {
            "system": platform.system(),
            "release": platform.release(),
            "machine": platform.machine(),
            "qt platform": _qt_platform(),
        },
        "renderer": report.renderer,
        "settings": dict(report.settings),
    }


def _text(lines: Iterable[LogLine]) -> str:
    return "\n".join(str(line) for line in tuple(lines)[-MAX_LINES:]) + "\n"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not there"


def _qt_version() -> str:
    from PySide6.QtCore import qVersion

    return qVersion()


def _qt_platform() -> str:
    from PySide6.QtGui import QGuiApplication

    return QGuiApplication.platformName()
