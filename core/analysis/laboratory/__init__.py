"""The laboratories: what integrating an orientation does to it, and what an axis sequence does near its lock.

`run_drift` integrates an angular velocity whose orientation is known and says how far it drifts; `study_order` does so
with many steps and reads the order off. `path_past_lock` and `path_of_frame` give orientations along a path,
`along_path` what the angles of a sequence do there. `integrated_edit` puts a run into a scene, `on_path_edit` shows a
place on a path there.
"""

from framescope.core.analysis.laboratory.convergence_order import Fit, Study, fit_order, study_order
from framescope.core.analysis.laboratory.drift import (
    ANGLES,
    MATRIX,
    QUATERNION,
    ROTATION_VECTOR,
    DriftSettings,
    Run,
    methods_of,
    run_drift,
)
from framescope.core.analysis.laboratory.gimbal import AlongPath, Path, along_path, path_of_frame, path_past_lock
from framescope.core.analysis.laboratory.rate_presets import (
    PRESETS,
    Choice,
    LaboratoryError,
    OfFrame,
    Rate,
    RatePreset,
    Steady,
    make_rate,
)
from framescope.core.analysis.laboratory.to_scene import integrated_edit, on_path_edit

__all__ = [
    "ANGLES",
    "MATRIX",
    "PRESETS",
    "QUATERNION",
    "ROTATION_VECTOR",
    "AlongPath",
    "Choice",
    "DriftSettings",
    "Fit",
    "LaboratoryError",
    "OfFrame",
    "Path",
    "Rate",
    "RatePreset",
    "Run",
    "Steady",
    "Study",
    "along_path",
    "fit_order",
    "integrated_edit",
    "make_rate",
    "methods_of",
    "on_path_edit",
    "path_of_frame",
    "path_past_lock",
    "run_drift",
    "study_order",
]
