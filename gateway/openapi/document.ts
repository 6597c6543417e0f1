/**
 * Generates the OpenAPI 3.1 document from what serves and validates requests (the route table, the input schemas, the
 * table of errors) and from the result schemas, so that the two cannot diverge.
 */
import { chapters, routes } from '../rest/routes.js';
import { a2aPaths, mcpPaths, openAiPaths, otherTags, servicePaths } from './other-paths.js';
import { sharedParameters } from './parameters.js';
import { sharedHeaders, sharedResponses } from './responses.js';
import { restPaths } from './rest.js';
import { buildSchemas } from './schemas.js';
import type { Document } from './types.js';

const description = `A self-hosted memory service for agents. Each agent has its own memory, a mailbox, runs that survive crashes, and endpoints for A2A and MCP. Agents can belong to hives, which share memories.

Send \`Authorization: Bearer svc_...\` with every request. Bodies are JSON in UTF-8, at most 1 MiB unless the server is configured otherwise and nested at most 64 levels deep. Text must not contain NUL or lone surrogates, and \`__proto__\` is not allowed as a key. Unknown fields and unknown query parameters are rejected with 400. A wrong method on a known path is 405 with an Allow header.

A single resource is returned as \`{data}\`, a list as \`{data, pagination}\`, an error as \`{error}\`. There is a next page while \`has_more\` is true.

With \`X-Service-Version: v1\` the prefix \`/v1\` may be omitted from paths. An \`X-Request-Id\` sent by the client is returned as \`X-Client-Request-Id\`.

## Streams

The events of a run (\`GET .../runs/{runId}/events\`) and of the workspace (\`GET /v1/events\`) are server-sent events: \`event\` names the type, \`data\` is JSON, and a comment every 15 seconds is a heartbeat.

The events of a run are numbered from 1 without gaps. The number is the \`id\` of the event: reconnect with it in \`Last-Event-ID\`, and no event is missed or repeated. The stream ends after a terminal status.

\`\`\`
id: 4
event: thought
data: {"seq":4,"type":"thought","at":"2026-05-12T08:30:00.000Z","thought":{"thoughtType":"recall", ...}}
\`\`\`

Workspace events are live and not stored. They are also available over a WebSocket, for clients that offer the subprotocols \`hivekeep\` and \`bearer.<key>\`. A stream lasts at most ten minutes, and ends with an \`error\` event if its key is revoked.

## A2A

Every agent is an Agent2Agent peer. Its agent card is at \`/api/v1/a2a/agents/{id}/.well-known/agent-card.json\`, and \`POST /api/v1/a2a/agents/{id}\` accepts JSON-RPC, with an API key or a token of that agent. Clients of 0.2 and 0.3 call \`message/send\`, \`message/stream\` and \`tasks/get\`; clients of 1.0 call \`SendMessage\`, \`SendStreamingMessage\` and \`GetTask\`. A task is a run. Streaming methods return server-sent events whose \`data\` is a JSON-RPC response: first the task, then \`status-update\` and \`artifact-update\` frames, until one of them is \`final\`.

## MCP

Every agent is a Model Context Protocol server for assistants and editors. \`POST /mcp/agents/{id}\` accepts Streamable HTTP, with an API key or an agent token that has the scope \`agent:mcp\`. \`POST /mcp\` serves the whole workspace and needs an API key. The scopes of the credential decide which tools are offered.`;

/**
 * `baseUrl` is where clients reach the service, without a trailing slash; empty for the URL from which the document was
 * fetched.
 */
export function createDocument(baseUrl = ''): Document {
  const schemas = buildSchemas(routes);
  return {
    openapi: '3.1.0',
    info: { title: 'hivekeep', version: 'v1', description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: baseUrl === '' ? '/' : baseUrl }],
    tags: [...chapters.map(({ name, description: about }) => ({ name, description: about })), ...otherTags],
    paths: { ...restPaths(schemas), ...a2aPaths(), ...mcpPaths, ...openAiPaths, ...servicePaths },
    components: {
      schemas: schemas.components,
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: sharedResponses,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            "An API key (`svc_live_...`, `svc_test_...`); at an agent's A2A and MCP endpoints also a token of this agent (`at_...`).",
        },
      },
    },
  };
}
