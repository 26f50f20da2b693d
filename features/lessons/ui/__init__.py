"""Lesson panel: the text of a step beside the scene, its question, and what is said to an answer."""
