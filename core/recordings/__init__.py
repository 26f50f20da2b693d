"""Recorded motions: trajectory files, pose columns of tables, and the spline through them.

`tables.mixed` is the one reader of tables: `read_mixed` reads numbers, names and stamps, `read_table` is its strict
view, `read_once` caches a file, so that an import and its scene read it once. `columns` names columns and units. A
column with two readings has the other one behind it, such as `name (day first)`.

`pose_spline` fits the smoothed motion; its bandwidths are stated or come from the noise (`sample_noise`), one for
positions and one for orientations, after spikes are removed (`outliers`). `row_mends` finds odd rows and fixes them,
for scenes, diagnostics and imports alike. `tf_buffer` has the meaning of tf2 and nothing else.
"""
