"""Platform plugins of Qt: a name that none of them has would end the process as soon as Qt starts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QPluginLoader

from framescope.core.errors import did_you_mean


def platform_fault(asked: str) -> str:
    """Return what is wrong with a value of QT_QPA_PLATFORM; empty where Qt has one of the platforms that it names.

    >>> platform_fault("offscreen;no such thing"), platform_fault("")
    ('', '')
    """
    names = [part.partition(":")[0].strip() for part in asked.split(";") if part.strip()]
    known = sorted(set(_known_platforms())) if names else []
    if not known or any(name.lower() in known for name in names):
        return ""
    what = f"QT_QPA_PLATFORM is {asked}, and Qt has no platform of that name here."
    return f"{what} {did_you_mean(names[0], known)} Or take that variable away."


def _known_platforms() -> Iterator[str]:
    """Yield the names of the platforms in all folders of plugins."""
    plugins = QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)
    for folder in dict.fromkeys([plugins, *QCoreApplication.libraryPaths()]):
        place = Path(folder) / "platforms"
        for file in sorted(place.iterdir()) if place.is_dir() else ():
            details = QPluginLoader(str(file)).metaData().get("MetaData")
            keys = details.get("Keys") if isinstance(details, dict) else None
            yield from (str(key).lower() for key in keys or ())
