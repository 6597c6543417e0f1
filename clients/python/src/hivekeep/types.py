# Written by `npm run client-types` from the OpenAPI document. Do not edit.
# fmt: off
"""What the API takes and answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Agent(TypedDict):
    id: str  # The id of the agent.
    name: str  # The display name. Names need not be unique.
    description: str  # A free-text description of its purpose.
    status: Literal["active", "inactive", "terminated"]  # An inactive agent rejects commands with 409. A terminated agent can only be set inactive.
    config: AgentConfig
    memory_count: int  # The number of memories in the agent's own context, including those with `expires_at` until they expire.
    message_count: int  # The number of messages processed: direct messages, A2A messages, and mailbox messages that were read.
    hives: list[str]  # The ids of the hives it belongs to.
    metadata: dict[str, Any]  # Arbitrary metadata set by clients.
    wake_on_message: bool  # Whether an incoming mailbox message starts a run when none is pending or running.
    memory_quota: int | None  # The maximum number of long-term memories: those that never expire, or expire after more than 30 days. Null means unlimited.
    maxRuntimeSeconds: int | None  # The runtime budget of each run in seconds. Null means the service default.
    spawned_by: NotRequired[str]  # Only of an agent that another has spawned: that one.
    ends_at: NotRequired[str]  # Only of an agent that was spawned for a time: when it is deleted.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    updated_at: str  # Time of the last change, ISO 8601 in UTC with milliseconds.
    last_active_at: str  # The time of its last activity or input, ISO 8601 in UTC.


class Memory(TypedDict):
    id: str  # The id of the memory.
    type: str  # The kind of memory, for example episodic, semantic or procedural.
    content: str  # The remembered text.
    agent_id: str | None  # The agent it belongs to, or null for memories of a hive or of the workspace.
    hive_id: str | None  # The hive it belongs to. If `agent_id` is null as well, it is a memory of the workspace.
    shared_by: str | None  # For hive memories, the agent that shared it.
    sessionId: str | None  # The conversation it is part of, if any.
    subject: str | None  # Whom it belongs to, or null if to nobody in particular.
    position: int | None  # Its position in the session, starting at 0. Null without a session, and for what was learnt.
    importance: float | None  # The importance set by the client. It breaks ties between memories that match a search equally well.
    occurred_at: str  # When the content was said or happened.
    speaker: str | None  # Who said it.
    source: str | None  # The run whose input it was learnt from.
    run_id: str | None  # The run that wrote it, by a tool or by learning; null for what others wrote.
    supersedes: str | None  # The id of the memory it replaced.
    superseded_by: str | None  # The id of the memory that replaced it.
    valid_until: str | None  # When the fact stopped being true. Null means that it still holds, as far as is known.
    times_seen: int  # How often it was stated. A repetition raises this count and adds no second memory.
    last_seen_at: str  # When it was last stated.
    metadata: dict[str, Any]  # Arbitrary metadata set by clients. Lists can be filtered by it.
    expires_at: str | None  # When it expires, ISO 8601. Null means never.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    updated_at: str  # Time of the last change, ISO 8601 in UTC with milliseconds.


class BatchResultResultsItemError(TypedDict):
    """Why it was rejected, or null if it was added."""
    code: Literal["VALIDATION_ERROR", "UNSUPPORTED_VERSION", "UNAUTHENTICATED", "INSUFFICIENT_SCOPE", "QUOTA_EXCEEDED", "HTTPS_REQUIRED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "AGENT_INACTIVE", "RUN_NOT_RESUMABLE", "AGENT_BUSY", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_MISMATCH", "RATE_LIMIT_EXCEEDED", "CONCURRENCY_LIMIT_EXCEEDED", "INTERNAL_ERROR", "UNAVAILABLE"]  # As in errors of POST /v1/memories.
    message: str  # A human-readable explanation.
    details: dict[str, Any]  # As in errors of POST /v1/memories.


class BatchResultResultsItem(TypedDict):
    memory: Memory | None  # The memory as stored, or null if it was rejected.
    error: BatchResultResultsItemError | None  # Why it was rejected, or null if it was added.


class BatchResult(TypedDict):
    created: int  # The number of memories added.
    repeated: int  # The number of memories that were there already, and were counted as seen again.
    failed: int  # The number of memories rejected.
    results: list[BatchResultResultsItem]  # The outcome for each memory, in the order of the request.


class FoundMemoryExplanation(TypedDict):
    """Present if the search set `explain`."""
    score: float  # The score by which results are ordered.
    shares: dict[str, float]  # The contribution of each feature to the score. Features that contributed nothing are left out.


class FoundMemory(TypedDict):
    id: str  # The id of a memory, a mailbox message or a conversation turn, depending on `type`.
    type: str  # The kind of memory, for example episodic, semantic or procedural.
    content: str  # The remembered text.
    agent_id: str | None  # The agent it belongs to, or null for memories of a hive or of the workspace.
    hive_id: str | None  # The hive it belongs to. If `agent_id` is null as well, it is a memory of the workspace.
    shared_by: str | None  # For hive memories, the agent that shared it.
    sessionId: str | None  # The conversation it is part of, if any.
    subject: str | None  # Whom it belongs to, or null if to nobody in particular.
    position: int | None  # Its position in the session, starting at 0. Null without a session, and for what was learnt.
    importance: float | None  # The importance set by the client. It breaks ties between memories that match a search equally well.
    occurred_at: str  # When the content was said or happened.
    speaker: str | None  # Who said it.
    source: str | None  # The run whose input it was learnt from.
    run_id: str | None  # The run that wrote it, by a tool or by learning; null for what others wrote.
    supersedes: str | None  # The id of the memory it replaced.
    superseded_by: str | None  # The id of the memory that replaced it.
    valid_until: str | None  # When the fact stopped being true. Null means that it still holds, as far as is known.
    times_seen: int  # How often it was stated. A repetition raises this count and adds no second memory.
    last_seen_at: str  # When it was last stated.
    metadata: dict[str, Any]  # Arbitrary metadata set by clients. Lists can be filtered by it.
    expires_at: str | None  # When it expires, ISO 8601. Null means never.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    updated_at: str  # Time of the last change, ISO 8601 in UTC with milliseconds.
    relevance: float  # A score from 0 to 1; higher is better.
    explanation: NotRequired[FoundMemoryExplanation]  # Present if the search set `explain`.


class ConsultedMemory(TypedDict):
    id: str  # The id of the memory or the message.
    type: str  # The type of the memory, or `message` for a mailbox message.
    content: str  # Its text.
    relevance: float  # A score from 0 to 1; higher is better.


class PromptContextItemsItem(TypedDict):
    id: str  # The id of a memory, a mailbox message, a conversation turn or a block, depending on `kind`.
    part: Literal["blocks", "profile", "facts", "conversation"]  # The part of the text that it stands in. What was said in a session stands in the conversation; how somebody wants things always done, and what they prefer, in the profile; the blocks of the agent before all of it.
    kind: Literal["memory", "message", "turn", "block"]  # What it is: turns, messages and blocks are no memories.
    type: str  # The type, as in a search result.
    sessionId: str | None  # The conversation it is part of, if any.
    at: str  # When it was said or happened.
    relevance: float | None  # As in a search. Null if it stands beside what was found.
    score: float | None  # The score by which it was chosen. Null if it stands beside what was found.
    tokens: int  # The estimated number of tokens that it takes in the text.
    cut: bool  # Whether only a passage of it is in the text.


class PromptContext(TypedDict):
    text: str  # The block to put into a prompt, with a line for each memory between fences. Empty if nothing was found.
    tokens: int  # The size of the text in tokens, estimated near what common tokenizers count.
    items: list[PromptContextItemsItem]  # What the text consists of, in its order.
    left_out: int  # How much else was found and did not fit.


class RunFilesItem(TypedDict):
    sha256: str  # The SHA-256 of its bytes, in hex, by which they can be read.
    mediaType: str  # The media type.
    filename: str | None  # The name of the file, if it was given one.
    size: int  # The number of bytes.


class RunError(TypedDict):
    """Why the run failed, or null if it did not fail."""
    code: str  # A machine-readable failure code.
    message: str  # A human-readable explanation of the failure.


class RunWaitingForAskedItemWaitsFor(TypedDict):
    """What the answer waits for: the run that answers, or one that it has asked itself. Null if nothing."""
    agent_id: str  # The agent of the run that waits.
    run_id: str  # The run that waits. It may be answered there, or at the run that asks.
    id: str  # The id of its question, which an answer names where there are several.
    kind: Literal["approval", "human", "tools"]  # What that run waits for.
    question: str  # The question that it waits with.


class RunWaitingForAskedItem(TypedDict):
    id: str  # The id of the call that asks.
    agent_id: str | None  # The agent that is asked; null if there is none of that name, or it is an agent elsewhere.
    peer: NotRequired[str]  # Only for an agent elsewhere: the tool of kind `a2a` that is used.
    run_id: str | None  # The run that answers; null if it is not known yet, or there is none.
    answered: bool  # Whether its outcome is there.
    waitsFor: RunWaitingForAskedItemWaitsFor | None  # What the answer waits for: the run that answers, or one that it has asked itself. Null if nothing.


class RunWaitingFor(TypedDict):
    """What a paused run is waiting for."""
    id: str  # The id of the question, which an answer may name. It is also the `messageId` of the question in the A2A task.
    kind: Literal["approval", "human", "tools", "agent"]  # What kind of input is needed: `approval` of an action, an answer from a `human`, or the results of `tools`. With `agent` it waits for other agents, and goes on by itself.
    question: str  # The question to show to a human.
    action: ToolCall | None  # The action to approve, or null for a plain question.
    calls: NotRequired[list[ClientCall]]  # Only for `tools`: the calls whose results the run waits for, as `results` of a resume.
    asked: NotRequired[list[RunWaitingForAskedItem]]  # Only for `agent`: the questions whose answers the run waits for.


class RunOverridesOutputSchema(TypedDict):
    """The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema."""
    type: Literal["object"]


class RunOverridesToolsItem1InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class RunOverridesToolsItem1(TypedDict):
    """A tool that whoever started the run carries out: the run pauses, and is resumed with the results."""
    kind: Literal["client"]
    name: str  # The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[RunOverridesToolsItem1InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.


class RunOverridesToolsItem2InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class RunOverridesToolsItem2Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class RunOverridesToolsItem2(TypedDict):
    """A tool that the service calls by HTTP."""
    kind: Literal["http"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[RunOverridesToolsItem2InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    url: str  # Where the arguments are POSTed as JSON: https, on a public host.
    secret: NotRequired[RunOverridesToolsItem2Secret]  # A secret that is sent with each call.
    keyed: NotRequired[bool]  # Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class RunOverridesToolsItem3Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class RunOverridesToolsItem3(TypedDict):
    """A server of the Model Context Protocol, whose tools the service calls."""
    kind: Literal["mcp"]
    name: str  # The name of the server here. Its tools are called `<name>.<tool>`.
    url: NotRequired[str]  # Its endpoint (streamable HTTP): https, on a public host.
    command: NotRequired[str]  # In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio.
    allow: NotRequired[list[str]]  # The names of its tools that the model may call. Without it, all of them.
    reads_only: NotRequired[bool | list[str]]  # What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    repeatable: NotRequired[bool | list[str]]  # What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    approval: NotRequired[Literal["ask", "never"] | dict[str, Literal["ask", "never"]]]  # Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    annotations: NotRequired[Literal["trusted", "ignored"]]  # Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
    secret: NotRequired[RunOverridesToolsItem3Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class RunOverridesToolsItem4VerifyKeysItem(TypedDict):
    """A public key (JWK)."""
    kty: Literal["EC", "RSA", "OKP"]  # The type of the key.
    kid: NotRequired[str]  # Its name, by which signatures say that it has made them.
    alg: NotRequired[str]  # The one algorithm that it is for, such as `ES256`.
    use: NotRequired[Literal["sig"]]  # What it is for.
    crv: NotRequired[str]  # The curve (EC, OKP).
    x: NotRequired[str]  # Of the point (EC), or the key (OKP).
    y: NotRequired[str]  # Of the point (EC).
    n: NotRequired[str]  # The modulus (RSA).
    e: NotRequired[str]  # The exponent (RSA).


class RunOverridesToolsItem4Verify(TypedDict):
    """The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at."""
    jwks: NotRequired[str]  # Where the public keys are (JWKS): https, on a public host. They are read with the card.
    keys: NotRequired[list[RunOverridesToolsItem4VerifyKeysItem]]  # The public keys themselves, at most 8.


class RunOverridesToolsItem4Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class RunOverridesToolsItem4(TypedDict):
    """An agent elsewhere that speaks A2A: the run sends it a message, and waits for its task."""
    kind: Literal["a2a"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    card: str  # The URL of its agent card: https, on a public host.
    verify: NotRequired[RunOverridesToolsItem4Verify]  # The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at.
    description: NotRequired[str]  # What it does and when to ask it, for the model. Without it, what its card says.
    allow: NotRequired[list[str]]  # The ids of the skills of its card that the model is told of. Without it, all of them.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    keyed: NotRequired[bool]  # Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it.
    accept_questions: NotRequired[bool]  # Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled.
    secret: NotRequired[RunOverridesToolsItem4Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that an answer is waited for. Default 300. None of it counts in the budget of the run.


class RunOverridesToolChoice2(TypedDict):
    name: str  # The name of the tool.


class RunOverridesSampling(TypedDict):
    """How the model samples, as far as its server knows these."""
    top_p: NotRequired[float]  # The share of the likeliest tokens that are sampled from.
    stop: NotRequired[list[str]]  # Texts at which the model stops.
    seed: NotRequired[int]  # What sampling begins from.
    presence_penalty: NotRequired[float]  # Makes what was said already less likely.
    frequency_penalty: NotRequired[float]  # Makes what was said often less likely.


class RunOverrides(TypedDict):
    """What the run does differently from its agent's configuration; null if nothing, or without agent:read."""
    model: NotRequired[str | list[str]]  # The model of this run, as in the configuration of an agent.
    instructions: NotRequired[str]  # Takes the place of the agent's instructions.
    temperature: NotRequired[float]  # The sampling temperature passed to the model; 0 is the most predictable.
    max_output_tokens: NotRequired[int]  # The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued.
    output_schema: NotRequired[RunOverridesOutputSchema | None]  # The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema.
    tools: NotRequired[list[RunOverridesToolsItem1 | RunOverridesToolsItem2 | RunOverridesToolsItem3 | RunOverridesToolsItem4]]  # Take the place of the agent's own tools in this run, as in the configuration of an agent.
    tool_choice: NotRequired[Literal["required"] | RunOverridesToolChoice2]  # Has the model call one of these tools, or the one of this name, before it answers.
    parallel_tool_calls: NotRequired[Literal[False]]  # False has the model call at most one of these tools at a time.
    sampling: NotRequired[RunOverridesSampling]  # How the model samples, as far as its server knows these.


class RunForkedFrom(TypedDict):
    """The checkpoint of the run it was forked from, or null if it is not a fork."""
    runId: str  # The id of the original run.
    checkpointId: str  # The checkpoint the fork started from.
    step: int  # The step of that checkpoint. Steps up to it are not repeated.


class RunParent(TypedDict):
    """The run of another agent that has asked for it, or null if none has."""
    agent_id: str  # The agent of that run.
    runId: str  # The run that waits for it, or has waited.


class RunUsage(TypedDict):
    """Usage of model servers. All zeros with the built-in reasoner."""
    requests: int  # The number of requests that model servers answered.
    inputTokens: int  # Input tokens as reported by the servers, including tokens read from a prompt cache.
    cachedInputTokens: int  # The input tokens that the servers read from a prompt cache.
    outputTokens: int  # As the servers reported them.
    cost: NotRequired[float]  # What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known.


class Run(TypedDict):
    id: str  # The id of the run, which is also the id of its A2A task.
    agent_id: str  # The agent the run belongs to.
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]  # The current status of the run.
    stopReason: Literal["answer", "length", "max_steps", "timeout", "budget", "interrupted", None]  # Why a run stopped: it answered, a length limit ended its answer, it used up a budget of steps, of time, or of tokens or money (`budget`), or it was interrupted by what was said next. Null otherwise.
    triggeredBy: Literal["api", "message", "a2a", "fork", "schedule", "agent"]  # What started the run: an API request, a mailbox message, an A2A message, a schedule, a fork of another run, or the question of another `agent`.
    sessionId: str  # The conversation it is part of: the one named in the request, or a new one.
    subject: str | None  # Whom it is for: it sees what belongs to them and to nobody in particular. Null for nobody in particular.
    input: str  # The input given to the agent.
    files: list[RunFilesItem]  # The images and other files that came with what was said in it.
    output: str | None  # The answer, or the partial output if a budget was used up. Null if there is none.
    output_data: Any  # The answer as data, where it has to fit an `output_schema`; `output` has it as JSON text. Null otherwise.
    error: RunError | None  # Why the run failed, or null if it did not fail.
    waitingFor: RunWaitingFor | None  # What a paused run is waiting for.
    retryAt: str | None  # When a running run asks its models again, which are all away (ISO 8601). Null if they are not.
    overrides: RunOverrides | None  # What the run does differently from its agent's configuration; null if nothing, or without agent:read.
    metadata: dict[str, Any]  # Metadata of the run, or of the A2A message that started it. Empty without agent:read.
    maxSteps: int  # The maximum number of reasoner calls.
    maxRuntimeSeconds: int  # The maximum reasoning time in seconds. Time spent waiting is not counted.
    steps: int  # The number of steps completed.
    forkedFrom: RunForkedFrom | None  # The checkpoint of the run it was forked from, or null if it is not a fork.
    parent: RunParent | None  # The run of another agent that has asked for it, or null if none has.
    usage: RunUsage  # Usage of model servers. All zeros with the built-in reasoner.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    updated_at: str  # Time of the last change, ISO 8601 in UTC with milliseconds.
    started_at: str | None  # When the first step started, ISO 8601. Null if it has not started.
    ended_at: str | None  # When the run ended, ISO 8601. Null if it has not ended.


class RunTreeUsage(TypedDict):
    """What all of these runs have used of model servers."""
    requests: int  # The number of requests that model servers answered.
    inputTokens: int  # Input tokens as reported by the servers, including tokens read from a prompt cache.
    cachedInputTokens: int  # The input tokens that the servers read from a prompt cache.
    outputTokens: int  # As the servers reported them.
    cost: NotRequired[float]  # What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known.


