"""Readers of tables of numbers: text, NPZ and Parquet, with time stamps of every kind."""
