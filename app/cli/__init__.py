"""Command line: one module for each family of commands."""
