"""What the OpenAI Agents SDK promises of a session, of examples/openai-agents-session/session.py; and an agent of hivekeep as
the model of its agents, with a tool.
"""

import asyncio
import sys

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    Runner,
    SessionSettings,
    function_tool,
    set_tracing_disabled,
)
from agents.memory import Session
from hivekeep import AsyncHivekeep
from openai import AsyncOpenAI
from session import HivekeepSession

url, key, model = sys.argv[1:]
set_tracing_disabled(True)


@function_tool
def tide(port: str) -> str:
    """The tide of a port."""
    return f"high in {port}"


async def main() -> None:
    async with AsyncHivekeep(url, key) as client:
        ada = (await client.agents.spawn(name="Ada"))["id"]
        session = HivekeepSession(client, ada, "long")
        assert isinstance(session, Session)
        assert await session.get_items() == [] and await session.pop_item() is None

        items = [{"role": "user", "content": f"item {n}"} for n in range(620)]
        items += [
            {"type": "function_call", "call_id": "c", "name": "tide", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": "high " * 8000},
            {"role": "assistant", "content": [{"type": "output_text", "text": "Long. " * 5000, "annotations": []}]},
            {"role": "user", "content": [{"type": "input_text", "text": " "}]},
        ]
        await session.add_items(items[:100])
        await session.add_items(items[100:])
        assert await session.get_items() == items
        assert await session.get_items(limit=3) == items[-3:]
        session.session_settings = SessionSettings(limit=101)
        assert await session.get_items() == items[-101:]
        assert await session.pop_item() == items[-1]
        other = HivekeepSession(client, ada, "other")
        assert await other.get_items() == []
        await session.clear_session()
        await session.clear_session()
        assert await session.get_items(5) == []

        provider = AsyncOpenAI(base_url=f"{url}/v1/openai/v1", api_key=key)
        pilot = Agent(name="Pilot", model=OpenAIChatCompletionsModel(model, provider), tools=[tide])
        result = await Runner.run(pilot, "How is the tide?", session=other)
        assert result.final_output == "High.", result.final_output
        kept = [item.get("type", "message") for item in await other.get_items()]
        assert kept == ["message", "function_call", "function_call_output", "message"], kept
        streamed = Runner.run_streamed(pilot, "And now?")
        assert [event async for event in streamed.stream_events()]
        assert streamed.final_output == "Low.", streamed.final_output
        print("kept")


asyncio.run(main())
