"""Importers: recognize the kind of a file by its content, and read all kinds that can be opened or imported."""
