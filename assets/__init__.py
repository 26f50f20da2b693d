"""Example scenes, meshes, icons, themes and fonts, read with importlib.resources."""

from importlib.resources import files
from pathlib import Path


def path(name: str) -> Path:
    """
    Return the path of a bundled file.

    Parameters
    ----------
    name : str
        Path below the assets folder, with forward slashes.

    Raises
    ------
    FileNotFoundError
        When there is no such file or folder.

    Examples
    --------
    >>> path("third_party/fonts/Inter-Regular.ttf").suffix
    '.ttf'
    """
    # A plain path, since Qt and VTK open files by name; wheels are unpacked on installation.
    found = Path(str(files(__name__))) / name
    if not found.exists():
        raise FileNotFoundError(f"there is no bundled file {name!r}")
    return found
