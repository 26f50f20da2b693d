"""The main window: its menus, docks, layouts and bars.

A new window is bare: the scene, and docks at their places. `furnish` fills it after the first picture. `dock_table`
has all docks, of base and features; `places` the three layouts and the full screen. `dock_state` saves sizes
that Qt forgets.
"""
