/**
 * Writes the parts of the Python client that follow from the document: types.py, a TypedDict for each schema, and
 * resources.py, a method for each operation, once waiting and once for asyncio. `npm run client-types` calls it, and a
 * test tells when they are out of date.
 */
import { createDocument } from '../../../gateway/openapi/document.js';
import type { Document } from '../../../gateway/openapi/types.js';

/**
 * Where each operation is found in the client: `client.agents.spawn(...)`; those without a resource are the client's
 * own.
 */
const places: Record<string, string> = {
  spawnAgent: 'agents.spawn',
  listAgents: 'agents.list',
  getAgent: 'agents.get',
  replaceAgent: 'agents.replace',
  patchAgent: 'agents.update',
  deleteAgent: 'agents.delete',
  messageAgent: 'agents.message',
  startRun: 'runs.start',
  listRuns: 'runs.list',
  listAllRuns: 'runs.list_all',
  getRun: 'runs.get',
  getRunTree: 'runs.tree',
  resumeRun: 'runs.resume',
  forkRun: 'runs.fork',
  getFile: 'runs.file',
  deleteRun: 'runs.delete',
  listThoughts: 'runs.thoughts',
  listCheckpoints: 'runs.checkpoints',
  listSessions: 'sessions.list',
  listAllSessions: 'sessions.list_all',
  listTurns: 'sessions.turns',
  deleteSession: 'sessions.delete',
  tryTool: 'agents.try_tool',
  deleteSubject: 'sessions.delete_subject',
  createSchedule: 'schedules.create',
  setSchedule: 'schedules.set',
  runSchedule: 'schedules.run',
  listSchedules: 'schedules.list',
  getSchedule: 'schedules.get',
  pauseSchedule: 'schedules.pause',
  deleteSchedule: 'schedules.delete',
  listBlocks: 'blocks.list',
  getBlock: 'blocks.get',
  setBlock: 'blocks.set',
  patchBlock: 'blocks.update',
  deleteBlock: 'blocks.delete',
  getProfile: 'profiles.get',
  rejectProfileEntry: 'profiles.reject',
  sendMessage: 'mailbox.send',
  listMessages: 'mailbox.list',
  deleteMessage: 'mailbox.delete',
  getMailboxTraffic: 'mailbox.traffic',
  createMemory: 'memories.create',
  createMemories: 'memories.create_many',
  listMemories: 'memories.list',
  searchMemories: 'memories.search',
  promptContext: 'memories.context',
  getMemory: 'memories.get',
  listMemoryHistory: 'memories.history',
  patchMemory: 'memories.update',
  deleteMemory: 'memories.delete',
  createHive: 'hives.create',
  listHives: 'hives.list',
  getHive: 'hives.get',
  updateHive: 'hives.update',
  deleteHive: 'hives.delete',
  listHiveAgents: 'hives.members',
  joinHive: 'hives.join',
  leaveHive: 'hives.leave',
  shareMemory: 'hives.share',
  listSharedMemories: 'hives.memories',
  mintToken: 'tokens.mint',
  listTokens: 'tokens.list',
  revokeToken: 'tokens.revoke',
  listDeadLetters: 'dead_letters.list',
  replayDeadLetter: 'dead_letters.replay',
  createKey: 'keys.create',
  listKeys: 'keys.list',
  revokeKey: 'keys.revoke',
  getMe: 'workspace.me',
  getUsage: 'workspace.usage',
  getUsageDays: 'workspace.usage_days',
  getModelBudget: 'workspace.model_budget',
  setModelBudget: 'workspace.set_model_budget',
  getUsageAlerts: 'workspace.usage_alerts',
  setUsageAlerts: 'workspace.set_usage_alerts',
  createWebhook: 'webhooks.create',
  listWebhooks: 'webhooks.list',
  getWebhook: 'webhooks.get',
  updateWebhook: 'webhooks.update',
  deleteWebhook: 'webhooks.delete',
  rotateWebhookSecret: 'webhooks.rotate',
  testWebhook: 'webhooks.test',
  listAudit: 'workspace.audit',
  followRun: 'streams.run',
  followWorkspace: 'streams.workspace',
  exportRecords: 'streams.export',
  importRecords: 'streams.import',
};
/** These methods are written by hand. */
const streams = 'streams';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const header = '# Written by `npm run client-types` from the OpenAPI document. Do not edit.\n# fmt: off\n';
const keywords = new Set([
  'from',
  'class',
  'def',
  'global',
  'import',
  'in',
  'is',
  'not',
  'pass',
  'return',
  'with',
  'as',
]);
/** A keyword of Python gets an underscore, as `from_`; the client takes it off again. */
const pythonName = (name: string): string => (keywords.has(name) ? `${name}_` : name);
const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
const capitalised = (name: string): string =>
  name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
const literals = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);
const quoted = (value: unknown): string => literals.get(value) ?? JSON.stringify(value);

