"""The autopsy of a recording of transforms: what is wrong with its frames, since when, and what tf2 answered there."""
