"""Panels around the scene: outline, inspector, read-outs, problems.

Each shows the state of the session and emits edits and selections. None keeps a scene of its own.
"""
