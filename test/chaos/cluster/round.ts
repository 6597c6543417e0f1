/**
 * One schedule from beginning to end: a cluster, clients at work on it, faults, and when all is healed and at rest,
 * the checks. Throws with everything that is wrong, the seed, the schedule, what was done when, and where the logs are.
 * Only the schedule is made by the seed alone: what the clients do depends on when they are answered, too.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startReceiver, type Receiver } from '../../e2e/a2a/support/receiver.js';
import { buildWhenNeeded, rootKey } from '../../helpers/server.js';
import { startModelServer } from '../model-server.js';
import { Random } from '../random.js';
import { problemsOf } from './check.js';
import { Crew, type World } from './clients/crew.js';
import { Gateways } from './clients/gateways.js';
import { isTerminal } from './clients/story.js';
import { Cluster, leaseSeconds, type Sufferer } from './cluster.js';
import { arrivalsAt, readFacts } from './facts.js';
import { History } from './history.js';
import { kinds, Ledger } from './ledger.js';
import { scheduleOf, told, type Fault } from './schedule.js';
import { script } from './script.js';
import { serverNames, startServers, type Servers } from './servers.js';

/** CHAOS_KEEP keeps the logs and the diary of a round that went well, too. */
export interface Length {
  faultsMs: number;
  clients: number;
  restMs: number;
}

/** How long unanswered requests are sent again, and runs and pushes are waited for, once all is healed. */
const patienceMs = 60_000;

/** Null where there is no MongoDB or no Redis; else a line that says what was looked at. */
export async function surviveSchedule(seed: number, length: Length): Promise<string | null> {
  const servers = await startServers();
  if (servers === null) return null;
  buildWhenNeeded();
  const folder = mkdtempSync(join(tmpdir(), `hivekeep-chaos-${seed}-`));
  const diary: string[] = [];
  try {
    const { summary, problems } = await round(servers, seed, length, folder, diary);
    if (problems.length > 0) throw new Error(`${problems.length} problems\n  ${problems.join('\n  ')}\n  (${summary})`);
    if (process.env['CHAOS_KEEP']) writeFileSync(join(folder, 'diary.txt'), diary.join('\n'));
    else rmSync(folder, { recursive: true, force: true });
    return summary;
  } catch (thrown) {
    throw new Error(
      [
        `seed ${seed}: ${thrown instanceof Error ? thrown.message : JSON.stringify(thrown)}`,
        ...diary,
        `logs of the processes: ${folder}`,
      ].join('\n  '),
      { cause: thrown },
    );
  } finally {
    await Promise.all([servers.mongodb.stop(), servers.redis.stop()]);
  }
}

interface Outcome {
  summary: string;
  problems: string[];
}

async function round(
  servers: Servers,
  seed: number,
  length: Length,
  folder: string,
  diary: string[],
): Promise<Outcome> {
  const random = new Random(seed ^ 0x5eed);
  const model = await startModelServer(() => random.between(10, 120), script);
  const receiver = await startReceiver();
  const env = {
    HIVEKEEP_OPENAI_BASE_URL: model.url,
    HIVEKEEP_PUSH_ALLOW: receiver.host,
    HIVEKEEP_PUSH_TRIES: '30',
    HIVEKEEP_PUSH_RETRY_SECONDS: '0.05',
    HIVEKEEP_PUSH_TIMEOUT_SECONDS: '1',
    HIVEKEEP_HEARTBEAT_SECONDS: '0.5',
    HIVEKEEP_IDLE_SECONDS: '1',
    HIVEKEEP_LOG_LEVEL: 'info',
  };
  let cluster: Cluster | null = null;
  let history: History | null = null;
  try {
    cluster = await Cluster.start(servers, { gateways: 2, workers: 3 }, env, folder, diary);
    const watching = (history = await History.open(servers.mongodb.url));
    const restartable = serverNames.filter((s) => servers[s].restart !== null);
    const faults = scheduleOf(seed, {
      processes: cluster.processes.map((p) => p.name),
      servers: serverNames,
      restartable,
      lastMs: length.faultsMs,
      leaseMs: leaseSeconds * 1000,
    });
    diary.push('The schedule:', ...faults.map(told), 'What happened:');
    const { summary, problems } = await workUnder(faults, cluster, receiver, random, length, diary, () =>
      watching.busy(),
    );
    return {
      summary: `${summary}; heads sampled ${history.samples} times`,
      problems: [...problems, ...(await history.finish()), ...cluster.troubles()],
    };
  } finally {
    await history?.close();
    await cluster?.stop();
    await Promise.all([model.close(), receiver.close()]);
  }
}

