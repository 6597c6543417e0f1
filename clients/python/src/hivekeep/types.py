# Written by `npm run client-types` from the OpenAPI document. Do not edit.
# fmt: off
"""What the API takes and answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Agent(TypedDict):
    id: str
    name: str
    description: str
    status: Literal["active", "inactive", "terminated"]  # An inactive agent answers commands with 409; terminated is final.
    config: AgentConfig
    memory_count: int  # Memories in the agent's own context, those with expires_at included until they expire.
    message_count: int  # Messages processed: direct messages answered and mailbox messages read.
    hives: list[str]
    metadata: dict[str, Any]
    wake_on_message: bool  # An incoming mailbox message starts a run, unless one is pending or running.
    memory_quota: int | None  # Cap on memories that expire after more than 30 days, or never; null is unlimited.
    maxRuntimeSeconds: int | None  # Runtime budget of its runs in seconds; null is the service's default.
    created_at: str  # ISO 8601, UTC, with milliseconds.
    updated_at: str  # ISO 8601, UTC, with milliseconds.
    last_active_at: str  # ISO 8601, UTC, with milliseconds.


class Memory(TypedDict):
    id: str
    type: str  # Such as episodic, semantic, procedural.
    content: str
    agent_id: str | None
    hive_id: str | None  # With agent_id null too, the memory is the workspace's.
    shared_by: str | None  # In a hive: the agent that shared it.
    sessionId: str | None
    position: int | None  # Place in its session, from 0; null without a session.
    importance: float | None
    occurred_at: str  # When what it tells was said or happened.
    speaker: str | None  # Who said it.
    source: str | None  # The run from whose input it was learnt.
    supersedes: str | None  # The memory that it replaced.
    superseded_by: str | None  # The memory that replaced it.
    valid_until: str | None  # Until when it was so; null: it is so now, as far as is known.
    times_seen: int  # How often it was stated: a repetition makes no second memory.
    last_seen_at: str  # When it was stated last.
    metadata: dict[str, Any]
    expires_at: str | None  # ISO 8601.
    created_at: str  # ISO 8601, UTC, with milliseconds.
    updated_at: str  # ISO 8601, UTC, with milliseconds.


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
    content: str
    agent_id: str | None
    hive_id: str | None  # With agent_id null too, the memory is the workspace's.
    shared_by: str | None  # In a hive: the agent that shared it.
    sessionId: str | None
    position: int | None  # Place in its session, from 0; null without a session.
    importance: float | None
    occurred_at: str  # When what it tells was said or happened.
    speaker: str | None  # Who said it.
    source: str | None  # The run from whose input it was learnt.
    supersedes: str | None  # The memory that it replaced.
    superseded_by: str | None  # The memory that replaced it.
    valid_until: str | None  # Until when it was so; null: it is so now, as far as is known.
    times_seen: int  # How often it was stated: a repetition makes no second memory.
    last_seen_at: str  # When it was stated last.
    metadata: dict[str, Any]
    expires_at: str | None  # ISO 8601.
    created_at: str  # ISO 8601, UTC, with milliseconds.
    updated_at: str  # ISO 8601, UTC, with milliseconds.
    relevance: float  # From 0 to 1, higher is better.
    explanation: NotRequired[FoundMemoryExplanation]  # Where the search asked for it.


class ConsultedMemory(TypedDict):
    id: str
    type: str
    content: str
    relevance: float  # From 0 to 1, higher is better.


class RunError(TypedDict):
    code: str
    message: str


class RunWaitingFor(TypedDict):
    """What a paused run waits for."""
    kind: Literal["approval", "human"]
    question: str
    action: ToolCall | None


class RunForkedFrom(TypedDict):
    runId: str
    checkpointId: str
    step: int


class RunUsage(TypedDict):
    """What was used of model servers; zeros where the built-in reasoner thinks."""
    requests: int  # Requests to model servers that were answered.
    inputTokens: int  # As the servers reported them, those from a prompt cache included.
    outputTokens: int  # As the servers reported them.


class Run(TypedDict):
    id: str
    agent_id: str
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]
    stopReason: Literal["answer", "max_steps", "timeout", None]
    triggeredBy: Literal["api", "message", "a2a", "fork"]
    sessionId: str
    input: str
    output: str | None
    error: RunError | None
    waitingFor: RunWaitingFor | None  # What a paused run waits for.
    maxSteps: int
    maxRuntimeSeconds: int
    steps: int  # Steps done.
    forkedFrom: RunForkedFrom | None
    usage: RunUsage  # What was used of model servers; zeros where the built-in reasoner thinks.
    created_at: str  # ISO 8601, UTC, with milliseconds.
    updated_at: str  # ISO 8601, UTC, with milliseconds.
    started_at: str | None  # ISO 8601, UTC, with milliseconds.
    ended_at: str | None  # ISO 8601, UTC, with milliseconds.


class Thought(TypedDict):
    id: str
    thoughtType: Literal["goal", "recall", "insight", "action", "result", "reflection"]
    content: str
    runId: str
    sessionId: str
    agent_id: str
    step: int
    created_at: str  # ISO 8601, UTC, with milliseconds.


class Session(TypedDict):
    id: str  # The `sessionId` of its runs and memories.
    agent_id: str
    opening: str  # How it began: its first message, at most 200 characters of it.
    created_at: str  # ISO 8601, UTC, with milliseconds.
    updated_at: str  # When its last turn was said.


class Turn(TypedDict):
    id: str
    agent_id: str
    runId: str  # The run that has it.
    sessionId: str
    role: Literal["user", "agent"]  # `user` is whoever wrote to the agent.
    content: str
    created_at: str  # ISO 8601, UTC, with milliseconds.


class ToolCall(TypedDict):
    tool: Literal["recall", "remember", "send_message", "share_with_hive", "ask_human", "answer"]
    arguments: dict[str, str]
    parts: NotRequired[list[Part]]  # What an answer says beside its text.


class ToolOutcome(TypedDict):
    tool: Literal["recall", "remember", "send_message", "share_with_hive", "ask_human", "answer"]
    arguments: dict[str, str]
    ok: bool
    result: str


class Checkpoint(TypedDict):
    id: str
    runId: str
    agent_id: str
    sessionId: str
    step: int
    calls: list[ToolOutcome]
    output: str | None  # Partial output so far, if any.
    runtimeMs: float  # Reasoning time used by the run up to here; downtime and pauses are not counted.
    created_at: str  # ISO 8601, UTC, with milliseconds.


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
    code: str
    message: str


class MessageReplyWaitingFor(TypedDict):
    """What a paused run waits for."""
    kind: Literal["approval", "human"]
    question: str
    action: ToolCall | None


class MessageReply(TypedDict):
    message_id: str
    run_id: str
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]  # Of the run when this was answered: completed, or why there is no response.
    response: str | None
    error: MessageReplyError | None
    waitingFor: MessageReplyWaitingFor | None  # What a paused run waits for.
    memories_consulted: list[ConsultedMemory]
    sessionId: str


class AgentToken(TypedDict):
    id: str
    agent_id: str
    name: str
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin", "agent:mcp"]]
    hint: str  # The first characters of the secret, to tell credentials apart.
    expires_at: str | None  # ISO 8601; null: never.
    last_used_at: str | None  # To the minute; null: never.
    created_at: str  # ISO 8601, UTC, with milliseconds.


class ApiKey(TypedDict):
    id: str
    name: str
    mode: Literal["live", "test"]
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin"]]
    hint: str  # The first characters of the secret, to tell credentials apart.
    expires_at: str | None  # ISO 8601; null: never.
    last_used_at: str | None  # To the minute; null: never.
    created_at: str  # ISO 8601, UTC, with milliseconds.


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
    id: str
    name: str
    description: str
    metadata: dict[str, Any]
    memory_count: int
    created_at: str  # ISO 8601, UTC, with milliseconds.
    updated_at: str  # ISO 8601, UTC, with milliseconds.


class MeWorkspace(TypedDict):
    """The workspace that the key belongs to."""
    id: str
    name: str
    created_at: str  # ISO 8601, UTC, with milliseconds.


class MeKey(TypedDict):
    """The API key that the request carries."""
    id: str
    name: str
    hint: str  # The first characters of the secret, to tell credentials apart.
    expires_at: str | None  # ISO 8601; null: never.
    created_at: str  # ISO 8601, UTC, with milliseconds.


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
    start: str  # ISO 8601, UTC, with milliseconds.
    end: str  # ISO 8601, UTC, with milliseconds.


class UsageStorage(TypedDict):
    """Bytes that everything in the workspace takes, about. At the limit nothing can be added."""
    used: int
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
    agent_id: str
    name: str
    used: int  # Of the cycle.
    memories: int  # What is stored now.
    memory_quota: int | None
    models: UsageByAgentItemModels  # What was used of model servers; zeros where the built-in reasoner thinks.


class Usage(TypedDict):
    cycle: UsageCycle
    mode: Literal["live", "test"]
    used: int  # Memories of the cycle that count against the quota: created minus deleted, without those that expire.
    limit: int | None  # Null is unlimited.
    remaining: int | None
    agents: int  # What is stored now in the whole workspace, as are hives, memories and by_type.
    hives: int
    memories: int
    by_type: dict[str, int]
    storage: UsageStorage  # Bytes that everything in the workspace takes, about. At the limit nothing can be added.
    models: UsageModels  # What was used of model servers; zeros where the built-in reasoner thinks.
    by_agent: list[UsageByAgentItem]  # The agents whose settings changed last, 100 at most; or the one asked for by `agent_id`.


class RunEvent1(TypedDict):
    seq: int  # Numbered 1, 2, 3... within the run, without holes; also the event's id.
    at: str  # ISO 8601, UTC, with milliseconds.
    type: Literal["status"]
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]
    stopReason: Literal["answer", "max_steps", "timeout", None]
    message: str | None


class RunEvent2(TypedDict):
    seq: int  # Numbered 1, 2, 3... within the run, without holes; also the event's id.
    at: str  # ISO 8601, UTC, with milliseconds.
    type: Literal["thought"]
    thought: Thought


class RunEvent3(TypedDict):
    seq: int  # Numbered 1, 2, 3... within the run, without holes; also the event's id.
    at: str  # ISO 8601, UTC, with milliseconds.
    type: Literal["answer"]
    content: str
    parts: NotRequired[list[Part]]  # All of it, where that is more than its text.


RunEvent: TypeAlias = "RunEvent1 | RunEvent2 | RunEvent3"


class WorkspaceEvent(TypedDict):
    type: Literal["agent.created", "agent.updated", "agent.deleted", "memory.created", "memory.updated", "memory.deleted", "hive.created", "hive.updated", "hive.deleted", "message.received", "message.deleted", "run.status", "run.deleted", "usage.alert"]
    at: str  # ISO 8601, UTC, with milliseconds.
    data: dict[str, Any]


class DeadLetter(TypedDict):
    id: str
    agent_id: str
    task_id: str
    config_id: str
    url: str
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]  # The status that it tells.
    reason: str  # Why it was given up.
    tries: int
    created_at: str  # ISO 8601, UTC, with milliseconds.
    updated_at: str  # When it was given up.


class Part1(TypedDict):
    kind: Literal["text"]
    text: str
    filename: NotRequired[str]
    mediaType: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]


class Part2(TypedDict):
    kind: Literal["data"]
    data: Any
    filename: NotRequired[str]
    mediaType: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]


class Part3(TypedDict):
    kind: Literal["file"]
    bytes: str
    filename: NotRequired[str]
    mediaType: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]


class Part4(TypedDict):
    kind: Literal["file"]
    uri: str
    filename: NotRequired[str]
    mediaType: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]


Part: TypeAlias = "Part1 | Part2 | Part3 | Part4"


class MintedToken(TypedDict):
    id: str
    agent_id: str
    name: str
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin", "agent:mcp"]]
    hint: str  # The first characters of the secret, to tell credentials apart.
    expires_at: str | None  # ISO 8601; null: never.
    last_used_at: str | None  # To the minute; null: never.
    created_at: str  # ISO 8601, UTC, with milliseconds.
    token: str  # The raw token: shown this once, kept nowhere.


class MintedKey(TypedDict):
    id: str
    name: str
    mode: Literal["live", "test"]
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin"]]
    hint: str  # The first characters of the secret, to tell credentials apart.
    expires_at: str | None  # ISO 8601; null: never.
    last_used_at: str | None  # To the minute; null: never.
    created_at: str  # ISO 8601, UTC, with milliseconds.
    key: str  # The raw key: shown this once, kept nowhere.


class Deleted(TypedDict):
    id: str
    deleted: Literal[True]


class ErrorErrorDetailsIssuesItem(TypedDict):
    path: str  # Such as `config.max_steps`; empty for the body itself.
    message: str


class ErrorErrorDetails(TypedDict):
    issues: NotRequired[list[ErrorErrorDetailsIssuesItem]]  # Of VALIDATION_ERROR: what is wrong, and where.
    required_scope: NotRequired[str]  # Of INSUFFICIENT_SCOPE.
    limit: NotRequired[float]  # Of limits and quotas.
    window: NotRequired[str]  # Of RATE_LIMIT_EXCEEDED: the window in seconds, such as 60s.
    retry_after: NotRequired[int]  # Seconds, as Retry-After.


class ErrorError(TypedDict):
    code: Literal["VALIDATION_ERROR", "UNSUPPORTED_VERSION", "UNAUTHENTICATED", "INSUFFICIENT_SCOPE", "QUOTA_EXCEEDED", "HTTPS_REQUIRED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "AGENT_INACTIVE", "RUN_NOT_RESUMABLE", "AGENT_BUSY", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_MISMATCH", "RATE_LIMIT_EXCEEDED", "CONCURRENCY_LIMIT_EXCEEDED", "INTERNAL_ERROR", "UNAVAILABLE"]
    message: str  # For people; may change.
    status: int  # The HTTP status.
    details: ErrorErrorDetails
    request_id: str  # As X-Request-Id; finds the request in the log.


class Error(TypedDict):
    error: ErrorError


class Pagination(TypedDict):
    next_cursor: str | None  # Where the next page begins: its `cursor`.
    has_more: bool  # Whether there is a next page; go by this.
    total_count: int  # How many the whole list holds; filtered lists count up to 10,000.


class AgentConfigMemory(TypedDict):
    min_relevance: NotRequired[float]  # Recall leaves out what is less relevant.
    recall_limit: NotRequired[int]  # Memories that a recall finds at most.
    conversation: NotRequired[Literal["on", "off"] | int]  # Whether what is said to the agent and what it answers is found by recall: `on` (the default), `off`, or for this many days.
    turns: NotRequired[int]  # Turns of its session that a run gets to see, the last ones. Default 12.
    turn_bytes: NotRequired[int]  # How many bytes of text these have at most. Default 8192.


class AgentConfigMailbox(TypedDict):
    accept: NotRequired[Literal["all", "hive"] | list[str]]  # Whose mailbox messages the agent takes: `all` (the default), those of agents in its `hive`s, or those of the agents in a list, in which `external` stands for clients.


class AgentConfig(TypedDict):
    """Other keys are kept and mean nothing. At most 65536 bytes as JSON."""
    model: NotRequired[str]  # `built-in` (the default), `openai/<name>`, `anthropic/<name>`, or the name of another configured server and its model.
    temperature: NotRequired[float]
    multi_step: NotRequired[bool]  # Runs take several steps, and messages over A2A are answered while they go on. Default false.
    max_steps: NotRequired[int]  # Steps of a run where it names none.
    instructions: NotRequired[str]  # At most 32768 bytes of UTF-8, without NUL and lone surrogates.
    validation_gate: NotRequired[Literal["none", "action", "answer"]]  # Pauses a run for approval: before it remembers, sends or shares something (`action`), or before it answers.
    memory: NotRequired[AgentConfigMemory]
    mailbox: NotRequired[AgentConfigMailbox]


class JsonRpcRequest(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[str | int | None]  # Echoed. Without it the request is done and not answered.
    method: Literal["message/send", "message/stream", "tasks/get", "tasks/cancel", "tasks/resubscribe", "tasks/pushNotificationConfig/set", "tasks/pushNotificationConfig/get", "tasks/pushNotificationConfig/list", "tasks/pushNotificationConfig/delete", "agent/getAuthenticatedExtendedCard", "SendMessage", "SendStreamingMessage", "GetTask", "ListTasks", "CancelTask", "SubscribeToTask", "CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs", "DeleteTaskPushNotificationConfig", "GetExtendedAgentCard"]  # `message/send` and the like are A2A 0.2 and 0.3, `SendMessage` and the like 1.0.
    params: NotRequired[dict[str, Any]]


class JsonRpcResponseError(TypedDict):
    code: int  # -32700 to -32600 as in JSON-RPC, -32001 to -32009 as in A2A.
    message: str
    data: NotRequired[Any]


class JsonRpcResponse(TypedDict):
    jsonrpc: Literal["2.0"]
    id: str | int | None
    result: NotRequired[dict[str, Any] | None]
    error: NotRequired[JsonRpcResponseError]


class AgentCardCapabilities(TypedDict):
    streaming: bool
    pushNotifications: bool


class AgentCardSkillsItem(TypedDict):
    id: str
    name: str
    description: str
    tags: list[str]


class AgentCard(TypedDict):
    name: str
    description: str
    version: str
    capabilities: AgentCardCapabilities
    defaultInputModes: list[str]
    defaultOutputModes: list[str]
    skills: list[AgentCardSkillsItem]
    url: NotRequired[str]  # The agent's JSON-RPC endpoint; 1.0 has it in `supportedInterfaces`.
    protocolVersion: NotRequired[str]


class McpRequest(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[str | int]  # Echoed. Without it the message is a notification.
    method: str  # `tools/call` and the like.
    params: NotRequired[dict[str, Any]]


class McpResponseError(TypedDict):
    code: int
    message: str
    data: NotRequired[Any]


class McpResponse(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[str | int | None]
    method: NotRequired[str]  # Of a notification in a stream, such as `notifications/progress`.
    params: NotRequired[dict[str, Any]]
    result: NotRequired[dict[str, Any]]
    error: NotRequired[McpResponseError]


class MemoryInput(TypedDict):
    type: str
    content: str  # At most 65536 bytes of UTF-8, without NUL and lone surrogates.
    agent_id: NotRequired[str]  # At most 128 bytes of UTF-8, without NUL and lone surrogates.
    hive_id: NotRequired[str]  # At most 128 bytes of UTF-8, without NUL and lone surrogates.
    sessionId: NotRequired[str]  # At most 128 bytes of UTF-8, without NUL and lone surrogates.
    importance: NotRequired[float]  # Decides between memories that match a search alike; 0.5 counts like none.
    occurred_at: NotRequired[str]  # When what it tells was said or happened, ISO 8601 with a zone; created_at by default.
    speaker: NotRequired[str]  # Who said it. Where it is not given, recall takes it from a leading `Name: ` of the content.
    expires_at: NotRequired[str | None]  # ISO 8601 with a zone, in the future; null: never.
    supersedes: NotRequired[str]  # The memory of the same context that it replaces. That one gets `valid_until`, is kept, and is found only by searches for history.
    metadata: NotRequired[dict[str, Any]]  # Any keys and values; at most 16384 bytes as JSON.


class MemoryBatchInput(TypedDict):
    memories: list[MemoryInput]  # The memories to add, as for POST /v1/memories. If one of them is malformed, none is added.


class SearchInput(TypedDict):
    query: str  # At most 8192 bytes of UTF-8, without NUL and lone surrogates.
    agent_id: NotRequired[str]  # At most 128 bytes of UTF-8, without NUL and lone surrogates.
    hive_id: NotRequired[str]  # At most 128 bytes of UTF-8, without NUL and lone surrogates.
    types: NotRequired[list[str]]
    speaker: NotRequired[str]  # Only what this one said; compared without regard to case.
    occurred_after: NotRequired[str]  # Only what occurred at this time or later; ISO 8601 with a zone.
    occurred_before: NotRequired[str]  # Only what occurred before this time; ISO 8601 with a zone.
    as_of: NotRequired[str]  # What was known and so at this time: found as if the search were made then; ISO 8601 with a zone.
    include_superseded: NotRequired[bool]  # Finds also what is no longer so: superseded memories, and those past their `valid_until`.
    explain: NotRequired[bool]  # Tells with each memory what its features added to its score.
    limit: NotRequired[int]
    min_relevance: NotRequired[float]


class SpawnInput(TypedDict):
    name: str  # Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    description: NotRequired[str]  # At most 4096 bytes of UTF-8, without NUL and lone surrogates.
    config: NotRequired[AgentConfig]
    hives: NotRequired[list[str]]  # Ids of hives of this workspace.
    metadata: NotRequired[dict[str, Any]]  # Any keys and values; at most 16384 bytes as JSON.
    wake_on_message: NotRequired[bool]
    memory_quota: NotRequired[int | None]
    maxRuntimeSeconds: NotRequired[int | None]


class HiveInput(TypedDict):
    name: str  # Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    description: NotRequired[str]  # At most 4096 bytes of UTF-8, without NUL and lone surrogates.
    metadata: NotRequired[dict[str, Any]]  # Any keys and values; at most 16384 bytes as JSON.


class KeyInput(TypedDict):
    name: str  # Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    mode: Literal["live", "test"]
    scopes: NotRequired[list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin"]]]
    expires_at: NotRequired[str | None]  # ISO 8601 with a zone, in the future; null: never.


class MemoryPatch(TypedDict):
    type: NotRequired[str]
    content: NotRequired[str]  # At most 65536 bytes of UTF-8, without NUL and lone surrogates.
    importance: NotRequired[float | None]  # Decides between memories that match a search alike; 0.5 counts like none.
    occurred_at: NotRequired[str | None]  # When what it tells was said or happened, ISO 8601 with a zone; created_at by default.
    speaker: NotRequired[str | None]  # Who said it. Where it is not given, recall takes it from a leading `Name: ` of the content.
    expires_at: NotRequired[str | None]  # ISO 8601 with a zone, in the future; null: never.
    valid_until: NotRequired[str | None]  # Until when it is so, ISO 8601 with a zone; null makes a superseded memory present again.
    metadata: NotRequired[dict[str, Any] | None]  # Merged key by key, at any depth; null removes a key, or everything. At most 16384 bytes as JSON once merged.


class ReplaceAgentInput(TypedDict):
    name: NotRequired[str]  # Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    description: NotRequired[str]  # At most 4096 bytes of UTF-8, without NUL and lone surrogates.
    config: NotRequired[AgentConfig]
    hives: NotRequired[list[str]]  # Ids of hives of this workspace.
    metadata: NotRequired[dict[str, Any]]  # Any keys and values; at most 16384 bytes as JSON.
    wake_on_message: NotRequired[bool]
    memory_quota: NotRequired[int | None]
    maxRuntimeSeconds: NotRequired[int | None]
    status: NotRequired[Literal["active", "inactive", "terminated"]]
    id: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    memory_count: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    message_count: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    created_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    updated_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    last_active_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.


class PatchAgentInputConfigMailbox(TypedDict):
    accept: NotRequired[Literal["all", "hive"] | list[str] | None]


class PatchAgentInputConfigMemory(TypedDict):
    min_relevance: NotRequired[float | None]  # Recall leaves out what is less relevant.
    recall_limit: NotRequired[int | None]  # Memories that a recall finds at most.
    conversation: NotRequired[Literal["on", "off"] | int | None]
    turns: NotRequired[int | None]  # Turns of its session that a run gets to see, the last ones. Default 12.
    turn_bytes: NotRequired[int | None]  # How many bytes of text these have at most. Default 8192.


class PatchAgentInputConfig(TypedDict):
    """Merged key by key, at any depth; null removes a key, or everything. At most 65536 bytes as JSON once merged."""
    model: NotRequired[str | None]  # `built-in` (the default), `openai/<name>`, `anthropic/<name>`, or the name of another configured server and its model.
    temperature: NotRequired[float | None]
    multi_step: NotRequired[bool | None]  # Runs take several steps, and messages over A2A are answered while they go on. Default false.
    max_steps: NotRequired[int | None]  # Steps of a run where it names none.
    instructions: NotRequired[str | None]  # At most 32768 bytes of UTF-8, without NUL and lone surrogates.
    validation_gate: NotRequired[Literal["none", "action", "answer", None]]  # Pauses a run for approval: before it remembers, sends or shares something (`action`), or before it answers.
    mailbox: NotRequired[PatchAgentInputConfigMailbox | None]
    memory: NotRequired[PatchAgentInputConfigMemory | None]


class PatchAgentInput(TypedDict):
    name: NotRequired[str]  # Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    description: NotRequired[str | None]  # At most 4096 bytes of UTF-8, without NUL and lone surrogates.
    status: NotRequired[Literal["active", "inactive", "terminated"]]
    config: NotRequired[PatchAgentInputConfig | None]  # Merged key by key, at any depth; null removes a key, or everything. At most 65536 bytes as JSON once merged.
    hives: NotRequired[list[str] | None]  # Ids of hives of this workspace.
    metadata: NotRequired[dict[str, Any] | None]  # Merged key by key, at any depth; null removes a key, or everything. At most 16384 bytes as JSON once merged.
    wake_on_message: NotRequired[bool | None]
    memory_quota: NotRequired[int | None]
    maxRuntimeSeconds: NotRequired[int | None]
    id: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    memory_count: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    message_count: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    created_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    updated_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.
    last_active_at: NotRequired[Any]  # Accepted and ignored, so that what was read can be sent back.


class MessageInput(TypedDict):
    content: str  # At most 262144 bytes of UTF-8, without NUL and lone surrogates.
    sessionId: NotRequired[str]  # At most 128 bytes of UTF-8, without NUL and lone surrogates.


class RunInput(TypedDict):
    input: str  # At most 262144 bytes of UTF-8, without NUL and lone surrogates.
    sessionId: NotRequired[str]  # At most 128 bytes of UTF-8, without NUL and lone surrogates.
    maxSteps: NotRequired[int]
    maxRuntimeSeconds: NotRequired[int]
    on_busy: NotRequired[Literal["enqueue", "reject"]]  # When the agent has a run in progress: wait in line (the default), or 409 AGENT_BUSY.


class MailboxInput(TypedDict):
    content: str  # At most 262144 bytes of UTF-8, without NUL and lone surrogates.
    from_: NotRequired[str]  # An agent of the workspace, where the key has agent:manage; else the message is from `external`.
    reply_to: NotRequired[str]  # At most 128 bytes of UTF-8, without NUL and lone surrogates.
    metadata: NotRequired[dict[str, Any]]  # Any keys and values; at most 16384 bytes as JSON.


class TokenInput(TypedDict):
    name: str  # Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin", "agent:mcp"]]
    expires_at: NotRequired[str | None]  # ISO 8601 with a zone, in the future; null: never.


class PatchHiveInput(TypedDict):
    name: NotRequired[str]  # Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates.
    description: NotRequired[str | None]  # At most 4096 bytes of UTF-8, without NUL and lone surrogates.
    metadata: NotRequired[dict[str, Any] | None]  # Merged key by key, at any depth; null removes a key, or everything. At most 16384 bytes as JSON once merged.


class JoinInput(TypedDict):
    agent_id: str  # At most 128 bytes of UTF-8, without NUL and lone surrogates.


class ShareInput(TypedDict):
    type: str
    content: str  # At most 65536 bytes of UTF-8, without NUL and lone surrogates.
    agent_id: str  # At most 128 bytes of UTF-8, without NUL and lone surrogates.
    sessionId: NotRequired[str]  # At most 128 bytes of UTF-8, without NUL and lone surrogates.
    importance: NotRequired[float]  # Decides between memories that match a search alike; 0.5 counts like none.
    occurred_at: NotRequired[str]  # When what it tells was said or happened, ISO 8601 with a zone; created_at by default.
    speaker: NotRequired[str]  # Who said it. Where it is not given, recall takes it from a leading `Name: ` of the content.
    supersedes: NotRequired[str]  # The memory of the same context that it replaces. That one gets `valid_until`, is kept, and is found only by searches for history.
    metadata: NotRequired[dict[str, Any]]  # Any keys and values; at most 16384 bytes as JSON.


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
