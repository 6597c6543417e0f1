/**
 * Tools that somebody gives to an agent (`config.tools`, or `overrides.tools` for one run), beside the built-in ones. A
 * call of one is a call of `use_tool`, whose arguments are the `name` of the tool and its `input` as JSON text.
 *
 *  - Of a call that waits for its outcome the run keeps the whole, and the calls behind it begin only when that
 *    outcome is stored.
 *  AgentTools.T2 That a call goes out is stored before it does (`calling`). After a crash one that only reads, or that
 *     carries a key, is made again, and so is one of which its process knows that it has not gone out; of any other the
 *     reasoner is told that it is not known whether it took effect.
 *  AgentTools.T3 What a server of kind `mcp` claims of a tool counts where the agent or the operator trusts its
 *     annotations and the agent's configuration does not say itself what is so. It is stored with the call when it is
 *     proposed: what the server claims later changes nothing of that call.
 */
import { z } from 'zod';
import { listOf } from '../shared/bounded.js';
import { jsonObjectSchema } from '../shared/output-schema.js';
import { tools as builtIn } from '../shared/vocabulary.js';

const mostTools = 64;
const reserved = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'idempotency-key',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]);
const wellFormed = /^[^\0\p{Cs}]*$/u;

const clientToolName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'must be 1 to 64 letters, digits, _ or -, starting with a letter or _')
  .describe(
    'The name by which the model calls it: other than those of its other tools. One that a built-in tool has is told to the model with a number.',
  );
const toolName = clientToolName
  .refine((name) => !(builtIn as readonly string[]).includes(name), 'must not be the name of a built-in tool')
  .describe('The name by which the model calls it: other than those of the built-in tools and of its other tools.');

const secret = z
  .strictObject({
    header: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be 1 to 64 letters, digits or -')
      .refine((name) => !reserved.has(name.toLowerCase()), 'must not be a header that the service sends itself')
      .describe('The header that carries it, such as `Authorization`.'),
    value: z
      .string()
      .regex(/^[\x20-\x7e]{1,4096}$/, 'must be 1 to 4096 printable ASCII characters')
      .optional()
      .describe(
        'The whole value of the header, such as `Bearer ...`. Never answered. Without it, that of the tool of this name is kept as long as `url` and `header` stay the same.',
      ),
  })
  .optional()
  .describe('A secret that is sent with each call.');

const timeout_seconds = z.int().min(1).max(120).optional().describe('The longest that a call may take. Default 30.');

const approvals = z.enum(['ask', 'never']);
const asked =
  'approval by somebody who manages the agent, whatever its gate is (`ask`), or never with the gate `action` (`never`). Without it, as `validation_gate` says; what the gate `answer` holds back waits in any case.';

const told = {
  name: toolName,
  description: z
    .string()
    .max(4096)
    .regex(wellFormed, 'must be text without NUL and lone surrogates')
    .describe('What it does and when to use it, for the model. At most 4096 characters.'),
  input_schema: jsonObjectSchema
    .optional()
    .describe(
      'The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.',
    ),
  reads_only: z
    .boolean()
    .optional()
    .describe('Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.'),
  approval: approvals.optional().describe(`Whether each call waits for ${asked}`),
};

const clientTool = z
  .strictObject({ kind: z.literal('client'), ...told, name: clientToolName })
  .describe('A tool that whoever started the run carries out: the run pauses, and is resumed with the results.');

const httpTool = z
  .strictObject({
    kind: z.literal('http'),
    ...told,
    url: z.string().max(2048).describe('Where the arguments are POSTed as JSON: https, on a public host.'),
    secret,
    keyed: z
      .boolean()
      .optional()
      .describe(
        'Whether the server knows `Idempotency-Key`: true by default, and a call that a crash has interrupted is then made again with the same key. If false, none is sent, and only a tool that is `reads_only` is called again.',
      ),
    timeout_seconds,
  })
  .describe('A tool that the service calls by HTTP.');

