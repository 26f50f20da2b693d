"""Evaluation of a scene over time: the compiled plan, forward kinematics, relative motion and signal curves.

- **Plan** (`evaluate`): the frame tree by rows, the motion of each frame as a function of an array of times,
  instruments, view data in SI units, pending simulations, problems. `compile` makes each part from the scene, one
  module for each kind of item. Motions of frames that an edit does not change are cached. Data of files stay in memory
  as long as a plan uses them.
- **Walk** (`forward_kinematics`): level by level, component by component. `batched_frames` samples frames of one axis
  sequence together, and expressions that differ only in numbers are computed together.
- **Traces** (`frame_traces`): an attitude has two sets of angles and two quaternions. A trace follows a frame from the
  start of the scene along 512 knots, or more if it turns fast, and selects one set and one quaternion. The set changes
  only where the path goes through gimbal lock. Values are computed from the matrix at t, so they do not depend on the
  times of earlier queries.
- **Relations** (`relative_motion`): one frame relative to another, resolved in a third. `delayed_frames` adds the
  earlier pose of a frame, seen through a fixed frame, to a snapshot; all relations are then computed as usual.
- **Changes of parent** (`FrameTree.switches`): the level of a frame is below the levels of all its parents over time,
  so that one pass over the levels is enough. Only the row of the parent depends on time.
- **Unknown poses**: a frame with the motion `unconnected`, and all below it, have NaN in a snapshot.
  `Snapshot.adrift` has their poses relative to each other.
- **Recordings**: the pose goes through the samples; rates belong to the smoothed motion (`Snapshot.smoothed`).
- **Rounding** (`rounding`): the size below which a signal is rounding error. Plots show such values as zero; exports
  and copies keep them.
"""
