"""Page export: a scene as one HTML file with its own viewer.

`core/scene_code` prints the code of a scene from the program's own formulas (`kernels.code.symbolic`): signals of
frames, turns, the step down the tree, relations. `app/web` is the viewer, ES modules that the export joins. Motions
that decide by values (recordings, simulations, keyframes) are sampled.
"""
