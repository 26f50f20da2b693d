"""The convention detective: in which conventions two sets of numbers are the same orientations.

`detect` takes numbers as they were found and orientations, or numbers again, that should be the same; it tries every
reading of them, every change of axes and fixed offsets, and says which fits, and what the data cannot tell apart.
"""

from framescope.core.detective.conversion import conversion_code
from framescope.core.detective.detect import Report, detect
from framescope.core.detective.findings import Finding
from framescope.core.detective.hypotheses import Hypothesis
from framescope.core.detective.pairing import Pairs, pair
from framescope.core.detective.pasted_samples import read_pasted_samples
from framescope.core.detective.readings import Reading, readings_of
from framescope.core.detective.samples import Samples, read_samples

__all__ = [
    "Finding",
    "Hypothesis",
    "Pairs",
    "Reading",
    "Report",
    "Samples",
    "conversion_code",
    "detect",
    "pair",
    "read_pasted_samples",
    "read_samples",
    "readings_of",
]
