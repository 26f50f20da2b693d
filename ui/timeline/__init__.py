"""The timeline: the transport, the track with its markers, and the part that is played."""