const namesOfTools = listOf(
  z.string().min(1).max(128).regex(wellFormed, 'must be text without NUL and lone surrogates'),
  {
    max: mostTools,
  },
);
const ofServer = (what: string) =>
  z
    .union([z.boolean(), namesOfTools])
    .optional()
    .describe(
      `${what}: all of its tools, none, or those of these names. Without it, those of which the server says so, if its \`annotations\` are trusted.`,
    );

const mcpServer = z
  .strictObject({
    kind: z.literal('mcp'),
    name: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,31}$/, 'must be 1 to 32 letters, digits, _ or -, starting with a letter or _')
      .describe('The name of the server here. Its tools are called `<name>.<tool>`.'),
    url: z.string().max(2048).optional().describe('Its endpoint (streamable HTTP): https, on a public host.'),
    command: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be the name of a command of HIVEKEEP_MCP_COMMANDS')
      .optional()
      .describe(
        'In place of `url`, the name of a command that the operator has configured (HIVEKEEP_MCP_COMMANDS): a server that the service starts and speaks to by stdio.',
      ),
    allow: namesOfTools.optional().describe('The names of its tools that the model may call. Without it, all of them.'),
    reads_only: ofServer(
      'What changes nothing (`readOnlyHint`), waits for no approval with the gate `action`, and is called again after a crash',
    ),
    repeatable: ofServer(
      'What has no further effect when it is called again (`idempotentHint`), and is called again after a crash',
    ),
    approval: z
      .union([approvals, z.record(z.string(), approvals)])
      .optional()
      .describe(`Whether each call of its tools, or of those that are named here, waits for ${asked}`),
    annotations: z
      .enum(['trusted', 'ignored'])
      .optional()
      .describe(
        'Whether what the server says of its own tools (`readOnlyHint`, `idempotentHint`) counts. Without it, as the operator has set it (HIVEKEEP_MCP_ANNOTATIONS), which is `ignored` by default.',
      ),
    secret,
    timeout_seconds,
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), 'must have either `url` or `command`')
  .refine(({ url, secret: given }) => url !== undefined || given === undefined, {
    path: ['secret'],
    message: 'must be left out: it is sent to a `url`, and a command has the environment that the operator gives it',
  })
  .describe('A server of the Model Context Protocol, whose tools the service calls.');

const ofKey = z.string().max(4096).optional();
const publicKey = z
  .strictObject({
    kty: z.enum(['EC', 'RSA', 'OKP']).describe('The type of the key.'),
    kid: ofKey.describe('Its name, by which signatures say that it has made them.'),
    alg: ofKey.describe('The one algorithm that it is for, such as `ES256`.'),
    use: z.literal('sig').optional().describe('What it is for.'),
    crv: ofKey.describe('The curve (EC, OKP).'),
    x: ofKey.describe('Of the point (EC), or the key (OKP).'),
    y: ofKey.describe('Of the point (EC).'),
    n: ofKey.describe('The modulus (RSA).'),
    e: ofKey.describe('The exponent (RSA).'),
  })
  .describe('A public key (JWK).');

const verify = z
  .strictObject({
    jwks: z
      .string()
      .max(2048)
      .optional()
      .describe('Where the public keys are (JWKS): https, on a public host. They are read with the card.'),
    keys: listOf(publicKey, { min: 1, max: 8 }).optional().describe('The public keys themselves, at most 8.'),
  })
  .refine(({ jwks, keys }) => (jwks === undefined) !== (keys === undefined), 'must have either `jwks` or `keys`')
  .meta({ minProperties: 1, maxProperties: 1 });

