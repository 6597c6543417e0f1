/**
 * Schemas of JSON-RPC 2.0 as the A2A endpoint uses it (docs/api.md 4.2, 7.2). Only the envelope is described, because
 * the contents differ between the generations of A2A and are specified there.
 */
import { z } from 'zod';
import { methods } from '../../src/a2a/methods.js';

const id = z.union([z.string(), z.int(), z.null()]);

export const a2aSchemas = {
  JsonRpcRequest: z.object({
    jsonrpc: z.literal('2.0'),
    id: id.optional().describe('Echoed. Without it the request is done and not answered.'),
    method: z
      .enum([...methods.keys()])
      .describe('`message/send` and the like are A2A 0.2 and 0.3, `SendMessage` and the like 1.0.'),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  JsonRpcResponse: z.object({
    jsonrpc: z.literal('2.0'),
    id,
    result: z.record(z.string(), z.unknown()).nullable().optional(),
    error: z
      .object({
        code: z.int().describe('-32700 to -32600 as in JSON-RPC, -32001 to -32009 as in A2A.'),
        message: z.string(),
        data: z.unknown().optional(),
      })
      .optional(),
  }),
  AgentCard: z.looseObject({
    name: z.string(),
    description: z.string(),
    version: z.string(),
    capabilities: z.looseObject({ streaming: z.boolean(), pushNotifications: z.boolean() }),
    defaultInputModes: z.array(z.string()),
    defaultOutputModes: z.array(z.string()),
    skills: z.array(
      z.looseObject({ id: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()) }),
    ),
    url: z.string().optional().describe("The agent's JSON-RPC endpoint; 1.0 has it in `supportedInterfaces`."),
    protocolVersion: z.string().optional(),
  }),
};
