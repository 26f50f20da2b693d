"""Evidence: the sensors of a recording compared with each other, with what they prove about their conventions and mounts.

`core.examine` searches for the faults that make the readings of a recording agree. A panel shows who agrees with whom,
and ``framescope check`` prints the sentences.
"""
