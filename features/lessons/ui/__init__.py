"""Lesson panel: text, question and reply of a step, its editor, and the speaker's notes."""
