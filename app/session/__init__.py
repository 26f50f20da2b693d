"""The session: the open document, its history, its playback and what is selected."""
