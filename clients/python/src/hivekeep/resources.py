# Written by `npm run client-types` from the OpenAPI document. Do not edit.
# fmt: off
"""The operations of the API by resource, for callers that wait and for asyncio."""

from __future__ import annotations

from typing import Any, List, Unpack

from . import types as t
from ._transport import AsyncResource, Resource, quoted
from ._found import Found
from .pages import AsyncPages, Pages


class Agents(Resource):
    def spawn(self, *, idempotency_key: str | None = None, **body: Unpack[t.SpawnInput]) -> t.Agent:
        """Create an agent."""
        return self._transport.data("POST", "/v1/agents/spawn", body=body, idempotency_key=idempotency_key)

    def list(self, **query: Unpack[t.ListAgentsQuery]) -> Pages[t.Agent]:
        """List agents, optionally by the start of their names."""
        return Pages(self._transport, "/v1/agents", query)

    def get(self, id: str, /) -> t.Agent:
        """Get an agent."""
        return self._transport.data("GET", f"/v1/agents/{quoted(id)}")

    def replace(self, id: str, /, *, if_match: str | None = None, **body: Unpack[t.ReplaceAgentInput]) -> t.Agent:
        """Replace the given fields of an agent and keep the others."""
        return self._transport.data("PUT", f"/v1/agents/{quoted(id)}", body=body, if_match=if_match)

    def update(self, id: str, /, *, if_match: str | None = None, **body: Unpack[t.PatchAgentInput]) -> t.Agent:
        """Merge changes into an agent. Null removes a field."""
        return self._transport.data("PATCH", f"/v1/agents/{quoted(id)}", body=body, if_match=if_match)

    def delete(self, id: str, /, *, if_match: str | None = None) -> t.Deleted:
        """Delete an agent and all its data permanently."""
        return self._transport.data("DELETE", f"/v1/agents/{quoted(id)}", if_match=if_match)

    def message(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.MessageInput]) -> t.MessageReply:
        """Send a message and wait for the answer."""
        return self._transport.data("POST", f"/v1/agents/{quoted(id)}/message", body=body, idempotency_key=idempotency_key)

    def try_tool(self, id: str, tool_name: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ToolTryInput]) -> t.ToolTry:
        """Call a tool of an agent once, as a run would, and note it in the audit log."""
        return self._transport.data("POST", f"/v1/agents/{quoted(id)}/tools/{quoted(tool_name)}/try", body=body, idempotency_key=idempotency_key)


class AsyncAgents(AsyncResource):
    async def spawn(self, *, idempotency_key: str | None = None, **body: Unpack[t.SpawnInput]) -> t.Agent:
        """Create an agent."""
        return await self._transport.data("POST", "/v1/agents/spawn", body=body, idempotency_key=idempotency_key)

    def list(self, **query: Unpack[t.ListAgentsQuery]) -> AsyncPages[t.Agent]:
        """List agents, optionally by the start of their names."""
        return AsyncPages(self._transport, "/v1/agents", query)

    async def get(self, id: str, /) -> t.Agent:
        """Get an agent."""
        return await self._transport.data("GET", f"/v1/agents/{quoted(id)}")

    async def replace(self, id: str, /, *, if_match: str | None = None, **body: Unpack[t.ReplaceAgentInput]) -> t.Agent:
        """Replace the given fields of an agent and keep the others."""
        return await self._transport.data("PUT", f"/v1/agents/{quoted(id)}", body=body, if_match=if_match)

    async def update(self, id: str, /, *, if_match: str | None = None, **body: Unpack[t.PatchAgentInput]) -> t.Agent:
        """Merge changes into an agent. Null removes a field."""
        return await self._transport.data("PATCH", f"/v1/agents/{quoted(id)}", body=body, if_match=if_match)

    async def delete(self, id: str, /, *, if_match: str | None = None) -> t.Deleted:
        """Delete an agent and all its data permanently."""
        return await self._transport.data("DELETE", f"/v1/agents/{quoted(id)}", if_match=if_match)

    async def message(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.MessageInput]) -> t.MessageReply:
        """Send a message and wait for the answer."""
        return await self._transport.data("POST", f"/v1/agents/{quoted(id)}/message", body=body, idempotency_key=idempotency_key)

    async def try_tool(self, id: str, tool_name: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ToolTryInput]) -> t.ToolTry:
        """Call a tool of an agent once, as a run would, and note it in the audit log."""
        return await self._transport.data("POST", f"/v1/agents/{quoted(id)}/tools/{quoted(tool_name)}/try", body=body, idempotency_key=idempotency_key)


