"""What a search found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class Found(list[T]):
    """What a search found, best first."""

    partial = False
    """Whether a worker did not answer in time or is still reading, so that what it holds is missing."""

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Found[T]:
        found = cls(answer["data"])
        found.partial = answer.get("partial", False)
        return found
