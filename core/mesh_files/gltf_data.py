"""Access to the values and arrays of a GLB file, each checked when it is read."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.core.mesh_files.surface import Indices, UnreadableMesh

_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
MAX_MADE = 256_000_000
"""Maximum size of all arrays that the reader fills itself, bytes; the file size does not limit them."""

Object = Mapping[str, Any]
Key = Literal["nodes", "meshes", "skins", "scenes", "accessors", "bufferViews", "buffers"]


class Description:
    """JSON of a GLB file (`root`), and the bytes that the JSON describes."""

    def __init__(self, root: Object, binary: bytes) -> None:
        self.root = root
        self._binary = binary
        self._accessors: dict[int, NDArray[Any]] = {}
        self._buffers: dict[int, bytes] = {}
        self._n_made = 0

    # --- Accessors

    def vectors(self, of: Object, key: str, where: str, rows: Indices, width: int) -> Array:
        """Return rows (n, width) of the accessor under a key."""
        accessor = self.accessor_of(of, key, where)
        rows_found = self.array(accessor)
        place = f"accessor {accessor}, {key} of {where}"
        if rows_found.shape[1] != width:
            raise UnreadableMesh(f"has {counted(rows_found.shape[1], 'number')} for each, expected {width}.", place)
        if len(rows) and int(rows.max()) >= len(rows_found):
            raise UnreadableMesh(f"has {counted(len(rows_found), 'row')}, and {int(rows.max()) + 1} are used.", place)
        chosen = rows_found[rows].astype(float)
        if rows_found.dtype.kind != "f" and self.item("accessors", accessor).get("normalized") is True:
            chosen = np.maximum(chosen / np.iinfo(rows_found.dtype).max, -1.0)
        return chosen

    def accessor_of(self, of: Object, key: str, where: str) -> int:
        """Return the index of the accessor under a key."""
        return self.whole(of, key, where, 0, len(self.entries(self.root, "accessors", "")) - 1)

    def count(self, accessor: int) -> int:
        """Return the number of rows of an accessor."""
        return self.whole(self.item("accessors", accessor), "count", f"accessor {accessor}", 0, 2**32)

    def array(self, i: int) -> NDArray[Any]:
        """Return the values (count, width) of an accessor, without a copy where possible."""
        if i not in self._accessors:
            self._accessors[i] = self._read(i)
        return self._accessors[i]

    def _read(self, i: int) -> NDArray[Any]:
        accessor, where = self.item("accessors", i), f"accessor {i}"
        kind = self._kind(accessor, where)
        name = accessor.get("type")
        if not isinstance(name, str) or name not in _WIDTHS:
            raise UnreadableMesh(f"type {name!r:.40}, expected one of {', '.join(_WIDTHS)}.", where)
        width, count = _WIDTHS[name], self.count(i)
        start = self.whole(accessor, "byteOffset", where, 0, 2**40, 0)
        if "bufferView" in accessor:
            values = self._rows(accessor, where, start, count, width, kind)
        else:
            self._make(count * width * kind.itemsize, where)
            values = np.zeros((count, width), dtype=kind)
        if "sparse" in accessor:
            self._make(values.nbytes, where)
            values = self._substitute(values, accessor["sparse"], f"sparse of {where}")
        return values

    def _make(self, n_bytes: int, where: str) -> None:
        """Raise `UnreadableMesh` if the arrays that are filled and not read exceed the limit."""
        self._n_made += n_bytes
        if self._n_made > MAX_MADE:
            raise UnreadableMesh(f"takes more than {MAX_MADE // 1_000_000} MB that are not in the file.", where)

    def _kind(self, of: Object, where: str) -> np.dtype[Any]:
        code = of.get("componentType")
        if not isinstance(code, int) or code not in _TYPES:
            raise UnreadableMesh(f"componentType {code!r:.40}, expected one of {', '.join(map(str, _TYPES))}.", where)
        return np.dtype(_TYPES[code])

    def _rows(self, of: Object, where: str, start: int, count: int, width: int, kind: np.dtype[Any]) -> NDArray[Any]:
        """Return a view of rows in a buffer view after checking that they are inside it."""
        k = self.whole(of, "bufferView", where, 0, len(self.entries(self.root, "bufferViews", "")) - 1)
        view, place = self.item("bufferViews", k), f"bufferView {k}"
        b = self.whole(view, "buffer", place, 0, len(self.entries(self.root, "buffers", "")) - 1)
        data = self._buffer(b)
        offset = self.whole(view, "byteOffset", place, 0, 2**40, 0)
        length = self.whole(view, "byteLength", place, 0, 2**40)
        if offset + length > len(data):
            raise UnreadableMesh(f"ends at byte {offset + length}, and buffer {b} has {len(data)}.", place)
        row = width * kind.itemsize
        stride = self.whole(view, "byteStride", place, 1, 255, row)
        if stride < row:
            raise UnreadableMesh(f"byteStride {stride}, and the rows of {where} take {row}.", place)
        end = start + stride * (count - 1) + row if count else start
        if end > length:
            what = f"its {counted(count, 'row')} {'ends' if count == 1 else 'end'} at byte {end} of {place}"
            raise UnreadableMesh(f"{what}, which has {length}.", where)
        if not count:
            return np.empty((0, width), dtype=kind)
        return np.ndarray((count, width), kind, data, offset + start, (stride, kind.itemsize))

    def _substitute(self, rows: NDArray[Any], sparse: object, where: str) -> NDArray[Any]:
        """Return rows, some replaced by rows of a sparse accessor."""
        text = as_object(sparse, where)
        count = self.whole(text, "count", where, 0, len(rows))
        parts: list[NDArray[Any]] = []
        for key, width in (("indices", 1), ("values", rows.shape[1])):
            of = as_object(text.get(key), f"{key} of {where}")
            kind = self._kind(of, where) if key == "indices" else rows.dtype
            start = self.whole(of, "byteOffset", where, 0, 2**40, 0)
            parts.append(self._rows(of, f"{key} of {where}", start, count, width, kind))
        places = parts[0].ravel()
        if parts[0].dtype.kind != "u" or (count and int(places.max()) >= len(rows)):
            raise UnreadableMesh(f"names a row beyond {len(rows)}.", where)
        result = rows.copy()
        result[places.astype(np.int64)] = parts[1]
        return result

    def _buffer(self, i: int) -> bytes:
        """Return the bytes of a buffer: the binary chunk or data in the description, never another file."""
        if i not in self._buffers:
            buffer, where = self.item("buffers", i), f"buffer {i}"
            uri = buffer.get("uri")
            if uri is None and i == 0:
                data = self._binary
            elif isinstance(uri, str) and uri.startswith("data:") and ";base64," in uri[:200]:
                try:
                    data = base64.b64decode(uri.partition(";base64,")[2])
                except (binascii.Error, ValueError):
                    raise UnreadableMesh("its base64 text is damaged.", where) from None
            elif isinstance(uri, str) and not uri.startswith("data:"):
                raise UnreadableMesh("takes buffers from other files.", hint="Export it as one GLB file.")
            else:
                raise UnreadableMesh("has no bytes in this file.", where)
            length = self.whole(buffer, "byteLength", where, 0, 2**40)
            if length > len(data):
                raise UnreadableMesh(f"should have {counted(length, 'byte')}, and has {len(data)}.", where)
            self._buffers[i] = data[:length]
        return self._buffers[i]

    # --- Values of the description

    def entries(self, of: Object, key: str, where: str) -> Sequence[Any]:
        """Return the list under a key; empty if the key is missing."""
        entries = of.get(key)
        if entries is None:
            return ()
        if not isinstance(entries, list):
            raise UnreadableMesh(f"{key}: expected a list.", where or "JSON")
        return cast("list[Any]", entries)

    def item(self, key: Key, i: int) -> Object:
        """Return object `i` of the list under a key of the description."""
        return as_object(self.entries(self.root, key, "")[i], f"{key}[{i}]")

    def whole(self, of: Object, key: str, where: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number within bounds."""
        number = of.get(key, default)
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
            text = f"{number!r:.40}" if not isinstance(number, int) or abs(number) < 10**20 else "a huge number"
            expected = f"a whole number from {low} to {high}" if high >= low else "none: there is nothing to name"
            raise UnreadableMesh(f"{key} {text}, expected {expected}.", where or "JSON")
        return number

    def indices(self, of: Object, key: str, where: str, n: int) -> list[int]:
        """Return a list of whole numbers below `n`."""
        return [self.whole({key: value}, key, where, 0, n - 1) for value in self.entries(of, key, where)]

    def numbers(self, of: Object, key: str, where: str, n: int, default: Sequence[float] | Array) -> Array:
        """Return `n` finite numbers."""
        values = self.entries(of, key, where) if key in of else default
        if len(values) != n:
            raise UnreadableMesh(f"{key} has {counted(len(values), 'number')}, expected {n}.", where)
        return np.array([self.number(value, key, where) for value in values], dtype=float)

    @staticmethod
    def number(value: Any, key: str, where: str) -> float:
        """Return a finite number."""
        try:
            result = math.nan if isinstance(value, bool | str) else float(value)
        except (TypeError, OverflowError):
            result = math.nan
        if not math.isfinite(result):
            raise UnreadableMesh(f"{key}: expected a number, got {value!r:.40}.", where)
        return result


def as_object(value: object, where: str) -> Object:
    """Return a value if it is a JSON object, or raise `UnreadableMesh`."""
    if not isinstance(value, dict):
        raise UnreadableMesh("expected an object.", where)
    return cast("dict[str, Any]", value)
