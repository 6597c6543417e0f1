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
         * List agents, or find some by how their names begin.
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
         * Replace the fields that are named, keep the others.
         * @description Needs the scope `agent:manage`.
         */
        put: operations["replaceAgent"];
        post?: never;
        /**
         * Delete an agent and everything of it, for good.
         * @description Needs the scope `agent:manage`.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Merge into an agent; null removes.
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
    "/v1/agent-constellations/{id}/runs/{runId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a run by server-sent events.
         * @description Needs the scope `agent:read`.
         *
         *     Server-sent events: `data` is a RunEvent as JSON, `event` its type, `id` its `seq`. Comments keep idle connections open. The stream ends with the run, or after 10 minutes; a client that comes back with Last-Event-ID misses nothing.
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
         * Go on with a run that is paused or ran out of budget.
         * @description Needs the scope `agent:spawn`.
         */
        post: operations["resumeRun"];
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
         * Start a run from a checkpoint of another.
         * @description Needs the scope `agent:spawn`.
         */
        post: operations["forkRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-constellations/{id}/runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run that has not ended.
         * @description Needs the scope `agent:manage`.
         */
        post: operations["cancelRun"];
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
         * Read the thought stream.
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
         * Read the checkpoints of each step.
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
         * List the conversations with all agents.
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
         * List the conversations with an agent.
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
         * List what was said in a conversation.
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
         * Delete a conversation: its runs with what was said in them, and its memories.
         * @description Needs the scope `agent:manage`.
         */
        delete: operations["deleteSession"];
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
         * List the mailbox: unread first, or by time where an order is named.
         * @description Needs the scope `agent:read`.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Put a message into an agent's mailbox.
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
         * Get who has written to whom in the last hour.
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
         * Delete a mailbox message, read or not.
         * @description Needs the scope `agent:manage`.
         */
        delete: operations["deleteMessage"];
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
         * Create up to 500 memories, and tell what became of each.
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
         * Find memories by what they say, best first.
         * @description Needs the scope `memory:read`.
         */
        post: operations["searchMemories"];
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
         * Change a memory; null removes.
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
         * List a memory with those that it replaced, and those that replaced it.
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
         * Delete a hive and what is shared in it.
         * @description Needs the scope `hive:write`.
         */
        delete: operations["deleteHive"];
        options?: never;
        head?: never;
        /**
         * Rename a hive, or change its description or metadata.
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
         * Let an agent join a hive.
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
         * Let an agent leave a hive.
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
         * List what is shared in a hive.
         * @description Needs the scope `hive:read`.
         */
        get: operations["listSharedMemories"];
        put?: never;
        /**
         * Share a memory, in the name of an agent of the hive.
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
         * Mint a token for an agent's A2A endpoint.
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
         * List pushes that were given up.
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
         * Send a push again, from its first try on.
         * @description Needs the scope `agent:manage`.
         */
        post: operations["replayDeadLetter"];
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
         * Get what this API key is: its workspace, mode, tier, scopes and limits.
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
         * Memory usage of the billing cycle.
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
         * Make an API key; its secret is shown this once.
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
         * Revoke an API key, and with `cascade=true` everything that it minted.
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
         * List what was done to keys and tokens.
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
         * Follow the workspace's live events by server-sent events.
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
    "/api/v1/a2a/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
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
         * @description Needs the scope `agent:read`. With `A2A-Version: 1.0` the card is exactly that of 1.0.
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
         * @description Needs the scope `agent:read`. With `A2A-Version: 1.0` the card is exactly that of 1.0.
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
         * @description Needs the scope `agent:read`. With `A2A-Version: 1.0` the card is exactly that of 1.0.
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
         * @description Opened by an API key, and by a token of the agent with the scope `agent:mcp`. The scopes of the credential decide which tools there are: docs/mcp.md has them all. One message a request; what is reported before the result, such as progress, makes the response a stream.
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
         * @description Opened by an API key. The scopes of the credential decide which tools there are: docs/mcp.md has them all. One message a request; what is reported before the result, such as progress, makes the response a stream.
         */
        post: operations["callWorkspaceTools"];
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
            /** @description Its name; names need not be unique. */
            name: string;
            /** @description What it is for, in the words of whoever made it. */
            description: string;
            /**
             * @description An inactive agent answers commands with 409; terminated is final.
             * @enum {string}
             */
            status: "active" | "inactive" | "terminated";
            config: components["schemas"]["AgentConfig"];
            /** @description Memories in the agent's own context, those with expires_at included until they expire. */
            memory_count: number;
            /** @description Messages processed: direct messages answered and mailbox messages read. */
            message_count: number;
            /** @description Ids of the hives that it belongs to. */
            hives: string[];
            /** @description Whatever clients keep with it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description An incoming mailbox message starts a run, unless one is pending or running. */
            wake_on_message: boolean;
            /** @description Cap on memories that expire after more than 30 days, or never; null is unlimited. */
            memory_quota: number | null;
            /** @description Runtime budget of its runs in seconds; null is the service's default. */
            maxRuntimeSeconds: number | null;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last; ISO 8601, UTC, with milliseconds.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it last did something or was given something; ISO 8601, UTC.
             */
            last_active_at: string;
        };
        Memory: {
            /** @description The id of the memory. */
            id: string;
            /** @description Such as episodic, semantic, procedural. */
            type: string;
            /** @description What is remembered, as text. */
            content: string;
            /** @description The agent that it belongs to; null if it belongs to a hive or to the workspace. */
            agent_id: string | null;
            /** @description With agent_id null too, the memory is the workspace's. */
            hive_id: string | null;
            /** @description In a hive: the agent that shared it. */
            shared_by: string | null;
            /** @description The conversation that it is part of; null if none. */
            sessionId: string | null;
            /** @description Place in its session, from 0; null without a session. */
            position: number | null;
            /** @description What the client gave: it decides between memories that match a search alike; null if none. */
            importance: number | null;
            /**
             * Format: date-time
             * @description When what it tells was said or happened.
             */
            occurred_at: string;
            /** @description Who said it. */
            speaker: string | null;
            /** @description The run from whose input it was learnt. */
            source: string | null;
            /** @description The memory that it replaced. */
            supersedes: string | null;
            /** @description The memory that replaced it. */
            superseded_by: string | null;
            /**
             * Format: date-time
             * @description Until when it was so; null: it is so now, as far as is known.
             */
            valid_until: string | null;
            /** @description How often it was stated: a repetition makes no second memory. */
            times_seen: number;
            /**
             * Format: date-time
             * @description When it was stated last.
             */
            last_seen_at: string;
            /** @description Whatever clients keep with it; lists can be filtered by it. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it is to be forgotten, ISO 8601; null: never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last; ISO 8601, UTC, with milliseconds.
             */
            updated_at: string;
        };
        BatchResult: {
            /** @description How many memories were added. */
            created: number;
            /** @description How many were not. */
            failed: number;
            /** @description What became of each memory, in the order of the request. */
            results: {
                /** @description The memory as it was added; null if it was not. */
                memory: components["schemas"]["Memory"] | null;
                /** @description Why it was not added; null if it was. */
                error: {
                    /**
                     * @description As for POST /v1/memories.
                     * @enum {string}
                     */
                    code: "VALIDATION_ERROR" | "UNSUPPORTED_VERSION" | "UNAUTHENTICATED" | "INSUFFICIENT_SCOPE" | "QUOTA_EXCEEDED" | "HTTPS_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "AGENT_INACTIVE" | "RUN_NOT_RESUMABLE" | "AGENT_BUSY" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMIT_EXCEEDED" | "CONCURRENCY_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "UNAVAILABLE";
                    /** @description What was wrong, for people. */
                    message: string;
                    /** @description As for POST /v1/memories. */
                    details: {
                        [key: string]: unknown;
                    };
                } | null;
            }[];
        };
        FoundMemory: {
            /** @description Of a memory; or of a mailbox message or a turn of a conversation, by their `type`. */
            id: string;
            /** @description Such as episodic, semantic, procedural. */
            type: string;
            /** @description What is remembered, as text. */
            content: string;
            /** @description The agent that it belongs to; null if it belongs to a hive or to the workspace. */
            agent_id: string | null;
            /** @description With agent_id null too, the memory is the workspace's. */
            hive_id: string | null;
            /** @description In a hive: the agent that shared it. */
            shared_by: string | null;
            /** @description The conversation that it is part of; null if none. */
            sessionId: string | null;
            /** @description Place in its session, from 0; null without a session. */
            position: number | null;
            /** @description What the client gave: it decides between memories that match a search alike; null if none. */
            importance: number | null;
            /**
             * Format: date-time
             * @description When what it tells was said or happened.
             */
            occurred_at: string;
            /** @description Who said it. */
            speaker: string | null;
            /** @description The run from whose input it was learnt. */
            source: string | null;
            /** @description The memory that it replaced. */
            supersedes: string | null;
            /** @description The memory that replaced it. */
            superseded_by: string | null;
            /**
             * Format: date-time
             * @description Until when it was so; null: it is so now, as far as is known.
             */
            valid_until: string | null;
            /** @description How often it was stated: a repetition makes no second memory. */
            times_seen: number;
            /**
             * Format: date-time
             * @description When it was stated last.
             */
            last_seen_at: string;
            /** @description Whatever clients keep with it; lists can be filtered by it. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it is to be forgotten, ISO 8601; null: never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last; ISO 8601, UTC, with milliseconds.
             */
            updated_at: string;
            /** @description From 0 to 1, higher is better. */
            relevance: number;
            /** @description Where the search asked for it. */
            explanation?: {
                /** @description What the memories found are ordered by. */
                score: number;
                /** @description What each feature added to the score; features that added nothing are left out. */
                shares: {
                    [key: string]: number;
                };
            };
        };
        ConsultedMemory: {
            /** @description The id of the memory or the message. */
            id: string;
            /** @description Its type; `message` for a mailbox message. */
            type: string;
            /** @description What it says. */
            content: string;
            /** @description From 0 to 1, higher is better. */
            relevance: number;
        };
        Run: {
            /** @description The id of the run, and of the A2A task that it is. */
            id: string;
            /** @description The agent that it is a run of. */
            agent_id: string;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            status: "pending" | "running" | "paused" | "completed" | "failed" | "timeout" | "cancelled";
            /**
             * @description Why a completed run stopped: it answered, or a budget was used up; null otherwise.
             * @enum {string|null}
             */
            stopReason: "answer" | "max_steps" | "timeout" | null;
            /**
             * @description What began it: a request, a mailbox message, an A2A message, or a fork of another run.
             * @enum {string}
             */
            triggeredBy: "api" | "message" | "a2a" | "fork";
            /** @description The conversation that it is part of: the one that was named, or one of its own. */
            sessionId: string;
            /** @description What the agent was asked or told. */
            input: string;
            /** @description What it answered, or what it had when a budget was used up; null if nothing. */
            output: string | null;
            /** @description Why a failed run failed; null otherwise. */
            error: {
                /** @description What kind of failure, for programs. */
                code: string;
                /** @description What went wrong, for people. */
                message: string;
            } | null;
            /** @description What a paused run waits for. */
            waitingFor: {
                /**
                 * @description `approval` of an action, or the answer of a `human`.
                 * @enum {string}
                 */
                kind: "approval" | "human";
                /** @description What is asked, for people. */
                question: string;
                /** @description What is to be approved; null for a question. */
                action: components["schemas"]["ToolCall"] | null;
            } | null;
            /** @description Calls of the reasoner that it may make. */
            maxSteps: number;
            /** @description Seconds of reasoning that it may use; time spent waiting is not counted. */
            maxRuntimeSeconds: number;
            /** @description Steps done. */
            steps: number;
            /** @description The checkpoint of another run that it goes on from; null if it is no fork. */
            forkedFrom: {
                /** @description That run. */
                runId: string;
                /** @description Its checkpoint. */
                checkpointId: string;
                /** @description The step of the checkpoint: those up to it are not done again. */
                step: number;
            } | null;
            /** @description What was used of model servers; zeros where the built-in reasoner thinks. */
            usage: {
                /** @description Requests to model servers that were answered. */
                requests: number;
                /** @description As the servers reported them, those from a prompt cache included. */
                inputTokens: number;
                /** @description As the servers reported them. */
                outputTokens: number;
            };
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last; ISO 8601, UTC, with milliseconds.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When its first step began, ISO 8601; null: not yet.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When it ended, ISO 8601; null: not yet.
             */
            ended_at: string | null;
        };
        Thought: {
            /** @description The id of the thought. */
            id: string;
            /**
             * @description What kind of thought it is.
             * @enum {string}
             */
            thoughtType: "goal" | "recall" | "insight" | "action" | "result" | "reflection";
            /** @description The thought, as text. */
            content: string;
            /** @description The run that had it. */
            runId: string;
            /** @description The conversation of that run. */
            sessionId: string;
            /** @description The agent of that run. */
            agent_id: string;
            /** @description The step that it belongs to, from 1. */
            step: number;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
        };
        Session: {
            /** @description The `sessionId` of its runs and memories. */
            id: string;
            /** @description The agent that it is with. */
            agent_id: string;
            /** @description How it began: its first message, at most 200 characters of it. */
            opening: string;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its last turn was said.
             */
            updated_at: string;
        };
        Turn: {
            /** @description The id of the turn: its run and which turn of it. */
            id: string;
            /** @description The agent that it was said to or by. */
            agent_id: string;
            /** @description The run that has it. */
            runId: string;
            /** @description The conversation that it is part of. */
            sessionId: string;
            /**
             * @description `user` is whoever wrote to the agent.
             * @enum {string}
             */
            role: "user" | "agent";
            /** @description What was said. */
            content: string;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
        };
        ToolCall: {
            /**
             * @description What the reasoner asks for.
             * @enum {string}
             */
            tool: "recall" | "remember" | "update_memory" | "forget" | "send_message" | "share_with_hive" | "ask_human" | "answer";
            /** @description By name; which there are depends on the tool. */
            arguments: {
                [key: string]: string;
            };
            /** @description What an answer says beside its text. */
            parts?: components["schemas"]["Part"][];
        };
        ToolOutcome: {
            /**
             * @description What the reasoner asked for.
             * @enum {string}
             */
            tool: "recall" | "remember" | "update_memory" | "forget" | "send_message" | "share_with_hive" | "ask_human" | "answer";
            /** @description By name; which there are depends on the tool. */
            arguments: {
                [key: string]: string;
            };
            /** @description Whether it could be done. */
            ok: boolean;
            /** @description What came of it, or why it could not be done, as the reasoner is told. */
            result: string;
        };
        Checkpoint: {
            /** @description The id of the checkpoint; runs are forked from it. */
            id: string;
            /** @description The run that it is a checkpoint of. */
            runId: string;
            /** @description The agent of that run. */
            agent_id: string;
            /** @description The conversation of that run. */
            sessionId: string;
            /** @description The step that was done, from 1. */
            step: number;
            /** @description What the step asked for and what came of it. */
            calls: components["schemas"]["ToolOutcome"][];
            /** @description Partial output so far, if any. */
            output: string | null;
            /** @description Reasoning time used by the run up to here; downtime and pauses are not counted. */
            runtimeMs: number;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
        };
        MailboxMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The agent whose mailbox it is in. */
            agent_id: string;
            /** @description The agent that sent it, as the service knows; `external`: a client; null: the service itself. */
            from: string | null;
            /** @description The text of the message. */
            content: string;
            /** @description The id of the message that it answers; null if none. */
            reply_to: string | null;
            /** @description Whatever the sender put with it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description How many agents passed it on; past 16 it wakes nobody. */
            hops: number;
            /** @description How often it has woken its agent without being read; at most 3. */
            wakes: number;
            /**
             * Format: date-time
             * @description When a step of the agent read it, ISO 8601; null: not yet.
             */
            read_at: string | null;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
        };
        Traffic: {
            /**
             * Format: date-time
             * @description What was sent at this time or later is counted: an hour ago, or later if not `complete`.
             */
            since: string;
            /**
             * Format: date-time
             * @description When it was counted.
             */
            until: string;
            /** @description False where the hour has more messages than are counted: the newest 10,000, or fewer if they are long. */
            complete: boolean;
            /** @description Messages counted, with those of pairs that are left out. */
            messages: number;
            /** @description Who wrote to whom, the most first; at most 500 pairs. */
            pairs: {
                /** @description The agent that sent them; `external`: clients. */
                from: string;
                /** @description The agent that got them. */
                to: string;
                /** @description How many. */
                count: number;
            }[];
        };
        MessageReply: {
            /** @description The id of the message that was sent. */
            message_id: string;
            /** @description The run that answers it. */
            run_id: string;
            /**
             * @description Of the run when this was answered: completed, or why there is no response.
             * @enum {string}
             */
            status: "pending" | "running" | "paused" | "completed" | "failed" | "timeout" | "cancelled";
            /** @description The answer; null where `status` says why there is none. */
            response: string | null;
            /** @description Why the run failed; null otherwise. */
            error: {
                /** @description What kind of failure, for programs. */
                code: string;
                /** @description What went wrong, for people. */
                message: string;
            } | null;
            /** @description What a paused run waits for. */
            waitingFor: {
                /**
                 * @description `approval` of an action, or the answer of a `human`.
                 * @enum {string}
                 */
                kind: "approval" | "human";
                /** @description What is asked, for people. */
                question: string;
                /** @description What is to be approved; null for a question. */
                action: components["schemas"]["ToolCall"] | null;
            } | null;
            /** @description The memories that the answer rests on, with their relevance. */
            memories_consulted: components["schemas"]["ConsultedMemory"][];
            /** @description The conversation: send it with the next message to go on. */
            sessionId: string;
        };
        AgentToken: {
            /** @description The id of the token. */
            id: string;
            /** @description The agent whose A2A endpoint it opens. */
            agent_id: string;
            /** @description What whoever made it called it. */
            name: string;
            /** @description What it may do there. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin" | "agent:mcp")[];
            /** @description The first characters of the secret, to tell credentials apart. */
            hint: string;
            /**
             * Format: date-time
             * @description When it ends by itself, ISO 8601; null: never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; null: never.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
        };
        ApiKey: {
            /** @description The id of the key. */
            id: string;
            /** @description What whoever made it called it. */
            name: string;
            /**
             * @description `live` works in the workspace, `test` in its sandbox.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description What it may do. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin")[];
            /** @description The first characters of the secret, to tell credentials apart. */
            hint: string;
            /**
             * Format: date-time
             * @description When it ends by itself, ISO 8601; null: never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; null: never.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
        };
        AuditRecord: {
            /** @description The id of the record. */
            id: string;
            /**
             * @description What was done.
             * @enum {string}
             */
            action: "key.created" | "key.revoked" | "token.created" | "token.revoked";
            /** @description The id of the API key that did it, or `command line`, or `server start`. */
            actor: string;
            /** @description The client's address; null for what was done on the machine itself. */
            from: string | null;
            /** @description The key or token that it was done to. */
            credential_id: string;
            /** @description Of that key or token. */
            name: string;
            /** @description Whose token it is; null for keys. */
            agent_id: string | null;
            /** @description What that key or token may do. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin" | "agent:mcp")[];
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
        };
        Hive: {
            /** @description The id of the hive. */
            id: string;
            /** @description Its name; names need not be unique. */
            name: string;
            /** @description What it is for. */
            description: string;
            /** @description Whatever clients keep with it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Memories that are shared in it. */
            memory_count: number;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last; ISO 8601, UTC, with milliseconds.
             */
            updated_at: string;
        };
        Me: {
            /** @description The workspace that the key belongs to. */
            workspace: {
                /** @description The id of the workspace. */
                id: string;
                /** @description Its name. */
                name: string;
                /**
                 * Format: date-time
                 * @description When it was made; ISO 8601, UTC, with milliseconds.
                 */
                created_at: string;
            };
            /**
             * @description `test`: the key works in the workspace's sandbox and sees nothing of the workspace itself.
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Decides about the limits; `sandbox` for every test key.
             * @enum {string}
             */
            tier: "free" | "pro" | "team" | "enterprise" | "sandbox";
            /** @description The API key that the request carries. */
            key: {
                /** @description The id of the key. */
                id: string;
                /** @description What whoever made it called it. */
                name: string;
                /** @description The first characters of the secret, to tell credentials apart. */
                hint: string;
                /**
                 * Format: date-time
                 * @description When it ends by itself, ISO 8601; null: never.
                 */
                expires_at: string | null;
                /**
                 * Format: date-time
                 * @description When it was made; ISO 8601, UTC, with milliseconds.
                 */
                created_at: string;
            };
            /** @description What the key may do. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin")[];
            /** @description The limits of the tier; null is unlimited. */
            limits: {
                /** @description Requests that the key may send a minute in the long run. */
                requests_per_minute: number;
                /** @description Requests that the key may send at once after a pause. */
                request_burst: number;
                /** @description Of these, searches of memories. */
                searches_per_minute: number;
                /** @description Requests of the key that may be in progress, including open streams. */
                concurrent_requests: number;
                /** @description Long-term memories that the workspace may add a month. */
                memories_per_month: number | null;
                /** @description Bytes that the workspace may store. */
                storage_bytes: number | null;
                /** @description API keys that the workspace may have. */
                api_keys: number;
                /** @description Messages that agents of the workspace may send one another a minute; more are delivered later. */
                mailbox_messages_per_minute: number | null;
            };
        };
        Usage: {
            /** @description The month that the quota is for; it ends when the next begins. */
            cycle: {
                /**
                 * Format: date-time
                 * @description Its first moment.
                 */
                start: string;
                /**
                 * Format: date-time
                 * @description The first moment after it.
                 */
                end: string;
            };
            /**
             * @description `test` for the sandbox.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description Memories of the cycle that count against the quota: created minus deleted, without those that expire. */
            used: number;
            /** @description Null is unlimited. */
            limit: number | null;
            /** @description What is left of the limit; null is unlimited. */
            remaining: number | null;
            /** @description What is stored now in the whole workspace, as are hives, memories and by_type. */
            agents: number;
            /** @description Hives in the workspace now. */
            hives: number;
            /** @description Memories stored in the workspace now, also those that expire. */
            memories: number;
            /** @description These memories by their type. */
            by_type: {
                [key: string]: number;
            };
            /** @description Bytes that everything in the workspace takes, about. At the limit nothing can be added. */
            storage: {
                /** @description Bytes in use. */
                used: number;
                /** @description Null is unlimited. */
                limit: number | null;
            };
            /** @description What was used of model servers; zeros where the built-in reasoner thinks. */
            models: {
                /** @description Requests to model servers that were answered. */
                requests: number;
                /** @description As the servers reported them, those from a prompt cache included. */
                inputTokens: number;
                /** @description As the servers reported them. */
                outputTokens: number;
            };
            /** @description The agents whose settings changed last, 100 at most; or the one asked for by `agent_id`. */
            by_agent: {
                /** @description The agent. */
                agent_id: string;
                /** @description Its name. */
                name: string;
                /** @description Of the cycle. */
                used: number;
                /** @description What is stored now. */
                memories: number;
                /** @description Its cap on long-term memories; null is no cap. */
                memory_quota: number | null;
                /** @description What was used of model servers; zeros where the built-in reasoner thinks. */
                models: {
                    /** @description Requests to model servers that were answered. */
                    requests: number;
                    /** @description As the servers reported them, those from a prompt cache included. */
                    inputTokens: number;
                    /** @description As the servers reported them. */
                    outputTokens: number;
                };
            }[];
        };
        RunEvent: {
            /** @description Numbered 1, 2, 3... within the run, without holes; also the event's id. */
            seq: number;
            /**
             * Format: date-time
             * @description When it happened; ISO 8601, UTC, with milliseconds.
             */
            at: string;
            /** @constant */
            type: "status";
            /**
             * @description Where the run stands now.
             * @enum {string}
             */
            status: "pending" | "running" | "paused" | "completed" | "failed" | "timeout" | "cancelled";
            /**
             * @description Why a completed run stopped; null otherwise.
             * @enum {string|null}
             */
            stopReason: "answer" | "max_steps" | "timeout" | null;
            /** @description More about it, for people; null if there is nothing to say. */
            message: string | null;
        } | {
            /** @description Numbered 1, 2, 3... within the run, without holes; also the event's id. */
            seq: number;
            /**
             * Format: date-time
             * @description When it happened; ISO 8601, UTC, with milliseconds.
             */
            at: string;
            /** @constant */
            type: "thought";
            thought: components["schemas"]["Thought"];
        } | {
            /** @description Numbered 1, 2, 3... within the run, without holes; also the event's id. */
            seq: number;
            /**
             * Format: date-time
             * @description When it happened; ISO 8601, UTC, with milliseconds.
             */
            at: string;
            /** @constant */
            type: "answer";
            /** @description The answer of the run, which is its output. */
            content: string;
            /** @description All of it, where that is more than its text. */
            parts?: components["schemas"]["Part"][];
        };
        WorkspaceEvent: {
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "agent.created" | "agent.updated" | "agent.deleted" | "memory.created" | "memory.updated" | "memory.deleted" | "hive.created" | "hive.updated" | "hive.deleted" | "message.received" | "message.deleted" | "run.status" | "run.deleted" | "usage.alert";
            /**
             * Format: date-time
             * @description When it happened; ISO 8601, UTC, with milliseconds.
             */
            at: string;
            /** @description What it was: ids of what it is about, and details by type. */
            data: {
                [key: string]: unknown;
            };
        };
        DeadLetter: {
            /** @description The id of the dead letter. */
            id: string;
            /** @description The agent whose task it tells of. */
            agent_id: string;
            /** @description The task, which is a run. */
            task_id: string;
            /** @description The push config that it was sent by. */
            config_id: string;
            /** @description Where it was sent to; its query is masked. */
            url: string;
            /**
             * @description The status that it tells.
             * @enum {string}
             */
            status: "pending" | "running" | "paused" | "completed" | "failed" | "timeout" | "cancelled";
            /** @description Why it was given up. */
            reason: string;
            /** @description How often it was tried. */
            tries: number;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was given up.
             */
            updated_at: string;
        };
        Part: {
            /** @constant */
            kind: "text";
            /** @description The text. */
            text: string;
            /** @description The name of the file. */
            filename?: string;
            /** @description The media type of the content, such as `application/json`. */
            mediaType?: string;
            /** @description Whatever the sender put with it. */
            metadata?: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            kind: "data";
            /** @description Any JSON. */
            data: unknown;
            /** @description The name of the file. */
            filename?: string;
            /** @description The media type of the content, such as `application/json`. */
            mediaType?: string;
            /** @description Whatever the sender put with it. */
            metadata?: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            kind: "file";
            /** @description The content of the file in base 64. */
            bytes: string;
            /** @description The name of the file. */
            filename?: string;
            /** @description The media type of the content, such as `application/json`. */
            mediaType?: string;
            /** @description Whatever the sender put with it. */
            metadata?: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            kind: "file";
            /** @description Where the file is. */
            uri: string;
            /** @description The name of the file. */
            filename?: string;
            /** @description The media type of the content, such as `application/json`. */
            mediaType?: string;
            /** @description Whatever the sender put with it. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        MintedToken: {
            /** @description The id of the token. */
            id: string;
            /** @description The agent whose A2A endpoint it opens. */
            agent_id: string;
            /** @description What whoever made it called it. */
            name: string;
            /** @description What it may do there. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin" | "agent:mcp")[];
            /** @description The first characters of the secret, to tell credentials apart. */
            hint: string;
            /**
             * Format: date-time
             * @description When it ends by itself, ISO 8601; null: never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; null: never.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
            /** @description The raw token: shown this once, kept nowhere. */
            token: string;
        };
        MintedKey: {
            /** @description The id of the key. */
            id: string;
            /** @description What whoever made it called it. */
            name: string;
            /**
             * @description `live` works in the workspace, `test` in its sandbox.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description What it may do. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin")[];
            /** @description The first characters of the secret, to tell credentials apart. */
            hint: string;
            /**
             * Format: date-time
             * @description When it ends by itself, ISO 8601; null: never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; null: never.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was made; ISO 8601, UTC, with milliseconds.
             */
            created_at: string;
            /** @description The raw key: shown this once, kept nowhere. */
            key: string;
        };
        Deleted: {
            /** @description The id of what was deleted. */
            id: string;
            /** @constant */
            deleted: true;
        };
        Error: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description What was wrong, for programs.
                 * @enum {string}
                 */
                code: "VALIDATION_ERROR" | "UNSUPPORTED_VERSION" | "UNAUTHENTICATED" | "INSUFFICIENT_SCOPE" | "QUOTA_EXCEEDED" | "HTTPS_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "AGENT_INACTIVE" | "RUN_NOT_RESUMABLE" | "AGENT_BUSY" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMIT_EXCEEDED" | "CONCURRENCY_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "UNAVAILABLE";
                /** @description For people; may change. */
                message: string;
                /** @description The HTTP status. */
                status: number;
                /** @description What there is to know beside, by code. */
                details: {
                    /** @description Of VALIDATION_ERROR: what is wrong, and where. */
                    issues?: {
                        /** @description Such as `config.max_steps`; empty for the body itself. */
                        path: string;
                        /** @description What was expected there. */
                        message: string;
                    }[];
                    /** @description Of INSUFFICIENT_SCOPE. */
                    required_scope?: string;
                    /** @description Of limits and quotas. */
                    limit?: number;
                    /** @description Of RATE_LIMIT_EXCEEDED: the window in seconds, such as 60s. */
                    window?: string;
                    /** @description Seconds, as Retry-After. */
                    retry_after?: number;
                } & {
                    [key: string]: unknown;
                };
                /** @description As X-Request-Id; finds the request in the log. */
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
        /** @description Other keys are kept and mean nothing. At most 65536 bytes as JSON. */
        AgentConfig: {
            /** @description `built-in` (the default), `openai/<name>`, `anthropic/<name>`, or the name of another configured server and its model. */
            model?: string;
            /** @description Passed to the model: 0 is the most predictable. */
            temperature?: number;
            /** @description Runs take several steps, and messages over A2A are answered while they go on. Default false. */
            multi_step?: boolean;
            /** @description Steps of a run where it names none. */
            max_steps?: number;
            /** @description What the model is told of its role and its task. At most 32768 bytes of UTF-8, without NUL and lone surrogates. */
            instructions?: string;
            /**
             * @description Pauses a run for approval: before it remembers, sends or shares something (`action`), or before it answers.
             * @enum {string}
             */
            validation_gate?: "none" | "action" | "answer";
            /** @description What recall finds, and what runs see of a conversation. */
            memory?: {
                /** @description Recall leaves out what is less relevant. */
                min_relevance?: number;
                /** @description Memories that a recall finds at most. */
                recall_limit?: number;
                /** @description Whether what is said to the agent and what it answers is found by recall: `on` (the default), `off`, or for this many days. */
                conversation?: ("on" | "off") | number;
                /**
                 * @description Whether plain statements in what is said to the agent become memories: by `rules` (the default), or `off`.
                 * @enum {string}
                 */
                learn?: "rules" | "off";
                /** @description Turns of its session that a run gets to see, the last ones. Default 12. */
                turns?: number;
                /** @description How many bytes of text these have at most. Default 8192. */
                turn_bytes?: number;
            } & {
                [key: string]: unknown;
            };
            /** @description Whose messages the agent takes. */
            mailbox?: {
                /** @description Whose mailbox messages the agent takes: `all` (the default), those of agents in its `hive`s, or those of the agents in a list, in which `external` stands for clients. */
                accept?: ("all" | "hive") | string[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        JsonRpcRequest: {
            /** @constant */
            jsonrpc: "2.0";
            /** @description Echoed. Without it the request is done and not answered. */
            id?: string | number | null;
            /**
             * @description `message/send` and the like are A2A 0.2 and 0.3, `SendMessage` and the like 1.0.
             * @enum {string}
             */
            method: "message/send" | "message/stream" | "tasks/get" | "tasks/cancel" | "tasks/resubscribe" | "tasks/pushNotificationConfig/set" | "tasks/pushNotificationConfig/get" | "tasks/pushNotificationConfig/list" | "tasks/pushNotificationConfig/delete" | "agent/getAuthenticatedExtendedCard" | "SendMessage" | "SendStreamingMessage" | "GetTask" | "ListTasks" | "CancelTask" | "SubscribeToTask" | "CreateTaskPushNotificationConfig" | "GetTaskPushNotificationConfig" | "ListTaskPushNotificationConfigs" | "DeleteTaskPushNotificationConfig" | "GetExtendedAgentCard";
            /** @description As A2A specifies for the method. */
            params?: {
                [key: string]: unknown;
            };
        };
        JsonRpcResponse: {
            /** @constant */
            jsonrpc: "2.0";
            /** @description That of the request; null where it could not be read. */
            id: string | number | null;
            /** @description As A2A specifies for the method. */
            result?: {
                [key: string]: unknown;
            } | null;
            /** @description Instead of a result. */
            error?: {
                /** @description -32700 to -32600 as in JSON-RPC, -32001 to -32009 as in A2A. */
                code: number;
                /** @description What was wrong, for people. */
                message: string;
                /** @description More about it. */
                data?: unknown;
            };
        };
        AgentCard: {
            /** @description The name of the agent. */
            name: string;
            /** @description What it is for. */
            description: string;
            /** @description The version of the agent, which changes with its settings. */
            version: string;
            /** @description What it can do beyond the least that A2A asks for. */
            capabilities: {
                /** @description Whether messages can be streamed. */
                streaming: boolean;
                /** @description Whether changes of a task can be pushed. */
                pushNotifications: boolean;
            } & {
                [key: string]: unknown;
            };
            /** @description Media types that it takes, `text/plain` first. */
            defaultInputModes: string[];
            /** @description Media types that it answers with, `text/plain` first. */
            defaultOutputModes: string[];
            /** @description What it can be asked for. */
            skills: ({
                /** @description The id of the skill. */
                id: string;
                /** @description Its name. */
                name: string;
                /** @description What it does. */
                description: string;
                /** @description Words to find it by. */
                tags: string[];
            } & {
                [key: string]: unknown;
            })[];
            /** @description The agent's JSON-RPC endpoint; 1.0 has it in `supportedInterfaces`. */
            url?: string;
            /** @description The version of A2A that the card is of. */
            protocolVersion?: string;
        } & {
            [key: string]: unknown;
        };
        McpRequest: {
            /** @constant */
            jsonrpc: "2.0";
            /** @description Echoed. Without it the message is a notification. */
            id?: string | number;
            /** @description `tools/call` and the like. */
            method: string;
            /** @description As MCP specifies for the method. */
            params?: {
                [key: string]: unknown;
            };
        };
        McpResponse: {
            /** @constant */
            jsonrpc: "2.0";
            /** @description That of the request; a notification has none. */
            id?: string | number | null;
            /** @description Of a notification in a stream, such as `notifications/progress`. */
            method?: string;
            /** @description Of a notification. */
            params?: {
                [key: string]: unknown;
            };
            /** @description As MCP specifies for the method. */
            result?: {
                [key: string]: unknown;
            };
            /** @description Instead of a result. */
            error?: {
                /** @description As in JSON-RPC. */
                code: number;
                /** @description What was wrong, for people. */
                message: string;
                /** @description More about it. */
                data?: unknown;
            };
        };
        MemoryInput: {
            /** @description What kind of memory it is, such as `semantic`, `episodic` or `procedural`. */
            type: string;
            /** @description What is to be remembered. At most 65536 bytes of UTF-8, without NUL and lone surrogates. */
            content: string;
            /** @description The id of the agent. At most 128 bytes of UTF-8, without NUL and lone surrogates. */
            agent_id?: string;
            /** @description The id of the hive. At most 128 bytes of UTF-8, without NUL and lone surrogates. */
            hive_id?: string;
            /** @description The conversation that it is part of: any name, or the one of an answer. At most 128 bytes of UTF-8, without NUL and lone surrogates. */
            sessionId?: string;
            /** @description Decides between memories that match a search alike; 0.5 counts like none. */
            importance?: number;
            /**
             * Format: date-time
             * @description When what it tells was said or happened, ISO 8601 with a zone; created_at by default.
             */
            occurred_at?: string;
            /** @description Who said it. Where it is not given, recall takes it from a leading `Name: ` of the content. */
            speaker?: string;
            /**
             * Format: date-time
             * @description When it ends by itself: ISO 8601 with a zone, in the future; null: never.
             */
            expires_at?: string | null;
            /** @description The memory of the same context that it replaces. That one gets `valid_until`, is kept, and is found only by searches for history. */
            supersedes?: string;
            /** @description To be kept with it: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        MemoryBatchInput: {
            /** @description The memories to add, as for POST /v1/memories. If one of them is malformed, none is added. */
            memories: components["schemas"]["MemoryInput"][];
        };
        SearchInput: {
            /** @description What to look for, in any words. At most 8192 bytes of UTF-8, without NUL and lone surrogates. */
            query: string;
            /** @description The id of the agent. At most 128 bytes of UTF-8, without NUL and lone surrogates. */
            agent_id?: string;
            /** @description The id of the hive. At most 128 bytes of UTF-8, without NUL and lone surrogates. */
            hive_id?: string;
            /** @description Only memories of these types. */
            types?: string[];
            /** @description Only what this one said; compared without regard to case. */
            speaker?: string;
            /**
             * Format: date-time
             * @description Only what occurred at this time or later; ISO 8601 with a zone.
             */
            occurred_after?: string;
            /**
             * Format: date-time
             * @description Only what occurred before this time; ISO 8601 with a zone.
             */
            occurred_before?: string;
            /**
             * Format: date-time
             * @description What was known and so at this time: found as if the search were made then; ISO 8601 with a zone.
             */
            as_of?: string;
            /** @description Finds also what is no longer so: superseded memories, and those past their `valid_until`. */
            include_superseded?: boolean;
            /** @description Tells with each memory what its features added to its score. */
            explain?: boolean;
            /** @description How many to find at most; default 10. */
            limit?: number;
            /** @description Leaves out what is less relevant; default 0. */
            min_relevance?: number;
        };
        SpawnInput: {
            /** @description Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates. */
            name: string;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL and lone surrogates. */
            description?: string;
            config?: components["schemas"]["AgentConfig"];
            /** @description Ids of hives of this workspace. */
            hives?: string[];
            /** @description To be kept with it: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Whether a mailbox message starts a run. Default false. */
            wake_on_message?: boolean;
            /** @description Cap on its long-term memories; null (the default) is no cap. */
            memory_quota?: number | null;
            /** @description Runtime budget of each run in seconds; null is the service's default. */
            maxRuntimeSeconds?: number | null;
        };
        HiveInput: {
            /** @description Names need not be unique. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates. */
            name: string;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL and lone surrogates. */
            description?: string;
            /** @description To be kept with it: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        KeyInput: {
            /** @description To tell it from others. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates. */
            name: string;
            /**
             * @description `live` works in the workspace, `test` in its sandbox.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description What it may do; without them what the key may that mints it. */
            scopes?: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin")[];
            /**
             * Format: date-time
             * @description When it ends by itself: ISO 8601 with a zone, in the future; null: never.
             */
            expires_at?: string | null;
        };
        MemoryPatch: {
            /** @description What kind of memory it is, such as `semantic`, `episodic` or `procedural`. */
            type?: string;
            /** @description What is to be remembered. At most 65536 bytes of UTF-8, without NUL and lone surrogates. */
            content?: string;
            /** @description Decides between memories that match a search alike; 0.5 counts like none. */
            importance?: number | null;
            /**
             * Format: date-time
             * @description When what it tells was said or happened, ISO 8601 with a zone; created_at by default.
             */
            occurred_at?: string | null;
            /** @description Who said it. Where it is not given, recall takes it from a leading `Name: ` of the content. */
            speaker?: string | null;
            /**
             * Format: date-time
             * @description When it ends by itself: ISO 8601 with a zone, in the future; null: never.
             */
            expires_at?: string | null;
            /**
             * Format: date-time
             * @description Until when it is so, ISO 8601 with a zone; null makes a superseded memory present again.
             */
            valid_until?: string | null;
            /** @description Merged key by key, at any depth; null removes a key, or everything. At most 16384 bytes as JSON once merged. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        ReplaceAgentInput: {
            /** @description Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates. */
            name?: string;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL and lone surrogates. */
            description?: string;
            config?: components["schemas"]["AgentConfig"];
            /** @description Ids of hives of this workspace. */
            hives?: string[];
            /** @description To be kept with it: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Whether a mailbox message starts a run. Default false. */
            wake_on_message?: boolean;
            /** @description Cap on its long-term memories; null (the default) is no cap. */
            memory_quota?: number | null;
            /** @description Runtime budget of each run in seconds; null is the service's default. */
            maxRuntimeSeconds?: number | null;
            /**
             * @description An inactive agent refuses messages and runs; terminated is final.
             * @enum {string}
             */
            status?: "active" | "inactive" | "terminated";
            /** @description Accepted and ignored, so that what was read can be sent back. */
            id?: unknown;
            /** @description Accepted and ignored, so that what was read can be sent back. */
            memory_count?: unknown;
            /** @description Accepted and ignored, so that what was read can be sent back. */
            message_count?: unknown;
            /** @description Accepted and ignored, so that what was read can be sent back. */
            created_at?: unknown;
            /** @description Accepted and ignored, so that what was read can be sent back. */
            updated_at?: unknown;
            /** @description Accepted and ignored, so that what was read can be sent back. */
            last_active_at?: unknown;
        };
        PatchAgentInput: {
            /** @description Names need not be unique; agents find one another by them. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates. */
            name?: string;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL and lone surrogates. */
            description?: string | null;
            /**
             * @description An inactive agent refuses messages and runs; terminated is final.
             * @enum {string}
             */
            status?: "active" | "inactive" | "terminated";
            /** @description Merged key by key, at any depth; null removes a key, or everything. At most 65536 bytes as JSON once merged. */
            config?: ({
                /** @description `built-in` (the default), `openai/<name>`, `anthropic/<name>`, or the name of another configured server and its model. */
                model?: string | null;
                /** @description Passed to the model: 0 is the most predictable. */
                temperature?: number | null;
                /** @description Runs take several steps, and messages over A2A are answered while they go on. Default false. */
                multi_step?: boolean | null;
                /** @description Steps of a run where it names none. */
                max_steps?: number | null;
                /** @description What the model is told of its role and its task. At most 32768 bytes of UTF-8, without NUL and lone surrogates. */
                instructions?: string | null;
                /**
                 * @description Pauses a run for approval: before it remembers, sends or shares something (`action`), or before it answers.
                 * @enum {string|null}
                 */
                validation_gate?: "none" | "action" | "answer" | null;
                /** @description Whose messages the agent takes; null removes. */
                mailbox?: ({
                    accept?: (("all" | "hive") | string[]) | null;
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description What recall finds, and what runs see of a conversation; null removes. */
                memory?: ({
                    /** @description Recall leaves out what is less relevant. */
                    min_relevance?: number | null;
                    /** @description Memories that a recall finds at most. */
                    recall_limit?: number | null;
                    conversation?: (("on" | "off") | number) | null;
                    /**
                     * @description Whether plain statements in what is said to the agent become memories: by `rules` (the default), or `off`.
                     * @enum {string|null}
                     */
                    learn?: "rules" | "off" | null;
                    /** @description Turns of its session that a run gets to see, the last ones. Default 12. */
                    turns?: number | null;
                    /** @description How many bytes of text these have at most. Default 8192. */
                    turn_bytes?: number | null;
                } & {
                    [key: string]: unknown;
                }) | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Ids of hives of this workspace. */
            hives?: string[] | null;
            /** @description Merged key by key, at any depth; null removes a key, or everything. At most 16384 bytes as JSON once merged. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether a mailbox message starts a run. Default false. */
            wake_on_message?: boolean | null;
            /** @description Cap on its long-term memories; null (the default) is no cap. */
            memory_quota?: number | null;
            /** @description Runtime budget of each run in seconds; null is the service's default. */
            maxRuntimeSeconds?: number | null;
            /** @description Accepted and ignored, so that what was read can be sent back. */
            id?: unknown;
            /** @description Accepted and ignored, so that what was read can be sent back. */
            memory_count?: unknown;
            /** @description Accepted and ignored, so that what was read can be sent back. */
            message_count?: unknown;
            /** @description Accepted and ignored, so that what was read can be sent back. */
            created_at?: unknown;
            /** @description Accepted and ignored, so that what was read can be sent back. */
            updated_at?: unknown;
            /** @description Accepted and ignored, so that what was read can be sent back. */
            last_active_at?: unknown;
        };
        MessageInput: {
            /** @description What is said to the agent. At most 262144 bytes of UTF-8, without NUL and lone surrogates. */
            content: string;
            /** @description The conversation that it is part of: any name, or the one of an answer. At most 128 bytes of UTF-8, without NUL and lone surrogates. */
            sessionId?: string;
        };
        RunInput: {
            /** @description What the agent is asked or told. At most 262144 bytes of UTF-8, without NUL and lone surrogates. */
            input: string;
            /** @description The conversation that it is part of: any name, or the one of an answer. At most 128 bytes of UTF-8, without NUL and lone surrogates. */
            sessionId?: string;
            /** @description Calls of the reasoner at most; without it what the agent's config says. */
            maxSteps?: number;
            /** @description Seconds of reasoning at most; without it what the agent says. */
            maxRuntimeSeconds?: number;
            /**
             * @description When the agent has a run in progress: wait in line (the default), or 409 AGENT_BUSY.
             * @enum {string}
             */
            on_busy?: "enqueue" | "reject";
        };
        MailboxInput: {
            /** @description The text of the message. At most 262144 bytes of UTF-8, without NUL and lone surrogates. */
            content: string;
            /** @description An agent of the workspace, where the key has agent:manage; else the message is from `external`. */
            from?: string;
            /** @description The id of the message that it answers. At most 128 bytes of UTF-8, without NUL and lone surrogates. */
            reply_to?: string;
            /** @description To be kept with it: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        TokenInput: {
            /** @description To tell it from others. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates. */
            name: string;
            /** @description What it may do at the endpoint of its agent. */
            scopes: ("agent:spawn" | "agent:read" | "agent:manage" | "memory:read" | "memory:write" | "hive:read" | "hive:write" | "usage:read" | "workspace:admin" | "agent:mcp")[];
            /**
             * Format: date-time
             * @description When it ends by itself: ISO 8601 with a zone, in the future; null: never.
             */
            expires_at?: string | null;
        };
        PatchHiveInput: {
            /** @description Names need not be unique. Not blank; at most 200 bytes of UTF-8, without NUL and lone surrogates. */
            name?: string;
            /** @description What it is for. At most 4096 bytes of UTF-8, without NUL and lone surrogates. */
            description?: string | null;
            /** @description Merged key by key, at any depth; null removes a key, or everything. At most 16384 bytes as JSON once merged. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        JoinInput: {
            /** @description The id of the agent. At most 128 bytes of UTF-8, without NUL and lone surrogates. */
            agent_id: string;
        };
        ShareInput: {
            /** @description What kind of memory it is, such as `semantic`, `episodic` or `procedural`. */
            type: string;
            /** @description What is to be shared. At most 65536 bytes of UTF-8, without NUL and lone surrogates. */
            content: string;
            /** @description The id of the agent. At most 128 bytes of UTF-8, without NUL and lone surrogates. */
            agent_id: string;
            /** @description The conversation that it is part of: any name, or the one of an answer. At most 128 bytes of UTF-8, without NUL and lone surrogates. */
            sessionId?: string;
            /** @description Decides between memories that match a search alike; 0.5 counts like none. */
            importance?: number;
            /**
             * Format: date-time
             * @description When what it tells was said or happened, ISO 8601 with a zone; created_at by default.
             */
            occurred_at?: string;
            /** @description Who said it. Where it is not given, recall takes it from a leading `Name: ` of the content. */
            speaker?: string;
            /** @description The memory of the same context that it replaces. That one gets `valid_until`, is kept, and is found only by searches for history. */
            supersedes?: string;
            /** @description To be kept with it: any keys and values, at most 16384 bytes as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        ResumeInput: {
            /**
             * @description Where the run waits for approval.
             * @enum {string}
             */
            decision?: "approve" | "reject";
            /** @description The answer to a question, or what is said with a decision. */
            input?: string;
        };
        ForkInput: {
            /** @description The id of a checkpoint of the run, or its step. */
            checkpoint: string | number;
        };
    };
    responses: {
        /** @description VALIDATION_ERROR: something in the request is wrong; `details.issues` says what and where. UNSUPPORTED_VERSION: X-Service-Version names another version than v1. */
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
        /** @description UNAUTHENTICATED: no valid key. */
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
        /** @description INSUFFICIENT_SCOPE: the key lacks the scope in `details.required_scope`. QUOTA_EXCEEDED: a quota of memories is used up. HTTPS_REQUIRED: plain HTTP is served on loopback only. */
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
        /** @description NOT_FOUND: there is no such thing, or it is another workspace's. */
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
        /** @description CONFLICT: its state does not allow it. AGENT_INACTIVE: the agent is inactive or terminated. RUN_NOT_RESUMABLE: the run is in progress, or has ended for good. AGENT_BUSY: the agent has a run in progress and on_busy is reject, or too many wait. */
        Conflict: {
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
        /** @description PRECONDITION_FAILED: it has changed since the ETag in If-Match. */
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
        /** @description PAYLOAD_TOO_LARGE: the body is larger than the server takes (1 MiB unless set otherwise). */
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
        /** @description IDEMPOTENCY_MISMATCH: the same Idempotency-Key was used with another body. */
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
        /** @description RATE_LIMIT_EXCEEDED: too many requests a minute. CONCURRENCY_LIMIT_EXCEEDED: too many requests at the same time. */
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
        /** @description INTERNAL_ERROR: a fault of the service. */
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
        /** @description UNAVAILABLE: the service cannot do it now. */
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
        /** @description Items a page holds. */
        PageSize: number;
        /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
        Cursor: string;
        /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
        Sort: "created_at" | "updated_at" | "relevance";
        /** @description Newest first, or oldest first. */
        Order: "desc" | "asc";
        /** @description Newest first, or oldest first. Without it: unread first, and newest first among these and among the read. */
        MailboxOrder: "desc" | "asc";
        /** @description Another name of `page_size`, for pages by `offset`. Not together with `page_size`. */
        Limit: number;
        /** @description Items to pass over. Not together with `cursor`. Pages may shift when something is made or deleted meanwhile: cursors do not. */
        Offset: number;
        /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
        IdempotencyKey: string;
        /** @description The `id` of the last event that was seen: the stream goes on after it. Browsers send it by themselves when they reconnect. */
        LastEventId: string;
        /** @description ETags, separated by commas: 412 when the settings were changed since, whatever else happened to it. `*` is whatever they are. */
        IfMatch: string;
        /** @description The ETag of what the client has: 304 when it is still the same. */
        IfNoneMatch: string;
        /** @description The same for clients that cannot set headers; where both are given, the header counts. */
        LastEventIdQuery: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of this request; finds it in the log. */
        RequestId: string;
        /** @description The X-Request-Id that the client sent, where it is fit to be echoed. */
        ClientRequestId: string;
        /** @description Requests a minute. */
        RateLimitLimit: number;
        /** @description Requests that are left; 0 while a burst is being used. */
        RateLimitRemaining: number;
        /** @description When all of them are there again, in seconds since 1970. */
        RateLimitReset: number;
        /** @description The limit and its window in seconds. */
        RateLimitPolicy: string;
        /** @description Seconds after which the same request may succeed. */
        RetryAfter: number;
        /** @description Where what was made is. */
        Location: string;
        /** @description `true` when this is the answer of an earlier request with the same Idempotency-Key. */
        Replayed: "true";
        /** @description How to authenticate, or which scope is missing. */
        Authenticate: string;
        /** @description For If-None-Match, and on agents for If-Match. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
                /** @description Only agents whose name begins so, whatever its case. The list is then ordered by name, A first. */
                name?: string;
                /** @description Only agents of this status. */
                status?: "active" | "inactive" | "terminated";
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
                order?: components["parameters"]["Order"];
                /** @description Another name of `page_size`, for pages by `offset`. Not together with `page_size`. */
                limit?: components["parameters"]["Limit"];
                /** @description Items to pass over. Not together with `cursor`. Pages may shift when something is made or deleted meanwhile: cursors do not. */
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
                /** @description The ETag of what the client has: 304 when it is still the same. */
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
            /** @description As the ETag in If-None-Match says. */
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
                /** @description ETags, separated by commas: 412 when the settings were changed since, whatever else happened to it. `*` is whatever they are. */
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
                /** @description ETags, separated by commas: 412 when the settings were changed since, whatever else happened to it. `*` is whatever they are. */
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
                /** @description ETags, separated by commas: 412 when the settings were changed since, whatever else happened to it. `*` is whatever they are. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
    listRuns: {
        parameters: {
            query?: {
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
                /** @description Only runs of this status. */
                status?: "pending" | "running" | "paused" | "completed" | "failed" | "timeout" | "cancelled";
                /** @description Only those of this agent. */
                agent_id?: string;
                /** @description Only what was created at this time or later; ISO 8601 with a zone. */
                created_after?: string;
                /** @description Only what was created before this time; ISO 8601 with a zone. */
                created_before?: string;
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
    followRun: {
        parameters: {
            query?: {
                /** @description The same for clients that cannot set headers; where both are given, the header counts. */
                lastEventId?: components["parameters"]["LastEventIdQuery"];
            };
            header?: {
                /** @description The `id` of the last event that was seen: the stream goes on after it. Browsers send it by themselves when they reconnect. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
    forkRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
    cancelRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
                /** @description Items a page holds. */
                limit?: number;
                /** @description Another name of `limit`. Not together with it. */
                page_size?: number;
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
    listMessages: {
        parameters: {
            query?: {
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. Without it: unread first, and newest first among these and among the read. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
                /** @description At most 128 bytes of UTF-8, without NUL and lone surrogates. */
                source?: string;
                /** @description Only what was created at this time or later; ISO 8601 with a zone. */
                created_after?: string;
                /** @description Only what was created before this time; ISO 8601 with a zone. */
                created_before?: string;
                /** @description Only what occurred at this time or later; ISO 8601 with a zone. */
                occurred_after?: string;
                /** @description Only what occurred before this time; ISO 8601 with a zone. */
                occurred_before?: string;
                /** @description A JSON object: only memories whose metadata has each of its keys with that very value. */
                metadata?: string;
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
                order?: components["parameters"]["Order"];
                /** @description Another name of `page_size`, for pages by `offset`. Not together with `page_size`. */
                limit?: components["parameters"]["Limit"];
                /** @description Items to pass over. Not together with `cursor`. Pages may shift when something is made or deleted meanwhile: cursors do not. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
    listKeys: {
        parameters: {
            query?: {
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
                /** @description Makes it safe to send the request again: for 24 hours, the same key and body at the same path get the first answer, with `Idempotent-Replayed: true`. Another body is 422; while the first is in progress, a repeat waits for its outcome. */
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
                /** @description Items a page holds. */
                page_size?: components["parameters"]["PageSize"];
                /** @description The `next_cursor` of a page of this same list. Opaque: one of another list, filter or order is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description What the list is ordered by. `relevance` and, of things that never change, `updated_at` count as `created_at`. */
                sort?: components["parameters"]["Sort"];
                /** @description Newest first, or oldest first. */
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
    callAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The generation of A2A to speak: 0.2, 0.3 (also without it) or 1.0. JSON-RPC methods name theirs already. */
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
                /** @description The generation of A2A to speak: 0.2, 0.3 (also without it) or 1.0. JSON-RPC methods name theirs already. */
                "A2A-Version"?: string;
                /** @description The ETag of what the client has. */
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
            /** @description As the ETag in If-None-Match says. */
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
                /** @description The generation of A2A to speak: 0.2, 0.3 (also without it) or 1.0. JSON-RPC methods name theirs already. */
                "A2A-Version"?: string;
                /** @description The ETag of what the client has. */
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
            /** @description As the ETag in If-None-Match says. */
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
                /** @description The generation of A2A to speak: 0.2, 0.3 (also without it) or 1.0. JSON-RPC methods name theirs already. */
                "A2A-Version"?: string;
                /** @description The ETag of what the client has. */
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
            /** @description As the ETag in If-None-Match says. */
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
            /** @description A notification was taken in. */
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
            /** @description A notification was taken in. */
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
                /** @description The ETag of what the client has. */
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
            /** @description As the ETag in If-None-Match says. */
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
                /** @description The ETag of what the client has. */
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
            /** @description As the ETag in If-None-Match says. */
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
