"""The maths of rotations and frames, and the scene as data: no Qt, no VTK, usable from a notebook."""
