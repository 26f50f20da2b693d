"""The convention detective: in which conventions two sets of numbers are the same orientations.

`detect` takes numbers as they were found and orientations, or numbers again, that should be the same; it tries every
reading of them, every change of axes and fixed offsets, and says which fits, and what the data cannot tell apart.
"""

from framescope.core.analysis.detective.conversion import conversion_code
from framescope.core.analysis.detective.findings import Finding
from framescope.core.analysis.detective.hypotheses import Hypothesis
from framescope.core.analysis.detective.interpretations import Interpretation, readings_of
from framescope.core.analysis.detective.pairing import Pairs, pair
from framescope.core.analysis.detective.pasted_samples import read_pasted_samples
from framescope.core.analysis.detective.pipeline import Report, detect
from framescope.core.analysis.detective.samples import Samples, read_samples

__all__ = [
    "Finding",
    "Hypothesis",
    "Interpretation",
    "Pairs",
    "Report",
    "Samples",
    "conversion_code",
    "detect",
    "pair",
    "read_pasted_samples",
    "read_samples",
    "readings_of",
]