class Runs(Resource):
    def start(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.RunInput]) -> t.Run:
        """Start a run."""
        return self._transport.data("POST", f"/v1/agent-constellations/{quoted(id)}/runs", body=body, idempotency_key=idempotency_key)

    def list(self, id: str, /, **query: Unpack[t.ListRunsQuery]) -> Pages[t.Run]:
        """List the runs of an agent."""
        return Pages(self._transport, f"/v1/agent-constellations/{quoted(id)}/runs", query)

    def list_all(self, **query: Unpack[t.ListAllRunsQuery]) -> Pages[t.Run]:
        """List the runs of all agents."""
        return Pages(self._transport, "/v1/runs", query)

    def get(self, id: str, run_id: str, /) -> t.Run:
        """Get a run."""
        return self._transport.data("GET", f"/v1/agent-constellations/{quoted(id)}/runs/{quoted(run_id)}")

    def delete(self, id: str, run_id: str, /) -> t.Deleted:
        """Delete a run that has ended, with its thoughts, checkpoints and events."""
        return self._transport.data("DELETE", f"/v1/agent-constellations/{quoted(id)}/runs/{quoted(run_id)}")

    def tree(self, id: str, run_id: str, /) -> t.RunTree:
        """Get a run with all runs that it has asked of other agents, directly or through others."""
        return self._transport.data("GET", f"/v1/agent-constellations/{quoted(id)}/runs/{quoted(run_id)}/tree")

    def resume(self, id: str, run_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ResumeInput]) -> t.Run:
        """Resume a run that is paused or ran out of budget."""
        return self._transport.data("POST", f"/v1/agent-constellations/{quoted(id)}/runs/{quoted(run_id)}/resume", body=body, idempotency_key=idempotency_key)

    def file(self, id: str, sha256: str, /) -> t.File:
        """Get a file that came with a message to the agent."""
        return self._transport.data("GET", f"/v1/agent-constellations/{quoted(id)}/files/{quoted(sha256)}")

    def fork(self, id: str, run_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ForkInput]) -> t.Run:
        """Fork a run from a checkpoint."""
        return self._transport.data("POST", f"/v1/agent-constellations/{quoted(id)}/runs/{quoted(run_id)}/fork", body=body, idempotency_key=idempotency_key)

    def thoughts(self, id: str, /, **query: Unpack[t.ListThoughtsQuery]) -> Pages[t.Thought]:
        """List the thoughts of a run."""
        return Pages(self._transport, f"/v1/agent-constellations/{quoted(id)}/thoughts", query)

    def checkpoints(self, id: str, /, **query: Unpack[t.ListCheckpointsQuery]) -> Pages[t.Checkpoint]:
        """List the checkpoints of a run, one for each step."""
        return Pages(self._transport, f"/v1/agent-constellations/{quoted(id)}/checkpoints", query)


class AsyncRuns(AsyncResource):
    async def start(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.RunInput]) -> t.Run:
        """Start a run."""
        return await self._transport.data("POST", f"/v1/agent-constellations/{quoted(id)}/runs", body=body, idempotency_key=idempotency_key)

    def list(self, id: str, /, **query: Unpack[t.ListRunsQuery]) -> AsyncPages[t.Run]:
        """List the runs of an agent."""
        return AsyncPages(self._transport, f"/v1/agent-constellations/{quoted(id)}/runs", query)

    def list_all(self, **query: Unpack[t.ListAllRunsQuery]) -> AsyncPages[t.Run]:
        """List the runs of all agents."""
        return AsyncPages(self._transport, "/v1/runs", query)

    async def get(self, id: str, run_id: str, /) -> t.Run:
        """Get a run."""
        return await self._transport.data("GET", f"/v1/agent-constellations/{quoted(id)}/runs/{quoted(run_id)}")

    async def delete(self, id: str, run_id: str, /) -> t.Deleted:
        """Delete a run that has ended, with its thoughts, checkpoints and events."""
        return await self._transport.data("DELETE", f"/v1/agent-constellations/{quoted(id)}/runs/{quoted(run_id)}")

    async def tree(self, id: str, run_id: str, /) -> t.RunTree:
        """Get a run with all runs that it has asked of other agents, directly or through others."""
        return await self._transport.data("GET", f"/v1/agent-constellations/{quoted(id)}/runs/{quoted(run_id)}/tree")

    async def resume(self, id: str, run_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ResumeInput]) -> t.Run:
        """Resume a run that is paused or ran out of budget."""
        return await self._transport.data("POST", f"/v1/agent-constellations/{quoted(id)}/runs/{quoted(run_id)}/resume", body=body, idempotency_key=idempotency_key)

    async def file(self, id: str, sha256: str, /) -> t.File:
        """Get a file that came with a message to the agent."""
        return await self._transport.data("GET", f"/v1/agent-constellations/{quoted(id)}/files/{quoted(sha256)}")

    async def fork(self, id: str, run_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ForkInput]) -> t.Run:
        """Fork a run from a checkpoint."""
        return await self._transport.data("POST", f"/v1/agent-constellations/{quoted(id)}/runs/{quoted(run_id)}/fork", body=body, idempotency_key=idempotency_key)

    def thoughts(self, id: str, /, **query: Unpack[t.ListThoughtsQuery]) -> AsyncPages[t.Thought]:
        """List the thoughts of a run."""
        return AsyncPages(self._transport, f"/v1/agent-constellations/{quoted(id)}/thoughts", query)

    def checkpoints(self, id: str, /, **query: Unpack[t.ListCheckpointsQuery]) -> AsyncPages[t.Checkpoint]:
        """List the checkpoints of a run, one for each step."""
        return AsyncPages(self._transport, f"/v1/agent-constellations/{quoted(id)}/checkpoints", query)


