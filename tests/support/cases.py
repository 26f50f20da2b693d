"""Many inputs in one case of a test: setting a case up costs more than a call of a kernel."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

Test = Callable[..., None]


def for_each(name: str, values: Iterable[Any]) -> Callable[[Test], Test]:
    """Let a test try an argument with many values, one after the other; a failure says at which of them it was.

    It stands where `pytest.mark.parametrize` would make a case of each value.
    """
    values = tuple(values)

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def tries(*arguments: Any, **options: Any) -> None:
            for value in values:
                try:
                    test(*arguments, **options, **{name: value})
                except BaseException as error:
                    error.add_note(f"at {name} = {value!r}")
                    raise

        signature = inspect.signature(test)
        left = [each for each in signature.parameters.values() if each.name != name]
        tries.__signature__ = signature.replace(parameters=left)
        return tries

    return decorate
