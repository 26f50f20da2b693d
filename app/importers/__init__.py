"""Importers: what a file is, by what it holds, and the readers of all kinds of files that can be opened or imported."""
