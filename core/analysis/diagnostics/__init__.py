"""Diagnosis of a scene: problems with cause, place, time, and the edit that fixes each.

`diagnose` takes a plan. The problems found by compiling come first, with a fix where one is obvious. They precede
what only shows when numbers are compared: frames, rows of recordings, measurements and runs.

The base finds what a scene alone shows: compile problems, odd rows of recordings, frames in one place, misses of
measurements, open balances. Features add `checks`, and `explanations`, which replace misses by their causes. The
window shows compile problems at once and the deep check after a moment of rest.
"""

from framescope.core.analysis.diagnostics.diagnose import diagnose
from framescope.core.analysis.diagnostics.diagnosis import fix_all_safe

__all__ = ["diagnose", "fix_all_safe"]
