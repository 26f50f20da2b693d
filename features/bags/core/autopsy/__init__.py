"""Autopsy of a recording of transforms: the faults of its frames, their times, and the answers of tf2 at them."""