class Sessions(Resource):
    def list_all(self, **query: Unpack[t.ListAllSessionsQuery]) -> Pages[t.Session]:
        """List the conversations of all agents."""
        return Pages(self._transport, "/v1/sessions", query)

    def list(self, id: str, /, **query: Unpack[t.ListSessionsQuery]) -> Pages[t.Session]:
        """List the conversations of an agent."""
        return Pages(self._transport, f"/v1/agents/{quoted(id)}/sessions", query)

    def turns(self, id: str, session_id: str, /, **query: Unpack[t.ListTurnsQuery]) -> Pages[t.Turn]:
        """List the turns of a conversation."""
        return Pages(self._transport, f"/v1/agents/{quoted(id)}/sessions/{quoted(session_id)}/turns", query)

    def delete(self, id: str, session_id: str, /) -> t.Deleted:
        """Delete a conversation with its runs, turns and memories."""
        return self._transport.data("DELETE", f"/v1/agents/{quoted(id)}/sessions/{quoted(session_id)}")

    def delete_subject(self, id: str, subject: str, /) -> t.Deleted:
        """Delete everything that an agent has of a subject: memories, runs, messages, schedules and blocks."""
        return self._transport.data("DELETE", f"/v1/agents/{quoted(id)}/subjects/{quoted(subject)}")


class AsyncSessions(AsyncResource):
    def list_all(self, **query: Unpack[t.ListAllSessionsQuery]) -> AsyncPages[t.Session]:
        """List the conversations of all agents."""
        return AsyncPages(self._transport, "/v1/sessions", query)

    def list(self, id: str, /, **query: Unpack[t.ListSessionsQuery]) -> AsyncPages[t.Session]:
        """List the conversations of an agent."""
        return AsyncPages(self._transport, f"/v1/agents/{quoted(id)}/sessions", query)

    def turns(self, id: str, session_id: str, /, **query: Unpack[t.ListTurnsQuery]) -> AsyncPages[t.Turn]:
        """List the turns of a conversation."""
        return AsyncPages(self._transport, f"/v1/agents/{quoted(id)}/sessions/{quoted(session_id)}/turns", query)

    async def delete(self, id: str, session_id: str, /) -> t.Deleted:
        """Delete a conversation with its runs, turns and memories."""
        return await self._transport.data("DELETE", f"/v1/agents/{quoted(id)}/sessions/{quoted(session_id)}")

    async def delete_subject(self, id: str, subject: str, /) -> t.Deleted:
        """Delete everything that an agent has of a subject: memories, runs, messages, schedules and blocks."""
        return await self._transport.data("DELETE", f"/v1/agents/{quoted(id)}/subjects/{quoted(subject)}")


class Schedules(Resource):
    def create(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ScheduleInput]) -> t.Schedule:
        """Start runs of an agent by a cron expression, at intervals or at one time."""
        return self._transport.data("POST", f"/v1/agents/{quoted(id)}/schedules", body=body, idempotency_key=idempotency_key)

    def list(self, id: str, /, **query: Unpack[t.ListSchedulesQuery]) -> Pages[t.Schedule]:
        """List the schedules of an agent, with their next times."""
        return Pages(self._transport, f"/v1/agents/{quoted(id)}/schedules", query)

    def set(self, id: str, schedule_name: str, /, **body: Unpack[t.NamedScheduleInput]) -> t.Schedule:
        """Make the schedule of a name, or replace what there is of that name."""
        return self._transport.data("PUT", f"/v1/agents/{quoted(id)}/schedules/by-name/{quoted(schedule_name)}", body=body)

    def get(self, id: str, schedule_id: str, /) -> t.Schedule:
        """Get a schedule."""
        return self._transport.data("GET", f"/v1/agents/{quoted(id)}/schedules/{quoted(schedule_id)}")

    def pause(self, id: str, schedule_id: str, /, **body: Unpack[t.SchedulePatch]) -> t.Schedule:
        """Pause a schedule, or let it go on with its next time."""
        return self._transport.data("PATCH", f"/v1/agents/{quoted(id)}/schedules/{quoted(schedule_id)}", body=body)

    def delete(self, id: str, schedule_id: str, /) -> t.Deleted:
        """Delete a schedule. Its runs stay."""
        return self._transport.data("DELETE", f"/v1/agents/{quoted(id)}/schedules/{quoted(schedule_id)}")

    def run(self, id: str, schedule_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.RunScheduleBody]) -> t.Run:
        """Start a run of a schedule now. Its times stay as they are."""
        return self._transport.data("POST", f"/v1/agents/{quoted(id)}/schedules/{quoted(schedule_id)}/run", body=body, idempotency_key=idempotency_key)


class AsyncSchedules(AsyncResource):
    async def create(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ScheduleInput]) -> t.Schedule:
        """Start runs of an agent by a cron expression, at intervals or at one time."""
        return await self._transport.data("POST", f"/v1/agents/{quoted(id)}/schedules", body=body, idempotency_key=idempotency_key)

    def list(self, id: str, /, **query: Unpack[t.ListSchedulesQuery]) -> AsyncPages[t.Schedule]:
        """List the schedules of an agent, with their next times."""
        return AsyncPages(self._transport, f"/v1/agents/{quoted(id)}/schedules", query)

    async def set(self, id: str, schedule_name: str, /, **body: Unpack[t.NamedScheduleInput]) -> t.Schedule:
        """Make the schedule of a name, or replace what there is of that name."""
        return await self._transport.data("PUT", f"/v1/agents/{quoted(id)}/schedules/by-name/{quoted(schedule_name)}", body=body)

    async def get(self, id: str, schedule_id: str, /) -> t.Schedule:
        """Get a schedule."""
        return await self._transport.data("GET", f"/v1/agents/{quoted(id)}/schedules/{quoted(schedule_id)}")

    async def pause(self, id: str, schedule_id: str, /, **body: Unpack[t.SchedulePatch]) -> t.Schedule:
        """Pause a schedule, or let it go on with its next time."""
        return await self._transport.data("PATCH", f"/v1/agents/{quoted(id)}/schedules/{quoted(schedule_id)}", body=body)

    async def delete(self, id: str, schedule_id: str, /) -> t.Deleted:
        """Delete a schedule. Its runs stay."""
        return await self._transport.data("DELETE", f"/v1/agents/{quoted(id)}/schedules/{quoted(schedule_id)}")

    async def run(self, id: str, schedule_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.RunScheduleBody]) -> t.Run:
        """Start a run of a schedule now. Its times stay as they are."""
        return await self._transport.data("POST", f"/v1/agents/{quoted(id)}/schedules/{quoted(schedule_id)}/run", body=body, idempotency_key=idempotency_key)


