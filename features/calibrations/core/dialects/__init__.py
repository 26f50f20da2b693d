"""Readers and writers of the dialects of calibrations, a module for each."""