const a2aPeer = z
  .strictObject({
    kind: z.literal('a2a'),
    name: toolName,
    card: z.string().max(2048).describe('The URL of its agent card: https, on a public host.'),
    verify: verify
      .optional()
      .describe(
        'The keys of which one has to have signed the card (A2A 1.0, 8.4). A card that none has signed is not taken, and the peer not asked. Without it, signatures are not looked at.',
      ),
    description: told.description
      .optional()
      .describe('What it does and when to ask it, for the model. Without it, what its card says.'),
    allow: namesOfTools
      .optional()
      .describe('The ids of the skills of its card that the model is told of. Without it, all of them.'),
    reads_only: told.reads_only,
    approval: told.approval,
    keyed: z
      .boolean()
      .optional()
      .describe(
        'Whether the peer takes a message of one `messageId` once, however often it arrives, as agents of hivekeep do. If true, a call that a crash has interrupted before its task was known is sent again. False by default: the model is then told that it is not known whether the peer has taken it.',
      ),
    accept_questions: z
      .boolean()
      .optional()
      .describe(
        'Whether the model may answer what the peer asks (`input-required`), by a second call. True by default; if false, the task is cancelled.',
      ),
    secret,
    timeout_seconds: z
      .int()
      .min(1)
      .max(86_400)
      .optional()
      .describe('The longest that an answer is waited for. Default 300. None of it counts in the budget of the run.'),
  })
  .describe('An agent elsewhere that speaks A2A: the run sends it a message, and waits for its task.');

const agentTool = z.discriminatedUnion('kind', [clientTool, httpTool, mcpServer, a2aPeer]);
export type AgentTool = z.infer<typeof agentTool>;
export type HttpTool = AgentTool & { kind: 'http' };
export type McpServer = AgentTool & { kind: 'mcp' };
export type A2aPeer = AgentTool & { kind: 'a2a' };
/** A tool that the service calls within a step. */
export type OutboundTool = HttpTool | McpServer;

/** What a server of kind `mcp` says of a tool of its own. */
export const claims = z.object({ readsOnly: z.literal(true).optional(), repeatable: z.literal(true).optional() });
export type ToolClaims = z.infer<typeof claims>;

export const agentTools = listOf(agentTool, { max: mostTools })
  .refine((given) => new Set(given.map(({ name }) => name)).size === given.length, 'must not have two of one name')
  .describe(
    `Tools beside the built-in ones, at most ${mostTools}, each with a name of its own. Models use them; the built-in reasoner does not.`,
  );

/** The calls of a paused run, which whoever started it carries out. */
export const clientCall = z.object({
  id: z.string().describe('The id of the call, which its result names.'),
  name: z.string().describe('The name of the tool.'),
  arguments: z.record(z.string(), z.unknown()).describe('The arguments, which fit the `input_schema` of the tool.'),
});
export type ClientCall = z.infer<typeof clientCall>;

/** The name by which a server of kind `mcp` knows the tool of this name. */
export const nameAtServer = (name: string): string => name.slice(name.indexOf('.') + 1);

/** Which tool a call of `use_tool` uses; of `server.tool` it is the server. */
export function toolNamed(
  { tools = [] }: { tools?: readonly AgentTool[] | undefined },
  name = '',
): AgentTool | undefined {
  const [server] = name.split('.', 1);
  const ofServer = name === server ? undefined : nameAtServer(name);
  return tools.find((tool) =>
    tool.kind === 'mcp'
      ? ofServer !== undefined && tool.name === server && (tool.allow?.includes(ofServer) ?? true)
      : tool.name === name,
  );
}

/** AgentTools.T3. */
const isSo = (configured: boolean | readonly string[] | undefined, name: string, claimed: boolean): boolean =>
  typeof configured === 'object' ? configured.includes(nameAtServer(name)) : (configured ?? claimed);

interface UseOfTool {
  arguments: Readonly<Record<string, string>>;
  claimed?: ToolClaims | undefined;
}

/** Whether a call of the tool changes nothing. */
export const readsOnly = (tool: AgentTool, { arguments: { name = '' }, claimed }: UseOfTool): boolean =>
  tool.kind === 'mcp' ? isSo(tool.reads_only, name, claimed?.readsOnly === true) : tool.reads_only === true;

