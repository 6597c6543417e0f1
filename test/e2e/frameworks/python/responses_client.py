"""The official OpenAI client by the Responses API, and OpenAI's agents, whose default it is, against an agent; says what they were
told, one JSON object a line.
"""

import asyncio
import json
import sys

import openai
from agents import Agent, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled

base_url, key, model = sys.argv[1:]
set_tracing_disabled(True)


def tell(step: str, **what: object) -> None:
    print(json.dumps({"step": step, **what}), flush=True)


client = openai.OpenAI(base_url=base_url, api_key=key)
first = client.responses.create(model=model, input="One?")
tell("first", text=first.output_text, status=first.status)
branches = [
    client.responses.create(model=model, input=text, previous_response_id=first.id) for text in ("Red?", "Blue?")
]
sessions = {branch.to_dict()["hivekeep"]["session_id"] for branch in [first, *branches]}
tell("branches", texts=[branch.output_text for branch in branches], sessions=len(sessions))
with client.responses.stream(model=model, input="Two?") as stream:
    kinds = [event.type for event in stream]
    final = stream.get_final_response()
tell("stream", text=final.output_text, first=kinds[0], last=kinds[-1])
tell("retrieved", text=client.responses.retrieve(final.id).output_text)


@function_tool
def tide(port: str) -> str:
    """The tide of a port."""
    return f"high in {port}"


async def main() -> None:
    provider = openai.AsyncOpenAI(base_url=base_url, api_key=key)
    pilot = Agent(name="Pilot", model=OpenAIResponsesModel(model, provider), tools=[tide])
    result = await Runner.run(pilot, "How is the tide?")
    tell("agents", text=result.final_output, items=[type(item).__name__ for item in result.new_items])
    streamed = Runner.run_streamed(pilot, "And now?", previous_response_id=result.last_response_id)
    events = [event.type async for event in streamed.stream_events()]
    tell("agents streamed", text=streamed.final_output, events=len(events) > 3)


asyncio.run(main())
