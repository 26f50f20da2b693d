"""Readers of mesh files: STL, OBJ, PLY, GLB and COLLADA. Every number is checked before it is used as an index.

`surface` has the result and its limits, `formats` chooses the reader by suffix, and each format has a module. Files
are not trusted, and no other library reads them. Returned surfaces have indices within their arrays, finite
coordinates, and sizes within the limits. Colours, materials and textures are not read, except diffuse colours of
COLLADA.
"""
