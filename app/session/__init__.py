"""Session: the open document, its history, its playback and the selection.

`session` owns document, clock and selection and emits changes; `playback` is the clock as frozen state and pure
commands. `document` saves, reloads and remembers steps; `document_record` hands both to another process; `autosave` and
`recovery` keep unsaved work; `file_watcher` notices files that other programs write. `staged_mode` shows a rotation
turn by turn as a preview that is never kept. `termination` ends the program on signals.
"""
