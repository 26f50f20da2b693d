"""The check of docstrings finds names that the code does not have, and none that it has."""

import ast
import textwrap

import pytest

from tests.tools import docstring_check


def lines_of(*sources):
    trees = {f"{name}.py": ast.parse(textwrap.dedent(source)) for name, source in zip("abc", sources, strict=False)}
    return [line.partition(" names ")[2].removesuffix(", which it does not have") for line in lines(trees)]


def lines(trees):
    return list(docstring_check.missing_names(trees))


WIDGET = '''
    class Dial(Base):
        """Dial.

        Parameters
        ----------
        parent, size
            Widget around it, and size.

        Signals
        -------
        turned(float, str)
            Angle.
        {signal}()
            Nothing.
        """

        turned = Signal(float, str)
        pressed = Signal()

        def __init__(self, parent, {parameter}):
            self.parent = parent
'''


def test_that_what_exists_is_no_fault() -> None:
    assert lines_of(WIDGET.format(signal="pressed", parameter="size")) == []


@pytest.mark.parametrize(
    ("signal", "parameter", "missing"),
    [("released", "size", "released"), ("pressed", "width", "size"), ("released", "width", "released, size")],
)
def test_that_a_name_without_code_is_found(signal, parameter, missing) -> None:
    assert lines_of(WIDGET.format(signal=signal, parameter=parameter)) == [missing]


def test_that_inherited_members_and_initializers_count() -> None:
    base = """
        class Base(Generic[T]):
            moved = Signal()

            def __init__(self, axis, *rest):
                self.axis = axis
    """
    heir = '''
        class Heir(Base[int]):
            """Heir.

            Parameters
            ----------
            axis
                Axis.
            *rest
                Others.

            Signals
            -------
            moved()
                Moved.
            """
    '''
    assert lines_of(base, heir) == []
    assert lines_of(heir) == ["moved"]


def test_that_attributes_of_data_are_looked_at() -> None:
    source = '''
        @dataclass(frozen=True)
        class Range:
            """Range.

            Attributes
            ----------
            start, stop
                Ends, s.
            step : float
                Step, s.
            """

            start: float
            step: float

            @property
            def stop(self):
                return 1.0
    '''
    assert lines_of(source) == []
    assert lines_of(source.replace("start: float", "begin: float")) == ["start"]
