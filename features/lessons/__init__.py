"""Lessons: playing, writing, judging and exporting them."""
