"""Base model of every part of a scene: frozen, strict, with suggestions for misspelt keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NoReturn, Self, TypeVar, cast, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from framescope.core.scene.schema.quantities import LARGEST

V = TypeVar("V")


class FrozenDict(dict[str, V]):
    """Immutable mapping of names to items; ``|`` returns a new mapping."""

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise TypeError("a scene is frozen: make a new one through framescope.core.scene.edits.base")

    __setitem__ = __delitem__ = _refuse
    clear = pop = popitem = setdefault = update = __ior__ = _refuse  # type: ignore[assignment]

    def __or__(self, other: Mapping[str, V]) -> Self:  # type: ignore[override]
        return type(self)({**self, **other})

    def without(self, name: str) -> Self:
        """Return a mapping without a name."""
        return type(self)({key: item for key, item in self.items() if key != name})

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        item_schema = handler.generate_schema(get_args(source)[0])
        mapping = core_schema.dict_schema(handler.generate_schema(Name), item_schema)
        return core_schema.no_info_after_validator_function(cls, mapping)


class Item(BaseModel):
    """Base of all parts of a scene file: immutable, without unknown keys, with suggestions for misspelt keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def model_post_init(self, _context: Any, /) -> None:
        """Mark `form` and `framescope` as set, so that saving writes them for items made in code, too."""
        self.__pydantic_fields_set__.update({"form", "framescope"} & type(self).model_fields.keys())

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, authored: object) -> object:
        if isinstance(authored, Mapping):
            for key in cast("Mapping[object, object]", authored):
                if key not in cls.model_fields:
                    known = tuple(cls.model_fields)
                    raise PydanticCustomError("unknown_key", 'unknown key "{key}"', {"key": str(key), "known": known})
        return cast("object", authored)


def check_number(value: object) -> float:
    """Return a number as a float; reject text and booleans."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("number", "expected a number")
    return _check_size(float(value))


def _check_size(value: float) -> float:
    if abs(value) > LARGEST:
        raise PydanticCustomError("number", "expected a number of at most 1e100")
    return value


def _check_signal(value: object) -> float | str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("signal", "expected a number or an expression of t, such as 0.8*sin(t)")
    return _check_size(float(value))


def _check_name(name: str) -> str:
    if not name.strip() or name != name.strip() or len(name) > 200 or not name.isprintable():
        raise PydanticCustomError("name", "expected a name: 1 to 200 printable characters, no blank at its ends")
    return name


Number = Annotated[float, BeforeValidator(check_number)]
"""A finite number; text and booleans are rejected."""

Signal = Annotated[float | str, BeforeValidator(_check_signal, json_schema_input_type=float | str)]
"""A finite number, or an expression of t as text (see `framescope.core.time_functions.expressions`)."""

Name = Annotated[str, AfterValidator(_check_name)]

Text = Annotated[str, Field(max_length=2000)]
"""Text for people to read, such as a title."""

Vector3 = tuple[Number, Number, Number]
Signal3 = tuple[Signal, Signal, Signal]
Unit = Annotated[str | None, Field(default=None, description="There is no default unit: a missing one is a problem.")]
