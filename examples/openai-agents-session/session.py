"""A session of the OpenAI Agents SDK in the memory of an agent of hivekeep.

Each item of the conversation is a memory with the name of the session. What was said is found from other sessions, too.
"""

import json
from typing import Any

from agents import SessionSettings, TResponseInputItem
from hivekeep import ApiError, AsyncHivekeep, HivekeepError

MOST_AT_ONCE = 500
MOST_METADATA = 15_000  # bytes; the service takes 16 KiB


class HivekeepSession:
    """Implements `agents.memory.Session`. An item is at most 64 KiB as JSON."""

    session_settings: SessionSettings | None = None

    def __init__(self, hivekeep: AsyncHivekeep, agent_id: str, session_id: str) -> None:
        self.session_id = session_id
        self._hivekeep = hivekeep
        self._agent = agent_id

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        if limit is None and self.session_settings:
            limit = self.session_settings.limit
        return [_item_of(memory) for memory in reversed(await self._newest(limit))]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        memories = [
            {"agent_id": self._agent, "sessionId": self.session_id, "type": "episodic", **_memory_of(item)} for item in items
        ]
        for start in range(0, len(memories), MOST_AT_ONCE):
            result = await self._hivekeep.memories.create_many(memories=memories[start : start + MOST_AT_ONCE])
            for each in result["results"]:
                if each["error"]:
                    raise HivekeepError(f"an item was not kept: {each['error']['message']}")

    async def pop_item(self) -> TResponseInputItem | None:
        for memory in await self._newest(1):
            await self._hivekeep.memories.delete(memory["id"])
            return _item_of(memory)
        return None

    async def clear_session(self) -> None:
        try:
            await self._hivekeep.sessions.delete(self._agent, self.session_id)
        except ApiError as error:
            if error.code != "NOT_FOUND":
                raise

    async def _newest(self, most: int | None) -> list[Any]:
        size = 100 if most is None else max(1, min(100, most))
        found: list[Any] = []
        async for page in self._hivekeep.memories.list(
            agent_id=self._agent, sessionId=self.session_id, page_size=size
        ).pages():
            found.extend(page.data)
            if most is not None and len(found) >= most:
                break
        return found[:most]


def _memory_of(item: TResponseInputItem) -> dict[str, Any]:
    """A message is kept as its text, with the whole item beside it; anything else as JSON."""
    whole = json.dumps(item, ensure_ascii=False)
    text = _text_of(item)
    speaker = {"speaker": item["role"]} if "role" in item else {}
    if text.strip() and len(whole.encode()) <= MOST_METADATA:
        return {"content": text, "metadata": {"item": item}, **speaker}
    return {"content": whole, **speaker}


def _item_of(memory: Any) -> TResponseInputItem:
    return memory["metadata"].get("item") or json.loads(memory["content"])


def _text_of(item: Any) -> str:
    content = item.get("content") if "role" in item else None
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if "text" in part)
    return content or ""
