"""Page export: a scene as one HTML file with its own viewer."""
