"""What the client asks, what it asks again, and what it raises, against an answering machine."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from hivekeep import ApiError, AsyncHivekeep, ConnectionFailed, Hivekeep, resources
from hivekeep._lines import lines_of
from hivekeep._transport import AsyncResource, Resource


class Machine:
    """Answers requests in turn; the last reply answers all that follow."""

    def __init__(self, *replies: httpx.Response | Exception) -> None:
        self.replies = replies
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        reply = self.replies[min(len(self.asked), len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        return reply

    def client(self, **options: Any) -> Hivekeep:
        http = httpx.Client(transport=httpx.MockTransport(self))
        return Hivekeep("https://hive.example/below/", "svc_live_1", http=http, max_delay=0.01, **options)


def refused(status: int, code: str, **headers: str) -> httpx.Response:
    error = {"code": code, "message": "no", "status": status, "details": {"a": 1}, "request_id": "req_1"}
    return httpx.Response(status, json={"error": error}, headers=headers)


def test_asks_with_ids_body_and_key_below_the_path_of_its_base_url() -> None:
    machine = Machine(httpx.Response(202, json={"data": {"id": "msg_1"}}))
    assert machine.client().mailbox.send("agent 1", content="hello", from_="agent_2")["id"] == "msg_1"
    (request,) = machine.asked
    assert str(request.url) == "https://hive.example/below/v1/agent-constellations/agent%201/messages"
    assert request.headers["authorization"] == "Bearer svc_live_1"
    assert request.read() == b'{"content":"hello","from":"agent_2"}'


def test_has_every_resource_of_the_api() -> None:
    waiting = Machine(httpx.Response(200)).client()
    awaited = AsyncHivekeep("https://hive.example", "svc_live_1")
    for client, base in ((waiting, Resource), (awaited, AsyncResource)):
        made = [kind for kind in vars(resources).values() if isinstance(kind, type) and kind.__base__ is base]
        assert len(made) > 5
        for kind in made:
            assert any(isinstance(value, kind) for value in vars(client).values()), kind


def test_refuses_an_id_that_is_empty() -> None:
    with pytest.raises(ValueError):
        Machine(httpx.Response(200)).client().agents.delete("")


def test_raises_what_the_service_refused() -> None:
    with pytest.raises(ApiError) as caught:
        Machine(refused(404, "NOT_FOUND")).client().agents.get("agent_1")
    error = caught.value
    assert (error.code, error.status, error.details, error.request_id) == ("NOT_FOUND", 404, {"a": 1}, "req_1")


def test_tries_again_under_one_idempotency_key() -> None:
    machine = Machine(
        refused(429, "RATE_LIMIT_EXCEEDED"),
        httpx.ConnectError("refused"),
        refused(503, "UNAVAILABLE"),
        httpx.Response(201, json={"data": {"id": "mem_1"}}),
    )
    assert machine.client().memories.create(type="semantic", content="a")["id"] == "mem_1"
    assert len(machine.asked) == 4
    assert len({request.headers["idempotency-key"] for request in machine.asked}) == 1


def test_tries_again_where_a_proxy_lost_the_answer() -> None:
    def lost(status: int) -> httpx.Response:
        return httpx.Response(status, text="<h1>Bad Gateway</h1>")

    machine = Machine(lost(502), lost(504), httpx.Response(201, json={"data": {"id": "mem_1"}}))
    assert machine.client().memories.create(type="semantic", content="a")["id"] == "mem_1"
    assert len({request.headers["idempotency-key"] for request in machine.asked}) == 1


def test_gives_up() -> None:
    lost = Machine(httpx.ConnectError("refused"))
    with pytest.raises(ConnectionFailed, match=r"no answer from https?://"):
        lost.client(retries=1).workspace.me()
    assert len(lost.asked) == 2
    later = Machine(refused(429, "RATE_LIMIT_EXCEEDED", **{"retry-after": "3600"}))
    with pytest.raises(ApiError):
        later.client().workspace.me()
    assert len(later.asked) == 1


def test_follows_a_run_through_cuts_and_hears_every_event_once() -> None:
    def event(seq: int, status: str) -> str:
        return f'event: status\nid: {seq}\ndata: {{"seq": {seq}, "type": "status", "status": "{status}"}}\n\n'

    delta = 'event: delta\ndata: {"type": "delta", "step": 1, "append": false, "text": "On 12"}\n\n'
    machine = Machine(
        httpx.Response(200, text="retry: 1000\n" + event(1, "running") + ": beat\n" + delta + 'id: 2\ndata: {"half'),
        httpx.ConnectError("refused"),
        httpx.Response(200, text=event(2, "paused") + event(3, "completed") + event(4, "never")),
    )
    told = [
        event["text"] if event["type"] == "delta" else event["seq"]
        for event in machine.client().runs.events("agent_1", "run_1")
    ]
    # a delta has no number to come back with
    assert told == [1, "On 12", 2, 3]
    assert [request.headers.get("last-event-id") for request in machine.asked] == [None, "1", "1"]


def test_comes_back_to_a_stream_for_as_long_as_the_service_is_away_or_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    later = {"retry-after": "3600"}
    told_busy = 'event: error\ndata: {"error": {"code": "RATE_LIMIT_EXCEEDED", "message": "busy", "status": 429}}\n\n'
    last = 'id: 1\ndata: {"seq": 1, "type": "status", "status": "completed"}\n\n'
    away = [refused(429, "RATE_LIMIT_EXCEEDED", **later), refused(503, "UNAVAILABLE"), httpx.Response(502, text="<h1>")]
    machine = Machine(*away, httpx.Response(200, text=told_busy), httpx.Response(200, text=last))
    assert [event["type"] for event in machine.client(retries=1).runs.events("agent_1", "run_1")] == ["status"]
    assert len(machine.asked) == 5
    assert max(waited) == 15.0


class Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body whose connection is cut."""

    def __init__(self) -> None:
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield b"one\n"
        raise httpx.ReadError("cut")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"one\n"
        raise httpx.ReadError("cut")

    def close(self) -> None:
        self.closed = True

    async def aclose(self) -> None:
        self.closed = True


