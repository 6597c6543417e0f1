/**
 * One of everything that a workspace can have, and what a request to any route is made of: found by the route's own
 * path, name and kind, so that a route that is added to the table is asked like the others, or stops the tests that do
 * not know how to.
 */
import { expect } from 'chai';
import { createHash } from 'node:crypto';
import type { MethodDialect, A2aOperation } from '../../../../src/a2a/methods.js';
import type { Route } from '../../../../gateway/rest/route.js';
import { routes } from '../../../../gateway/rest/routes.js';
import { rpcOf, say, say1 } from '../../a2a/support/rpc.js';
import { tell } from './answers.js';
import { until, type Api, type Json } from './client.js';

/**
 * Ids. The agent is in the hive, the loner is in none; the run is a task that waits for approval, its pushes were given
 * up.
 */
export interface Things {
  agent: string;
  loner: string;
  hive: string;
  memory: string;
  shared: string;
  message: string;
  schedule: string;
  scheduleName: string;
  block: string;
  entry: string;
  tool: string;
  webhook: string;
  token: string;
  key: string;
  run: string;
  session: string;
  subject: string;
  checkpoint: string;
  letter: string;
  file: string;
  /** An export of the workspace. */
  copy: string;
}
export type Kind = keyof Things;

/**
 * Fills a workspace; every text in it contains `secret`. `pushUrl` is one that the service may reach and that takes
 * nothing.
 */
export async function fill(api: Api, secret: string, pushUrl: string): Promise<Things> {
  const made = async (path: string, body: Json, status = 201): Promise<string> =>
    String((await api.one('POST', path, body, status))['id']);
  const hive = await made('/v1/hives', { name: secret });
  const tool = `ring_${secret.replaceAll(/\W/g, '_').slice(0, 50)}`;
  const agent = await made('/v1/agents/spawn', {
    name: secret,
    hives: [hive],
    config: {
      multi_step: true,
      validation_gate: 'answer',
      tools: [{ kind: 'http', name: tool, description: secret, url: pushUrl }],
    },
  });
  const own = `/v1/agent-constellations/${agent}`;
  const subject = `sess_${agent.slice(6)}`;
  const [loner, memory, shared, message, schedule, webhook, token, key] = await Promise.all([
    made('/v1/agents/spawn', { name: secret }),
    made('/v1/memories', {
      type: 'semantic',
      content: secret,
      agent_id: agent,
      sessionId: 'shared-name',
      subject,
    }),
    made(`/v1/hives/${hive}/memories`, {
      type: 'semantic',
      content: secret,
      agent_id: agent,
      sessionId: 'shared-name',
    }),
    made(`${own}/messages`, { content: secret }),
    made(`/v1/agents/${agent}/schedules`, { cron: '0 0 1 1 *', input: secret, name: 'yearly' }),
    made('/v1/webhooks', { url: pushUrl, events: ['usage.alert'], description: secret }),
    made(`${own}/tokens`, { name: secret, scopes: ['agent:read'] }),
    made('/v1/keys', { name: secret, mode: 'live' }),
  ]);
  await api.one('PUT', `/v1/agents/${agent}/blocks/human`, { value: secret });
  await made('/v1/memories', { type: 'semantic', content: `Always say ${secret}.`, agent_id: agent });
  const { entries } = await api.one('GET', `/v1/agents/${agent}/profile`);
  const entry = String((entries as Json[])[0]?.['id']);
  const task = await rpcOf(() => api.url, agent, api.key).result(
    'message/send',
    say(`work in 2 steps: what do we know about ${secret}?`, {
      configuration: { pushNotificationConfig: { url: pushUrl } },
    }),
  );
  const run = String(task['id']);
  await until(
    () => api.one('GET', `${own}/runs/${run}`),
    (r) => r['status'] === 'paused',
  );
  const session = String((await api.one('GET', `${own}/runs/${run}`))['sessionId']);
  const checkpoint = String((await api.page(`${own}/checkpoints?runId=${run}`)).data[0]?.['id']);
  const letter = String(
    (
      await until(
        () => api.page('/v1/push/dead-letters?page_size=100'),
        ({ data }) => data.filter((l) => l['task_id'] === run).length === 2,
      )
    ).data.find((l) => l['task_id'] === run)?.['id'],
  );
  const image = Buffer.from(secret);
  // nobody has configured the model: the run fails, and has its file all the same
  await api.one('POST', `/v1/agents/${agent}/message`, {
    content: secret,
    files: [{ mediaType: 'image/png', bytes: image.toString('base64') }],
    overrides: { model: 'openai/none' },
  });
  const file = createHash('sha256').update(image).digest('hex');
  const copy = (await tell(`${api.url}/v1/export`, 'GET', `Bearer ${api.key}`)).text;
  return {
    agent,
    loner,
    hive,
    memory,
    shared,
    message,
    schedule,
    scheduleName: 'yearly',
    block: 'human',
    entry,
    tool,
    webhook,
    token,
    key,
    run,
    session,
    subject,
    checkpoint,
    letter,
    file,
    copy,
  };
}

