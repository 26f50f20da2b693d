"""Timeline: transport buttons, track with markers, and the range that is played."""