class Mailbox(Resource):
    def send(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.MailboxInput]) -> t.MailboxMessage:
        """Send a message to the mailbox of an agent."""
        return self._transport.data("POST", f"/v1/agent-constellations/{quoted(id)}/messages", body=body, idempotency_key=idempotency_key)

    def list(self, id: str, /, **query: Unpack[t.ListMessagesQuery]) -> Pages[t.MailboxMessage]:
        """List mailbox messages: unread first, or by time if an order is given."""
        return Pages(self._transport, f"/v1/agent-constellations/{quoted(id)}/messages", query)

    def traffic(self) -> t.Traffic:
        """Count the messages between agents in the last hour."""
        return self._transport.data("GET", "/v1/mailbox/traffic")

    def delete(self, id: str, message_id: str, /) -> t.Deleted:
        """Delete a mailbox message."""
        return self._transport.data("DELETE", f"/v1/agent-constellations/{quoted(id)}/messages/{quoted(message_id)}")


class AsyncMailbox(AsyncResource):
    async def send(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.MailboxInput]) -> t.MailboxMessage:
        """Send a message to the mailbox of an agent."""
        return await self._transport.data("POST", f"/v1/agent-constellations/{quoted(id)}/messages", body=body, idempotency_key=idempotency_key)

    def list(self, id: str, /, **query: Unpack[t.ListMessagesQuery]) -> AsyncPages[t.MailboxMessage]:
        """List mailbox messages: unread first, or by time if an order is given."""
        return AsyncPages(self._transport, f"/v1/agent-constellations/{quoted(id)}/messages", query)

    async def traffic(self) -> t.Traffic:
        """Count the messages between agents in the last hour."""
        return await self._transport.data("GET", "/v1/mailbox/traffic")

    async def delete(self, id: str, message_id: str, /) -> t.Deleted:
        """Delete a mailbox message."""
        return await self._transport.data("DELETE", f"/v1/agent-constellations/{quoted(id)}/messages/{quoted(message_id)}")


class Blocks(Resource):
    def list(self, id: str, /, **query: Unpack[t.ListBlocksQuery]) -> Pages[t.Block]:
        """List the blocks of an agent, optionally those of one subject."""
        return Pages(self._transport, f"/v1/agents/{quoted(id)}/blocks", query)

    def get(self, id: str, label: str, /, **query: Unpack[t.GetBlockQuery]) -> t.Block:
        """Get a block of an agent."""
        return self._transport.data("GET", f"/v1/agents/{quoted(id)}/blocks/{quoted(label)}", query=query)

    def set(self, id: str, label: str, /, *, if_match: str | None = None, subject: str | None = None, **body: Unpack[t.BlockInput]) -> t.Block:
        """Make a block of an agent, or replace what there is of its label."""
        return self._transport.data("PUT", f"/v1/agents/{quoted(id)}/blocks/{quoted(label)}", body=body, query={"subject": subject}, if_match=if_match)

    def update(self, id: str, label: str, /, *, if_match: str | None = None, subject: str | None = None, **body: Unpack[t.BlockPatch]) -> t.Block:
        """Change fields of a block, or give it again what it said before."""
        return self._transport.data("PATCH", f"/v1/agents/{quoted(id)}/blocks/{quoted(label)}", body=body, query={"subject": subject}, if_match=if_match)

    def delete(self, id: str, label: str, /, *, if_match: str | None = None, **query: Unpack[t.DeleteBlockQuery]) -> t.Deleted:
        """Delete a block of an agent, with what it said before."""
        return self._transport.data("DELETE", f"/v1/agents/{quoted(id)}/blocks/{quoted(label)}", query=query, if_match=if_match)


class AsyncBlocks(AsyncResource):
    def list(self, id: str, /, **query: Unpack[t.ListBlocksQuery]) -> AsyncPages[t.Block]:
        """List the blocks of an agent, optionally those of one subject."""
        return AsyncPages(self._transport, f"/v1/agents/{quoted(id)}/blocks", query)

    async def get(self, id: str, label: str, /, **query: Unpack[t.GetBlockQuery]) -> t.Block:
        """Get a block of an agent."""
        return await self._transport.data("GET", f"/v1/agents/{quoted(id)}/blocks/{quoted(label)}", query=query)

    async def set(self, id: str, label: str, /, *, if_match: str | None = None, subject: str | None = None, **body: Unpack[t.BlockInput]) -> t.Block:
        """Make a block of an agent, or replace what there is of its label."""
        return await self._transport.data("PUT", f"/v1/agents/{quoted(id)}/blocks/{quoted(label)}", body=body, query={"subject": subject}, if_match=if_match)

    async def update(self, id: str, label: str, /, *, if_match: str | None = None, subject: str | None = None, **body: Unpack[t.BlockPatch]) -> t.Block:
        """Change fields of a block, or give it again what it said before."""
        return await self._transport.data("PATCH", f"/v1/agents/{quoted(id)}/blocks/{quoted(label)}", body=body, query={"subject": subject}, if_match=if_match)

    async def delete(self, id: str, label: str, /, *, if_match: str | None = None, **query: Unpack[t.DeleteBlockQuery]) -> t.Deleted:
        """Delete a block of an agent, with what it said before."""
        return await self._transport.data("DELETE", f"/v1/agents/{quoted(id)}/blocks/{quoted(label)}", query=query, if_match=if_match)


