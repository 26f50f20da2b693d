"""Start-up, command line, session, wiring and export: the one layer that knows every other.

Nothing outside ``framescope.app`` imports from here.
"""
