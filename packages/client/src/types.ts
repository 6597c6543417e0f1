/** The API as types, written by `npm run client-types` from the OpenAPI document. Do not edit. */
export interface paths {
    "/v1/agents/spawn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an agent.
         * @description Needs the scope `agent:spawn`.
         */
        post: operations["spawnAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents, optionally by the start of their names.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent.
         * @description Needs the scope `agent:read`.
         */
        get: operations["getAgent"];
        /**
         * Replace the given fields of an agent and keep the others.
         * @description Needs the scope `agent:manage`.
         */
        put: operations["replaceAgent"];
        post?: never;
        /**
         * Delete an agent and all its data permanently.
         * @description Needs the scope `agent:manage`.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Merge changes into an agent. Null removes a field.
         * @description Needs the scope `agent:manage`.
         */
        patch: operations["patchAgent"];
        trace?: never;
    };
    "/v1/agents/{id}/message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message and wait for the answer.
         * @description Needs the scope `agent:spawn`.
         */
        post: operations["messageAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/tools/{toolName}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool of an agent once, as a run would, and note it in the audit log.
         * @description Needs the scope `agent:manage`.
         */
        post: operations["tryTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of an agent.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listRuns"];
        put?: never;
        /**
         * Start a run.
         * @description Needs the scope `agent:spawn`.
         */
        post: operations["startRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of all agents.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listAllRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run.
         * @description Needs the scope `agent:read`.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        /**
         * Delete a run that has ended, with its thoughts, checkpoints and events.
         * @description Needs the scope `agent:manage`.
         */
        delete: operations["deleteRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/runs/{runId}/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run with all runs that it has asked of other agents, directly or through others.
         * @description Needs the scope `agent:read`.
         */
        get: operations["getRunTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/runs/{runId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the events of a run as server-sent events.
         * @description Needs the scope `agent:read`.
         *
         *     Server-sent events: `data` is a RunEvent as JSON, `event` its type, `id` its `seq`; a `delta` has none. Comments keep idle connections open. The stream ends with the run, or after 10 minutes; a client that comes back with Last-Event-ID misses nothing.
         */
        get: operations["followRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/runs/{runId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a run that is paused or ran out of budget.
         * @description Needs the scope `agent:spawn`.
         */
        post: operations["resumeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/files/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file that came with a message to the agent.
         * @description Needs the scope `agent:read`.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/runs/{runId}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fork a run from a checkpoint.
         * @description Needs the scope `agent:spawn`.
         */
        post: operations["forkRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/thoughts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the thoughts of a run.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listThoughts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the checkpoints of a run, one for each step.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listCheckpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the conversations of all agents.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listAllSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the conversations of an agent.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/sessions/{sessionId}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the turns of a conversation.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listTurns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a conversation with its runs, turns and memories.
         * @description Needs the scope `agent:manage`.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/subjects/{subject}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete everything that an agent has of a subject: memories, runs, messages, schedules and blocks.
         * @description Needs the scope `agent:manage`.
         */
        delete: operations["deleteSubject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schedules of an agent, with their next times.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Start runs of an agent by a cron expression, at intervals or at one time.
         * @description Needs the scope `agent:spawn`.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/schedules/by-name/{scheduleName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make the schedule of a name, or replace what there is of that name.
         * @description Needs the scope `agent:spawn`.
         */
        put: operations["setSchedule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/schedules/{scheduleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a schedule.
         * @description Needs the scope `agent:read`.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule. Its runs stay.
         * @description Needs the scope `agent:spawn`.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Pause a schedule, or let it go on with its next time.
         * @description Needs the scope `agent:spawn`.
         */
        patch: operations["pauseSchedule"];
        trace?: never;
    };
    "/v1/agents/{id}/schedules/{scheduleId}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a run of a schedule now. Its times stay as they are.
         * @description Needs the scope `agent:spawn`.
         */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List mailbox messages: unread first, or by time if an order is given.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Send a message to the mailbox of an agent.
         * @description Needs the scope `agent:spawn`.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mailbox/traffic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the messages between agents in the last hour.
         * @description Needs the scope `agent:read`.
         */
        get: operations["getMailboxTraffic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a mailbox message.
         * @description Needs the scope `agent:manage`.
         */
        delete: operations["deleteMessage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the blocks of an agent, optionally those of one subject.
         * @description Needs the scope `memory:read`.
         */
        get: operations["listBlocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/blocks/{label}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a block of an agent.
         * @description Needs the scope `memory:read`.
         */
        get: operations["getBlock"];
        /**
         * Make a block of an agent, or replace what there is of its label.
         * @description Needs the scope `memory:write`.
         */
        put: operations["setBlock"];
        post?: never;
        /**
         * Delete a block of an agent, with what it said before.
         * @description Needs the scope `memory:write`.
         */
        delete: operations["deleteBlock"];
        options?: never;
        head?: never;
        /**
         * Change fields of a block, or give it again what it said before.
         * @description Needs the scope `memory:write`.
         */
        patch: operations["patchBlock"];
        trace?: never;
    };
    "/v1/agents/{id}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what an agent keeps in mind of a subject, and what says it.
         * @description Needs the scope `memory:read`.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/profile/{entryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take an entry out of a profile, so that it does not come back from what says it now.
         * @description Needs the scope `memory:write`.
         */
        delete: operations["rejectProfileEntry"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List memories.
         * @description Needs the scope `memory:read`.
         */
        get: operations["listMemories"];
        put?: never;
        /**
         * Create a memory.
         * @description Needs the scope `memory:write`.
         */
        post: operations["createMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create up to 500 memories, with an outcome for each.
         * @description Needs the scope `memory:write`.
         */
        post: operations["createMemories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search memories by content, best match first.
         * @description Needs the scope `memory:read`.
         */
        post: operations["searchMemories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get what an agent knows as a text for a prompt, within a number of tokens.
         * @description Needs the scope `memory:read`.
         */
        post: operations["promptContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a memory.
         * @description Needs the scope `memory:read`.
         */
        get: operations["getMemory"];
        put?: never;
        post?: never;
        /**
         * Delete a memory.
         * @description Needs the scope `memory:write`.
         */
        delete: operations["deleteMemory"];
        options?: never;
        head?: never;
        /**
         * Update a memory. Null removes a field.
         * @description Needs the scope `memory:write`.
         */
        patch: operations["patchMemory"];
        trace?: never;
    };
    "/v1/memories/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the history of a memory: what it replaced and what replaced it.
         * @description Needs the scope `memory:read`.
         */
        get: operations["listMemoryHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List hives.
         * @description Needs the scope `hive:read`.
         */
        get: operations["listHives"];
        put?: never;
        /**
         * Create a hive.
         * @description Needs the scope `hive:write`.
         */
        post: operations["createHive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hives/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a hive.
         * @description Needs the scope `hive:read`.
         */
        get: operations["getHive"];
        put?: never;
        post?: never;
        /**
         * Delete a hive and the memories shared in it.
         * @description Needs the scope `hive:write`.
         */
        delete: operations["deleteHive"];
        options?: never;
        head?: never;
        /**
         * Update the name, description or metadata of a hive.
         * @description Needs the scope `hive:write`.
         */
        patch: operations["updateHive"];
        trace?: never;
    };
    "/v1/hives/{id}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents of a hive.
         * @description Needs the scope `hive:read`.
         */
        get: operations["listHiveAgents"];
        put?: never;
        /**
         * Add an agent to a hive.
         * @description Needs the scope `hive:write`.
         */
        post: operations["joinHive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hives/{id}/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an agent from a hive.
         * @description Needs the scope `hive:write`.
         */
        delete: operations["leaveHive"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hives/{id}/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the memories shared in a hive.
         * @description Needs the scope `hive:read`.
         */
        get: operations["listSharedMemories"];
        put?: never;
        /**
         * Share a memory in a hive on behalf of a member agent.
         * @description Needs the scope `hive:write`.
         */
        post: operations["shareMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tokens, without their secrets.
         * @description Needs the scope `agent:manage`.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create a token for the A2A endpoint of an agent.
         * @description Needs the scope `agent:manage`.
         */
        post: operations["mintToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token.
         * @description Needs the scope `agent:manage`.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List push notifications that could not be delivered.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push/dead-letters/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a push notification, starting from its first attempt.
         * @description Needs the scope `agent:manage`.
         */
        post: operations["replayDeadLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks, without their secrets.
         * @description Needs the scope `workspace:admin`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Have events of the workspace POSTed to a URL. The secret that signs them is shown only once.
         * @description Needs the scope `workspace:admin`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook: what it is told, and whether deliveries fail.
         * @description Needs the scope `workspace:admin`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook. What waits for it is dropped.
         * @description Needs the scope `workspace:admin`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook, disable it, or enable it again.
         * @description Needs the scope `workspace:admin`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret, shown only once. For a day the one before signs, too.
         * @description Needs the scope `workspace:admin`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook the event `webhook.test` once, and tell what became of it.
         * @description Needs the scope `workspace:admin`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the workspace, mode, tier, scopes and limits of this API key.
         * @description Any API key may do this.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of the billing cycle.
         * @description Needs the scope `usage:read`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what models were used for, day by day, and by which agents.
         * @description Needs the scope `usage:read`.
         */
        get: operations["getUsageDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage alerts: thresholds, and the alerts sent in this cycle.
         * @description Needs the scope `usage:read`.
         */
        get: operations["getUsageAlerts"];
        /**
         * Set the thresholds of usage alerts.
         * @description Needs the scope `workspace:admin`.
         */
        put: operations["setUsageAlerts"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what all agents of the workspace may use of models in a month, and what they have used.
         * @description Needs the scope `usage:read`.
         */
        get: operations["getModelBudget"];
        /**
         * Set what all agents of the workspace may use of models in a month.
         * @description Needs the scope `workspace:admin`.
         */
        put: operations["setModelBudget"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, without their secrets.
         * @description Needs the scope `workspace:admin`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key. Its secret is shown only once.
         * @description Needs the scope `workspace:admin`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key, and with `cascade=true` every credential created with it.
         * @description Needs the scope `workspace:admin`.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log: who has changed what.
         * @description Needs the scope `workspace:admin`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the live events of the workspace as server-sent events.
         * @description Needs the scope `agent:read`.
         *
         *     Server-sent events: `data` is a WorkspaceEvent as JSON, `event` its type. Comments keep idle connections open. Live only: what happened before is not told. The same events come over a WebSocket at this path.
         */
        get: operations["followWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the workspace or one agent as JSON lines, without credentials.
         * @description Needs the scope `workspace:admin`.
         *
         *     The body consists of lines of JSON, as docs/export.md of the service describes them.
         */
        get: operations["exportRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import an export. What exists already stays as it is.
         * @description Needs the scope `workspace:admin`.
         *
         *     The body consists of lines of JSON, as docs/export.md of the service describes them.
         */
        post: operations["importRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/message:send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message over HTTP+JSON.
         * @description A2A 1.0, 11. Needs the scope `agent:spawn`. What it takes and answers is specified there.
         */
        post: operations["a2a_send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/message:stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message over HTTP+JSON, and follow its task.
         * @description A2A 1.0, 11. Needs the scope `agent:spawn`. What it takes and answers is specified there.
         */
        post: operations["a2a_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks over HTTP+JSON.
         * @description A2A 1.0, 11. Needs the scope `agent:read`. What it takes and answers is specified there.
         */
        get: operations["a2a_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/tasks/{task}:cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a task over HTTP+JSON.
         * @description A2A 1.0, 11. Needs the scope `agent:manage`. What it takes and answers is specified there.
         */
        post: operations["a2a_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/tasks/{task}:subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a task over HTTP+JSON.
         * @description A2A 1.0, 11. Needs the scope `agent:read`. What it takes and answers is specified there.
         */
        get: operations["a2a_subscribe_get"];
        put?: never;
        /**
         * Follow a task over HTTP+JSON.
         * @description A2A 1.0, 11. Needs the scope `agent:read`. What it takes and answers is specified there.
         */
        post: operations["a2a_subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/tasks/{task}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a task over HTTP+JSON.
         * @description A2A 1.0, 11. Needs the scope `agent:read`. What it takes and answers is specified there.
         */
        get: operations["a2a_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/tasks/{task}/pushNotificationConfigs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List push configurations over HTTP+JSON.
         * @description A2A 1.0, 11. Needs the scope `agent:read`. What it takes and answers is specified there.
         */
        get: operations["a2a_listPush"];
        put?: never;
        /**
         * Add a push configuration over HTTP+JSON.
         * @description A2A 1.0, 11. Needs the scope `agent:spawn`. What it takes and answers is specified there.
         */
        post: operations["a2a_setPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/tasks/{task}/pushNotificationConfigs/{config}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a push configuration over HTTP+JSON.
         * @description A2A 1.0, 11. Needs the scope `agent:read`. What it takes and answers is specified there.
         */
        get: operations["a2a_getPush"];
        put?: never;
        post?: never;
        /**
         * Delete a push configuration over HTTP+JSON.
         * @description A2A 1.0, 11. Needs the scope `agent:spawn`. What it takes and answers is specified there.
         */
        delete: operations["a2a_deletePush"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/extendedAgentCard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the extended card over HTTP+JSON.
         * @description A2A 1.0, 11. Needs the scope `agent:read`. What it takes and answers is specified there.
         */
        get: operations["a2a_card"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent's card at its own URL.
         * @description Needs the scope `agent:read`, unless the agent is public. With `A2A-Version: 1.0` the card is exactly that of 1.0.
         */
        get: operations["getCardAtAgent"];
        put?: never;
        /**
         * Call an agent over JSON-RPC.
         * @description `message/send`, `message/stream`, `tasks/get`, `tasks/cancel`, `tasks/resubscribe`, push configurations. Reading needs the scope `agent:read`, sending `agent:spawn`, cancelling `agent:manage`.
         *
         *     Errors of the protocol are JSON-RPC errors with status 200, malformed requests included. Streaming methods answer server-sent events whose `data` is a JSON-RPC response. A request without an id gets 204.
         */
        post: operations["callAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent's card.
         * @description Needs the scope `agent:read`, unless the agent is public. With `A2A-Version: 1.0` the card is exactly that of 1.0.
         */
        get: operations["getCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/.well-known/agent.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent's card where clients of A2A 0.2 look for it.
         * @description Needs the scope `agent:read`, unless the agent is public. With `A2A-Version: 1.0` the card is exactly that of 1.0.
         */
        get: operations["getCardOf02"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/a2a/agents/{id}/.well-known/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent's card where clients of A2A 0.3 and 1.0 look for it.
         * @description Needs the scope `agent:read`, unless the agent is public. With `A2A-Version: 1.0` the card is exactly that of 1.0.
         */
        get: operations["getCardOf03"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use an agent over MCP.
         * @description Opened by an API key, and by a token of the agent with the scope `agent:mcp`. The scopes of the credential decide which tools there are: docs/mcp.md has them all. Each request carries one message. GET with Last-Event-ID resumes the stream of a call. If there is something to report before the result, such as progress, the response is a stream.
         */
        post: operations["callAgentTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use the workspace over MCP.
         * @description Opened by an API key. The scopes of the credential decide which tools there are: docs/mcp.md has them all. Each request carries one message. GET with Last-Event-ID resumes the stream of a call. If there is something to report before the result, such as progress, the response is a stream.
         */
        post: operations["callWorkspaceTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openai/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask an agent as a model of OpenAI.
         * @description Needs the scope `agent:spawn`. The session is that of the header, or of `user`; without either it is known by the history. With `stream` the answer comes as server-sent events, the last of which is `[DONE]`.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openai/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask an agent over OpenAI's Responses API.
         * @description Needs the scope `agent:spawn`. The session is that of `previous_response_id`, of the header or of `user`; without any of them it is known by the history. With `stream` the answer comes as server-sent events.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openai/v1/responses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a response of OpenAI's Responses API.
         * @description Needs the scope `agent:read`. It is the run as it is now.
         */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openai/v1/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent as a model of OpenAI.
         * @description Needs the scope `agent:read`.
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openai/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents as models of OpenAI.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is it alive? */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Does it serve commands? */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Its numbers, in Prometheus' text format. Where HIVEKEEP_METRICS_TOKEN is set, it has to be sent as a bearer token. */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document. */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document as a page. */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Agent: {
            /** @description The id of the agent. */
            id: string;
            /** @description The display name. Names need not be unique. */
            name: string;
            /** @description A free-text description of its purpose. */
            description: string;
            /**
             * @description An inactive agent rejects commands with 409. A terminated agent can only be set inactive.
             * @enum {string}
             */
            status: "active" | "inactive" | "terminated";
            config: components["schemas"]["AgentConfig"];
            /** @description The number of memories in the agent's own context, including those with `expires_at` until they expire. */
            memory_count: number;
            /** @description The number of messages processed: direct messages, A2A messages, and mailbox messages that were read. */
            message_count: number;
            /** @description The ids of the hives it belongs to. */
            hives: string[];
            /** @description Arbitrary metadata set by clients. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Whether an incoming mailbox message starts a run when none is pending or running. */
            wake_on_message: boolean;
            /** @description The maximum number of long-term memories: those that never expire, or expire after more than 30 days. Null means unlimited. */
            memory_quota: number | null;
            /** @description The runtime budget of each run in seconds. Null means the service default. */
            maxRuntimeSeconds: number | null;
            /** @description Only of an agent that another has spawned: that one. */
            spawned_by?: string;
            /**
             * Format: date-time
             * @description Only of an agent that was spawned for a time: when it is deleted.
             */
            ends_at?: string;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC with milliseconds.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description The time of its last activity or input, ISO 8601 in UTC.
             */
            last_active_at: string;
        };
        Memory: {
            /** @description The id of the memory. */
            id: string;
            /** @description The kind of memory, for example episodic, semantic or procedural. */
            type: string;
            /** @description The remembered text. */
            content: string;
            /** @description The agent it belongs to, or null for memories of a hive or of the workspace. */
            agent_id: string | null;
            /** @description The hive it belongs to. If `agent_id` is null as well, it is a memory of the workspace. */
            hive_id: string | null;
            /** @description For hive memories, the agent that shared it. */
            shared_by: string | null;
            /** @description The conversation it is part of, if any. */
            sessionId: string | null;
            /** @description Whom it belongs to, or null if to nobody in particular. */
            subject: string | null;
            /** @description Its position in the session, starting at 0. Null without a session, and for what was learnt. */
            position: number | null;
            /** @description The importance set by the client. It breaks ties between memories that match a search equally well. */
            importance: number | null;
            /**
             * Format: date-time
             * @description When the content was said or happened.
             */
            occurred_at: string;
            /** @description Who said it. */
            speaker: string | null;
            /** @description The run whose input it was learnt from. */
            source: string | null;
            /** @description The run that wrote it, by a tool or by learning; null for what others wrote. */
            run_id: string | null;
            /** @description The id of the memory it replaced. */
            supersedes: string | null;
            /** @description The id of the memory that replaced it. */
            superseded_by: string | null;
            /**
             * Format: date-time
             * @description When the fact stopped being true. Null means that it still holds, as far as is known.
             */
            valid_until: string | null;
            /** @description How often it was stated. A repetition raises this count and adds no second memory. */
            times_seen: number;
            /**
             * Format: date-time
             * @description When it was last stated.
             */
            last_seen_at: string;
            /** @description Arbitrary metadata set by clients. Lists can be filtered by it. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it expires, ISO 8601. Null means never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC with milliseconds.
             */
            updated_at: string;
        };
        BatchResult: {
            /** @description The number of memories added. */
            created: number;
            /** @description The number of memories that were there already, and were counted as seen again. */
            repeated: number;
            /** @description The number of memories rejected. */
            failed: number;
            /** @description The outcome for each memory, in the order of the request. */
            results: {
                /** @description The memory as stored, or null if it was rejected. */
                memory: components["schemas"]["Memory"] | null;
                /** @description Why it was rejected, or null if it was added. */
                error: {
                    /**
                     * @description As in errors of POST /v1/memories.
                     * @enum {string}
                     */
                    code: "VALIDATION_ERROR" | "UNSUPPORTED_VERSION" | "UNAUTHENTICATED" | "INSUFFICIENT_SCOPE" | "QUOTA_EXCEEDED" | "HTTPS_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "AGENT_INACTIVE" | "RUN_NOT_RESUMABLE" | "AGENT_BUSY" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMIT_EXCEEDED" | "CONCURRENCY_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "UNAVAILABLE";
                    /** @description A human-readable explanation. */
                    message: string;
                    /** @description As in errors of POST /v1/memories. */
                    details: {
                        [key: string]: unknown;
                    };
                } | null;
            }[];
        };
        FoundMemory: {
            /** @description The id of a memory, a mailbox message or a conversation turn, depending on `type`. */
            id: string;
            /** @description The kind of memory, for example episodic, semantic or procedural. */
            type: string;
            /** @description The remembered text. */
            content: string;
            /** @description The agent it belongs to, or null for memories of a hive or of the workspace. */
            agent_id: string | null;
            /** @description The hive it belongs to. If `agent_id` is null as well, it is a memory of the workspace. */
            hive_id: string | null;
            /** @description For hive memories, the agent that shared it. */
            shared_by: string | null;
            /** @description The conversation it is part of, if any. */
            sessionId: string | null;
            /** @description Whom it belongs to, or null if to nobody in particular. */
            subject: string | null;
            /** @description Its position in the session, starting at 0. Null without a session, and for what was learnt. */
            position: number | null;
            /** @description The importance set by the client. It breaks ties between memories that match a search equally well. */
            importance: number | null;
            /**
             * Format: date-time
             * @description When the content was said or happened.
             */
            occurred_at: string;
            /** @description Who said it. */
            speaker: string | null;
            /** @description The run whose input it was learnt from. */
            source: string | null;
            /** @description The run that wrote it, by a tool or by learning; null for what others wrote. */
            run_id: string | null;
            /** @description The id of the memory it replaced. */
            supersedes: string | null;
            /** @description The id of the memory that replaced it. */
            superseded_by: string | null;
            /**
             * Format: date-time
             * @description When the fact stopped being true. Null means that it still holds, as far as is known.
             */
            valid_until: string | null;
            /** @description How often it was stated. A repetition raises this count and adds no second memory. */
            times_seen: number;
            /**
             * Format: date-time
             * @description When it was last stated.
             */
            last_seen_at: string;
            /** @description Arbitrary metadata set by clients. Lists can be filtered by it. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it expires, ISO 8601. Null means never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC with milliseconds.
             */
            updated_at: string;
            /** @description A score from 0 to 1; higher is better. */
            relevance: number;
            /** @description Present if the search set `explain`. */
            explanation?: {
                /** @description The score by which results are ordered. */
                score: number;
                /** @description The contribution of each feature to the score. Features that contributed nothing are left out. */
                shares: {
                    [key: string]: number;
                };
            };
        };
        ConsultedMemory: {
            /** @description The id of the memory or the message. */
            id: string;
            /** @description The type of the memory, or `message` for a mailbox message. */
            type: string;
            /** @description Its text. */
            content: string;
            /** @description A score from 0 to 1; higher is better. */
            relevance: number;
        };
        PromptContext: {
            /** @description The block to put into a prompt, with a line for each memory between fences. Empty if nothing was found. */
            text: string;
            /** @description The size of the text in tokens, estimated near what common tokenizers count. */
            tokens: number;
            /** @description What the text consists of, in its order. */
            items: {
                /** @description The id of a memory, a mailbox message, a conversation turn or a block, depending on `kind`. */
                id: string;
                /**
                 * @description The part of the text that it stands in. What was said in a session stands in the conversation; how somebody wants things always done, and what they prefer, in the profile; the blocks of the agent before all of it.
                 * @enum {string}
                 */
                part: "blocks" | "profile" | "facts" | "conversation";
                /**
                 * @description What it is: turns, messages and blocks are no memories.
                 * @enum {string}
                 */
                kind: "memory" | "message" | "turn" | "block";
                /** @description The type, as in a search result. */
                type: string;
                /** @description The conversation it is part of, if any. */
                sessionId: string | null;
                /**
                 * Format: date-time
                 * @description When it was said or happened.
                 */
                at: string;
                /** @description As in a search. Null if it stands beside what was found. */
                relevance: number | null;
                /** @description The score by which it was chosen. Null if it stands beside what was found. */
                score: number | null;
                /** @description The estimated number of tokens that it takes in the text. */
                tokens: number;
                /** @description Whether only a passage of it is in the text. */
                cut: boolean;
            }[];
            /** @description How much else was found and did not fit. */
            left_out: number;
        };
        Run: {
            /** @description The id of the run, which is also the id of its A2A task. */
            id: string;
            /** @description The agent the run belongs to. */
            agent_id: string;
            /**
             * @description The current status of the run.
             * @enum {string}
             */
            status: "pending" | "running" | "paused" | "completed" | "failed" | "timeout" | "cancelled";
            /**
             * @description Why a run stopped: it answered, a length limit ended its answer, it used up a budget of steps, of time, or of tokens or money (`budget`), or it was interrupted by what was said next. Null otherwise.
             * @enum {string|null}
             */
            stopReason: "answer" | "length" | "max_steps" | "timeout" | "budget" | "interrupted" | null;
            /**
             * @description What started the run: an API request, a mailbox message, an A2A message, a schedule, a fork of another run, or the question of another `agent`.
             * @enum {string}
             */
            triggeredBy: "api" | "message" | "a2a" | "fork" | "schedule" | "agent";
            /** @description The conversation it is part of: the one named in the request, or a new one. */
            sessionId: string;
            /** @description Whom it is for: it sees what belongs to them and to nobody in particular. Null for nobody in particular. */
            subject: string | null;
            /** @description The input given to the agent. */
            input: string;
            /** @description The images and other files that came with what was said in it. */
            files: {
                /** @description The SHA-256 of its bytes, in hex, by which they can be read. */
                sha256: string;
                /** @description The media type. */
                mediaType: string;
                /** @description The name of the file, if it was given one. */
                filename: string | null;
                /** @description The number of bytes. */
                size: number;
            }[];
            /** @description The answer, or the partial output if a budget was used up. Null if there is none. */
            output: string | null;
            /** @description The answer as data, where it has to fit an `output_schema`; `output` has it as JSON text. Null otherwise. */
            output_data: unknown;
            /** @description Why the run failed, or null if it did not fail. */
            error: {
                /** @description A machine-readable failure code. */
                code: string;
                /** @description A human-readable explanation of the failure. */
                message: string;
            } | null;
            /** @description What a paused run is waiting for. */
            waitingFor: {
                /** @description The id of the question, which an answer may name. It is also the `messageId` of the question in the A2A task. */
                id: string;
                /**
                 * @description What kind of input is needed: `approval` of an action, an answer from a `human`, or the results of `tools`. With `agent` it waits for other agents, and goes on by itself.
                 * @enum {string}
                 */
                kind: "approval" | "human" | "tools" | "agent";
                /** @description The question to show to a human. */
                question: string;
                /** @description The action to approve, or null for a plain question. */
                action: components["schemas"]["ToolCall"] | null;
                /** @description Only for `tools`: the calls whose results the run waits for, as `results` of a resume. */
                calls?: components["schemas"]["ClientCall"][];
                /** @description Only for `agent`: the questions whose answers the run waits for. */
                asked?: {
                    /** @description The id of the call that asks. */
                    id: string;
                    /** @description The agent that is asked; null if there is none of that name, or it is an agent elsewhere. */
                    agent_id: string | null;
                    /** @description Only for an agent elsewhere: the tool of kind `a2a` that is used. */
                    peer?: string;
                    /** @description The run that answers; null if it is not known yet, or there is none. */
                    run_id: string | null;
                    /** @description Whether its outcome is there. */
                    answered: boolean;
                    /** @description What the answer waits for: the run that answers, or one that it has asked itself. Null if nothing. */
                    waitsFor: {
                        /** @description The agent of the run that waits. */
                        agent_id: string;
                        /** @description The run that waits. It may be answered there, or at the run that asks. */
                        run_id: string;
                        /** @description The id of its question, which an answer names where there are several. */
                        id: string;
                        /**
                         * @description What that run waits for.
                         * @enum {string}
                         */
                        kind: "approval" | "human" | "tools";
                        /** @description The question that it waits with. */
                        question: string;
                    } | null;
                }[];
            } | null;
            /**
             * Format: date-time
             * @description When a running run asks its models again, which are all away (ISO 8601). Null if they are not.
             */
            retryAt: string | null;
            /** @description What the run does differently from its agent's configuration; null if nothing, or without agent:read. */
            overrides: {
                /** @description The model of this run, as in the configuration of an agent. */
                model?: string | string[];
                /** @description Takes the place of the agent's instructions. */
                instructions?: string;
                /** @description The sampling temperature passed to the model; 0 is the most predictable. */
                temperature?: number;
                /** @description The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued. */
                max_output_tokens?: number;
                /** @description The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema. */
                output_schema?: ({
                    /** @constant */
                    type: "object";
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description Take the place of the agent's own tools in this run, as in the configuration of an agent. */
                tools?: ({
                    /** @constant */
                    kind: "client";
                    /** @description The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                } | {
                    /** @constant */
                    kind: "http";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Where the arguments are POSTed as JSON: https, on a public host. */
                    url: string;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again. */
                    keyed?: boolean;
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "mcp";
                    /** @description The name of the server here. Its tools are called `<name>.<tool>`. */
                    name: string;
                    /** @description Its endpoint (streamable HTTP): https, on a public host. */
                    url?: string;
                    /** @description In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio. */
                    command?: string;
                    /** @description The names of its tools that the model may call. Without it, all of them. */
                    allow?: string[];
                    /** @description What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    reads_only?: boolean | string[];
                    /** @description What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    repeatable?: boolean | string[];
                    /** @description Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case. */
                    approval?: ("ask" | "never") | {
                        [key: string]: "ask" | "never";
                    };
                    /**
                     * @description Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
                     * @enum {string}
                     */
                    annotations?: "trusted" | "ignored";
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "a2a";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description The URL of its agent card: https, on a public host. */
                    card: string;
                    /** @description The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at. */
                    verify?: {
                        /** @description Where the public keys are (JWKS): https, on a public host. They are read with the card. */
                        jwks?: string;
                        /** @description The public keys themselves, at most 8. */
                        keys?: {
                            /**
                             * @description The type of the key.
                             * @enum {string}
                             */
                            kty: "EC" | "RSA" | "OKP";
                            /** @description Its name, by which signatures say that it has made them. */
                            kid?: string;
                            /** @description The one algorithm that it is for, such as `ES256`. */
                            alg?: string;
                            /**
                             * @description What it is for.
                             * @constant
                             */
                            use?: "sig";
                            /** @description The curve (EC, OKP). */
                            crv?: string;
                            /** @description Of the point (EC), or the key (OKP). */
                            x?: string;
                            /** @description Of the point (EC). */
                            y?: string;
                            /** @description The modulus (RSA). */
                            n?: string;
                            /** @description The exponent (RSA). */
                            e?: string;
                        }[];
                    };
                    /** @description What it does and when to ask it, for the model. Without it, what its card says. */
                    description?: string;
                    /** @description The ids of the skills of its card that the model is told of. Without it, all of them. */
                    allow?: string[];
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it. */
                    keyed?: boolean;
                    /** @description Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled. */
                    accept_questions?: boolean;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that an answer is waited for. Default 300. None of it counts in the budget of the run. */
                    timeout_seconds?: number;
                })[];
                /** @description Has the model call one of these tools, or the one of this name, before it answers. */
                tool_choice?: "required" | {
                    /** @description The name of the tool. */
                    name: string;
                };
                /**
                 * @description False has the model call at most one of these tools at a time.
                 * @constant
                 */
                parallel_tool_calls?: false;
                /** @description How the model samples, as far as its server knows these. */
                sampling?: {
                    /** @description The share of the likeliest tokens that are sampled from. */
                    top_p?: number;
                    /** @description Texts at which the model stops. */
                    stop?: string[];
                    /** @description What sampling begins from. */
                    seed?: number;
                    /** @description Makes what was said already less likely. */
                    presence_penalty?: number;
                    /** @description Makes what was said often less likely. */
                    frequency_penalty?: number;
                };
            } | null;
            /** @description Metadata of the run, or of the A2A message that started it. Empty without agent:read. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The maximum number of reasoner calls. */
            maxSteps: number;
            /** @description The maximum reasoning time in seconds. Time spent waiting is not counted. */
            maxRuntimeSeconds: number;
            /** @description The number of steps completed. */
            steps: number;
            /** @description The checkpoint of the run it was forked from, or null if it is not a fork. */
            forkedFrom: {
                /** @description The id of the original run. */
                runId: string;
                /** @description The checkpoint the fork started from. */
                checkpointId: string;
                /** @description The step of that checkpoint. Steps up to it are not repeated. */
                step: number;
            } | null;
            /** @description The run of another agent that has asked for it, or null if none has. */
            parent: {
                /** @description The agent of that run. */
                agent_id: string;
                /** @description The run that waits for it, or has waited. */
                runId: string;
            } | null;
            /** @description Usage of model servers. All zeros with the built-in reasoner. */
            usage: {
                /** @description The number of requests that model servers answered. */
                requests: number;
                /** @description Input tokens as reported by the servers, including tokens read from a prompt cache. */
                inputTokens: number;
                /** @description The input tokens that the servers read from a prompt cache. */
                cachedInputTokens: number;
                /** @description As the servers reported them. */
                outputTokens: number;
                /** @description What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known. */
                cost?: number;
            };
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC with milliseconds.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the first step started, ISO 8601. Null if it has not started.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the run ended, ISO 8601. Null if it has not ended.
             */
            ended_at: string | null;
        };
        RunTree: {
            /** @description The run, and then all that were asked for by it or by one before them, each behind its `parent`. */
            runs: components["schemas"]["Run"][];
            /** @description Whether these are all; the first 500 are shown, or fewer that are long. */
            complete: boolean;
            /** @description What all of these runs have used of model servers. */
            usage: {
                /** @description The number of requests that model servers answered. */
                requests: number;
                /** @description Input tokens as reported by the servers, including tokens read from a prompt cache. */
                inputTokens: number;
                /** @description The input tokens that the servers read from a prompt cache. */
                cachedInputTokens: number;
                /** @description As the servers reported them. */
                outputTokens: number;
                /** @description What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known. */
                cost?: number;
            };
        };
        File: {
            /** @description The SHA-256 of its bytes, in hex, by which they can be read. */
            sha256: string;
            /** @description The number of bytes. */
            size: number;
            /** @description The content, base64-encoded. */
            bytes: string;
        };
        Thought: {
            /** @description The id of the thought. */
            id: string;
            /**
             * @description The kind of thought.
             * @enum {string}
             */
            thoughtType: "goal" | "recall" | "insight" | "action" | "result" | "reflection";
            /** @description The text of the thought. */
            content: string;
            /**
             * @description The tool that is about to be called, for a thought of that.
             * @enum {string}
             */
            tool?: "recall" | "remember" | "update_memory" | "forget" | "block_replace" | "block_append" | "send_message" | "share_with_hive" | "ask_agent" | "hand_off" | "spawn_agent" | "ask_human" | "answer" | "use_tool";
            /** @description How many memories were found, for a thought of what recall has found. */
            found?: number;
            /** @description The run that produced it. */
            runId: string;
            /** @description The conversation the run is part of. */
            sessionId: string;
            /** @description The agent the run belongs to. */
            agent_id: string;
            /** @description The number of its step, starting at 1. */
            step: number;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
        };
        Session: {
            /** @description The id of the session: the `sessionId` of its runs and memories. */
            id: string;
            /** @description The agent the conversation is with. */
            agent_id: string;
            /** @description The first message of the conversation, cut to 200 characters. */
            opening: string;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of its last turn.
             */
            updated_at: string;
            /** @description The agent that the conversation is handed over to (`hand_off`); null if it is with the agent itself. */
            handed_to: string | null;
        };
        Turn: {
            /** @description The id of the turn: the id of its run and the number of the turn in it. */
            id: string;
            /** @description The agent that said it or was told it. */
            agent_id: string;
            /** @description The run it belongs to. */
            runId: string;
            /** @description The conversation it is part of. */
            sessionId: string;
            /**
             * @description Who said it: `user` stands for anyone writing to the agent.
             * @enum {string}
             */
            role: "user" | "agent";
            /** @description The text of the turn. */
            content: string;
            /**
             * @description Of the last turn of a run that has not answered, what became of that: it was `cancelled`, was `interrupted` in what it says here, is `waiting`, or has `failed`.
             * @enum {string}
             */
            became?: "cancelled" | "interrupted" | "waiting" | "failed";
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
        };
        ClientCall: {
            /** @description The id of the call, which its result names. */
            id: string;
            /** @description The name of the tool. */
            name: string;
            /** @description The arguments, which fit the `input_schema` of the tool. */
            arguments: {
                [key: string]: unknown;
            };
        };
        ToolCall: {
            /**
             * @description The tool the reasoner calls. `use_tool` is one of the agent's own.
             * @enum {string}
             */
            tool: "recall" | "remember" | "update_memory" | "forget" | "block_replace" | "block_append" | "send_message" | "share_with_hive" | "ask_agent" | "hand_off" | "spawn_agent" | "ask_human" | "answer" | "use_tool";
            /** @description The arguments by name; they depend on the tool. Those of `use_tool` are the `name` of the tool and its `input` as JSON text. */
            arguments: {
                [key: string]: string;
            };
            /** @description The parts of an answer beyond its text. */
            parts?: components["schemas"]["Part"][];
        };
        ToolOutcome: {
            /**
             * @description The tool the reasoner called. `use_tool` is one of the agent's own.
             * @enum {string}
             */
            tool: "recall" | "remember" | "update_memory" | "forget" | "block_replace" | "block_append" | "send_message" | "share_with_hive" | "ask_agent" | "hand_off" | "spawn_agent" | "ask_human" | "answer" | "use_tool";
            /** @description The arguments by name; they depend on the tool. Those of `use_tool` are the `name` of the tool and its `input` as JSON text. */
            arguments: {
                [key: string]: string;
            };
            /** @description Whether the call succeeded. */
            ok: boolean;
            /** @description The result or the reason of the failure, as told to the reasoner. */
            result: string;
        };
        ToolTry: {
            /** @description The id of the call, the `Idempotency-Key` that the tool was sent. It is that of the audit record. */
            id: string;
            /** @description Whether the call succeeded. */
            ok: boolean;
            /** @description The result or the reason of the failure, as a model would be told. */
            result: string;
            /** @description How long the call took, in milliseconds. */
            ms: number;
        };
        Checkpoint: {
            /** @description The id of the checkpoint. Runs can be forked from it. */
            id: string;
            /** @description The run it belongs to. */
            runId: string;
            /** @description The agent the run belongs to. */
            agent_id: string;
            /** @description The conversation the run is part of. */
            sessionId: string;
            /** @description The number of the completed step, starting at 1. */
            step: number;
            /** @description The tool calls of the step with their outcomes. */
            calls: components["schemas"]["ToolOutcome"][];
            /** @description The partial output so far, if any. */
            output: string | null;
            /** @description Reasoning time used so far, in milliseconds. Downtime and pauses are not counted. */
            runtimeMs: number;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
        };
        Schedule: {
            /** @description The id of the schedule. */
            id: string;
            /** @description The agent whose runs it starts. */
            agent_id: string;
            /** @description Its name, which no other schedule of the agent has, or null. */
            name: string | null;
            /** @description The cron expression, if it has one. */
            cron: string | null;
            /** @description The seconds from one time to the next, if it has an interval. */
            every: number | null;
            /**
             * Format: date-time
             * @description The one time, if it has one.
             */
            at: string | null;
            /** @description The time zone of the cron expression. Null without one. */
            timezone: string | null;
            /** @description The input of its runs. */
            input: string;
            /** @description The conversation that its runs are part of. Null: each has its own. */
            sessionId: string | null;
            /** @description Whom its runs are for, or null. */
            subject: string | null;
            /** @description What its runs do differently from their agent's configuration. Null to callers without `agent:read`. */
            overrides: {
                /** @description The model of this run, as in the configuration of an agent. */
                model?: string | string[];
                /** @description Takes the place of the agent's instructions. */
                instructions?: string;
                /** @description The sampling temperature passed to the model; 0 is the most predictable. */
                temperature?: number;
                /** @description The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued. */
                max_output_tokens?: number;
                /** @description The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema. */
                output_schema?: ({
                    /** @constant */
                    type: "object";
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description Take the place of the agent's own tools in this run, as in the configuration of an agent. */
                tools?: ({
                    /** @constant */
                    kind: "client";
                    /** @description The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                } | {
                    /** @constant */
                    kind: "http";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Where the arguments are POSTed as JSON: https, on a public host. */
                    url: string;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again. */
                    keyed?: boolean;
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "mcp";
                    /** @description The name of the server here. Its tools are called `<name>.<tool>`. */
                    name: string;
                    /** @description Its endpoint (streamable HTTP): https, on a public host. */
                    url?: string;
                    /** @description In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio. */
                    command?: string;
                    /** @description The names of its tools that the model may call. Without it, all of them. */
                    allow?: string[];
                    /** @description What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    reads_only?: boolean | string[];
                    /** @description What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    repeatable?: boolean | string[];
                    /** @description Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case. */
                    approval?: ("ask" | "never") | {
                        [key: string]: "ask" | "never";
                    };
                    /**
                     * @description Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
                     * @enum {string}
                     */
                    annotations?: "trusted" | "ignored";
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "a2a";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description The URL of its agent card: https, on a public host. */
                    card: string;
                    /** @description The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at. */
                    verify?: {
                        /** @description Where the public keys are (JWKS): https, on a public host. They are read with the card. */
                        jwks?: string;
                        /** @description The public keys themselves, at most 8. */
                        keys?: {
                            /**
                             * @description The type of the key.
                             * @enum {string}
                             */
                            kty: "EC" | "RSA" | "OKP";
                            /** @description Its name, by which signatures say that it has made them. */
                            kid?: string;
                            /** @description The one algorithm that it is for, such as `ES256`. */
                            alg?: string;
                            /**
                             * @description What it is for.
                             * @constant
                             */
                            use?: "sig";
                            /** @description The curve (EC, OKP). */
                            crv?: string;
                            /** @description Of the point (EC), or the key (OKP). */
                            x?: string;
                            /** @description Of the point (EC). */
                            y?: string;
                            /** @description The modulus (RSA). */
                            n?: string;
                            /** @description The exponent (RSA). */
                            e?: string;
                        }[];
                    };
                    /** @description What it does and when to ask it, for the model. Without it, what its card says. */
                    description?: string;
                    /** @description The ids of the skills of its card that the model is told of. Without it, all of them. */
                    allow?: string[];
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it. */
                    keyed?: boolean;
                    /** @description Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled. */
                    accept_questions?: boolean;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that an answer is waited for. Default 300. None of it counts in the budget of the run. */
                    timeout_seconds?: number;
                })[];
                /** @description Has the model call one of these tools, or the one of this name, before it answers. */
                tool_choice?: "required" | {
                    /** @description The name of the tool. */
                    name: string;
                };
                /**
                 * @description False has the model call at most one of these tools at a time.
                 * @constant
                 */
                parallel_tool_calls?: false;
                /** @description How the model samples, as far as its server knows these. */
                sampling?: {
                    /** @description The share of the likeliest tokens that are sampled from. */
                    top_p?: number;
                    /** @description Texts at which the model stops. */
                    stop?: string[];
                    /** @description What sampling begins from. */
                    seed?: number;
                    /** @description Makes what was said already less likely. */
                    presence_penalty?: number;
                    /** @description Makes what was said often less likely. */
                    frequency_penalty?: number;
                };
            } | null;
            /**
             * @description What becomes of times that are missed: `one` run for all, or `none`.
             * @enum {string}
             */
            catch_up: "one" | "none";
            /**
             * @description What a time does while the run before has not ended: begin one all the same (`queue`), or none (`skip`).
             * @enum {string}
             */
            if_running: "queue" | "skip";
            /** @description Whether it is paused: no time is due. */
            paused: boolean;
            /** @description The next times, at most five. Empty while it is paused. */
            next_times: string[];
            /** @description What became of the last time that was due, or null if there was none. */
            last: {
                /**
                 * Format: date-time
                 * @description The time that was due.
                 */
                due: string;
                /** @description The run that it started, or null. */
                run_id: string | null;
                /** @description Why it started none, or null. */
                error: {
                    /** @description A machine-readable failure code. */
                    code: string;
                    /** @description A human-readable explanation of the failure. */
                    message: string;
                } | null;
            } | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC with milliseconds.
             */
            updated_at: string;
        };
        Block: {
            /** @description The id of the block, which follows from its label and its subject. */
            id: string;
            /** @description The agent that is told it. */
            agent_id: string;
            /** @description Whom it is about: it is told for this subject alone. Null: it is told whoever the agent works for. */
            subject: string | null;
            /** @description Its name among the blocks of the agent for this subject. */
            label: string;
            /** @description What it is for, which the model is told with it. */
            description: string;
            /** @description What it says. */
            value: string;
            /** @description The most characters that it may have. */
            limit: number;
            /** @description Whether only clients change it, and the model of the agent never does. */
            read_only: boolean;
            /** @description Its number, which grows by one with each change. */
            version: number;
            /**
             * @description Who has changed it last: a `client`, or the `model` of the agent.
             * @enum {string}
             */
            by: "client" | "model";
            /** @description What it said before, the newest first: the last few that said something else. */
            versions: {
                /** @description Its number, which `restore` names. */
                version: number;
                /** @description What it said. */
                value: string;
                /**
                 * @description Who had written that.
                 * @enum {string}
                 */
                by: "client" | "model";
                /**
                 * Format: date-time
                 * @description When that was written.
                 */
                at: string;
            }[];
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC with milliseconds.
             */
            updated_at: string;
        };
        Profile: {
            /** @description The agent whose profile it is. */
            agent_id: string;
            /** @description Whose it is. Null: that of nobody in particular. */
            subject: string | null;
            /** @description Blocks of the subject with these labels. */
            slots: {
                /** @description The block `name`: what the subject is called. Null if there is none. */
                name: {
                    /** @description What the block says. */
                    value: string;
                    /**
                     * Format: date-time
                     * @description When that was written.
                     */
                    since: string;
                } | null;
                /** @description The block `language`: in which language the subject is to be answered, or null. */
                language: {
                    /** @description What the block says. */
                    value: string;
                    /**
                     * Format: date-time
                     * @description When that was written.
                     */
                    since: string;
                } | null;
                /** @description The block `timezone`: where the subject is, as a time zone of the IANA database. Models are told the time there. Null if there is none. */
                timezone: {
                    /** @description What the block says. */
                    value: string;
                    /**
                     * Format: date-time
                     * @description When that was written.
                     */
                    since: string;
                } | null;
            };
            /** @description All blocks that a run for the subject is told. */
            blocks: components["schemas"]["Block"][];
            /** @description What the rules for English find in what clients said and in memories, what matters most first. */
            entries: {
                /** @description The id of the entry, which follows from its text. */
                id: string;
                /** @description What is to be done or preferred, word for word. */
                text: string;
                /**
                 * @description Whether it says how something is to be done, or what is preferred.
                 * @enum {string}
                 */
                kind: "order" | "preference";
                /**
                 * Format: date-time
                 * @description When it was said first, as far as that was read.
                 */
                since: string;
                /** @description How many texts say it. */
                times_seen: number;
                /** @description What says it, the newest first. */
                evidence: {
                    /**
                     * @description Whether a memory or a turn of a conversation says it.
                     * @enum {string}
                     */
                    kind: "memory" | "turn";
                    /** @description The id of the memory or the turn. */
                    id: string;
                    /** @description The run in which it was said, or null for a memory. */
                    run_id: string | null;
                    /** @description The conversation in which it was said, or null. */
                    sessionId: string | null;
                    /**
                     * Format: date-time
                     * @description When it was said.
                     */
                    at: string;
                }[];
            }[];
        };
        MailboxMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The agent whose mailbox holds the message. */
            agent_id: string;
            /** @description The sender as verified by the service: an agent id, `external` for a client, or null for the service itself. */
            from: string | null;
            /** @description The text of the message. */
            content: string;
            /** @description Whom it is about or from; a run that it starts is for them. Null for nobody in particular. */
            subject: string | null;
            /** @description The id of the message it answers, if any. */
            reply_to: string | null;
            /** @description Arbitrary metadata set by the sender. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The number of agents that forwarded it. After 16 hops a message no longer wakes agents. */
            hops: number;
            /** @description How often it has woken the agent without being read, at most 3. */
            wakes: number;
            /**
             * Format: date-time
             * @description When a step of the agent read it, ISO 8601. Null if unread.
             */
            read_at: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
        };
        ExportLine: {
            /** @description What the line is: `export`, `workspace`, `hive`, `agent`, `memory`, ... (docs/export.md). */
            record: string;
            /** @description The id of what the line holds. */
            id?: string;
            /** @description Its fields, which mean what they do elsewhere. */
            data?: {
                [key: string]: unknown;
            };
        };
        ImportReport: {
            /** @description How many records were added, by kind. */
            added: {
                [key: string]: number;
            };
            /** @description How many were there already and stayed as they are, by kind. */
            present: {
                [key: string]: number;
            };
            /** @description How many were left out. */
            refused: number;
            /** @description Why records were left out; the first 10 reasons. */
            reasons: string[];
            /** @description The SHA-256 of the lines, as the last line of the export has it. */
            sha256: string;
        };
        Traffic: {
            /**
             * Format: date-time
             * @description The start of the period counted: one hour ago, or later if not `complete`.
             */
            since: string;
            /**
             * Format: date-time
             * @description The end of the period counted.
             */
            until: string;
            /** @description False if the hour has more messages than are counted. The newest 10,000 are counted, or fewer if they are long. */
            complete: boolean;
            /** @description The number of messages counted, including pairs that are not listed. */
            messages: number;
            /** @description Message counts by sender and receiver, highest first, at most 500 pairs. */
            pairs: {
                /** @description The sending agent, or `external` for clients. */
                from: string;
                /** @description The receiving agent. */
                to: string;
                /** @description The number of messages. */
                count: number;
            }[];
        };
        MessageReply: {
            /** @description The id of the message sent. */
            message_id: string;
            /** @description The run that answers it. */
            run_id: string;
            /**
             * @description The status of the run at the time of this reply. If it is not `completed`, it says why there is no response.
             * @enum {string}
             */
            status: "pending" | "running" | "paused" | "completed" | "failed" | "timeout" | "cancelled";
            /**
             * @description Why a run stopped: it answered, a length limit ended its answer, it used up a budget of steps, of time, or of tokens or money (`budget`), or it was interrupted by what was said next. Null otherwise.
             * @enum {string|null}
             */
            stopReason: "answer" | "length" | "max_steps" | "timeout" | "budget" | "interrupted" | null;
            /** @description The answer, or null if there is none yet; see `status`. */
            response: string | null;
            /** @description The answer as data, where it has to fit an `output_schema`; `output` has it as JSON text. Null otherwise. */
            output_data: unknown;
            /** @description Why the run failed, or null if it did not fail. */
            error: {
                /** @description A machine-readable failure code. */
                code: string;
                /** @description A human-readable explanation of the failure. */
                message: string;
            } | null;
            /** @description What a paused run is waiting for. */
            waitingFor: {
                /** @description The id of the question, which an answer may name. It is also the `messageId` of the question in the A2A task. */
                id: string;
                /**
                 * @description What kind of input is needed: `approval` of an action, an answer from a `human`, or the results of `tools`. With `agent` it waits for other agents, and goes on by itself.
                 * @enum {string}
                 */
                kind: "approval" | "human" | "tools" | "agent";
                /** @description The question to show to a human. */
                question: string;
                /** @description The action to approve, or null for a plain question. */
                action: components["schemas"]["ToolCall"] | null;
                /** @description Only for `tools`: the calls whose results the run waits for, as `results` of a resume. */
                calls?: components["schemas"]["ClientCall"][];
                /** @description Only for `agent`: the questions whose answers the run waits for. */
                asked?: {
                    /** @description The id of the call that asks. */
                    id: string;
                    /** @description The agent that is asked; null if there is none of that name, or it is an agent elsewhere. */
                    agent_id: string | null;
                    /** @description Only for an agent elsewhere: the tool of kind `a2a` that is used. */
                    peer?: string;
                    /** @description The run that answers; null if it is not known yet, or there is none. */
                    run_id: string | null;
                    /** @description Whether its outcome is there. */
                    answered: boolean;
                    /** @description What the answer waits for: the run that answers, or one that it has asked itself. Null if nothing. */
                    waitsFor: {
                        /** @description The agent of the run that waits. */
                        agent_id: string;
                        /** @description The run that waits. It may be answered there, or at the run that asks. */
                        run_id: string;
                        /** @description The id of its question, which an answer names where there are several. */
                        id: string;
                        /**
                         * @description What that run waits for.
                         * @enum {string}
                         */
                        kind: "approval" | "human" | "tools";
                        /** @description The question that it waits with. */
                        question: string;
                    } | null;
                }[];
            } | null;
            /** @description The memories the answer is based on, with their relevance. */
            memories_consulted: components["schemas"]["ConsultedMemory"][];
            /** @description The id of the conversation. Send it with the next message to continue. */
            sessionId: string;
        };
        AgentToken: {
            /** @description The id of the token. */
            id: string;
            /** @description The name given by its creator. */
            name: string;
            /** @description The first characters of the secret, for telling credentials apart. */
            hint: string;
            /**
             * Format: date-time
             * @description When it expires, ISO 8601. Null means never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used, accurate to the minute. Null means never.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /** @description The agent whose A2A endpoint it gives access to. */
            agent_id: string;
            /** @description The scopes granted at that endpoint. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin" | "agent:mcp")[];
            /**
             * @description Set where it reaches only the A2A tasks that it began. Without it, it reaches all of the agent.
             * @constant
             */
            tasks?: "own";
        };
        ApiKey: {
            /** @description The id of the key. */
            id: string;
            /** @description The name given by its creator. */
            name: string;
            /** @description The first characters of the secret, for telling credentials apart. */
            hint: string;
            /**
             * Format: date-time
             * @description When it expires, ISO 8601. Null means never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used, accurate to the minute. Null means never.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * @description `live` keys work in the workspace, `test` keys in its sandbox.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description The scopes granted. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin")[];
        };
        AuditRecord: {
            /** @description The id of the record. */
            id: string;
            /**
             * @description What was done.
             * @enum {string}
             */
            action: "agent.created" | "agent.updated" | "agent.deleted" | "alerts.updated" | "block.deleted" | "block.updated" | "profile.updated" | "budget.updated" | "hive.created" | "hive.updated" | "hive.deleted" | "hive.joined" | "hive.left" | "key.created" | "key.revoked" | "memory.updated" | "memory.deleted" | "memory.shared" | "message.deleted" | "push.registered" | "push.removed" | "push.replayed" | "run.answered" | "run.approved" | "run.cancelled" | "run.deleted" | "run.forked" | "run.rejected" | "run.resumed" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule.started" | "session.deleted" | "subject.deleted" | "token.created" | "token.revoked" | "tool.called" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "workspace.exported" | "workspace.imported";
            /** @description Who did it: the id of an API key, token or access token, `command line` or `server start`. */
            actor: string;
            /** @description The name that the key or token had at that time, or the person of an access token. */
            actor_name: string | null;
            /** @description The address of the client. Null for actions on the machine itself, and where it is not known. */
            from: string | null;
            /** @description The `X-Request-Id` of the response to the request that did it. */
            request_id: string | null;
            /** @description The id of what was changed: a key, an agent, a memory, a run ... Null for a tool. */
            target_id: string | null;
            /** @description The id of the key or token concerned. Null for everything else. */
            credential_id: string | null;
            /** @description The name of what was changed. Empty if it has none. */
            name: string;
            /** @description The agent that it belongs to. Null if it belongs to none. */
            agent_id: string | null;
            /** @description The hive that it belongs to. Null if it belongs to none. */
            hive_id: string | null;
            /** @description The scopes of the key or token. None for everything else. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin" | "agent:mcp")[];
            /** @description The fields that the request gave, without their values; of `config` its own: `config.tools`. */
            fields: string[];
            /** @description How many things were changed, where one request changes many. Null otherwise. */
            count: number | null;
            /** @description What somebody said with a decision or an answer, cut after 2,000 characters. Null if nothing. */
            words: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
        };
        Hive: {
            /** @description The id of the hive. */
            id: string;
            /** @description The display name. Names need not be unique. */
            name: string;
            /** @description A free-text description. */
            description: string;
            /** @description Arbitrary metadata set by clients. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The number of memories shared in it. */
            memory_count: number;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC with milliseconds.
             */
            updated_at: string;
        };
        Me: {
            /** @description The workspace the key belongs to. */
            workspace: {
                /** @description The id of the workspace. */
                id: string;
                /** @description The name. */
                name: string;
                /**
                 * Format: date-time
                 * @description Creation time, ISO 8601 in UTC with milliseconds.
                 */
                created_at: string;
            };
            /**
             * @description Whether the key works in the workspace itself (`live`) or in its separate sandbox (`test`).
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description The tier, which sets the limits. It is `sandbox` for every test key.
             * @enum {string}
             */
            tier: "free" | "pro" | "team" | "enterprise" | "sandbox";
            /** @description The API key or access token of this request. */
            key: {
                /** @description The name given by its creator. */
                name: string;
                /** @description The first characters of the secret, for telling credentials apart. */
                hint: string;
                /**
                 * Format: date-time
                 * @description When it expires, ISO 8601. Null means never.
                 */
                expires_at: string | null;
                /**
                 * Format: date-time
                 * @description Creation time, ISO 8601 in UTC with milliseconds.
                 */
                created_at: string;
                /** @description Its id, or `oauth_` and the subject of an access token. */
                id: string;
            };
            /** @description The scopes granted to the key. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin")[];
            /** @description The limits of the tier. Null means unlimited. */
            limits: {
                /** @description Sustained requests per minute for the key. */
                requests_per_minute: number;
                /** @description The largest burst of requests after a pause. */
                request_burst: number;
                /** @description Memory searches per minute; they also count as requests. */
                searches_per_minute: number;
                /** @description Requests of the key that may be in progress at once, including open streams. */
                concurrent_requests: number;
                /** @description Long-term memories that the workspace may add each month. */
                memories_per_month: number | null;
                /** @description The storage of the workspace in bytes. */
                storage_bytes: number | null;
                /** @description The maximum number of API keys of the workspace. */
                api_keys: number;
                /** @description Messages per minute between agents of the workspace. Further messages are delivered later. */
                mailbox_messages_per_minute: number | null;
            };
            /** @description The names of the model servers that are configured, which `config.model` of an agent may name before a slash. */
            model_servers: string[];
        };
        Usage: {
            /** @description The calendar month the quota applies to. */
            cycle: {
                /**
                 * Format: date-time
                 * @description The first moment of the cycle.
                 */
                start: string;
                /**
                 * Format: date-time
                 * @description The first moment after the cycle.
                 */
                end: string;
            };
            /**
             * @description `live` for the workspace, `test` for its sandbox.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description Memories counted against the quota in this cycle: created minus deleted, excluding short-term memories. */
            used: number;
            /** @description The limit. Null means unlimited. */
            limit: number | null;
            /** @description What remains of the limit. Null means unlimited. */
            remaining: number | null;
            /** @description The number of agents in the workspace now. */
            agents: number;
            /** @description The number of hives in the workspace now. */
            hives: number;
            /** @description The number of memories in the workspace now, including those that expire. */
            memories: number;
            /** @description The same number by memory type. */
            by_type: {
                [key: string]: number;
            };
            /** @description The approximate storage of the workspace. At the limit nothing can be added. */
            storage: {
                /** @description Bytes in use. */
                used: number;
                /** @description The limit. Null means unlimited. */
                limit: number | null;
            };
            /** @description Usage of model servers. All zeros with the built-in reasoner. */
            models: {
                /** @description The number of requests that model servers answered. */
                requests: number;
                /** @description Input tokens as reported by the servers, including tokens read from a prompt cache. */
                inputTokens: number;
                /** @description The input tokens that the servers read from a prompt cache. */
                cachedInputTokens: number;
                /** @description As the servers reported them. */
                outputTokens: number;
                /** @description What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known. */
                cost?: number;
            };
            /** @description Up to 100 agents, most recently changed first, or the one selected by `agent_id`. */
            by_agent: {
                /** @description The agent. */
                agent_id: string;
                /** @description The name. */
                name: string;
                /** @description Its memories counted against the quota in this cycle. */
                used: number;
                /** @description The number of its memories now. */
                memories: number;
                /** @description Its maximum number of long-term memories. Null means unlimited. */
                memory_quota: number | null;
                /** @description Usage of model servers. All zeros with the built-in reasoner. */
                models: {
                    /** @description The number of requests that model servers answered. */
                    requests: number;
                    /** @description Input tokens as reported by the servers, including tokens read from a prompt cache. */
                    inputTokens: number;
                    /** @description The input tokens that the servers read from a prompt cache. */
                    cachedInputTokens: number;
                    /** @description As the servers reported them. */
                    outputTokens: number;
                    /** @description What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known. */
                    cost?: number;
                };
            }[];
        };
        UsageDays: {
            /**
             * Format: date
             * @description The first day that is told, UTC.
             */
            from: string;
            /**
             * Format: date
             * @description The last day, UTC.
             */
            until: string;
            /** @description The days on which models were used, in order. */
            days: {
                /**
                 * Format: date
                 * @description The day, UTC.
                 */
                day: string;
                /** @description Runs that used a model and ended. */
                runs: number;
                /** @description Those of them that failed or ran out of time. */
                failed: number;
                /** @description The number of requests that model servers answered. */
                requests: number;
                /** @description Input tokens as reported by the servers, including tokens read from a prompt cache. */
                inputTokens: number;
                /** @description The input tokens that the servers read from a prompt cache. */
                cachedInputTokens: number;
                /** @description As the servers reported them. */
                outputTokens: number;
                /** @description What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known. */
                cost?: number;
            }[];
            /** @description The agents that cost the most in these days, or used the most tokens where no price is known; at most 20. */
            by_agent: {
                /** @description The agent. */
                agent_id: string;
                /** @description Its name. Null once it is deleted. */
                name: string | null;
                /** @description Runs that used a model and ended. */
                runs: number;
                /** @description Those of them that failed or ran out of time. */
                failed: number;
                /** @description The number of requests that model servers answered. */
                requests: number;
                /** @description Input tokens as reported by the servers, including tokens read from a prompt cache. */
                inputTokens: number;
                /** @description The input tokens that the servers read from a prompt cache. */
                cachedInputTokens: number;
                /** @description As the servers reported them. */
                outputTokens: number;
                /** @description What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known. */
                cost?: number;
            }[];
            /** @description False if there is more than one request adds up. What is left out is the earliest, of `from` on. */
            complete: boolean;
        };
        ModelBudget: {
            /** @description Tokens of a month, input and output. Null means no bound. */
            tokens_per_month: number | null;
            /** @description US dollars of a month. Null means no bound. */
            cost_per_month: number | null;
            /** @description What all agents have used in this cycle. */
            used: {
                /** @description The number of requests that model servers answered. */
                requests: number;
                /** @description Input tokens as reported by the servers, including tokens read from a prompt cache. */
                inputTokens: number;
                /** @description The input tokens that the servers read from a prompt cache. */
                cachedInputTokens: number;
                /** @description As the servers reported them. */
                outputTokens: number;
                /** @description What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known. */
                cost?: number;
            };
            /** @description What the runs of each subject may use in a month, of all agents together. Null means no bound. */
            per_subject: {
                /** @description Tokens of a month, input and output. Null means no bound. */
                tokens_per_month: number | null;
                /** @description US dollars of a month. Null means no bound. */
                cost_per_month: number | null;
            } | null;
            /** @description The subject that was asked for by `subject`. Null if none was. */
            subject: {
                /** @description The subject. */
                subject: string;
                /** @description What its runs have used in this cycle, since there is a budget for each subject. */
                used: {
                    /** @description The number of requests that model servers answered. */
                    requests: number;
                    /** @description Input tokens as reported by the servers, including tokens read from a prompt cache. */
                    inputTokens: number;
                    /** @description The input tokens that the servers read from a prompt cache. */
                    cachedInputTokens: number;
                    /** @description As the servers reported them. */
                    outputTokens: number;
                    /** @description What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known. */
                    cost?: number;
                };
            } | null;
            /**
             * Format: date-time
             * @description When it was set. Null if it never was.
             */
            updated_at: string | null;
        };
        UsageAlerts: {
            /** @description The percentages of the monthly quota at which an alert is sent, ascending. Empty means that alerts are off. */
            thresholds: number[];
            /** @description The alerts of this cycle, in the order in which they were sent. */
            sent: {
                /** @description The threshold that was reached. */
                percent: number;
                /** @description The memories counted in the cycle at that time. */
                used: number;
                /**
                 * Format: date-time
                 * @description When the alert was sent.
                 */
                at: string;
            }[];
            /**
             * Format: date-time
             * @description When these settings were changed. Null for the defaults.
             */
            updated_at: string | null;
        };
        RunEvent: {
            /** @description The sequence number within the run, starting at 1 without gaps. It is also the id of the event. */
            seq: number;
            /**
             * Format: date-time
             * @description When it happened, ISO 8601 in UTC with milliseconds.
             */
            at: string;
            /** @constant */
            type: "status";
            /**
             * @description The new status of the run.
             * @enum {string}
             */
            status: "pending" | "running" | "paused" | "completed" | "failed" | "timeout" | "cancelled";
            /**
             * @description Why the run stopped, as in the run. Null otherwise.
             * @enum {string|null}
             */
            stopReason: "answer" | "length" | "max_steps" | "timeout" | "budget" | "interrupted" | null;
            /** @description A human-readable detail, if any. */
            message: string | null;
            /** @description The decision by which a paused run goes on, or what was said to a run that goes on, if it is one. */
            decision?: {
                /**
                 * @description Whether the action was approved or rejected, the question answered, or more said to the run while it went on.
                 * @enum {string}
                 */
                decision: "approve" | "reject" | "answer" | "steer";
                /** @description Who has decided. */
                by: {
                    /** @description The id of the key or token, or of the person whom an access token speaks for. */
                    id: string;
                    /** @description The name of the key, the token or the person; null if it has none. */
                    name: string | null;
                };
                /** @description What was said with it, if anything. */
                words: string | null;
            };
            /**
             * @description Of a run that is `paused` for other agents, and goes on by itself.
             * @constant
             */
            waitsFor?: "agent";
        } | {
            /** @description The sequence number within the run, starting at 1 without gaps. It is also the id of the event. */
            seq: number;
            /**
             * Format: date-time
             * @description When it happened, ISO 8601 in UTC with milliseconds.
             */
            at: string;
            /** @constant */
            type: "thought";
            thought: components["schemas"]["Thought"];
        } | {
            /** @description The sequence number within the run, starting at 1 without gaps. It is also the id of the event. */
            seq: number;
            /**
             * Format: date-time
             * @description When it happened, ISO 8601 in UTC with milliseconds.
             */
            at: string;
            /** @constant */
            type: "answer";
            /** @description The answer, which is the output of the run. */
            content: string;
            /** @description All parts of the answer, if it is more than text. */
            parts?: components["schemas"]["Part"][];
        } | {
            /** @constant */
            type: "delta";
            /**
             * Format: date-time
             * @description When it happened, ISO 8601 in UTC with milliseconds.
             */
            at: string;
            /** @description The step that the model is at. */
            step: number;
            /** @description Whether the text goes on; false where it takes the place of all text of the run before it. */
            append: boolean;
            /** @description What the model has written, which may turn out to be no answer: `answer` has all of it. */
            text: string;
        };
        WorkspaceEvent: {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "agent.created" | "agent.updated" | "agent.deleted" | "memory.created" | "memory.updated" | "memory.deleted" | "hive.created" | "hive.updated" | "hive.deleted" | "message.received" | "message.deleted" | "run.status" | "run.deleted" | "usage.alert";
            /**
             * Format: date-time
             * @description When it happened, ISO 8601 in UTC with milliseconds.
             */
            at: string;
            /** @description The ids concerned, and details that depend on the type. */
            data: {
                [key: string]: unknown;
            };
        };
        Webhook: {
            /** @description The id of the webhook. */
            id: string;
            /** @description Where events are POSTed. */
            url: string;
            /** @description The events that it is told. */
            events: ("run.completed" | "run.failed" | "run.timed_out" | "run.cancelled" | "run.input_required" | "message.received" | "memory.created" | "memory.updated" | "memory.deleted" | "agent.created" | "agent.updated" | "usage.alert" | "audit.recorded")[];
            /** @description The agent whose events alone it is told. Null means all. */
            agent_id: string | null;
            /** @description What it is for. */
            description: string;
            /** @description Whether it is told anything. */
            enabled: boolean;
            /** @description Set while deliveries fail. Null once one has succeeded. */
            failing: {
                /**
                 * Format: date-time
                 * @description Since when every try has failed.
                 */
                since: string;
                /** @description Why the first of these tries failed. */
                reason: string;
            } | null;
            /** @description Why the service has disabled it: it took nothing for three days, or was imported. Null otherwise. */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC with milliseconds.
             */
            updated_at: string;
        };
        WebhookTest: {
            /** @description The id of the event that was sent, its `webhook-id`. */
            id: string;
            /** @description Whether the receiver answered with 2xx. */
            delivered: boolean;
            /** @description Why not. Null if it was delivered. */
            reason: string | null;
        };
        DeadLetter: {
            /** @description The id of the dead letter. */
            id: string;
            /** @description The agent the task belongs to. */
            agent_id: string;
            /** @description The id of the task, which is also the id of its run. */
            task_id: string;
            /** @description The push configuration it was sent for. */
            config_id: string;
            /** @description The destination URL, with its query masked. */
            url: string;
            /**
             * @description The task status it reports.
             * @enum {string}
             */
            status: "pending" | "running" | "paused" | "completed" | "failed" | "timeout" | "cancelled";
            /** @description Why delivery was given up. */
            reason: string;
            /** @description The number of delivery attempts. */
            tries: number;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When delivery was given up.
             */
            updated_at: string;
        };
        Part: {
            /** @constant */
            kind: "text";
            /** @description The text. */
            text: string;
            /** @description The file name. */
            filename?: string;
            /** @description The media type of the content, for example `application/json`. */
            mediaType?: string;
            /** @description Arbitrary metadata set by the sender. */
            metadata?: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            kind: "data";
            /** @description Any JSON value. */
            data: unknown;
            /** @description The file name. */
            filename?: string;
            /** @description The media type of the content, for example `application/json`. */
            mediaType?: string;
            /** @description Arbitrary metadata set by the sender. */
            metadata?: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            kind: "file";
            /** @description The file content, base64-encoded. */
            bytes: string;
            /** @description The file name. */
            filename?: string;
            /** @description The media type of the content, for example `application/json`. */
            mediaType?: string;
            /** @description Arbitrary metadata set by the sender. */
            metadata?: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            kind: "file";
            /** @description The URL of the file. */
            uri: string;
            /** @description The file name. */
            filename?: string;
            /** @description The media type of the content, for example `application/json`. */
            mediaType?: string;
            /** @description Arbitrary metadata set by the sender. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        MintedToken: {
            /** @description The id of the token. */
            id: string;
            /** @description The name given by its creator. */
            name: string;
            /** @description The first characters of the secret, for telling credentials apart. */
            hint: string;
            /**
             * Format: date-time
             * @description When it expires, ISO 8601. Null means never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used, accurate to the minute. Null means never.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /** @description The agent whose A2A endpoint it gives access to. */
            agent_id: string;
            /** @description The scopes granted at that endpoint. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin" | "agent:mcp")[];
            /**
             * @description Set where it reaches only the A2A tasks that it began. Without it, it reaches all of the agent.
             * @constant
             */
            tasks?: "own";
            /** @description The secret token. It is shown only once and never stored. */
            token: string;
        };
        MintedKey: {
            /** @description The id of the key. */
            id: string;
            /** @description The name given by its creator. */
            name: string;
            /** @description The first characters of the secret, for telling credentials apart. */
            hint: string;
            /**
             * Format: date-time
             * @description When it expires, ISO 8601. Null means never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used, accurate to the minute. Null means never.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * @description `live` keys work in the workspace, `test` keys in its sandbox.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description The scopes granted. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin")[];
            /** @description The secret key. It is shown only once and never stored. */
            key: string;
        };
        MintedWebhook: {
            /** @description The id of the webhook. */
            id: string;
            /** @description Where events are POSTed. */
            url: string;
            /** @description The events that it is told. */
            events: ("run.completed" | "run.failed" | "run.timed_out" | "run.cancelled" | "run.input_required" | "message.received" | "memory.created" | "memory.updated" | "memory.deleted" | "agent.created" | "agent.updated" | "usage.alert" | "audit.recorded")[];
            /** @description The agent whose events alone it is told. Null means all. */
            agent_id: string | null;
            /** @description What it is for. */
            description: string;
            /** @description Whether it is told anything. */
            enabled: boolean;
            /** @description Set while deliveries fail. Null once one has succeeded. */
            failing: {
                /**
                 * Format: date-time
                 * @description Since when every try has failed.
                 */
                since: string;
                /** @description Why the first of these tries failed. */
                reason: string;
            } | null;
            /** @description Why the service has disabled it: it took nothing for three days, or was imported. Null otherwise. */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description Creation time, ISO 8601 in UTC with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC with milliseconds.
             */
            updated_at: string;
            /** @description The secret that signs what it is sent. It is shown only once. */
            secret: string;
        };
        Deleted: {
            /** @description The id of the deleted resource. */
            id: string;
            /** @constant */
            deleted: true;
        };
        Error: {
            /** @description The error. */
            error: {
                /**
                 * @description A machine-readable error code.
                 * @enum {string}
                 */
                code: "VALIDATION_ERROR" | "UNSUPPORTED_VERSION" | "UNAUTHENTICATED" | "INSUFFICIENT_SCOPE" | "QUOTA_EXCEEDED" | "HTTPS_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "AGENT_INACTIVE" | "RUN_NOT_RESUMABLE" | "AGENT_BUSY" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMIT_EXCEEDED" | "CONCURRENCY_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "UNAVAILABLE";
                /** @description A human-readable message. Its wording may change. */
                message: string;
                /** @description The HTTP status. */
                status: number;
                /** @description Further details, depending on the code. */
                details: {
                    /** @description The invalid fields of a VALIDATION_ERROR. */
                    issues?: {
                        /** @description The path of the field, for example `config.max_steps`. Empty for the body itself. */
                        path: string;
                        /** @description What was expected. */
                        message: string;
                    }[];
                    /** @description The missing scope of an INSUFFICIENT_SCOPE error. */
                    required_scope?: string;
                    /** @description The limit that was reached. */
                    limit?: number;
                    /** @description The window of a RATE_LIMIT_EXCEEDED error, for example `60s`. */
                    window?: string;
                    /** @description Seconds until a retry may succeed, as in Retry-After. */
                    retry_after?: number;
                } & {
                    [key: string]: unknown;
                };
                /** @description The id of the request, as in X-Request-Id, also found in the log. */
                request_id: string;
            };
        };
        Pagination: {
            /** @description Where the next page begins: its `cursor`. */
            next_cursor: string | null;
            /** @description Whether there is a next page; go by this. */
            has_more: boolean;
            /** @description How many the whole list holds; filtered lists count up to 10,000. */
            total_count: number;
        };
        /** @description The configuration. Unknown keys are refused. At most 65536 bytes as JSON. */
        AgentConfig: {
            /** @description `built-in` (the default), `openai/<name>`, `anthropic/<name>`, or the name of another configured server and its model. In a list of these, up to eight, the next one is asked where a server is away or refuses for reasons of its own. */
            model?: string | string[];
            /** @description The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued. */
            max_output_tokens?: number;
            /** @description How much a model that can think does so, in the words of its API. Where it cannot be told, it is left out, and a thought says so. By default what its server decides. */
            reasoning?: {
                /**
                 * @description How much the model thinks before it speaks; `none` turns thinking off.
                 * @enum {string}
                 */
                effort?: "none" | "minimal" | "low" | "medium" | "high";
                /** @description The most tokens that it thinks. */
                max_tokens?: number;
            };
            /** @description The built-in tools that the model has, beside the tools of its own. By default those that it can use: `recall`, `remember`, `update_memory` and `forget`; `send_message` where mail comes or the agent is in a hive; `share_with_hive` in a hive; `ask_human` where a human approves what it does. A tool that the instructions name is told, too. `hand_off` works only where one of the two names it. */
            builtin_tools?: ("recall" | "remember" | "update_memory" | "forget" | "block_replace" | "block_append" | "send_message" | "share_with_hive" | "ask_agent" | "hand_off" | "ask_human")[];
            /** @description The media types of the files that the model is given, beside texts. By default the images: PNG, JPEG, GIF and WebP. An empty list refuses them. */
            accepts?: ("image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf")[];
            /** @description The sampling temperature passed to the model; 0 is the most predictable. */
            temperature?: number;
            /** @description Whether runs may take several steps; messages over A2A are then answered while the run continues. Default false. */
            multi_step?: boolean;
            /** @description The maximum number of steps of a run that does not set its own. */
            max_steps?: number;
            /** @description How many runs of the agent may be running at a time, each in a session of its own; of one session it is always one. Default 8. */
            max_parallel?: number;
            /** @description What runs may use of model servers. One that reaches its budget is asked for its answer, and stops with `stopReason: budget`; where that of the month is used up, no run begins. Money counts where prices are known. */
            budget?: {
                /** @description Tokens of one run, input and output. */
                tokens_per_run?: number;
                /** @description US dollars of one run. */
                cost_per_run?: number;
                /** @description Tokens of one run and of all that it asks of other agents, directly or through others. */
                tokens_per_tree?: number;
                /** @description US dollars of the same. */
                cost_per_tree?: number;
                /** @description Tokens of all runs in a month. */
                tokens_per_month?: number;
                /** @description US dollars of all runs in a month. */
                cost_per_month?: number;
            };
            /** @description Whether the agent may spawn others (`spawn_agent`), which have at most its tools, hives and gate, and are deleted with it. Without it, it may not. */
            spawn?: {
                /** @description How many agents that it has spawned there may be at a time. */
                most: number;
                /** @description Their model. Without it, that of the agent. */
                model?: string | string[];
            };
            /** @description The time zone of schedules of the agent that are made without one of their own, and in which its model is told the time where no block says another, a name of the IANA database such as `Europe/Berlin`. Default `UTC`. */
            timezone?: string;
            /** @description Instructions that tell the model its role and task. At most 32768 bytes of UTF-8, without NUL or lone surrogates. */
            instructions?: string;
            /** @description The JSON Schema (2020-12) of the final answer, which is then a JSON object, in `output_data`. It needs a model. Its `type` is `object`; at most 32768 bytes, 32 levels, and references within itself only. `format` is told to the model and not checked. */
            output_schema?: {
                /** @constant */
                type: "object";
            } & {
                [key: string]: unknown;
            };
            /** @description Tools beside the built-in ones, at most 64, each with a name of its own. Models use them; the built-in reasoner does not. */
            tools?: ({
                /** @constant */
                kind: "client";
                /** @description The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number. */
                name: string;
                /** @description What it does and when to use it, for the model. At most 4096 characters. */
                description: string;
                /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                input_schema?: {
                    /** @constant */
                    type: "object";
                } & {
                    [key: string]: unknown;
                };
                /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                reads_only?: boolean;
                /**
                 * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                 * @enum {string}
                 */
                approval?: "ask" | "never";
            } | {
                /** @constant */
                kind: "http";
                /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                name: string;
                /** @description What it does and when to use it, for the model. At most 4096 characters. */
                description: string;
                /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                input_schema?: {
                    /** @constant */
                    type: "object";
                } & {
                    [key: string]: unknown;
                };
                /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                reads_only?: boolean;
                /**
                 * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                 * @enum {string}
                 */
                approval?: "ask" | "never";
                /** @description Where the arguments are POSTed as JSON: https, on a public host. */
                url: string;
                /** @description A secret that is sent with each call. */
                secret?: {
                    /** @description The header that carries it, such as `Authorization`. */
                    header: string;
                    /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                    value?: string;
                };
                /** @description Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again. */
                keyed?: boolean;
                /** @description The longest that a call may take. Default 30. */
                timeout_seconds?: number;
            } | {
                /** @constant */
                kind: "mcp";
                /** @description The name of the server here. Its tools are called `<name>.<tool>`. */
                name: string;
                /** @description Its endpoint (streamable HTTP): https, on a public host. */
                url?: string;
                /** @description In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio. */
                command?: string;
                /** @description The names of its tools that the model may call. Without it, all of them. */
                allow?: string[];
                /** @description What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                reads_only?: boolean | string[];
                /** @description What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                repeatable?: boolean | string[];
                /** @description Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case. */
                approval?: ("ask" | "never") | {
                    [key: string]: "ask" | "never";
                };
                /**
                 * @description Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
                 * @enum {string}
                 */
                annotations?: "trusted" | "ignored";
                /** @description A secret that is sent with each call. */
                secret?: {
                    /** @description The header that carries it, such as `Authorization`. */
                    header: string;
                    /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                    value?: string;
                };
                /** @description The longest that a call may take. Default 30. */
                timeout_seconds?: number;
            } | {
                /** @constant */
                kind: "a2a";
                /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                name: string;
                /** @description The URL of its agent card: https, on a public host. */
                card: string;
                /** @description The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at. */
                verify?: {
                    /** @description Where the public keys are (JWKS): https, on a public host. They are read with the card. */
                    jwks?: string;
                    /** @description The public keys themselves, at most 8. */
                    keys?: {
                        /**
                         * @description The type of the key.
                         * @enum {string}
                         */
                        kty: "EC" | "RSA" | "OKP";
                        /** @description Its name, by which signatures say that it has made them. */
                        kid?: string;
                        /** @description The one algorithm that it is for, such as `ES256`. */
                        alg?: string;
                        /**
                         * @description What it is for.
                         * @constant
                         */
                        use?: "sig";
                        /** @description The curve (EC, OKP). */
                        crv?: string;
                        /** @description Of the point (EC), or the key (OKP). */
                        x?: string;
                        /** @description Of the point (EC). */
                        y?: string;
                        /** @description The modulus (RSA). */
                        n?: string;
                        /** @description The exponent (RSA). */
                        e?: string;
                    }[];
                };
                /** @description What it does and when to ask it, for the model. Without it, what its card says. */
                description?: string;
                /** @description The ids of the skills of its card that the model is told of. Without it, all of them. */
                allow?: string[];
                /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                reads_only?: boolean;
                /**
                 * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                 * @enum {string}
                 */
                approval?: "ask" | "never";
                /** @description Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it. */
                keyed?: boolean;
                /** @description Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled. */
                accept_questions?: boolean;
                /** @description A secret that is sent with each call. */
                secret?: {
                    /** @description The header that carries it, such as `Authorization`. */
                    header: string;
                    /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                    value?: string;
                };
                /** @description The longest that an answer is waited for. Default 300. None of it counts in the budget of the run. */
                timeout_seconds?: number;
            })[];
            /**
             * @description Pauses runs for approval: before each action that remembers, sends or shares something, or uses a tool of its own that does not only read (`action`), or before the answer, and whatever else is told to whoever asked (`answer`).
             * @enum {string}
             */
            validation_gate?: "none" | "action" | "answer";
            /** @description Settings of recall and conversations. */
            memory?: {
                /** @description The minimum relevance of recalled memories. */
                min_relevance?: number;
                /** @description The maximum number of memories per recall. */
                recall_limit?: number;
                /** @description Whether what is said to the agent and what it answers is found by recall: `on` (the default), `off`, or for this many days. */
                conversation?: ("on" | "off") | number;
                /**
                 * @description Whether facts in what is said to the agent become memories: by the `model` of `config.model` (the default), which picks passages after the run, or `off`.
                 * @enum {string}
                 */
                learn?: "model" | "off";
                /** @description The most that a model is told of what was recalled, for a run or by the tool `recall`, in tokens, which are estimated: the best memories first, and of one that does not fit a passage. Default 2000. */
                recall_tokens?: number;
                /** @description The most that a model is told at each step of how somebody wants things always done and what they prefer, in tokens, which are estimated: the newest. Default 400; 0 turns it off. */
                profile_tokens?: number;
                /** @description How much of its session a run is given as it was said, the newest turns, in tokens of about four bytes. Default 8000. Older turns are found by recall. */
                context_tokens?: number;
            };
            /** @description Settings of the mailbox. */
            mailbox?: {
                /** @description Whose mailbox messages the agent takes: `all` (the default), those of agents in its `hive`s, or those of the agents in a list, in which `external` stands for clients. */
                accept?: ("all" | "hive") | string[];
            };
            /** @description Settings of the A2A endpoint. */
            a2a?: {
                /**
                 * @description What A2A streams tell on the way: `off` is states and the answer, `short` neutral lines of what is done, `text` the answer while it is written, to callers with agent:read, `thoughts` also what the agent thinks, for callers with agent:read that ask. Unset: `thoughts`, with the lines for 0.2 and 0.3 only.
                 * @enum {string}
                 */
                progress?: "off" | "short" | "text" | "thoughts";
            };
            /** @description What the cards at the well-known paths say. */
            card?: {
                /** @description Whether everybody may read the agent's card at the service's origin, where HIVEKEEP_PUBLIC_CARDS allows it. */
                public?: boolean;
                /** @description The agent's name on its cards. Without it, its own. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates. */
                name?: string;
                /** @description Who provides the agent. */
                provider?: {
                    /** @description Who provides the agent. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates. */
                    organization: string;
                    /** @description Their address. At most 2048 bytes of UTF-8, without NUL or lone surrogates. */
                    url: string;
                };
                /** @description The address of an icon. At most 2048 bytes of UTF-8, without NUL or lone surrogates. */
                icon?: string;
                /** @description The address of a page about the agent. At most 2048 bytes of UTF-8, without NUL or lone surrogates. */
                documentation?: string;
                /** @description What the agent can be asked to do, in place of the one skill of every agent. */
                skills?: {
                    /** @description The id of the skill. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
                    id: string;
                    /** @description The name of the skill. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates. */
                    name: string;
                    /** @description What the skill does. At most 4096 bytes of UTF-8, without NUL or lone surrogates. */
                    description: string;
                    /** @description Keywords of the skill. */
                    tags: string[];
                    /** @description What may be said to it. */
                    examples?: string[];
                }[];
            };
        };
        JsonRpcRequest: {
            /** @constant */
            jsonrpc: "2.0";
            /** @description Returned in the response. A request without an id is executed without a response. */
            id?: string | number | null;
            /**
             * @description The method. Names like `message/send` belong to A2A 0.2 and 0.3, names like `SendMessage` to 1.0.
             * @enum {string}
             */
            method: "message/send" | "message/stream" | "tasks/get" | "tasks/cancel" | "tasks/resubscribe" | "tasks/pushNotificationConfig/set" | "tasks/pushNotificationConfig/get" | "tasks/pushNotificationConfig/list" | "tasks/pushNotificationConfig/delete" | "agent/getAuthenticatedExtendedCard" | "SendMessage" | "SendStreamingMessage" | "GetTask" | "ListTasks" | "CancelTask" | "SubscribeToTask" | "CreateTaskPushNotificationConfig" | "GetTaskPushNotificationConfig" | "ListTaskPushNotificationConfigs" | "DeleteTaskPushNotificationConfig" | "GetExtendedAgentCard";
            /** @description As specified by A2A for the method. */
            params?: {
                [key: string]: unknown;
            };
        };
        JsonRpcResponse: {
            /** @constant */
            jsonrpc: "2.0";
            /** @description The id of the request, or null if it could not be read. */
            id: string | number | null;
            /** @description As specified by A2A for the method. */
            result?: unknown;
            /** @description The error, present instead of a result. */
            error?: {
                /** @description An error code: -32700 to -32600 as in JSON-RPC, -32001 to -32009 as in A2A, -32050 and -32051 of this service. */
                code: number;
                /** @description A human-readable explanation. */
                message: string;
                /** @description Additional details. */
                data?: unknown;
            };
        };
        A2aObject: {
            [key: string]: unknown;
        };
        A2aError: {
            /** @description A google.rpc.Status (A2A 1.0, 11.6). */
            error: {
                /** @description The HTTP status. */
                code: number;
                /** @description The name of the code of google.rpc.Status. */
                status: string;
                /** @description What is wrong, in words. */
                message: string;
                /** @description ErrorInfo with the `reason`, and BadRequest. */
                details: {
                    [key: string]: unknown;
                }[];
            };
        };
        AgentCard: {
            /** @description The name of the agent. */
            name: string;
            /** @description A free-text description. */
            description: string;
            /** @description The version of the agent, which changes with its settings. */
            version: string;
            /** @description Optional capabilities of A2A that the agent supports. */
            capabilities: {
                /** @description Whether messages can be streamed. */
                streaming: boolean;
                /** @description Whether changes of a task can be pushed. */
                pushNotifications: boolean;
            } & {
                [key: string]: unknown;
            };
            /** @description Accepted media types, `text/plain` first. */
            defaultInputModes: string[];
            /** @description Media types of answers, `text/plain` first. */
            defaultOutputModes: string[];
            /** @description What the agent can be asked to do. */
            skills: ({
                /** @description The id of the skill. */
                id: string;
                /** @description The name of the skill. */
                name: string;
                /** @description What the skill does. */
                description: string;
                /** @description Keywords of the skill. */
                tags: string[];
            } & {
                [key: string]: unknown;
            })[];
            /** @description The agent's JSON-RPC endpoint. Cards of 1.0 list it in `supportedInterfaces` instead. */
            url?: string;
            /** @description The A2A version of the card. */
            protocolVersion?: string;
            /** @description Where the operator has set a key: the signature of A2A 1.0, 8.4. */
            signatures?: ({
                /** @description The protected header, in base64url: algorithm, key and where the key is. */
                protected: string;
                /** @description The signature, in base64url. */
                signature: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        McpRequest: {
            /** @constant */
            jsonrpc: "2.0";
            /** @description Returned in the response. A message without an id is a notification. */
            id?: string | number;
            /** @description The method, for example `tools/call`. */
            method: string;
            /** @description As specified by MCP for the method. */
            params?: {
                [key: string]: unknown;
            };
        };
        McpResponse: {
            /** @constant */
            jsonrpc: "2.0";
            /** @description The id of the request. Notifications have none. */
            id?: string | number | null;
            /** @description The method of a notification in a stream, for example `notifications/progress`. */
            method?: string;
            /** @description The parameters of a notification. */
            params?: {
                [key: string]: unknown;
            };
            /** @description As specified by MCP for the method. */
            result?: {
                [key: string]: unknown;
            };
            /** @description The error, present instead of a result. */
            error?: {
                /** @description An error code as in JSON-RPC. */
                code: number;
                /** @description A human-readable explanation. */
                message: string;
                /** @description Additional details. */
                data?: unknown;
            };
        };
        /** @description A request of OpenAI's chat completions. Other fields are accepted and have no effect. */
        OpenAiChatRequest: {
            /** @description The id of an agent, or its name where no other agent has it. */
            model: string;
            /** @description The last one of the `user` is said to the agent. Those before it tell which session it belongs to, and are told as turns where the service knows none that has them. Results of tools at the end are given to the run that asked for them. */
            messages: ({
                /**
                 * @description `system` and `developer` are instructions for this run; `tool` is the result of a call.
                 * @enum {string}
                 */
                role: "system" | "developer" | "user" | "assistant" | "tool";
                /** @description A text, or parts: texts, and of the user also images and files. */
                content?: (string | ({
                    /**
                     * @description The kind of content.
                     * @enum {string}
                     */
                    type: "text" | "refusal" | "image_url" | "file";
                    /** @description The text. */
                    text?: string | null;
                    /** @description What the assistant has said to refuse. */
                    refusal?: string | null;
                    /** @description An image. */
                    image_url?: ({
                        /** @description The image, as a data: URL. */
                        url: string;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                    /** @description A file. */
                    file?: ({
                        /** @description Its name. */
                        filename?: string | null;
                        /** @description Its content, as a data: URL or base64. */
                        file_data?: string | null;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                } & {
                    [key: string]: unknown;
                })[]) | null;
                /** @description The calls that the assistant asked for. */
                tool_calls?: ({
                    /** @description The id of the call. */
                    id?: string | null;
                    /** @description The function. */
                    function: {
                        /** @description Its name. */
                        name: string;
                        /** @description Its arguments, as JSON. */
                        arguments: string;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                })[] | null;
                /** @description Of a result: the id of its call. */
                tool_call_id?: string | null;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The session, unless X-Hivekeep-Session names it. Without either it is known by its history. */
            user?: string | null;
            /** @description Whether the answer comes in chunks, as server-sent events. */
            stream?: boolean | null;
            /** @description Options of the stream. */
            stream_options?: ({
                /** @description Whether a last chunk has the usage. */
                include_usage?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The sampling temperature of this run. */
            temperature?: number | null;
            /** @description The older name of `max_completion_tokens`. */
            max_tokens?: number | null;
            /** @description The most tokens of one reply of the model. */
            max_completion_tokens?: number | null;
            /** @description The form of the answer; JSON needs an agent with a model. */
            response_format?: (({
                /**
                 * @description Text, or any JSON object.
                 * @enum {string}
                 */
                type: "text" | "json_object";
            } & {
                [key: string]: unknown;
            }) | ({
                /**
                 * @description A JSON object of this schema.
                 * @constant
                 */
                type: "json_schema";
                /** @description The schema and its name. */
                json_schema: {
                    /** @description The schema of the answer. */
                    schema: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            })) | null;
            /** @description Passed on to the model. */
            top_p?: number | null;
            /** @description Passed on to the model. */
            stop?: (string | string[]) | null;
            /** @description Passed on to the model. */
            seed?: number | null;
            /** @description Passed on to the model. */
            presence_penalty?: number | null;
            /** @description Passed on to the model. */
            frequency_penalty?: number | null;
            /** @description Metadata of the run. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Only 1.
             * @constant
             */
            n?: 1;
            /** @description Functions of the client, which take the place of the agent's own tools in this run; none of `[]`. */
            tools?: ({
                /**
                 * @description Only functions.
                 * @constant
                 */
                type: "function";
                /** @description The function. */
                function: {
                    /** @description The name by which the model calls it. */
                    name: string;
                    /** @description What it does and when to use it. */
                    description?: string | null;
                    /** @description The JSON Schema of its arguments, an object. */
                    parameters?: {
                        [key: string]: unknown;
                    } | null;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description `none` has the agent do without tools, but for the built-in ones; `required`, or a function, has its model call one before it answers. */
            tool_choice?: (("auto" | "none" | "required") | ({
                /**
                 * @description A function.
                 * @constant
                 */
                type: "function";
                /** @description The function that is to be called. */
                function: {
                    /** @description Its name. */
                    name: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            })) | null;
            /** @description Whether the model may ask for several calls at once. */
            parallel_tool_calls?: boolean | null;
            /** @description Only empty: `tools` has the functions. */
            functions?: unknown[] | null;
        } & {
            [key: string]: unknown;
        };
        OpenAiCompletion: {
            /** @description The id of the run. */
            id: string;
            /** @constant */
            object: "chat.completion";
            /** @description One choice: the answer, or what the run asks. */
            choices: {
                [key: string]: unknown;
            }[];
            /** @description The tokens that model servers counted. */
            usage: {
                [key: string]: unknown;
            };
            /** @description The run, with `waitingFor` as in a Run. */
            hivekeep: {
                /** @description The run that answers. */
                run_id: string;
                /** @description The session that it is part of. */
                session_id: string;
                /** @description `completed`, or `paused` if it waits. */
                status: string;
                /** @description Fields of the request that have no effect. */
                ignored?: string[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        OpenAiChunk: {
            /** @description The id of the run. */
            id?: string;
            /** @description One choice with a `delta`; none beside the usage. */
            choices?: {
                [key: string]: unknown;
            }[];
            /** @description The run, with `waitingFor` as in a Run. */
            hivekeep?: {
                /** @description The run that answers. */
                run_id: string;
                /** @description The session that it is part of. */
                session_id: string;
                /** @description `completed`, or `paused` if it waits. */
                status: string;
                /** @description Fields of the request that have no effect. */
                ignored?: string[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A request of OpenAI's Responses API. Other fields have no effect. */
        OpenAiResponseRequest: {
            /** @description The id of an agent, or its name where no other agent has it. */
            model: string;
            /** @description What is said to the agent, or the items of the conversation so far, the last of which say it. */
            input: string | ({
                /**
                 * @description The kind of item; a message if there is none. `reasoning` and `item_reference` are passed over.
                 * @enum {string|null}
                 */
                type?: "message" | "function_call" | "function_call_output" | "reasoning" | "item_reference" | null;
                /**
                 * @description Of a message: who says it.
                 * @enum {string|null}
                 */
                role?: "system" | "developer" | "user" | "assistant" | null;
                /** @description Of a message: what is said. */
                content?: (string | ({
                    /**
                     * @description The kind of content.
                     * @enum {string}
                     */
                    type: "input_text" | "output_text" | "text" | "refusal" | "input_image" | "input_file";
                    /** @description The text. */
                    text?: string | null;
                    /** @description What the assistant has said to refuse. */
                    refusal?: string | null;
                    /** @description The image, as a data: URL. */
                    image_url?: string | null;
                    /** @description The content of the file, as a data: URL or base64. */
                    file_data?: string | null;
                    /** @description Its name. */
                    filename?: string | null;
                } & {
                    [key: string]: unknown;
                })[]) | null;
                /** @description Of a call or its result: the id of the call. */
                call_id?: string | null;
                /** @description Of a call: the name of the function. */
                name?: string | null;
                /** @description Of a call: its arguments, as JSON. */
                arguments?: string | null;
                /** @description Of a result: what the function returned. */
                output?: (string | ({
                    /**
                     * @description The kind of content.
                     * @enum {string}
                     */
                    type: "input_text" | "output_text" | "text" | "refusal" | "input_image" | "input_file";
                    /** @description The text. */
                    text?: string | null;
                    /** @description What the assistant has said to refuse. */
                    refusal?: string | null;
                    /** @description The image, as a data: URL. */
                    image_url?: string | null;
                    /** @description The content of the file, as a data: URL or base64. */
                    file_data?: string | null;
                    /** @description Its name. */
                    filename?: string | null;
                } & {
                    [key: string]: unknown;
                })[]) | null;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Take the place of the agent's instructions in this run. */
            instructions?: string | null;
            /** @description The response after which the conversation goes on. */
            previous_response_id?: string | null;
            /** @description Whether the answer comes as server-sent events. */
            stream?: boolean | null;
            /** @description Whether to answer at once; the response is then retrieved. */
            background?: boolean | null;
            /** @description The sampling temperature of this run. */
            temperature?: number | null;
            /** @description The most tokens of one reply of the model. */
            max_output_tokens?: number | null;
            /** @description The form of the text. */
            text?: ({
                /** @description The form of the answer; JSON needs an agent with a model. */
                format?: ({
                    /**
                     * @description Text, a JSON object, or one of a schema.
                     * @enum {string}
                     */
                    type: "text" | "json_object" | "json_schema";
                    /** @description The schema of the answer. */
                    schema?: {
                        [key: string]: unknown;
                    } | null;
                } & {
                    [key: string]: unknown;
                }) | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Functions of the client, as in chat completions. */
            tools?: ({
                /**
                 * @description Only functions.
                 * @constant
                 */
                type: "function";
                /** @description The name by which the model calls it. */
                name: string;
                /** @description What it does and when to use it. */
                description?: string | null;
                /** @description The JSON Schema of its arguments, an object. */
                parameters?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Whether a function is called, and which. */
            tool_choice?: (("auto" | "none" | "required") | ({
                /** @constant */
                type: "function";
                /** @description The function that is to be called. */
                name: string;
            } & {
                [key: string]: unknown;
            })) | null;
            /** @description Whether several functions may be called at once. */
            parallel_tool_calls?: boolean | null;
            /** @description Passed on to the model. */
            top_p?: number | null;
            /** @description Passed on to the model. */
            stop?: (string | string[]) | null;
            /** @description Passed on to the model. */
            seed?: number | null;
            /** @description Passed on to the model. */
            presence_penalty?: number | null;
            /** @description Passed on to the model. */
            frequency_penalty?: number | null;
            /** @description Metadata of the run. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description The session, unless X-Hivekeep-Session or previous_response_id names it. */
            user?: string | null;
        } & {
            [key: string]: unknown;
        };
        OpenAiResponse: {
            /** @description The id of the response, which names the agent and the run. */
            id: string;
            /** @constant */
            object: "response";
            /** @description `completed`, `incomplete`, `failed` or `in_progress`. */
            status: string;
            /** @description The answer as a message, or the calls of functions. */
            output: {
                [key: string]: unknown;
            }[];
            /** @description The run, with `waitingFor` as in a Run. */
            hivekeep: {
                /** @description The run that answers. */
                run_id: string;
                /** @description The session that it is part of. */
                session_id: string;
                /** @description `completed`, or `paused` if it waits. */
                status: string;
                /** @description Fields of the request that have no effect. */
                ignored?: string[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        OpenAiEvent: {
            /** @description The kind of event, as OpenAI names it. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        OpenAiModel: {
            /** @description The id of the agent. */
            id: string;
            /** @constant */
            object: "model";
        } & {
            [key: string]: unknown;
        };
        OpenAiModels: {
            /** @constant */
            object: "list";
            /** @description The active agents, the newest 1,000. */
            data: ({
                /** @description The id of the agent. */
                id: string;
                /** @constant */
                object: "model";
            } & {
                [key: string]: unknown;
            })[];
        };
        OpenAiError: {
            /** @description The error. */
            error: {
                /** @description A human-readable message. */
                message: string;
                /** @description The kind of error, as OpenAI names it, or `run_failed`. */
                type: string;
                /** @description The field that is wrong, if it is one. */
                param: string | null;
                /** @description The code as in Error, or that of the failure of the run. */
                code: string;
                /** @description The id of the request, as in X-Request-Id. */
                request_id: string;
            } & {
                [key: string]: unknown;
            };
        };
        SpawnInput: {
            /** @description Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates. */
            name: string;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates. */
            description?: string;
            config?: components["schemas"]["AgentConfig"];
            /** @description The ids of hives of this workspace. */
            hives?: string[];
            /** @description Arbitrary metadata: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Whether a mailbox message starts a run. Default false. */
            wake_on_message?: boolean;
            /** @description The maximum number of its long-term memories. Null, the default, means unlimited. */
            memory_quota?: number | null;
            /** @description The runtime budget of each run in seconds. Null means the service default. */
            maxRuntimeSeconds?: number | null;
        };
        MemoryInput: {
            /** @description The kind of memory, for example `semantic`, `episodic` or `procedural`. */
            type: string;
            /** @description What is to be remembered. Not blank; at most 65536 bytes of UTF-8, without NUL or lone surrogates. */
            content: string;
            /** @description The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            sessionId?: string | null;
            /** @description Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            subject?: string | null;
            /** @description Breaks ties between memories that match a search equally well. 0.5 is neutral, like no value. */
            importance?: number | null;
            /**
             * Format: date-time
             * @description When the content was said or happened, ISO 8601 with a time zone. Defaults to `created_at`.
             */
            occurred_at?: string;
            /** @description Who said it. Without it, recall uses a leading `Name: ` of the content. */
            speaker?: string | null;
            /** @description The memory of the same context that it replaces. The replaced memory gets `valid_until`, is kept, and is found only by searches that include history. */
            supersedes?: string | null;
            /** @description Arbitrary metadata: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The id of the agent. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            agent_id?: string | null;
            /** @description The id of the hive. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            hive_id?: string | null;
            /**
             * Format: date-time
             * @description When it expires: a time in the future, ISO 8601 with a time zone. Null means never.
             */
            expires_at?: string | null;
        };
        MemoryBatchInput: {
            /** @description The memories to add, each as in POST /v1/memories. If one of them is malformed, none is added. */
            memories: components["schemas"]["MemoryInput"][];
        };
        SearchInput: {
            /** @description What to look for, in any words. At most 8192 bytes of UTF-8, without NUL or lone surrogates. */
            query: string;
            /** @description The id of the agent. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            agent_id?: string | null;
            /** @description The id of the hive. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            hive_id?: string | null;
            /** @description Only memories of these types. */
            types?: string[];
            /** @description Only memories of this speaker, compared case-insensitively. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates. */
            speaker?: string | null;
            /** @description Only what is part of this conversation. Needs `agent_id` or `hive_id`. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            sessionId?: string | null;
            /** @description Only what belongs to this subject, and to nobody in particular. Needs `agent_id` or `hive_id`. Without it, all is searched. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            subject?: string | null;
            /** @description Only memories that this run wrote. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            run_id?: string | null;
            /** @description Only what has each of these keys in its metadata with exactly that value: a text, number, boolean or null. */
            metadata?: {
                [key: string]: string | number | boolean | null;
            } | null;
            /**
             * Format: date-time
             * @description Only memories that occurred at this time or later, ISO 8601 with a time zone.
             */
            occurred_after?: string;
            /**
             * Format: date-time
             * @description Only memories that occurred before this time, ISO 8601 with a time zone.
             */
            occurred_before?: string;
            /**
             * Format: date-time
             * @description Searches as of this time: only what was known and true then. ISO 8601 with a time zone.
             */
            as_of?: string;
            /** @description Whether to include superseded memories and those past their `valid_until`. */
            include_superseded?: boolean;
            /** @description Whether to explain the score of each result. */
            explain?: boolean;
            /** @description The maximum number of results. Default 10. */
            limit?: number;
            /** @description The minimum relevance of results. Default 0. */
            min_relevance?: number;
        };
        ContextInput: {
            /** @description The id of the agent. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            agent_id: string;
            /** @description What the prompt is about, such as the newest message of the user. Without it, the newest is told. At most 8192 bytes of UTF-8, without NUL or lone surrogates. */
            query?: string | null;
            /** @description The conversation that goes on: its newest turns are told, whatever is asked. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            sessionId?: string | null;
            /** @description Whom it is for. Without it, only what belongs to nobody in particular is told. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            subject?: string | null;
            /** @description The most tokens that the text may have. Tokens are estimated near what common tokenizers count. */
            max_tokens: number;
            /** @description How many of them may tell how somebody wants things always done and what they prefer, whatever the query is. Default: a quarter of `max_tokens`, and at most 400. */
            profile_tokens?: number;
        };
        HiveInput: {
            /** @description Names need not be unique. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates. */
            name: string;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates. */
            description?: string;
            /** @description Arbitrary metadata: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        WebhookInput: {
            /** @description Where events are POSTed: https, on a public host. At most 2048 bytes of UTF-8, without NUL or lone surrogates. */
            url: string;
            /** @description The events that it is told. */
            events: ("run.completed" | "run.failed" | "run.timed_out" | "run.cancelled" | "run.input_required" | "message.received" | "memory.created" | "memory.updated" | "memory.deleted" | "agent.created" | "agent.updated" | "usage.alert" | "audit.recorded")[];
            /** @description Tells it of this agent only. Null, the default, means all. */
            agent_id?: string | null;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates. */
            description?: string;
        };
        UsageAlertsInput: {
            /** @description The percentages of the monthly quota at which an alert is sent, at most 10. An empty list turns alerts off. */
            thresholds?: number[];
        };
        ModelBudgetInput: {
            /** @description Tokens of all agents in a month, input and output. */
            tokens_per_month?: number;
            /** @description US dollars of all agents in a month. */
            cost_per_month?: number;
            /** @description What the runs of each subject may use in a month, of all agents together. */
            per_subject?: {
                /** @description Tokens of the runs of one subject in a month, input and output. */
                tokens_per_month?: number;
                /** @description US dollars of the runs of one subject in a month. */
                cost_per_month?: number;
            };
        };
        KeyInput: {
            /** @description A name for telling it from others. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates. */
            name: string;
            /**
             * @description `live` keys work in the workspace, `test` keys in its sandbox.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description The scopes granted. Defaults to the scopes of the key that creates it. */
            scopes?: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin")[];
            /**
             * Format: date-time
             * @description When it expires: a time in the future, ISO 8601 with a time zone. Null means never.
             */
            expires_at?: string | null;
        };
        ReplaceAgentInput: {
            /** @description Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates. */
            name?: string;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates. */
            description?: string;
            config?: components["schemas"]["AgentConfig"];
            /** @description The ids of hives of this workspace. */
            hives?: string[];
            /** @description Arbitrary metadata: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Whether a mailbox message starts a run. Default false. */
            wake_on_message?: boolean;
            /** @description The maximum number of its long-term memories. Null, the default, means unlimited. */
            memory_quota?: number | null;
            /** @description The runtime budget of each run in seconds. Null means the service default. */
            maxRuntimeSeconds?: number | null;
            /**
             * @description An inactive agent rejects messages and runs. A terminated agent can only be set inactive.
             * @enum {string}
             */
            status?: "active" | "inactive" | "terminated";
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            id?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            memory_count?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            spawned_by?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            ends_at?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            message_count?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            created_at?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            updated_at?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            last_active_at?: unknown;
        };
        PatchAgentInput: {
            /** @description Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates. */
            name?: string;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates. */
            description?: string | null;
            /**
             * @description An inactive agent rejects messages and runs. A terminated agent can only be set inactive.
             * @enum {string}
             */
            status?: "active" | "inactive" | "terminated";
            /** @description Merged key by key at any depth. Null removes a key, or the whole configuration. The merged result has at most 65536 bytes as JSON. */
            config?: ({
                model?: (string | string[]) | null;
                /** @description The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued. */
                max_output_tokens?: number | null;
                /** @description The sampling temperature passed to the model; 0 is the most predictable. */
                temperature?: number | null;
                /** @description Whether runs may take several steps; messages over A2A are then answered while the run continues. Default false. */
                multi_step?: boolean | null;
                /** @description The maximum number of steps of a run that does not set its own. */
                max_steps?: number | null;
                /** @description How many runs of the agent may be running at a time, each in a session of its own; of one session it is always one. Default 8. */
                max_parallel?: number | null;
                /** @description What runs may use of model servers. One that reaches its budget is asked for its answer, and stops with `stopReason: budget`; where that of the month is used up, no run begins. Money counts where prices are known. */
                budget?: {
                    /** @description Tokens of one run, input and output. */
                    tokens_per_run?: number;
                    /** @description US dollars of one run. */
                    cost_per_run?: number;
                    /** @description Tokens of one run and of all that it asks of other agents, directly or through others. */
                    tokens_per_tree?: number;
                    /** @description US dollars of the same. */
                    cost_per_tree?: number;
                    /** @description Tokens of all runs in a month. */
                    tokens_per_month?: number;
                    /** @description US dollars of all runs in a month. */
                    cost_per_month?: number;
                } | null;
                /** @description The time zone of schedules of the agent that are made without one of their own, and in which its model is told the time where no block says another, a name of the IANA database such as `Europe/Berlin`. Default `UTC`. */
                timezone?: string | null;
                /** @description Instructions that tell the model its role and task. At most 32768 bytes of UTF-8, without NUL or lone surrogates. */
                instructions?: string | null;
                /**
                 * @description Pauses runs for approval: before each action that remembers, sends or shares something, or uses a tool of its own that does not only read (`action`), or before the answer, and whatever else is told to whoever asked (`answer`).
                 * @enum {string|null}
                 */
                validation_gate?: "none" | "action" | "answer" | null;
                /** @description Replaces the list as a whole. Null removes it. */
                accepts?: ("image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf")[] | null;
                /** @description Replaces the list as a whole. Null removes it. */
                builtin_tools?: ("recall" | "remember" | "update_memory" | "forget" | "block_replace" | "block_append" | "send_message" | "share_with_hive" | "ask_agent" | "hand_off" | "ask_human")[] | null;
                /** @description Replaces the setting as a whole. Null removes it. */
                spawn?: {
                    /** @description How many agents that it has spawned there may be at a time. */
                    most: number;
                    /** @description Their model. Without it, that of the agent. */
                    model?: string | string[];
                } | null;
                /** @description Replaces the setting as a whole. Null removes it. */
                reasoning?: {
                    /**
                     * @description How much the model thinks before it speaks; `none` turns thinking off.
                     * @enum {string}
                     */
                    effort?: "none" | "minimal" | "low" | "medium" | "high";
                    /** @description The most tokens that it thinks. */
                    max_tokens?: number;
                } | null;
                /** @description Replaces the schema as a whole. Null removes it. */
                output_schema?: ({
                    /** @constant */
                    type: "object";
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description Replaces the list of tools as a whole. Null removes it. */
                tools?: ({
                    /** @constant */
                    kind: "client";
                    /** @description The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                } | {
                    /** @constant */
                    kind: "http";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Where the arguments are POSTed as JSON: https, on a public host. */
                    url: string;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again. */
                    keyed?: boolean;
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "mcp";
                    /** @description The name of the server here. Its tools are called `<name>.<tool>`. */
                    name: string;
                    /** @description Its endpoint (streamable HTTP): https, on a public host. */
                    url?: string;
                    /** @description In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio. */
                    command?: string;
                    /** @description The names of its tools that the model may call. Without it, all of them. */
                    allow?: string[];
                    /** @description What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    reads_only?: boolean | string[];
                    /** @description What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    repeatable?: boolean | string[];
                    /** @description Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case. */
                    approval?: ("ask" | "never") | {
                        [key: string]: "ask" | "never";
                    };
                    /**
                     * @description Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
                     * @enum {string}
                     */
                    annotations?: "trusted" | "ignored";
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "a2a";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description The URL of its agent card: https, on a public host. */
                    card: string;
                    /** @description The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at. */
                    verify?: {
                        /** @description Where the public keys are (JWKS): https, on a public host. They are read with the card. */
                        jwks?: string;
                        /** @description The public keys themselves, at most 8. */
                        keys?: {
                            /**
                             * @description The type of the key.
                             * @enum {string}
                             */
                            kty: "EC" | "RSA" | "OKP";
                            /** @description Its name, by which signatures say that it has made them. */
                            kid?: string;
                            /** @description The one algorithm that it is for, such as `ES256`. */
                            alg?: string;
                            /**
                             * @description What it is for.
                             * @constant
                             */
                            use?: "sig";
                            /** @description The curve (EC, OKP). */
                            crv?: string;
                            /** @description Of the point (EC), or the key (OKP). */
                            x?: string;
                            /** @description Of the point (EC). */
                            y?: string;
                            /** @description The modulus (RSA). */
                            n?: string;
                            /** @description The exponent (RSA). */
                            e?: string;
                        }[];
                    };
                    /** @description What it does and when to ask it, for the model. Without it, what its card says. */
                    description?: string;
                    /** @description The ids of the skills of its card that the model is told of. Without it, all of them. */
                    allow?: string[];
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it. */
                    keyed?: boolean;
                    /** @description Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled. */
                    accept_questions?: boolean;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that an answer is waited for. Default 300. None of it counts in the budget of the run. */
                    timeout_seconds?: number;
                })[] | null;
                /** @description Settings of the mailbox. Null resets them. */
                mailbox?: ({
                    accept?: (("all" | "hive") | string[]) | null;
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description Settings of the A2A endpoint. Null resets them. */
                a2a?: ({
                    /**
                     * @description What A2A streams tell on the way: `off` is states and the answer, `short` neutral lines of what is done, `text` the answer while it is written, to callers with agent:read, `thoughts` also what the agent thinks, for callers with agent:read that ask. Unset: `thoughts`, with the lines for 0.2 and 0.3 only.
                     * @enum {string|null}
                     */
                    progress?: "off" | "short" | "text" | "thoughts" | null;
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description What the cards at the well-known paths say, merged as the rest. Null resets it. */
                card?: {
                    [key: string]: unknown;
                } | null;
                /** @description Settings of recall and conversations. Null resets them. */
                memory?: ({
                    /** @description The minimum relevance of recalled memories. */
                    min_relevance?: number | null;
                    /** @description The maximum number of memories per recall. */
                    recall_limit?: number | null;
                    conversation?: (("on" | "off") | number) | null;
                    /**
                     * @description Whether facts in what is said to the agent become memories: by the `model` of `config.model` (the default), which picks passages after the run, or `off`.
                     * @enum {string|null}
                     */
                    learn?: "model" | "off" | null;
                    /** @description The most that a model is told of what was recalled, for a run or by the tool `recall`, in tokens, which are estimated: the best memories first, and of one that does not fit a passage. Default 2000. */
                    recall_tokens?: number | null;
                    /** @description The most that a model is told at each step of how somebody wants things always done and what they prefer, in tokens, which are estimated: the newest. Default 400; 0 turns it off. */
                    profile_tokens?: number | null;
                    /** @description How much of its session a run is given as it was said, the newest turns, in tokens of about four bytes. Default 8000. Older turns are found by recall. */
                    context_tokens?: number | null;
                } & {
                    [key: string]: unknown;
                }) | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The ids of hives of this workspace. */
            hives?: string[] | null;
            /** @description Merged key by key at any depth. Null removes a key, or all metadata. The merged result has at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether a mailbox message starts a run. Default false. */
            wake_on_message?: boolean | null;
            /** @description The maximum number of its long-term memories. Null, the default, means unlimited. */
            memory_quota?: number | null;
            /** @description The runtime budget of each run in seconds. Null means the service default. */
            maxRuntimeSeconds?: number | null;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            id?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            memory_count?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            spawned_by?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            ends_at?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            message_count?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            created_at?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            updated_at?: unknown;
            /** @description Accepted and ignored, so that an agent can be sent back as it was read. */
            last_active_at?: unknown;
        };
        MessageInput: {
            /** @description What is said to the agent. Not blank; at most 262144 bytes of UTF-8, without NUL or lone surrogates. */
            content: string;
            /** @description Files that come with it, at most 20. Texts are read below their names; images and PDFs are given to the model, if it takes them. */
            files?: {
                /** @description The name of the file, which the agent is told. At most 256 bytes of UTF-8, without NUL or lone surrogates. */
                filename?: string;
                /** @description The media type: text/*, application/json, or one that the agent accepts (`config.accepts`). At most 256 bytes of UTF-8, without NUL or lone surrogates. */
                mediaType: string;
                /**
                 * Format: byte
                 * @description The content, base64-encoded.
                 */
                bytes: string;
            }[];
            /** @description The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            sessionId?: string | null;
            /** @description Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            subject?: string | null;
            /**
             * @description What to do where it would have to wait: let the new run wait for its turn (`enqueue`, the default), or answer 409 AGENT_BUSY while the agent has a run in progress (`reject`). `interrupt` cancels the run that is going on in the session, and says it in its place; `steer` says it to that run, which sees it at its next step. Where nothing is going on there, it begins a run.
             * @enum {string}
             */
            on_busy?: "enqueue" | "reject" | "interrupt" | "steer";
            /** @description What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed. */
            overrides?: {
                /** @description The model of this run, as in the configuration of an agent. */
                model?: string | string[];
                /** @description Takes the place of the agent's instructions. */
                instructions?: string;
                /** @description The sampling temperature passed to the model; 0 is the most predictable. */
                temperature?: number;
                /** @description The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued. */
                max_output_tokens?: number;
                /** @description The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema. */
                output_schema?: ({
                    /** @constant */
                    type: "object";
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description Take the place of the agent's own tools in this run, as in the configuration of an agent. */
                tools?: ({
                    /** @constant */
                    kind: "client";
                    /** @description The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                } | {
                    /** @constant */
                    kind: "http";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Where the arguments are POSTed as JSON: https, on a public host. */
                    url: string;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again. */
                    keyed?: boolean;
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "mcp";
                    /** @description The name of the server here. Its tools are called `<name>.<tool>`. */
                    name: string;
                    /** @description Its endpoint (streamable HTTP): https, on a public host. */
                    url?: string;
                    /** @description In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio. */
                    command?: string;
                    /** @description The names of its tools that the model may call. Without it, all of them. */
                    allow?: string[];
                    /** @description What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    reads_only?: boolean | string[];
                    /** @description What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    repeatable?: boolean | string[];
                    /** @description Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case. */
                    approval?: ("ask" | "never") | {
                        [key: string]: "ask" | "never";
                    };
                    /**
                     * @description Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
                     * @enum {string}
                     */
                    annotations?: "trusted" | "ignored";
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "a2a";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description The URL of its agent card: https, on a public host. */
                    card: string;
                    /** @description The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at. */
                    verify?: {
                        /** @description Where the public keys are (JWKS): https, on a public host. They are read with the card. */
                        jwks?: string;
                        /** @description The public keys themselves, at most 8. */
                        keys?: {
                            /**
                             * @description The type of the key.
                             * @enum {string}
                             */
                            kty: "EC" | "RSA" | "OKP";
                            /** @description Its name, by which signatures say that it has made them. */
                            kid?: string;
                            /** @description The one algorithm that it is for, such as `ES256`. */
                            alg?: string;
                            /**
                             * @description What it is for.
                             * @constant
                             */
                            use?: "sig";
                            /** @description The curve (EC, OKP). */
                            crv?: string;
                            /** @description Of the point (EC), or the key (OKP). */
                            x?: string;
                            /** @description Of the point (EC). */
                            y?: string;
                            /** @description The modulus (RSA). */
                            n?: string;
                            /** @description The exponent (RSA). */
                            e?: string;
                        }[];
                    };
                    /** @description What it does and when to ask it, for the model. Without it, what its card says. */
                    description?: string;
                    /** @description The ids of the skills of its card that the model is told of. Without it, all of them. */
                    allow?: string[];
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it. */
                    keyed?: boolean;
                    /** @description Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled. */
                    accept_questions?: boolean;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that an answer is waited for. Default 300. None of it counts in the budget of the run. */
                    timeout_seconds?: number;
                })[];
                /** @description Has the model call one of these tools, or the one of this name, before it answers. */
                tool_choice?: "required" | {
                    /** @description The name of the tool. */
                    name: string;
                };
                /**
                 * @description False has the model call at most one of these tools at a time.
                 * @constant
                 */
                parallel_tool_calls?: false;
                /** @description How the model samples, as far as its server knows these. */
                sampling?: {
                    /** @description The share of the likeliest tokens that are sampled from. */
                    top_p?: number;
                    /** @description Texts at which the model stops. */
                    stop?: string[];
                    /** @description What sampling begins from. */
                    seed?: number;
                    /** @description Makes what was said already less likely. */
                    presence_penalty?: number;
                    /** @description Makes what was said often less likely. */
                    frequency_penalty?: number;
                };
            } | null;
            /** @description Metadata of the run: any keys and values, at most 16384 bytes as JSON. Its forks have it, too. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        RunInput: {
            /** @description What the agent is asked or told. Not blank; at most 262144 bytes of UTF-8, without NUL or lone surrogates. */
            input: string;
            /** @description Files that come with it, at most 20. Texts are read below their names; images and PDFs are given to the model, if it takes them. */
            files?: {
                /** @description The name of the file, which the agent is told. At most 256 bytes of UTF-8, without NUL or lone surrogates. */
                filename?: string;
                /** @description The media type: text/*, application/json, or one that the agent accepts (`config.accepts`). At most 256 bytes of UTF-8, without NUL or lone surrogates. */
                mediaType: string;
                /**
                 * Format: byte
                 * @description The content, base64-encoded.
                 */
                bytes: string;
            }[];
            /** @description The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            sessionId?: string | null;
            /** @description Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            subject?: string | null;
            /** @description The maximum number of reasoner calls. Defaults to the configuration of the agent. */
            maxSteps?: number;
            /** @description The maximum reasoning time in seconds. Defaults to the setting of the agent. */
            maxRuntimeSeconds?: number;
            /**
             * @description What to do where it would have to wait: let the new run wait for its turn (`enqueue`, the default), or answer 409 AGENT_BUSY while the agent has a run in progress (`reject`). `interrupt` cancels the run that is going on in the session, and says it in its place; `steer` says it to that run, which sees it at its next step. Where nothing is going on there, it begins a run.
             * @enum {string}
             */
            on_busy?: "enqueue" | "reject" | "interrupt" | "steer";
            /** @description What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed. */
            overrides?: {
                /** @description The model of this run, as in the configuration of an agent. */
                model?: string | string[];
                /** @description Takes the place of the agent's instructions. */
                instructions?: string;
                /** @description The sampling temperature passed to the model; 0 is the most predictable. */
                temperature?: number;
                /** @description The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued. */
                max_output_tokens?: number;
                /** @description The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema. */
                output_schema?: ({
                    /** @constant */
                    type: "object";
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description Take the place of the agent's own tools in this run, as in the configuration of an agent. */
                tools?: ({
                    /** @constant */
                    kind: "client";
                    /** @description The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                } | {
                    /** @constant */
                    kind: "http";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Where the arguments are POSTed as JSON: https, on a public host. */
                    url: string;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again. */
                    keyed?: boolean;
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "mcp";
                    /** @description The name of the server here. Its tools are called `<name>.<tool>`. */
                    name: string;
                    /** @description Its endpoint (streamable HTTP): https, on a public host. */
                    url?: string;
                    /** @description In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio. */
                    command?: string;
                    /** @description The names of its tools that the model may call. Without it, all of them. */
                    allow?: string[];
                    /** @description What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    reads_only?: boolean | string[];
                    /** @description What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    repeatable?: boolean | string[];
                    /** @description Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case. */
                    approval?: ("ask" | "never") | {
                        [key: string]: "ask" | "never";
                    };
                    /**
                     * @description Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
                     * @enum {string}
                     */
                    annotations?: "trusted" | "ignored";
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "a2a";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description The URL of its agent card: https, on a public host. */
                    card: string;
                    /** @description The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at. */
                    verify?: {
                        /** @description Where the public keys are (JWKS): https, on a public host. They are read with the card. */
                        jwks?: string;
                        /** @description The public keys themselves, at most 8. */
                        keys?: {
                            /**
                             * @description The type of the key.
                             * @enum {string}
                             */
                            kty: "EC" | "RSA" | "OKP";
                            /** @description Its name, by which signatures say that it has made them. */
                            kid?: string;
                            /** @description The one algorithm that it is for, such as `ES256`. */
                            alg?: string;
                            /**
                             * @description What it is for.
                             * @constant
                             */
                            use?: "sig";
                            /** @description The curve (EC, OKP). */
                            crv?: string;
                            /** @description Of the point (EC), or the key (OKP). */
                            x?: string;
                            /** @description Of the point (EC). */
                            y?: string;
                            /** @description The modulus (RSA). */
                            n?: string;
                            /** @description The exponent (RSA). */
                            e?: string;
                        }[];
                    };
                    /** @description What it does and when to ask it, for the model. Without it, what its card says. */
                    description?: string;
                    /** @description The ids of the skills of its card that the model is told of. Without it, all of them. */
                    allow?: string[];
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it. */
                    keyed?: boolean;
                    /** @description Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled. */
                    accept_questions?: boolean;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that an answer is waited for. Default 300. None of it counts in the budget of the run. */
                    timeout_seconds?: number;
                })[];
                /** @description Has the model call one of these tools, or the one of this name, before it answers. */
                tool_choice?: "required" | {
                    /** @description The name of the tool. */
                    name: string;
                };
                /**
                 * @description False has the model call at most one of these tools at a time.
                 * @constant
                 */
                parallel_tool_calls?: false;
                /** @description How the model samples, as far as its server knows these. */
                sampling?: {
                    /** @description The share of the likeliest tokens that are sampled from. */
                    top_p?: number;
                    /** @description Texts at which the model stops. */
                    stop?: string[];
                    /** @description What sampling begins from. */
                    seed?: number;
                    /** @description Makes what was said already less likely. */
                    presence_penalty?: number;
                    /** @description Makes what was said often less likely. */
                    frequency_penalty?: number;
                };
            } | null;
            /** @description Metadata of the run: any keys and values, at most 16384 bytes as JSON. Its forks have it, too. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        ScheduleInput: {
            /** @description A cron expression of five fields (minute, hour, day, month, day of the week), such as `30 9 * * 1-5`. Give either `cron`, `every` or `at`. */
            cron?: string;
            /** @description So many seconds from one time to the next, beginning with the creation of the schedule. */
            every?: number;
            /**
             * Format: date-time
             * @description One time in the future, ISO 8601 with a time zone.
             */
            at?: string;
            /** @description The time zone of `cron`, a name of the IANA database such as `Europe/Berlin`. Default: `config.timezone` of the agent, or else `UTC`; without `cron` it is left out. */
            timezone?: string | null;
            /** @description What the agent is asked or told each time. Not blank; at most 262144 bytes of UTF-8, without NUL or lone surrogates. */
            input: string;
            /** @description The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            sessionId?: string | null;
            /** @description Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            subject?: string | null;
            /** @description What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed. */
            overrides?: {
                /** @description The model of this run, as in the configuration of an agent. */
                model?: string | string[];
                /** @description Takes the place of the agent's instructions. */
                instructions?: string;
                /** @description The sampling temperature passed to the model; 0 is the most predictable. */
                temperature?: number;
                /** @description The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued. */
                max_output_tokens?: number;
                /** @description The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema. */
                output_schema?: ({
                    /** @constant */
                    type: "object";
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description Take the place of the agent's own tools in this run, as in the configuration of an agent. */
                tools?: ({
                    /** @constant */
                    kind: "client";
                    /** @description The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                } | {
                    /** @constant */
                    kind: "http";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Where the arguments are POSTed as JSON: https, on a public host. */
                    url: string;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again. */
                    keyed?: boolean;
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "mcp";
                    /** @description The name of the server here. Its tools are called `<name>.<tool>`. */
                    name: string;
                    /** @description Its endpoint (streamable HTTP): https, on a public host. */
                    url?: string;
                    /** @description In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio. */
                    command?: string;
                    /** @description The names of its tools that the model may call. Without it, all of them. */
                    allow?: string[];
                    /** @description What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    reads_only?: boolean | string[];
                    /** @description What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    repeatable?: boolean | string[];
                    /** @description Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case. */
                    approval?: ("ask" | "never") | {
                        [key: string]: "ask" | "never";
                    };
                    /**
                     * @description Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
                     * @enum {string}
                     */
                    annotations?: "trusted" | "ignored";
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "a2a";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description The URL of its agent card: https, on a public host. */
                    card: string;
                    /** @description The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at. */
                    verify?: {
                        /** @description Where the public keys are (JWKS): https, on a public host. They are read with the card. */
                        jwks?: string;
                        /** @description The public keys themselves, at most 8. */
                        keys?: {
                            /**
                             * @description The type of the key.
                             * @enum {string}
                             */
                            kty: "EC" | "RSA" | "OKP";
                            /** @description Its name, by which signatures say that it has made them. */
                            kid?: string;
                            /** @description The one algorithm that it is for, such as `ES256`. */
                            alg?: string;
                            /**
                             * @description What it is for.
                             * @constant
                             */
                            use?: "sig";
                            /** @description The curve (EC, OKP). */
                            crv?: string;
                            /** @description Of the point (EC), or the key (OKP). */
                            x?: string;
                            /** @description Of the point (EC). */
                            y?: string;
                            /** @description The modulus (RSA). */
                            n?: string;
                            /** @description The exponent (RSA). */
                            e?: string;
                        }[];
                    };
                    /** @description What it does and when to ask it, for the model. Without it, what its card says. */
                    description?: string;
                    /** @description The ids of the skills of its card that the model is told of. Without it, all of them. */
                    allow?: string[];
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it. */
                    keyed?: boolean;
                    /** @description Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled. */
                    accept_questions?: boolean;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that an answer is waited for. Default 300. None of it counts in the budget of the run. */
                    timeout_seconds?: number;
                })[];
                /** @description Has the model call one of these tools, or the one of this name, before it answers. */
                tool_choice?: "required" | {
                    /** @description The name of the tool. */
                    name: string;
                };
                /**
                 * @description False has the model call at most one of these tools at a time.
                 * @constant
                 */
                parallel_tool_calls?: false;
                /** @description How the model samples, as far as its server knows these. */
                sampling?: {
                    /** @description The share of the likeliest tokens that are sampled from. */
                    top_p?: number;
                    /** @description Texts at which the model stops. */
                    stop?: string[];
                    /** @description What sampling begins from. */
                    seed?: number;
                    /** @description Makes what was said already less likely. */
                    presence_penalty?: number;
                    /** @description Makes what was said often less likely. */
                    frequency_penalty?: number;
                };
            } | null;
            /**
             * @description What becomes of times that came while the service was not there: one run for all of them (`one`, the default), or `none`.
             * @enum {string}
             */
            catch_up?: "one" | "none";
            /**
             * @description What a time does while the run before has not ended, be it that it is pending, running or paused: its own run is begun all the same, and waits where it has to (`queue`, the default), or there is none (`skip`).
             * @enum {string}
             */
            if_running?: "queue" | "skip";
            /** @description A name of your own, which no other schedule of the agent has. PUT .../schedules/by-name/:scheduleName makes or replaces the schedule of a name. */
            name?: string | null;
        } & ({
            /** @description A cron expression of five fields (minute, hour, day, month, day of the week), such as `30 9 * * 1-5`. Give either `cron`, `every` or `at`. */
            cron: string;
        } | {
            /** @description So many seconds from one time to the next, beginning with the creation of the schedule. */
            every: number;
        } | {
            /** @description One time in the future, ISO 8601 with a time zone. */
            at: string;
        });
        MailboxInput: {
            /** @description The text of the message. Not blank; at most 262144 bytes of UTF-8, without NUL or lone surrogates. */
            content: string;
            /** @description The sending agent; requires the scope `agent:manage`. Without it the sender is `external`. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            from?: string | null;
            /** @description The id of the message it answers. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            reply_to?: string | null;
            /** @description Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            subject?: string | null;
            /** @description Arbitrary metadata: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        MemoryPatch: {
            /** @description The kind of memory, for example `semantic`, `episodic` or `procedural`. */
            type?: string;
            /** @description What is to be remembered. Not blank; at most 65536 bytes of UTF-8, without NUL or lone surrogates. */
            content?: string;
            /** @description Breaks ties between memories that match a search equally well. 0.5 is neutral, like no value. */
            importance?: number | null;
            /**
             * Format: date-time
             * @description When the content was said or happened, ISO 8601 with a time zone. Defaults to `created_at`.
             */
            occurred_at?: string | null;
            /** @description Who said it. Without it, recall uses a leading `Name: ` of the content. */
            speaker?: string | null;
            /**
             * Format: date-time
             * @description When it expires: a time in the future, ISO 8601 with a time zone. Null means never.
             */
            expires_at?: string | null;
            /**
             * Format: date-time
             * @description When the fact stops being true, ISO 8601 with a time zone. Null makes a superseded memory current again.
             */
            valid_until?: string | null;
            /** @description Merged key by key at any depth. Null removes a key, or all metadata. The merged result has at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        PatchHiveInput: {
            /** @description Names need not be unique. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates. */
            name?: string;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates. */
            description?: string | null;
            /** @description Merged key by key at any depth. Null removes a key, or all metadata. The merged result has at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        JoinInput: {
            /** @description The id of the agent. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            agent_id: string;
        };
        ShareInput: {
            /** @description The kind of memory, for example `semantic`, `episodic` or `procedural`. */
            type: string;
            /** @description The text to share. Not blank; at most 65536 bytes of UTF-8, without NUL or lone surrogates. */
            content: string;
            /** @description The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            sessionId?: string | null;
            /** @description Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            subject?: string | null;
            /** @description Breaks ties between memories that match a search equally well. 0.5 is neutral, like no value. */
            importance?: number | null;
            /**
             * Format: date-time
             * @description When the content was said or happened, ISO 8601 with a time zone. Defaults to `created_at`.
             */
            occurred_at?: string;
            /** @description Who said it. Without it, recall uses a leading `Name: ` of the content. */
            speaker?: string | null;
            /** @description The memory of the same context that it replaces. The replaced memory gets `valid_until`, is kept, and is found only by searches that include history. */
            supersedes?: string | null;
            /** @description Arbitrary metadata: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The id of the agent. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            agent_id: string;
        };
        TokenInput: {
            /** @description A name for telling it from others. Not blank; at most 200 bytes of UTF-8, without NUL or lone surrogates. */
            name: string;
            /** @description The scopes granted at the endpoint of the agent. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin" | "agent:mcp")[];
            /**
             * Format: date-time
             * @description When it expires: a time in the future, ISO 8601 with a time zone. Null means never.
             */
            expires_at?: string | null;
            /**
             * @description The A2A tasks that it reads, continues, answers and cancels: `all` of the agent (the default), or its `own`. What others said to the agent is then kept from its tasks, too. `own` does not go with `agent:mcp`.
             * @enum {string|null}
             */
            tasks?: "all" | "own" | null;
        };
        WebhookPatch: {
            /** @description Where events are POSTed: https, on a public host. At most 2048 bytes of UTF-8, without NUL or lone surrogates. */
            url?: string;
            /** @description The events that it is told. */
            events?: ("run.completed" | "run.failed" | "run.timed_out" | "run.cancelled" | "run.input_required" | "message.received" | "memory.created" | "memory.updated" | "memory.deleted" | "agent.created" | "agent.updated" | "usage.alert" | "audit.recorded")[];
            /** @description Tells it of this agent only. Null, the default, means all. */
            agent_id?: string | null;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL or lone surrogates. */
            description?: string | null;
            /** @description Whether it is told anything. What waits for a webhook that is disabled is dropped. */
            enabled?: boolean;
        };
        ToolTryInput: {
            /** @description What it is called with, by its `input_schema`. Default: no arguments. */
            arguments?: {
                [key: string]: unknown;
            };
        };
        ResumeInput: {
            /**
             * @description The decision, if the run waits for approval.
             * @enum {string}
             */
            decision?: "approve" | "reject";
            /** @description The answer to a question, or a comment on a decision. */
            input?: string;
            /** @description The results of the calls that the run waits for, one for each; at most 1048576 bytes as JSON. */
            results?: {
                /** @description The id of the call, from `waitingFor`. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
                id: string;
                /** @description What it came to. At most 262144 bytes of UTF-8, without NUL or lone surrogates. */
                content?: string;
                /** @description Why it could not be carried out. At most 262144 bytes of UTF-8, without NUL or lone surrogates. */
                error?: string;
            }[];
            /** @description Files that come with it, at most 20. Texts are read below their names; images and PDFs are given to the model, if it takes them. */
            files?: {
                /** @description The name of the file, which the agent is told. At most 256 bytes of UTF-8, without NUL or lone surrogates. */
                filename?: string;
                /** @description The media type: text/*, application/json, or one that the agent accepts (`config.accepts`). At most 256 bytes of UTF-8, without NUL or lone surrogates. */
                mediaType: string;
                /**
                 * Format: byte
                 * @description The content, base64-encoded.
                 */
                bytes: string;
            }[];
            /** @description The `id` of the question that this answers, from `waitingFor`. If the run does not wait for that one any more, the answer is 409 CONFLICT, and nothing changes. */
            answers?: string;
        };
        ForkInput: {
            /** @description A checkpoint of the run: its id or its step number. */
            checkpoint: string | number;
        };
        NamedScheduleInput: {
            /** @description A cron expression of five fields (minute, hour, day, month, day of the week), such as `30 9 * * 1-5`. Give either `cron`, `every` or `at`. */
            cron?: string;
            /** @description So many seconds from one time to the next, beginning with the creation of the schedule. */
            every?: number;
            /**
             * Format: date-time
             * @description One time in the future, ISO 8601 with a time zone.
             */
            at?: string;
            /** @description The time zone of `cron`, a name of the IANA database such as `Europe/Berlin`. Default: `config.timezone` of the agent, or else `UTC`; without `cron` it is left out. */
            timezone?: string | null;
            /** @description What the agent is asked or told each time. Not blank; at most 262144 bytes of UTF-8, without NUL or lone surrogates. */
            input: string;
            /** @description The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            sessionId?: string | null;
            /** @description Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
            subject?: string | null;
            /** @description What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed. */
            overrides?: {
                /** @description The model of this run, as in the configuration of an agent. */
                model?: string | string[];
                /** @description Takes the place of the agent's instructions. */
                instructions?: string;
                /** @description The sampling temperature passed to the model; 0 is the most predictable. */
                temperature?: number;
                /** @description The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued. */
                max_output_tokens?: number;
                /** @description The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema. */
                output_schema?: ({
                    /** @constant */
                    type: "object";
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description Take the place of the agent's own tools in this run, as in the configuration of an agent. */
                tools?: ({
                    /** @constant */
                    kind: "client";
                    /** @description The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                } | {
                    /** @constant */
                    kind: "http";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description What it does and when to use it, for the model. At most 4096 characters. */
                    description: string;
                    /** @description The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object. */
                    input_schema?: {
                        /** @constant */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Where the arguments are POSTed as JSON: https, on a public host. */
                    url: string;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again. */
                    keyed?: boolean;
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "mcp";
                    /** @description The name of the server here. Its tools are called `<name>.<tool>`. */
                    name: string;
                    /** @description Its endpoint (streamable HTTP): https, on a public host. */
                    url?: string;
                    /** @description In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio. */
                    command?: string;
                    /** @description The names of its tools that the model may call. Without it, all of them. */
                    allow?: string[];
                    /** @description What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    reads_only?: boolean | string[];
                    /** @description What has no further effect when it is called again (`idempotentHint`), and is called again after a crash: all of its tools, none, or those of these names. Without it, those of which the server says so, if its `annotations` are trusted. */
                    repeatable?: boolean | string[];
                    /** @description Whether each call of its tools, or of those that are named here, waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case. */
                    approval?: ("ask" | "never") | {
                        [key: string]: "ask" | "never";
                    };
                    /**
                     * @description Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.
                     * @enum {string}
                     */
                    annotations?: "trusted" | "ignored";
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that a call may take. Default 30. */
                    timeout_seconds?: number;
                } | {
                    /** @constant */
                    kind: "a2a";
                    /** @description The name by which the model calls it: other than those of the built-in tools and of its other tools. */
                    name: string;
                    /** @description The URL of its agent card: https, on a public host. */
                    card: string;
                    /** @description The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at. */
                    verify?: {
                        /** @description Where the public keys are (JWKS): https, on a public host. They are read with the card. */
                        jwks?: string;
                        /** @description The public keys themselves, at most 8. */
                        keys?: {
                            /**
                             * @description The type of the key.
                             * @enum {string}
                             */
                            kty: "EC" | "RSA" | "OKP";
                            /** @description Its name, by which signatures say that it has made them. */
                            kid?: string;
                            /** @description The one algorithm that it is for, such as `ES256`. */
                            alg?: string;
                            /**
                             * @description What it is for.
                             * @constant
                             */
                            use?: "sig";
                            /** @description The curve (EC, OKP). */
                            crv?: string;
                            /** @description Of the point (EC), or the key (OKP). */
                            x?: string;
                            /** @description Of the point (EC). */
                            y?: string;
                            /** @description The modulus (RSA). */
                            n?: string;
                            /** @description The exponent (RSA). */
                            e?: string;
                        }[];
                    };
                    /** @description What it does and when to ask it, for the model. Without it, what its card says. */
                    description?: string;
                    /** @description The ids of the skills of its card that the model is told of. Without it, all of them. */
                    allow?: string[];
                    /** @description Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval. */
                    reads_only?: boolean;
                    /**
                     * @description Whether each call waits for approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.
                     * @enum {string}
                     */
                    approval?: "ask" | "never";
                    /** @description Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it. */
                    keyed?: boolean;
                    /** @description Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled. */
                    accept_questions?: boolean;
                    /** @description A secret that is sent with each call. */
                    secret?: {
                        /** @description The header that carries it, such as `Authorization`. */
                        header: string;
                        /** @description The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same. */
                        value?: string;
                    };
                    /** @description The longest that an answer is waited for. Default 300. None of it counts in the budget of the run. */
                    timeout_seconds?: number;
                })[];
                /** @description Has the model call one of these tools, or the one of this name, before it answers. */
                tool_choice?: "required" | {
                    /** @description The name of the tool. */
                    name: string;
                };
                /**
                 * @description False has the model call at most one of these tools at a time.
                 * @constant
                 */
                parallel_tool_calls?: false;
                /** @description How the model samples, as far as its server knows these. */
                sampling?: {
                    /** @description The share of the likeliest tokens that are sampled from. */
                    top_p?: number;
                    /** @description Texts at which the model stops. */
                    stop?: string[];
                    /** @description What sampling begins from. */
                    seed?: number;
                    /** @description Makes what was said already less likely. */
                    presence_penalty?: number;
                    /** @description Makes what was said often less likely. */
                    frequency_penalty?: number;
                };
            } | null;
            /**
             * @description What becomes of times that came while the service was not there: one run for all of them (`one`, the default), or `none`.
             * @enum {string}
             */
            catch_up?: "one" | "none";
            /**
             * @description What a time does while the run before has not ended, be it that it is pending, running or paused: its own run is begun all the same, and waits where it has to (`queue`, the default), or there is none (`skip`).
             * @enum {string}
             */
            if_running?: "queue" | "skip";
        } & ({
            /** @description A cron expression of five fields (minute, hour, day, month, day of the week), such as `30 9 * * 1-5`. Give either `cron`, `every` or `at`. */
            cron: string;
        } | {
            /** @description So many seconds from one time to the next, beginning with the creation of the schedule. */
            every: number;
        } | {
            /** @description One time in the future, ISO 8601 with a time zone. */
            at: string;
        });
        SchedulePatch: {
            /** @description Whether the schedule is paused. Times that come meanwhile are not caught up with. */
            paused: boolean;
        };
        BlockInput: {
            /** @description What the model is told at each step. At most 16384 bytes of UTF-8, without NUL or lone surrogates. */
            value: string;
            /** @description What the block is for, which the model is told with it. At most 512 bytes of UTF-8, without NUL or lone surrogates. */
            description?: string;
            /** @description The most characters that it may have, at most 4000. Default 2000. */
            limit?: number;
            /** @description Whether the model of the agent may not change it. Default false. */
            read_only?: boolean;
        };
        BlockPatch: {
            /** @description What the model is told at each step. At most 16384 bytes of UTF-8, without NUL or lone surrogates. */
            value?: string;
            /** @description What the block is for, which the model is told with it. At most 512 bytes of UTF-8, without NUL or lone surrogates. */
            description?: string;
            /** @description The most characters that it may have, at most 4000. Default 2000. */
            limit?: number;
            /** @description Whether the model of the agent may not change it. Default false. */
            read_only?: boolean;
            /** @description The number of one of its `versions`, whose value it is given again. Not together with `value`. */
            restore?: number;
        };
    };
    responses: {
        /** @description VALIDATION_ERROR: the request is invalid; `details.issues` lists the fields. UNSUPPORTED_VERSION: X-Service-Version names a version other than v1. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description UNAUTHENTICATED: the key or token is missing or invalid. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INSUFFICIENT_SCOPE: the credential lacks the scope in `details.required_scope`. QUOTA_EXCEEDED: a quota is used up. HTTPS_REQUIRED: plain HTTP is served on loopback only. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description NOT_FOUND: the resource does not exist, or belongs to another workspace. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CONFLICT: the current state of the resource does not allow it. AGENT_INACTIVE: the agent is inactive or terminated. RUN_NOT_RESUMABLE: the run is in progress, or has ended for good. AGENT_BUSY: the agent has a run in progress and `on_busy` is `reject`, or too many runs are queued. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description PRECONDITION_FAILED: the resource has changed since the ETag in If-Match. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description PAYLOAD_TOO_LARGE: the body is larger than the server accepts (1 MiB by default). */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description UNSUPPORTED_MEDIA_TYPE: the body is not application/json in UTF-8. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description IDEMPOTENCY_MISMATCH: the Idempotency-Key was used before with a different body. */
        IdempotencyMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description RATE_LIMIT_EXCEEDED: too many requests per minute. CONCURRENCY_LIMIT_EXCEEDED: too many concurrent requests. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INTERNAL_ERROR: an internal error of the service. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description UNAVAILABLE: the service is temporarily unable to handle the request. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The number of items per page. */
        PageSize: number;
        /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
        Cursor: string;
        /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
        Sort: "created_at" | "updated_at" | "relevance";
        /** @description Newest first (`desc`) or oldest first (`asc`). */
        Order: "desc" | "asc";
        /** @description Newest first (`desc`) or oldest first (`asc`). By default unread messages come first, and the newest first within each group. */
        MailboxOrder: "desc" | "asc";
        /** @description An alias of `page_size`, for paging by `offset`. It cannot be combined with `page_size`. */
        Limit: number;
        /** @description The number of items to skip. It cannot be combined with `cursor`. Unlike cursors, offsets shift when items are created or deleted meanwhile. */
        Offset: number;
        /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
        IdempotencyKey: string;
        /** @description The `id` of the last event received; the stream continues after it. Browsers send it automatically when they reconnect. */
        LastEventId: string;
        /** @description ETags, separated by commas. If the settings of the agent, or the block, have changed since, the request is rejected with 412; other activity does not count. `*` matches any version. */
        IfMatch: string;
        /** @description The ETag of the copy the client has. If it is still current, the response is 304. */
        IfNoneMatch: string;
        /** @description The same as Last-Event-ID, for clients that cannot set headers. If both are given, the header wins. */
        LastEventIdQuery: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of this request, also found in the log. */
        RequestId: string;
        /** @description The X-Request-Id sent by the client, if it is valid. */
        ClientRequestId: string;
        /** @description The limit of requests per minute. */
        RateLimitLimit: number;
        /** @description The number of requests left; 0 while a burst is being used. */
        RateLimitRemaining: number;
        /** @description When the limit is fully replenished, in seconds since 1970. */
        RateLimitReset: number;
        /** @description The limit and its window in seconds. */
        RateLimitPolicy: string;
        /** @description Seconds after which the same request may succeed. */
        RetryAfter: number;
        /** @description The URL of the created resource. */
        Location: string;
        /** @description `true` if this is the response to an earlier request with the same Idempotency-Key. */
        Replayed: "true";
        /** @description How to authenticate, or which scope is missing. */
        Authenticate: string;
        /** @description The version of the resource, for If-None-Match and, on agents and blocks, If-Match. */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    spawnAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpawnInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description Only agents whose name starts with this text, case-insensitively. The list is then sorted by name. */
                name?: string;
                /** @description Only agents with this status. */
                status?: "active" | "inactive" | "terminated";
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
                /** @description An alias of `page_size`, for paging by `offset`. It cannot be combined with `page_size`. */
                limit?: components["parameters"]["Limit"];
                /** @description The number of items to skip. It cannot be combined with `cursor`. Unlike cursors, offsets shift when items are created or deleted meanwhile. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Agent"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has. If it is still current, the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            /** @description Unchanged since the ETag given in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags, separated by commas. If the settings of the agent, or the block, have changed since, the request is rejected with 412; other activity does not count. `*` matches any version. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceAgentInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags, separated by commas. If the settings of the agent, or the block, have changed since, the request is rejected with 412; other activity does not count. `*` matches any version. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags, separated by commas. If the settings of the agent, or the block, have changed since, the request is rejected with 412; other activity does not count. `*` matches any version. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchAgentInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    messageAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageReply"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    tryTool: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the toolName. */
                toolName: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolTryInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ToolTry"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Run"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunInput"];
            };
        };
        responses: {
            /** @description Begun. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllRuns: {
        parameters: {
            query?: {
                /** @description Only runs with this status. */
                status?: "pending" | "running" | "paused" | "completed" | "failed" | "timeout" | "cancelled";
                /** @description Only those of this agent. */
                agent_id?: string;
                /** @description Only what was created at this time or later, ISO 8601 with a time zone. */
                created_after?: string;
                /** @description Only what was created before this time, ISO 8601 with a time zone. */
                created_before?: string;
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Run"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRunTree: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RunTree"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    followRun: {
        parameters: {
            query?: {
                /** @description The same as Last-Event-ID, for clients that cannot set headers. If both are given, the header wins. */
                lastEventId?: components["parameters"]["LastEventIdQuery"];
            };
            header?: {
                /** @description The `id` of the last event received; the stream continues after it. Browsers send it automatically when they reconnect. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the stream ends. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        id?: string;
                        event?: string;
                        data: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResumeInput"];
            };
        };
        responses: {
            /** @description Begun. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the sha256. */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["File"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    forkRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForkInput"];
            };
        };
        responses: {
            /** @description Begun. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listThoughts: {
        parameters: {
            query?: {
                /** @description Only those of this session. */
                sessionId?: string;
                /** @description Only thoughts of this type. */
                thoughtType?: "goal" | "recall" | "insight" | "action" | "result" | "reflection";
                /** @description The number of items per page. */
                limit?: number;
                /** @description Another name of `limit`, up to 100. Not together with it. */
                page_size?: number;
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Thought"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCheckpoints: {
        parameters: {
            query?: {
                /** @description Only those of this run. */
                runId?: string;
                /** @description Only those of this session. */
                sessionId?: string;
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Checkpoint"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllSessions: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTurns: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the session. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Turn"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the session. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the subject. */
                subject: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Schedule"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Schedule"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the scheduleName. */
                scheduleName: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedScheduleInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Schedule"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the schedule. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Schedule"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the schedule. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the schedule. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SchedulePatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Schedule"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the schedule. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Begun. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). By default unread messages come first, and the newest first within each group. */
                order?: components["parameters"]["MailboxOrder"];
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MailboxMessage"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailboxInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MailboxMessage"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMailboxTraffic: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Traffic"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the message. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBlocks: {
        parameters: {
            query?: {
                /** @description Whom it is about. Without it, the block that is told whoever the agent works for. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
                subject?: string;
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Block"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBlock: {
        parameters: {
            query?: {
                /** @description Whom it is about. Without it, the block that is told whoever the agent works for. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
                subject?: string;
            };
            header?: {
                /** @description The ETag of the copy the client has. If it is still current, the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the label. */
                label: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Block"];
                    };
                };
            };
            /** @description Unchanged since the ETag given in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setBlock: {
        parameters: {
            query?: {
                /** @description Whom it is about. Without it, the block that is told whoever the agent works for. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
                subject?: string;
            };
            header?: {
                /** @description ETags, separated by commas. If the settings of the agent, or the block, have changed since, the request is rejected with 412; other activity does not count. `*` matches any version. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the label. */
                label: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Block"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteBlock: {
        parameters: {
            query?: {
                /** @description Whom it is about. Without it, the block that is told whoever the agent works for. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
                subject?: string;
            };
            header?: {
                /** @description ETags, separated by commas. If the settings of the agent, or the block, have changed since, the request is rejected with 412; other activity does not count. `*` matches any version. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the label. */
                label: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchBlock: {
        parameters: {
            query?: {
                /** @description Whom it is about. Without it, the block that is told whoever the agent works for. At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
                subject?: string;
            };
            header?: {
                /** @description ETags, separated by commas. If the settings of the agent, or the block, have changed since, the request is rejected with 412; other activity does not count. `*` matches any version. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the label. */
                label: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Block"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProfile: {
        parameters: {
            query?: {
                /** @description Whose profile it is. Without it, that of nobody in particular. */
                subject?: string;
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Profile"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rejectProfileEntry: {
        parameters: {
            query?: {
                /** @description Whose profile it is. Without it, that of nobody in particular. */
                subject?: string;
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the entry. */
                entryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMemories: {
        parameters: {
            query?: {
                /** @description Only those of this agent. */
                agent_id?: string;
                /** @description Only those of this hive. */
                hive_id?: string;
                /** @description Only those of this type. */
                type?: string;
                /** @description Only those of this session. */
                sessionId?: string;
                /** @description At most 128 bytes of UTF-8, without NUL or lone surrogates, and not `.` or `..`. */
                source?: string;
                /** @description Only memories that this run wrote. */
                run_id?: string;
                /** @description Only what was created at this time or later, ISO 8601 with a time zone. */
                created_after?: string;
                /** @description Only what was created before this time, ISO 8601 with a time zone. */
                created_before?: string;
                /** @description Only what occurred at this time or later, ISO 8601 with a time zone. */
                occurred_after?: string;
                /** @description Only what occurred before this time, ISO 8601 with a time zone. */
                occurred_before?: string;
                /** @description Only memories of this subject, and of nobody else. */
                subject?: string;
                /** @description Only memories whose `speaker` this is, compared case-insensitively. */
                speaker?: string;
                /** @description A JSON object. Only memories whose metadata has each of its keys with exactly that value. */
                metadata?: string;
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
                /** @description An alias of `page_size`, for paging by `offset`. It cannot be combined with `page_size`. */
                limit?: components["parameters"]["Limit"];
                /** @description The number of items to skip. It cannot be combined with `cursor`. Unlike cursors, offsets shift when items are created or deleted meanwhile. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Memory"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoryInput"];
            };
        };
        responses: {
            /** @description It was there before. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Memory"];
                    };
                };
            };
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Memory"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMemories: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoryBatchInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BatchResult"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchMemories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchInput"];
            };
        };
        responses: {
            /** @description What was found, best first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FoundMemory"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @description Present and true if a worker did not answer in time or is still reading what it holds, in a search of the whole workspace. */
                        partial?: boolean;
                        /** @description Present and true if the server of embeddings did not say what the query means, so that memories were found by its words. */
                        words_only?: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    promptContext: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContextInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PromptContext"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the memory. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Memory"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the memory. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the memory. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoryPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Memory"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMemoryHistory: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description The id of the memory. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Memory"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHives: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Hive"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createHive: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HiveInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Hive"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the hive. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Hive"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteHive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the hive. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateHive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the hive. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchHiveInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Hive"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHiveAgents: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description The id of the hive. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Agent"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    joinHive: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the hive. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JoinInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveHive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the hive. */
                id: string;
                /** @description The id of the agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSharedMemories: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description The id of the hive. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Memory"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    shareMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the hive. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareInput"];
            };
        };
        responses: {
            /** @description It was there before. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Memory"];
                    };
                };
            };
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Memory"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AgentToken"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    mintToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MintedToken"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the token. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeadLetter"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayDeadLetter: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the dead letter. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Begun. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeadLetter"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MintedWebhook"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the thing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MintedWebhook"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the thing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookTest"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description Only those of this agent. */
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Usage"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsageDays: {
        parameters: {
            query?: {
                /** @description The first day, UTC. Without it, 29 days before the last; at the earliest, 365 days before that. */
                from?: string;
                /** @description The last day, UTC. Without it, today. */
                until?: string;
                /** @description Only those of this agent. */
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageDays"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsageAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageAlerts"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setUsageAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsageAlertsInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageAlerts"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getModelBudget: {
        parameters: {
            query?: {
                /** @description Tells what was used for this subject as well. */
                subject?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ModelBudget"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setModelBudget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelBudgetInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ModelBudget"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MintedKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: {
                /** @description Whether everything that the key minted is revoked too, and what that minted. */
                cascade?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Only what this key, token or person did, by its id. */
                actor?: string;
                /** @description Only what was done so. */
                action?: "agent.created" | "agent.updated" | "agent.deleted" | "alerts.updated" | "block.deleted" | "block.updated" | "profile.updated" | "budget.updated" | "hive.created" | "hive.updated" | "hive.deleted" | "hive.joined" | "hive.left" | "key.created" | "key.revoked" | "memory.updated" | "memory.deleted" | "memory.shared" | "message.deleted" | "push.registered" | "push.removed" | "push.replayed" | "run.answered" | "run.approved" | "run.cancelled" | "run.deleted" | "run.forked" | "run.rejected" | "run.resumed" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule.started" | "session.deleted" | "subject.deleted" | "token.created" | "token.revoked" | "tool.called" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "workspace.exported" | "workspace.imported";
                /** @description Only those of this agent. */
                agent_id?: string;
                /** @description Only what was done to the thing with this id. */
                target_id?: string;
                /** @description Only what was created at this time or later, ISO 8601 with a time zone. */
                created_after?: string;
                /** @description Only what was created before this time, ISO 8601 with a time zone. */
                created_before?: string;
                /** @description The number of items per page. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first (`desc`) or oldest first (`asc`). */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditRecord"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    followWorkspace: {
        parameters: {
            query?: {
                /** @description Event types separated by commas, or what they begin with up to a dot: `agent,run.status`. Without it: all. */
                types?: string;
                /** @description Only those of this agent. */
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the stream ends. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        id?: string;
                        event?: string;
                        data: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportRecords: {
        parameters: {
            query?: {
                /** @description Only those of this agent. */
                agent_id?: string;
                /** @description The id of an agent, of a hive or of this workspace: exports only what comes after it, to continue an export that was cut. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines of JSON, until the record `end`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importRecords: {
        parameters: {
            query?: {
                /** @description Replaces all ids, by others for another label. */
                new_ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportReport"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    a2a_send: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/a2a+json": components["schemas"]["A2aObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aObject"];
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    a2a_stream: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/a2a+json": components["schemas"]["A2aObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        id?: string;
                        event?: string;
                        data: string;
                    };
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    a2a_list: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aObject"];
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    a2a_cancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the task. */
                task: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/a2a+json": components["schemas"]["A2aObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aObject"];
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    a2a_subscribe_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the task. */
                task: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        id?: string;
                        event?: string;
                        data: string;
                    };
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    a2a_subscribe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the task. */
                task: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/a2a+json": components["schemas"]["A2aObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        id?: string;
                        event?: string;
                        data: string;
                    };
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    a2a_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the task. */
                task: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aObject"];
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    a2a_listPush: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the task. */
                task: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aObject"];
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    a2a_setPush: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the task. */
                task: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/a2a+json": components["schemas"]["A2aObject"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aObject"];
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    a2a_getPush: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the task. */
                task: string;
                /** @description The id of the config. */
                config: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aObject"];
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    a2a_deletePush: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
                /** @description The id of the task. */
                task: string;
                /** @description The id of the config. */
                config: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aObject"];
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    a2a_card: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aObject"];
                };
            };
            /** @description The request is not valid, or cannot be done. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The key or token is missing or invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The credential lacks a scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description There is no such task, or no such agent. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The agent is busy. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description Too many requests, or a quota is used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
            /** @description The service cannot handle the request for now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/a2a+json": components["schemas"]["A2aError"];
                };
            };
        };
    };
    getCardAtAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
                /** @description The ETag of the copy the client has. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            /** @description Unchanged since the ETag given in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    callAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JsonRpcRequest"];
            };
        };
        responses: {
            /** @description The result, or an error of the protocol. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcResponse"];
                    "text/event-stream": {
                        id?: string;
                        event?: string;
                        data: string;
                    };
                };
            };
            /** @description The request had no id. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCard: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
                /** @description The ETag of the copy the client has. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            /** @description Unchanged since the ETag given in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCardOf02: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
                /** @description The ETag of the copy the client has. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            /** @description Unchanged since the ETag given in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCardOf03: {
        parameters: {
            query?: never;
            header?: {
                /** @description The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already. */
                "A2A-Version"?: string;
                /** @description The ETag of the copy the client has. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            /** @description Unchanged since the ETag given in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    callAgentTools: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpRequest"];
            };
        };
        responses: {
            /** @description The result, or an error of the protocol. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"];
                    "text/event-stream": {
                        id?: string;
                        event?: string;
                        data: string;
                    };
                };
            };
            /** @description The notification was accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The message is malformed, or of a revision that is not served. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"] | components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            /** @description The credential lacks a scope, or the web page may not call. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"] | components["schemas"]["Error"];
                };
            };
            /** @description There is no such agent, or no such method. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"] | components["schemas"]["Error"];
                };
            };
            /** @description Accept does not name both application/json and text/event-stream. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"] | components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"] | components["schemas"]["Error"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    callWorkspaceTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpRequest"];
            };
        };
        responses: {
            /** @description The result, or an error of the protocol. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"];
                    "text/event-stream": {
                        id?: string;
                        event?: string;
                        data: string;
                    };
                };
            };
            /** @description The notification was accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The message is malformed, or of a revision that is not served. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"] | components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            /** @description The credential lacks a scope, or the web page may not call. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"] | components["schemas"]["Error"];
                };
            };
            /** @description There is no such agent, or no such method. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"] | components["schemas"]["Error"];
                };
            };
            /** @description Accept does not name both application/json and text/event-stream. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"] | components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            /** @description A fault of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpResponse"] | components["schemas"]["Error"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session, which takes precedence over `user`. */
                "X-Hivekeep-Session"?: string;
                /** @description Whom the run is for, such as an end user, by a name of your own. */
                "X-Hivekeep-Subject"?: string;
                /** @description What becomes of it where its session is busy, as `on_busy` of a run. */
                "X-Hivekeep-On-Busy"?: "enqueue" | "reject" | "interrupt" | "steer";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenAiChatRequest"];
            };
        };
        responses: {
            /** @description The answer of the agent, or what its run asks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiCompletion"];
                    "text/event-stream": {
                        id?: string;
                        event?: string;
                        data: string;
                    };
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session, which takes precedence over `user`. */
                "X-Hivekeep-Session"?: string;
                /** @description Whom the run is for, such as an end user, by a name of your own. */
                "X-Hivekeep-Subject"?: string;
                /** @description What becomes of it where its session is busy, as `on_busy` of a run. */
                "X-Hivekeep-On-Busy"?: "enqueue" | "reject" | "interrupt" | "steer";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenAiResponseRequest"];
            };
        };
        responses: {
            /** @description The answer of the agent, or what its run asks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiResponse"];
                    "text/event-stream": {
                        id?: string;
                        event?: string;
                        data: string;
                    };
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    getResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiResponse"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiModel"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiModels"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An error in the form that clients of OpenAI read. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Is it alive? */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Does it serve commands? */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ready";
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its numbers, in Prometheus' text format. Where HIVEKEEP_METRICS_TOKEN is set, it has to be sent as a bearer token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Unchanged since the ETag given in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document as a page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Unchanged since the ETag given in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
}
