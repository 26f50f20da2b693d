"""Laboratories: drift of an integrated orientation, and angles of an axis sequence near gimbal lock.

`run_drift` integrates an angular velocity whose orientation is known and returns the drift; `study_order` repeats this
with many steps and estimates the order. `path_past_lock` and `path_of_frame` return orientations along a path, and
`along_path` the angles of a sequence there. `integrated_edit` adds a run to a scene as a frame; `on_path_edit` previews
a point of a path in the scene.
"""
