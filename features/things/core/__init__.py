"""Things to insert: functions that take a scene and the selected items, and return the edit that adds a thing.

`new_thing` decides which way the axes of a mount point, and gives a thing its names, its place and its edit.
`sensors`, `robot_parts` and `standard_frames` have a function for each thing.
"""
