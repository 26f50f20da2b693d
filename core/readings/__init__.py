"""Readings of any text as an orientation, pose, position or vector.

`read_text` returns the candidate readings of a text: what it is, how it was recognised, what was assumed, and what
stays open. The modules, from top to bottom:

- `read_text`: tries the recognisers in order;
- `ros_texts`, `xml_texts`, `calls`, `makers`, `pose_parts`, `named_angles`, `bare_numbers`: one recogniser for each
  family of texts;
- `rows`: rows of numbers of unknown meaning, such as samples;
- `expressions`, `numerals`: literals and calls of programming languages; numbers with their rounding;
- `reading`: the records, and readings built from numbers.

The room is pure: no Qt, no VTK, no files. It imports `framescope.core.conventions`, never the reverse.
"""

from framescope.core.readings.read_text import holds_one_pose, read_text
from framescope.core.readings.reading import Placement, Reading, TextReadings

__all__ = ["Placement", "Reading", "TextReadings", "holds_one_pose", "read_text"]
