"""The inspector: everything of the selected item, to see and to change."""
