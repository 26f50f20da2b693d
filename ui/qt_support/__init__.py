"""Qt itself, made fit for use: exceptions in overrides, painting without a window, gestures and tab stops."""
