"""The two clients: `Hivekeep` for callers that wait, `AsyncHivekeep` for asyncio."""

from __future__ import annotations

import asyncio
import inspect
import json
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing
from typing import Any, Self, Unpack

import httpx

from . import resources as r
from . import types as t
from ._events import follow, follow_async
from ._lines import lines_of, lines_of_async
from ._transport import AsyncTransport, Settings, Transport, quoted
from .errors import ApiError, ConnectionFailed, HivekeepError, WaitTimeout

ENDED = frozenset({"completed", "failed", "timeout", "cancelled"})
RESTING = ENDED | {"paused"}
# A message is answered within the service's own patience, a minute unless it is set otherwise.
TIMEOUT = httpx.Timeout(120.0, connect=10.0)


def _has_ended(event: Any) -> bool:
    return event["type"] == "status" and event["status"] in ENDED


def _rests(run: t.Run) -> bool:
    """Whether nothing more happens to a run by itself. One that waits for other agents goes on."""
    waiting = run.get("waitingFor")
    goes_on = waiting is not None and waiting["kind"] == "agent"
    return run["status"] in ENDED or (run["status"] == "paused" and not goes_on)


def _events_path(agent_id: str, run_id: str) -> str:
    return f"/v1/agent-constellations/{quoted(agent_id)}/runs/{quoted(run_id)}/events"


