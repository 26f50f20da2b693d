"""Readers of mesh files: STL, OBJ, PLY, GLB and COLLADA, which check every number before it is used as a place.

`surface` says what a file holds and how much of it is taken, `formats` chooses the reader by the suffix, and there is
one file for each format. Files come from strangers, and no other library sees them: what leaves here has indices
within its arrays, finite places, and sizes within the limits. Colours, materials and textures are not read.
"""
