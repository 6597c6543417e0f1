"""What a search found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class Found(list[T]):
    """What a search found, best first."""

    partial = False
    """Whether a worker did not answer in time or is still reading, so that what it holds is missing."""
    words_only = False
    """Whether the server of embeddings did not say what the query means, so that words alone counted."""

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Found[T]:
        found = cls(answer["data"])
        found.partial = answer.get("partial", False)
        found.words_only = answer.get("words_only", False)
        return found
