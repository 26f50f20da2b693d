"""Controllers of instruments: panels that are created when their docks are first shown."""
