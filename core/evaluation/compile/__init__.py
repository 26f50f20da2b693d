"""Compilation of a scene's items into functions of time and SI numbers: one module for each kind of item.

`framescope.core.evaluation.evaluate.compile_plan` uses all modules. Their functions take an authored item and return
functions of time or SI numbers, or raise an `ItemError` with a key path relative to the item. ``motions`` chooses
between ``orientations`` (signals and forms), ``keyframes``, ``recorded`` and simulated motions. ``simulation_systems``
builds the simulations from ``simulated_bodies`` and ``simulated_elements``, and ``simulated`` reads their results.
``instruments`` has sensors, points and measurements; ``view_data`` and ``plots`` compile the visible items. The type of
all motions is in `framescope.core.evaluation.local_motion`; ``batched_frames`` samples many frames together.
"""
