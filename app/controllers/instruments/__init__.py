"""Controllers of instruments: panels that are made when their docks are first looked at."""
