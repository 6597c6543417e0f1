"""Streams of server-sent events that outlive their connections.

After a cut the client comes back with Last-Event-ID and misses nothing that the service keeps (docs/api.md 6.4).
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any

import httpx

from ._lines import lines_of, lines_of_async
from ._transport import PASSING, AsyncTransport, Settings, Transport, backoff, retry_after
from .errors import ApiError

LONGEST_DELAY = 15.0
# Heartbeats come every 15 seconds: a connection that has been silent for three of them is dead.
TIMEOUT = httpx.Timeout(10.0, read=45.0)


class Parser:
    """Lines of a stream, one at a time, into events; keeps the id behind which a new connection goes on."""

    def __init__(self, after: int | None) -> None:
        self.last_id = None if after is None else str(after)
        self._fields: dict[str, str] = {}

    def headers(self) -> dict[str, str]:
        self._fields = {}
        headers = {"accept": "text/event-stream"}
        if self.last_id is not None:
            headers["last-event-id"] = self.last_id
        return headers

    def line(self, line: str) -> Any | None:
        """The event that this line completes, or None; raises the error that the service tells in the stream."""
        if line != "":
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            self._fields[name] = f"{self._fields[name]}\n{value}" if name == "data" and name in self._fields else value
            return None
        fields, self._fields = self._fields, {}
        if "data" not in fields:
            return None
        event = json.loads(fields["data"])
        if fields.get("event") == "error":
            error = ApiError(event.get("error", {}).get("status", 500), event)
            if error.status in PASSING:
                raise httpx.ReadError(str(error))
            raise error
        if "id" in fields:
            self.last_id = fields["id"]
        return event


def _delay_of(settings: Settings, response: httpx.Response, delay: float) -> float:
    """Seconds until a stream that was refused may be tried again; raises ApiError where it is refused for good."""
    if response.status_code not in PASSING:
        raise settings.error_of(response)
    return min(max(retry_after(response), delay), LONGEST_DELAY)


def follow(
    transport: Transport, path: str, query: dict[str, Any], after: int | None, is_last: Callable[[Any], bool]
) -> Generator[Any, None, None]:
    """Events until the last one.

    Comes back after every cut, and while the service is away or busy, for as long as it is iterated.
    """
    parser = Parser(after)
    attempt = 0
    while True:
        attempt += 1
        request = transport.settings.request("GET", path, query=query, headers=parser.headers())
        delay = backoff(attempt, LONGEST_DELAY)
        try:
            with transport.http.stream(**request, timeout=TIMEOUT) as response:
                if not response.is_success:
                    response.read()
                    delay = _delay_of(transport.settings, response, delay)
                else:
                    for line in lines_of(response.iter_bytes()):
                        event = parser.line(line)
                        if event is not None:
                            attempt = 0
                            yield event
                            if is_last(event):
                                return
        except httpx.TransportError:
            pass
        time.sleep(delay)


async def follow_async(
    transport: AsyncTransport, path: str, query: dict[str, Any], after: int | None, is_last: Callable[[Any], bool]
) -> AsyncGenerator[Any, None]:
    """The same for asyncio."""
    parser = Parser(after)
    attempt = 0
    while True:
        attempt += 1
        request = transport.settings.request("GET", path, query=query, headers=parser.headers())
        delay = backoff(attempt, LONGEST_DELAY)
        try:
            async with transport.http.stream(**request, timeout=TIMEOUT) as response:
                if not response.is_success:
                    await response.aread()
                    delay = _delay_of(transport.settings, response, delay)
                else:
                    async for line in lines_of_async(response.aiter_bytes()):
                        event = parser.line(line)
                        if event is not None:
                            attempt = 0
                            yield event
                            if is_last(event):
                                return
        except httpx.TransportError:
            pass
        await asyncio.sleep(delay)
