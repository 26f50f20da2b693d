"""Controllers of the window: each connects one panel, dialog or menu to the session.

`wiring` connects session and views in one block. `window_assembly` makes a bare window, whose first picture appears
before `MainWindow.furnish` fills the panels. `tool_docks` fills docks of instruments when a user first sees them.
`compile_ahead` compiles additions beside the window. `restart` starts the program anew in another size.
"""
