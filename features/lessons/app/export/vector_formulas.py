"""Formulas as shapes: the SVG of a set formula painted path by path.

Qt's own painting of SVG leaves a hair line around each letter in a PDF, and makes it bold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

_PARTS = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_BLACK = "#000000"


def paint_formula(painter: QPainter, place: QRectF, svg: str) -> None:
    """Paint the SVG of a formula into a place."""
    root = ET.fromstring(svg)  # noqa: S314 - drawn by us of TeX, and not a stranger's
    x, y, width, height = map(float, root.attrib["viewBox"].split())
    painter.save()
    painter.translate(place.topLeft())
    painter.scale(place.width() / (width or 1.0), place.height() / (height or 1.0))
    painter.translate(-x, -y)
    for shape, fill, stroke, thickness in _shapes(root, _BLACK):
        if fill != "none":
            painter.fillPath(shape, QColor(fill))
        if stroke != "none":
            painter.strokePath(shape, QPen(QColor(stroke), thickness))
    painter.restore()


def _shapes(node: ET.Element, fill: str) -> Iterator[tuple[QPainterPath, str, str, float]]:
    """Yield each shape with the colours of its inside and its line, and how thick the line is."""
    given = node.attrib
    fill = given.get("fill", fill)
    line = given.get("stroke", "none"), float(given.get("stroke-width", "1"))
    match node.tag.rpartition("}")[2]:
        case "path":
            yield path_of(given["d"]), fill, *line
        case "rect":
            path = QPainterPath()
            path.addRect(QRectF(*(float(given[key]) for key in ("x", "y", "width", "height"))))
            yield path, fill, *line
        case _:
            for child in node:
                yield from _shapes(child, fill)


def path_of(text: str) -> QPainterPath:
    """Return a path of straight lines and quadratic curves, in absolute coordinates.

    >>> path_of("M 0 0 L 4 0 Q 4 2 0 2 Z").boundingRect().width()
    4.0
    """
    path, parts = QPainterPath(), _PARTS.findall(text)
    path.setFillRule(Qt.FillRule.WindingFill)
    i, kind = 0, ""
    while i < len(parts):
        if parts[i].isalpha():
            kind, i = parts[i], i + 1
        if kind == "Z":
            path.closeSubpath()
            continue
        n = {"M": 1, "L": 1, "Q": 2}[kind]
        numbers = [float(part) for part in parts[i : i + 2 * n]]
        points = [QPointF(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
        i += 2 * n
        match kind:
            case "M":
                path.moveTo(points[0])
                kind = "L"
            case "L":
                path.lineTo(points[0])
            case _:
                path.quadTo(points[0], points[1])
    return path
