"""Lists, page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from ._transport import AsyncTransport, Transport
    from .types import Pagination

T = TypeVar("T")


class Page(Generic[T]):
    """One page: its items, and how the list goes on."""

    def __init__(self, data: list[T], pagination: Pagination) -> None:
        self.data = data
        self.pagination = pagination


class Pages(Generic[T]):
    """A list of the service. Iterating reads all of it, a page at a time; `page()` reads the one that the query names."""

    def __init__(self, transport: Transport, path: str, query: Mapping[str, Any]) -> None:
        self._transport = transport
        self._path = path
        self._query = dict(query)

    def page(self) -> Page[T]:
        return Page(**self._transport.json("GET", self._path, query=self._query))

    def pages(self) -> Iterator[Page[T]]:
        query = dict(self._query)
        while True:
            page: Page[T] = Page(**self._transport.json("GET", self._path, query=query))
            yield page
            if not page.pagination["has_more"]:
                return
            query["cursor"] = page.pagination["next_cursor"]

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data


class AsyncPages(Generic[T]):
    """The same for asyncio: `async for`, `await ...page()`."""

    def __init__(self, transport: AsyncTransport, path: str, query: Mapping[str, Any]) -> None:
        self._transport = transport
        self._path = path
        self._query = dict(query)

    async def page(self) -> Page[T]:
        return Page(**await self._transport.json("GET", self._path, query=self._query))

    async def pages(self) -> AsyncIterator[Page[T]]:
        query = dict(self._query)
        while True:
            page: Page[T] = Page(**await self._transport.json("GET", self._path, query=query))
            yield page
            if not page.pagination["has_more"]:
                return
            query["cursor"] = page.pagination["next_cursor"]

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.data:
                yield item
