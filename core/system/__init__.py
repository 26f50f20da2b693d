"""Access to the operating system: files, the garbage collector, optional packages.

`file_access` alone turns names in a scene into files. `atomic_write` writes whole files, and `output_check` keeps
commands from overwriting their inputs. `caches` keeps results while they are used. `cooperative_yield` lets long work
pause and report progress. `features` has the records of features.
"""
