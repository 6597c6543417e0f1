"""One request and its retries, for callers that wait and for asyncio.

A request that was refused with 429 or 503 has changed nothing, and one whose answer was lost, also by a proxy, is asked
again under the same Idempotency-Key, so that every try together takes effect once (docs/api.md 10.3).
"""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx

from ._found import Found
from .errors import ApiError, ConnectionFailed

FIRST_DELAY = 0.25
# The service is busy or away (429, 503), or a proxy before it has lost the answer (502, 504).
PASSING = frozenset({429, 502, 503, 504})


def quoted(part: str) -> str:
    """An id as a segment of a path."""
    if not isinstance(part, str) or part == "":
        raise ValueError("an id must be a string that is not empty")
    # httpx resolves them as steps in the path, and would ask for another resource
    if part in (".", ".."):
        raise ValueError('an id must not be "." or ".."')
    return quote(part, safe="")


def backoff(attempt: int, longest: float) -> float:
    """Seconds before the next try: doubled from try to try, and up to half longer by chance."""
    return min(FIRST_DELAY * 2 ** (attempt - 1) * (1 + random.random() / 2), longest)


def retry_after(response: httpx.Response) -> float:
    """The seconds that the response names; 0 where it names none."""
    seconds = response.headers.get("retry-after", "")
    return float(seconds) if seconds.isdecimal() else 0.0


def _named(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Takes off the underscore of names that Python keeps for itself, such as `from_`."""
    return {name.removesuffix("_"): value for name, value in fields.items()}


class Settings:
    """What both kinds of transport know, and what they send."""

    def __init__(self, base_url: str, key: str, retries: int, max_delay: float) -> None:
        if not base_url.lower().startswith(("http://", "https://")):
            raise ValueError("base_url must begin with http:// or https://")
        self.base_url = base_url.rstrip("/")
        self.key = key
        self.retries = retries
        self.max_delay = max_delay

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        headers: Mapping[str, str] | None = None,
        lines: bytes | None = None,
    ) -> dict[str, Any]:
        """The arguments of httpx for this request, the same for all of its tries."""
        sent = {"authorization": f"Bearer {self.key}", "accept": "application/json"}
        if method == "POST":
            sent["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        if if_match is not None:
            sent["if-match"] = if_match
        sent.update(headers or {})
        parameters = {name: _text(value) for name, value in _named(query or {}).items() if value is not None}
        request: dict[str, Any] = {"method": method, "url": self.base_url + path, "headers": sent, "params": parameters}
        if lines is not None:
            sent["content-type"] = "application/x-ndjson"
            request["content"] = lines
        elif body is not None or method in ("POST", "PUT", "PATCH"):
            request["json"] = _named(body or {})
        return request

    def error_of(self, response: httpx.Response) -> ApiError:
        """What a refusal says, once its body was read."""
        return ApiError(response.status_code, _json(response))

    def delay_of(self, response: httpx.Response, attempt: int) -> float:
        """Seconds until the refused request may be tried again; raises ApiError where it must not."""
        error = self.error_of(response)
        if response.status_code not in PASSING or attempt > self.retries:
            raise error
        delay = max(retry_after(response), backoff(attempt, self.max_delay))
        if delay > self.max_delay:
            raise error
        return delay

    def delay_of_failure(self, failure: httpx.HTTPError, attempt: int) -> float:
        """The same for a request that got no answer; raises ConnectionFailed."""
        if attempt > self.retries:
            url = httpx.URL(self.base_url)
            raise ConnectionFailed(
                f"no answer from {url.scheme}://{url.netloc.decode()}: {str(failure) or type(failure).__name__}"
            ) from failure
        return backoff(attempt, self.max_delay)


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


class Transport:
    """Requests that wait."""

    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        self.settings = settings
        self.http = http

    def answer(self, method: str, path: str, *, stream: bool = False, **more: Any) -> httpx.Response:
        """The answer to a request. As a stream, its body is still to be read, and the answer to be closed."""
        request = self.settings.request(method, path, **more)
        attempt = 0
        while True:
            attempt += 1
            try:
                response = self.http.send(self.http.build_request(**request), stream=stream)
                if response.is_success:
                    return response
                response.read()
                delay = self.settings.delay_of(response, attempt)
            except httpx.TransportError as failure:
                delay = self.settings.delay_of_failure(failure, attempt)
            time.sleep(delay)

    def json(self, method: str, path: str, **more: Any) -> Any:
        return self.answer(method, path, **more).json()

    def data(self, method: str, path: str, **more: Any) -> Any:
        return self.json(method, path, **more)["data"]

    def found(self, method: str, path: str, **more: Any) -> Found[Any]:
        return Found.of(self.json(method, path, **more))


class AsyncTransport:
    """Requests for asyncio."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient) -> None:
        self.settings = settings
        self.http = http

    async def answer(self, method: str, path: str, *, stream: bool = False, **more: Any) -> httpx.Response:
        """The answer to a request. As a stream, its body is still to be read, and the answer to be closed."""
        request = self.settings.request(method, path, **more)
        attempt = 0
        while True:
            attempt += 1
            try:
                response = await self.http.send(self.http.build_request(**request), stream=stream)
                if response.is_success:
                    return response
                await response.aread()
                delay = self.settings.delay_of(response, attempt)
            except httpx.TransportError as failure:
                delay = self.settings.delay_of_failure(failure, attempt)
            await asyncio.sleep(delay)

    async def json(self, method: str, path: str, **more: Any) -> Any:
        return (await self.answer(method, path, **more)).json()

    async def data(self, method: str, path: str, **more: Any) -> Any:
        return (await self.json(method, path, **more))["data"]

    async def found(self, method: str, path: str, **more: Any) -> Found[Any]:
        return Found.of(await self.json(method, path, **more))


class Resource:
    """The operations of one kind of thing."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class AsyncResource:
    """The same for asyncio."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
