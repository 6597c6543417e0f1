/**
 * What is there when everything has come to rest, read through the public interfaces: the other side of the evidence.
 */
import type { Receiver } from '../../e2e/a2a/support/receiver.js';
import { stateOf } from '../../e2e/a2a/support/rpc.js';
import type { Gateways, Json } from './clients/gateways.js';
import { comingBack, follow, type Reading } from './clients/story.js';
import type { Ledger } from './ledger.js';

export interface Listing {
  items: Json[];
  total: number;
}

/** `agent` is what the service says of it by its id. */
export interface AgentFacts {
  agent: Json;
  runs: Listing;
  messages: Listing;
  memories: Listing;
  checkpoints: Json[];
}

/** The events of a run, as a stream from its first to its end tells them. */
export interface RunEvents {
  ids: number[];
  statuses: string[];
  problem: string | null;
}

export interface Facts {
  /** By id; null where there is none. */
  agents: Map<string, AgentFacts | null>;
  agentList: Json[];
  /** What is shared in the hive, and how much the hive says it is. */
  shared: Listing & { counted: number };
  memories: Listing;
  /** Status of GET by id, for each memory that was acknowledged. */
  memoryById: Map<string, number>;
  events: Map<string, RunEvents>;
  memoriesInUsage: number;
  deadLetters: Json[];
  /** The statuses that arrived at each path, in order, repeats included. */
  arrivals: Map<string, string[]>;
}

const atOnce = 6;

export async function readFacts(
  gateways: Gateways,
  ledger: Ledger,
  receiver: Receiver,
  standing: readonly string[],
  hive: string,
): Promise<Facts> {
  const made = ledger.entries.filter((e) => e.kind === 'agent' && e.id !== null).map((e) => e.id ?? '');
  const agents = new Map<string, AgentFacts | null>();
  await inParallel([...standing, ...made], async (id) => {
    agents.set(id, await agentFacts(gateways, id));
  });
  const events = new Map<string, RunEvents>();
  const memoryById = new Map<string, number>();
  const runs = [...agents].flatMap(([agent, facts]) =>
    (facts?.runs.items ?? []).map((run) => ({ agent, run: String(run['id']) })),
  );
  await inParallel(runs, async ({ agent, run }) => {
    events.set(run, await eventsOf(gateways, agent, run));
  });
  await inParallel(
    ledger.entries.filter((e) => e.kind === 'memory' && e.id !== null),
    async ({ id }) => {
      memoryById.set(id ?? '', (await gateways.ask({ method: 'GET', path: `/v1/memories/${id ?? ''}` })).status);
    },
  );
  return {
    agents,
    events,
    memoryById,
    agentList: (await gateways.list('/v1/agents')).items,
    shared: {
      ...(await gateways.list(`/v1/hives/${hive}/memories`)),
      counted: Number((await gateways.data({ method: 'GET', path: `/v1/hives/${hive}` }))['memory_count']),
    },
    memories: await gateways.list('/v1/memories'),
    memoriesInUsage: Number((await gateways.data({ method: 'GET', path: '/v1/usage' }))['memories']),
    deadLetters: (await gateways.list('/v1/push/dead-letters')).items,
    arrivals: new Map(ledger.pushes.map(({ path }) => [path, arrivalsAt(receiver, path)])),
  };
}

export const arrivalsAt = (receiver: Receiver, path: string): string[] =>
  receiver.taken(path).map(({ body }) =>
    stateOf((body['task'] ?? body) as Json)
      .replace(/^TASK_STATE_/, '')
      .toLowerCase(),
  );

async function agentFacts(gateways: Gateways, id: string): Promise<AgentFacts | null> {
  const { status, body } = await gateways.ask({ method: 'GET', path: `/v1/agents/${id}` });
  if (status === 404) return null;
  const at = `/v1/agent-constellations/${id}`;
  return {
    agent: body['data'] as Json,
    runs: await gateways.list(`${at}/runs`),
    messages: await gateways.list(`${at}/messages`),
    memories: await gateways.list(`/v1/memories?agent_id=${id}`),
    checkpoints: (await gateways.list(`${at}/checkpoints`)).items,
  };
}

async function eventsOf(gateways: Gateways, agent: string, run: string): Promise<RunEvents> {
  const statuses: string[] = [];
  const reading: Reading = {
    open: (seen) => ({
      method: 'GET',
      path: `/v1/agent-constellations/${agent}/runs/${run}/events`,
      headers: comingBack(seen),
    }),
    look: (data) => {
      if (data['type'] !== 'status') return {};
      statuses.push(String(data['status']));
      return { status: String(data['status']) };
    },
  };
  const { ids, problem } = await follow(gateways, agent, run, reading, null, null);
  return { ids, statuses, problem };
}

async function inParallel<T>(of: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...of];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
    }),
  );
}
