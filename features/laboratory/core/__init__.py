"""The laboratories: what integrating an orientation does to it, and what an axis sequence does near its lock.

`run_drift` integrates an angular velocity whose orientation is known and says how far it drifts; `study_order` does so
with many steps and reads the order off. `path_past_lock` and `path_of_frame` give orientations along a path,
`along_path` what the angles of a sequence do there. `integrated_edit` puts a run into a scene, `on_path_edit` shows a
place on a path there.
"""
