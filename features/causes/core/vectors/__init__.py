"""The detective for vectors: what a measured velocity, acceleration or angular velocity is, beside the motion.

Modules stand on each other in this order: ``comparison`` (rows of both sides, averaged alike, and their noise),
``fits`` (least squares of some causes at once), ``hypotheses`` (frames, axes, signs, units), ``search`` (the simplest
that fits, and its rivals), ``words`` (what is said, and the edits).
"""
