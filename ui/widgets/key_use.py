"""Properties of widgets that say which plain keys are theirs; see `framescope.ui.window.lecture_keys`."""

HAS_SPACE = "hasSpace"
"""Property of a list or a table that uses Space itself. In all others, Space plays."""

HAS_ALL_KEYS = "hasAllKeys"
"""Property of a widget, such as the search, that uses all keys pressed in it."""
