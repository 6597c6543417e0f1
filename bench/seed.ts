/**
 * Fills a store directly, by the same decisions that the service would make, but without steps that would end the runs.
 */
import { randomBytes } from 'node:crypto';
import { decideAgent, newAgent } from '../src/domain/agent/agent.js';
import type { AgentState } from '../src/domain/agent/agent-state.js';
import type { Decision, Env } from '../src/domain/shared/draft.js';
import { idSource } from '../src/domain/shared/ids.js';
import type { Store } from '../src/store/port.js';
import { rate } from './mailbox.bench.js';

const ids = idSource(randomBytes);
const env = (): Env => ({
  now: Date.now(),
  ids,
  remarkOf: () => 'tells',
  defaults: { maxSteps: 10, maxRuntimeSeconds: 300, messageBudget: 1000 },
});

const commit = (
  store: Store,
  id: string,
  seq: number,
  d: Decision<AgentState>,
  previousCounts: Readonly<Record<string, number>>,
): Promise<unknown> =>
  store.commit({
    entity: { workspace: 'default', kind: 'agent', id },
    seq,
    snapshot: { ...d.state.agent },
    counts: d.state.counts,
    previousCounts,
    active: d.state.agent.running.length > 0,
    due: null,
    deleted: false,
    puts: d.puts,
    deletes: d.deletes,
    records: [],
  });

/** Agents without anything else; agents per second. */
export const seedAgents = (store: Store, n: number): Promise<number> =>
  rate(n, 5000, (i) => {
    const id = ids('agent', Date.now());
    return commit(store, id, 1, newAgent(id, { name: `agent ${i}`, description: 'one of many' }, env()), {});
  });

/** Agents with a run of several steps in progress, as a process that was killed leaves them. */
export const seedOpenRuns = (store: Store, n: number): Promise<number> =>
  rate(n, 1000, async (i) => {
    const id = ids('agent', Date.now());
    const spawned = newAgent(id, { name: `agent ${i}`, config: { multi_step: true } }, env());
    await commit(store, id, 1, spawned, {});
    const begun = decideAgent(
      spawned.state,
      {
        type: 'run',
        input: 'work in 3 steps: what do we know about the launch?',
        triggeredBy: 'api',
        direct: false,
      },
      env(),
    );
    await commit(store, id, 2, begun, spawned.state.counts);
  });
