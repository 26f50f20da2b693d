"""Session: the open document, its history, its playback and the selection."""
