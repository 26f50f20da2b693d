"""The convention detective: in which conventions two sets of numbers are the same orientations.

`detect` takes numbers as they were found and orientations, or numbers again, that should be the same; it tries every
reading of them, every change of axes and fixed offsets, and says which fits, and what the data cannot tell apart.
"""
