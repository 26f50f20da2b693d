"""Ground truth as EuRoC has it, and what becomes of it in other hands."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.imports.motions import Variant, text, walk, with_holes


def euroc() -> Iterator[Variant]:
    m = walk(0.9)
    ns = np.round(m.t * 1e9) + 1.403636579763555584e18
    names = ["#timestamp [ns]", *(f"p_RS_R_{x} [m]" for x in "xyz"), *(f"q_RS_{x} []" for x in "wxyz")]
    base = dict(zip(names, np.column_stack([ns, m.p, m.wxyz]).T, strict=True))
    rest = {f"{k}_RS_R_{x} [m s^-1]": np.sin(m.t) for k in "v" for x in "xyz"}
    rest |= {f"b_{k}_RS_S_{x}": 0.01 * np.cos(m.t) for k in "wa" for x in "xyz"}
    long = lambda x: f"{x:.0f}" if abs(x) > 1e15 else f"{x:.12g}"  # noqa: E731

    def of(name: str, content: str | bytes, **more: object) -> Variant:
        data = content if isinstance(content, bytes) else content.encode()
        return Variant("EuRoC", name, data, m, **more)  # type: ignore[arg-type]

    bare = {k.partition(" [")[0].lstrip("#"): v for k, v in base.items()}
    yield of("as it is", text(base, number=long))
    yield of("with all its columns", text(base | rest, number=long))
    yield of("without units", text(bare, number=long))
    yield of(
        "without a header",
        text(base, header=False, number=long),
        answers={"quaternion": "wxyz"},
        must_be=("quaternion",),
    )
    yield of(
        "with all its columns, without a header",
        text(base | rest, header=False, number=long),
        answers={"quaternion": "wxyz", "position": "2, 3, 4"},
        must_be=("quaternion",),
    )
    yield of("Windows lines", text(base, number=long, end="\r\n"))
    yield of("utf-16", text(base, number=long).encode("utf-16"))
    yield of("a hole", with_holes(text(base, number=long), "nan"))
    yield of("a last line cut short", text(base, number=long) + "1403636582763555584,1.0")
    yield of("semicolons", text(base, ";", number=long))
    yield of("columns in another order", text({k: bare[k] for k in [*list(bare)[4:], *list(bare)[:4]]}, number=long))
    mm = {k: v * 1e3 if k.startswith("p_") else v for k, v in bare.items()}
    yield of(
        "millimetres, named", text({f"{k} [mm]" if k.startswith("p_") else k: v for k, v in mm.items()}, number=long)
    )
    yield of("a preamble", text(bare, number=long, before="ground truth of a walk\nby hand\n"))
