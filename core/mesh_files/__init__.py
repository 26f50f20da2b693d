"""Readers of mesh files: STL, OBJ, PLY, GLB and COLLADA. Every number is checked before it is used as an index.

`surface` has the result and its limits, `formats` chooses the reader by suffix, and each format has a module. Files are
not trusted, and only these readers open them. The indices of returned surfaces are within their arrays, coordinates are
finite, and sizes are within the limits. Of colours, materials and textures, only the diffuse colours of COLLADA are
read.
"""
