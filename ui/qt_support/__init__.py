"""Extensions of Qt: exceptions in overrides, painting without a window, gestures and tab stops.

`thread_tasks` runs work in threads while the window draws. `exception_guard` catches errors in overrides. `edit_sink`
takes previews and commits of a panel. Never take items of layouts into Python: PySide keeps their wrappers and
mistakes the next object at that address for them.
"""
