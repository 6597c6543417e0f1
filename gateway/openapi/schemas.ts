/**
 * The schemas of the document: inputs (inputs.ts, workspace-inputs.ts), results (domain/model/model.ts), and the envelopes around them.
 */
import { z } from 'zod';
import { errorCodes } from '../../src/domain/shared/errors.js';
import { agentConfig } from '../../src/domain/agent/agent-config.js';
import * as inputs from '../../src/domain/shared/inputs.js';
import * as workspaceInputs from '../../src/domain/workspace/workspace-inputs.js';
import { results } from '../../src/domain/model/model.js';
import { openAiSchemas } from '../openai/schemas.js';
import type { Route } from '../rest/route.js';
import { tidy } from './tidy.js';
import { schemaRef, type JsonSchema } from './types.js';
import { methods } from '../../src/a2a/methods.js';

/*
 * Schemas of JSON-RPC 2.0 as the A2A endpoint uses it (docs/api.md 4.2, 7.2). Only the envelope is described, because
 * the contents differ between the generations of A2A and are specified there.
 */
const id = z.union([z.string(), z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER), z.null()]);

export const a2aSchemas = {
  JsonRpcRequest: z.object({
    jsonrpc: z.literal('2.0'),
    id: id.optional().describe('Returned in the response. A request without an id is executed without a response.'),
    method: z
      .enum([...methods.keys()])
      .describe('The method. Names like `message/send` belong to A2A 0.2 and 0.3, names like `SendMessage` to 1.0.'),
    params: z.record(z.string(), z.unknown()).optional().describe('As specified by A2A for the method.'),
  }),
  JsonRpcResponse: z.object({
    jsonrpc: z.literal('2.0'),
    id: id.describe('The id of the request, or null if it could not be read.'),
    result: z.unknown().optional().describe('As specified by A2A for the method.'),
    error: z
      .object({
        code: z
          .int()
          .describe(
            'An error code: -32700 to -32600 as in JSON-RPC, -32001 to -32009 as in A2A, -32050 and -32051 of this service.',
          ),
        message: z.string().describe('A human-readable explanation.'),
        data: z.unknown().optional().describe('Additional details.'),
      })
      .optional()
      .describe('The error, present instead of a result.'),
  }),
  A2aObject: z.record(z.string(), z.unknown()),
  A2aError: z.object({
    error: z
      .object({
        code: z.int().describe('The HTTP status.'),
        status: z.string().describe('The name of the code of google.rpc.Status.'),
        message: z.string().describe('What is wrong, in words.'),
        details: z.array(z.record(z.string(), z.unknown())).describe('ErrorInfo with the `reason`, and BadRequest.'),
      })
      .describe('A google.rpc.Status (A2A 1.0, 11.6).'),
  }),
  AgentCard: z.looseObject({
    name: z.string().describe('The name of the agent.'),
    description: z.string().describe('A free-text description.'),
    version: z.string().describe('The version of the agent, which changes with its settings.'),
    capabilities: z
      .looseObject({
        streaming: z.boolean().describe('Whether messages can be streamed.'),
        pushNotifications: z.boolean().describe('Whether changes of a task can be pushed.'),
      })
      .describe('Optional capabilities of A2A that the agent supports.'),
    defaultInputModes: z.array(z.string()).describe('Accepted media types, `text/plain` first.'),
    defaultOutputModes: z.array(z.string()).describe('Media types of answers, `text/plain` first.'),
    skills: z
      .array(
        z.looseObject({
          id: z.string().describe('The id of the skill.'),
          name: z.string().describe('The name of the skill.'),
          description: z.string().describe('What the skill does.'),
          tags: z.array(z.string()).describe('Keywords of the skill.'),
        }),
      )
      .describe('What the agent can be asked to do.'),
    url: z
      .string()
      .optional()
      .describe("The agent's JSON-RPC endpoint. Cards of 1.0 list it in `supportedInterfaces` instead."),
    protocolVersion: z.string().optional().describe('The A2A version of the card.'),
    signatures: z
      .array(
        z.looseObject({
          protected: z.string().describe('The protected header, in base64url: algorithm, key and where the key is.'),
          signature: z.string().describe('The signature, in base64url.'),
        }),
      )
      .optional()
      .describe('Where the operator has set a key: the signature of A2A 1.0, 8.4.'),
  }),
};

