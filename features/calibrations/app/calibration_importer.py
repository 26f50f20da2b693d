"""Importer of calibrations. Their readers are imported when a file is looked at."""

from __future__ import annotations

from pathlib import Path

from framescope.app.importers.importer import Importer, import_later
from framescope.core.errors import FramescopeError

_READER = "framescope.features.calibrations.app.calibration_reader"


def model_in_folder(path: Path) -> Path:
    """Return the file that is opened for the folder of a reconstruction: of COLMAP, nerfstudio or instant-ngp.

    Raises
    ------
    FramescopeError
        When the folder holds none.
    """
    for name in MODEL_FOLDERS:
        for file in MODEL_FILES:
            model = path / name / file
            if model.is_file():
                return model
    raise FramescopeError(f"the folder {path.name} holds no model of COLMAP and no transforms.json. Open a file in it.")


MODEL_FOLDERS = ("", "0", "sparse/0", "sparse")
"""Folders in which a reconstruction is looked for."""

MODEL_FILES = ("images.bin", "images.txt", "transforms.json")
"""Files of a reconstruction that are opened for its folder."""

IMPORTER = Importer(
    "calibrations",
    (".launch", ".xml", ".calib", ".sto", ".mot", ".bin"),
    import_later(f"{_READER}:is_calibration"),
    import_later(f"{_READER}:read"),
    file_in=model_in_folder,
    add=import_later("framescope.features.calibrations.core.rig.additions:add_calibration"),
)