class Profiles(Resource):
    def get(self, id: str, /, **query: Unpack[t.GetProfileQuery]) -> t.Profile:
        """Get what an agent keeps in mind of a subject, and what says it."""
        return self._transport.data("GET", f"/v1/agents/{quoted(id)}/profile", query=query)

    def reject(self, id: str, entry_id: str, /, **query: Unpack[t.RejectProfileEntryQuery]) -> t.Deleted:
        """Take an entry out of a profile, so that it does not come back from what says it now."""
        return self._transport.data("DELETE", f"/v1/agents/{quoted(id)}/profile/{quoted(entry_id)}", query=query)


class AsyncProfiles(AsyncResource):
    async def get(self, id: str, /, **query: Unpack[t.GetProfileQuery]) -> t.Profile:
        """Get what an agent keeps in mind of a subject, and what says it."""
        return await self._transport.data("GET", f"/v1/agents/{quoted(id)}/profile", query=query)

    async def reject(self, id: str, entry_id: str, /, **query: Unpack[t.RejectProfileEntryQuery]) -> t.Deleted:
        """Take an entry out of a profile, so that it does not come back from what says it now."""
        return await self._transport.data("DELETE", f"/v1/agents/{quoted(id)}/profile/{quoted(entry_id)}", query=query)


class Memories(Resource):
    def create(self, *, idempotency_key: str | None = None, **body: Unpack[t.MemoryInput]) -> t.Memory:
        """Create a memory."""
        return self._transport.data("POST", "/v1/memories", body=body, idempotency_key=idempotency_key)

    def list(self, **query: Unpack[t.ListMemoriesQuery]) -> Pages[t.Memory]:
        """List memories."""
        return Pages(self._transport, "/v1/memories", query)

    def create_many(self, *, idempotency_key: str | None = None, **body: Unpack[t.MemoryBatchInput]) -> t.BatchResult:
        """Create up to 500 memories, with an outcome for each."""
        return self._transport.data("POST", "/v1/memories/batch", body=body, idempotency_key=idempotency_key)

    def search(self, **body: Unpack[t.SearchInput]) -> Found[t.FoundMemory]:
        """Search memories by content, best match first."""
        return self._transport.found("POST", "/v1/memories/search", body=body)

    def context(self, **body: Unpack[t.ContextInput]) -> t.PromptContext:
        """Get what an agent knows as a text for a prompt, within a number of tokens."""
        return self._transport.data("POST", "/v1/context", body=body)

    def get(self, id: str, /) -> t.Memory:
        """Get a memory."""
        return self._transport.data("GET", f"/v1/memories/{quoted(id)}")

    def update(self, id: str, /, **body: Unpack[t.MemoryPatch]) -> t.Memory:
        """Update a memory. Null removes a field."""
        return self._transport.data("PATCH", f"/v1/memories/{quoted(id)}", body=body)

    def delete(self, id: str, /) -> t.Deleted:
        """Delete a memory."""
        return self._transport.data("DELETE", f"/v1/memories/{quoted(id)}")

    def history(self, id: str, /, **query: Unpack[t.ListMemoryHistoryQuery]) -> Pages[t.Memory]:
        """List the history of a memory: what it replaced and what replaced it."""
        return Pages(self._transport, f"/v1/memories/{quoted(id)}/history", query)


class AsyncMemories(AsyncResource):
    async def create(self, *, idempotency_key: str | None = None, **body: Unpack[t.MemoryInput]) -> t.Memory:
        """Create a memory."""
        return await self._transport.data("POST", "/v1/memories", body=body, idempotency_key=idempotency_key)

    def list(self, **query: Unpack[t.ListMemoriesQuery]) -> AsyncPages[t.Memory]:
        """List memories."""
        return AsyncPages(self._transport, "/v1/memories", query)

    async def create_many(self, *, idempotency_key: str | None = None, **body: Unpack[t.MemoryBatchInput]) -> t.BatchResult:
        """Create up to 500 memories, with an outcome for each."""
        return await self._transport.data("POST", "/v1/memories/batch", body=body, idempotency_key=idempotency_key)

    async def search(self, **body: Unpack[t.SearchInput]) -> Found[t.FoundMemory]:
        """Search memories by content, best match first."""
        return await self._transport.found("POST", "/v1/memories/search", body=body)

    async def context(self, **body: Unpack[t.ContextInput]) -> t.PromptContext:
        """Get what an agent knows as a text for a prompt, within a number of tokens."""
        return await self._transport.data("POST", "/v1/context", body=body)

    async def get(self, id: str, /) -> t.Memory:
        """Get a memory."""
        return await self._transport.data("GET", f"/v1/memories/{quoted(id)}")

    async def update(self, id: str, /, **body: Unpack[t.MemoryPatch]) -> t.Memory:
        """Update a memory. Null removes a field."""
        return await self._transport.data("PATCH", f"/v1/memories/{quoted(id)}", body=body)

    async def delete(self, id: str, /) -> t.Deleted:
        """Delete a memory."""
        return await self._transport.data("DELETE", f"/v1/memories/{quoted(id)}")

    def history(self, id: str, /, **query: Unpack[t.ListMemoryHistoryQuery]) -> AsyncPages[t.Memory]:
        """List the history of a memory: what it replaced and what replaced it."""
        return AsyncPages(self._transport, f"/v1/memories/{quoted(id)}/history", query)


