"""Pydantic AI with its default output (a tool) and LangChain with tools that have to be called; JSON lines."""

import asyncio
import json
import sys

framework, base_url, key, agent = sys.argv[1:]


def tell(step: str, **what: object) -> None:
    print(json.dumps({"step": step, **what}), flush=True)


def langchain() -> None:
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI
    from pydantic import BaseModel

    class Crew(BaseModel):
        """The crew."""

        captain: str

    @tool
    def tide(port: str) -> str:
        """The tide of a port."""
        return f"high in {port}"

    @tool
    def wind(port: str) -> str:
        """The wind at a port."""
        return f"calm in {port}"

    chat = ChatOpenAI(base_url=base_url, api_key=key, model=agent, max_retries=0)
    crew = chat.with_structured_output(Crew, method="function_calling")
    tell("crew", captain=crew.invoke("Who?").captain)
    for choice in ("tide", "any"):
        bound = chat.bind_tools([tide, wind], tool_choice=choice)
        tell(choice, calls=[[call["name"], call["args"]] for call in bound.invoke(f"By {choice}?").tool_calls])
        chunks = list(bound.stream(f"By {choice}, streamed?"))
        reply = sum(chunks[1:], chunks[0])
        tell(f"{choice} streamed", calls=[[call["name"], call["args"]] for call in reply.tool_calls])


def pydantic_ai() -> None:
    from pydantic import BaseModel
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    class Crew(BaseModel):
        captain: str
        size: int

    model = OpenAIChatModel(agent, provider=OpenAIProvider(base_url=base_url, api_key=key))
    plain = Agent(model, output_type=Crew)
    done = plain.run_sync("Who sails?")
    tell("output", captain=done.output.captain, size=done.output.size)

    ports = Agent(model, output_type=Crew, instructions="Be brief.")

    @ports.tool_plain
    def harbour(name: str) -> str:
        """Who lies in a harbour."""
        return f"The Mia lies in {name}."

    done = ports.run_sync("Who sails from Hull?")
    tell("with a tool", captain=done.output.captain, size=done.output.size)

    async def streamed() -> None:
        async with plain.run_stream("Who sails now?") as result:
            crew = await result.get_output()
            tell("streamed", captain=crew.captain, size=crew.size)

    asyncio.run(streamed())
    done = plain.run_sync("Who sails next?")
    tell("again", captain=done.output.captain, size=done.output.size)


{"langchain": langchain, "pydantic-ai": pydantic_ai}[framework]()
