"""Pictures beside a scene, PNG and JPEG, as arrays: within limits, and never more than is shown."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import HintedError
from framescope.core.system.caches import FileCache

if TYPE_CHECKING:
    from PIL import Image

MAX_BYTES = 50_000_000
"""Largest size of a picture file, bytes."""

MAX_PIXELS = 40_000_000
"""Largest number of pixels of a picture."""

SHOWN_SIDE = 2048
"""Longest side of a picture as it is kept, pixels; a larger picture is reduced."""

KEPT, KEPT_BYTES = 8, 200e6
"""Number of pictures that are always cached, and total of bytes up to which more are cached."""

Pixels = NDArray[np.uint8]


class PictureFileError(HintedError):
    """Error of a picture that cannot be shown; `message` has the reason, and `hint` the fix."""


def read_picture(path: Path) -> Pixels:
    """Return the pixels (h, w, 3) of a picture, red, green and blue, row by row from the top.

    A picture with a longer side than `SHOWN_SIDE` is reduced.

    Raises
    ------
    PictureFileError
        When the file cannot be read, is no PNG or JPEG picture, is damaged, or is over a limit.
    """
    from PIL import Image, UnidentifiedImageError

    name = path.name
    try:
        with path.open("rb") as file:
            _check_bytes(os.fstat(file.fileno()).st_size, name)
            with Image.open(file, formats=("PNG", "JPEG")) as image:
                _check_pixels(*image.size, name)
                return _reduced(image)
    except PictureFileError:
        raise
    except (UnidentifiedImageError, Image.DecompressionBombError):
        hint = "Save it as PNG or JPEG again."
        raise PictureFileError(f"the file {name} is no PNG or JPEG picture.", hint) from None
    except OSError as error:
        raise PictureFileError(f"the picture {name} cannot be read: {error.strerror or error}.") from None
    except MemoryError:
        raise PictureFileError(f"the picture {name} does not fit into the memory.", "Save a smaller one.") from None
    except Exception:  # noqa: BLE001 - damaged files make the decoders raise errors of many kinds
        raise PictureFileError(f"the picture {name} is damaged.", "Save it again.") from None


def _check_bytes(n_bytes: int, name: str) -> None:
    if n_bytes > MAX_BYTES:
        raise PictureFileError(f"the picture {name} has more than {MAX_BYTES:,} bytes.", "Save a smaller one.")


def _check_pixels(width: int, height: int, name: str) -> None:
    if width * height > MAX_PIXELS:
        message = f"the picture {name} has {width} x {height} pixels, more than {MAX_PIXELS:,}."
        raise PictureFileError(message, "Save a smaller one.")


def _reduced(image: Image.Image) -> Pixels:
    image.draft("RGB", (SHOWN_SIDE, SHOWN_SIDE))
    if image.mode.startswith("I"):  # 16 bits for each grey level
        levels = np.asarray(image, dtype=np.int64)
        step = max(1, -(-max(levels.shape) // SHOWN_SIDE))
        grey = (np.clip(levels[::step, ::step], 0, 65535) >> 8).astype(np.uint8)
        return np.repeat(grey[..., np.newaxis], 3, axis=2)
    rgb = image.convert("RGB")
    rgb.thumbnail((SHOWN_SIDE, SHOWN_SIDE))
    return np.array(rgb, dtype=np.uint8)


def _read(path: Path) -> Pixels | tuple[str, str]:
    """Return a picture, or message and hint of the fault, which is cached, too."""
    try:
        return read_picture(path)
    except PictureFileError as error:
        return error.message, error.hint


_pictures = FileCache(_read, KEPT, lambda result: float(getattr(result, "nbytes", 0)), KEPT_BYTES)


def load_picture(path: Path) -> Pixels:
    """Return the pixels of a picture as `read_picture`; an unchanged file is read once.

    Raises
    ------
    PictureFileError
        As `read_picture`.
    """
    result = _pictures(path)
    if isinstance(result, tuple):
        raise PictureFileError(*result)
    return result
