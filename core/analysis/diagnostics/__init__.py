"""Finding the problem: what is wrong with a scene, why, where and when, and the edit that mends it.

`diagnose` takes a plan. What compiling it has found comes first, each with its mend where there is an obvious one; then
what only shows when numbers are compared: frames, rows of recordings, measurements and runs.

The base finds what a scene alone shows: compile problems, odd rows of recordings, frames in one place, misses of
measurements, open balances. Features add `checks`, and `explanations`, which replace misses by their causes. The
window shows compile problems at once and the deep check after a moment of rest.
"""

from framescope.core.analysis.diagnostics.diagnose import diagnose
from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, TriedMend, mend_all_safe

__all__ = ["Diagnosis", "TriedMend", "diagnose", "mend_all_safe"]
