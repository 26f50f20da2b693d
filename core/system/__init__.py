"""Access to the operating system: files, the garbage collector, optional packages.

`file_access` is the only way from a name in a scene to a file. `atomic_write` writes whole files, `output_check`
keeps commands off their inputs, `caches` keeps results while they are used, `cooperative_yield` lets long work yield
and report progress, `features` has the records of features.
"""
