"""From the items of a scene to what is evaluated: one file for each kind of thing.

`framescope.core.evaluation.evaluate.compile_plan` calls them all. Each takes an authored item and gives functions of
time or SI numbers, or raises an `ItemError` with a key path relative to the item. ``local_motion`` has what all motions
give; ``motions`` chooses between ``orienting`` (signals and forms), ``keyed`` (keyframes), ``recorded`` and simulated
ones, which ``assembly`` makes with ``simulated_bodies`` and ``simulated_elements``, and ``simulated`` reads out.
``moving`` samples many frames together; ``instruments`` has sensors, points and claims; ``staging`` and ``plotted``
what is drawn and plotted.
"""
