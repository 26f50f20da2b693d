"""Extensions of Qt: exceptions in overrides, painting without a window, gestures and tab stops."""
