"""Convention detective: find the conventions under which two sets of numbers are the same orientations.

`pipeline.detect` takes numbers of unknown convention, and orientations or numbers that should be equal. It tries every
interpretation, change of axes and fixed offset, ranks them, and reports hypotheses that the data cannot distinguish.
"""
