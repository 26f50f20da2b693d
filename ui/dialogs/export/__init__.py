"""The export dialog. Other packages use `dialog.ExportDialog`."""
