"""Bags of ROS 1 and ROS 2: reading them, the scene of their frames, and the faults in them.

- `core`: `bag_file` recognizes a container; `ros1_file`, `sqlite_file` and `mcap_file` list it by its index and yield
  raw messages; `messages` and `foxglove` decode them; `tf_log` has all transforms of a namespace, in the order of
  reception. A cut container is walked record by record.
- `columns` decodes the numbers of sensor messages in batches, `topic_series` collects them, and `header_frames` reads
  the frame of the first header of every other channel.
- `core/autopsy`: faults of a `TfLog`. `tree_faults`, `static_faults`, `stamp_faults`, `sample_faults`,
  `source_faults`, `plausibility`, `topic_stamps` and `topic_faults` yield faults of their kinds; `autopsy` cuts the log
  at jumps of the clock and drops consequences of other faults; `fixes` tries each fix; `answers` plays the log into
  tf2's buffer. A new fault is a word in `fault.py` and a line that yields it, which `tests/support/planted_bags.py`
  plants.
- Scenes: `bag_scene` makes a frame of motion `transforms` for each frame sent. The scene names the bag and holds no
  motion. `compile_transforms` interpolates between samples; gaps are holes; times are whole nanoseconds.
"""
