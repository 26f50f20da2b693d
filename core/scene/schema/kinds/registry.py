"""Registries of kinds: a record for each model of a family, such as motions or shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from framescope.core.scene.schema.base import Item

M = TypeVar("M", bound=Item)


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[M]):
    """Properties of a kind of any family.

    Attributes
    ----------
    model
        Model in scene files; the key `form` of the model is the name of the kind.
    start
        Initial values of a new item, with units.
    icon
        Name of the icon of the kind.
    files
        Fields that name files beside the scene.
    """

    model: type[M]
    start: Mapping[str, Any] = field(default_factory=dict[str, Any])
    icon: str
    files: tuple[str, ...] = ()

    @property
    def form(self) -> str:
        """Name of the kind in a scene file."""
        return self.model.model_fields["form"].default


K = TypeVar("K", bound=Kind[Any])


class Kinds(Generic[K]):
    """The kinds of a family, in the order of menus.

    Attributes
    ----------
    by_model
        The kinds by their models.
    """

    def __init__(self, *kinds: K) -> None:
        self.by_model: dict[type[Item], K] = {kind.model: kind for kind in kinds}

    def __iter__(self) -> Iterator[K]:
        return iter(self.by_model.values())

    def of(self, item: Item) -> K:
        """Return the kind of a part of a scene."""
        return self.by_model[type(item)]

    def get(self, item: Item) -> K | None:
        """Return the kind of a part of a scene; None if the part belongs to another family."""
        return self.by_model.get(type(item))

    def named(self, form: str) -> K:
        """Return the kind with a name as in a scene file."""
        return next(kind for kind in self if kind.form == form)