class Hives(Resource):
    def create(self, *, idempotency_key: str | None = None, **body: Unpack[t.HiveInput]) -> t.Hive:
        """Create a hive."""
        return self._transport.data("POST", "/v1/hives", body=body, idempotency_key=idempotency_key)

    def list(self, **query: Unpack[t.ListHivesQuery]) -> Pages[t.Hive]:
        """List hives."""
        return Pages(self._transport, "/v1/hives", query)

    def get(self, id: str, /) -> t.Hive:
        """Get a hive."""
        return self._transport.data("GET", f"/v1/hives/{quoted(id)}")

    def update(self, id: str, /, **body: Unpack[t.PatchHiveInput]) -> t.Hive:
        """Update the name, description or metadata of a hive."""
        return self._transport.data("PATCH", f"/v1/hives/{quoted(id)}", body=body)

    def delete(self, id: str, /) -> t.Deleted:
        """Delete a hive and the memories shared in it."""
        return self._transport.data("DELETE", f"/v1/hives/{quoted(id)}")

    def members(self, id: str, /, **query: Unpack[t.ListHiveAgentsQuery]) -> Pages[t.Agent]:
        """List the agents of a hive."""
        return Pages(self._transport, f"/v1/hives/{quoted(id)}/agents", query)

    def join(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.JoinInput]) -> t.Agent:
        """Add an agent to a hive."""
        return self._transport.data("POST", f"/v1/hives/{quoted(id)}/agents", body=body, idempotency_key=idempotency_key)

    def leave(self, id: str, agent_id: str, /) -> t.Deleted:
        """Remove an agent from a hive."""
        return self._transport.data("DELETE", f"/v1/hives/{quoted(id)}/agents/{quoted(agent_id)}")

    def memories(self, id: str, /, **query: Unpack[t.ListSharedMemoriesQuery]) -> Pages[t.Memory]:
        """List the memories shared in a hive."""
        return Pages(self._transport, f"/v1/hives/{quoted(id)}/memories", query)

    def share(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ShareInput]) -> t.Memory:
        """Share a memory in a hive on behalf of a member agent."""
        return self._transport.data("POST", f"/v1/hives/{quoted(id)}/memories", body=body, idempotency_key=idempotency_key)


class AsyncHives(AsyncResource):
    async def create(self, *, idempotency_key: str | None = None, **body: Unpack[t.HiveInput]) -> t.Hive:
        """Create a hive."""
        return await self._transport.data("POST", "/v1/hives", body=body, idempotency_key=idempotency_key)

    def list(self, **query: Unpack[t.ListHivesQuery]) -> AsyncPages[t.Hive]:
        """List hives."""
        return AsyncPages(self._transport, "/v1/hives", query)

    async def get(self, id: str, /) -> t.Hive:
        """Get a hive."""
        return await self._transport.data("GET", f"/v1/hives/{quoted(id)}")

    async def update(self, id: str, /, **body: Unpack[t.PatchHiveInput]) -> t.Hive:
        """Update the name, description or metadata of a hive."""
        return await self._transport.data("PATCH", f"/v1/hives/{quoted(id)}", body=body)

    async def delete(self, id: str, /) -> t.Deleted:
        """Delete a hive and the memories shared in it."""
        return await self._transport.data("DELETE", f"/v1/hives/{quoted(id)}")

    def members(self, id: str, /, **query: Unpack[t.ListHiveAgentsQuery]) -> AsyncPages[t.Agent]:
        """List the agents of a hive."""
        return AsyncPages(self._transport, f"/v1/hives/{quoted(id)}/agents", query)

    async def join(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.JoinInput]) -> t.Agent:
        """Add an agent to a hive."""
        return await self._transport.data("POST", f"/v1/hives/{quoted(id)}/agents", body=body, idempotency_key=idempotency_key)

    async def leave(self, id: str, agent_id: str, /) -> t.Deleted:
        """Remove an agent from a hive."""
        return await self._transport.data("DELETE", f"/v1/hives/{quoted(id)}/agents/{quoted(agent_id)}")

    def memories(self, id: str, /, **query: Unpack[t.ListSharedMemoriesQuery]) -> AsyncPages[t.Memory]:
        """List the memories shared in a hive."""
        return AsyncPages(self._transport, f"/v1/hives/{quoted(id)}/memories", query)

    async def share(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ShareInput]) -> t.Memory:
        """Share a memory in a hive on behalf of a member agent."""
        return await self._transport.data("POST", f"/v1/hives/{quoted(id)}/memories", body=body, idempotency_key=idempotency_key)


class Tokens(Resource):
    def mint(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.TokenInput]) -> t.MintedToken:
        """Create a token for the A2A endpoint of an agent."""
        return self._transport.data("POST", f"/v1/agent-constellations/{quoted(id)}/tokens", body=body, idempotency_key=idempotency_key)

    def list(self, id: str, /, **query: Unpack[t.ListTokensQuery]) -> Pages[t.AgentToken]:
        """List tokens, without their secrets."""
        return Pages(self._transport, f"/v1/agent-constellations/{quoted(id)}/tokens", query)

    def revoke(self, id: str, token_id: str, /) -> t.Deleted:
        """Revoke a token."""
        return self._transport.data("DELETE", f"/v1/agent-constellations/{quoted(id)}/tokens/{quoted(token_id)}")