class RunTree(TypedDict):
    runs: list[Run]  # The run, and then all that were asked for by it or by one before them, each behind its `parent`.
    complete: bool  # Whether these are all; the first 500 are shown, or fewer that are long.
    usage: RunTreeUsage  # What all of these runs have used of model servers.


class File(TypedDict):
    sha256: str  # The SHA-256 of its bytes, in hex, by which they can be read.
    size: int  # The number of bytes.
    bytes: str  # The content, base64-encoded.


class Thought(TypedDict):
    id: str  # The id of the thought.
    thoughtType: Literal["goal", "recall", "insight", "action", "result", "reflection"]  # The kind of thought.
    content: str  # The text of the thought.
    tool: NotRequired[Literal["recall", "remember", "update_memory", "forget", "block_replace", "block_append", "send_message", "share_with_hive", "ask_agent", "hand_off", "spawn_agent", "ask_human", "answer", "use_tool"]]  # The tool that is about to be called, for a thought of that.
    found: NotRequired[int]  # How many memories were found, for a thought of what recall has found.
    runId: str  # The run that produced it.
    sessionId: str  # The conversation the run is part of.
    agent_id: str  # The agent the run belongs to.
    step: int  # The number of its step, starting at 1.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.


class Session(TypedDict):
    id: str  # The id of the session: the `sessionId` of its runs and memories.
    agent_id: str  # The agent the conversation is with.
    opening: str  # The first message of the conversation, cut to 200 characters.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    updated_at: str  # The time of its last turn.
    handed_to: str | None  # The agent that the conversation is handed over to (`hand_off`); null if it is with the agent itself.


class Turn(TypedDict):
    id: str  # The id of the turn: the id of its run and the number of the turn in it.
    agent_id: str  # The agent that said it or was told it.
    runId: str  # The run it belongs to.
    sessionId: str  # The conversation it is part of.
    role: Literal["user", "agent"]  # Who said it: `user` stands for anyone writing to the agent.
    content: str  # The text of the turn.
    became: NotRequired[Literal["cancelled", "interrupted", "waiting", "failed"]]  # Of the last turn of a run that has not answered, what became of that: it was `cancelled`, was `interrupted` in what it says here, is `waiting`, or has `failed`.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.


class ClientCall(TypedDict):
    id: str  # The id of the call, which its result names.
    name: str  # The name of the tool.
    arguments: dict[str, Any]  # The arguments, which fit the `input_schema` of the tool.


class ToolCall(TypedDict):
    tool: Literal["recall", "remember", "update_memory", "forget", "block_replace", "block_append", "send_message", "share_with_hive", "ask_agent", "hand_off", "spawn_agent", "ask_human", "answer", "use_tool"]  # The tool the reasoner calls. `use_tool` is one of the agent's own.
    arguments: dict[str, str]  # The arguments by name; they depend on the tool. Those of `use_tool` are the `name` of the tool and its `input` as JSON text.
    parts: NotRequired[list[Part]]  # The parts of an answer beyond its text.


class ToolOutcome(TypedDict):
    tool: Literal["recall", "remember", "update_memory", "forget", "block_replace", "block_append", "send_message", "share_with_hive", "ask_agent", "hand_off", "spawn_agent", "ask_human", "answer", "use_tool"]  # The tool the reasoner called. `use_tool` is one of the agent's own.
    arguments: dict[str, str]  # The arguments by name; they depend on the tool. Those of `use_tool` are the `name` of the tool and its `input` as JSON text.
    ok: bool  # Whether the call succeeded.
    result: str  # The result or the reason of the failure, as told to the reasoner.


class ToolTry(TypedDict):
    id: str  # The id of the call, the `Idempotency-Key` that the tool was sent. It is that of the audit record.
    ok: bool  # Whether the call succeeded.
    result: str  # The result or the reason of the failure, as a model would be told.
    ms: int  # How long the call took, in milliseconds.


class Checkpoint(TypedDict):
    id: str  # The id of the checkpoint. Runs can be forked from it.
    runId: str  # The run it belongs to.
    agent_id: str  # The agent the run belongs to.
    sessionId: str  # The conversation the run is part of.
    step: int  # The number of the completed step, starting at 1.
    calls: list[ToolOutcome]  # The tool calls of the step with their outcomes.
    output: str | None  # The partial output so far, if any.
    runtimeMs: float  # Reasoning time used so far, in milliseconds. Downtime and pauses are not counted.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.


class ScheduleOverridesOutputSchema(TypedDict):
    """The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema."""
    type: Literal["object"]


class ScheduleOverridesToolsItem1InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class ScheduleOverridesToolsItem1(TypedDict):
    """A tool that whoever started the run carries out: the run pauses, and is resumed with the results."""
    kind: Literal["client"]
    name: str  # The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[ScheduleOverridesToolsItem1InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.


