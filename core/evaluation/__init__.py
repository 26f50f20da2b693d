"""Evaluation of a scene over time: the compiled plan, forward kinematics, relative motion and signal curves.

- **Plan** (`evaluate`): the frame tree by rows, the motion of each frame as a function of an array of times,
  instruments, view data in SI units, pending simulations, problems. `compile` makes each part from the scene, one
  file for each kind of item. A cache keeps the motions of frames that an edit leaves alone; data of files last as
  long as a plan uses them.
- **Walk** (`forward_kinematics`): level by level, component by component. `batched_frames` samples frames of one axis
  sequence together, and expressions that differ only in numbers are computed together.
- **Traces** (`frame_traces`): an attitude has two sets of angles and two quaternions. A trace follows a frame from the
  start of the scene along 512 knots, finer where it turns fast, and selects one of each. The set changes only where the
  path goes through gimbal lock. Values are computed from the matrix at t, so they depend on nothing else that was asked
  for.
- **Relations** (`relative_motion`): one frame relative to another, resolved in a third. `delayed_frames` puts a frame
  where it was earlier, seen through a fixed frame; every relation is then computed as usual.
- **Changes of parent** (`FrameTree.switches`): the levels of the tree lie below all parents that a frame ever has, so
  the walk stays one pass; only the row of the parent depends on time.
- **Unknown poses**: a frame with the motion `unconnected`, and all below it, have NaN in a snapshot.
  `Snapshot.adrift` has their poses relative to each other.
- **Recordings**: the pose goes through the samples; rates belong to the smoothed motion (`Snapshot.smoothed`).
- **Rounding** (`rounding`): the size below which a signal is rounding error. Plots show such values as zero; exports
  and copies keep them.
"""
