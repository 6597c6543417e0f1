"""The official OpenAI client and LangChain against an agent; says what they were told, one JSON object a line."""

import json
import sys

import openai
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

base_url, key, agent = sys.argv[1:]


def tell(step: str, **what: object) -> None:
    print(json.dumps({"step": step, **what}), flush=True)


client = openai.OpenAI(base_url=base_url, api_key=key)
tell("models", ids=[model.id for model in client.models.list()])
whole = client.chat.completions.create(
    model=agent, messages=[{"role": "user", "content": "One?"}], user="py", max_completion_tokens=50
)
tell("whole", text=whole.choices[0].message.content, finish=whole.choices[0].finish_reason)
chunks = list(
    client.chat.completions.create(
        model=agent,
        messages=[{"role": "user", "content": "Two?"}],
        stream=True,
        stream_options={"include_usage": True},
        extra_headers={"X-Hivekeep-Session": "py"},
    )
)
tell(
    "stream",
    text="".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices),
    usage=chunks[-1].usage is not None,
)
try:
    client.chat.completions.create(model="nobody", messages=[{"role": "user", "content": "x"}])
except openai.NotFoundError as error:
    tell("missing", code=error.code, id=error.request_id)


class Crew(BaseModel):
    """The crew."""

    captain: str


chat = ChatOpenAI(base_url=base_url, api_key=key, model=agent, max_retries=0)
tell("invoked", text=chat.invoke([("system", "Be brief."), ("human", "Three?")]).content)
tell("streamed", text="".join(chunk.content for chunk in chat.stream("Four?")))
tell("crew", captain=chat.with_structured_output(Crew, method="json_schema").invoke("Who?").captain)


weather = {
    "type": "function",
    "function": {
        "name": "weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
messages: list = [{"role": "user", "content": "Five?"}]
asked = client.chat.completions.create(model=agent, messages=messages, tools=[weather]).choices[0]
messages.append(asked.message)
for call in asked.message.tool_calls:
    messages.append({"role": "tool", "tool_call_id": call.id, "content": f"sunny {call.function.arguments}"})
whole = client.chat.completions.create(model=agent, messages=messages, tools=[weather])
tell("tools", text=whole.choices[0].message.content, finish=asked.finish_reason, results=messages[2:])


@tool
def tide(port: str) -> str:
    """The tide of a port."""
    return f"high in {port}"


def run_tools(stream: bool) -> None:
    """Carries out the calls as an agent of LangChain does."""
    bound = chat.bind_tools([tide])
    said: list = [HumanMessage("Six?")]
    while True:
        if stream:
            chunks = list(bound.stream(said))
            reply = sum(chunks[1:], chunks[0])
        else:
            reply = bound.invoke(said)
        said.append(reply)
        if not reply.tool_calls:
            break
        said.extend(tide.invoke(call) for call in reply.tool_calls)
    tell(f"tides {stream}", text=reply.text, results=[each.content for each in said if each.type == "tool"])


for stream in (False, True):
    run_tools(stream)