/** Whether the fields of this class become arguments of a method, which cannot be named as a keyword of Python. */
const isArguments = (name: string): boolean => /(Input|Patch|Query)$/.test(name);

/** Collects the classes that a schema needs; what it has no name for is named after where it stands. */
class Types {
  readonly classes = new Map<string, string>();

  of(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return refName(schema.$ref);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return union(choices.map((choice, i) => this.of(choice, `${name}${i + 1}`)));
    if (schema.const !== undefined) return `Literal[${quoted(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(quoted).join(', ')}]`;
    return union([schema.type ?? 'any'].flat().map((type) => this.#single(type, schema, name)));
  }

  #single(type: string, schema: Schema, name: string): string {
    if (type === 'string') return 'str';
    if (type === 'integer') return 'int';
    if (type === 'number') return 'float';
    if (type === 'boolean') return 'bool';
    if (type === 'null') return 'None';
    if (type === 'array') return `list[${schema.items ? this.of(schema.items, `${name}Item`) : 'Any'}]`;
    if (type !== 'object') return 'Any';
    if (schema.properties) {
      this.add(name, schema);
      return name;
    }
    const values = schema.additionalProperties;
    return typeof values === 'object' && Object.keys(values).length > 0
      ? `dict[str, ${this.of(values, `${name}Value`)}]`
      : 'dict[str, Any]';
  }

  /** A class of an object's properties. */
  add(name: string, { properties = {}, required = [], description }: Schema): void {
    if (!isArguments(name) && Object.keys(properties).some((field) => keywords.has(field))) {
      // An answer has the keyword itself among its keys, which only this form can say.
      const fields = Object.entries(properties).map(([field, schema]) => {
        const type = this.of(schema, name + capitalised(field)).replaceAll('"', "'");
        return `    "${field}": "${required.includes(field) ? type : `NotRequired[${type}]`}",\n`;
      });
      this.classes.set(name, `${name} = TypedDict("${name}", {\n${fields.join('')}})\n`);
      return;
    }
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = this.of(schema, name + capitalised(field));
      const about = schema.description === undefined ? '' : `  # ${schema.description.replaceAll(/\s+/g, ' ')}`;
      return `    ${pythonName(field)}: ${required.includes(field) ? type : `NotRequired[${type}]`}${about}\n`;
    });
    const about = description === undefined ? '' : `    """${description.replaceAll('\\', '\\\\')}"""\n`;
    this.classes.set(
      name,
      `class ${name}(TypedDict):\n${about}${fields.join('') || (about === '' ? '    pass\n' : '')}`,
    );
  }
}

const union = (types: string[]): string => {
  const all = [...new Set(types)];
  return all.includes('Any') ? 'Any' : all.join(' | ');
};

interface Method {
  resource: string;
  name: string;
  http: string;
  path: string;
  ids: string[];
  summary: string;
  /** The type of what it answers: of an item for lists that are read page by page. */
  answer: string;
  paged: boolean;
  /** It answers a list at once. */
  found: boolean;
  query?: string;
  /** The names of its query parameters. */
  asked: string[];
  body?: string;
  idempotent: boolean;
  conditional: boolean;
}

/** The two files by name. */
export function pythonClient(document: Document = createDocument()): Record<string, string> {
  const types = new Types();
  const components = document.components as unknown as {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
  };
  for (const [name, schema] of Object.entries(components.schemas)) {
    if (schema.properties) types.add(name, schema);
    else types.classes.set(name, `${name}: TypeAlias = ${quotedUnion(types.of(schema, name))}\n`);
  }
  const methods = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>)
    .filter(([path]) => path.startsWith('/v1/') && !path.startsWith('/v1/openai/'))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([http, operation]) => methodOf(types, components.parameters, http, path, operation)),
    )
    .filter(({ resource }) => resource !== streams);
  return { 'types.py': typesFile(types), 'resources.py': resourcesFile(methods) };
}

/** A union of names that are defined further down has to be a text. */
const quotedUnion = (type: string): string => (type.includes('|') ? `"${type.replaceAll('"', "'")}"` : type);

