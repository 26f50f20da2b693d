"""Exports of films on a Dask cluster."""
