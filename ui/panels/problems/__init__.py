"""The list of problems and their fixes."""