class Endless(httpx.AsyncByteStream):
    """The events of a run that is paused, and stays so."""

    closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b'id: 1\ndata: {"seq": 1, "type": "status", "status": "paused"}\n\n'
        await asyncio.Event().wait()

    async def aclose(self) -> None:
        self.closed = True


def test_waiting_for_a_run_leaves_no_stream_open() -> None:
    def run(status: str) -> httpx.Response:
        return httpx.Response(200, json={"data": {"id": "run_1", "status": status}})

    async def use() -> None:
        body = Endless()
        machine = Machine(run("running"), httpx.Response(200, stream=body), run("paused"))
        async with httpx.AsyncClient(transport=httpx.MockTransport(machine)) as http:
            awaited = AsyncHivekeep("https://hive.example", "svc_live_1", http=http)
            assert (await awaited.runs.wait("agent_1", "run_1"))["status"] == "paused"
            assert body.closed

    asyncio.run(use())


def test_an_export_is_tried_again_until_it_begins_and_says_that_it_was_cut() -> None:
    def replies(body: Cut) -> Machine:
        return Machine(httpx.ConnectError("refused"), refused(503, "UNAVAILABLE"), httpx.Response(200, stream=body))

    body, got = Cut(), []
    with pytest.raises(ConnectionFailed):
        for line in replies(body).client().export():
            got.append(line)
    assert (got, body.closed) == (["one"], True)
    with pytest.raises(ConnectionFailed):
        list(Machine(httpx.ConnectError("refused")).client(retries=1).export())

    async def use() -> None:
        body = Cut()
        async with httpx.AsyncClient(transport=httpx.MockTransport(replies(body))) as http:
            awaited = AsyncHivekeep("https://hive.example", "svc_live_1", http=http, max_delay=0.01)
            with pytest.raises(ConnectionFailed):
                [line async for line in awaited.export()]
        assert body.closed

    asyncio.run(use())


def test_refuses_an_address_that_is_none_instead_of_trying_it_for_ever() -> None:
    for address in ("localhost:8420", "", "ftp://hive.example"):
        for client in (Hivekeep, AsyncHivekeep):
            with pytest.raises(ValueError, match="https://"):
                client(address, "svc_live_1")


def test_ends_lines_at_newlines_only() -> None:
    text = "a\u0085b\u2028c\u2029d"
    ending: Any = {"type": "status", "status": "completed", "message": text}
    event = f"id: 1\r\ndata: {json.dumps(ending, ensure_ascii=False)}\r\n\r\n"
    record = f'{{"record":"memory","content":"{text}"}}'

    def machine() -> Machine:
        return Machine(httpx.Response(200, text=event), httpx.Response(200, text=f"{record}\n{record}\n"))

    client = machine().client()
    assert list(client.runs.events("agent_1", "run_1")) == [ending]
    assert list(client.export()) == [record, record]

    async def use() -> tuple[list[Any], list[str]]:
        async with httpx.AsyncClient(transport=httpx.MockTransport(machine())) as http:
            awaited = AsyncHivekeep("https://hive.example", "svc_live_1", http=http)
            told = [event async for event in awaited.runs.events("agent_1", "run_1")]
            return told, [line async for line in awaited.export()]

    assert asyncio.run(use()) == ([ending], [record, record])


def test_reads_lines_that_come_in_pieces() -> None:
    pieces = [b"a\r", b"\nb\xc3", b"\xbc\n\nc", b"", b"d\re"]
    assert list(lines_of(pieces)) == ["a", "b\u00fc", "", "cd\re"]


def test_ends_a_stream_with_the_error_that_is_told_in_it() -> None:
    told = 'event: error\ndata: {"error": {"code": "UNAUTHENTICATED", "message": "expired", "status": 401}}\n\n'
    with pytest.raises(ApiError, match="expired"):
        next(Machine(httpx.Response(200, text=told)).client().events(types="agent"))


def test_asyncio_does_the_same() -> None:
    async def use() -> list[Any]:
        page = {"data": ["a", "b"], "pagination": {"next_cursor": "c2", "has_more": True, "total_count": 3}}
        last = {"data": ["c"], "pagination": {"next_cursor": None, "has_more": False, "total_count": 3}}
        machine = Machine(refused(503, "UNAVAILABLE"), httpx.Response(200, json=page), httpx.Response(200, json=last))
        async with httpx.AsyncClient(transport=httpx.MockTransport(machine)) as http:
            async with AsyncHivekeep("https://hive.example", "svc_live_1", http=http, max_delay=0.01) as hivekeep:
                return [memory async for memory in hivekeep.memories.list(page_size=2)]

    assert asyncio.run(use()) == ["a", "b", "c"]
