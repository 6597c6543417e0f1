/**
 * One process of the benchmark of first answers, over a folder of the embedded store or a database of MongoDB, with the
 * engine that a single process has. What it does is said by its arguments:
 *   seed STORE AGENT N     an agent with N memories in sessions of their own
 *   keep STORE AGENT       has it answer and its index kept, changes 200 memories, and dies as by kill -9
 *   answer STORE AGENT     has it answer a question, then told something; prints what each took
 *   rebuild STORE AGENT    the same without images
 */
import { spawnAgent } from '../src/commands/agents.js';
import { randomBytes } from 'node:crypto';
import { startEmbeddedEngine } from '../actors/embedded-engine.js';
import { imageSource, recallSource } from '../actors/entities/recall-indexes.js';
import { TenantBounds } from '../actors/quota/tenant-bounds.js';
import { createInProcessBus } from '../src/bus/in-process.js';
import { iso } from '../src/domain/shared/clock.js';
import { idSource } from '../src/domain/shared/ids.js';
import { createInMemoryLimits } from '../src/limits/in-memory.js';
import { tierLimits } from '../src/limits/tiers.js';
import { createRecall } from '../src/memory/recall.js';
import { RecallSnapshots } from '../src/memory/snapshots.js';
import { createBuiltIn } from '../src/reasoner/built-in/steps.js';
import { createKeyring } from '../src/secrets/keyring.js';
import { openLmdbStore } from '../src/store/lmdb/open.js';
import { openMongoStore } from '../src/store/mongo/open.js';
import type { Commit, EntityRef, Head } from '../src/store/port.js';
import { createMetrics } from '../src/telemetry/metrics.js';
import { caller, noPush, realClock } from '../test/helpers/engine.js';
import { workspaceCommit } from '../test/helpers/stored.js';
import { textOf, randomSource } from './words.js';

const [what = '', at = '', agent = '', count = '0'] = process.argv.slice(2);
const store = await (at.startsWith('mongodb') ? openMongoStore({ url: at }) : openLmdbStore({ dir: at }));
const ids = idSource(randomBytes);
const entity = { workspace: caller.workspace, kind: 'agent', id: agent } as const;

function start(keeps: boolean) {
  const warn = (fields: object, text: string): void => {
    process.stderr.write(`${text} ${JSON.stringify(fields)}\n`);
  };
  const log = { info: () => undefined, warn, error: warn, debug: () => undefined };
  const recall = createRecall({
    source: recallSource(store),
    clock: realClock,
    maxBytes: 64 * 1024 * 1024,
    log,
    ...(keeps && store.images && { snapshots: new RecallSnapshots({ source: imageSource(store, store.images), log }) }),
  });
  const engine = startEmbeddedEngine({
    deps: {
      store,
      clock: realClock,
      ids,
      log,
      metrics: createMetrics(),
      bus: createInProcessBus(log),
      bounds: new TenantBounds({ store, clock: realClock, limits: createInMemoryLimits({ holdMs: 30_000 }) }),
      recall,
      reasonerFor: () => createBuiltIn(),
      push: noPush,
      pushRetry: { tries: 3, firstPauseMs: 1 },
      defaults: { maxSteps: 10, maxRuntimeSeconds: 300, messageBudget: 1000 },
    },
    tiers: tierLimits({ requestsPerMinute: 1_000_000, searchesPerMinute: 500_000, concurrent: 10_000 }),
    keyring: createKeyring([new Uint8Array(32)]),
    randomBytes,
    idleMs: 300_000,
    messageWaitMs: 30_000,
    filesMaxBytes: 1024,
    modelServers: [],
    heartbeatMs: 60_000,
  });
  return { engine, recall };
}

async function headOf(of: EntityRef): Promise<Head> {
  const head = await store.load(of);
  if (!head) throw new Error('the agent is not there');
  return head;
}

async function seed(n: number): Promise<void> {
  if (!(await store.head({ workspace: caller.workspace, kind: 'workspace', id: caller.workspace })))
    await store.commit(workspaceCommit(caller.workspace, 'enterprise'));
  const { engine } = start(false);
  const { id } = await engine.service.execute(caller, spawnAgent, {}, { name: 'bench' });
  await engine.stop(1000);
  const of = { ...entity, id };
  let head = await headOf(of);
  const random = randomSource(n);
  const began = Date.now() - n * 60_000;
  for (let from = 0; from < n; from += 1000) {
    const puts = Array.from({ length: Math.min(1000, n - from) }, (_, i) => {
      const time = began + (from + i) * 60_000;
      const own = ids('memory', time);
      const body = {
        id: own,
        type: 'episodic',
        content: textOf(n, random),
        agent_id: id,
        hive_id: null,
        shared_by: null,
        sessionId: `s${from + i}`,
        position: 0,
        importance: 0.5,
        metadata: {},
        expires_at: null,
        created_at: iso(time),
        updated_at: iso(time),
      };
      return { kind: 'memory' as const, id: own, body, isNew: true };
    });
    const counts = { ...head.counts, memories: (head.counts['memories'] ?? 0) + puts.length };
    const next: Commit = {
      ...head,
      seq: head.seq + 1,
      counts,
      puts,
      deletes: [],
      records: [],
      previousCounts: head.counts,
    };
    if ((await store.commit(next)) !== 'committed') throw new Error('a commit did not take effect');
    head = next;
  }
  store.release(of, head.seq);
  process.stdout.write(id);
}

async function measured(work: () => Promise<unknown>): Promise<{ ms: number; cpu: number }> {
  const [before, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const used = process.cpuUsage(cpu);
  return { ms: performance.now() - before, cpu: (used.user + used.system) / 1000 };
}

async function answer(keeps: boolean): Promise<void> {
  const { engine, recall } = start(keeps);
  let longest = 0;
  let last = performance.now();
  const ticks = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 1);
    last = performance.now();
  }, 1);
  const { service } = engine;
  const first = await measured(() =>
    service.messageAgent(caller, agent, { content: 'What did we say of baba and coco?' }),
  );
  const told = await measured(() =>
    service.messageAgent(caller, agent, { content: `Remember that the code of locker ${Date.now()} is 7919.` }),
  );
  const warm = await measured(() => service.messageAgent(caller, agent, { content: 'What is the code of locker 3?' }));
  clearInterval(ticks);
  process.stdout.write(JSON.stringify({ first, told, warm, longest, memory: recall.stats().bytes }));
}

async function keep(): Promise<void> {
  const { engine, recall } = start(true);
  // an answer would be waited for a while only, and a search until the index is there
  await engine.service.searchMemories(caller, { query: 'baba', agent_id: agent, limit: 5 });
  const kept = await measured(() => recall.keep(() => true));
  for (let n = 0; n < 200; n++)
    await engine.service.createMemory(caller, {
      agent_id: agent,
      type: 'semantic',
      content: `Order ${n} of ${Date.now()} went to dock ${n % 7}.`,
    });
  process.stdout.write(JSON.stringify(kept));
  process.kill(process.pid, 'SIGKILL');
}

if (what === 'seed') await seed(Number(count));
else if (what === 'keep') await keep();
else await answer(what === 'answer');
process.exit(0);
