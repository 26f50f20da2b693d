"""Lessons: steps of text over moments of scenes, with questions, and what answers to them mean."""

SUFFIX = ".lesson.md"
"""What names of lessons end in."""