class AsyncTokens(AsyncResource):
    async def mint(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.TokenInput]) -> t.MintedToken:
        """Create a token for the A2A endpoint of an agent."""
        return await self._transport.data("POST", f"/v1/agent-constellations/{quoted(id)}/tokens", body=body, idempotency_key=idempotency_key)

    def list(self, id: str, /, **query: Unpack[t.ListTokensQuery]) -> AsyncPages[t.AgentToken]:
        """List tokens, without their secrets."""
        return AsyncPages(self._transport, f"/v1/agent-constellations/{quoted(id)}/tokens", query)

    async def revoke(self, id: str, token_id: str, /) -> t.Deleted:
        """Revoke a token."""
        return await self._transport.data("DELETE", f"/v1/agent-constellations/{quoted(id)}/tokens/{quoted(token_id)}")


class DeadLetters(Resource):
    def list(self, **query: Unpack[t.ListDeadLettersQuery]) -> Pages[t.DeadLetter]:
        """List push notifications that could not be delivered."""
        return Pages(self._transport, "/v1/push/dead-letters", query)

    def replay(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ReplayDeadLetterBody]) -> t.DeadLetter:
        """Retry a push notification, starting from its first attempt."""
        return self._transport.data("POST", f"/v1/push/dead-letters/{quoted(id)}/replay", body=body, idempotency_key=idempotency_key)


class AsyncDeadLetters(AsyncResource):
    def list(self, **query: Unpack[t.ListDeadLettersQuery]) -> AsyncPages[t.DeadLetter]:
        """List push notifications that could not be delivered."""
        return AsyncPages(self._transport, "/v1/push/dead-letters", query)

    async def replay(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.ReplayDeadLetterBody]) -> t.DeadLetter:
        """Retry a push notification, starting from its first attempt."""
        return await self._transport.data("POST", f"/v1/push/dead-letters/{quoted(id)}/replay", body=body, idempotency_key=idempotency_key)


class Webhooks(Resource):
    def create(self, *, idempotency_key: str | None = None, **body: Unpack[t.WebhookInput]) -> t.MintedWebhook:
        """Have events of the workspace POSTed to a URL. The secret that signs them is shown only once."""
        return self._transport.data("POST", "/v1/webhooks", body=body, idempotency_key=idempotency_key)

    def list(self, **query: Unpack[t.ListWebhooksQuery]) -> Pages[t.Webhook]:
        """List webhooks, without their secrets."""
        return Pages(self._transport, "/v1/webhooks", query)

    def get(self, id: str, /) -> t.Webhook:
        """Get a webhook: what it is told, and whether deliveries fail."""
        return self._transport.data("GET", f"/v1/webhooks/{quoted(id)}")

    def update(self, id: str, /, **body: Unpack[t.WebhookPatch]) -> t.Webhook:
        """Change a webhook, disable it, or enable it again."""
        return self._transport.data("PATCH", f"/v1/webhooks/{quoted(id)}", body=body)

    def delete(self, id: str, /) -> t.Deleted:
        """Delete a webhook. What waits for it is dropped."""
        return self._transport.data("DELETE", f"/v1/webhooks/{quoted(id)}")

    def rotate(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.RotateWebhookSecretBody]) -> t.MintedWebhook:
        """Give a webhook a new secret, shown only once. For a day the one before signs, too."""
        return self._transport.data("POST", f"/v1/webhooks/{quoted(id)}/rotate", body=body, idempotency_key=idempotency_key)

    def test(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.TestWebhookBody]) -> t.WebhookTest:
        """Send a webhook the event `webhook.test` once, and tell what became of it."""
        return self._transport.data("POST", f"/v1/webhooks/{quoted(id)}/test", body=body, idempotency_key=idempotency_key)


class AsyncWebhooks(AsyncResource):
    async def create(self, *, idempotency_key: str | None = None, **body: Unpack[t.WebhookInput]) -> t.MintedWebhook:
        """Have events of the workspace POSTed to a URL. The secret that signs them is shown only once."""
        return await self._transport.data("POST", "/v1/webhooks", body=body, idempotency_key=idempotency_key)

    def list(self, **query: Unpack[t.ListWebhooksQuery]) -> AsyncPages[t.Webhook]:
        """List webhooks, without their secrets."""
        return AsyncPages(self._transport, "/v1/webhooks", query)

    async def get(self, id: str, /) -> t.Webhook:
        """Get a webhook: what it is told, and whether deliveries fail."""
        return await self._transport.data("GET", f"/v1/webhooks/{quoted(id)}")

    async def update(self, id: str, /, **body: Unpack[t.WebhookPatch]) -> t.Webhook:
        """Change a webhook, disable it, or enable it again."""
        return await self._transport.data("PATCH", f"/v1/webhooks/{quoted(id)}", body=body)

    async def delete(self, id: str, /) -> t.Deleted:
        """Delete a webhook. What waits for it is dropped."""
        return await self._transport.data("DELETE", f"/v1/webhooks/{quoted(id)}")

    async def rotate(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.RotateWebhookSecretBody]) -> t.MintedWebhook:
        """Give a webhook a new secret, shown only once. For a day the one before signs, too."""
        return await self._transport.data("POST", f"/v1/webhooks/{quoted(id)}/rotate", body=body, idempotency_key=idempotency_key)

    async def test(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.TestWebhookBody]) -> t.WebhookTest:
        """Send a webhook the event `webhook.test` once, and tell what became of it."""
        return await self._transport.data("POST", f"/v1/webhooks/{quoted(id)}/test", body=body, idempotency_key=idempotency_key)


