"""Controllers of exports and pictures: their dialogs and the running export."""
