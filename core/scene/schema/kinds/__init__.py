"""Records of the kinds of motions, orientation forms, shapes and elements, for edits, evaluation and the window."""
