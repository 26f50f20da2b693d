"""The import of recordings: a table is read, its columns are guessed and shown, and a person has the last word.

`ImportDialog` gives an edit. Imports core and `ui.widgets`, `ui.plots`; knows no session.
"""
