"""Rigs: poses of several calibrations as one graph, its loops, and the entry that is wrong.

`rig` merges calibrations, `names` finds names that may mean the same frame, `graph` finds blocks and loops,
`adjustment` gives loops their residuals and chi-square, `hypotheses` lists the faults that an entry may have, `search`
finds the wrong entry, `words` describes it. `notes` checks without a loop, `exports` writes a rig. `scene_rig`,
`mends`, `scene_checks` and `additions` do the same for scenes.
"""
