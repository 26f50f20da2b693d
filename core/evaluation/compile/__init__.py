"""From the items of a scene to what is evaluated: one file for each kind of thing.

`framescope.core.evaluation.evaluate.compile_plan` calls them all. Each takes an authored item and gives functions of
time or SI numbers, or raises an `ItemError` with a key path relative to the item. ``motions`` chooses between
``orientations`` (signals and forms), ``keyframes``, ``recorded`` and simulated ones, which ``simulation_systems`` makes
with ``simulated_bodies`` and ``simulated_elements``, and ``simulated`` reads out. ``instruments`` has sensors, points
and measurements; ``view_data`` and ``plots`` what is drawn and plotted. What all motions give is
`framescope.core.evaluation.local_motion`, and ``batched_frames`` beside it samples many frames together.
"""
