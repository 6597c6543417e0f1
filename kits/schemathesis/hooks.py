"""What the document says in words because JSON Schema has none for it: not what the server may refuse besides."""

import os
import re

import schemathesis
from schemathesis.specs.openapi.checks import RejectedPositiveData, positive_data_acceptance

# Messages of refusals, by what they depend on: the server's state, the time, bytes, two parameters together, or JSON
# within a text.
SAID_IN_WORDS = re.compile(
    "|".join(
        (
            r"must be the next_cursor of a page of this same list",
            r"must (not )?be given together with",
            r"must have either `url` or `command`",
            r"must be a command that the operator has configured",
            r"must be in the future",
            r"must be base64, with its padding",
            r"must (be UTF-8, as the media type is one of text|not be an empty file)",
            r"is a file of the media type .*: this agent reads",
            r"must be the id of an agent, of a hive or of this workspace",
            r"must be a hive of this workspace",
            r"must be a member of hive",
            r"must be at most \d+ bytes",
            r"must be well-formed Unicode",
            r"must be \"approve\" or \"reject\": the run waits for approval",
            r"must be left out: (the run waits for|it is sent to a `url`)",
            r"must have one result of each of",
            r"must be given, or else error",
            r"must not have two of one name",
            r"must not be the name of a built-in tool",
            r"is no JSON Schema",
            r"must answer the question that the run waits for",
            r"must be left out: the run does not wait for approval",
            r"must be among the scopes of the key that mints it",
            r"is not allowed as a key",
            r"must not be nested deeper than 64",
            r"must be a JSON object of texts, numbers, booleans and nulls",
            r"must not be own for a token with agent:mcp",
            r"must be an http or https URL",
            r"must be a (cron expression of five fields|time zone of the IANA database)",
            r"must name a time that comes",
            r"must be left out without cron",
            r"needs a model: the built-in reasoner answers in text",
            # what a webhook's URL may be is the guard's to say
            r"must (be an https URL|name a (public )?host|not carry credentials|not use port 0|resolve to )",
            r"must not contain spaces, control characters or backslashes",
        )
    )
)


def issues(response):
    return response.json()["error"]["details"].get("issues", [])


@schemathesis.check
def schema_valid_is_accepted(ctx, response, case):
    """As positive_data_acceptance, but for 400 and 415 whose every issue is one that the document tells in words."""
    path = case.operation.path
    if path.startswith(("/mcp", "/v1/openai")) or "/a2a/agents/{id}/" in path:
        return None  # what is sent is specified by MCP, A2A and OpenAI, and the document describes the envelope alone
    try:
        return positive_data_acceptance(ctx, response, case)
    except RejectedPositiveData:
        found = issues(response) if response.status_code in (400, 415) else []
        if found and all(is_said_in_words(issue) for issue in found):
            return None
        raise


# Fields of an agent that are taken as they were read, whatever they hold, and ignored.
IGNORED = {"id", "created_at", "updated_at", "memory_count", "message_count", "last_active_at"}


def is_said_in_words(issue):
    # texts have a pattern without NUL; what is inside free JSON has none
    is_free = "." in issue["path"] or issue["path"] in IGNORED
    return SAID_IN_WORDS.search(issue["message"]) or (issue["message"] == "must not contain NUL" and is_free)


# Made before the run: an agent with a run that waits for a human, and the key that the run goes by.
OWN = {name: os.environ[f"HIVEKEEP_OWN_{name.upper()}"] for name in ("agent", "run", "key")}
# What would end them.
SPARED = {("put", "agent"), ("patch", "agent"), ("delete", "agent"), ("delete", "key")}


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Sees to it that requests get far: what the run stands on stays, and few are refused for what was made up."""
    path = case.path_parameters or {}
    for method, kind in SPARED:
        if case.method.lower() == method and path.get("id") == OWN[kind]:
            path["id"] = f"{kind}_of_nobody"
    # the coverage phase sends everything as it is
    if not case.meta or not case.meta.generation.mode.is_positive or case.meta.phase.name.value == "coverage":
        return
    if "/agent-constellations/" in case.operation.path and not str(path.get("id", "")).startswith("agent_"):
        path["id"] = OWN["agent"]
        if "runId" in path:
            path["runId"] = OWN["run"]
    query = case.query or {}
    query.pop("cursor", None)
    if "limit" in query:
        query.pop("page_size", None)
