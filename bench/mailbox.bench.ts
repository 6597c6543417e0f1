/** Mailbox messages from agent to agent in one process, durable: the actors over the embedded store, without HTTP. */
import { spawnAgent } from '../src/commands/agents.js';
import { sendMessage } from '../src/commands/mailbox.js';
import { randomBytes } from 'node:crypto';
import { createKeyring } from '../src/secrets/keyring.js';
import { tierLimits } from '../src/limits/tiers.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { startEmbeddedEngine, type EmbeddedEngine } from '../actors/embedded-engine.js';
import { recallSource } from '../actors/entities/recall-indexes.js';
import { TenantBounds } from '../actors/quota/tenant-bounds.js';
import { createInMemoryLimits } from '../src/limits/in-memory.js';
import { createInProcessBus } from '../src/bus/in-process.js';
import { idSource } from '../src/domain/shared/ids.js';
import { scopes } from '../src/domain/shared/vocabulary.js';
import { workspaceCommit } from '../test/helpers/stored.js';
import { createRecall } from '../src/memory/recall.js';
import { createBuiltIn } from '../src/reasoner/built-in/steps.js';
import { createReasonerFor } from '../src/reasoner/registry.js';
import type { Caller } from '../src/service.js';
import { openLmdbStore } from '../src/store/lmdb/open.js';
import type { Store } from '../src/store/port.js';
import { noPush } from '../test/helpers/engine.js';
import { createMetrics } from '../src/telemetry/metrics.js';
import { type Bench, percentile, type Row } from './harness.js';

const agents = 1000;
const inFlight = 1000;
const total = 100_000;
const content =
  'The pilot boat leaves at a quarter past eight on weekdays; tell the crane crew to be at the north quay before that.';
export const caller: Caller = {
  workspace: 'default',
  credentialId: 'key_bench',
  tier: 'enterprise',
  scopes,
};
const clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (ms: number, fn: () => void) => {
    const t = setTimeout(fn, ms).unref();
    return () => {
      clearTimeout(t);
    };
  },
};
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function withEngine<T>(
  use: (engine: EmbeddedEngine, store: Store) => Promise<T>,
  idleMs = 600_000,
  reasonerFor = createReasonerFor({ builtIn: createBuiltIn() }),
): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-bench-'));
  const store = await openLmdbStore({ dir });
  await store.commit(workspaceCommit('default', 'enterprise'));
  const engine = startEmbeddedEngine({
    deps: {
      store,
      clock,
      ids: idSource(randomBytes),
      log: silent,
      metrics: createMetrics(),
      bus: createInProcessBus(),
      bounds: new TenantBounds({ store, clock, limits: createInMemoryLimits({ holdMs: 30_000 }) }),
      defaults: { maxSteps: 10, maxRuntimeSeconds: 300, messageBudget: 1000 },
      recall: createRecall({ source: recallSource(store), clock, maxBytes: 64 * 1024 * 1024 }),
      reasonerFor,
      push: noPush,
      pushRetry: { tries: 8, firstPauseMs: 5000 },
    },
    idleMs,
    tiers: tierLimits({ requestsPerMinute: 1_000_000, searchesPerMinute: 500_000, concurrent: 10_000 }),
    messageWaitMs: 60_000,
    filesMaxBytes: 0,
    modelServers: [],
    heartbeatMs: 15_000,
    randomBytes,
    keyring: createKeyring([new Uint8Array(32)]),
  });
  try {
    return await use(engine, store);
  } finally {
    await engine.stop(5000);
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Calls `one` `n` times with `width` calls under way at a time; calls per second. */
export async function rate(n: number, width: number, one: (i: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let i = next++; i < n; i = next++) await one(i);
    }),
  );
  return n / ((performance.now() - began) / 1000);
}

/**
 * The same three documents for each message (head, message, inbox entry), put into lmdb alone and awaited until they
 * are on the disk.
 */
async function putsAlone(): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-bench-'));
  const db = open<string, string>({ path: dir, overlappingSync: false, eventTurnBatching: false, encoding: 'string' });
  const ids = idSource(randomBytes);
  const body = (id: string): string =>
    JSON.stringify({
      id,
      agent_id: 'agent_01k00000000000000000000000',
      from: 'agent_01k00000000000000000000001',
      content,
      reply_to: null,
      metadata: {},
      hops: 0,
      wakes: 0,
      read_at: null,
      created_at: new Date().toISOString(),
    });
  const head = 'h'.repeat(600);
  try {
    return await rate(total, inFlight, (i) => {
      const agent = `default/agent/agent_01k0000000000000000000${i % agents}`;
      const id = ids('message', Date.now());
      void db.put(agent, head);
      void db.put(`${agent}/message/${id}`, body(id));
      return db.put(`${agent}/message/inbox/0/${Number.MAX_SAFE_INTEGER - Date.now()}/${id}`, '');
    });
  } finally {
    await db.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: `mailbox: durable messages agent -> agent in one process, ${agents} agents, ${inFlight} in flight`,
  async run(): Promise<Row[]> {
    const baseline = { what: 'lmdb puts alone, flushed', figure: await putsAlone() };
    return withEngine(async ({ service }) => {
      const ids: string[] = [];
      for (let i = 0; i < agents; i += 100)
        ids.push(
          ...(
            await Promise.all(
              Array.from({ length: 100 }, (_, j) =>
                service.execute(caller, spawnAgent, {}, { name: `agent ${i + j}` }),
              ),
            )
          ).map((a) => a.id),
        );
      const latencies: number[] = [];
      const send = async (i: number): Promise<void> => {
        const began = performance.now();
        await service.execute(
          caller,
          sendMessage,
          { id: ids[(i * 7919) % agents] ?? '' },
          { content, from: ids[i % agents] ?? '' },
        );
        latencies.push(performance.now() - began);
      };
      await rate(total / 5, inFlight, send);
      latencies.length = 0;
      const figure = await rate(total, inFlight, send);
      return [
        {
          what: 'messages',
          figure,
          unit: 'messages/s',
          baseline,
          target: '>= 25,000/s and >= 50 % of the baseline',
          met: figure >= 25_000 && figure >= baseline.figure / 2,
          note: `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms; the baseline puts the same head, message and inbox entry, unconditionally; client -> receiver, without the outbox of a sending agent's run`,
        },
      ];
    });
  },
};
