"""Both clients against a running server, named by HIVEKEEP_URL and HIVEKEEP_KEY."""

import asyncio
import os
import re

import pytest

from hivekeep import ApiError, AsyncHivekeep, Hivekeep, WaitTimeout
from hivekeep.types import AgentConfig

URL = os.environ.get("HIVEKEEP_URL", "")
KEY = os.environ.get("HIVEKEEP_KEY", "")
pytestmark = pytest.mark.skipif(URL == "" or KEY == "", reason="HIVEKEEP_URL and HIVEKEEP_KEY name no server")

GATED: AgentConfig = {"multi_step": True, "validation_gate": "action"}


def test_spawns_lists_follows_waits_approves_and_deletes() -> None:
    with Hivekeep(URL, KEY) as hivekeep:
        agent = hivekeep.agents.spawn(name="Ada", config=GATED)["id"]
        for content in ("one", "two", "three"):
            hivekeep.memories.create(agent_id=agent, type="semantic", content=content)
        listed = hivekeep.memories.list(agent_id=agent, page_size=2, order="asc")
        assert [memory["content"] for memory in listed] == ["one", "two", "three"]
        assert listed.page().pagination["total_count"] == 3
        run = hivekeep.runs.start(agent, input="Remember that the quay is closed")["id"]
        assert hivekeep.runs.wait(agent, run, timeout=20)["status"] == "paused"
        hivekeep.runs.resume(agent, run, decision="approve")
        events = [event for event in hivekeep.runs.events(agent, run) if event["type"] == "status"]
        assert [event["status"] for event in events] == ["running", "paused", "running", "completed"]
        assert hivekeep.runs.wait(agent, run)["status"] == "completed"
        assert hivekeep.workspace.me()["mode"] == "live"
        lines = list(hivekeep.export(agent_id=agent))
        assert '"record":"end"' in lines[-1]
        exported = "".join(f"{line}\n" for line in lines).encode()
        assert hivekeep.import_(exported)["added"] == {}
        assert hivekeep.import_(exported, new_ids="copy")["added"]["memory"] == 4
        with pytest.raises(ApiError) as nobody:
            list(hivekeep.export(agent_id="agent_of_nobody"))
        assert nobody.value.code == "NOT_FOUND"
        hivekeep.agents.delete(agent)
        with pytest.raises(ApiError) as caught:
            hivekeep.agents.get(agent)
        assert caught.value.code == "NOT_FOUND"


def test_says_what_is_wrong_with_a_body() -> None:
    with Hivekeep(URL, KEY) as hivekeep, pytest.raises(ApiError) as caught:
        hivekeep.agents.spawn(name="")
    assert caught.value.details["issues"][0]["path"] == "name"


def test_refuses_a_change_where_somebody_else_was_first() -> None:
    with Hivekeep(URL, KEY) as hivekeep:
        agent, etag = hivekeep.agents.get_with_etag(hivekeep.agents.spawn(name="Dora")["id"])
        assert hivekeep.agents.update(agent["id"], description="first", if_match=etag)["description"] == "first"
        with pytest.raises(ApiError) as caught:
            hivekeep.agents.update(agent["id"], description="second", if_match=etag)
        assert caught.value.code == "PRECONDITION_FAILED"
        assert list(hivekeep.sessions.list(agent["id"])) == []


def test_writes_blocks_of_a_subject() -> None:
    with Hivekeep(URL, KEY) as hivekeep:
        agent = hivekeep.agents.spawn(name="Dora")["id"]
        made = hivekeep.blocks.set(agent, "human", subject="bo", value="Likes tea.", limit=100)
        assert (made["subject"], made["version"]) == ("bo", 1)
        changed = hivekeep.blocks.update(agent, "human", subject="bo", value="Likes milk.")
        assert hivekeep.blocks.get(agent, "human", subject="bo") == changed
        with pytest.raises(ApiError):
            hivekeep.blocks.get(agent, "human")
        assert [block["value"] for block in hivekeep.blocks.list(agent, subject="bo")] == ["Likes milk."]
        assert hivekeep.profiles.get(agent, subject="bo")["blocks"] == [changed]
        assert hivekeep.blocks.delete(agent, "human", subject="bo")["deleted"]


NAMES = ("a.b", "a/b", "a@b", "a b", "ü", "%2F", "🐝", "...", "?")


@pytest.mark.parametrize("name", NAMES)
def test_takes_names_of_any_characters_in_paths(name: str) -> None:
    async def use(agent: str) -> None:
        async with AsyncHivekeep(URL, KEY) as hivekeep:
            await hivekeep.memories.create(agent_id=agent, type="semantic", content="x", subject=name)
            assert (await hivekeep.sessions.delete_subject(agent, name))["deleted"]

    with Hivekeep(URL, KEY) as hivekeep:
        agent = hivekeep.agents.spawn(name="Ada")["id"]
        hivekeep.memories.create(agent_id=agent, type="semantic", content="x", sessionId=name)
        assert hivekeep.sessions.delete(agent, name)["id"] == name
        asyncio.run(use(agent))
        assert list(hivekeep.memories.list(agent_id=agent)) == []
        with pytest.raises(ApiError, match=f"no tool {re.escape(name)}"):
            hivekeep.agents.try_tool(agent, name)


