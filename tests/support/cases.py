"""Many inputs in one case of a test: setting a case up costs more than a call of a kernel."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

Test = Callable[..., None]


def for_each(names: str | tuple[str, ...], values: Iterable[Any]) -> Callable[[Test], Test]:
    """Let a test try an argument, or several, with many values one after the other; a failure says at which it was.

    It stands where `pytest.mark.parametrize` would make a case of each value. All have the same fixtures: a test that
    is given a window leaves the scene as it was.
    """
    rows = [(value,) if isinstance(names, str) else value for value in values]
    names = (names,) if isinstance(names, str) else names

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def tries(*arguments: Any, **options: Any) -> None:
            for row in rows:
                given = dict(zip(names, row, strict=True))
                try:
                    test(*arguments, **options, **given)
                except BaseException as error:
                    error.add_note("at " + ", ".join(f"{name} = {value!r}" for name, value in given.items()))
                    raise

        signature = inspect.signature(test)
        left = [each for each in signature.parameters.values() if each.name not in names]
        tries.__signature__ = signature.replace(parameters=left)
        return tries

    return decorate
