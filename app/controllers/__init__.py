"""Controllers of the window: each connects one panel, dialog or menu to the session."""
