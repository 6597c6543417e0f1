/**
 * Generates the OpenAPI 3.1 document from what serves and validates requests (the route table, the input schemas, the
 * table of errors) and from the result schemas, so that the two cannot diverge.
 */
import { routes } from '../rest/routes.js';
import { a2aPaths, mcpPaths, otherTags, servicePaths } from './other-paths.js';
import { sharedParameters } from './parameters.js';
import { sharedHeaders, sharedResponses } from './responses.js';
import { chapters, restPaths } from './rest.js';
import { buildSchemas } from './schemas.js';
import type { Document } from './types.js';

const description = `A self-hosted service in which agents live: each has a memory of its own, a mailbox, runs that survive crashes, and endpoints for A2A and MCP. Agents belong to hives that share what they know.

Send \`Authorization: Bearer svc_...\` with every request. Bodies are JSON in UTF-8, at most 1 MiB unless the server is set otherwise, nested at most 64 deep, without NUL and lone surrogates in any text, and without \`__proto__\` among the keys; fields that an operation does not know are refused, parameters of a query that it does not know are ignored. A wrong method at a known path is 405 with Allow.

One thing is answered as \`{data}\`, a list as \`{data, pagination}\`, a refusal as \`{error}\`. Go on to the next page while \`has_more\` is true.

\`X-Service-Version: v1\` lets a path go without \`/v1\`. A client's own \`X-Request-Id\` comes back as \`X-Client-Request-Id\`.

## Streams

The events of a run (\`GET .../runs/{runId}/events\`) and of the workspace (\`GET /v1/events\`) are server-sent events: \`event\` names the type, \`data\` is JSON, and a comment every 15 seconds is a heartbeat.

A run's events are numbered 1, 2, 3... without holes. The number is the \`id\`: open the stream again with it in \`Last-Event-ID\`, and nothing is missed or told twice. The stream ends after a terminal status.

\`\`\`
id: 4
event: thought
data: {"seq":4,"type":"thought","at":"2026-05-12T08:30:00.000Z","thought":{"thoughtType":"recall", ...}}
\`\`\`

The events of the workspace are live and not stored. They come over a WebSocket, too, where a browser offers the subprotocols \`hivekeep\` and \`bearer.<key>\`. A stream lasts at most ten minutes, and ends with an \`error\` event where its key is revoked.

## A2A

Every agent is a peer of the Agent2Agent protocol. Its card is at \`/api/v1/a2a/agents/{id}/.well-known/agent-card.json\`, and \`POST /api/v1/a2a/agents/{id}\` takes JSON-RPC, with an API key or a token of that agent. Clients of 0.2 and 0.3 call \`message/send\`, \`message/stream\` and \`tasks/get\`, clients of 1.0 \`SendMessage\`, \`SendStreamingMessage\` and \`GetTask\`. A task is a run. Streaming methods answer server-sent events whose \`data\` is a JSON-RPC response: first the task, then \`status-update\` and \`artifact-update\` frames, until one of them is \`final\`.

## MCP

Every agent is a server of the Model Context Protocol for assistants and editors: \`POST /mcp/agents/{id}\` takes Streamable HTTP, with a key, or a token of the agent that has the scope \`agent:mcp\`. \`POST /mcp\` is the whole workspace, for a key. The scopes of the credential decide which tools there are.`;

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
    paths: { ...restPaths(schemas), ...a2aPaths(), ...mcpPaths, ...servicePaths },
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
