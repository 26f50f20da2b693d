"""Recorded motions: trajectory files, pose columns of tables, and the spline through them.

`tables.mixed` is the only reader of tables. `read_mixed` reads numbers, names and stamps. `read_table` accepts finite
numbers only. `read_once` caches a file, so that an import and its scene read it once. `columns` guesses the meaning and
the units of columns. Where cells have two possible readings, such as ``01/02/2026``, a second column has the other
reading, for example `name (day first)`.

`pose_spline` fits the smoothed motion after removing spikes (`outliers`). The bandwidths of positions and orientations
are stated, or estimated from the noise (`sample_noise`). `row_mends` finds and fixes faulty rows, for scenes,
diagnostics and imports alike. `tf_buffer` behaves exactly like tf2.
"""
