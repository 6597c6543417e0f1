"""A store of LangGraph in the memory of an agent of hivekeep.

An item is a memory whose content is the item's value as JSON. A later put of its key supersedes it, so that only the
present value is found and the earlier ones stay in its history; a deletion deletes all of them.
"""

import asyncio
import json
import operator
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from hivekeep import Hivekeep
from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

SEARCHED, UNSEARCHED = "langgraph", "langgraph.unsearched"
MOST_FOUND = 100
COMPARE = {"$eq": operator.eq, "$ne": operator.ne, "$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le}


class HivekeepStore(BaseStore):
    """Keeps items in the memory of one agent.

    A search with a query finds by words (and by meaning, where the service has embeddings) among at most 100 items. Of
    `index` only False has an effect: the item is not found by queries.
    """

    __slots__ = ("_agent", "_memories")

    def __init__(self, hivekeep: Hivekeep, agent_id: str) -> None:
        self._memories = hivekeep.memories
        self._agent = agent_id

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return [self._do(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _do(self, op: Op) -> Result:
        match op:
            case GetOp():
                found = next(self._present({"key": _address(op.namespace, op.key)}), None)
                return found and Item(**_fields(found))
            case PutOp(value=None):
                for memory in list(self._all({"key": _address(op.namespace, op.key)})):
                    self._memories.delete(memory["id"])
            case PutOp():
                self._put(op)
            case SearchOp():
                return list(islice(self._search(op), op.offset, op.offset + op.limit))
            case ListNamespacesOp():
                return self._namespaces(op)
        return None

    def _put(self, op: PutOp) -> None:
        self._memories.create(
            agent_id=self._agent,
            type=UNSEARCHED if op.index is False else SEARCHED,
            content=json.dumps(op.value, ensure_ascii=False),
            metadata={
                "store": "langgraph",
                "key": _address(op.namespace, op.key),
                "item": [list(op.namespace), op.key],
                **_prefix(op.namespace),
            },
        )

    def _all(self, metadata: dict[str, str]) -> Iterator[Any]:
        """All versions of the items, the newest first."""
        return iter(self._memories.list(agent_id=self._agent, metadata=json.dumps(metadata), page_size=100))

    def _present(self, metadata: dict[str, str]) -> Iterator[Any]:
        return (memory for memory in self._all(metadata) if memory["superseded_by"] is None)

    def _search(self, op: SearchOp) -> Iterator[SearchItem]:
        within = {"store": "langgraph", **_prefix(op.namespace_prefix)}
        if op.query:
            found: Iterable[Any] = self._memories.search(
                agent_id=self._agent, query=op.query, types=[SEARCHED], metadata=within, limit=MOST_FOUND
            )
        else:
            found = self._present(within)
        for memory in found:
            fields = _fields(memory)
            if _fits(fields["value"], op.filter or {}):
                yield SearchItem(**fields, score=memory.get("relevance"))

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        every = {_fields(memory)["namespace"] for memory in self._present({"store": "langgraph"})}
        fitting = {each[: op.max_depth] for each in every if all(_matches(each, c) for c in op.match_conditions or ())}
        return sorted(fitting)[op.offset : op.offset + op.limit]


def _address(namespace: tuple[str, ...], key: str) -> str:
    return json.dumps([*namespace, key])


def _prefix(namespace: tuple[str, ...]) -> dict[str, str]:
    """What all memories below a namespace have in their metadata."""
    return {f"namespace.{depth}": label for depth, label in enumerate(namespace)}


def _fields(memory: Any) -> dict[str, Any]:
    namespace, key = memory["metadata"]["item"]
    return {
        "namespace": tuple(namespace),
        "key": key,
        "value": json.loads(memory["content"]),
        "created_at": datetime.fromisoformat(memory["created_at"]),
        "updated_at": datetime.fromisoformat(memory["updated_at"]),
    }


def _fits(value: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return all(_compares(value.get(field), each) for field, each in wanted.items())


def _compares(value: Any, wanted: Any) -> bool:
    if not (isinstance(wanted, dict) and wanted and all(name.startswith("$") for name in wanted)):
        return value == wanted
    try:
        return all(COMPARE[name](value, other) for name, other in wanted.items())
    except TypeError:  # the two have no order
        return False


def _matches(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))
