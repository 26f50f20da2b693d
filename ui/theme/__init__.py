"""The look: colours, metrics, fonts, icons and the style sheet."""
