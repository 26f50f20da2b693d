"""Diagnosis of a scene: problems with cause, place, time, and the edit that fixes each.

`diagnose` takes a plan. It starts with the problems found by compiling, with a fix where one is obvious. Further checks
compare numbers: frames, rows of recordings, measurements and runs.
"""

from framescope.core.analysis.diagnostics.diagnose import diagnose
from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, TriedMend, mend_all_safe

__all__ = ["Diagnosis", "TriedMend", "diagnose", "mend_all_safe"]
