"""Tools by which an agent of CrewAI keeps and finds what is worth remembering in the memory of an agent of hivekeep."""

from crewai.tools import BaseTool, tool
from hivekeep import Hivekeep


def memory_tools(hivekeep: Hivekeep, agent_id: str) -> list[BaseTool]:
    @tool("remember")
    def remember(fact: str) -> str:
        """Keeps a fact for later, in one sentence that can be understood by itself."""
        hivekeep.memories.create(agent_id=agent_id, type="semantic", content=fact)
        return "It is kept."

    @tool("recall")
    def recall(question: str) -> str:
        """Finds what is remembered about a question, as data with dates."""
        context = hivekeep.memories.context(agent_id=agent_id, query=question, max_tokens=1000)
        return context["text"] or "Nothing is remembered about this."

    return [remember, recall]
