"""Leaks: parts of a question step that tell its answer before the user has given it.

Three kinds of evidence count. A text tells the answer where it has the value, the axis, the angles or the words of the
right reply. The text of the step gives the data of the question, too: a sentence of it counts only if it is about what
the question asks, and has none of the wrong numbers from which the user is to choose. A number in the picture tells it
where it is the value. A thing in the picture tells it where an arrow points along the direction, a frame has the
orientation, or a curve has the shape of the right one. A user may move the time, so a curve counts over the whole
scene. A number counts at the times that a user looks at: the time of the step, the end of its playback, both ends of
the scene, and where the number is largest and smallest.
"""