function methodOf(
  types: Types,
  shared: Record<string, Parameter>,
  http: string,
  path: string,
  operation: Operation,
): Method {
  const { operationId, parameters = [], requestBody, responses, summary } = operation;
  const place = places[operationId];
  if (place === undefined)
    throw new Error(`test/unit/openapi/python-client.ts: no place for the operation ${operationId}`);
  const [resource = '', name = ''] = place.split('.');
  const given = parameters.map((parameter) => (parameter.$ref ? shared[refName(parameter.$ref)]! : parameter));
  const asked = given.filter((parameter) => parameter.in === 'query');
  const has = (header: string): boolean => given.some((parameter) => parameter.name === header);
  const answer = ['200', '201', '202']
    .map((status) => responses[status]?.content?.['application/json']?.schema)
    .find(Boolean);
  const { data = {}, pagination } = answer?.properties ?? {};
  const paged = pagination !== undefined && http === 'get';
  const base = capitalised(operationId);
  if (asked.length > 0)
    types.add(`${base}Query`, {
      properties: Object.fromEntries(
        asked.map((parameter) => [parameter.name, { ...parameter.schema, ...about(parameter) }]),
      ),
    });
  const body = requestBody?.content['application/json']?.schema;
  return {
    resource,
    name,
    http: http.toUpperCase(),
    path,
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!),
    summary,
    answer: types.of(paged ? (data.items ?? {}) : data, `${base}Answer`),
    paged,
    found: pagination !== undefined && !paged,
    ...(asked.length > 0 && { query: `${base}Query` }),
    asked: asked.map((parameter) => parameter.name),
    ...(body && { body: types.of(body, `${base}Body`) }),
    idempotent: has('Idempotency-Key'),
    conditional: has('If-Match'),
  };
}

const about = (parameter: Parameter): Schema => {
  const { description } = parameter as { description?: string };
  return description === undefined ? {} : { description };
};

function typesFile({ classes }: Types): string {
  const imports =
    'from __future__ import annotations\n\nfrom typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n';
  return `${header}"""What the API takes and answers."""\n\n${imports}\n\n${[...classes.values()].join('\n\n')}`;
}

function resourcesFile(methods: readonly Method[]): string {
  const resources = [...new Set(methods.map(({ resource }) => resource))];
  const classes = resources.flatMap((resource) =>
    [false, true].map((isAsync) => {
      const ofIt = methods.filter((method) => method.resource === resource);
      const name = `${isAsync ? 'Async' : ''}${capitalised(resource)}`;
      const parent = isAsync ? 'AsyncResource' : 'Resource';
      return `class ${name}(${parent}):\n${ofIt.map((method) => methodText(method, isAsync)).join('\n')}`;
    }),
  );
  const imports = [
    'from __future__ import annotations',
    '',
    'from typing import Any, List, Unpack',
    '',
    'from . import types as t',
    'from ._transport import AsyncResource, Resource, quoted',
    'from ._found import Found',
    'from .pages import AsyncPages, Pages',
  ].join('\n');
  return `${header}"""The operations of the API by resource, for callers that wait and for asyncio."""\n\n${imports}\n\n\n${classes.join('\n\n')}`;
}

function methodText(method: Method, isAsync: boolean): string {
  const { ids, query, body, paged, path, http } = method;
  const named = [
    ...(method.idempotent ? ['idempotency_key: str | None = None'] : []),
    ...(method.conditional ? ['if_match: str | None = None'] : []),
    // beside a body, they are arguments of their own
    ...(body ? method.asked.map((name) => `${pythonName(name)}: str | None = None`) : []),
  ];
  const rest = body ?? query;
  const parameters = [
    'self',
    ...ids.map((id) => `${snake(id)}: str`),
    ...(ids.length > 0 ? ['/'] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
    ...(rest === undefined ? [] : [`**${body ? 'body' : 'query'}: Unpack[t.${rest}]`]),
  ];
  const url =
    ids.length === 0
      ? JSON.stringify(path)
      : `f"${path.replaceAll(/\{(\w+)\}/g, (_, id: string) => `{quoted(${snake(id)})}`)}"`;
  const answer = method.answer
    .replaceAll(
      /\b(list\[)?([A-Z]\w+)/g,
      (_, list: string | undefined, name: string) => `${list ? 'List[' : ''}t.${name}`,
    )
    .replaceAll('t.None', 'None')
    .replaceAll('t.Any', 'Any');
  const args = [
    `"${http}"`,
    url,
    ...(body ? ['body=body'] : []),
    ...(query && !body ? ['query=query'] : []),
    ...(body && method.asked.length > 0
      ? [`query={${method.asked.map((name) => `"${name}": ${pythonName(name)}`).join(', ')}}`]
      : []),
    ...(method.idempotent ? ['idempotency_key=idempotency_key'] : []),
    ...(method.conditional ? ['if_match=if_match'] : []),
  ];
  const pages = isAsync ? 'AsyncPages' : 'Pages';
  const returned = paged ? `${pages}[${answer}]` : method.found ? answer.replace(/^List/, 'Found') : answer;
  const call = paged
    ? `${pages}(self._transport, ${url}, ${query ? 'query' : '{}'})`
    : `${isAsync ? 'await ' : ''}self._transport.${method.found ? 'found' : 'data'}(${args.join(', ')})`;
  return [
    `    ${isAsync && !paged ? 'async ' : ''}def ${method.name}(${parameters.join(', ')}) -> ${returned}:`,
    `        """${method.summary}"""`,
    `        return ${call}`,
    '',
  ].join('\n');
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
