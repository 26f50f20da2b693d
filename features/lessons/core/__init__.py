"""Lessons: steps with a text, a moment of a scene and a question, and the judging of answers."""

SUFFIX = ".lesson.md"
"""Suffix of the names of lesson files."""
