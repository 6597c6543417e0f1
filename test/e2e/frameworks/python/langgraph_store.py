"""What LangGraph promises of a store, of examples/langgraph-store/store.py."""

import asyncio
import sys

from hivekeep import Hivekeep
from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, PutOp
from store import HivekeepStore

url, key = sys.argv[1:]
client = Hivekeep(url, key)
ada = client.agents.spawn(name="Ada")["id"]
store = HivekeepStore(client, ada)


def keys(found):
    return sorted(item.key for item in found)


# get and put
assert store.get(("docs", "mia"), "a") is None
store.put(("docs", "mia"), "a", {"text": "The kiln is hot.", "year": 2024, "tags": ["x"]})
store.put(("docs", "mia"), "b", {"text": "The quay is closed.", "year": 2025})
store.put(("docs", "bo"), "a", {"text": "The kiln is cold.", "year": 2026})
store.put(("docs", "mia", "deep"), 'a"/.', {"text": "The kiln is blue.", "ä": None})
item = store.get(("docs", "mia"), "a")
assert (item.namespace, item.key) == (("docs", "mia"), "a")
assert item.value == {"text": "The kiln is hot.", "year": 2024, "tags": ["x"]}
assert item.created_at.tzinfo is not None
assert store.get(("docs", "mia", "deep"), 'a"/.').value["ä"] is None

# a put takes the place of the one before
store.put(("docs", "mia"), "a", {"text": "The kiln is warm.", "year": 2024})
assert store.get(("docs", "mia"), "a").value["text"] == "The kiln is warm."
assert keys(store.search(("docs", "mia"))) == ["a", 'a"/.', "b"]

# search below a namespace, by fields, by words, page by page
assert keys(store.search(("docs", "m"))) == [], "labels are compared whole"
assert len(store.search(())) == 4
assert keys(store.search(("docs",), filter={"year": 2025})) == ["b"]
assert keys(store.search(("docs",), filter={"year": {"$gte": 2025, "$lt": 2026}})) == ["b"]
assert keys(store.search(("docs",), filter={"year": {"$ne": 2024}})) == ["a", 'a"/.', "b"]
assert [len(store.search((), limit=3, offset=offset)) for offset in (0, 3)] == [3, 1]
(found,) = store.search(("docs", "bo"), query="is the kiln cold?")
assert found.value["text"] == "The kiln is cold." and 0 < found.score <= 1
texts = [item.value["text"] for item in store.search(("docs", "mia"), query="kiln")]
assert sorted(texts) == ["The kiln is blue.", "The kiln is warm."], "not what was superseded"
store.put(("docs", "bo"), "quiet", {"text": "The kiln is secret."}, index=False)
assert store.get(("docs", "bo"), "quiet").value and store.search((), query="secret") == []

# namespaces
store.put(("cache", "v1"), "x", {})
assert store.list_namespaces() == [("cache", "v1"), ("docs", "bo"), ("docs", "mia"), ("docs", "mia", "deep")]
assert store.list_namespaces(prefix=("docs", "*"), max_depth=2) == [("docs", "bo"), ("docs", "mia")]
assert store.list_namespaces(suffix=("deep",)) == [("docs", "mia", "deep")]
assert store.list_namespaces(limit=1, offset=1) == [("docs", "bo")]

# delete, for good
store.delete(("docs", "mia"), "a")
store.delete(("docs", "mia"), "a")
assert store.get(("docs", "mia"), "a") is None
assert not any("hot" in memory["content"] for memory in client.memories.list(agent_id=ada))


async def batches() -> None:
    conditions = (MatchCondition(match_type="prefix", path=("cache",)),)
    ops = [
        PutOp(("cache", "v2"), "y", {"n": 1}),
        GetOp(("cache", "v2"), "y"),
        ListNamespacesOp(conditions),
        PutOp(("cache", "v2"), "y", None),
        GetOp(("cache", "v2"), "y"),
    ]
    put, got, listed, deleted, gone = await store.abatch(ops)
    assert (put, deleted, gone) == (None, None, None)
    assert got.value == {"n": 1} and listed == [("cache", "v1"), ("cache", "v2")]


asyncio.run(batches())
other = HivekeepStore(client, client.agents.spawn(name="Bo")["id"])
assert other.list_namespaces() == [], "each agent has its own"
print("kept")
