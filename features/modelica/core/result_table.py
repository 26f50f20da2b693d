"""Result of a Modelica tool as a table of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from framescope.core.recordings.tables.mixed import MixedTable, TableReader
from framescope.features.modelica.core.modelica_result import ResultColumns, is_result, read_result, unit_in


class ResultUnits(Mapping[str, str]):
    """Units of the variables of a result, read from a description when they are asked for.

    >>> ResultUnits({"w": "Angular velocity [rad/s]"})["w"]
    'rad/s'
    """

    def __init__(self, descriptions: Mapping[str, str]) -> None:
        self._descriptions = descriptions

    def __getitem__(self, name: str) -> str:
        return unit_in(self._descriptions[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._descriptions)

    def __len__(self) -> int:
        return len(self._descriptions)


def read_result_table(name: str, data: bytes) -> MixedTable:
    """Return the variables of a result as columns; raise a `TableError` where the file is no result, or damaged.

    A result may have more variables than any other table has columns, so that no column is made before its first use.
    """
    result = read_result(name, data)
    return MixedTable(
        name,
        tuple(result.places),
        ResultColumns(result),
        MappingProxyType({}),
        len(result.times),
        descriptions=result.descriptions,
        units=ResultUnits(result.descriptions),
    )


READER = TableReader(is_result, read_result_table)
"""Reader of MAT files that hold a result."""