class Workspace(Resource):
    def me(self) -> t.Me:
        """Get the workspace, mode, tier, scopes and limits of this API key."""
        return self._transport.data("GET", "/v1/me")

    def usage(self, **query: Unpack[t.GetUsageQuery]) -> t.Usage:
        """Get the usage of the billing cycle."""
        return self._transport.data("GET", "/v1/usage", query=query)

    def usage_days(self, **query: Unpack[t.GetUsageDaysQuery]) -> t.UsageDays:
        """Get what models were used for, day by day, and by which agents."""
        return self._transport.data("GET", "/v1/usage/days", query=query)

    def usage_alerts(self) -> t.UsageAlerts:
        """Get the usage alerts: thresholds, and the alerts sent in this cycle."""
        return self._transport.data("GET", "/v1/usage/alerts")

    def set_usage_alerts(self, **body: Unpack[t.UsageAlertsInput]) -> t.UsageAlerts:
        """Set the thresholds of usage alerts."""
        return self._transport.data("PUT", "/v1/usage/alerts", body=body)

    def model_budget(self, **query: Unpack[t.GetModelBudgetQuery]) -> t.ModelBudget:
        """Get what all agents of the workspace may use of models in a month, and what they have used."""
        return self._transport.data("GET", "/v1/usage/budget", query=query)

    def set_model_budget(self, **body: Unpack[t.ModelBudgetInput]) -> t.ModelBudget:
        """Set what all agents of the workspace may use of models in a month."""
        return self._transport.data("PUT", "/v1/usage/budget", body=body)

    def audit(self, **query: Unpack[t.ListAuditQuery]) -> Pages[t.AuditRecord]:
        """List the audit log: who has changed what."""
        return Pages(self._transport, "/v1/audit", query)


class AsyncWorkspace(AsyncResource):
    async def me(self) -> t.Me:
        """Get the workspace, mode, tier, scopes and limits of this API key."""
        return await self._transport.data("GET", "/v1/me")

    async def usage(self, **query: Unpack[t.GetUsageQuery]) -> t.Usage:
        """Get the usage of the billing cycle."""
        return await self._transport.data("GET", "/v1/usage", query=query)

    async def usage_days(self, **query: Unpack[t.GetUsageDaysQuery]) -> t.UsageDays:
        """Get what models were used for, day by day, and by which agents."""
        return await self._transport.data("GET", "/v1/usage/days", query=query)

    async def usage_alerts(self) -> t.UsageAlerts:
        """Get the usage alerts: thresholds, and the alerts sent in this cycle."""
        return await self._transport.data("GET", "/v1/usage/alerts")

    async def set_usage_alerts(self, **body: Unpack[t.UsageAlertsInput]) -> t.UsageAlerts:
        """Set the thresholds of usage alerts."""
        return await self._transport.data("PUT", "/v1/usage/alerts", body=body)

    async def model_budget(self, **query: Unpack[t.GetModelBudgetQuery]) -> t.ModelBudget:
        """Get what all agents of the workspace may use of models in a month, and what they have used."""
        return await self._transport.data("GET", "/v1/usage/budget", query=query)

    async def set_model_budget(self, **body: Unpack[t.ModelBudgetInput]) -> t.ModelBudget:
        """Set what all agents of the workspace may use of models in a month."""
        return await self._transport.data("PUT", "/v1/usage/budget", body=body)

    def audit(self, **query: Unpack[t.ListAuditQuery]) -> AsyncPages[t.AuditRecord]:
        """List the audit log: who has changed what."""
        return AsyncPages(self._transport, "/v1/audit", query)


class Keys(Resource):
    def create(self, *, idempotency_key: str | None = None, **body: Unpack[t.KeyInput]) -> t.MintedKey:
        """Create an API key. Its secret is shown only once."""
        return self._transport.data("POST", "/v1/keys", body=body, idempotency_key=idempotency_key)

    def list(self, **query: Unpack[t.ListKeysQuery]) -> Pages[t.ApiKey]:
        """List API keys, without their secrets."""
        return Pages(self._transport, "/v1/keys", query)

    def revoke(self, id: str, /, **query: Unpack[t.RevokeKeyQuery]) -> t.Deleted:
        """Revoke an API key, and with `cascade=true` every credential created with it."""
        return self._transport.data("DELETE", f"/v1/keys/{quoted(id)}", query=query)


class AsyncKeys(AsyncResource):
    async def create(self, *, idempotency_key: str | None = None, **body: Unpack[t.KeyInput]) -> t.MintedKey:
        """Create an API key. Its secret is shown only once."""
        return await self._transport.data("POST", "/v1/keys", body=body, idempotency_key=idempotency_key)

    def list(self, **query: Unpack[t.ListKeysQuery]) -> AsyncPages[t.ApiKey]:
        """List API keys, without their secrets."""
        return AsyncPages(self._transport, "/v1/keys", query)

    async def revoke(self, id: str, /, **query: Unpack[t.RevokeKeyQuery]) -> t.Deleted:
        """Revoke an API key, and with `cascade=true` every credential created with it."""
        return await self._transport.data("DELETE", f"/v1/keys/{quoted(id)}", query=query)