/** What an id is that stands behind such a segment of a path. */
const kindAfter: Readonly<Record<string, Kind>> = {
  agents: 'agent',
  'agent-constellations': 'agent',
  hives: 'hive',
  memories: 'memory',
  keys: 'key',
  'dead-letters': 'letter',
  files: 'file',
  runs: 'run',
  sessions: 'session',
  subjects: 'subject',
  messages: 'message',
  schedules: 'schedule',
  'by-name': 'scheduleName',
  blocks: 'block',
  profile: 'entry',
  tools: 'tool',
  webhooks: 'webhook',
  tokens: 'token',
};

/** The parameters of a path in order, with what they are ids of. */
export function parametersOf(path: string): { name: string; kind: Kind }[] {
  const segments = path.split('/');
  return segments.flatMap((segment, i) =>
    segment.startsWith(':')
      ? [
          {
            name: segment.slice(1),
            kind: kindAfter[segments[i - 1] ?? ''] ?? expect.fail(`what is ${segment} of ${path}? say it in kindAfter`),
          },
        ]
      : [],
  );
}

/** A path with the ids that `of` gives for each of its parameters. */
export const pathWith = (path: string, of: (kind: Kind, name: string) => string): string =>
  parametersOf(path).reduce(
    (filled, { name, kind }) => filled.replace(new RegExp(`:${name}(?=/|$)`), of(kind, name)),
    path,
  );

/** Bodies that the routes take, of things that are there. */
const bodies: Readonly<Record<string, (t: Things) => Json>> = {
  spawnAgent: ({ hive }) => ({ name: 'spawned', hives: [hive] }),
  replaceAgent: ({ hive }) => ({ name: 'replaced', hives: [hive] }),
  patchAgent: ({ hive }) => ({ name: 'patched', hives: [hive] }),
  messageAgent: () => ({ content: 'hello' }),
  sendMessage: ({ message, loner }) => ({ content: 'hello', from: loner, reply_to: message }),
  tryTool: () => ({ arguments: {} }),
  createSchedule: () => ({ every: 86_400, input: 'hello' }),
  setSchedule: () => ({ every: 86_400, input: 'hello' }),
  setBlock: () => ({ value: 'Likes tea.' }),
  patchBlock: () => ({ value: 'Likes coffee.' }),
  runSchedule: () => ({}),
  pauseSchedule: () => ({ paused: true }),
  startRun: () => ({ input: 'hello' }),
  resumeRun: () => ({ decision: 'approve' }),
  forkRun: ({ checkpoint }) => ({ checkpoint }),
  mintToken: () => ({ name: 'minted', scopes: ['agent:read'] }),
  createKey: () => ({ name: 'minted', mode: 'live' }),
  createMemory: ({ agent }) => ({ type: 'semantic', content: 'made', agent_id: agent }),
  createMemories: ({ agent, hive }) => ({
    memories: [
      { type: 'semantic', content: 'one', agent_id: agent },
      { type: 'semantic', content: 'two', hive_id: hive },
    ],
  }),
  patchMemory: () => ({ content: 'patched' }),
  searchMemories: ({ agent }) => ({ query: 'hello', agent_id: agent }),
  promptContext: ({ agent }) => ({ query: 'hello', agent_id: agent, max_tokens: 500 }),
  createHive: () => ({ name: 'made' }),
  updateHive: () => ({ name: 'patched' }),
  joinHive: ({ loner }) => ({ agent_id: loner }),
  shareMemory: ({ agent }) => ({ type: 'semantic', content: 'shared', agent_id: agent }),
  replayDeadLetter: () => ({}),
  setUsageAlerts: () => ({ thresholds: [50] }),
  setModelBudget: () => ({ tokens_per_month: 1_000_000_000 }),
  createWebhook: ({ agent }) => ({ url: 'https://example.com/', events: ['run.failed'], agent_id: agent }),
  updateWebhook: () => ({ description: 'patched' }),
  rotateWebhookSecret: () => ({}),
  testWebhook: () => ({}),
};