class ScheduleOverridesToolsItem2InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class ScheduleOverridesToolsItem2Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class ScheduleOverridesToolsItem2(TypedDict):
    """A tool that the service calls by HTTP."""
    kind: Literal["http"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[ScheduleOverridesToolsItem2InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    url: str  # Where the arguments are POSTed as JSON: https, on a public host.
    secret: NotRequired[ScheduleOverridesToolsItem2Secret]  # A secret that is sent with each call.
    keyed: NotRequired[bool]  # Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class ScheduleOverridesToolsItem3Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class ScheduleOverridesToolsItem3(TypedDict):
    """A server of the Model Context Protocol, whose tools the service calls."""
    kind: Literal["mcp"]
    name: str  # The name of the server here. Its tools are called `<name>.<tool>`.
    url: NotRequired[str]  # Its endpoint (streamable HTTP): https, on a public host.
    command: NotRequired[str]  # In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio.
    allow: NotRequired[list[str]]  # The names of its tools that the model may call. Without it, all of them.
    reads_only: NotRequired[bool | list[str]]  # What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    repeatable: NotRequired[bool | list[str]]  # What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    approval: NotRequired[Literal["ask", "never"] | dict[str, Literal["ask", "never"]]]  # Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    annotations: NotRequired[Literal["trusted", "ignored"]]  # Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
    secret: NotRequired[ScheduleOverridesToolsItem3Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class ScheduleOverridesToolsItem4VerifyKeysItem(TypedDict):
    """A public key (JWK)."""
    kty: Literal["EC", "RSA", "OKP"]  # The type of the key.
    kid: NotRequired[str]  # Its name, by which signatures say that it has made them.
    alg: NotRequired[str]  # The one algorithm that it is for, such as `ES256`.
    use: NotRequired[Literal["sig"]]  # What it is for.
    crv: NotRequired[str]  # The curve (EC, OKP).
    x: NotRequired[str]  # Of the point (EC), or the key (OKP).
    y: NotRequired[str]  # Of the point (EC).
    n: NotRequired[str]  # The modulus (RSA).
    e: NotRequired[str]  # The exponent (RSA).


class ScheduleOverridesToolsItem4Verify(TypedDict):
    """The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at."""
    jwks: NotRequired[str]  # Where the public keys are (JWKS): https, on a public host. They are read with the card.
    keys: NotRequired[list[ScheduleOverridesToolsItem4VerifyKeysItem]]  # The public keys themselves, at most 8.


class ScheduleOverridesToolsItem4Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class ScheduleOverridesToolsItem4(TypedDict):
    """An agent elsewhere that speaks A2A: the run sends it a message, and waits for its task."""
    kind: Literal["a2a"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    card: str  # The URL of its agent card: https, on a public host.
    verify: NotRequired[ScheduleOverridesToolsItem4Verify]  # The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at.
    description: NotRequired[str]  # What it does and when to ask it, for the model. Without it, what its card says.
    allow: NotRequired[list[str]]  # The ids of the skills of its card that the model is told of. Without it, all of them.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    keyed: NotRequired[bool]  # Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it.
    accept_questions: NotRequired[bool]  # Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled.
    secret: NotRequired[ScheduleOverridesToolsItem4Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that an answer is waited for. Default 300. None of it counts in the budget of the run.


class ScheduleOverridesToolChoice2(TypedDict):
    name: str  # The name of the tool.


class ScheduleOverridesSampling(TypedDict):
    """How the model samples, as far as its server knows these."""
    top_p: NotRequired[float]  # The share of the likeliest tokens that are sampled from.
    stop: NotRequired[list[str]]  # Texts at which the model stops.
    seed: NotRequired[int]  # What sampling begins from.
    presence_penalty: NotRequired[float]  # Makes what was said already less likely.
    frequency_penalty: NotRequired[float]  # Makes what was said often less likely.


class ScheduleOverrides(TypedDict):
    """What its runs do differently from their agent's configuration. Null to callers without `agent:read`."""
    model: NotRequired[str | list[str]]  # The model of this run, as in the configuration of an agent.
    instructions: NotRequired[str]  # Takes the place of the agent's instructions.
    temperature: NotRequired[float]  # The sampling temperature passed to the model; 0 is the most predictable.
    max_output_tokens: NotRequired[int]  # The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued.
    output_schema: NotRequired[ScheduleOverridesOutputSchema | None]  # The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema.
    tools: NotRequired[list[ScheduleOverridesToolsItem1 | ScheduleOverridesToolsItem2 | ScheduleOverridesToolsItem3 | ScheduleOverridesToolsItem4]]  # Take the place of the agent's own tools in this run, as in the configuration of an agent.
    tool_choice: NotRequired[Literal["required"] | ScheduleOverridesToolChoice2]  # Has the model call one of these tools, or the one of this name, before it answers.
    parallel_tool_calls: NotRequired[Literal[False]]  # False has the model call at most one of these tools at a time.
    sampling: NotRequired[ScheduleOverridesSampling]  # How the model samples, as far as its server knows these.


class ScheduleLastError(TypedDict):
    """Why it started none, or null."""
    code: str  # A machine-readable failure code.
    message: str  # A human-readable explanation of the failure.


class ScheduleLast(TypedDict):
    """What became of the last time that was due, or null if there was none."""
    due: str  # The time that was due.
    run_id: str | None  # The run that it started, or null.
    error: ScheduleLastError | None  # Why it started none, or null.


class Schedule(TypedDict):
    id: str  # The id of the schedule.
    agent_id: str  # The agent whose runs it starts.
    name: str | None  # Its name, which no other schedule of the agent has, or null.
    cron: str | None  # The cron expression, if it has one.
    every: int | None  # The seconds from one time to the next, if it has an interval.
    at: str | None  # The one time, if it has one.
    timezone: str | None  # The time zone of the cron expression. Null without one.
    input: str  # The input of its runs.
    sessionId: str | None  # The conversation that its runs are part of. Null: each has its own.
    subject: str | None  # Whom its runs are for, or null.
    overrides: ScheduleOverrides | None  # What its runs do differently from their agent's configuration. Null to callers without `agent:read`.
    catch_up: Literal["one", "none"]  # What becomes of times that are missed: `one` run for all, or `none`.
    if_running: Literal["queue", "skip"]  # What a time does while the run before has not ended: begin one all the same (`queue`), or none (`skip`).
    paused: bool  # Whether it is paused: no time is due.
    next_times: list[str]  # The next times, at most five. Empty while it is paused.
    last: ScheduleLast | None  # What became of the last time that was due, or null if there was none.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    updated_at: str  # Time of the last change, ISO 8601 in UTC with milliseconds.


class BlockVersionsItem(TypedDict):
    version: int  # Its number, which `restore` names.
    value: str  # What it said.
    by: Literal["client", "model"]  # Who had written that.
    at: str  # When that was written.


class Block(TypedDict):
    id: str  # The id of the block, which follows from its label and its subject.
    agent_id: str  # The agent that is told it.
    subject: str | None  # Whom it is about: it is told for this subject alone. Null: it is told whoever the agent works for.
    label: str  # Its name among the blocks of the agent for this subject.
    description: str  # What it is for, which the model is told with it.
    value: str  # What it says.
    limit: int  # The most characters that it may have.
    read_only: bool  # Whether only clients change it, and the model of the agent never does.
    version: int  # Its number, which grows by one with each change.
    by: Literal["client", "model"]  # Who has changed it last: a `client`, or the `model` of the agent.
    versions: list[BlockVersionsItem]  # What it said before, the newest first: the last few that said something else.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    updated_at: str  # Time of the last change, ISO 8601 in UTC with milliseconds.


class ProfileSlotsName(TypedDict):
    """The block `name`: what the subject is called. Null if there is none."""
    value: str  # What the block says.
    since: str  # When that was written.


class ProfileSlotsLanguage(TypedDict):
    """The block `language`: in which language the subject is to be answered, or null."""
    value: str  # What the block says.
    since: str  # When that was written.


class ProfileSlotsTimezone(TypedDict):
    """The block `timezone`: where the subject is, as a time zone of the IANA database. Models are told the time there. Null if there is none."""
    value: str  # What the block says.
    since: str  # When that was written.


class ProfileSlots(TypedDict):
    """Blocks of the subject with these labels."""
    name: ProfileSlotsName | None  # The block `name`: what the subject is called. Null if there is none.
    language: ProfileSlotsLanguage | None  # The block `language`: in which language the subject is to be answered, or null.
    timezone: ProfileSlotsTimezone | None  # The block `timezone`: where the subject is, as a time zone of the IANA database. Models are told the time there. Null if there is none.


class ProfileEntriesItemEvidenceItem(TypedDict):
    kind: Literal["memory", "turn"]  # Whether a memory or a turn of a conversation says it.
    id: str  # The id of the memory or the turn.
    run_id: str | None  # The run in which it was said, or null for a memory.
    sessionId: str | None  # The conversation in which it was said, or null.
    at: str  # When it was said.


class ProfileEntriesItem(TypedDict):
    id: str  # The id of the entry, which follows from its text.
    text: str  # What is to be done or preferred, word for word.
    kind: Literal["order", "preference"]  # Whether it says how something is to be done, or what is preferred.
    since: str  # When it was said first, as far as that was read.
    times_seen: int  # How many texts say it.
    evidence: list[ProfileEntriesItemEvidenceItem]  # What says it, the newest first.


class Profile(TypedDict):
    agent_id: str  # The agent whose profile it is.
    subject: str | None  # Whose it is. Null: that of nobody in particular.
    slots: ProfileSlots  # Blocks of the subject with these labels.
    blocks: list[Block]  # All blocks that a run for the subject is told.
    entries: list[ProfileEntriesItem]  # What the rules for English find in what clients said and in memories, what matters most first.


MailboxMessage = TypedDict("MailboxMessage", {
    "id": "str",
    "agent_id": "str",
    "from": "str | None",
    "content": "str",
    "subject": "str | None",
    "reply_to": "str | None",
    "metadata": "dict[str, Any]",
    "hops": "int",
    "wakes": "int",
    "read_at": "str | None",
    "created_at": "str",
})


class ExportLine(TypedDict):
    record: str  # What the line is: `export`, `workspace`, `hive`, `agent`, `memory`, ... (docs/export.md).
    id: NotRequired[str]  # The id of what the line holds.
    data: NotRequired[dict[str, Any]]  # Its fields, which mean what they do elsewhere.


class ImportReport(TypedDict):
    added: dict[str, int]  # How many records were added, by kind.
    present: dict[str, int]  # How many were there already and stayed as they are, by kind.
    refused: int  # How many were left out.
    reasons: list[str]  # Why records were left out; the first 10 reasons.
    sha256: str  # The SHA-256 of the lines, as the last line of the export has it.


TrafficPairsItem = TypedDict("TrafficPairsItem", {
    "from": "str",
    "to": "str",
    "count": "int",
})


class Traffic(TypedDict):
    since: str  # The start of the period counted: one hour ago, or later if not `complete`.
    until: str  # The end of the period counted.
    complete: bool  # False if the hour has more messages than are counted. The newest 10,000 are counted, or fewer if they are long.
    messages: int  # The number of messages counted, including pairs that are not listed.
    pairs: list[TrafficPairsItem]  # Message counts by sender and receiver, highest first, at most 500 pairs.


class MessageReplyError(TypedDict):
    """Why the run failed, or null if it did not fail."""
    code: str  # A machine-readable failure code.
    message: str  # A human-readable explanation of the failure.


class MessageReplyWaitingForAskedItemWaitsFor(TypedDict):
    """What the answer waits for: the run that answers, or one that it has asked itself. Null if nothing."""
    agent_id: str  # The agent of the run that waits.
    run_id: str  # The run that waits. It may be answered there, or at the run that asks.
    id: str  # The id of its question, which an answer names where there are several.
    kind: Literal["approval", "human", "tools"]  # What that run waits for.
    question: str  # The question that it waits with.


class MessageReplyWaitingForAskedItem(TypedDict):
    id: str  # The id of the call that asks.
    agent_id: str | None  # The agent that is asked; null if there is none of that name, or it is an agent elsewhere.
    peer: NotRequired[str]  # Only for an agent elsewhere: the tool of kind `a2a` that is used.
    run_id: str | None  # The run that answers; null if it is not known yet, or there is none.
    answered: bool  # Whether its outcome is there.
    waitsFor: MessageReplyWaitingForAskedItemWaitsFor | None  # What the answer waits for: the run that answers, or one that it has asked itself. Null if nothing.


class MessageReplyWaitingFor(TypedDict):
    """What a paused run is waiting for."""
    id: str  # The id of the question, which an answer may name. It is also the `messageId` of the question in the A2A task.
    kind: Literal["approval", "human", "tools", "agent"]  # What kind of input is needed: `approval` of an action, an answer from a `human`, or the results of `tools`. With `agent` it waits for other agents, and goes on by itself.
    question: str  # The question to show to a human.
    action: ToolCall | None  # The action to approve, or null for a plain question.
    calls: NotRequired[list[ClientCall]]  # Only for `tools`: the calls whose results the run waits for, as `results` of a resume.
    asked: NotRequired[list[MessageReplyWaitingForAskedItem]]  # Only for `agent`: the questions whose answers the run waits for.


class MessageReply(TypedDict):
    message_id: str  # The id of the message sent.
    run_id: str  # The run that answers it.
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]  # The status of the run at the time of this reply. If it is not `completed`, it says why there is no response.
    stopReason: Literal["answer", "length", "max_steps", "timeout", "budget", "interrupted", None]  # Why a run stopped: it answered, a length limit ended its answer, it used up a budget of steps, of time, or of tokens or money (`budget`), or it was interrupted by what was said next. Null otherwise.
    response: str | None  # The answer, or null if there is none yet; see `status`.
    output_data: Any  # The answer as data, where it has to fit an `output_schema`; `output` has it as JSON text. Null otherwise.
    error: MessageReplyError | None  # Why the run failed, or null if it did not fail.
    waitingFor: MessageReplyWaitingFor | None  # What a paused run is waiting for.
    memories_consulted: list[ConsultedMemory]  # The memories the answer is based on, with their relevance.
    sessionId: str  # The id of the conversation. Send it with the next message to continue.


class AgentToken(TypedDict):
    id: str  # The id of the token.
    name: str  # The name given by its creator.
    hint: str  # The first characters of the secret, for telling credentials apart.
    expires_at: str | None  # When it expires, ISO 8601. Null means never.
    last_used_at: str | None  # When it was last used, accurate to the minute. Null means never.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    agent_id: str  # The agent whose A2A endpoint it gives access to.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin", "agent:mcp"]]  # The scopes granted at that endpoint.
    tasks: NotRequired[Literal["own"]]  # Set where it reaches only the A2A tasks that it began. Without it, it reaches all of the agent.


class ApiKey(TypedDict):
    id: str  # The id of the key.
    name: str  # The name given by its creator.
    hint: str  # The first characters of the secret, for telling credentials apart.
    expires_at: str | None  # When it expires, ISO 8601. Null means never.
    last_used_at: str | None  # When it was last used, accurate to the minute. Null means never.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    mode: Literal["live", "test"]  # `live` keys work in the workspace, `test` keys in its sandbox.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin"]]  # The scopes granted.


AuditRecord = TypedDict("AuditRecord", {
    "id": "str",
    "action": "Literal['agent.created', 'agent.updated', 'agent.deleted', 'alerts.updated', 'block.deleted', 'block.updated', 'profile.updated', 'budget.updated', 'hive.created', 'hive.updated', 'hive.deleted', 'hive.joined', 'hive.left', 'key.created', 'key.revoked', 'memory.updated', 'memory.deleted', 'memory.shared', 'message.deleted', 'push.registered', 'push.removed', 'push.replayed', 'run.answered', 'run.approved', 'run.cancelled', 'run.deleted', 'run.forked', 'run.rejected', 'run.resumed', 'schedule.created', 'schedule.updated', 'schedule.deleted', 'schedule.started', 'session.deleted', 'subject.deleted', 'token.created', 'token.revoked', 'tool.called', 'webhook.created', 'webhook.updated', 'webhook.deleted', 'workspace.exported', 'workspace.imported']",
    "actor": "str",
    "actor_name": "str | None",
    "from": "str | None",
    "request_id": "str | None",
    "target_id": "str | None",
    "credential_id": "str | None",
    "name": "str",
    "agent_id": "str | None",
    "hive_id": "str | None",
    "scopes": "list[Literal['agent:spawn', 'agent:read', 'agent:manage', 'memory:read', 'memory:write', 'hive:read', 'hive:write', 'usage:read', 'workspace:admin', 'agent:mcp']]",
    "fields": "list[str]",
    "count": "int | None",
    "words": "str | None",
    "created_at": "str",
})


class Hive(TypedDict):
    id: str  # The id of the hive.
    name: str  # The display name. Names need not be unique.
    description: str  # A free-text description.
    metadata: dict[str, Any]  # Arbitrary metadata set by clients.
    memory_count: int  # The number of memories shared in it.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    updated_at: str  # Time of the last change, ISO 8601 in UTC with milliseconds.


class MeWorkspace(TypedDict):
    """The workspace the key belongs to."""
    id: str  # The id of the workspace.
    name: str  # The name.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.


class MeKey(TypedDict):
    """The API key or access token of this request."""
    name: str  # The name given by its creator.
    hint: str  # The first characters of the secret, for telling credentials apart.
    expires_at: str | None  # When it expires, ISO 8601. Null means never.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    id: str  # Its id, or `oauth_` and the subject of an access token.


class MeLimits(TypedDict):
    """The limits of the tier. Null means unlimited."""
    requests_per_minute: int  # Sustained requests per minute for the key.
    request_burst: int  # The largest burst of requests after a pause.
    searches_per_minute: int  # Memory searches per minute; they also count as requests.
    concurrent_requests: int  # Requests of the key that may be in progress at once, including open streams.
    memories_per_month: int | None  # Long-term memories that the workspace may add each month.
    storage_bytes: int | None  # The storage of the workspace in bytes.
    api_keys: int  # The maximum number of API keys of the workspace.
    mailbox_messages_per_minute: int | None  # Messages per minute between agents of the workspace. Further messages are delivered later.


class Me(TypedDict):
    workspace: MeWorkspace  # The workspace the key belongs to.
    mode: Literal["live", "test"]  # Whether the key works in the workspace itself (`live`) or in its separate sandbox (`test`).
    tier: Literal["free", "pro", "team", "enterprise", "sandbox"]  # The tier, which sets the limits. It is `sandbox` for every test key.
    key: MeKey  # The API key or access token of this request.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin"]]  # The scopes granted to the key.
    limits: MeLimits  # The limits of the tier. Null means unlimited.
    model_servers: list[str]  # The names of the model servers that are configured, which `config.model` of an agent may name before a slash.


class UsageCycle(TypedDict):
    """The calendar month the quota applies to."""
    start: str  # The first moment of the cycle.
    end: str  # The first moment after the cycle.


class UsageStorage(TypedDict):
    """The approximate storage of the workspace. At the limit nothing can be added."""
    used: int  # Bytes in use.
    limit: int | None  # The limit. Null means unlimited.


class UsageModels(TypedDict):
    """Usage of model servers. All zeros with the built-in reasoner."""
    requests: int  # The number of requests that model servers answered.
    inputTokens: int  # Input tokens as reported by the servers, including tokens read from a prompt cache.
    cachedInputTokens: int  # The input tokens that the servers read from a prompt cache.
    outputTokens: int  # As the servers reported them.
    cost: NotRequired[float]  # What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known.


class UsageByAgentItemModels(TypedDict):
    """Usage of model servers. All zeros with the built-in reasoner."""
    requests: int  # The number of requests that model servers answered.
    inputTokens: int  # Input tokens as reported by the servers, including tokens read from a prompt cache.
    cachedInputTokens: int  # The input tokens that the servers read from a prompt cache.
    outputTokens: int  # As the servers reported them.
    cost: NotRequired[float]  # What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known.


class UsageByAgentItem(TypedDict):
    agent_id: str  # The agent.
    name: str  # The name.
    used: int  # Its memories counted against the quota in this cycle.
    memories: int  # The number of its memories now.
    memory_quota: int | None  # Its maximum number of long-term memories. Null means unlimited.
    models: UsageByAgentItemModels  # Usage of model servers. All zeros with the built-in reasoner.


class Usage(TypedDict):
    cycle: UsageCycle  # The calendar month the quota applies to.
    mode: Literal["live", "test"]  # `live` for the workspace, `test` for its sandbox.
    used: int  # Memories counted against the quota in this cycle: created minus deleted, excluding short-term memories.
    limit: int | None  # The limit. Null means unlimited.
    remaining: int | None  # What remains of the limit. Null means unlimited.
    agents: int  # The number of agents in the workspace now.
    hives: int  # The number of hives in the workspace now.
    memories: int  # The number of memories in the workspace now, including those that expire.
    by_type: dict[str, int]  # The same number by memory type.
    storage: UsageStorage  # The approximate storage of the workspace. At the limit nothing can be added.
    models: UsageModels  # Usage of model servers. All zeros with the built-in reasoner.
    by_agent: list[UsageByAgentItem]  # Up to 100 agents, most recently changed first, or the one selected by `agent_id`.


class UsageDaysDaysItem(TypedDict):
    day: str  # The day, UTC.
    runs: int  # Runs that used a model and ended.
    failed: int  # Those of them that failed or ran out of time.
    requests: int  # The number of requests that model servers answered.
    inputTokens: int  # Input tokens as reported by the servers, including tokens read from a prompt cache.
    cachedInputTokens: int  # The input tokens that the servers read from a prompt cache.
    outputTokens: int  # As the servers reported them.
    cost: NotRequired[float]  # What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known.


class UsageDaysByAgentItem(TypedDict):
    agent_id: str  # The agent.
    name: str | None  # Its name. Null once it is deleted.
    runs: int  # Runs that used a model and ended.
    failed: int  # Those of them that failed or ran out of time.
    requests: int  # The number of requests that model servers answered.
    inputTokens: int  # Input tokens as reported by the servers, including tokens read from a prompt cache.
    cachedInputTokens: int  # The input tokens that the servers read from a prompt cache.
    outputTokens: int  # As the servers reported them.
    cost: NotRequired[float]  # What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known.


UsageDays = TypedDict("UsageDays", {
    "from": "str",
    "until": "str",
    "days": "list[UsageDaysDaysItem]",
    "by_agent": "list[UsageDaysByAgentItem]",
    "complete": "bool",
})


class ModelBudgetUsed(TypedDict):
    """What all agents have used in this cycle."""
    requests: int  # The number of requests that model servers answered.
    inputTokens: int  # Input tokens as reported by the servers, including tokens read from a prompt cache.
    cachedInputTokens: int  # The input tokens that the servers read from a prompt cache.
    outputTokens: int  # As the servers reported them.
    cost: NotRequired[float]  # What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known.


class ModelBudgetPerSubject(TypedDict):
    """What the runs of each subject may use in a month, of all agents together. Null means no bound."""
    tokens_per_month: int | None  # Tokens of a month, input and output. Null means no bound.
    cost_per_month: float | None  # US dollars of a month. Null means no bound.


class ModelBudgetSubjectUsed(TypedDict):
    """What its runs have used in this cycle, since there is a budget for each subject."""
    requests: int  # The number of requests that model servers answered.
    inputTokens: int  # Input tokens as reported by the servers, including tokens read from a prompt cache.
    cachedInputTokens: int  # The input tokens that the servers read from a prompt cache.
    outputTokens: int  # As the servers reported them.
    cost: NotRequired[float]  # What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known.


class ModelBudgetSubject(TypedDict):
    """The subject that was asked for by `subject`. Null if none was."""
    subject: str  # The subject.
    used: ModelBudgetSubjectUsed  # What its runs have used in this cycle, since there is a budget for each subject.


class ModelBudget(TypedDict):
    tokens_per_month: int | None  # Tokens of a month, input and output. Null means no bound.
    cost_per_month: float | None  # US dollars of a month. Null means no bound.
    used: ModelBudgetUsed  # What all agents have used in this cycle.
    per_subject: ModelBudgetPerSubject | None  # What the runs of each subject may use in a month, of all agents together. Null means no bound.
    subject: ModelBudgetSubject | None  # The subject that was asked for by `subject`. Null if none was.
    updated_at: str | None  # When it was set. Null if it never was.


class UsageAlertsSentItem(TypedDict):
    percent: int  # The threshold that was reached.
    used: int  # The memories counted in the cycle at that time.
    at: str  # When the alert was sent.


class UsageAlerts(TypedDict):
    thresholds: list[int]  # The percentages of the monthly quota at which an alert is sent, ascending. Empty means that alerts are off.
    sent: list[UsageAlertsSentItem]  # The alerts of this cycle, in the order in which they were sent.
    updated_at: str | None  # When these settings were changed. Null for the defaults.


class RunEvent1DecisionBy(TypedDict):
    """Who has decided."""
    id: str  # The id of the key or token, or of the person whom an access token speaks for.
    name: str | None  # The name of the key, the token or the person; null if it has none.


class RunEvent1Decision(TypedDict):
    """The decision by which a paused run goes on, or what was said to a run that goes on, if it is one."""
    decision: Literal["approve", "reject", "answer", "steer"]  # Whether the action was approved or rejected, the question answered, or more said to the run while it went on.
    by: RunEvent1DecisionBy  # Who has decided.
    words: str | None  # What was said with it, if anything.


class RunEvent1(TypedDict):
    seq: int  # The sequence number within the run, starting at 1 without gaps. It is also the id of the event.
    at: str  # When it happened, ISO 8601 in UTC with milliseconds.
    type: Literal["status"]
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]  # The new status of the run.
    stopReason: Literal["answer", "length", "max_steps", "timeout", "budget", "interrupted", None]  # Why the run stopped, as in the run. Null otherwise.
    message: str | None  # A human-readable detail, if any.
    decision: NotRequired[RunEvent1Decision]  # The decision by which a paused run goes on, or what was said to a run that goes on, if it is one.
    waitsFor: NotRequired[Literal["agent"]]  # Of a run that is `paused` for other agents, and goes on by itself.


class RunEvent2(TypedDict):
    seq: int  # The sequence number within the run, starting at 1 without gaps. It is also the id of the event.
    at: str  # When it happened, ISO 8601 in UTC with milliseconds.
    type: Literal["thought"]
    thought: Thought


class RunEvent3(TypedDict):
    seq: int  # The sequence number within the run, starting at 1 without gaps. It is also the id of the event.
    at: str  # When it happened, ISO 8601 in UTC with milliseconds.
    type: Literal["answer"]
    content: str  # The answer, which is the output of the run.
    parts: NotRequired[list[Part]]  # All parts of the answer, if it is more than text.


class RunEvent4(TypedDict):
    type: Literal["delta"]
    at: str  # When it happened, ISO 8601 in UTC with milliseconds.
    step: int  # The step that the model is at.
    append: bool  # Whether the text goes on; false where it takes the place of all text of the run before it.
    text: str  # What the model has written, which may turn out to be no answer: `answer` has all of it.


RunEvent: TypeAlias = "RunEvent1 | RunEvent2 | RunEvent3 | RunEvent4"


class WorkspaceEvent(TypedDict):
    type: Literal["agent.created", "agent.updated", "agent.deleted", "memory.created", "memory.updated", "memory.deleted", "hive.created", "hive.updated", "hive.deleted", "message.received", "message.deleted", "run.status", "run.deleted", "usage.alert"]  # The type of the event.
    at: str  # When it happened, ISO 8601 in UTC with milliseconds.
    data: dict[str, Any]  # The ids concerned, and details that depend on the type.


class WebhookFailing(TypedDict):
    """Set while deliveries fail. Null once one has succeeded."""
    since: str  # Since when every try has failed.
    reason: str  # Why the first of these tries failed.


class Webhook(TypedDict):
    id: str  # The id of the webhook.
    url: str  # Where events are POSTed.
    events: list[Literal["run.completed", "run.failed", "run.timed_out", "run.cancelled", "run.input_required", "message.received", "memory.created", "memory.updated", "memory.deleted", "agent.created", "agent.updated", "usage.alert", "audit.recorded"]]  # The events that it is told.
    agent_id: str | None  # The agent whose events alone it is told. Null means all.
    description: str  # What it is for.
    enabled: bool  # Whether it is told anything.
    failing: WebhookFailing | None  # Set while deliveries fail. Null once one has succeeded.
    disabled_reason: str | None  # Why the service has disabled it: it took nothing for three days, or was imported. Null otherwise.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    updated_at: str  # Time of the last change, ISO 8601 in UTC with milliseconds.


class WebhookTest(TypedDict):
    id: str  # The id of the event that was sent, its `webhook-id`.
    delivered: bool  # Whether the receiver answered with 2xx.
    reason: str | None  # Why not. Null if it was delivered.


class DeadLetter(TypedDict):
    id: str  # The id of the dead letter.
    agent_id: str  # The agent the task belongs to.
    task_id: str  # The id of the task, which is also the id of its run.
    config_id: str  # The push configuration it was sent for.
    url: str  # The destination URL, with its query masked.
    status: Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]  # The task status it reports.
    reason: str  # Why delivery was given up.
    tries: int  # The number of delivery attempts.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    updated_at: str  # When delivery was given up.


class Part1(TypedDict):
    kind: Literal["text"]
    text: str  # The text.
    filename: NotRequired[str]  # The file name.
    mediaType: NotRequired[str]  # The media type of the content, for example `application/json`.
    metadata: NotRequired[dict[str, Any]]  # Arbitrary metadata set by the sender.


class Part2(TypedDict):
    kind: Literal["data"]
    data: Any  # Any JSON value.
    filename: NotRequired[str]  # The file name.
    mediaType: NotRequired[str]  # The media type of the content, for example `application/json`.
    metadata: NotRequired[dict[str, Any]]  # Arbitrary metadata set by the sender.


class Part3(TypedDict):
    kind: Literal["file"]
    bytes: str  # The file content, base64-encoded.
    filename: NotRequired[str]  # The file name.
    mediaType: NotRequired[str]  # The media type of the content, for example `application/json`.
    metadata: NotRequired[dict[str, Any]]  # Arbitrary metadata set by the sender.


class Part4(TypedDict):
    kind: Literal["file"]
    uri: str  # The URL of the file.
    filename: NotRequired[str]  # The file name.
    mediaType: NotRequired[str]  # The media type of the content, for example `application/json`.
    metadata: NotRequired[dict[str, Any]]  # Arbitrary metadata set by the sender.


Part: TypeAlias = "Part1 | Part2 | Part3 | Part4"


class MintedToken(TypedDict):
    id: str  # The id of the token.
    name: str  # The name given by its creator.
    hint: str  # The first characters of the secret, for telling credentials apart.
    expires_at: str | None  # When it expires, ISO 8601. Null means never.
    last_used_at: str | None  # When it was last used, accurate to the minute. Null means never.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    agent_id: str  # The agent whose A2A endpoint it gives access to.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin", "agent:mcp"]]  # The scopes granted at that endpoint.
    tasks: NotRequired[Literal["own"]]  # Set where it reaches only the A2A tasks that it began. Without it, it reaches all of the agent.
    token: str  # The secret token. It is shown only once and never stored.


class MintedKey(TypedDict):
    id: str  # The id of the key.
    name: str  # The name given by its creator.
    hint: str  # The first characters of the secret, for telling credentials apart.
    expires_at: str | None  # When it expires, ISO 8601. Null means never.
    last_used_at: str | None  # When it was last used, accurate to the minute. Null means never.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    mode: Literal["live", "test"]  # `live` keys work in the workspace, `test` keys in its sandbox.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin"]]  # The scopes granted.
    key: str  # The secret key. It is shown only once and never stored.


class MintedWebhookFailing(TypedDict):
    """Set while deliveries fail. Null once one has succeeded."""
    since: str  # Since when every try has failed.
    reason: str  # Why the first of these tries failed.


class MintedWebhook(TypedDict):
    id: str  # The id of the webhook.
    url: str  # Where events are POSTed.
    events: list[Literal["run.completed", "run.failed", "run.timed_out", "run.cancelled", "run.input_required", "message.received", "memory.created", "memory.updated", "memory.deleted", "agent.created", "agent.updated", "usage.alert", "audit.recorded"]]  # The events that it is told.
    agent_id: str | None  # The agent whose events alone it is told. Null means all.
    description: str  # What it is for.
    enabled: bool  # Whether it is told anything.
    failing: MintedWebhookFailing | None  # Set while deliveries fail. Null once one has succeeded.
    disabled_reason: str | None  # Why the service has disabled it: it took nothing for three days, or was imported. Null otherwise.
    created_at: str  # Creation time, ISO 8601 in UTC with milliseconds.
    updated_at: str  # Time of the last change, ISO 8601 in UTC with milliseconds.
    secret: str  # The secret that signs what it is sent. It is shown only once.


class Deleted(TypedDict):
    id: str  # The id of the deleted resource.
    deleted: Literal[True]


class ErrorErrorDetailsIssuesItem(TypedDict):
    path: str  # The path of the field, for example `config.max_steps`. Empty for the body itself.
    message: str  # What was expected.


class ErrorErrorDetails(TypedDict):
    """Further details, depending on the code."""
    issues: NotRequired[list[ErrorErrorDetailsIssuesItem]]  # The invalid fields of a VALIDATION_ERROR.
    required_scope: NotRequired[str]  # The missing scope of an INSUFFICIENT_SCOPE error.
    limit: NotRequired[float]  # The limit that was reached.
    window: NotRequired[str]  # The window of a RATE_LIMIT_EXCEEDED error, for example `60s`.
    retry_after: NotRequired[int]  # Seconds until a retry may succeed, as in Retry-After.


class ErrorError(TypedDict):
    """The error."""
    code: Literal["VALIDATION_ERROR", "UNSUPPORTED_VERSION", "UNAUTHENTICATED", "INSUFFICIENT_SCOPE", "QUOTA_EXCEEDED", "HTTPS_REQUIRED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "AGENT_INACTIVE", "RUN_NOT_RESUMABLE", "AGENT_BUSY", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_MISMATCH", "RATE_LIMIT_EXCEEDED", "CONCURRENCY_LIMIT_EXCEEDED", "INTERNAL_ERROR", "UNAVAILABLE"]  # A machine-readable error code.
    message: str  # A human-readable message. Its wording may change.
    status: int  # The HTTP status.
    details: ErrorErrorDetails  # Further details, depending on the code.
    request_id: str  # The id of the request, as in X-Request-Id, also found in the log.


class Error(TypedDict):
    error: ErrorError  # The error.


class Pagination(TypedDict):
    next_cursor: str | None  # Where the next page begins: its `cursor`.
    has_more: bool  # Whether there is a next page; go by this.
    total_count: int  # How many the whole list holds; filtered lists count up to 10,000.


class AgentConfigReasoning(TypedDict):
    """How much a model that can think does so, in the words of its API. Where it cannot be told, it is left out, and a thought says so. By default what its server decides."""
    effort: NotRequired[Literal["none", "minimal", "low", "medium", "high"]]  # How much the model thinks before it speaks; `none` turns thinking off.
    max_tokens: NotRequired[int]  # The most tokens that it thinks.


class AgentConfigBudget(TypedDict):
    """What runs may use of model servers. One that reaches its budget is asked for its answer, and stops with `stopReason: budget`; where that of the month is used up, no run begins. Money counts where prices are known."""
    tokens_per_run: NotRequired[int]  # Tokens of one run, input and output.
    cost_per_run: NotRequired[float]  # US dollars of one run.
    tokens_per_tree: NotRequired[int]  # Tokens of one run and of all that it asks of other agents, directly or through others.
    cost_per_tree: NotRequired[float]  # US dollars of the same.
    tokens_per_month: NotRequired[int]  # Tokens of all runs in a month.
    cost_per_month: NotRequired[float]  # US dollars of all runs in a month.


class AgentConfigSpawn(TypedDict):
    """Whether the agent may spawn others (`spawn_agent`), which have at most its tools, hives and gate, and are deleted with it. Without it, it may not."""
    most: int  # How many agents that it has spawned there may be at a time.
    model: NotRequired[str | list[str]]  # Their model. Without it, that of the agent.


class AgentConfigOutputSchema(TypedDict):
    """The JSON Schema (2020-12) of the final answer, which is then a JSON object, in `output_data`. It needs a model. Its `type` is `object`; at most 32768 bytes, 32 levels, and references within itself only. `format` is told to the model and not checked."""
    type: Literal["object"]


class AgentConfigToolsItem1InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class AgentConfigToolsItem1(TypedDict):
    """A tool that whoever started the run carries out: the run pauses, and is resumed with the results."""
    kind: Literal["client"]
    name: str  # The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[AgentConfigToolsItem1InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.


class AgentConfigToolsItem2InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class AgentConfigToolsItem2Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class AgentConfigToolsItem2(TypedDict):
    """A tool that the service calls by HTTP."""
    kind: Literal["http"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[AgentConfigToolsItem2InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    url: str  # Where the arguments are POSTed as JSON: https, on a public host.
    secret: NotRequired[AgentConfigToolsItem2Secret]  # A secret that is sent with each call.
    keyed: NotRequired[bool]  # Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class AgentConfigToolsItem3Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class AgentConfigToolsItem3(TypedDict):
    """A server of the Model Context Protocol, whose tools the service calls."""
    kind: Literal["mcp"]
    name: str  # The name of the server here. Its tools are called `<name>.<tool>`.
    url: NotRequired[str]  # Its endpoint (streamable HTTP): https, on a public host.
    command: NotRequired[str]  # In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio.
    allow: NotRequired[list[str]]  # The names of its tools that the model may call. Without it, all of them.
    reads_only: NotRequired[bool | list[str]]  # What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    repeatable: NotRequired[bool | list[str]]  # What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    approval: NotRequired[Literal["ask", "never"] | dict[str, Literal["ask", "never"]]]  # Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    annotations: NotRequired[Literal["trusted", "ignored"]]  # Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
    secret: NotRequired[AgentConfigToolsItem3Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class AgentConfigToolsItem4VerifyKeysItem(TypedDict):
    """A public key (JWK)."""
    kty: Literal["EC", "RSA", "OKP"]  # The type of the key.
    kid: NotRequired[str]  # Its name, by which signatures say that it has made them.
    alg: NotRequired[str]  # The one algorithm that it is for, such as `ES256`.
    use: NotRequired[Literal["sig"]]  # What it is for.
    crv: NotRequired[str]  # The curve (EC, OKP).
    x: NotRequired[str]  # Of the point (EC), or the key (OKP).
    y: NotRequired[str]  # Of the point (EC).
    n: NotRequired[str]  # The modulus (RSA).
    e: NotRequired[str]  # The exponent (RSA).


class AgentConfigToolsItem4Verify(TypedDict):
    """The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at."""
    jwks: NotRequired[str]  # Where the public keys are (JWKS): https, on a public host. They are read with the card.
    keys: NotRequired[list[AgentConfigToolsItem4VerifyKeysItem]]  # The public keys themselves, at most 8.


class AgentConfigToolsItem4Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class AgentConfigToolsItem4(TypedDict):
    """An agent elsewhere that speaks A2A: the run sends it a message, and waits for its task."""
    kind: Literal["a2a"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    card: str  # The URL of its agent card: https, on a public host.
    verify: NotRequired[AgentConfigToolsItem4Verify]  # The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at.
    description: NotRequired[str]  # What it does and when to ask it, for the model. Without it, what its card says.
    allow: NotRequired[list[str]]  # The ids of the skills of its card that the model is told of. Without it, all of them.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    keyed: NotRequired[bool]  # Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it.
    accept_questions: NotRequired[bool]  # Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled.
    secret: NotRequired[AgentConfigToolsItem4Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that an answer is waited for. Default 300. None of it counts in the budget of the run.


class AgentConfigMemory(TypedDict):
    """Settings of recall and conversations."""
    min_relevance: NotRequired[float]  # The minimum relevance of recalled memories.
    recall_limit: NotRequired[int]  # The maximum number of memories per recall.
    conversation: NotRequired[Literal["on", "off"] | int]  # Whether what is said to the agent and what it answers is found by recall: `on` (the default), `off`, or for this many days.
    learn: NotRequired[Literal["model", "off"]]  # Whether facts in what is said to the agent become memories: by the `model` of `config.model` (the default), which picks passages after the run, or `off`.
    recall_tokens: NotRequired[int]  # The most that a model is told of what was recalled, for a run or by the tool `recall`, in tokens, which are estimated: the best memories first, and of one that does not fit a passage. Default 2000.
    profile_tokens: NotRequired[int]  # The most that a model is told at each step of how somebody wants things always done and what they prefer, in tokens, which are estimated: the newest. Default 400; 0 turns it off.
    context_tokens: NotRequired[int]  # How much of its session a run is given as it was said, the newest turns, in tokens of about four bytes. Default 8000. Older turns are found by recall.


class AgentConfigMailbox(TypedDict):
    """Settings of the mailbox."""
    accept: NotRequired[Literal["all", "hive"] | list[str]]  # Whose mailbox messages the agent takes: `all` (the default), those of agents in its `hive`s, or those of the agents in a list, in which `external` stands for clients.


class AgentConfigA2a(TypedDict):
    """Settings of the A2A endpoint."""
    progress: NotRequired[Literal["off", "short", "text", "thoughts"]]  # What A2A streams tell on the way: `off` is states and the answer, `short` neutral lines of what is done, `text` the answer while it is written, to callers with agent:read, `thoughts` also what the agent thinks, for callers with agent:read that ask. Unset: `thoughts`, with the lines for 0.2 and 0.3 only.


class AgentConfigCardProvider(TypedDict):
    """Who provides the agent."""
    organization: str  # Who provides the agent. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates.
    url: str  # Their address. At most 2048 bytes of UTF-8, without NUL or lone surrogates.


class AgentConfigCardSkillsItem(TypedDict):
    id: str  # The id of the skill. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    name: str  # The name of the skill. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates.
    description: str  # What the skill does. At most 4096 bytes of UTF-8, without NUL or lone surrogates.
    tags: list[str]  # Keywords of the skill.
    examples: NotRequired[list[str]]  # What may be said to it.


class AgentConfigCard(TypedDict):
    """What the cards at the well-known paths say."""
    public: NotRequired[bool]  # Whether everybody may read the agent's card at the service's origin, where HIVEKEEP_PUBLIC_CARDS allows it.
    name: NotRequired[str]  # The agent's name on its cards. Without it, its own. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates.
    provider: NotRequired[AgentConfigCardProvider]  # Who provides the agent.
    icon: NotRequired[str]  # The address of an icon. At most 2048 bytes of UTF-8, without NUL or lone surrogates.
    documentation: NotRequired[str]  # The address of a page about the agent. At most 2048 bytes of UTF-8, without NUL or lone surrogates.
    skills: NotRequired[list[AgentConfigCardSkillsItem]]  # What the agent can be asked to do, in place of the one skill of every agent.


class AgentConfig(TypedDict):
    """The configuration. Unknown keys are refused. At most 65536 bytes as JSON."""
    model: NotRequired[str | list[str]]  # `built-in` (the default), `openai/<name>`, `anthropic/<name>`, or the name of another configured server and its model. In a list of these, up to eight, the next one is asked where a server is away or refuses for reasons of its own.
    max_output_tokens: NotRequired[int]  # The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued.
    reasoning: NotRequired[AgentConfigReasoning]  # How much a model that can think does so, in the words of its API. Where it cannot be told, it is left out, and a thought says so. By default what its server decides.
    builtin_tools: NotRequired[list[Literal["recall", "remember", "update_memory", "forget", "block_replace", "block_append", "send_message", "share_with_hive", "ask_agent", "hand_off", "ask_human"]]]  # The built-in tools that the model has, beside the tools of its own. By default those that it can use: `recall`, `remember`, `update_memory` and `forget`; `send_message` where mail comes or the agent is in a hive; `share_with_hive` in a hive; `ask_human` where a human approves what it does. A tool that the instructions name is told, too. `hand_off` works only where one of the two names it.
    accepts: NotRequired[list[Literal["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]]]  # The media types of the files that the model is given, beside texts. By default the images: PNG, JPEG, GIF and WebP. An empty list refuses them.
    temperature: NotRequired[float]  # The sampling temperature passed to the model; 0 is the most predictable.
    multi_step: NotRequired[bool]  # Whether runs may take several steps; messages over A2A are then answered while the run continues. Default false.
    max_steps: NotRequired[int]  # The maximum number of steps of a run that does not set its own.
    max_parallel: NotRequired[int]  # How many runs of the agent may be running at a time, each in a session of its own; of one session it is always one. Default 8.
    budget: NotRequired[AgentConfigBudget]  # What runs may use of model servers. One that reaches its budget is asked for its answer, and stops with `stopReason: budget`; where that of the month is used up, no run begins. Money counts where prices are known.
    spawn: NotRequired[AgentConfigSpawn]  # Whether the agent may spawn others (`spawn_agent`), which have at most its tools, hives and gate, and are deleted with it. Without it, it may not.
    timezone: NotRequired[str]  # The time zone of schedules of the agent that are made without one of their own, and in which its model is told the time where no block says another, a name of the IANA database such as `Europe/Berlin`. Default `UTC`.
    instructions: NotRequired[str]  # Instructions that tell the model its role and task. At most 32768 bytes of UTF-8, without NUL or lone surrogates.
    output_schema: NotRequired[AgentConfigOutputSchema]  # The JSON Schema (2020-12) of the final answer, which is then a JSON object, in `output_data`. It needs a model. Its `type` is `object`; at most 32768 bytes, 32 levels, and references within itself only. `format` is told to the model and not checked.
    tools: NotRequired[list[AgentConfigToolsItem1 | AgentConfigToolsItem2 | AgentConfigToolsItem3 | AgentConfigToolsItem4]]  # Tools beside the built-in ones, at most 64, each with a name of its own. Models use them; the built-in reasoner does not.
    validation_gate: NotRequired[Literal["none", "action", "answer"]]  # Pauses runs for approval: before each action that remembers, sends or shares something, or uses a tool of its own that does not only read (`action`), or before the answer, and whatever else is told to whoever asked (`answer`).
    memory: NotRequired[AgentConfigMemory]  # Settings of recall and conversations.
    mailbox: NotRequired[AgentConfigMailbox]  # Settings of the mailbox.
    a2a: NotRequired[AgentConfigA2a]  # Settings of the A2A endpoint.
    card: NotRequired[AgentConfigCard]  # What the cards at the well-known paths say.


class JsonRpcRequest(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[str | float | None]  # Returned in the response. A request without an id is executed without a response.
    method: Literal["message/send", "message/stream", "tasks/get", "tasks/cancel", "tasks/resubscribe", "tasks/pushNotificationConfig/set", "tasks/pushNotificationConfig/get", "tasks/pushNotificationConfig/list", "tasks/pushNotificationConfig/delete", "agent/getAuthenticatedExtendedCard", "SendMessage", "SendStreamingMessage", "GetTask", "ListTasks", "CancelTask", "SubscribeToTask", "CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs", "DeleteTaskPushNotificationConfig", "GetExtendedAgentCard"]  # The method. Names like `message/send` belong to A2A 0.2 and 0.3, names like `SendMessage` to 1.0.
    params: NotRequired[dict[str, Any]]  # As specified by A2A for the method.


class JsonRpcResponseError(TypedDict):
    """The error, present instead of a result."""
    code: int  # An error code: -32700 to -32600 as in JSON-RPC, -32001 to -32009 as in A2A, -32050 and -32051 of this service.
    message: str  # A human-readable explanation.
    data: NotRequired[Any]  # Additional details.


class JsonRpcResponse(TypedDict):
    jsonrpc: Literal["2.0"]
    id: str | float | None  # The id of the request, or null if it could not be read.
    result: NotRequired[Any]  # As specified by A2A for the method.
    error: NotRequired[JsonRpcResponseError]  # The error, present instead of a result.


A2aObject: TypeAlias = dict[str, Any]


class A2aErrorError(TypedDict):
    """A google.rpc.Status (A2A 1.0, 11.6)."""
    code: int  # The HTTP status.
    status: str  # The name of the code of google.rpc.Status.
    message: str  # What is wrong, in words.
    details: list[dict[str, Any]]  # ErrorInfo with the `reason`, and BadRequest.


class A2aError(TypedDict):
    error: A2aErrorError  # A google.rpc.Status (A2A 1.0, 11.6).


class AgentCardCapabilities(TypedDict):
    """Optional capabilities of A2A that the agent supports."""
    streaming: bool  # Whether messages can be streamed.
    pushNotifications: bool  # Whether changes of a task can be pushed.


class AgentCardSkillsItem(TypedDict):
    id: str  # The id of the skill.
    name: str  # The name of the skill.
    description: str  # What the skill does.
    tags: list[str]  # Keywords of the skill.


class AgentCardSignaturesItem(TypedDict):
    protected: str  # The protected header, in base64url: algorithm, key and where the key is.
    signature: str  # The signature, in base64url.


class AgentCard(TypedDict):
    name: str  # The name of the agent.
    description: str  # A free-text description.
    version: str  # The version of the agent, which changes with its settings.
    capabilities: AgentCardCapabilities  # Optional capabilities of A2A that the agent supports.
    defaultInputModes: list[str]  # Accepted media types, `text/plain` first.
    defaultOutputModes: list[str]  # Media types of answers, `text/plain` first.
    skills: list[AgentCardSkillsItem]  # What the agent can be asked to do.
    url: NotRequired[str]  # The agent's JSON-RPC endpoint. Cards of 1.0 list it in `supportedInterfaces` instead.
    protocolVersion: NotRequired[str]  # The A2A version of the card.
    signatures: NotRequired[list[AgentCardSignaturesItem]]  # Where the operator has set a key: the signature of A2A 1.0, 8.4.


class McpRequest(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[str | int]  # Returned in the response. A message without an id is a notification.
    method: str  # The method, for example `tools/call`.
    params: NotRequired[dict[str, Any]]  # As specified by MCP for the method.


class McpResponseError(TypedDict):
    """The error, present instead of a result."""
    code: int  # An error code as in JSON-RPC.
    message: str  # A human-readable explanation.
    data: NotRequired[Any]  # Additional details.


class McpResponse(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[str | float | None]  # The id of the request. Notifications have none.
    method: NotRequired[str]  # The method of a notification in a stream, for example `notifications/progress`.
    params: NotRequired[dict[str, Any]]  # The parameters of a notification.
    result: NotRequired[dict[str, Any]]  # As specified by MCP for the method.
    error: NotRequired[McpResponseError]  # The error, present instead of a result.


class OpenAiChatRequestMessagesItemContent12ItemImageUrl(TypedDict):
    """An image."""
    url: str  # The image, as a data: URL.


class OpenAiChatRequestMessagesItemContent12ItemFile(TypedDict):
    """A file."""
    filename: NotRequired[str | None]  # Its name.
    file_data: NotRequired[str | None]  # Its content, as a data: URL or base64.


class OpenAiChatRequestMessagesItemContent12Item(TypedDict):
    type: Literal["text", "refusal", "image_url", "file"]  # The kind of content.
    text: NotRequired[str | None]  # The text.
    refusal: NotRequired[str | None]  # What the assistant has said to refuse.
    image_url: NotRequired[OpenAiChatRequestMessagesItemContent12ItemImageUrl | None]  # An image.
    file: NotRequired[OpenAiChatRequestMessagesItemContent12ItemFile | None]  # A file.


class OpenAiChatRequestMessagesItemToolCallsItemFunction(TypedDict):
    """The function."""
    name: str  # Its name.
    arguments: str  # Its arguments, as JSON.


class OpenAiChatRequestMessagesItemToolCallsItem(TypedDict):
    id: NotRequired[str | None]  # The id of the call.
    function: OpenAiChatRequestMessagesItemToolCallsItemFunction  # The function.


class OpenAiChatRequestMessagesItem(TypedDict):
    role: Literal["system", "developer", "user", "assistant", "tool"]  # `system` and `developer` are instructions for this run; `tool` is the result of a call.
    content: NotRequired[str | list[OpenAiChatRequestMessagesItemContent12Item] | None]  # A text, or parts: texts, and of the user also images and files.
    tool_calls: NotRequired[list[OpenAiChatRequestMessagesItemToolCallsItem] | None]  # The calls that the assistant asked for.
    tool_call_id: NotRequired[str | None]  # Of a result: the id of its call.


class OpenAiChatRequestStreamOptions(TypedDict):
    """Options of the stream."""
    include_usage: NotRequired[bool | None]  # Whether a last chunk has the usage.


class OpenAiChatRequestResponseFormat11(TypedDict):
    type: Literal["text", "json_object"]  # Text, or any JSON object.


class OpenAiChatRequestResponseFormat12JsonSchema(TypedDict):
    """The schema and its name."""
    schema: dict[str, Any]  # The schema of the answer.


class OpenAiChatRequestResponseFormat12(TypedDict):
    type: Literal["json_schema"]  # A JSON object of this schema.
    json_schema: OpenAiChatRequestResponseFormat12JsonSchema  # The schema and its name.


class OpenAiChatRequestToolsItemFunction(TypedDict):
    """The function."""
    name: str  # The name by which the model calls it.
    description: NotRequired[str | None]  # What it does and when to use it.
    parameters: NotRequired[dict[str, Any] | None]  # The JSON Schema of its arguments, an object.


class OpenAiChatRequestToolsItem(TypedDict):
    type: Literal["function"]  # Only functions.
    function: OpenAiChatRequestToolsItemFunction  # The function.


class OpenAiChatRequestToolChoice12Function(TypedDict):
    """The function that is to be called."""
    name: str  # Its name.


class OpenAiChatRequestToolChoice12(TypedDict):
    type: Literal["function"]  # A function.
    function: OpenAiChatRequestToolChoice12Function  # The function that is to be called.


class OpenAiChatRequest(TypedDict):
    """A request of OpenAI's chat completions. Other fields are accepted and have no effect."""
    model: str  # The id of an agent, or its name where no other agent has it.
    messages: list[OpenAiChatRequestMessagesItem]  # The last one of the `user` is said to the agent. Those before it tell which session it belongs to, and are told as turns where the service knows none that has them. Results of tools at the end are given to the run that asked for them.
    user: NotRequired[str | None]  # The session, unless X-Hivekeep-Session names it. Without either it is known by its history.
    stream: NotRequired[bool | None]  # Whether the answer comes in chunks, as server-sent events.
    stream_options: NotRequired[OpenAiChatRequestStreamOptions | None]  # Options of the stream.
    temperature: NotRequired[float | None]  # The sampling temperature of this run.
    max_tokens: NotRequired[float | None]  # The older name of `max_completion_tokens`.
    max_completion_tokens: NotRequired[float | None]  # The most tokens of one reply of the model.
    response_format: NotRequired[OpenAiChatRequestResponseFormat11 | OpenAiChatRequestResponseFormat12 | None]  # The form of the answer; JSON needs an agent with a model.
    top_p: NotRequired[float | None]  # Passed on to the model.
    stop: NotRequired[str | list[str] | None]  # Passed on to the model.
    seed: NotRequired[int | None]  # Passed on to the model.
    presence_penalty: NotRequired[float | None]  # Passed on to the model.
    frequency_penalty: NotRequired[float | None]  # Passed on to the model.
    metadata: NotRequired[dict[str, Any] | None]  # Metadata of the run.
    n: NotRequired[Literal[1]]  # Only 1.
    tools: NotRequired[list[OpenAiChatRequestToolsItem] | None]  # Functions of the client, which take the place of the agent's own tools in this run; none of `[]`.
    tool_choice: NotRequired[Literal["auto", "none", "required"] | OpenAiChatRequestToolChoice12 | None]  # `none` has the agent do without tools, but for the built-in ones; `required`, or a function, has its model call one before it answers.
    parallel_tool_calls: NotRequired[bool | None]  # Whether the model may ask for several calls at once.
    functions: NotRequired[list[Any] | None]  # Only empty: `tools` has the functions.


class OpenAiCompletionChoicesItem(TypedDict):
    pass


class OpenAiCompletionUsage(TypedDict):
    """The tokens that model servers counted."""


class OpenAiCompletionHivekeep(TypedDict):
    """The run, with `waitingFor` as in a Run."""
    run_id: str  # The run that answers.
    session_id: str  # The session that it is part of.
    status: str  # `completed`, or `paused` if it waits.
    ignored: NotRequired[list[str]]  # Fields of the request that have no effect.


class OpenAiCompletion(TypedDict):
    id: str  # The id of the run.
    object: Literal["chat.completion"]
    choices: list[OpenAiCompletionChoicesItem]  # One choice: the answer, or what the run asks.
    usage: OpenAiCompletionUsage  # The tokens that model servers counted.
    hivekeep: OpenAiCompletionHivekeep  # The run, with `waitingFor` as in a Run.


class OpenAiChunkChoicesItem(TypedDict):
    pass


class OpenAiChunkHivekeep(TypedDict):
    """The run, with `waitingFor` as in a Run."""
    run_id: str  # The run that answers.
    session_id: str  # The session that it is part of.
    status: str  # `completed`, or `paused` if it waits.
    ignored: NotRequired[list[str]]  # Fields of the request that have no effect.


class OpenAiChunk(TypedDict):
    id: NotRequired[str]  # The id of the run.
    choices: NotRequired[list[OpenAiChunkChoicesItem]]  # One choice with a `delta`; none beside the usage.
    hivekeep: NotRequired[OpenAiChunkHivekeep]  # The run, with `waitingFor` as in a Run.


class OpenAiResponseRequestInput2ItemContent12Item(TypedDict):
    type: Literal["input_text", "output_text", "text", "refusal", "input_image", "input_file"]  # The kind of content.
    text: NotRequired[str | None]  # The text.
    refusal: NotRequired[str | None]  # What the assistant has said to refuse.
    image_url: NotRequired[str | None]  # The image, as a data: URL.
    file_data: NotRequired[str | None]  # The content of the file, as a data: URL or base64.
    filename: NotRequired[str | None]  # Its name.


class OpenAiResponseRequestInput2ItemOutput12Item(TypedDict):
    type: Literal["input_text", "output_text", "text", "refusal", "input_image", "input_file"]  # The kind of content.
    text: NotRequired[str | None]  # The text.
    refusal: NotRequired[str | None]  # What the assistant has said to refuse.
    image_url: NotRequired[str | None]  # The image, as a data: URL.
    file_data: NotRequired[str | None]  # The content of the file, as a data: URL or base64.
    filename: NotRequired[str | None]  # Its name.


class OpenAiResponseRequestInput2Item(TypedDict):
    type: NotRequired[Literal["message", "function_call", "function_call_output", "reasoning", "item_reference", None]]  # The kind of item; a message if there is none. `reasoning` and `item_reference` are passed over.
    role: NotRequired[Literal["system", "developer", "user", "assistant", None]]  # Of a message: who says it.
    content: NotRequired[str | list[OpenAiResponseRequestInput2ItemContent12Item] | None]  # Of a message: what is said.
    call_id: NotRequired[str | None]  # Of a call or its result: the id of the call.
    name: NotRequired[str | None]  # Of a call: the name of the function.
    arguments: NotRequired[str | None]  # Of a call: its arguments, as JSON.
    output: NotRequired[str | list[OpenAiResponseRequestInput2ItemOutput12Item] | None]  # Of a result: what the function returned.


class OpenAiResponseRequestTextFormat(TypedDict):
    """The form of the answer; JSON needs an agent with a model."""
    type: Literal["text", "json_object", "json_schema"]  # Text, a JSON object, or one of a schema.
    schema: NotRequired[dict[str, Any] | None]  # The schema of the answer.


class OpenAiResponseRequestText(TypedDict):
    """The form of the text."""
    format: NotRequired[OpenAiResponseRequestTextFormat | None]  # The form of the answer; JSON needs an agent with a model.


class OpenAiResponseRequestToolsItem(TypedDict):
    type: Literal["function"]  # Only functions.
    name: str  # The name by which the model calls it.
    description: NotRequired[str | None]  # What it does and when to use it.
    parameters: NotRequired[dict[str, Any] | None]  # The JSON Schema of its arguments, an object.


class OpenAiResponseRequestToolChoice12(TypedDict):
    type: Literal["function"]
    name: str  # The function that is to be called.


class OpenAiResponseRequest(TypedDict):
    """A request of OpenAI's Responses API. Other fields have no effect."""
    model: str  # The id of an agent, or its name where no other agent has it.
    input: str | list[OpenAiResponseRequestInput2Item]  # What is said to the agent, or the items of the conversation so far, the last of which say it.
    instructions: NotRequired[str | None]  # Take the place of the agent's instructions in this run.
    previous_response_id: NotRequired[str | None]  # The response after which the conversation goes on.
    stream: NotRequired[bool | None]  # Whether the answer comes as server-sent events.
    background: NotRequired[bool | None]  # Whether to answer at once; the response is then retrieved.
    temperature: NotRequired[float | None]  # The sampling temperature of this run.
    max_output_tokens: NotRequired[float | None]  # The most tokens of one reply of the model.
    text: NotRequired[OpenAiResponseRequestText | None]  # The form of the text.
    tools: NotRequired[list[OpenAiResponseRequestToolsItem] | None]  # Functions of the client, as in chat completions.
    tool_choice: NotRequired[Literal["auto", "none", "required"] | OpenAiResponseRequestToolChoice12 | None]  # Whether a function is called, and which.
    parallel_tool_calls: NotRequired[bool | None]  # Whether several functions may be called at once.
    top_p: NotRequired[float | None]  # Passed on to the model.
    stop: NotRequired[str | list[str] | None]  # Passed on to the model.
    seed: NotRequired[int | None]  # Passed on to the model.
    presence_penalty: NotRequired[float | None]  # Passed on to the model.
    frequency_penalty: NotRequired[float | None]  # Passed on to the model.
    metadata: NotRequired[dict[str, Any] | None]  # Metadata of the run.
    user: NotRequired[str | None]  # The session, unless X-Hivekeep-Session or previous_response_id names it.


class OpenAiResponseOutputItem(TypedDict):
    pass


class OpenAiResponseHivekeep(TypedDict):
    """The run, with `waitingFor` as in a Run."""
    run_id: str  # The run that answers.
    session_id: str  # The session that it is part of.
    status: str  # `completed`, or `paused` if it waits.
    ignored: NotRequired[list[str]]  # Fields of the request that have no effect.


class OpenAiResponse(TypedDict):
    id: str  # The id of the response, which names the agent and the run.
    object: Literal["response"]
    status: str  # `completed`, `incomplete`, `failed` or `in_progress`.
    output: list[OpenAiResponseOutputItem]  # The answer as a message, or the calls of functions.
    hivekeep: OpenAiResponseHivekeep  # The run, with `waitingFor` as in a Run.


class OpenAiEvent(TypedDict):
    type: str  # The kind of event, as OpenAI names it.


class OpenAiModel(TypedDict):
    id: str  # The id of the agent.
    object: Literal["model"]


class OpenAiModelsDataItem(TypedDict):
    id: str  # The id of the agent.
    object: Literal["model"]


class OpenAiModels(TypedDict):
    object: Literal["list"]
    data: list[OpenAiModelsDataItem]  # The active agents, the newest 1,000.


class OpenAiErrorError(TypedDict):
    """The error."""
    message: str  # A human-readable message.
    type: str  # The kind of error, as OpenAI names it, or `run_failed`.
    param: str | None  # The field that is wrong, if it is one.
    code: str  # The code as in Error, or that of the failure of the run.
    request_id: str  # The id of the request, as in X-Request-Id.


class OpenAiError(TypedDict):
    error: OpenAiErrorError  # The error.


class SpawnInput(TypedDict):
    name: str  # Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates.
    description: NotRequired[str]  # What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates.
    config: NotRequired[AgentConfig]
    hives: NotRequired[list[str]]  # The ids of hives of this workspace.
    metadata: NotRequired[dict[str, Any]]  # Arbitrary metadata: any keys and values, at most 16384 bytes as JSON.
    wake_on_message: NotRequired[bool]  # Whether a mailbox message starts a run. Default false.
    memory_quota: NotRequired[int | None]  # The maximum number of its long-term memories. Null, the default, means unlimited.
    maxRuntimeSeconds: NotRequired[int | None]  # The runtime budget of each run in seconds. Null means the service default.


class MemoryInput(TypedDict):
    type: str  # The kind of memory, for example `semantic`, `episodic` or `procedural`.
    content: str  # What is to be remembered. Not blank; at most 65536 bytes of UTF-8, without NUL or lone surrogates.
    sessionId: NotRequired[str | None]  # The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    subject: NotRequired[str | None]  # Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    importance: NotRequired[float | None]  # Breaks ties between memories that match a search equally well. 0.5 is neutral, like no value.
    occurred_at: NotRequired[str]  # When the content was said or happened, ISO 8601 with a time zone. Defaults to `created_at`.
    speaker: NotRequired[str | None]  # Who said it. Without it, recall uses a leading `Name: ` of the content.
    supersedes: NotRequired[str | None]  # The memory of the same context that it replaces. The replaced memory gets `valid_until`, is kept, and is found only by searches that include history.
    metadata: NotRequired[dict[str, Any]]  # Arbitrary metadata: any keys and values, at most 16384 bytes as JSON.
    agent_id: NotRequired[str | None]  # The id of the agent. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    hive_id: NotRequired[str | None]  # The id of the hive. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    expires_at: NotRequired[str | None]  # When it expires: a time in the future, ISO 8601 with a time zone. Null means never.


class MemoryBatchInput(TypedDict):
    memories: list[MemoryInput]  # The memories to add, each as in POST /v1/memories. If one of them is malformed, none is added.


class SearchInput(TypedDict):
    query: str  # What to look for, in any words. At most 8192 bytes of UTF-8, without NUL or lone surrogates.
    agent_id: NotRequired[str | None]  # The id of the agent. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    hive_id: NotRequired[str | None]  # The id of the hive. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    types: NotRequired[list[str]]  # Only memories of these types.
    speaker: NotRequired[str | None]  # Only memories of this speaker, compared case-insensitively. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates.
    sessionId: NotRequired[str | None]  # Only what is part of this conversation. Needs `agent_id` or `hive_id`. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    subject: NotRequired[str | None]  # Only what belongs to this subject, and to nobody in particular. Needs `agent_id` or `hive_id`. Without it, all is searched. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    run_id: NotRequired[str | None]  # Only memories that this run wrote. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    metadata: NotRequired[dict[str, str | float | bool | None] | None]  # Only what has each of these keys in its metadata with exactly that value: a text, number, boolean or null.
    occurred_after: NotRequired[str]  # Only memories that occurred at this time or later, ISO 8601 with a time zone.
    occurred_before: NotRequired[str]  # Only memories that occurred before this time, ISO 8601 with a time zone.
    as_of: NotRequired[str]  # Searches as of this time: only what was known and true then. ISO 8601 with a time zone.
    include_superseded: NotRequired[bool]  # Whether to include superseded memories and those past their `valid_until`.
    explain: NotRequired[bool]  # Whether to explain the score of each result.
    limit: NotRequired[int]  # The maximum number of results. Default 10.
    min_relevance: NotRequired[float]  # The minimum relevance of results. Default 0.


class ContextInput(TypedDict):
    agent_id: str  # The id of the agent. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    query: NotRequired[str | None]  # What the prompt is about, such as the newest message of the user. Without it, the newest is told. At most 8192 bytes of UTF-8, without NUL or lone surrogates.
    sessionId: NotRequired[str | None]  # The conversation that goes on: its newest turns are told, whatever is asked. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    subject: NotRequired[str | None]  # Whom it is for. Without it, only what belongs to nobody in particular is told. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    max_tokens: int  # The most tokens that the text may have. Tokens are estimated near what common tokenizers count.
    profile_tokens: NotRequired[int]  # How many of them may tell how somebody wants things always done and what they prefer, whatever the query is. Default: a quarter of `max_tokens`, and at most 400.


class HiveInput(TypedDict):
    name: str  # Names need not be unique. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates.
    description: NotRequired[str]  # What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates.
    metadata: NotRequired[dict[str, Any]]  # Arbitrary metadata: any keys and values, at most 16384 bytes as JSON.


class WebhookInput(TypedDict):
    url: str  # Where events are POSTed: https, on a public host. At most 2048 bytes of UTF-8, without NUL or lone surrogates.
    events: list[Literal["run.completed", "run.failed", "run.timed_out", "run.cancelled", "run.input_required", "message.received", "memory.created", "memory.updated", "memory.deleted", "agent.created", "agent.updated", "usage.alert", "audit.recorded"]]  # The events that it is told.
    agent_id: NotRequired[str | None]  # Tells it of this agent only. Null, the default, means all.
    description: NotRequired[str]  # What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates.


class UsageAlertsInput(TypedDict):
    thresholds: NotRequired[list[int]]  # The percentages of the monthly quota at which an alert is sent, at most 10. An empty list turns alerts off.


class ModelBudgetInputPerSubject(TypedDict):
    """What the runs of each subject may use in a month, of all agents together."""
    tokens_per_month: NotRequired[int]  # Tokens of the runs of one subject in a month, input and output.
    cost_per_month: NotRequired[float]  # US dollars of the runs of one subject in a month.


class ModelBudgetInput(TypedDict):
    tokens_per_month: NotRequired[int]  # Tokens of all agents in a month, input and output.
    cost_per_month: NotRequired[float]  # US dollars of all agents in a month.
    per_subject: NotRequired[ModelBudgetInputPerSubject]  # What the runs of each subject may use in a month, of all agents together.


class KeyInput(TypedDict):
    name: str  # A name for telling it from others. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates.
    mode: Literal["live", "test"]  # `live` keys work in the workspace, `test` keys in its sandbox.
    scopes: NotRequired[list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin"]]]  # The scopes granted. Defaults to the scopes of the key that creates it.
    expires_at: NotRequired[str | None]  # When it expires: a time in the future, ISO 8601 with a time zone. Null means never.


class ReplaceAgentInput(TypedDict):
    name: NotRequired[str]  # Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates.
    description: NotRequired[str]  # What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates.
    config: NotRequired[AgentConfig]
    hives: NotRequired[list[str]]  # The ids of hives of this workspace.
    metadata: NotRequired[dict[str, Any]]  # Arbitrary metadata: any keys and values, at most 16384 bytes as JSON.
    wake_on_message: NotRequired[bool]  # Whether a mailbox message starts a run. Default false.
    memory_quota: NotRequired[int | None]  # The maximum number of its long-term memories. Null, the default, means unlimited.
    maxRuntimeSeconds: NotRequired[int | None]  # The runtime budget of each run in seconds. Null means the service default.
    status: NotRequired[Literal["active", "inactive", "terminated"]]  # An inactive agent rejects messages and runs. A terminated agent can only be set inactive.
    id: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    memory_count: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    spawned_by: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    ends_at: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    message_count: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    created_at: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    updated_at: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    last_active_at: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.


class PatchAgentInputConfigBudget(TypedDict):
    """What runs may use of model servers. One that reaches its budget is asked for its answer, and stops with `stopReason: budget`; where that of the month is used up, no run begins. Money counts where prices are known."""
    tokens_per_run: NotRequired[int]  # Tokens of one run, input and output.
    cost_per_run: NotRequired[float]  # US dollars of one run.
    tokens_per_tree: NotRequired[int]  # Tokens of one run and of all that it asks of other agents, directly or through others.
    cost_per_tree: NotRequired[float]  # US dollars of the same.
    tokens_per_month: NotRequired[int]  # Tokens of all runs in a month.
    cost_per_month: NotRequired[float]  # US dollars of all runs in a month.


class PatchAgentInputConfigSpawn(TypedDict):
    """Replaces the setting as a whole. Null removes it."""
    most: int  # How many agents that it has spawned there may be at a time.
    model: NotRequired[str | list[str]]  # Their model. Without it, that of the agent.


class PatchAgentInputConfigReasoning(TypedDict):
    """Replaces the setting as a whole. Null removes it."""
    effort: NotRequired[Literal["none", "minimal", "low", "medium", "high"]]  # How much the model thinks before it speaks; `none` turns thinking off.
    max_tokens: NotRequired[int]  # The most tokens that it thinks.


class PatchAgentInputConfigOutputSchema(TypedDict):
    """Replaces the schema as a whole. Null removes it."""
    type: Literal["object"]


class PatchAgentInputConfigToolsItem1InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class PatchAgentInputConfigToolsItem1(TypedDict):
    """A tool that whoever started the run carries out: the run pauses, and is resumed with the results."""
    kind: Literal["client"]
    name: str  # The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[PatchAgentInputConfigToolsItem1InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.


class PatchAgentInputConfigToolsItem2InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class PatchAgentInputConfigToolsItem2Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class PatchAgentInputConfigToolsItem2(TypedDict):
    """A tool that the service calls by HTTP."""
    kind: Literal["http"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[PatchAgentInputConfigToolsItem2InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    url: str  # Where the arguments are POSTed as JSON: https, on a public host.
    secret: NotRequired[PatchAgentInputConfigToolsItem2Secret]  # A secret that is sent with each call.
    keyed: NotRequired[bool]  # Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class PatchAgentInputConfigToolsItem3Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class PatchAgentInputConfigToolsItem3(TypedDict):
    """A server of the Model Context Protocol, whose tools the service calls."""
    kind: Literal["mcp"]
    name: str  # The name of the server here. Its tools are called `<name>.<tool>`.
    url: NotRequired[str]  # Its endpoint (streamable HTTP): https, on a public host.
    command: NotRequired[str]  # In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio.
    allow: NotRequired[list[str]]  # The names of its tools that the model may call. Without it, all of them.
    reads_only: NotRequired[bool | list[str]]  # What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    repeatable: NotRequired[bool | list[str]]  # What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    approval: NotRequired[Literal["ask", "never"] | dict[str, Literal["ask", "never"]]]  # Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    annotations: NotRequired[Literal["trusted", "ignored"]]  # Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
    secret: NotRequired[PatchAgentInputConfigToolsItem3Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class PatchAgentInputConfigToolsItem4VerifyKeysItem(TypedDict):
    """A public key (JWK)."""
    kty: Literal["EC", "RSA", "OKP"]  # The type of the key.
    kid: NotRequired[str]  # Its name, by which signatures say that it has made them.
    alg: NotRequired[str]  # The one algorithm that it is for, such as `ES256`.
    use: NotRequired[Literal["sig"]]  # What it is for.
    crv: NotRequired[str]  # The curve (EC, OKP).
    x: NotRequired[str]  # Of the point (EC), or the key (OKP).
    y: NotRequired[str]  # Of the point (EC).
    n: NotRequired[str]  # The modulus (RSA).
    e: NotRequired[str]  # The exponent (RSA).


class PatchAgentInputConfigToolsItem4Verify(TypedDict):
    """The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at."""
    jwks: NotRequired[str]  # Where the public keys are (JWKS): https, on a public host. They are read with the card.
    keys: NotRequired[list[PatchAgentInputConfigToolsItem4VerifyKeysItem]]  # The public keys themselves, at most 8.


class PatchAgentInputConfigToolsItem4Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class PatchAgentInputConfigToolsItem4(TypedDict):
    """An agent elsewhere that speaks A2A: the run sends it a message, and waits for its task."""
    kind: Literal["a2a"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    card: str  # The URL of its agent card: https, on a public host.
    verify: NotRequired[PatchAgentInputConfigToolsItem4Verify]  # The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at.
    description: NotRequired[str]  # What it does and when to ask it, for the model. Without it, what its card says.
    allow: NotRequired[list[str]]  # The ids of the skills of its card that the model is told of. Without it, all of them.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    keyed: NotRequired[bool]  # Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it.
    accept_questions: NotRequired[bool]  # Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled.
    secret: NotRequired[PatchAgentInputConfigToolsItem4Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that an answer is waited for. Default 300. None of it counts in the budget of the run.


class PatchAgentInputConfigMailbox(TypedDict):
    """Settings of the mailbox. Null resets them."""
    accept: NotRequired[Literal["all", "hive"] | list[str] | None]


class PatchAgentInputConfigA2a(TypedDict):
    """Settings of the A2A endpoint. Null resets them."""
    progress: NotRequired[Literal["off", "short", "text", "thoughts", None]]  # What A2A streams tell on the way: `off` is states and the answer, `short` neutral lines of what is done, `text` the answer while it is written, to callers with agent:read, `thoughts` also what the agent thinks, for callers with agent:read that ask. Unset: `thoughts`, with the lines for 0.2 and 0.3 only.


class PatchAgentInputConfigMemory(TypedDict):
    """Settings of recall and conversations. Null resets them."""
    min_relevance: NotRequired[float | None]  # The minimum relevance of recalled memories.
    recall_limit: NotRequired[int | None]  # The maximum number of memories per recall.
    conversation: NotRequired[Literal["on", "off"] | int | None]
    learn: NotRequired[Literal["model", "off", None]]  # Whether facts in what is said to the agent become memories: by the `model` of `config.model` (the default), which picks passages after the run, or `off`.
    recall_tokens: NotRequired[int | None]  # The most that a model is told of what was recalled, for a run or by the tool `recall`, in tokens, which are estimated: the best memories first, and of one that does not fit a passage. Default 2000.
    profile_tokens: NotRequired[int | None]  # The most that a model is told at each step of how somebody wants things always done and what they prefer, in tokens, which are estimated: the newest. Default 400; 0 turns it off.
    context_tokens: NotRequired[int | None]  # How much of its session a run is given as it was said, the newest turns, in tokens of about four bytes. Default 8000. Older turns are found by recall.


class PatchAgentInputConfig(TypedDict):
    """Merged key by key at any depth. Null removes a key, or the whole configuration. The merged result has at most 65536 bytes as JSON."""
    model: NotRequired[str | list[str] | None]
    max_output_tokens: NotRequired[int | None]  # The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued.
    temperature: NotRequired[float | None]  # The sampling temperature passed to the model; 0 is the most predictable.
    multi_step: NotRequired[bool | None]  # Whether runs may take several steps; messages over A2A are then answered while the run continues. Default false.
    max_steps: NotRequired[int | None]  # The maximum number of steps of a run that does not set its own.
    max_parallel: NotRequired[int | None]  # How many runs of the agent may be running at a time, each in a session of its own; of one session it is always one. Default 8.
    budget: NotRequired[PatchAgentInputConfigBudget | None]  # What runs may use of model servers. One that reaches its budget is asked for its answer, and stops with `stopReason: budget`; where that of the month is used up, no run begins. Money counts where prices are known.
    timezone: NotRequired[str | None]  # The time zone of schedules of the agent that are made without one of their own, and in which its model is told the time where no block says another, a name of the IANA database such as `Europe/Berlin`. Default `UTC`.
    instructions: NotRequired[str | None]  # Instructions that tell the model its role and task. At most 32768 bytes of UTF-8, without NUL or lone surrogates.
    validation_gate: NotRequired[Literal["none", "action", "answer", None]]  # Pauses runs for approval: before each action that remembers, sends or shares something, or uses a tool of its own that does not only read (`action`), or before the answer, and whatever else is told to whoever asked (`answer`).
    accepts: NotRequired[list[Literal["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]] | None]  # Replaces the list as a whole. Null removes it.
    builtin_tools: NotRequired[list[Literal["recall", "remember", "update_memory", "forget", "block_replace", "block_append", "send_message", "share_with_hive", "ask_agent", "hand_off", "ask_human"]] | None]  # Replaces the list as a whole. Null removes it.
    spawn: NotRequired[PatchAgentInputConfigSpawn | None]  # Replaces the setting as a whole. Null removes it.
    reasoning: NotRequired[PatchAgentInputConfigReasoning | None]  # Replaces the setting as a whole. Null removes it.
    output_schema: NotRequired[PatchAgentInputConfigOutputSchema | None]  # Replaces the schema as a whole. Null removes it.
    tools: NotRequired[list[PatchAgentInputConfigToolsItem1 | PatchAgentInputConfigToolsItem2 | PatchAgentInputConfigToolsItem3 | PatchAgentInputConfigToolsItem4] | None]  # Replaces the list of tools as a whole. Null removes it.
    mailbox: NotRequired[PatchAgentInputConfigMailbox | None]  # Settings of the mailbox. Null resets them.
    a2a: NotRequired[PatchAgentInputConfigA2a | None]  # Settings of the A2A endpoint. Null resets them.
    card: NotRequired[dict[str, Any] | None]  # What the cards at the well-known paths say, merged as the rest. Null resets it.
    memory: NotRequired[PatchAgentInputConfigMemory | None]  # Settings of recall and conversations. Null resets them.


class PatchAgentInput(TypedDict):
    name: NotRequired[str]  # Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates.
    description: NotRequired[str | None]  # What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates.
    status: NotRequired[Literal["active", "inactive", "terminated"]]  # An inactive agent rejects messages and runs. A terminated agent can only be set inactive.
    config: NotRequired[PatchAgentInputConfig | None]  # Merged key by key at any depth. Null removes a key, or the whole configuration. The merged result has at most 65536 bytes as JSON.
    hives: NotRequired[list[str] | None]  # The ids of hives of this workspace.
    metadata: NotRequired[dict[str, Any] | None]  # Merged key by key at any depth. Null removes a key, or all metadata. The merged result has at most 16384 bytes as JSON.
    wake_on_message: NotRequired[bool | None]  # Whether a mailbox message starts a run. Default false.
    memory_quota: NotRequired[int | None]  # The maximum number of its long-term memories. Null, the default, means unlimited.
    maxRuntimeSeconds: NotRequired[int | None]  # The runtime budget of each run in seconds. Null means the service default.
    id: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    memory_count: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    spawned_by: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    ends_at: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    message_count: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    created_at: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    updated_at: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.
    last_active_at: NotRequired[Any]  # Accepted and ignored, so that an agent can be sent back as it was read.


class MessageInputFilesItem(TypedDict):
    filename: NotRequired[str]  # The name of the file, which the agent is told. At most 256 bytes of UTF-8, without NUL or lone surrogates.
    mediaType: str  # The media type: text/*, application/json, or one that the agent accepts (`config.accepts`). At most 256 bytes of UTF-8, without NUL or lone surrogates.
    bytes: str  # The content, base64-encoded.


class MessageInputOverridesOutputSchema(TypedDict):
    """The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema."""
    type: Literal["object"]


class MessageInputOverridesToolsItem1InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class MessageInputOverridesToolsItem1(TypedDict):
    """A tool that whoever started the run carries out: the run pauses, and is resumed with the results."""
    kind: Literal["client"]
    name: str  # The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[MessageInputOverridesToolsItem1InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.


class MessageInputOverridesToolsItem2InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class MessageInputOverridesToolsItem2Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class MessageInputOverridesToolsItem2(TypedDict):
    """A tool that the service calls by HTTP."""
    kind: Literal["http"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[MessageInputOverridesToolsItem2InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    url: str  # Where the arguments are POSTed as JSON: https, on a public host.
    secret: NotRequired[MessageInputOverridesToolsItem2Secret]  # A secret that is sent with each call.
    keyed: NotRequired[bool]  # Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class MessageInputOverridesToolsItem3Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class MessageInputOverridesToolsItem3(TypedDict):
    """A server of the Model Context Protocol, whose tools the service calls."""
    kind: Literal["mcp"]
    name: str  # The name of the server here. Its tools are called `<name>.<tool>`.
    url: NotRequired[str]  # Its endpoint (streamable HTTP): https, on a public host.
    command: NotRequired[str]  # In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio.
    allow: NotRequired[list[str]]  # The names of its tools that the model may call. Without it, all of them.
    reads_only: NotRequired[bool | list[str]]  # What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    repeatable: NotRequired[bool | list[str]]  # What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    approval: NotRequired[Literal["ask", "never"] | dict[str, Literal["ask", "never"]]]  # Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    annotations: NotRequired[Literal["trusted", "ignored"]]  # Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
    secret: NotRequired[MessageInputOverridesToolsItem3Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class MessageInputOverridesToolsItem4VerifyKeysItem(TypedDict):
    """A public key (JWK)."""
    kty: Literal["EC", "RSA", "OKP"]  # The type of the key.
    kid: NotRequired[str]  # Its name, by which signatures say that it has made them.
    alg: NotRequired[str]  # The one algorithm that it is for, such as `ES256`.
    use: NotRequired[Literal["sig"]]  # What it is for.
    crv: NotRequired[str]  # The curve (EC, OKP).
    x: NotRequired[str]  # Of the point (EC), or the key (OKP).
    y: NotRequired[str]  # Of the point (EC).
    n: NotRequired[str]  # The modulus (RSA).
    e: NotRequired[str]  # The exponent (RSA).


class MessageInputOverridesToolsItem4Verify(TypedDict):
    """The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at."""
    jwks: NotRequired[str]  # Where the public keys are (JWKS): https, on a public host. They are read with the card.
    keys: NotRequired[list[MessageInputOverridesToolsItem4VerifyKeysItem]]  # The public keys themselves, at most 8.


class MessageInputOverridesToolsItem4Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class MessageInputOverridesToolsItem4(TypedDict):
    """An agent elsewhere that speaks A2A: the run sends it a message, and waits for its task."""
    kind: Literal["a2a"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    card: str  # The URL of its agent card: https, on a public host.
    verify: NotRequired[MessageInputOverridesToolsItem4Verify]  # The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at.
    description: NotRequired[str]  # What it does and when to ask it, for the model. Without it, what its card says.
    allow: NotRequired[list[str]]  # The ids of the skills of its card that the model is told of. Without it, all of them.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    keyed: NotRequired[bool]  # Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it.
    accept_questions: NotRequired[bool]  # Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled.
    secret: NotRequired[MessageInputOverridesToolsItem4Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that an answer is waited for. Default 300. None of it counts in the budget of the run.


class MessageInputOverridesToolChoice2(TypedDict):
    name: str  # The name of the tool.


class MessageInputOverridesSampling(TypedDict):
    """How the model samples, as far as its server knows these."""
    top_p: NotRequired[float]  # The share of the likeliest tokens that are sampled from.
    stop: NotRequired[list[str]]  # Texts at which the model stops.
    seed: NotRequired[int]  # What sampling begins from.
    presence_penalty: NotRequired[float]  # Makes what was said already less likely.
    frequency_penalty: NotRequired[float]  # Makes what was said often less likely.


class MessageInputOverrides(TypedDict):
    """What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed."""
    model: NotRequired[str | list[str]]  # The model of this run, as in the configuration of an agent.
    instructions: NotRequired[str]  # Takes the place of the agent's instructions.
    temperature: NotRequired[float]  # The sampling temperature passed to the model; 0 is the most predictable.
    max_output_tokens: NotRequired[int]  # The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued.
    output_schema: NotRequired[MessageInputOverridesOutputSchema | None]  # The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema.
    tools: NotRequired[list[MessageInputOverridesToolsItem1 | MessageInputOverridesToolsItem2 | MessageInputOverridesToolsItem3 | MessageInputOverridesToolsItem4]]  # Take the place of the agent's own tools in this run, as in the configuration of an agent.
    tool_choice: NotRequired[Literal["required"] | MessageInputOverridesToolChoice2]  # Has the model call one of these tools, or the one of this name, before it answers.
    parallel_tool_calls: NotRequired[Literal[False]]  # False has the model call at most one of these tools at a time.
    sampling: NotRequired[MessageInputOverridesSampling]  # How the model samples, as far as its server knows these.


class MessageInput(TypedDict):
    content: str  # What is said to the agent. Not blank; at most 262144 bytes of UTF-8, without NUL or lone surrogates.
    files: NotRequired[list[MessageInputFilesItem]]  # Files that come with it, at most 20. Texts are read below their names; images and PDFs are given to the model, if it takes them.
    sessionId: NotRequired[str | None]  # The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    subject: NotRequired[str | None]  # Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    on_busy: NotRequired[Literal["enqueue", "reject", "interrupt", "steer"]]  # What to do where it would have to wait: let the new run wait for its turn (`enqueue`, the default), or answer 409 AGENT_BUSY while the agent has a run in progress (`reject`). `interrupt` cancels the run that is going on in the session, and says it in its place; `steer` says it to that run, which sees it at its next step. Where nothing is going on there, it begins a run.
    overrides: NotRequired[MessageInputOverrides | None]  # What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed.
    metadata: NotRequired[dict[str, Any]]  # Metadata of the run: any keys and values, at most 16384 bytes as JSON. Its forks have it, too.


class RunInputFilesItem(TypedDict):
    filename: NotRequired[str]  # The name of the file, which the agent is told. At most 256 bytes of UTF-8, without NUL or lone surrogates.
    mediaType: str  # The media type: text/*, application/json, or one that the agent accepts (`config.accepts`). At most 256 bytes of UTF-8, without NUL or lone surrogates.
    bytes: str  # The content, base64-encoded.


class RunInputOverridesOutputSchema(TypedDict):
    """The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema."""
    type: Literal["object"]


class RunInputOverridesToolsItem1InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class RunInputOverridesToolsItem1(TypedDict):
    """A tool that whoever started the run carries out: the run pauses, and is resumed with the results."""
    kind: Literal["client"]
    name: str  # The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[RunInputOverridesToolsItem1InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.


class RunInputOverridesToolsItem2InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class RunInputOverridesToolsItem2Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class RunInputOverridesToolsItem2(TypedDict):
    """A tool that the service calls by HTTP."""
    kind: Literal["http"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[RunInputOverridesToolsItem2InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    url: str  # Where the arguments are POSTed as JSON: https, on a public host.
    secret: NotRequired[RunInputOverridesToolsItem2Secret]  # A secret that is sent with each call.
    keyed: NotRequired[bool]  # Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class RunInputOverridesToolsItem3Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class RunInputOverridesToolsItem3(TypedDict):
    """A server of the Model Context Protocol, whose tools the service calls."""
    kind: Literal["mcp"]
    name: str  # The name of the server here. Its tools are called `<name>.<tool>`.
    url: NotRequired[str]  # Its endpoint (streamable HTTP): https, on a public host.
    command: NotRequired[str]  # In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio.
    allow: NotRequired[list[str]]  # The names of its tools that the model may call. Without it, all of them.
    reads_only: NotRequired[bool | list[str]]  # What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    repeatable: NotRequired[bool | list[str]]  # What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    approval: NotRequired[Literal["ask", "never"] | dict[str, Literal["ask", "never"]]]  # Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    annotations: NotRequired[Literal["trusted", "ignored"]]  # Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
    secret: NotRequired[RunInputOverridesToolsItem3Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class RunInputOverridesToolsItem4VerifyKeysItem(TypedDict):
    """A public key (JWK)."""
    kty: Literal["EC", "RSA", "OKP"]  # The type of the key.
    kid: NotRequired[str]  # Its name, by which signatures say that it has made them.
    alg: NotRequired[str]  # The one algorithm that it is for, such as `ES256`.
    use: NotRequired[Literal["sig"]]  # What it is for.
    crv: NotRequired[str]  # The curve (EC, OKP).
    x: NotRequired[str]  # Of the point (EC), or the key (OKP).
    y: NotRequired[str]  # Of the point (EC).
    n: NotRequired[str]  # The modulus (RSA).
    e: NotRequired[str]  # The exponent (RSA).


class RunInputOverridesToolsItem4Verify(TypedDict):
    """The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at."""
    jwks: NotRequired[str]  # Where the public keys are (JWKS): https, on a public host. They are read with the card.
    keys: NotRequired[list[RunInputOverridesToolsItem4VerifyKeysItem]]  # The public keys themselves, at most 8.


class RunInputOverridesToolsItem4Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class RunInputOverridesToolsItem4(TypedDict):
    """An agent elsewhere that speaks A2A: the run sends it a message, and waits for its task."""
    kind: Literal["a2a"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    card: str  # The URL of its agent card: https, on a public host.
    verify: NotRequired[RunInputOverridesToolsItem4Verify]  # The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at.
    description: NotRequired[str]  # What it does and when to ask it, for the model. Without it, what its card says.
    allow: NotRequired[list[str]]  # The ids of the skills of its card that the model is told of. Without it, all of them.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    keyed: NotRequired[bool]  # Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it.
    accept_questions: NotRequired[bool]  # Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled.
    secret: NotRequired[RunInputOverridesToolsItem4Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that an answer is waited for. Default 300. None of it counts in the budget of the run.


class RunInputOverridesToolChoice2(TypedDict):
    name: str  # The name of the tool.


class RunInputOverridesSampling(TypedDict):
    """How the model samples, as far as its server knows these."""
    top_p: NotRequired[float]  # The share of the likeliest tokens that are sampled from.
    stop: NotRequired[list[str]]  # Texts at which the model stops.
    seed: NotRequired[int]  # What sampling begins from.
    presence_penalty: NotRequired[float]  # Makes what was said already less likely.
    frequency_penalty: NotRequired[float]  # Makes what was said often less likely.


class RunInputOverrides(TypedDict):
    """What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed."""
    model: NotRequired[str | list[str]]  # The model of this run, as in the configuration of an agent.
    instructions: NotRequired[str]  # Takes the place of the agent's instructions.
    temperature: NotRequired[float]  # The sampling temperature passed to the model; 0 is the most predictable.
    max_output_tokens: NotRequired[int]  # The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued.
    output_schema: NotRequired[RunInputOverridesOutputSchema | None]  # The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema.
    tools: NotRequired[list[RunInputOverridesToolsItem1 | RunInputOverridesToolsItem2 | RunInputOverridesToolsItem3 | RunInputOverridesToolsItem4]]  # Take the place of the agent's own tools in this run, as in the configuration of an agent.
    tool_choice: NotRequired[Literal["required"] | RunInputOverridesToolChoice2]  # Has the model call one of these tools, or the one of this name, before it answers.
    parallel_tool_calls: NotRequired[Literal[False]]  # False has the model call at most one of these tools at a time.
    sampling: NotRequired[RunInputOverridesSampling]  # How the model samples, as far as its server knows these.


class RunInput(TypedDict):
    input: str  # What the agent is asked or told. Not blank; at most 262144 bytes of UTF-8, without NUL or lone surrogates.
    files: NotRequired[list[RunInputFilesItem]]  # Files that come with it, at most 20. Texts are read below their names; images and PDFs are given to the model, if it takes them.
    sessionId: NotRequired[str | None]  # The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    subject: NotRequired[str | None]  # Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    maxSteps: NotRequired[int]  # The maximum number of reasoner calls. Defaults to the configuration of the agent.
    maxRuntimeSeconds: NotRequired[int]  # The maximum reasoning time in seconds. Defaults to the setting of the agent.
    on_busy: NotRequired[Literal["enqueue", "reject", "interrupt", "steer"]]  # What to do where it would have to wait: let the new run wait for its turn (`enqueue`, the default), or answer 409 AGENT_BUSY while the agent has a run in progress (`reject`). `interrupt` cancels the run that is going on in the session, and says it in its place; `steer` says it to that run, which sees it at its next step. Where nothing is going on there, it begins a run.
    overrides: NotRequired[RunInputOverrides | None]  # What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed.
    metadata: NotRequired[dict[str, Any]]  # Metadata of the run: any keys and values, at most 16384 bytes as JSON. Its forks have it, too.


class ScheduleInputOverridesOutputSchema(TypedDict):
    """The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema."""
    type: Literal["object"]


class ScheduleInputOverridesToolsItem1InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class ScheduleInputOverridesToolsItem1(TypedDict):
    """A tool that whoever started the run carries out: the run pauses, and is resumed with the results."""
    kind: Literal["client"]
    name: str  # The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[ScheduleInputOverridesToolsItem1InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.


class ScheduleInputOverridesToolsItem2InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class ScheduleInputOverridesToolsItem2Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class ScheduleInputOverridesToolsItem2(TypedDict):
    """A tool that the service calls by HTTP."""
    kind: Literal["http"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[ScheduleInputOverridesToolsItem2InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    url: str  # Where the arguments are POSTed as JSON: https, on a public host.
    secret: NotRequired[ScheduleInputOverridesToolsItem2Secret]  # A secret that is sent with each call.
    keyed: NotRequired[bool]  # Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class ScheduleInputOverridesToolsItem3Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class ScheduleInputOverridesToolsItem3(TypedDict):
    """A server of the Model Context Protocol, whose tools the service calls."""
    kind: Literal["mcp"]
    name: str  # The name of the server here. Its tools are called `<name>.<tool>`.
    url: NotRequired[str]  # Its endpoint (streamable HTTP): https, on a public host.
    command: NotRequired[str]  # In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio.
    allow: NotRequired[list[str]]  # The names of its tools that the model may call. Without it, all of them.
    reads_only: NotRequired[bool | list[str]]  # What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    repeatable: NotRequired[bool | list[str]]  # What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    approval: NotRequired[Literal["ask", "never"] | dict[str, Literal["ask", "never"]]]  # Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    annotations: NotRequired[Literal["trusted", "ignored"]]  # Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
    secret: NotRequired[ScheduleInputOverridesToolsItem3Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class ScheduleInputOverridesToolsItem4VerifyKeysItem(TypedDict):
    """A public key (JWK)."""
    kty: Literal["EC", "RSA", "OKP"]  # The type of the key.
    kid: NotRequired[str]  # Its name, by which signatures say that it has made them.
    alg: NotRequired[str]  # The one algorithm that it is for, such as `ES256`.
    use: NotRequired[Literal["sig"]]  # What it is for.
    crv: NotRequired[str]  # The curve (EC, OKP).
    x: NotRequired[str]  # Of the point (EC), or the key (OKP).
    y: NotRequired[str]  # Of the point (EC).
    n: NotRequired[str]  # The modulus (RSA).
    e: NotRequired[str]  # The exponent (RSA).


class ScheduleInputOverridesToolsItem4Verify(TypedDict):
    """The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at."""
    jwks: NotRequired[str]  # Where the public keys are (JWKS): https, on a public host. They are read with the card.
    keys: NotRequired[list[ScheduleInputOverridesToolsItem4VerifyKeysItem]]  # The public keys themselves, at most 8.


class ScheduleInputOverridesToolsItem4Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class ScheduleInputOverridesToolsItem4(TypedDict):
    """An agent elsewhere that speaks A2A: the run sends it a message, and waits for its task."""
    kind: Literal["a2a"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    card: str  # The URL of its agent card: https, on a public host.
    verify: NotRequired[ScheduleInputOverridesToolsItem4Verify]  # The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at.
    description: NotRequired[str]  # What it does and when to ask it, for the model. Without it, what its card says.
    allow: NotRequired[list[str]]  # The ids of the skills of its card that the model is told of. Without it, all of them.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    keyed: NotRequired[bool]  # Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it.
    accept_questions: NotRequired[bool]  # Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled.
    secret: NotRequired[ScheduleInputOverridesToolsItem4Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that an answer is waited for. Default 300. None of it counts in the budget of the run.


class ScheduleInputOverridesToolChoice2(TypedDict):
    name: str  # The name of the tool.


class ScheduleInputOverridesSampling(TypedDict):
    """How the model samples, as far as its server knows these."""
    top_p: NotRequired[float]  # The share of the likeliest tokens that are sampled from.
    stop: NotRequired[list[str]]  # Texts at which the model stops.
    seed: NotRequired[int]  # What sampling begins from.
    presence_penalty: NotRequired[float]  # Makes what was said already less likely.
    frequency_penalty: NotRequired[float]  # Makes what was said often less likely.


class ScheduleInputOverrides(TypedDict):
    """What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed."""
    model: NotRequired[str | list[str]]  # The model of this run, as in the configuration of an agent.
    instructions: NotRequired[str]  # Takes the place of the agent's instructions.
    temperature: NotRequired[float]  # The sampling temperature passed to the model; 0 is the most predictable.
    max_output_tokens: NotRequired[int]  # The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued.
    output_schema: NotRequired[ScheduleInputOverridesOutputSchema | None]  # The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema.
    tools: NotRequired[list[ScheduleInputOverridesToolsItem1 | ScheduleInputOverridesToolsItem2 | ScheduleInputOverridesToolsItem3 | ScheduleInputOverridesToolsItem4]]  # Take the place of the agent's own tools in this run, as in the configuration of an agent.
    tool_choice: NotRequired[Literal["required"] | ScheduleInputOverridesToolChoice2]  # Has the model call one of these tools, or the one of this name, before it answers.
    parallel_tool_calls: NotRequired[Literal[False]]  # False has the model call at most one of these tools at a time.
    sampling: NotRequired[ScheduleInputOverridesSampling]  # How the model samples, as far as its server knows these.


class ScheduleInput(TypedDict):
    cron: NotRequired[str]  # A cron expression of five fields (minute, hour, day, month, day of the week), such as `30 9 * * 1-5`. Give either `cron`, `every` or `at`.
    every: NotRequired[int]  # So many seconds from one time to the next, beginning with the creation of the schedule.
    at: NotRequired[str]  # One time in the future, ISO 8601 with a time zone.
    timezone: NotRequired[str | None]  # The time zone of `cron`, a name of the IANA database such as `Europe/Berlin`. Default: `config.timezone` of the agent, or else `UTC`; without `cron` it is left out.
    input: str  # What the agent is asked or told each time. Not blank; at most 262144 bytes of UTF-8, without NUL or lone surrogates.
    sessionId: NotRequired[str | None]  # The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    subject: NotRequired[str | None]  # Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    overrides: NotRequired[ScheduleInputOverrides | None]  # What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed.
    catch_up: NotRequired[Literal["one", "none"]]  # What becomes of times that came while the service was not there: one run for all of them (`one`, the default), or `none`.
    if_running: NotRequired[Literal["queue", "skip"]]  # What a time does while the run before has not ended, be it that it is pending, running or paused: its own run is begun all the same, and waits where it has to (`queue`, the default), or there is none (`skip`).
    name: NotRequired[str | None]  # A name of your own, which no other schedule of the agent has. PUT .../schedules/by-name/:scheduleName makes or replaces the schedule of a name.


class MailboxInput(TypedDict):
    content: str  # The text of the message. Not blank; at most 262144 bytes of UTF-8, without NUL or lone surrogates.
    from_: NotRequired[str | None]  # The sending agent; requires the scope `agent:manage`. Without it the sender is `external`. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    reply_to: NotRequired[str | None]  # The id of the message it answers. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    subject: NotRequired[str | None]  # Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    metadata: NotRequired[dict[str, Any]]  # Arbitrary metadata: any keys and values, at most 16384 bytes as JSON.


class MemoryPatch(TypedDict):
    type: NotRequired[str]  # The kind of memory, for example `semantic`, `episodic` or `procedural`.
    content: NotRequired[str]  # What is to be remembered. Not blank; at most 65536 bytes of UTF-8, without NUL or lone surrogates.
    importance: NotRequired[float | None]  # Breaks ties between memories that match a search equally well. 0.5 is neutral, like no value.
    occurred_at: NotRequired[str | None]  # When the content was said or happened, ISO 8601 with a time zone. Defaults to `created_at`.
    speaker: NotRequired[str | None]  # Who said it. Without it, recall uses a leading `Name: ` of the content.
    expires_at: NotRequired[str | None]  # When it expires: a time in the future, ISO 8601 with a time zone. Null means never.
    valid_until: NotRequired[str | None]  # When the fact stops being true, ISO 8601 with a time zone. Null makes a superseded memory current again.
    metadata: NotRequired[dict[str, Any] | None]  # Merged key by key at any depth. Null removes a key, or all metadata. The merged result has at most 16384 bytes as JSON.


class PatchHiveInput(TypedDict):
    name: NotRequired[str]  # Names need not be unique. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates.
    description: NotRequired[str | None]  # What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates.
    metadata: NotRequired[dict[str, Any] | None]  # Merged key by key at any depth. Null removes a key, or all metadata. The merged result has at most 16384 bytes as JSON.


class JoinInput(TypedDict):
    agent_id: str  # The id of the agent. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.


class ShareInput(TypedDict):
    type: str  # The kind of memory, for example `semantic`, `episodic` or `procedural`.
    content: str  # The text to share. Not blank; at most 65536 bytes of UTF-8, without NUL or lone surrogates.
    sessionId: NotRequired[str | None]  # The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    subject: NotRequired[str | None]  # Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    importance: NotRequired[float | None]  # Breaks ties between memories that match a search equally well. 0.5 is neutral, like no value.
    occurred_at: NotRequired[str]  # When the content was said or happened, ISO 8601 with a time zone. Defaults to `created_at`.
    speaker: NotRequired[str | None]  # Who said it. Without it, recall uses a leading `Name: ` of the content.
    supersedes: NotRequired[str | None]  # The memory of the same context that it replaces. The replaced memory gets `valid_until`, is kept, and is found only by searches that include history.
    metadata: NotRequired[dict[str, Any]]  # Arbitrary metadata: any keys and values, at most 16384 bytes as JSON.
    agent_id: str  # The id of the agent. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.


class TokenInput(TypedDict):
    name: str  # A name for telling it from others. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates.
    scopes: list[Literal["agent:spawn", "agent:read", "agent:manage", "memory:read", "memory:write", "hive:read", "hive:write", "usage:read", "workspace:admin", "agent:mcp"]]  # The scopes granted at the endpoint of the agent.
    expires_at: NotRequired[str | None]  # When it expires: a time in the future, ISO 8601 with a time zone. Null means never.
    tasks: NotRequired[Literal["all", "own", None]]  # The A2A tasks that it reads, continues, answers and cancels: `all` of the agent (the default), or its `own`. What others said to the agent is then kept from its tasks, too. `own` does not go with `agent:mcp`.


class WebhookPatch(TypedDict):
    url: NotRequired[str]  # Where events are POSTed: https, on a public host. At most 2048 bytes of UTF-8, without NUL or lone surrogates.
    events: NotRequired[list[Literal["run.completed", "run.failed", "run.timed_out", "run.cancelled", "run.input_required", "message.received", "memory.created", "memory.updated", "memory.deleted", "agent.created", "agent.updated", "usage.alert", "audit.recorded"]]]  # The events that it is told.
    agent_id: NotRequired[str | None]  # Tells it of this agent only. Null, the default, means all.
    description: NotRequired[str | None]  # What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates.
    enabled: NotRequired[bool]  # Whether it is told anything. What waits for a webhook that is disabled is dropped.


class ToolTryInput(TypedDict):
    arguments: NotRequired[dict[str, Any]]  # What it is called with, by its `input_schema`. Default: no arguments.


class ResumeInputResultsItem(TypedDict):
    id: str  # The id of the call, from `waitingFor`. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    content: NotRequired[str]  # What it came to. At most 262144 bytes of UTF-8, without NUL or lone surrogates.
    error: NotRequired[str]  # Why it could not be carried out. At most 262144 bytes of UTF-8, without NUL or lone surrogates.


class ResumeInputFilesItem(TypedDict):
    filename: NotRequired[str]  # The name of the file, which the agent is told. At most 256 bytes of UTF-8, without NUL or lone surrogates.
    mediaType: str  # The media type: text/*, application/json, or one that the agent accepts (`config.accepts`). At most 256 bytes of UTF-8, without NUL or lone surrogates.
    bytes: str  # The content, base64-encoded.


class ResumeInput(TypedDict):
    decision: NotRequired[Literal["approve", "reject"]]  # The decision, if the run waits for approval.
    input: NotRequired[str]  # The answer to a question, or a comment on a decision.
    results: NotRequired[list[ResumeInputResultsItem]]  # The results of the calls that the run waits for, one for each; at most 1048576 bytes as JSON.
    files: NotRequired[list[ResumeInputFilesItem]]  # Files that come with it, at most 20. Texts are read below their names; images and PDFs are given to the model, if it takes them.
    answers: NotRequired[str]  # The `id` of the question that this answers, from `waitingFor`. If the run does not wait for that one any more, the answer is 409 CONFLICT, and nothing changes.


class ForkInput(TypedDict):
    checkpoint: str | int  # A checkpoint of the run: its id or its step number.


class NamedScheduleInputOverridesOutputSchema(TypedDict):
    """The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema."""
    type: Literal["object"]


class NamedScheduleInputOverridesToolsItem1InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class NamedScheduleInputOverridesToolsItem1(TypedDict):
    """A tool that whoever started the run carries out: the run pauses, and is resumed with the results."""
    kind: Literal["client"]
    name: str  # The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[NamedScheduleInputOverridesToolsItem1InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.


class NamedScheduleInputOverridesToolsItem2InputSchema(TypedDict):
    """The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object."""
    type: Literal["object"]


class NamedScheduleInputOverridesToolsItem2Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class NamedScheduleInputOverridesToolsItem2(TypedDict):
    """A tool that the service calls by HTTP."""
    kind: Literal["http"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    description: str  # What it does and when to use it, for the model. At most 4096 characters.
    input_schema: NotRequired[NamedScheduleInputOverridesToolsItem2InputSchema]  # The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    url: str  # Where the arguments are POSTed as JSON: https, on a public host.
    secret: NotRequired[NamedScheduleInputOverridesToolsItem2Secret]  # A secret that is sent with each call.
    keyed: NotRequired[bool]  # Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class NamedScheduleInputOverridesToolsItem3Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class NamedScheduleInputOverridesToolsItem3(TypedDict):
    """A server of the Model Context Protocol, whose tools the service calls."""
    kind: Literal["mcp"]
    name: str  # The name of the server here. Its tools are called `<name>.<tool>`.
    url: NotRequired[str]  # Its endpoint (streamable HTTP): https, on a public host.
    command: NotRequired[str]  # In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio.
    allow: NotRequired[list[str]]  # The names of its tools that the model may call. Without it, all of them.
    reads_only: NotRequired[bool | list[str]]  # What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    repeatable: NotRequired[bool | list[str]]  # What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted.
    approval: NotRequired[Literal["ask", "never"] | dict[str, Literal["ask", "never"]]]  # Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    annotations: NotRequired[Literal["trusted", "ignored"]]  # Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
    secret: NotRequired[NamedScheduleInputOverridesToolsItem3Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that a call may take. Default 30.


class NamedScheduleInputOverridesToolsItem4VerifyKeysItem(TypedDict):
    """A public key (JWK)."""
    kty: Literal["EC", "RSA", "OKP"]  # The type of the key.
    kid: NotRequired[str]  # Its name, by which signatures say that it has made them.
    alg: NotRequired[str]  # The one algorithm that it is for, such as `ES256`.
    use: NotRequired[Literal["sig"]]  # What it is for.
    crv: NotRequired[str]  # The curve (EC, OKP).
    x: NotRequired[str]  # Of the point (EC), or the key (OKP).
    y: NotRequired[str]  # Of the point (EC).
    n: NotRequired[str]  # The modulus (RSA).
    e: NotRequired[str]  # The exponent (RSA).


class NamedScheduleInputOverridesToolsItem4Verify(TypedDict):
    """The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at."""
    jwks: NotRequired[str]  # Where the public keys are (JWKS): https, on a public host. They are read with the card.
    keys: NotRequired[list[NamedScheduleInputOverridesToolsItem4VerifyKeysItem]]  # The public keys themselves, at most 8.


class NamedScheduleInputOverridesToolsItem4Secret(TypedDict):
    """A secret that is sent with each call."""
    header: str  # The header that carries it, such as `Authorization`.
    value: NotRequired[str]  # The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.


class NamedScheduleInputOverridesToolsItem4(TypedDict):
    """An agent elsewhere that speaks A2A: the run sends it a message, and waits for its task."""
    kind: Literal["a2a"]
    name: str  # The name by which the model calls it: other than those of the built-in tools and of its other tools.
    card: str  # The URL of its agent card: https, on a public host.
    verify: NotRequired[NamedScheduleInputOverridesToolsItem4Verify]  # The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at.
    description: NotRequired[str]  # What it does and when to ask it, for the model. Without it, what its card says.
    allow: NotRequired[list[str]]  # The ids of the skills of its card that the model is told of. Without it, all of them.
    reads_only: NotRequired[bool]  # Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.
    approval: NotRequired[Literal["ask", "never"]]  # Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
    keyed: NotRequired[bool]  # Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it.
    accept_questions: NotRequired[bool]  # Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled.
    secret: NotRequired[NamedScheduleInputOverridesToolsItem4Secret]  # A secret that is sent with each call.
    timeout_seconds: NotRequired[int]  # The longest that an answer is waited for. Default 300. None of it counts in the budget of the run.


class NamedScheduleInputOverridesToolChoice2(TypedDict):
    name: str  # The name of the tool.


class NamedScheduleInputOverridesSampling(TypedDict):
    """How the model samples, as far as its server knows these."""
    top_p: NotRequired[float]  # The share of the likeliest tokens that are sampled from.
    stop: NotRequired[list[str]]  # Texts at which the model stops.
    seed: NotRequired[int]  # What sampling begins from.
    presence_penalty: NotRequired[float]  # Makes what was said already less likely.
    frequency_penalty: NotRequired[float]  # Makes what was said often less likely.


class NamedScheduleInputOverrides(TypedDict):
    """What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed."""
    model: NotRequired[str | list[str]]  # The model of this run, as in the configuration of an agent.
    instructions: NotRequired[str]  # Takes the place of the agent's instructions.
    temperature: NotRequired[float]  # The sampling temperature passed to the model; 0 is the most predictable.
    max_output_tokens: NotRequired[int]  # The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued.
    output_schema: NotRequired[NamedScheduleInputOverridesOutputSchema | None]  # The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema.
    tools: NotRequired[list[NamedScheduleInputOverridesToolsItem1 | NamedScheduleInputOverridesToolsItem2 | NamedScheduleInputOverridesToolsItem3 | NamedScheduleInputOverridesToolsItem4]]  # Take the place of the agent's own tools in this run, as in the configuration of an agent.
    tool_choice: NotRequired[Literal["required"] | NamedScheduleInputOverridesToolChoice2]  # Has the model call one of these tools, or the one of this name, before it answers.
    parallel_tool_calls: NotRequired[Literal[False]]  # False has the model call at most one of these tools at a time.
    sampling: NotRequired[NamedScheduleInputOverridesSampling]  # How the model samples, as far as its server knows these.


class NamedScheduleInput(TypedDict):
    cron: NotRequired[str]  # A cron expression of five fields (minute, hour, day, month, day of the week), such as `30 9 * * 1-5`. Give either `cron`, `every` or `at`.
    every: NotRequired[int]  # So many seconds from one time to the next, beginning with the creation of the schedule.
    at: NotRequired[str]  # One time in the future, ISO 8601 with a time zone.
    timezone: NotRequired[str | None]  # The time zone of `cron`, a name of the IANA database such as `Europe/Berlin`. Default: `config.timezone` of the agent, or else `UTC`; without `cron` it is left out.
    input: str  # What the agent is asked or told each time. Not blank; at most 262144 bytes of UTF-8, without NUL or lone surrogates.
    sessionId: NotRequired[str | None]  # The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    subject: NotRequired[str | None]  # Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    overrides: NotRequired[NamedScheduleInputOverrides | None]  # What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed.
    catch_up: NotRequired[Literal["one", "none"]]  # What becomes of times that came while the service was not there: one run for all of them (`one`, the default), or `none`.
    if_running: NotRequired[Literal["queue", "skip"]]  # What a time does while the run before has not ended, be it that it is pending, running or paused: its own run is begun all the same, and waits where it has to (`queue`, the default), or there is none (`skip`).


class SchedulePatch(TypedDict):
    paused: bool  # Whether the schedule is paused. Times that come meanwhile are not caught up with.


class BlockInput(TypedDict):
    value: str  # What the model is told at each step. At most 16384 bytes of UTF-8, without NUL or lone surrogates.
    description: NotRequired[str]  # What the block is for, which the model is told with it. At most 512 bytes of UTF-8, without NUL or lone surrogates.
    limit: NotRequired[int]  # The most characters that it may have, at most 4000. Default 2000.
    read_only: NotRequired[bool]  # Whether the model of the agent may not change it. Default false.


class BlockPatch(TypedDict):
    value: NotRequired[str]  # What the model is told at each step. At most 16384 bytes of UTF-8, without NUL or lone surrogates.
    description: NotRequired[str]  # What the block is for, which the model is told with it. At most 512 bytes of UTF-8, without NUL or lone surrogates.
    limit: NotRequired[int]  # The most characters that it may have, at most 4000. Default 2000.
    read_only: NotRequired[bool]  # Whether the model of the agent may not change it. Default false.
    restore: NotRequired[int]  # The number of one of its `versions`, whose value it is given again. Not together with `value`.


class ListAgentsQuery(TypedDict):
    name: NotRequired[str]  # Only agents whose name starts with this text, case-insensitively. The list is then sorted by name.
    status: NotRequired[Literal["active", "inactive", "terminated"]]  # Only agents with this status.
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).
    limit: NotRequired[int]  # An alias of `page_size`, for paging by `offset`. It cannot be combined with `page_size`.
    offset: NotRequired[int]  # The number of items to skip. It cannot be combined with `cursor`. Unlike cursors, offsets shift when items are created or deleted meanwhile.


class ListRunsQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ListAllRunsQuery(TypedDict):
    status: NotRequired[Literal["pending", "running", "paused", "completed", "failed", "timeout", "cancelled"]]  # Only runs with this status.
    agent_id: NotRequired[str]  # Only those of this agent.
    created_after: NotRequired[str]  # Only what was created at this time or later, ISO 8601 with a time zone.
    created_before: NotRequired[str]  # Only what was created before this time, ISO 8601 with a time zone.
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class FollowRunQuery(TypedDict):
    lastEventId: NotRequired[str]  # The same as Last-Event-ID, for clients that cannot set headers. If both are given, the header wins.


class ListThoughtsQuery(TypedDict):
    sessionId: NotRequired[str]  # Only those of this session.
    thoughtType: NotRequired[Literal["goal", "recall", "insight", "action", "result", "reflection"]]  # Only thoughts of this type.
    limit: NotRequired[int]  # The number of items per page.
    page_size: NotRequired[int]  # Another name of `limit`, up to 100. Not together with it.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ListCheckpointsQuery(TypedDict):
    runId: NotRequired[str]  # Only those of this run.
    sessionId: NotRequired[str]  # Only those of this session.
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ListAllSessionsQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ListSessionsQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ListTurnsQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ListSchedulesQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class RunScheduleBody(TypedDict):
    pass


class ListMessagesQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`). By default unread messages come first, and the newest first within each group.


class ListBlocksQuery(TypedDict):
    subject: NotRequired[str]  # Whom it is about. Without it, the block that is told whoever the agent works for. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class GetBlockQuery(TypedDict):
    subject: NotRequired[str]  # Whom it is about. Without it, the block that is told whoever the agent works for. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.


class SetBlockQuery(TypedDict):
    subject: NotRequired[str]  # Whom it is about. Without it, the block that is told whoever the agent works for. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.


class PatchBlockQuery(TypedDict):
    subject: NotRequired[str]  # Whom it is about. Without it, the block that is told whoever the agent works for. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.


class DeleteBlockQuery(TypedDict):
    subject: NotRequired[str]  # Whom it is about. Without it, the block that is told whoever the agent works for. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.


class GetProfileQuery(TypedDict):
    subject: NotRequired[str]  # Whose profile it is. Without it, that of nobody in particular.


class RejectProfileEntryQuery(TypedDict):
    subject: NotRequired[str]  # Whose profile it is. Without it, that of nobody in particular.


class ListMemoriesQuery(TypedDict):
    agent_id: NotRequired[str]  # Only those of this agent.
    hive_id: NotRequired[str]  # Only those of this hive.
    type: NotRequired[str]  # Only those of this type.
    sessionId: NotRequired[str]  # Only those of this session.
    source: NotRequired[str]  # At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`.
    run_id: NotRequired[str]  # Only memories that this run wrote.
    created_after: NotRequired[str]  # Only what was created at this time or later, ISO 8601 with a time zone.
    created_before: NotRequired[str]  # Only what was created before this time, ISO 8601 with a time zone.
    occurred_after: NotRequired[str]  # Only what occurred at this time or later, ISO 8601 with a time zone.
    occurred_before: NotRequired[str]  # Only what occurred before this time, ISO 8601 with a time zone.
    subject: NotRequired[str]  # Only memories of this subject, and of nobody else.
    speaker: NotRequired[str]  # Only memories whose `speaker` this is, compared case-insensitively.
    metadata: NotRequired[str]  # A JSON object. Only memories whose metadata has each of its keys with exactly that value.
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).
    limit: NotRequired[int]  # An alias of `page_size`, for paging by `offset`. It cannot be combined with `page_size`.
    offset: NotRequired[int]  # The number of items to skip. It cannot be combined with `cursor`. Unlike cursors, offsets shift when items are created or deleted meanwhile.


class ListMemoryHistoryQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ListHivesQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ListHiveAgentsQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ListSharedMemoriesQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ListTokensQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ListDeadLettersQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class ReplayDeadLetterBody(TypedDict):
    pass


class ListWebhooksQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class RotateWebhookSecretBody(TypedDict):
    pass


class TestWebhookBody(TypedDict):
    pass


class GetUsageQuery(TypedDict):
    agent_id: NotRequired[str]  # Only those of this agent.


class GetUsageDaysQuery(TypedDict):
    from_: NotRequired[str]  # The first day, UTC. Without it, 29 days before the last; at the earliest, 365 days before that.
    until: NotRequired[str]  # The last day, UTC. Without it, today.
    agent_id: NotRequired[str]  # Only those of this agent.


class GetModelBudgetQuery(TypedDict):
    subject: NotRequired[str]  # Tells what was used for this subject as well.


class ListKeysQuery(TypedDict):
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class RevokeKeyQuery(TypedDict):
    cascade: NotRequired[Literal["true", "false"]]  # Whether everything that the key minted is revoked too, and what that minted.


class ListAuditQuery(TypedDict):
    actor: NotRequired[str]  # Only what this key, token or person did, by its id.
    action: NotRequired[Literal["agent.created", "agent.updated", "agent.deleted", "alerts.updated", "block.deleted", "block.updated", "profile.updated", "budget.updated", "hive.created", "hive.updated", "hive.deleted", "hive.joined", "hive.left", "key.created", "key.revoked", "memory.updated", "memory.deleted", "memory.shared", "message.deleted", "push.registered", "push.removed", "push.replayed", "run.answered", "run.approved", "run.cancelled", "run.deleted", "run.forked", "run.rejected", "run.resumed", "schedule.created", "schedule.updated", "schedule.deleted", "schedule.started", "session.deleted", "subject.deleted", "token.created", "token.revoked", "tool.called", "webhook.created", "webhook.updated", "webhook.deleted", "workspace.exported", "workspace.imported"]]  # Only what was done so.
    agent_id: NotRequired[str]  # Only those of this agent.
    target_id: NotRequired[str]  # Only what was done to the thing with this id.
    created_after: NotRequired[str]  # Only what was created at this time or later, ISO 8601 with a time zone.
    created_before: NotRequired[str]  # Only what was created before this time, ISO 8601 with a time zone.
    page_size: NotRequired[int]  # The number of items per page.
    cursor: NotRequired[str]  # The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.
    sort: NotRequired[Literal["created_at", "updated_at", "relevance"]]  # The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.
    order: NotRequired[Literal["desc", "asc"]]  # Newest first (`desc`) or oldest first (`asc`).


class FollowWorkspaceQuery(TypedDict):
    types: NotRequired[str]  # Event types separated by commas, or what they begin with up to a dot: `agent,run.status`. Without it: all.
    agent_id: NotRequired[str]  # Only those of this agent.


class ExportRecordsQuery(TypedDict):
    agent_id: NotRequired[str]  # Only those of this agent.
    after: NotRequired[str]  # The id of an agent, of a hive or of this workspace: exports only what comes after it, to continue an export that was cut.


class ImportRecordsQuery(TypedDict):
    new_ids: NotRequired[str]  # Replaces all ids, by others for another label.
