"""The panels around the scene: outline, inspector, read-outs, problems.

Each shows what the session sends and hands back edits and selections; none keeps a scene of its own.
"""
