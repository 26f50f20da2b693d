r"""Files that a scene names: permission to open them, and their paths.

A scene may come from a stranger. After links are resolved, its files must be in the scene's folder. Any other file
needs the user's consent. A name is first checked as text, then links are resolved one by one. Without consent, nothing
outside the folder is accessed, because even a test whether ``\\server\share\x`` exists may send a password.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path

from framescope.core.errors import ItemError, KeyPath, did_you_mean, near_miss
from framescope.core.system.growing_series import GrowingSeries

MAX_NAME_LENGTH = 1000
"""Largest number of characters of a name."""

MAX_LINKS = 40
"""Largest number of links on the way to one file."""

NAMES_KEPT = 2048
"""Number of names whose checks are cached, because each change of a scene repeats the checks."""

MAX_SIBLINGS = 1000
"""Largest number of files in a folder to search for a similar name."""

_URL = re.compile(r"[a-z][a-z0-9+.-]+:(//.*)?", re.IGNORECASE | re.DOTALL)
_SCHEMES = ("http", "https", "ftp", "ftps", "sftp", "file", "data", "smb", "s3", "ssh", "git", "javascript")
_DRIVE = re.compile(r"[A-Za-z]:")
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])", re.IGNORECASE)
_SYSTEM_FOLDERS = ("dev", "proc", "sys")

IS_WINDOWS = os.name == "nt"


@dataclass(frozen=True)
class Access:
    """Files and growing series that the names in a scene may refer to.

    Attributes
    ----------
    folder
        Folder of the scene; None for a scene that has not been saved yet.
    allowed
        Names outside the folder, as written in the scene, that the user has consented to.
    allow_all
        Whether the user has consented to all files.
    live
        Growing series by their names in the scene. The program provides them, without files.
    """

    folder: Path | None = None
    allowed: frozenset[str] = frozenset()
    allow_all: bool = False
    live: Mapping[str, GrowingSeries] = field(default_factory=dict[str, GrowingSeries], compare=False)

    @cached_property
    def base(self) -> Path:
        """Folder of the scene with all links resolved; the root folder for a scene without a folder."""
        return Path("/") if self.folder is None else self.folder.resolve()

    def allows(self, name: str) -> bool:
        """Return whether the user has consented to a name outside the folder."""
        return self.allow_all or name in self.allowed


class OutsideError(ItemError):
    """Error of a name that leads outside the folder of the scene without the user's consent.

    `name` is the name as written in the scene.
    """

    def __init__(self, key_path: KeyPath, name: str) -> None:
        self.name = name
        message = f"{_quote(name)} lies outside the folder of the scene."
        hint = "Copy it beside the scene, or consent to it if you trust the scene (--allow-outside)."
        super().__init__(key_path, message, hint)


def resolve_named(name: str, access: Access, key_path: KeyPath, extensions: tuple[str, ...]) -> Path:
    """Return the file that a name in a scene refers to.

    Parameters
    ----------
    name
        Name as written in the scene: relative to the scene's folder, with ``/`` between folders.
    access
        Folder of the scene, and the user's consent.
    key_path
        Key path of the name, for error messages.
    extensions
        Allowed extensions, such as ``(".csv", ".txt")``.

    Returns
    -------
    Path
        A regular file, with all links resolved.

    Raises
    ------
    OutsideError
        When the file is outside the folder and the user has not consented yet.
    ItemError
        When the name is invalid even with consent, or the file does not exist.

    Notes
    -----
    Another program could change the folder between this check and the reading, but such a program has access to the
    files anyway.
    """
    check_name(name, key_path)
    _check_extension(name, name, key_path, extensions)
    path = _locate(name, access, key_path)
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(name, path, key_path, extensions) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ItemError(key_path, f"{_quote(name)} cannot be accessed: {reason}.") from None
    if stat.S_ISDIR(mode):
        raise ItemError(key_path, f"{_quote(name)} is a folder, expected a file.", "Name one of the files in it.")
    if not stat.S_ISREG(mode):
        raise ItemError(key_path, f"{_quote(name)} is no ordinary file.", "Copy what it gives into a file first.")
    _check_extension(name, path.name, key_path, extensions)
    return path


def resolve_folder(name: str, access: Access) -> Path | None:
    """Return the folder that a name in a scene refers to; None for a folder that does not exist or may not be searched.

    A folder outside the folder of the scene may be searched when the user has consented to it, or to a file in it.
    """
    inside = f"{name.rstrip('/')}/"
    is_allowed = access.allows(name) or any(allowed_name.startswith(inside) for allowed_name in access.allowed)
    extended_access = replace(access, allowed=access.allowed | {name}) if is_allowed else access
    try:
        check_name(name)
        path = _locate(name, extended_access, ())
    except ItemError:
        return None
    return path if path.is_dir() else None


def outside_names(names: Iterable[str], access: Access) -> tuple[str, ...]:
    """Return the names that the user's consent would open, each once and in order.

    >>> outside_names(["walk.txt", "/data/run.csv", "../b.csv", "a/../b.csv", "http://x.org/b.csv"], Access(Path("/s")))
    ('/data/run.csv', '../b.csv')
    """
    outside: dict[str, None] = {}
    for name in names:
        try:
            check_name(name)
            _locate(name, access, ())
        except OutsideError:
            outside[name] = None
        except ItemError:
            pass
    return tuple(outside)


# --- As text


def check_name(name: str, key_path: KeyPath = ()) -> None:
    """Raise `ItemError` for a name whose text makes it invalid even with consent."""
    fault = _fault_of(name, is_windows=IS_WINDOWS)
    if fault is not None:
        raise ItemError(key_path, *fault)


@lru_cache(maxsize=NAMES_KEPT)
def _fault_of(name: str, *, is_windows: bool) -> tuple[str, str] | None:
    """Return the fault of a name as text and its fix; None for a valid name."""
    if not name.strip() or len(name) > MAX_NAME_LENGTH or not name.isprintable() or name.endswith(("/", "\\")):
        return f"{_quote(name)} is no usable file name.", "Use the name of a file beside the scene."
    scheme = name.partition(":")[0].lower()
    if _URL.match(name) and ("://" in name or scheme in _SCHEMES):
        verb = "Download" if scheme != "file" else "Copy"
        hint = f"{verb} the file beside the scene and write its name."
        return f"{_quote(name)} is an address, and a scene fetches nothing.", hint
    parts = [part for part in re.split(r"[/\\]", name) if part]
    is_device = any(_DEVICE.fullmatch(part.partition(".")[0].rstrip()) for part in parts)
    is_rooted = name.startswith(("/", "\\"))
    if is_device or (is_rooted and parts and parts[0].lower() in (*_SYSTEM_FOLDERS, ".", "?", "??")):
        return f"{_quote(name)} is a device, on one system or another.", "Name a file."
    if _is_foreign_root(name):
        return None
    if "\\" in name:
        return f"{_quote(name)} holds a backslash.", "Write / between folders, on Windows too."
    if any(part.rstrip(" .") != part for part in parts if part not in (".", "..")):
        return f"{_quote(name)} has a blank or a dot at an end, which Windows drops.", "Rename it."
    if is_windows and ":" in name:
        return f"{_quote(name)} holds a colon.", "Rename the file."
    return None


def _is_foreign_root(name: str) -> bool:
    r"""Return whether a name begins like an absolute path of Windows: with a drive, ``\`` or ``\\``."""
    return bool(_DRIVE.match(name)) or name.startswith("\\")


def _check_extension(name: str, file: str, key_path: KeyPath, extensions: tuple[str, ...]) -> None:
    """Raise `ItemError` unless a file has one of the extensions."""
    suffix = _suffix_of(file)
    if suffix in extensions:
        return
    message = f'"{_cut(suffix)}" is no extension of a file that is read here' if suffix else "it has no extension"
    close = near_miss(suffix, extensions) if suffix and len(suffix) < 20 else None
    hint = (f'Did you mean "{close}"? ' if close else "") + f"Known are: {', '.join(extensions)}."
    raise ItemError(key_path, f"{_quote(name)}: {message}.", hint)


@lru_cache(maxsize=NAMES_KEPT)
def _suffix_of(file: str) -> str:
    return Path(file).suffix.lower()


def _is_outside_as_text(name: str) -> bool:
    """Return whether the text of a name leads out of its folder."""
    if _is_foreign_root(name) or name.startswith(("/", "~")):
        return True
    depth = 0
    for part in name.split("/"):
        depth += {"": 0, ".": 0, "..": -1}.get(part, 1)
        if depth < 0:
            return True
    return False


# --- On the disk


def _locate(name: str, access: Access, key_path: KeyPath) -> Path:
    """Return the path that a name leads to, with links resolved."""
    is_outside, is_allowed = _is_outside_as_text(name), access.allows(name)
    if is_outside and not is_allowed:
        raise OutsideError(key_path, name)
    if is_outside and _is_foreign_root(name) and not IS_WINDOWS:
        raise ItemError(key_path, f"{_quote(name)} is a path of Windows.", "Copy the file beside the scene.")
    is_rooted = name.startswith(("/", "~")) or _is_foreign_root(name)
    if access.folder is None and not is_rooted:
        raise ItemError(key_path, f"{_quote(name)} is looked for beside the scene.", "Save the scene first.")
    try:
        base = access.base
        if is_allowed:
            return (base / (Path(name).expanduser() if name.startswith("~") else name)).resolve()
        path = _follow_links(base, name)
        # Windows has other alternative names besides links, such as short names.
        if path is None or (IS_WINDOWS and not path.resolve().is_relative_to(base)):
            raise OutsideError(key_path, name)
    except (OSError, ValueError, RuntimeError):
        raise ItemError(key_path, f"{_quote(name)} is no usable file name.", "Check its folders and links.") from None
    return path


def _follow_links(base: Path, name: str) -> Path | None:
    """Return the path that a name leads to from `base`, or None if it leads out of `base`. Nothing outside is accessed.

    `Path.resolve` would access the target of a link out of the folder, even on a network share, before the link could
    be rejected.
    """
    path, parts, n_links = base, name.split("/")[::-1], 0
    while parts:
        part = parts.pop()
        if part in ("", "."):
            continue
        if part == "..":
            if path == base:
                return None
            path = path.parent
            continue
        target = _link_target(path / part)
        if target is None:
            path /= part
            continue
        n_links += 1
        if n_links > MAX_LINKS:
            raise OSError("a circle of links")
        if target.is_absolute() or target.drive or target.root:
            if not target.is_relative_to(base) or ".." in target.parts:
                return None
            path, target = base, target.relative_to(base)
        parts += target.parts[::-1]
    return path


def _link_target(path: Path) -> Path | None:
    """Return the target of a link or junction, None for any other path."""
    try:
        target = os.readlink(path)  # noqa: PTH115 - Path.readlink does not read junctions
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        if path.is_symlink():
            raise
        return None
    # Windows returns \\?\C:\x, which becomes C:\x, and \\?\UNC\server\x, which becomes \\server\x.
    return Path(re.sub(r"^\\\\\?\\(UNC(?=\\))?", lambda match: "\\" if match[1] else "", target))


MISSING = "missing-file"
"""Kind of the problem of a missing file."""


def _missing(name: str, path: Path, key_path: KeyPath, extensions: tuple[str, ...]) -> ItemError:
    """Return the error for a missing file, with similar names as a hint."""
    siblings = _siblings(path.parent, extensions)
    close = near_miss(path.name, siblings)
    if close or 0 < len(siblings) <= 10:
        hint = did_you_mean(path.name, [close] if close else siblings)
    else:
        hint = "Check its name." if siblings or name != path.name else f"Put it into {_quote(path.parent.name)}."
    where = " beside the scene" if "/" not in name and "\\" not in name else ""
    return ItemError(key_path, f"there is no file {_quote(name)}{where}.", hint, kind=MISSING)


def _siblings(folder: Path, extensions: tuple[str, ...]) -> list[str]:
    """Return the names of files with the extensions in a folder, sorted."""
    try:
        with os.scandir(folder) as entries:
            return sorted(
                entry.name
                for entry in islice(entries, MAX_SIBLINGS)
                if Path(entry.name).suffix.lower() in extensions
                and entry.name.isprintable()
                and entry.is_file(follow_symlinks=False)
            )
    except OSError:
        return []


# --- In messages


def _quote(text: str) -> str:
    """Return a text for a message, escaped where it is not printable, and shortened."""
    return _cut(text) if text.isprintable() and text.strip() else _cut(ascii(text))


def _cut(text: str) -> str:
    """Return a text, with the middle part removed if the text is long."""
    return text if len(text) <= 80 else f"{text[:60]}…{text[-15:]}"
