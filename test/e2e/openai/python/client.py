"""The official OpenAI client and LangChain against an agent; says what they were told, one JSON object a line."""

import json
import sys

import openai
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
