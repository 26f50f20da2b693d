"""Diagnosis of a scene: problems with cause, place, time, and the edit that fixes each.

`diagnose` takes a plan. The problems found by compiling come first, with a fix where one is obvious. They precede
what only shows when numbers are compared: frames, rows of recordings, measurements and runs.
"""

from framescope.core.analysis.diagnostics.diagnose import diagnose
from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, TriedMend, mend_all_safe

__all__ = ["Diagnosis", "TriedMend", "diagnose", "mend_all_safe"]
