"""Detective for vectors: the meaning of a measured velocity, acceleration or angular velocity, by the motion.

Modules in order of dependence: ``comparison`` (rows of both sides, equally averaged, and their noise), ``fits`` (least
squares of several causes at once), ``hypotheses`` (frames, axes, signs, units), ``search`` (the simplest hypothesis
that fits, and its rivals), ``words`` (texts and edits).
"""
