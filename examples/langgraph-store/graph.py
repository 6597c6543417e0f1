"""A graph whose second conversation knows what the first one was told, because its store is an agent of hivekeep."""

import os
from typing import TypedDict
from uuid import uuid4

from hivekeep import Hivekeep
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from store import HivekeepStore


class State(TypedDict):
    user: str
    said: str
    answer: str


def remember(state: State, runtime: Runtime) -> dict:
    namespace = ("users", state["user"], "facts")
    runtime.store.put(namespace, str(uuid4()), {"text": state["said"]})
    return {"answer": "Noted."}


def recall(state: State, runtime: Runtime) -> dict:
    """Stands for a model that is given what the store finds."""
    found = runtime.store.search(("users", state["user"]), query=state["said"], limit=1)
    return {"answer": found[0].value["text"] if found else "I do not know."}


graph = StateGraph(State)
graph.add_node(remember)
graph.add_node(recall)
graph.add_conditional_edges(START, lambda state: "recall" if state["said"].endswith("?") else "remember")
graph.add_edge("remember", END)
graph.add_edge("recall", END)

with Hivekeep(os.environ["HIVEKEEP_URL"], os.environ["HIVEKEEP_KEY"]) as hivekeep:
    ada = hivekeep.agents.spawn(name="Ada")
    app = graph.compile(store=HivekeepStore(hivekeep, ada["id"]))
    for user, said in [
        ("mia", "The kiln is at 1180 degrees."),
        ("mia", "How hot is the kiln?"),
        ("bo", "How hot is the kiln?"),
    ]:
        print(f"{user}: {said} -> {app.invoke({'user': user, 'said': said, 'answer': ''})['answer']}")
