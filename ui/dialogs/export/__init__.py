"""The dialog that asks what is exported and how; `dialog.ExportDialog` is what others use."""
