"""Import dialog of recorded tables: it shows the guessed columns and conventions, and the user corrects them.

`ImportDialog.edit` returns the edit of the scene. It imports core, `ui.widgets` and `ui.plots`, and no session.
"""
