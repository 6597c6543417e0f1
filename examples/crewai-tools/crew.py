"""Two crews, one after the other: what the first is told, the second knows."""

import os
import re
from typing import Any

from crewai import Agent, BaseLLM, Crew, Task
from hivekeep import Hivekeep

from tools import memory_tools


class Scripted(BaseLLM):
    """Stands for a language model: it calls one tool, and answers with what that said."""

    def call(self, messages: Any, *others: Any, **more: Any) -> str:
        before, last = messages[-2:]
        if before["role"] == "assistant":
            told = before["content"].partition("Observation: ")[2]
            found = re.search(r"The kiln is at \d+ degrees", told)
            return f"Thought: I know enough\nFinal Answer: {found[0] if found else told}"
        if "Ask" in last["content"]:
            return 'Thought: I have to recall it\nAction: recall\nAction Input: {"question": "How hot is the kiln?"}'
        return 'Thought: I should keep it\nAction: remember\nAction Input: {"fact": "The kiln is at 1180 degrees."}'



with Hivekeep(os.environ["HIVEKEEP_URL"], os.environ["HIVEKEEP_KEY"]) as hivekeep:
    ada = hivekeep.agents.spawn(name="Ada")
    for what in ("Note that the kiln is at 1180 degrees.", "Ask how hot the kiln is."):
        potter = Agent(
            role="Potter",
            goal="Burns clay",
            backstory="Knows the kiln",
            llm=Scripted(model="scripted"),
            tools=memory_tools(hivekeep, ada["id"]),
        )
        task = Task(description=what, expected_output="one sentence", agent=potter)
        print(f"{what} -> {Crew(agents=[potter], tasks=[task]).kickoff()}")
