"""Place in a lesson, which another process takes over."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class LessonPlace(BaseModel):
    """File of a lesson, its present step from 0, the window's place before the lesson, and whether it is edited."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    step: Annotated[int, Field(ge=0)]
    place: Literal["Build", "Learn", "Check"]
    is_edited: bool
