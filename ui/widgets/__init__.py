"""Small widgets: values in, signals out. They know no scene and no session.

May import `framescope.core`, `framescope.ui.theme.tokens`, `appearance`, `fonts`, `icons`, `units` and each other.
"""
