"""Digest of the program's modules: another one after any change of them."""

from __future__ import annotations

import os

from framescope.features.films.app.drawing_code import digest_of, drawing_code


def test_that_a_changed_added_or_removed_module_gives_another_digest(tmp_path) -> None:
    module = tmp_path / "ui" / "triads.py"
    module.parent.mkdir()
    module.write_text("LENGTH = 1.0\n", encoding="utf-8")
    digests = [digest_of(tmp_path)]
    module.write_text("LENGTH = 2.0\n", encoding="utf-8")
    os.utime(module, ns=(1, 1))
    digests.append(digest_of(tmp_path))
    (tmp_path / "ui" / "arcs.py").write_text("", encoding="utf-8")
    digests.append(digest_of(tmp_path))
    module.unlink()
    digests.append(digest_of(tmp_path))
    assert len(set(digests)) == 4
    assert digest_of(tmp_path) == digests[-1]
    assert len(drawing_code()) == 64