def _cancellation(run_id: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tasks/cancel", "params": {"id": run_id}}


def _cancelled(run: t.Run, answer: dict[str, Any]) -> t.Run:
    if "error" in answer and run["status"] != "cancelled":
        raise ApiError(409, {"error": {"code": "CONFLICT", "message": answer["error"]["message"]}})
    return run


ToolFunctions = Mapping[str, Callable[..., Any]]


def _calls(run: t.Run, functions: ToolFunctions) -> list[t.ClientCall] | None:
    """The calls that the run waits for, where there is a function for each."""
    asked = run["waitingFor"]
    calls = asked.get("calls") if asked else None
    return calls if calls and all(call["name"] in functions for call in calls) else None


def _content(call: t.ClientCall, value: Any) -> t.ResumeInputResultsItem:
    return {"id": call["id"], "content": value if isinstance(value, str) else json.dumps(value)}


def _error(call: t.ClientCall, error: Exception) -> t.ResumeInputResultsItem:
    return {"id": call["id"], "error": str(error) or type(error).__name__}


def _answers(run: t.Run) -> str:
    asked = run["waitingFor"]
    return asked["id"] if asked else ""


class Agents(r.Agents):
    def get_with_etag(self, id: str, /) -> tuple[t.Agent, str]:
        """The agent, and the ETag of its settings: as `if_match` it refuses a change where somebody else was first."""
        answer = self._transport.answer("GET", f"/v1/agents/{quoted(id)}")
        return answer.json()["data"], answer.headers["etag"]


class AsyncAgents(r.AsyncAgents):
    async def get_with_etag(self, id: str, /) -> tuple[t.Agent, str]:
        """The agent, and the ETag of its settings: as `if_match` it refuses a change where somebody else was first."""
        answer = await self._transport.answer("GET", f"/v1/agents/{quoted(id)}")
        return answer.json()["data"], answer.headers["etag"]


class Runs(r.Runs):
    def events(self, agent_id: str, run_id: str, *, after: int | None = None) -> Generator[t.RunEvent, None, None]:
        """The run's events from its first, or from behind `after`, to the one that ends it; comes back after a cut.

        In between come deltas, text that a model is writing; the answer has all of it.
        """
        return follow(self._transport, _events_path(agent_id, run_id), {}, after, _has_ended)

    def cancel(self, agent_id: str, run_id: str) -> t.Run:
        """The run, which is cancelled; raises CONFLICT if it has ended otherwise.

        A run is cancelled as an A2A task, because the REST API has no cancellation.
        """
        answer = self._transport.json("POST", f"/api/v1/a2a/agents/{quoted(agent_id)}", body=_cancellation(run_id))
        return _cancelled(self.get(agent_id, run_id), answer)

    def wait(self, agent_id: str, run_id: str, *, timeout: float | None = None) -> t.Run:
        """Returns the run once it has ended, or once it is paused and waits for somebody.

        Raises WaitTimeout after `timeout` seconds; the run goes on.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        pause = 0.05
        while True:
            run = self.get(agent_id, run_id)
            if _rests(run):
                return run
            if deadline is not None and time.monotonic() + pause > deadline:
                raise WaitTimeout(f"run {run_id} had not ended after {timeout} s")
            time.sleep(pause)
            pause = min(pause * 1.5, 2.0)


    def use_tools(self, agent_id: str, run_id: str, functions: ToolFunctions, *, timeout: float | None = None) -> t.Run:
        """Carries out the calls of the run's tools of kind `client`, as long as it asks for some.

        A call's arguments are the keyword arguments of the function by its name; what that returns or raises is told to
        the agent. Returns the run as `wait` does; also where it asks for a tool that has no function here. `timeout` is
        of each wait.
        """
        while True:
            run = self.wait(agent_id, run_id, timeout=timeout)
            calls = _calls(run, functions)
            if calls is None:
                return run
            results: list[t.ResumeInputResultsItem] = []
            for call in calls:
                try:
                    results.append(_content(call, functions[call["name"]](**call["arguments"])))
                except Exception as error:  # told to the agent
                    results.append(_error(call, error))
            try:
                self.resume(agent_id, run_id, answers=_answers(run), results=results)
            except ApiError as error:
                if error.code != "CONFLICT":  # another program was quicker
                    raise


class AsyncRuns(r.AsyncRuns):
    def events(self, agent_id: str, run_id: str, *, after: int | None = None) -> AsyncGenerator[t.RunEvent, None]:
        """The run's events from its first, or from behind `after`, to the one that ends it; comes back after a cut.

        In between come deltas, text that a model is writing; the answer has all of it.
        """
        return follow_async(self._transport, _events_path(agent_id, run_id), {}, after, _has_ended)

    async def cancel(self, agent_id: str, run_id: str) -> t.Run:
        """The run, which is cancelled; raises CONFLICT if it has ended otherwise.

        A run is cancelled as an A2A task, because the REST API has no cancellation.
        """
        answer = await self._transport.json("POST", f"/api/v1/a2a/agents/{quoted(agent_id)}", body=_cancellation(run_id))
        return _cancelled(await self.get(agent_id, run_id), answer)

    async def wait(self, agent_id: str, run_id: str, *, timeout: float | None = None) -> t.Run:
        """Returns the run once it has ended, or once it is paused and waits for somebody.

        Raises WaitTimeout after `timeout` seconds; the run goes on.
        """
        try:
            async with asyncio.timeout(timeout):
                run = await self.get(agent_id, run_id)
                if _rests(run):
                    return run
                async with aclosing(self.events(agent_id, run_id)) as events:
                    async for event in events:
                        # The stream tells the pauses of the past, too.
                        if event["type"] == "status" and event["status"] in RESTING:
                            run = await self.get(agent_id, run_id)
                            if _rests(run):
                                return run
        except TimeoutError as late:
            raise WaitTimeout(f"run {run_id} had not ended after {timeout} s") from late
        raise HivekeepError(f"the events of run {run_id} ended before the run")

    async def use_tools(
        self, agent_id: str, run_id: str, functions: ToolFunctions, *, timeout: float | None = None
    ) -> t.Run:
        """As `Runs.use_tools`, with functions that may also be coroutines."""
        while True:
            run = await self.wait(agent_id, run_id, timeout=timeout)
            calls = _calls(run, functions)
            if calls is None:
                return run
            results: list[t.ResumeInputResultsItem] = []
            for call in calls:
                try:
                    value = functions[call["name"]](**call["arguments"])
                    results.append(_content(call, await value if inspect.isawaitable(value) else value))
                except Exception as error:  # told to the agent
                    results.append(_error(call, error))
            try:
                await self.resume(agent_id, run_id, answers=_answers(run), results=results)
            except ApiError as error:
                if error.code != "CONFLICT":  # another program was quicker
                    raise


class Hivekeep:
    """The client that waits. Close it, or use it in a `with`.

    `retries` says how often a request is tried again after 429, 503 or a lost answer, and `max_delay` how many seconds
    a pause between two tries lasts at most: a longer Retry-After is raised instead of waited for. `http` replaces the
    connection pool; whoever gives it closes it.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        retries: int = 4,
        max_delay: float = 30.0,
        http: httpx.Client | None = None,
    ) -> None:
        self._own = http is None
        self._http = http or httpx.Client(timeout=TIMEOUT)
        transport = Transport(Settings(base_url, key, retries, max_delay), self._http)
        self._transport = transport
        self.agents = Agents(transport)
        self.runs = Runs(transport)
        self.sessions = r.Sessions(transport)
        self.mailbox = r.Mailbox(transport)
        self.memories = r.Memories(transport)
        self.hives = r.Hives(transport)
        self.schedules = r.Schedules(transport)
        self.blocks = r.Blocks(transport)
        self.profiles = r.Profiles(transport)
        self.tokens = r.Tokens(transport)
        self.keys = r.Keys(transport)
        self.dead_letters = r.DeadLetters(transport)
        self.webhooks = r.Webhooks(transport)
        self.workspace = r.Workspace(transport)

    def events(self, **query: Unpack[t.FollowWorkspaceQuery]) -> Generator[t.WorkspaceEvent, None, None]:
        """What happens in the workspace, as it happens; what happens during a cut is not told later."""
        return follow(self._transport, "/v1/events", dict(query), None, lambda _: False)

    def export(self, **query: Unpack[t.ExportRecordsQuery]) -> Generator[str, None, None]:
        """The lines of an export of the workspace or of one agent; complete if the last is the record `end`."""
        response = self._transport.answer("GET", "/v1/export", query=dict(query), stream=True)
        try:
            yield from lines_of(response.iter_bytes())
        except httpx.TransportError as cut:
            raise ConnectionFailed("the export broke off") from cut
        finally:
            response.close()

    def import_(self, lines: bytes, **query: Unpack[t.ImportRecordsQuery]) -> t.ImportReport:
        """Takes in what was exported; repeated, it adds nothing."""
        report: t.ImportReport = self._transport.data("POST", "/v1/import", lines=lines, query=dict(query))
        return report

    def request(self, method: str, path: str, **more: Any) -> Any:
        """Any other request (`body`, `query`, `headers`, ...), with the same retries: the whole JSON that is answered."""
        return self._transport.json(method, path, **more)

    def close(self) -> None:
        if self._own:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncHivekeep:
    """The same for asyncio. Close it with `aclose`, or use it in an `async with`."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        retries: int = 4,
        max_delay: float = 30.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._own = http is None
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT)
        transport = AsyncTransport(Settings(base_url, key, retries, max_delay), self._http)
        self._transport = transport
        self.agents = AsyncAgents(transport)
        self.runs = AsyncRuns(transport)
        self.sessions = r.AsyncSessions(transport)
        self.mailbox = r.AsyncMailbox(transport)
        self.memories = r.AsyncMemories(transport)
        self.hives = r.AsyncHives(transport)
        self.schedules = r.AsyncSchedules(transport)
        self.blocks = r.AsyncBlocks(transport)
        self.profiles = r.AsyncProfiles(transport)
        self.tokens = r.AsyncTokens(transport)
        self.keys = r.AsyncKeys(transport)
        self.dead_letters = r.AsyncDeadLetters(transport)
        self.webhooks = r.AsyncWebhooks(transport)
        self.workspace = r.AsyncWorkspace(transport)

    def events(self, **query: Unpack[t.FollowWorkspaceQuery]) -> AsyncGenerator[t.WorkspaceEvent, None]:
        """What happens in the workspace, as it happens; what happens during a cut is not told later."""
        return follow_async(self._transport, "/v1/events", dict(query), None, lambda _: False)

    async def export(self, **query: Unpack[t.ExportRecordsQuery]) -> AsyncGenerator[str, None]:
        """The lines of an export of the workspace or of one agent; complete if the last is the record `end`."""
        response = await self._transport.answer("GET", "/v1/export", query=dict(query), stream=True)
        try:
            async for line in lines_of_async(response.aiter_bytes()):
                yield line
        except httpx.TransportError as cut:
            raise ConnectionFailed("the export broke off") from cut
        finally:
            await response.aclose()

    async def import_(self, lines: bytes, **query: Unpack[t.ImportRecordsQuery]) -> t.ImportReport:
        """Takes in what was exported; repeated, it adds nothing."""
        report: t.ImportReport = await self._transport.data("POST", "/v1/import", lines=lines, query=dict(query))
        return report

    async def request(self, method: str, path: str, **more: Any) -> Any:
        """Any other request (`body`, `query`, `headers`, ...), with the same retries: the whole JSON that is answered."""
        return await self._transport.json(method, path, **more)

    async def aclose(self) -> None:
        if self._own:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