/** The envelope of MCP's messages; its contents are specified there, and the tools in docs/mcp.md. */
export const mcpSchemas = {
  McpRequest: z.object({
    jsonrpc: z.literal('2.0'),
    id: z
      .union([z.string(), z.int()])
      .optional()
      .describe('Returned in the response. A message without an id is a notification.'),
    method: z.string().describe('The method, for example `tools/call`.'),
    params: z.record(z.string(), z.unknown()).optional().describe('As specified by MCP for the method.'),
  }),
  McpResponse: z.object({
    jsonrpc: z.literal('2.0'),
    id: z
      .union([z.string(), z.number(), z.null()])
      .optional()
      .describe('The id of the request. Notifications have none.'),
    method: z
      .string()
      .optional()
      .describe('The method of a notification in a stream, for example `notifications/progress`.'),
    params: z.record(z.string(), z.unknown()).optional().describe('The parameters of a notification.'),
    result: z.record(z.string(), z.unknown()).optional().describe('As specified by MCP for the method.'),
    error: z
      .object({
        code: z.int().describe('An error code as in JSON-RPC.'),
        message: z.string().describe('A human-readable explanation.'),
        data: z.unknown().optional().describe('Additional details.'),
      })
      .optional()
      .describe('The error, present instead of a result.'),
  }),
};

/** docs/api.md 7.1. */
const error = z.object({
  error: z
    .object({
      code: z.enum(errorCodes).describe('A machine-readable error code.'),
      message: z.string().describe('A human-readable message. Its wording may change.'),
      status: z.int().describe('The HTTP status.'),
      details: z
        .looseObject({
          issues: z
            .array(
              z.object({
                path: z
                  .string()
                  .describe('The path of the field, for example `config.max_steps`. Empty for the body itself.'),
                message: z.string().describe('What was expected.'),
              }),
            )
            .optional()
            .describe('The invalid fields of a VALIDATION_ERROR.'),
          required_scope: z.string().optional().describe('The missing scope of an INSUFFICIENT_SCOPE error.'),
          limit: z.number().optional().describe('The limit that was reached.'),
          window: z.string().optional().describe('The window of a RATE_LIMIT_EXCEEDED error, for example `60s`.'),
          retry_after: z.int().optional().describe('Seconds until a retry may succeed, as in Retry-After.'),
        })
        .describe('Further details, depending on the code.'),
      request_id: z
        .string()
        .meta({ pattern: '^req_', description: 'The id of the request, as in X-Request-Id, also found in the log.' }),
    })
    .describe('The error.'),
});

/** docs/api.md 2.11. */
const pagination = z.object({
  next_cursor: z.string().nullable().describe('Where the next page begins: its `cursor`.'),
  has_more: z.boolean().describe('Whether there is a next page; go by this.'),
  total_count: z.int().min(0).describe('How many the whole list holds; filtered lists count up to 10,000.'),
});

export interface Schemas {
  /** All named schemas. */
  components: Readonly<Record<string, JsonSchema>>;
  /** Returns a reference for a named schema, and the inlined schema otherwise. */
  of(schema: z.ZodType): JsonSchema;
}

/** Component names of the request bodies: the schema `spawnInput` becomes SpawnInput. */
function bodyNames(routes: readonly Route[]): Map<z.ZodType, string> {
  const names = new Map<unknown, string>(
    Object.entries({ ...inputs, ...workspaceInputs }).map(([name, value]) => [value, name]),
  );
  return new Map(
    routes.flatMap((route) => {
      if (!('body' in route)) return [];
      const name = names.get(route.body);
      return name === undefined ? [] : [[route.body, name.charAt(0).toUpperCase() + name.slice(1)] as const];
    }),
  );
}

export function buildSchemas(routes: readonly Route[]): Schemas {
  const named = new Map<z.ZodType, string>([
    ...Object.entries({
      ...results,
      Error: error,
      Pagination: pagination,
      AgentConfig: agentConfig,
      ...a2aSchemas,
      ...mcpSchemas,
      ...openAiSchemas,
    }).map(([name, schema]) => [schema, name] as const),
    ...bodyNames(routes),
  ]);
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  const components = Object.fromEntries([...named.values()].map((name) => [name, tidy(schemas[name] as JsonSchema)]));
  return {
    components,
    of(schema) {
      const name = named.get(schema);
      return name === undefined ? tidy(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema) : schemaRef(name);
    },
  };
}