@pytest.mark.parametrize("name", (".", ".."))
def test_refuses_steps_as_names_in_paths(name: str) -> None:
    with Hivekeep(URL, KEY) as hivekeep:
        agent = hivekeep.agents.spawn(name="Ada")["id"]
        with pytest.raises(ValueError, match="must not be"):
            hivekeep.sessions.delete(agent, name)
        assert hivekeep.agents.get(agent)["id"] == agent


def test_asyncio() -> None:
    async def use() -> None:
        async with AsyncHivekeep(URL, KEY) as hivekeep:
            agent = (await hivekeep.agents.spawn(name="Bea", config=GATED))["id"]
            workspace = hivekeep.events(types="run")
            first = asyncio.ensure_future(anext(workspace))
            await asyncio.sleep(0.2)
            run = (await hivekeep.runs.start(agent, input="Remember that the quay is closed"))["id"]
            assert (await hivekeep.runs.wait(agent, run, timeout=20))["status"] == "paused"
            assert (await first)["type"] == "run.status"
            await hivekeep.runs.resume(agent, run, decision="reject", input="not today")
            assert (await hivekeep.runs.wait(agent, run, timeout=20))["status"] == "completed"
            assert [memory async for memory in hivekeep.memories.list(agent_id=agent)] == []
            lines = [line async for line in hivekeep.export(agent_id=agent)]
            exported = "".join(f"{line}\n" for line in lines).encode()
            assert (await hivekeep.import_(exported))["added"] == {}
            _, etag = await hivekeep.agents.get_with_etag(agent)
            await hivekeep.agents.delete(agent, if_match=etag)

    asyncio.run(use())


def test_cancels_a_run_once() -> None:
    with Hivekeep(URL, KEY) as hivekeep:
        agent = hivekeep.agents.spawn(name="Dee", config=GATED)["id"]
        run = hivekeep.runs.start(agent, input="Remember that the quay is closed")["id"]
        assert hivekeep.runs.cancel(agent, run)["status"] == "cancelled"
        ended = hivekeep.runs.start(agent, input="hello")["id"]
        hivekeep.runs.wait(agent, ended, timeout=20)
        with pytest.raises(ApiError) as refused:
            hivekeep.runs.cancel(agent, ended)
        assert (refused.value.code, refused.value.status) == ("CONFLICT", 409)

    async def use() -> None:
        async with AsyncHivekeep(URL, KEY) as hivekeep:
            agent = (await hivekeep.agents.spawn(name="Eli", config=GATED))["id"]
            run = (await hivekeep.runs.start(agent, input="Remember that the quay is open"))["id"]
            assert (await hivekeep.runs.cancel(agent, run))["status"] == "cancelled"

    asyncio.run(use())


def test_gives_up_waiting_but_the_run_goes_on() -> None:
    async def use() -> None:
        async with AsyncHivekeep(URL, KEY) as hivekeep:
            agent = (await hivekeep.agents.spawn(name="Cleo"))["id"]
            run = (await hivekeep.runs.start(agent, input="Say: hello"))["id"]
            with pytest.raises(WaitTimeout):
                await hivekeep.runs.wait(agent, run, timeout=0)
            assert (await hivekeep.runs.wait(agent, run, timeout=20))["status"] == "completed"

    asyncio.run(use())


USING: AgentConfig = {
    "multi_step": True,
    "model": "openai/m",
    "tools": [{"kind": "client", "name": "weather", "description": "The weather.", "reads_only": True}],
}


def weather(city: str) -> dict[str, str]:
    if city == "Oslo":
        raise ValueError("no such city")
    return {"sky": "clear"}


async def weather_later(city: str) -> dict[str, str]:
    return weather(city)


def test_uses_tools() -> None:
    """The model that the server asks uses the tool twice, and answers then."""
    with Hivekeep(URL, KEY) as hivekeep:
        agent = hivekeep.agents.spawn(name="Ada", config=USING)["id"]
        run = hivekeep.runs.start(agent, input="What is the weather in Rome?")["id"]
        assert hivekeep.runs.use_tools(agent, run, {}, timeout=20)["status"] == "paused"
        assert hivekeep.runs.use_tools(agent, run, {"weather": weather}, timeout=20)["output"] == "clear"
        (step,) = [c for c in hivekeep.runs.checkpoints(agent) if c["step"] == 1]
        assert [call["result"] for call in step["calls"]] == ["no such city", '{"sky": "clear"}']


def test_uses_tools_async() -> None:
    async def used() -> str | None:
        async with AsyncHivekeep(URL, KEY) as hivekeep:
            agent = (await hivekeep.agents.spawn(name="Ada", config=USING))["id"]
            run = (await hivekeep.runs.start(agent, input="What is the weather in Rome?"))["id"]
            return (await hivekeep.runs.use_tools(agent, run, {"weather": weather_later}, timeout=20))["output"]

    assert asyncio.run(used()) == "clear"
