"""The inspector: all fields of the selected item, to view and edit."""
