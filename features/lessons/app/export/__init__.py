"""Exporting a lesson: a handout to print, with its answers on the last page, and a film with captions.

``lesson_request`` is the way in. It is given a lesson with what its steps show, and knows nothing of files of lessons.
"""
