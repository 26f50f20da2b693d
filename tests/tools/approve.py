"""Look at the approved pictures beside new ones, and approve: ``python -m tests.tools.approve [--approve] [NAME ...]``.

Without ``--approve`` nothing under tests/approved is touched: new pictures and a page that lays old, new and difference
side by side go to build/approved. With it, new pictures that differ (or all that are named) become the approved ones.
"""

from __future__ import annotations

import argparse
import html
import sys
from pathlib import Path

import numpy as np
from PIL import Image

from framescope.app import platforms
from tests.support import approval
from tests.support.approved_scenes import cases

REVIEW = Path(__file__).parents[2] / "build" / "approved"
STYLE = (
    "body{font:14px sans-serif;background:#888;margin:16px}h2{font-size:15px;margin:24px 0 4px}"
    "img{width:32%;image-rendering:pixelated;margin-right:4px}small{display:block;color:#222}"
)


def main(arguments: list[str]) -> int:
    """Draw, compare, write the page, and approve if asked to; return 1 while something differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.approve", description=__doc__.splitlines()[0])
    parser.add_argument("--approve", action="store_true", help="let the new pictures be the approved ones")
    parser.add_argument("names", nargs="*", metavar="NAME", help="pictures, or parts of their names; all when left out")
    asked = parser.parse_args(arguments)
    platforms.prepare_rendering(platforms.this_host())
    REVIEW.mkdir(parents=True, exist_ok=True)
    chosen = {
        name: case for name, case in cases().items() if not asked.names or any(part in name for part in asked.names)
    }
    sections, differing, broken = [], 0, 0
    for name, case in chosen.items():
        try:
            picture = approval.drawn(case)
        except Exception as error:  # noqa: BLE001 - the other pictures are drawn all the same
            print(f"{name}: cannot be drawn: {error}")
            broken += 1
            continue
        faults = approval.defects(case, picture)
        if not faults:
            continue
        differing += 1
        print(f"{name}: {'; '.join(faults[:3])}")
        sections.append(_section(name, picture, faults))
        if asked.approve:
            approval.FOLDER.mkdir(exist_ok=True)
            approval.reduced(picture).save(approval.path_of(name), "PNG", optimize=True)
            print("  approved")
    for stale in [path for path in approval.FOLDER.glob("*.png") if path.stem not in cases()]:
        print(f"{stale.name}: nothing draws it any more")
        if asked.approve and not asked.names:
            stale.unlink()
            print("  removed")
    page = REVIEW / "index.html"
    body = "".join(sections) or "<p>All pictures are as approved.</p>"
    head = (
        f"<!doctype html><meta charset=utf-8><title>Pictures</title><style>{STYLE}</style><h1>old, new, difference</h1>"
    )
    page.write_text(head + body, "utf-8")
    print(f"{len(chosen)} pictures, {differing} differ{f', {broken} cannot be drawn' if broken else ''}: {page}")
    return 1 if broken or (differing and not asked.approve) else 0


def _section(name: str, picture: approval.Pixels, faults: list[str]) -> str:
    """Write old, new and difference beside the page, and return what shows them."""
    old = approval.approved(name)
    new = np.asarray(approval.reduced(picture).convert("RGB"))
    images = {"new": new}
    if old is not None:
        images = {"old": old, **images}
        if old.shape == new.shape:
            # The tolerance is middle grey, so that what counts is bright.
            field = approval.difference(old, new) * (128 / approval.TOLERANCE)
            images["difference"] = np.repeat(np.clip(field, 0, 255).astype(np.uint8)[..., None], 3, axis=-1)
    shown = []
    for kind, image in images.items():
        file = REVIEW / f"{name}.{kind}.png"
        Image.fromarray(image).save(file)
        shown.append(f'<img src="{html.escape(file.name)}" title="{kind}">')
    said = html.escape("; ".join(faults[:8]))
    return f"<h2>{html.escape(name)}</h2><small>{said}</small>{''.join(shown)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
