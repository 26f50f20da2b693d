"""Exporters of lessons: a page for browsers, a handout to print with answers at the end, and a film with captions.

``lesson_request`` is the entry point. It takes a parsed lesson and its stagings, and does not read lesson files.
"""
