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

\`X-Service-Version: v1\` lets a path go without \`/v1\`. A client's own \`X-Request-Id\` comes back as \`X-Client-Request-Id\`.`;

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
