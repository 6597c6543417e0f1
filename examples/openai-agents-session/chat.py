"""A conversation of the OpenAI Agents SDK that goes on in another process, and what is found of it later."""

import asyncio
import os
from collections.abc import AsyncIterator
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.items import TResponseStreamEvent
from hivekeep import AsyncHivekeep
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from session import HivekeepSession


class Scripted(Model):
    """Stands for a language model: it knows what its prompt says. Leave it out, and the SDK asks OpenAI's."""

    async def get_response(self, system_instructions: Any, input: Any, *others: Any, **more: Any) -> ModelResponse:
        said = [{"content": input}] if isinstance(input, str) else input
        known = "1180" in str(said[:-1])
        text = "Noted." if "?" not in str(said[-1]) else "1180 degrees." if known else "I do not know."
        content = ResponseOutputText(type="output_text", text=text, annotations=[])
        message = ResponseOutputMessage(id="msg_1", type="message", role="assistant", status="completed", content=[content])
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *others: Any, **more: Any) -> AsyncIterator[TResponseStreamEvent]:
        raise NotImplementedError


async def main() -> None:
    set_tracing_disabled(True)
    potter = Agent(name="Potter", model=Scripted())
    async with AsyncHivekeep(os.environ["HIVEKEEP_URL"], os.environ["HIVEKEEP_KEY"]) as hivekeep:
        ada = await hivekeep.agents.spawn(name="Ada")

        async def say(session: str, text: str) -> None:
            result = await Runner.run(potter, text, session=HivekeepSession(hivekeep, ada["id"], session))
            print(f"{session}: {text} -> {result.final_output}")

        await say("monday", "The kiln is at 1180 degrees.")
        await say("monday", "How hot is the kiln?")
        await say("friday", "How hot is the kiln?")
        (found,) = await hivekeep.memories.search(agent_id=ada["id"], query="kiln degrees", limit=1)
        print(f"found in {found['sessionId']}: {found['speaker']}: {found['content']}")


asyncio.run(main())
