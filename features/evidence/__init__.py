"""Evidence: sensors of a recording compared with each other, and what that proves about conventions and mounts.

`core.examine` searches for the faults that make the readings of a recording agree. A panel shows who agrees with whom,
and ``framescope check`` prints the sentences.
"""