export function bodyOf(route: Route, things: Things): Json | string | undefined {
  if (route.kind === 'upload') return things.copy;
  if (!('body' in route)) return undefined;
  return (bodies[route.operationId] ?? expect.fail(`what does ${route.operationId} take? say it in bodies`))(things);
}

/** What a route answers to who may ask. */
export const statusOf = (route: Route): number => (route.kind === 'write' ? route.status : 200);

/** What each operation of A2A takes, in either dialect. */
export const rpcParams: Readonly<
  Record<A2aOperation, (task: string, pushUrl: string) => Readonly<Record<MethodDialect, Json>>>
> = {
  send: () => ({ slash: say('hello'), pascal: say1('hello') }),
  stream: () => ({ slash: say('hello'), pascal: say1('hello') }),
  get: (id) => ({ slash: { id }, pascal: { id } }),
  list: () => ({ slash: {}, pascal: {} }),
  cancel: (id) => ({ slash: { id }, pascal: { id } }),
  subscribe: (id) => ({ slash: { id }, pascal: { id } }),
  setPush: (id, url) => ({ slash: { taskId: id, pushNotificationConfig: { url } }, pascal: { taskId: id, url } }),
  getPush: (id) => ({ slash: { id }, pascal: { taskId: id, id: 'default' } }),
  listPush: (id) => ({ slash: { id }, pascal: { taskId: id } }),
  deletePush: (id) => ({ slash: { id, pushNotificationConfigId: 'default' }, pascal: { taskId: id, id: 'default' } }),
  card: () => ({ slash: {}, pascal: {} }),
};

/** Fields that differ each time that they are read, or because of the reading. */
const moving: ReadonlySet<string> = new Set(['last_used_at', 'since', 'until']);

/** All that the routes show of a workspace to who may see everything, but for what moves by itself. */
export const everything = (api: Api, things: Things): Promise<unknown[]> =>
  Promise.all(
    routes
      .filter(({ kind }) => kind === 'read' || kind === 'list')
      .map(async (route) => {
        const path = pathWith(route.path, (kind) => things[kind]);
        const { status, body } = await api.ask(
          'GET',
          route.kind === 'list' && route.paging.ownLimit === undefined ? `${path}?page_size=100` : path,
        );
        expect(status, path).to.equal(200);
        return [
          path,
          JSON.parse(JSON.stringify(body, (key, value: unknown) => (moving.has(key) ? undefined : value))) as unknown,
        ];
      }),
  );

/** What differs between two such looks: each path with what it showed first, and then. */
export const differences = (before: readonly unknown[], after: readonly unknown[]): string[] =>
  after.flatMap((one, i) => {
    const [was, is] = [JSON.stringify(before[i]), JSON.stringify(one)];
    if (was === is) return [];
    const from = Math.max(0, [...is].findIndex((c, at) => c !== was[at]) - 200);
    return [`${(one as [string])[0]}: ...${was.slice(from, from + 500)} is now ...${is.slice(from, from + 500)}`];
  });
