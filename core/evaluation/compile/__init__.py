"""Compilation of a scene's items into functions of time and SI numbers: one module for each kind of item.

`framescope.core.evaluation.evaluate.compile_plan` calls them all. Each takes an authored item and returns functions of
time or SI numbers, or raises an `ItemError` with a key path relative to the item. ``motions`` chooses between
``orientations`` (signals and forms), ``keyframes``, ``recorded`` and simulated motions. ``simulation_systems`` builds
the simulations from ``simulated_bodies`` and ``simulated_elements``, and ``simulated`` reads their results.
``instruments`` has sensors, points and measurements; ``view_data`` and ``plots`` have the visible items. All motions
have the type in `framescope.core.evaluation.local_motion`; ``batched_frames`` samples many frames together.
"""
