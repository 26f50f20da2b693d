"""The main window: its menus, docks, layouts and bars."""
