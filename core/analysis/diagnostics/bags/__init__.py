"""Problems of frames that come from bags: the faults of the autopsy, and the runs of a clock that jumps back."""