/** Clients at work while the faults happen, and the checks when all is healed and at rest. */
export async function workUnder(
  faults: readonly Fault[],
  cluster: Sufferer,
  receiver: Receiver,
  random: Random,
  { clients, restMs }: Length,
  diary: string[],
  busy: () => Promise<string[]>,
): Promise<Outcome> {
  const gateways = new Gateways(cluster.gateways, rootKey, random);
  const world = await makeWorld(gateways);
  const { agents, hive } = world;
  const standing = Object.values(agents).flat();
  const ledger = new Ledger();
  const crew = new Crew(gateways, world, receiver, ledger, random, restMs);
  crew.begin(clients);
  await Promise.all(
    faults.map(async (fault) => {
      await pause(fault.at);
      await cluster.suffer(fault);
    }),
  );
  await cluster.heal();
  await everyKind(ledger);
  const patient = <T>(work: () => Promise<T>): Promise<T> => {
    gateways.patienceEnd = Date.now() + patienceMs;
    return work();
  };
  await patient(() => crew.end());
  diary.push(
    'Requests were sent again because of:',
    ...[...gateways.retries]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 12)
      .map(([why, n]) => `${n} x ${why}`),
  );
  const unrest = await patient(() => atRest(gateways, standing, receiver, ledger, busy));
  const facts = await patient(() => readFacts(gateways, ledger, receiver, standing, hive));
  return {
    summary: summaryOf(ledger, gateways, faults, facts.events.size),
    problems: [
      ...unrest,
      ...ledger.problems,
      ...problemsOf(ledger, facts, { all: standing, stepping: new Set(agents.workers), hive }),
    ],
  };
}

/**
 * However slow the machine is, something of each kind is there to be lost. Gives up after a while: what is not answered
 * by then shows in the checks.
 */
async function everyKind(ledger: Ledger): Promise<void> {
  const missing = (): boolean => kinds.some((kind) => !ledger.entries.some((e) => e.kind === kind && e.id !== null));
  for (const end = Date.now() + patienceMs; missing() && Date.now() < end;) await pause(100);
}

async function makeWorld(gateways: Gateways): Promise<World> {
  const spawn = (n: number, name: string, more: object): Promise<string[]> =>
    Promise.all(
      Array.from({ length: n }, async (_, i) =>
        String(
          (
            await gateways.data({
              method: 'POST',
              path: '/v1/agents/spawn',
              body: { name: `${name}-${i}`, ...more },
              key: `${name}-${i}`,
            })
          )['id'],
        ),
      ),
    );
  const slow = { model: 'openai/slow', multi_step: true, max_steps: 100 };
  const hive = String(
    (await gateways.data({ method: 'POST', path: '/v1/hives', body: { name: 'hive' }, key: 'hive' }))['id'],
  );
  const agents = {
    workers: await spawn(6, 'worker', { config: slow, hives: [hive] }),
    talkers: await spawn(4, 'talker', {}),
    relays: await spawn(4, 'relay', { config: slow, wake_on_message: true }),
    sinks: await spawn(2, 'sink', {}),
  };
  return { agents, hive };
}

/**
 * Until every run has ended, no entity has work left and nothing new appears, for two looks in a row. Says what was
 * still going on where patience ended.
 */
async function atRest(
  gateways: Gateways,
  standing: readonly string[],
  receiver: Receiver,
  ledger: Ledger,
  busy: () => Promise<string[]>,
): Promise<string[]> {
  let before = '';
  let open: string[] = [];
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(1_000)) {
    const runs = await Promise.all(standing.map((id) => gateways.list(`/v1/agent-constellations/${id}/runs`)));
    const messages = await Promise.all(standing.map((id) => gateways.list(`/v1/agent-constellations/${id}/messages`)));
    open = [
      ...runs
        .flatMap((r) => r.items)
        .filter((r) => !isTerminal(String(r['status'])))
        .map((r) => `${String(r['id'])} of ${String(r['agent_id'])} is ${String(r['status'])}`),
      ...(await busy()).map((entity) => `${entity} has work left`),
    ];
    const now = JSON.stringify([
      runs.map((r) => r.total),
      messages.map((m) => m.total),
      ledger.pushes.map(({ path }) => arrivalsAt(receiver, path).length),
    ]);
    if (open.length === 0 && now === before) return [];
    before = now;
  }
  return [
    `K4 not at rest ${patienceMs / 1000} s after all was healed: ${open.join(', ') || 'something new still appears'}`,
  ];
}

function summaryOf(
  { entries, stories, pushes, looks }: Ledger,
  { retries, longestMs }: Gateways,
  faults: readonly Fault[],
  runs: number,
): string {
  const kinds = new Map<string, number>();
  for (const { kind } of entries) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return [
    `${faults.length} faults`,
    `${entries.length} things sent (${[...kinds].map(([kind, n]) => `${kind} ${n}`).join(', ')}), ${[...retries.values()].reduce((a, b) => a + b, 0)} requests sent again, the last answered after ${(longestMs / 1000).toFixed(1)} s`,
    `${runs} runs`,
    `${stories.length} streams over ${stories.reduce((n, s) => n + s.connections, 0)} connections`,
    `${pushes.length} tasks with pushes`,
    ...Object.entries(looks).map(([what, n]) => `${what}: ${n}`),
  ].join('; ');
}
