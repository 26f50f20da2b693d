"""Things to insert: functions that take a scene and the selected items, and return the edit that adds a thing.

`mount_axes` decides which way the axes of a mount point. `new_thing` gives a thing its names, its place and its edit.
`sensors`, `robot_parts` and `standard_frames` have a function for each thing.
"""
