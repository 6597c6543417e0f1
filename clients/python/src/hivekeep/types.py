# Written by `npm run client-types` from the OpenAPI document. Do not edit.
# fmt: off
"""What the API takes and answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Agent(TypedDict):
    id: str  # The id of the agent.
    name: str  # Its name; names need not be unique.
    description: str  # What it is for, in the words of whoever made it.
    status: Literal["active", "inactive", "terminated"]  # An inactive agent answers commands with 409; terminated is final.
    config: AgentConfig
    memory_count: int  # Memories in the agent's own context, those with expires_at included until they expire.
    message_count: int  # Messages processed: direct messages answered and mailbox messages read.
    hives: list[str]  # Ids of the hives that it belongs to.
    metadata: dict[str, Any]  # Whatever clients keep with it.
    wake_on_message: bool  # An incoming mailbox message starts a run, unless one is pending or running.
    memory_quota: int | None  # Cap on memories that expire after more than 30 days, or never; null is unlimited.
    maxRuntimeSeconds: int | None  # Runtime budget of its runs in seconds; null is the service's default.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.
    updated_at: str  # When it was changed last; ISO 8601, UTC, with milliseconds.
    last_active_at: str  # When it last did something or was given something; ISO 8601, UTC.


class Memory(TypedDict):
    id: str  # The id of the memory.
    type: str  # Such as episodic, semantic, procedural.
    content: str  # What is remembered, as text.
    agent_id: str | None  # The agent that it belongs to; null if it belongs to a hive or to the workspace.
    hive_id: str | None  # With agent_id null too, the memory is the workspace's.
    shared_by: str | None  # In a hive: the agent that shared it.
    sessionId: str | None  # The conversation that it is part of; null if none.
    position: int | None  # Place in its session, from 0; null without a session.
    importance: float | None  # What the client gave: it decides between memories that match a search alike; null if none.
    occurred_at: str  # When what it tells was said or happened.
    speaker: str | None  # Who said it.
    source: str | None  # The run from whose input it was learnt.
    supersedes: str | None  # The memory that it replaced.
    superseded_by: str | None  # The memory that replaced it.
    valid_until: str | None  # Until when it was so; null: it is so now, as far as is known.
    times_seen: int  # How often it was stated: a repetition makes no second memory.
    last_seen_at: str  # When it was stated last.
    metadata: dict[str, Any]  # Whatever clients keep with it; lists can be filtered by it.
    expires_at: str | None  # When it is to be forgotten, ISO 8601; null: never.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.
    updated_at: str  # When it was changed last; ISO 8601, UTC, with milliseconds.


class BatchResultResultsItemError(TypedDict):
    """Why it was not added; null if it was."""
    code: Literal["VALIDATION_ERROR", "UNSUPPORTED_VERSION", "UNAUTHENTICATED", "INSUFFICIENT_SCOPE", "QUOTA_EXCEEDED", "HTTPS_REQUIRED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "AGENT_INACTIVE", "RUN_NOT_RESUMABLE", "AGENT_BUSY", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_MISMATCH", "RATE_LIMIT_EXCEEDED", "CONCURRENCY_LIMIT_EXCEEDED", "INTERNAL_ERROR", "UNAVAILABLE"]  # As for POST /v1/memories.
    message: str  # What was wrong, for people.
    details: dict[str, Any]  # As for POST /v1/memories.


class BatchResultResultsItem(TypedDict):
    memory: Memory | None  # The memory as it was added; null if it was not.
    error: BatchResultResultsItemError | None  # Why it was not added; null if it was.


class BatchResult(TypedDict):
    created: int  # How many memories were added.
    failed: int  # How many were not.
    results: list[BatchResultResultsItem]  # What became of each memory, in the order of the request.


class FoundMemoryExplanation(TypedDict):
    """Where the search asked for it."""
    score: float  # What the memories found are ordered by.
    shares: dict[str, float]  # What each feature added to the score; features that added nothing are left out.


class FoundMemory(TypedDict):
    id: str  # Of a memory; or of a mailbox message or a turn of a conversation, by their `type`.
    type: str  # Such as episodic, semantic, procedural.
    content: str  # What is remembered, as text.
    agent_id: str | None  # The agent that it belongs to; null if it belongs to a hive or to the workspace.
    hive_id: str | None  # With agent_id null too, the memory is the workspace's.
    shared_by: str | None  # In a hive: the agent that shared it.
    sessionId: str | None  # The conversation that it is part of; null if none.
    position: int | None  # Place in its session, from 0; null without a session.
    importance: float | None  # What the client gave: it decides between memories that match a search alike; null if none.
    occurred_at: str  # When what it tells was said or happened.
    speaker: str | None  # Who said it.
    source: str | None  # The run from whose input it was learnt.
    supersedes: str | None  # The memory that it replaced.
    superseded_by: str | None  # The memory that replaced it.
    valid_until: str | None  # Until when it was so; null: it is so now, as far as is known.
    times_seen: int  # How often it was stated: a repetition makes no second memory.
    last_seen_at: str  # When it was stated last.
    metadata: dict[str, Any]  # Whatever clients keep with it; lists can be filtered by it.
    expires_at: str | None  # When it is to be forgotten, ISO 8601; null: never.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.
    updated_at: str  # When it was changed last; ISO 8601, UTC, with milliseconds.
    relevance: float  # From 0 to 1, higher is better.
    explanation: NotRequired[FoundMemoryExplanation]  # Where the search asked for it.


class ConsultedMemory(TypedDict):
    id: str  # The id of the memory or the message.
    type: str  # Its type; `message` for a mailbox message.
    content: str  # What it says.
    relevance: float  # From 0 to 1, higher is better.


class RunError(TypedDict):
    """Why a failed run failed; null otherwise."""
    code: str  # What kind of failure, for programs.
    message: str  # What went wrong, for people.


class RunWaitingFor(TypedDict):
    """What a paused run waits for."""
    kind: Literal["approval", "human"]  # `approval` of an action, or the answer of a `human`.
    question: str  # What is asked, for people.
    action: ToolCall | None  # What is to be approved; null for a question.


class RunForkedFrom(TypedDict):
    """The checkpoint of another run that it goes on from; null if it is no fork."""
    runId: str  # That run.
    checkpointId: str  # Its checkpoint.
    step: int  # The step of the checkpoint: those up to it are not done again.


class RunUsage(TypedDict):
    """What was used of model servers; zeros where the built-in reasoner thinks."""
    requests: int  # Requests to model servers that were answered.
    inputTokens: int  # As the servers reported them, those from a prompt cache included.
    outputTokens: int  # As the servers reported them.


class Run(TypedDict):
    id: str  # The id of the run, and of the A2A task that it is.
    agent_id: str  # The agent that it is a run of.
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]  # Where it stands.
    stopReason: Literal["answer", "max_steps", "timeout", None]  # Why a completed run stopped: it answered, or a budget was used up; null otherwise.
    triggeredBy: Literal["api", "message", "a2a", "fork"]  # What began it: a request, a mailbox message, an A2A message, or a fork of another run.
    sessionId: str  # The conversation that it is part of: the one that was named, or one of its own.
    input: str  # What the agent was asked or told.
    output: str | None  # What it answered, or what it had when a budget was used up; null if nothing.
    error: RunError | None  # Why a failed run failed; null otherwise.
    waitingFor: RunWaitingFor | None  # What a paused run waits for.
    maxSteps: int  # Calls of the reasoner that it may make.
    maxRuntimeSeconds: int  # Seconds of reasoning that it may use; time spent waiting is not counted.
    steps: int  # Steps done.
    forkedFrom: RunForkedFrom | None  # The checkpoint of another run that it goes on from; null if it is no fork.
    usage: RunUsage  # What was used of model servers; zeros where the built-in reasoner thinks.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.
    updated_at: str  # When it was changed last; ISO 8601, UTC, with milliseconds.
    started_at: str | None  # When its first step began, ISO 8601; null: not yet.
    ended_at: str | None  # When it ended, ISO 8601; null: not yet.


class Thought(TypedDict):
    id: str  # The id of the thought.
    thoughtType: Literal["goal", "recall", "insight", "action", "result", "reflection"]  # What kind of thought it is.
    content: str  # The thought, as text.
    runId: str  # The run that had it.
    sessionId: str  # The conversation of that run.
    agent_id: str  # The agent of that run.
    step: int  # The step that it belongs to, from 1.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.


class Session(TypedDict):
    id: str  # The `sessionId` of its runs and memories.
    agent_id: str  # The agent that it is with.
    opening: str  # How it began: its first message, at most 200 characters of it.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.
    updated_at: str  # When its last turn was said.


class Turn(TypedDict):
    id: str  # The id of the turn: its run and which turn of it.
    agent_id: str  # The agent that it was said to or by.
    runId: str  # The run that has it.
    sessionId: str  # The conversation that it is part of.
    role: Literal["user", "agent"]  # `user` is whoever wrote to the agent.
    content: str  # What was said.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.


class ToolCall(TypedDict):
    tool: Literal["recall", "remember", "update_memory", "forget", "send_message", "share_with_hive", "ask_human", "answer"]  # What the reasoner asks for.
    arguments: dict[str, str]  # By name; which there are depends on the tool.
    parts: NotRequired[list[Part]]  # What an answer says beside its text.


class ToolOutcome(TypedDict):
    tool: Literal["recall", "remember", "update_memory", "forget", "send_message", "share_with_hive", "ask_human", "answer"]  # What the reasoner asked for.
    arguments: dict[str, str]  # By name; which there are depends on the tool.
    ok: bool  # Whether it could be done.
    result: str  # What came of it, or why it could not be done, as the reasoner is told.


class Checkpoint(TypedDict):
    id: str  # The id of the checkpoint; runs are forked from it.
    runId: str  # The run that it is a checkpoint of.
    agent_id: str  # The agent of that run.
    sessionId: str  # The conversation of that run.
    step: int  # The step that was done, from 1.
    calls: list[ToolOutcome]  # What the step asked for and what came of it.
    output: str | None  # Partial output so far, if any.
    runtimeMs: float  # Reasoning time used by the run up to here; downtime and pauses are not counted.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.


MailboxMessage = TypedDict("MailboxMessage", {
    "id": "str",
    "agent_id": "str",
    "from": "str | None",
    "content": "str",
    "reply_to": "str | None",
    "metadata": "dict[str, Any]",
    "hops": "int",
    "wakes": "int",
    "read_at": "str | None",
    "created_at": "str",
})


TrafficPairsItem = TypedDict("TrafficPairsItem", {
    "from": "str",
    "to": "str",
    "count": "int",
})


class Traffic(TypedDict):
    since: str  # What was sent at this time or later is counted: an hour ago, or later if not `complete`.
    until: str  # When it was counted.
    complete: bool  # False where the hour has more messages than are counted: the newest 10,000, or fewer if they are long.
    messages: int  # Messages counted, with those of pairs that are left out.
    pairs: list[TrafficPairsItem]  # Who wrote to whom, the most first; at most 500 pairs.


class MessageReplyError(TypedDict):
    """Why the run failed; null otherwise."""
    code: str  # What kind of failure, for programs.
    message: str  # What went wrong, for people.


class MessageReplyWaitingFor(TypedDict):
    """What a paused run waits for."""
    kind: Literal["approval", "human"]  # `approval` of an action, or the answer of a `human`.
    question: str  # What is asked, for people.
    action: ToolCall | None  # What is to be approved; null for a question.


class MessageReply(TypedDict):
    message_id: str  # The id of the message that was sent.
    run_id: str  # The run that answers it.
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]  # Of the run when this was answered: completed, or why there is no response.
    response: str | None  # The answer; null where `status` says why there is none.
    error: MessageReplyError | None  # Why the run failed; null otherwise.
    waitingFor: MessageReplyWaitingFor | None  # What a paused run waits for.
    memories_consulted: list[ConsultedMemory]  # The memories that the answer rests on, with their relevance.
    sessionId: str  # The conversation: send it with the next message to go on.


class AgentToken(TypedDict):
    id: str  # The id of the token.
    agent_id: str  # The agent whose A2A endpoint it opens.
    name: str  # What whoever made it called it.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin", "agent:mcp"]]  # What it may do there.
    hint: str  # The first characters of the secret, to tell credentials apart.
    expires_at: str | None  # When it ends by itself, ISO 8601; null: never.
    last_used_at: str | None  # To the minute; null: never.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.


class ApiKey(TypedDict):
    id: str  # The id of the key.
    name: str  # What whoever made it called it.
    mode: Literal["live", "test"]  # `live` works in the workspace, `test` in its sandbox.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin"]]  # What it may do.
    hint: str  # The first characters of the secret, to tell credentials apart.
    expires_at: str | None  # When it ends by itself, ISO 8601; null: never.
    last_used_at: str | None  # To the minute; null: never.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.


AuditRecord = TypedDict("AuditRecord", {
    "id": "str",
    "action": "Literal['key.created', 'key.revoked', 'token.created', 'token.revoked']",
    "actor": "str",
    "from": "str | None",
    "credential_id": "str",
    "name": "str",
    "agent_id": "str | None",
    "scopes": "list[Literal['agent:spawn', 'agent:read', 'agent:manage', 'memory:read', 'memory:write', 'hive:read', 'hive:write', 'usage:read', 'workspace:admin', 'agent:mcp']]",
    "created_at": "str",
})


class Hive(TypedDict):
    id: str  # The id of the hive.
    name: str  # Its name; names need not be unique.
    description: str  # What it is for.
    metadata: dict[str, Any]  # Whatever clients keep with it.
    memory_count: int  # Memories that are shared in it.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.
    updated_at: str  # When it was changed last; ISO 8601, UTC, with milliseconds.


class MeWorkspace(TypedDict):
    """The workspace that the key belongs to."""
    id: str  # The id of the workspace.
    name: str  # Its name.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.


class MeKey(TypedDict):
    """The API key that the request carries."""
    id: str  # The id of the key.
    name: str  # What whoever made it called it.
    hint: str  # The first characters of the secret, to tell credentials apart.
    expires_at: str | None  # When it ends by itself, ISO 8601; null: never.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.


class MeLimits(TypedDict):
    """The limits of the tier; null is unlimited."""
    requests_per_minute: int  # Requests that the key may send a minute in the long run.
    request_burst: int  # Requests that the key may send at once after a pause.
    searches_per_minute: int  # Of these, searches of memories.
    concurrent_requests: int  # Requests of the key that may be in progress, including open streams.
    memories_per_month: int | None  # Long-term memories that the workspace may add a month.
    storage_bytes: int | None  # Bytes that the workspace may store.
    api_keys: int  # API keys that the workspace may have.
    mailbox_messages_per_minute: int | None  # Messages that agents of the workspace may send one another a minute; more are delivered later.


class Me(TypedDict):
    workspace: MeWorkspace  # The workspace that the key belongs to.
    mode: Literal["live", "test"]  # `test`: the key works in the workspace's sandbox and sees nothing of the workspace itself.
    tier: Literal["free", "pro", "team", "enterprise", "sandbox"]  # Decides about the limits; `sandbox` for every test key.
    key: MeKey  # The API key that the request carries.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin"]]  # What the key may do.
    limits: MeLimits  # The limits of the tier; null is unlimited.


class UsageCycle(TypedDict):
    """The month that the quota is for; it ends when the next begins."""
    start: str  # Its first moment.
    end: str  # The first moment after it.


class UsageStorage(TypedDict):
    """Bytes that everything in the workspace takes, about. At the limit nothing can be added."""
    used: int  # Bytes in use.
    limit: int | None  # Null is unlimited.


class UsageModels(TypedDict):
    """What was used of model servers; zeros where the built-in reasoner thinks."""
    requests: int  # Requests to model servers that were answered.
    inputTokens: int  # As the servers reported them, those from a prompt cache included.
    outputTokens: int  # As the servers reported them.


class UsageByAgentItemModels(TypedDict):
    """What was used of model servers; zeros where the built-in reasoner thinks."""
    requests: int  # Requests to model servers that were answered.
    inputTokens: int  # As the servers reported them, those from a prompt cache included.
    outputTokens: int  # As the servers reported them.


class UsageByAgentItem(TypedDict):
    agent_id: str  # The agent.
    name: str  # Its name.
    used: int  # Of the cycle.
    memories: int  # What is stored now.
    memory_quota: int | None  # Its cap on long-term memories; null is no cap.
    models: UsageByAgentItemModels  # What was used of model servers; zeros where the built-in reasoner thinks.


class Usage(TypedDict):
    cycle: UsageCycle  # The month that the quota is for; it ends when the next begins.
    mode: Literal["live", "test"]  # `test` for the sandbox.
    used: int  # Memories of the cycle that count against the quota: created minus deleted, without those that expire.
    limit: int | None  # Null is unlimited.
    remaining: int | None  # What is left of the limit; null is unlimited.
    agents: int  # What is stored now in the whole workspace, as are hives, memories and by_type.
    hives: int  # Hives in the workspace now.
    memories: int  # Memories stored in the workspace now, also those that expire.
    by_type: dict[str, int]  # These memories by their type.
    storage: UsageStorage  # Bytes that everything in the workspace takes, about. At the limit nothing can be added.
    models: UsageModels  # What was used of model servers; zeros where the built-in reasoner thinks.
    by_agent: list[UsageByAgentItem]  # The agents whose settings changed last, 100 at most; or the one asked for by `agent_id`.


class RunEvent1(TypedDict):
    seq: int  # Numbered 1, 2, 3... within the run, without holes; also the event's id.
    at: str  # When it happened; ISO 8601, UTC, with milliseconds.
    type: Literal["status"]
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]  # Where the run stands now.
    stopReason: Literal["answer", "max_steps", "timeout", None]  # Why a completed run stopped; null otherwise.
    message: str | None  # More about it, for people; null if there is nothing to say.


class RunEvent2(TypedDict):
    seq: int  # Numbered 1, 2, 3... within the run, without holes; also the event's id.
    at: str  # When it happened; ISO 8601, UTC, with milliseconds.
    type: Literal["thought"]
    thought: Thought


class RunEvent3(TypedDict):
    seq: int  # Numbered 1, 2, 3... within the run, without holes; also the event's id.
    at: str  # When it happened; ISO 8601, UTC, with milliseconds.
    type: Literal["answer"]
    content: str  # The answer of the run, which is its output.
    parts: NotRequired[list[Part]]  # All of it, where that is more than its text.


RunEvent: TypeAlias = "RunEvent1 | RunEvent2 | RunEvent3"


class WorkspaceEvent(TypedDict):
    type: Literal["agent.created", "agent.updated", "agent.deleted", "memory.created", "memory.updated", "memory.deleted", "hive.created", "hive.updated", "hive.deleted", "message.received", "message.deleted", "run.status", "run.deleted", "usage.alert"]  # What happened.
    at: str  # When it happened; ISO 8601, UTC, with milliseconds.
    data: dict[str, Any]  # What it was: ids of what it is about, and details by type.


class DeadLetter(TypedDict):
    id: str  # The id of the dead letter.
    agent_id: str  # The agent whose task it tells of.
    task_id: str  # The task, which is a run.
    config_id: str  # The push config that it was sent by.
    url: str  # Where it was sent to; its query is masked.
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]  # The status that it tells.
    reason: str  # Why it was given up.
    tries: int  # How often it was tried.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.
    updated_at: str  # When it was given up.


class Part1(TypedDict):
    kind: Literal["text"]
    text: str  # The text.
    filename: NotRequired[str]  # The name of the file.
    mediaType: NotRequired[str]  # The media type of the content, such as `application/json`.
    metadata: NotRequired[dict[str, Any]]  # Whatever the sender put with it.


class Part2(TypedDict):
    kind: Literal["data"]
    data: Any  # Any JSON.
    filename: NotRequired[str]  # The name of the file.
    mediaType: NotRequired[str]  # The media type of the content, such as `application/json`.
    metadata: NotRequired[dict[str, Any]]  # Whatever the sender put with it.


class Part3(TypedDict):
    kind: Literal["file"]
    bytes: str  # The content of the file in base 64.
    filename: NotRequired[str]  # The name of the file.
    mediaType: NotRequired[str]  # The media type of the content, such as `application/json`.
    metadata: NotRequired[dict[str, Any]]  # Whatever the sender put with it.


class Part4(TypedDict):
    kind: Literal["file"]
    uri: str  # Where the file is.
    filename: NotRequired[str]  # The name of the file.
    mediaType: NotRequired[str]  # The media type of the content, such as `application/json`.
    metadata: NotRequired[dict[str, Any]]  # Whatever the sender put with it.


Part: TypeAlias = "Part1 | Part2 | Part3 | Part4"


class MintedToken(TypedDict):
    id: str  # The id of the token.
    agent_id: str  # The agent whose A2A endpoint it opens.
    name: str  # What whoever made it called it.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin", "agent:mcp"]]  # What it may do there.
    hint: str  # The first characters of the secret, to tell credentials apart.
    expires_at: str | None  # When it ends by itself, ISO 8601; null: never.
    last_used_at: str | None  # To the minute; null: never.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.
    token: str  # The raw token: shown this once, kept nowhere.


class MintedKey(TypedDict):
    id: str  # The id of the key.
    name: str  # What whoever made it called it.
    mode: Literal["live", "test"]  # `live` works in the workspace, `test` in its sandbox.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin"]]  # What it may do.
    hint: str  # The first characters of the secret, to tell credentials apart.
    expires_at: str | None  # When it ends by itself, ISO 8601; null: never.
    last_used_at: str | None  # To the minute; null: never.
    created_at: str  # When it was made; ISO 8601, UTC, with milliseconds.
    key: str  # The raw key: shown this once, kept nowhere.


class Deleted(TypedDict):
    id: str  # The id of what was deleted.
    deleted: Literal[True]


class ErrorErrorDetailsIssuesItem(TypedDict):
    path: str  # Such as `config.max_steps`; empty for the body itself.
    message: str  # What was expected there.


class ErrorErrorDetails(TypedDict):
    """What there is to know beside, by code."""
    issues: NotRequired[list[ErrorErrorDetailsIssuesItem]]  # Of VALIDATION_ERROR: what is wrong, and where.
    required_scope: NotRequired[str]  # Of INSUFFICIENT_SCOPE.
    limit: NotRequired[float]  # Of limits and quotas.
    window: NotRequired[str]  # Of RATE_LIMIT_EXCEEDED: the window in seconds, such as 60s.
    retry_after: NotRequired[int]  # Seconds, as Retry-After.


class ErrorError(TypedDict):
    """What went wrong."""
    code: Literal["VALIDATION_ERROR", "UNSUPPORTED_VERSION", "UNAUTHENTICATED", "INSUFFICIENT_SCOPE", "QUOTA_EXCEEDED", "HTTPS_REQUIRED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "AGENT_INACTIVE", "RUN_NOT_RESUMABLE", "AGENT_BUSY", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_MISMATCH", "RATE_LIMIT_EXCEEDED", "CONCURRENCY_LIMIT_EXCEEDED", "INTERNAL_ERROR", "UNAVAILABLE"]  # What was wrong, for programs.
    message: str  # For people; may change.
    status: int  # The HTTP status.
    details: ErrorErrorDetails  # What there is to know beside, by code.
    request_id: str  # As X-Request-Id; finds the request in the log.


class Error(TypedDict):
    error: ErrorError  # What went wrong.


class Pagination(TypedDict):
    next_cursor: str | None  # Where the next page begins: its `cursor`.
    has_more: bool  # Whether there is a next page; go by this.
    total_count: int  # How many the whole list holds; filtered lists count up to 10,000.


class AgentConfigMemory(TypedDict):
    """What recall finds, and what runs see of a conversation."""
    min_relevance: NotRequired[float]  # Recall leaves out what is less relevant.
    recall_limit: NotRequired[int]  # Memories that a recall finds at most.
    conversation: NotRequired[Literal["on", "off"] | int]  # Whether what is said to the agent and what it answers is found by recall: `on` (the default), `off`, or for this many days.
    learn: NotRequired[Literal["rules", "off"]]  # Whether plain statements in what is said to the agent become memories: by `rules` (the default), or `off`.
    turns: NotRequired[int]  # Turns of its session that a run gets to see, the last ones. Default 12.
    turn_bytes: NotRequired[int]  # How many bytes of text these have at most. Default 8192.


class AgentConfigMailbox(TypedDict):
    """Whose messages the agent takes."""
    accept: NotRequired[Literal["all", "hive"] | list[str]]  # Whose mailbox messages the agent takes: `all` (the default), those of agents in its `hive`s, or those of the agents in a list, in which `external` stands for clients.


class AgentConfig(TypedDict):
    """Other keys are kept and mean nothing. At most 65536 bytes as JSON."""
    model: NotRequired[str]  # `built-in` (the default), `openai/<name>`, `anthropic/<name>`, or the name of another configured server and its model.
    temperature: NotRequired[float]  # Passed to the model: 0 is the most predictable.
    multi_step: NotRequired[bool]  # Runs take several steps, and messages over A2A are answered while they go on. Default false.
    max_steps: NotRequired[int]  # Steps of a run where it names none.
    instructions: NotRequired[str]  # What the model is told of its role and its task. At most 32768 bytes of UTF-8, without NUL and lone surrogates.
    validation_gate: NotRequired[Literal["none", "action", "answer"]]  # Pauses a run for approval: before it remembers, sends or shares something (`action`), or before it answers.
    memory: NotRequired[AgentConfigMemory]  # What recall finds, and what runs see of a conversation.
    mailbox: NotRequired[AgentConfigMailbox]  # Whose messages the agent takes.


class JsonRpcRequest(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[str | int | None]  # Echoed. Without it the request is done and not answered.
    method: Literal["message/send", "message/stream", "tasks/get", "tasks/cancel", "tasks/resubscribe", "tasks/pushNotificationConfig/set", "tasks/pushNotificationConfig/get", "tasks/pushNotificationConfig/list", "tasks/pushNotificationConfig/delete", "agent/getAuthenticatedExtendedCard", "SendMessage", "SendStreamingMessage", "GetTask", "ListTasks", "CancelTask", "SubscribeToTask", "CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs", "DeleteTaskPushNotificationConfig", "GetExtendedAgentCard"]  # `message/send` and the like are A2A 0.2 and 0.3, `SendMessage` and the like 1.0.
    params: NotRequired[dict[str, Any]]  # As A2A specifies for the method.


class JsonRpcResponseError(TypedDict):
    """Instead of a result."""
    code: int  # -32700 to -32600 as in JSON-RPC, -32001 to -32009 as in A2A.
    message: str  # What was wrong, for people.
    data: NotRequired[Any]  # More about it.


class JsonRpcResponse(TypedDict):
    jsonrpc: Literal["2.0"]
    id: str | int | None  # That of the request; null where it could not be read.
    result: NotRequired[dict[str, Any] | None]  # As A2A specifies for the method.
    error: NotRequired[JsonRpcResponseError]  # Instead of a result.


class AgentCardCapabilities(TypedDict):
    """What it can do beyond the least that A2A asks for."""
    streaming: bool  # Whether messages can be streamed.
    pushNotifications: bool  # Whether changes of a task can be pushed.


class AgentCardSkillsItem(TypedDict):
    id: str  # The id of the skill.
    name: str  # Its name.
    description: str  # What it does.
    tags: list[str]  # Words to find it by.


class AgentCard(TypedDict):
    name: str  # The name of the agent.
    description: str  # What it is for.
    version: str  # The version of the agent, which changes with its settings.
    capabilities: AgentCardCapabilities  # What it can do beyond the least that A2A asks for.
    defaultInputModes: list[str]  # Media types that it takes, `text/plain` first.
    defaultOutputModes: list[str]  # Media types that it answers with, `text/plain` first.
    skills: list[AgentCardSkillsItem]  # What it can be asked for.
    url: NotRequired[str]  # The agent's JSON-RPC endpoint; 1.0 has it in `supportedInterfaces`.
    protocolVersion: NotRequired[str]  # The version of A2A that the card is of.


class McpRequest(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[str | int]  # Echoed. Without it the message is a notification.
    method: str  # `tools/call` and the like.
    params: NotRequired[dict[str, Any]]  # As MCP specifies for the method.


class McpResponseError(TypedDict):
    """Instead of a result."""
    code: int  # As in JSON-RPC.
    message: str  # What was wrong, for people.
    data: NotRequired[Any]  # More about it.


class McpResponse(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[str | float | None]  # That of the request; a notification has none.
    method: NotRequired[str]  # Of a notification in a stream, such as `notifications/progress`.
    params: NotRequired[dict[str, Any]]  # Of a notification.
    result: NotRequired[dict[str, Any]]  # As MCP specifies for the method.
    error: NotRequired[McpResponseError]  # Instead of a result.


class MemoryInput(TypedDict):
    type: str  # What kind of memory it is, such as `semantic`, `episodic` or `procedural`.
    content: str  # What is to be remembered. At most 65536 bytes of UTF-8, without NUL and lone surrogates.
    agent_id: NotRequired[str]  # The id of the agent. At most 128 bytes of UTF-8, without NUL and lone surrogates.
    hive_id: NotRequired[str]  # The id of the hive. At most 128 bytes of UTF-8, without NUL and lone surrogates.
    sessionId: NotRequired[str]  # The conversation that it is part of: any name, or the one of an answer. At most 128 bytes of UTF-8, without NUL and lone surrogates.
    importance: NotRequired[float]  # Decides between memories that match a search alike; 0.5 counts like none.
    occurred_at: NotRequired[str]  # When what it tells was said or happened, ISO 8601 with a zone; created_at by default.
    speaker: NotRequired[str]  # Who said it. Where it is not given, recall takes it from a leading `Name: ` of the content.
    expires_at: NotRequired[str | None]  # When it ends by itself: ISO 8601 with a zone, in the future; null: never.
    supersedes: NotRequired[str]  # The memory of the same context that it replaces. That one gets `valid_until`, is kept, and is found only by searches for history.
    metadata: NotRequired[dict[str, Any]]  # To be kept with it: any keys and values, at most 16384 bytes as JSON.


class MemoryBatchInput(TypedDict):
    memories: list[MemoryInput]  # The memories to add, as for POST /v1/memories. If one of them is malformed, none is added.


class SearchInput(TypedDict):
    query: str  # What to look for, in any words. At most 8192 bytes of UTF-8, without NUL and lone surrogates.
    agent_id: NotRequired[str]  # The id of the agent. At most 128 bytes of UTF-8, without NUL and lone surrogates.
    hive_id: NotRequired[str]  # The id of the hive. At most 128 bytes of UTF-8, without NUL and lone surrogates.
    types: NotRequired[list[str]]  # Only memories of these types.
    speaker: NotRequired[str]  # Only what this one said; compared without regard to case.
    occurred_after: NotRequired[str]  # Only what occurred at this time or later; ISO 8601 with a zone.
    occurred_before: NotRequired[str]  # Only what occurred before this time; ISO 8601 with a zone.
    as_of: NotRequired[str]  # What was known and so at this time: found as if the search were made then; ISO 8601 with a zone.
    include_superseded: NotRequired[bool]  # Finds also what is no longer so: superseded memories, and those past their `valid_until`.
    explain: NotRequired[bool]  # Tells with each memory what its features added to its score.
    limit: NotRequired[int]  # How many to find at most; default 10.
    min_relevance: NotRequired[float]  # Leaves out what is less relevant; default 0.


class SpawnInput(TypedDict):
    name: str  # Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    description: NotRequired[str]  # What it is for. At most 4096 bytes of UTF-8, without NUL and lone surrogates.
    config: NotRequired[AgentConfig]
    hives: NotRequired[list[str]]  # Ids of hives of this workspace.
    metadata: NotRequired[dict[str, Any]]  # To be kept with it: any keys and values, at most 16384 bytes as JSON.
    wake_on_message: NotRequired[bool]  # Whether a mailbox message starts a run. Default false.
    memory_quota: NotRequired[int | None]  # Cap on its long-term memories; null (the default) is no cap.
    maxRuntimeSeconds: NotRequired[int | None]  # Runtime budget of each run in seconds; null is the service's default.


class HiveInput(TypedDict):
    name: str  # Names need not be unique. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    description: NotRequired[str]  # What it is for. At most 4096 bytes of UTF-8, without NUL and lone surrogates.
    metadata: NotRequired[dict[str, Any]]  # To be kept with it: any keys and values, at most 16384 bytes as JSON.


class KeyInput(TypedDict):
    name: str  # To tell it from others. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    mode: Literal["live", "test"]  # `live` works in the workspace, `test` in its sandbox.
    scopes: NotRequired[list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin"]]]  # What it may do; without them what the key may that mints it.
    expires_at: NotRequired[str | None]  # When it ends by itself: ISO 8601 with a zone, in the future; null: never.


class MemoryPatch(TypedDict):
    type: NotRequired[str]  # What kind of memory it is, such as `semantic`, `episodic` or `procedural`.
    content: NotRequired[str]  # What is to be remembered. At most 65536 bytes of UTF-8, without NUL and lone surrogates.
    importance: NotRequired[float | None]  # Decides between memories that match a search alike; 0.5 counts like none.
    occurred_at: NotRequired[str | None]  # When what it tells was said or happened, ISO 8601 with a zone; created_at by default.
    speaker: NotRequired[str | None]  # Who said it. Where it is not given, recall takes it from a leading `Name: ` of the content.
    expires_at: NotRequired[str | None]  # When it ends by itself: ISO 8601 with a zone, in the future; null: never.
    valid_until: NotRequired[str | None]  # Until when it is so, ISO 8601 with a zone; null makes a superseded memory present again.
    metadata: NotRequired[dict[str, Any] | None]  # Merged key by key, at any depth; null removes a key, or everything. At most 16384 bytes as JSON once merged.


class ReplaceAgentInput(TypedDict):
    name: NotRequired[str]  # Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    description: NotRequired[str]  # What it is for. At most 4096 bytes of UTF-8, without NUL and lone surrogates.
    config: NotRequired[AgentConfig]
    hives: NotRequired[list[str]]  # Ids of hives of this workspace.
    metadata: NotRequired[dict[str, Any]]  # To be kept with it: any keys and values, at most 16384 bytes as JSON.
    wake_on_message: NotRequired[bool]  # Whether a mailbox message starts a run. Default false.
    memory_quota: NotRequired[int | None]  # Cap on its long-term memories; null (the default) is no cap.
    maxRuntimeSeconds: NotRequired[int | None]  # Runtime budget of each run in seconds; null is the service's default.
    status: NotRequired[Literal["active", "inactive", "terminated"]]  # An inactive agent refuses messages and runs; terminated is final.
    id: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    memory_count: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    message_count: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    created_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    updated_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    last_active_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.


class PatchAgentInputConfigMailbox(TypedDict):
    """Whose messages the agent takes; null removes."""
    accept: NotRequired[Literal["all", "hive"] | list[str] | None]


class PatchAgentInputConfigMemory(TypedDict):
    """What recall finds, and what runs see of a conversation; null removes."""
    min_relevance: NotRequired[float | None]  # Recall leaves out what is less relevant.
    recall_limit: NotRequired[int | None]  # Memories that a recall finds at most.
    conversation: NotRequired[Literal["on", "off"] | int | None]
    learn: NotRequired[Literal["rules", "off", None]]  # Whether plain statements in what is said to the agent become memories: by `rules` (the default), or `off`.
    turns: NotRequired[int | None]  # Turns of its session that a run gets to see, the last ones. Default 12.
    turn_bytes: NotRequired[int | None]  # How many bytes of text these have at most. Default 8192.


class PatchAgentInputConfig(TypedDict):
    """Merged key by key, at any depth; null removes a key, or everything. At most 65536 bytes as JSON once merged."""
    model: NotRequired[str | None]  # `built-in` (the default), `openai/<name>`, `anthropic/<name>`, or the name of another configured server and its model.
    temperature: NotRequired[float | None]  # Passed to the model: 0 is the most predictable.
    multi_step: NotRequired[bool | None]  # Runs take several steps, and messages over A2A are answered while they go on. Default false.
    max_steps: NotRequired[int | None]  # Steps of a run where it names none.
    instructions: NotRequired[str | None]  # What the model is told of its role and its task. At most 32768 bytes of UTF-8, without NUL and lone surrogates.
    validation_gate: NotRequired[Literal["none", "action", "answer", None]]  # Pauses a run for approval: before it remembers, sends or shares something (`action`), or before it answers.
    mailbox: NotRequired[PatchAgentInputConfigMailbox | None]  # Whose messages the agent takes; null removes.
    memory: NotRequired[PatchAgentInputConfigMemory | None]  # What recall finds, and what runs see of a conversation; null removes.


class PatchAgentInput(TypedDict):
    name: NotRequired[str]  # Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    description: NotRequired[str | None]  # What it is for. At most 4096 bytes of UTF-8, without NUL and lone surrogates.
    status: NotRequired[Literal["active", "inactive", "terminated"]]  # An inactive agent refuses messages and runs; terminated is final.
    config: NotRequired[PatchAgentInputConfig | None]  # Merged key by key, at any depth; null removes a key, or everything. At most 65536 bytes as JSON once merged.
    hives: NotRequired[list[str] | None]  # Ids of hives of this workspace.
    metadata: NotRequired[dict[str, Any] | None]  # Merged key by key, at any depth; null removes a key, or everything. At most 16384 bytes as JSON once merged.
    wake_on_message: NotRequired[bool | None]  # Whether a mailbox message starts a run. Default false.
    memory_quota: NotRequired[int | None]  # Cap on its long-term memories; null (the default) is no cap.
    maxRuntimeSeconds: NotRequired[int | None]  # Runtime budget of each run in seconds; null is the service's default.
    id: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    memory_count: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    message_count: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    created_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    updated_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    last_active_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.


class MessageInput(TypedDict):
    content: str  # What is said to the agent. At most 262144 bytes of UTF-8, without NUL and lone surrogates.
    sessionId: NotRequired[str]  # The conversation that it is part of: any name, or the one of an answer. At most 128 bytes of UTF-8, without NUL and lone surrogates.


class RunInput(TypedDict):
    input: str  # What the agent is asked or told. At most 262144 bytes of UTF-8, without NUL and lone surrogates.
    sessionId: NotRequired[str]  # The conversation that it is part of: any name, or the one of an answer. At most 128 bytes of UTF-8, without NUL and lone surrogates.
    maxSteps: NotRequired[int]  # Calls of the reasoner at most; without it what the agent's config says.
    maxRuntimeSeconds: NotRequired[int]  # Seconds of reasoning at most; without it what the agent says.
    on_busy: NotRequired[Literal["enqueue", "reject"]]  # When the agent has a run in progress: wait in line (the default), or 409 AGENT_BUSY.


class MailboxInput(TypedDict):
    content: str  # The text of the message. At most 262144 bytes of UTF-8, without NUL and lone surrogates.
    from_: NotRequired[str]  # An agent of the workspace, where the key has agent:manage; else the message is from `external`.
    reply_to: NotRequired[str]  # The id of the message that it answers. At most 128 bytes of UTF-8, without NUL and lone surrogates.
    metadata: NotRequired[dict[str, Any]]  # To be kept with it: any keys and values, at most 16384 bytes as JSON.


class TokenInput(TypedDict):
    name: str  # To tell it from others. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin", "agent:mcp"]]  # What it may do at the endpoint of its agent.
    expires_at: NotRequired[str | None]  # When it ends by itself: ISO 8601 with a zone, in the future; null: never.


class PatchHiveInput(TypedDict):
    name: NotRequired[str]  # Names need not be unique. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    description: NotRequired[str | None]  # What it is for. At most 4096 bytes of UTF-8, without NUL and lone surrogates.
    metadata: NotRequired[dict[str, Any] | None]  # Merged key by key, at any depth; null removes a key, or everything. At most 16384 bytes as JSON once merged.


class JoinInput(TypedDict):
    agent_id: str  # The id of the agent. At most 128 bytes of UTF-8, without NUL and lone surrogates.


class ShareInput(TypedDict):
    type: str  # What kind of memory it is, such as `semantic`, `episodic` or `procedural`.
    content: str  # What is to be shared. At most 65536 bytes of UTF-8, without NUL and lone surrogates.
    agent_id: str  # The id of the agent. At most 128 bytes of UTF-8, without NUL and lone surrogates.
    sessionId: NotRequired[str]  # The conversation that it is part of: any name, or the one of an answer. At most 128 bytes of UTF-8, without NUL and lone surrogates.
    importance: NotRequired[float]  # Decides between memories that match a search alike; 0.5 counts like none.
    occurred_at: NotRequired[str]  # When what it tells was said or happened, ISO 8601 with a zone; created_at by default.
    speaker: NotRequired[str]  # Who said it. Where it is not given, recall takes it from a leading `Name: ` of the content.
    supersedes: NotRequired[str]  # The memory of the same context that it replaces. That one gets `valid_until`, is kept, and is found only by searches for history.
    metadata: NotRequired[dict[str, Any]]  # To be kept with it: any keys and values, at most 16384 bytes as JSON.


class ResumeInput(TypedDict):
    decision: NotRequired[Literal["approve", "reject"]]  # Where the run waits for approval.
    input: NotRequired[str]  # The answer to a question, or what is said with a decision.


class ForkInput(TypedDict):
    checkpoint: str | int  # The id of a checkpoint of the run, or its step.


class ListAgentsQuery(TypedDict):
    name: NotRequired[str]  # Only agents whose name begins so, whatever its case. The list is then ordered by name, A first.
    status: NotRequired[Literal["active", "inactive", "terminated"]]  # Only agents of this status.
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.
    limit: NotRequired[int]  # Another name of `page_size`, for pages by `offset`. Not together with `page_size`.
    offset: NotRequired[int]  # Items to pass over. Not together with `cursor`. Pages may shift when something is made or deleted meanwhile: cursors do not.


class ListRunsQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ListAllRunsQuery(TypedDict):
    status: NotRequired[Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]]  # Only runs of this status.
    agent_id: NotRequired[str]  # Only those of this agent.
    created_after: NotRequired[str]  # Only what was created at this time or later; ISO 8601 with a zone.
    created_before: NotRequired[str]  # Only what was created before this time; ISO 8601 with a zone.
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class FollowRunQuery(TypedDict):
    lastEventId: NotRequired[str]  # The same for clients that cannot set headers; where both are given, the header counts.


class CancelRunBody(TypedDict):
    pass


class ListThoughtsQuery(TypedDict):
    sessionId: NotRequired[str]  # Only those of this session.
    thoughtType: NotRequired[Literal["goal", "recall", "insight", "action", "result", "reflection"]]  # Only thoughts of this type.
    limit: NotRequired[int]  # Items a page holds.
    page_size: NotRequired[int]  # Another name of `limit`. Not together with it.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ListCheckpointsQuery(TypedDict):
    runId: NotRequired[str]  # Only those of this run.
    sessionId: NotRequired[str]  # Only those of this session.
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ListAllSessionsQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ListSessionsQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ListTurnsQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ListMessagesQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first. Without it: unread first, and newest first among these and among the read.


class ListMemoriesQuery(TypedDict):
    agent_id: NotRequired[str]  # Only those of this agent.
    hive_id: NotRequired[str]  # Only those of this hive.
    type: NotRequired[str]  # Only those of this type.
    sessionId: NotRequired[str]  # Only those of this session.
    source: NotRequired[str]  # At most 128 bytes of UTF-8, without NUL and lone surrogates.
    created_after: NotRequired[str]  # Only what was created at this time or later; ISO 8601 with a zone.
    created_before: NotRequired[str]  # Only what was created before this time; ISO 8601 with a zone.
    occurred_after: NotRequired[str]  # Only what occurred at this time or later; ISO 8601 with a zone.
    occurred_before: NotRequired[str]  # Only what occurred before this time; ISO 8601 with a zone.
    metadata: NotRequired[str]  # A JSON object: only memories whose metadata has each of its keys with that very value.
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.
    limit: NotRequired[int]  # Another name of `page_size`, for pages by `offset`. Not together with `page_size`.
    offset: NotRequired[int]  # Items to pass over. Not together with `cursor`. Pages may shift when something is made or deleted meanwhile: cursors do not.


class ListMemoryHistoryQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ListHivesQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ListHiveAgentsQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ListSharedMemoriesQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ListTokensQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ListDeadLettersQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class ReplayDeadLetterBody(TypedDict):
    pass


class GetUsageQuery(TypedDict):
    agent_id: NotRequired[str]  # Only those of this agent.


class ListKeysQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class RevokeKeyQuery(TypedDict):
    cascade: NotRequired[Literal["true", "false"]]  # Whether everything that the key minted is revoked too, and what that minted.


class ListAuditQuery(TypedDict):
    page_size: NotRequired[int]  # Items a page holds.
    cursor: NotRequired[str]  # The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first, or oldest first.


class FollowWorkspaceQuery(TypedDict):
    types: NotRequired[str]  # Event types separated by commas, or what they begin with up to a dot: `agent,run.status`. Without it: all.
    agent_id: NotRequired[str]  # Only those of this agent.
