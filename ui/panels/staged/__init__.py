"""What a rotation turn by turn has over the scene: its steps, its formula, and in which reading it is seen.

`StagedOverlay` is all that the outside needs; it lays the others over a `SceneView`.
"""
