"""Look of the window: colours, metrics, fonts, icons and the style sheet."""