/** What the configuration says of approval for a tool; undefined where its agent's gate decides. */
export function approvalOf(tool: AgentTool | undefined, name = ''): 'ask' | 'never' | undefined {
  const given = tool?.approval;
  if (typeof given !== 'object') return given;
  const ofServer = nameAtServer(name);
  return Object.hasOwn(given, ofServer) ? given[ofServer] : undefined;
}

/** Whether any call of the tool, or of the server, waits for approval whatever the agent's gate is. */
export const mayAsk = ({ approval }: AgentTool): boolean =>
  approval === 'ask' || (typeof approval === 'object' && Object.values(approval).includes('ask'));

export interface WithTools {
  tools?: readonly AgentTool[] | null | undefined;
}

/** The settings with what `change` makes of each secret that a tool sends; without it where that is undefined. */
export function withSecrets<T extends WithTools>(settings: T, change: (value: string) => string | undefined): T {
  if (!settings.tools?.some((tool) => tool.kind !== 'client' && tool.secret)) return settings;
  const tools = settings.tools.map((tool) => {
    if (tool.kind === 'client' || tool.secret?.value === undefined) return tool;
    const { header, value } = tool.secret;
    const made = change(value);
    return { ...tool, secret: { header, ...(made !== undefined && { value: made }) } };
  });
  return { ...settings, tools };
}

export const withoutSecrets = <T extends WithTools>(settings: T): T => withSecrets(settings, () => undefined);

/** Where a tool is called; undefined where that is not by HTTP. */
export const placeOf = (tool: AgentTool): string | undefined =>
  tool.kind === 'a2a' ? tool.card : tool.kind === 'client' ? undefined : tool.url;

/** The settings with the secrets of those before them, where a tool goes on and names no other. */
export function keepingSecrets<T extends WithTools>(settings: T, before: WithTools): T {
  if (!settings.tools?.length) return settings;
  const tools = settings.tools.map((tool) => {
    if (tool.kind === 'client' || !tool.secret || tool.secret.value !== undefined) return tool;
    const known = before.tools?.find(({ name, kind }) => name === tool.name && kind === tool.kind);
    if (!known || known.kind === 'client') return tool;
    const same = placeOf(known) === placeOf(tool) && known.secret?.header === tool.secret.header;
    return same ? { ...tool, secret: known.secret } : tool;
  });
  return { ...settings, tools };
}

/** Whether a call may be made a second time (AgentTools.T2). */
export const isRepeatableCall = (tool: OutboundTool, call: UseOfTool): boolean =>
  readsOnly(tool, call) ||
  (tool.kind === 'http'
    ? tool.keyed !== false
    : isSo(tool.repeatable, call.arguments['name'] ?? '', call.claimed?.repeatable === true));

export const notKnown = 'it is not known whether this took effect';

export const callId = (run: string, step: number, n: number): string => `${run}.${step}.${n}`;

/** The id of the next call of the step in progress. */
export const nextCallOf = ({ id, steps, done }: { id: string; steps: number; done: readonly unknown[] }): string =>
  callId(id, steps + 1, done.length + 1);

/** The run whose call has this id; null if it is none of a call. */
export const runOfCall = (id: string): string | null => /^(run_\w{1,64})\.\d{1,9}\.\d{1,9}$/.exec(id)?.[1] ?? null;

/** What was imported may be anything. */
function readInput(input: string): Record<string, unknown> {
  try {
    return JSON.parse(input) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** What a run that has paused for these calls of its step waits for. The id of a call is its run, step and place. */
export function waitsForClient(
  { id, steps }: { id: string; steps: number },
  calls: readonly { arguments: Readonly<Record<string, string>> }[],
  done: number,
): { kind: 'tools'; question: string; action: null; calls: ClientCall[] } {
  const asked = calls.map(({ arguments: { name = '', input = '{}' } }, i) => ({
    id: callId(id, steps + 1, done + i + 1),
    name,
    arguments: readInput(input),
  }));
  const question = `waits for the results of ${asked.map(({ name }) => name).join(', ')}`;
  return { kind: 'tools', question, action: null, calls: asked };
}
