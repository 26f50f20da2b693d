"""Page: a scene as one HTML file with a viewer of its own."""
