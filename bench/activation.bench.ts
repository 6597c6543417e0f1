/** What an agent costs that is loaded, idles, and leaves memory again. */
import { spawnAgent } from '../src/commands/agents.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, percentile, type Row } from './harness.js';
import { caller, withEngine } from './mailbox.bench.js';
import { cancelRun } from '../src/commands/runs.js';

const agents = 5000;

function heap(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

export const bench: Bench = {
  name: `activation: ${agents} agents on the embedded store`,
  run: (): Promise<Row[]> =>
    withEngine(async (engine) => {
      const { service } = engine;
      const ids: string[] = [];
      for (let i = 0; i < agents; i += 100)
        ids.push(
          ...(
            await Promise.all(
              Array.from({ length: 100 }, (_, j) =>
                service.execute(caller, spawnAgent, {}, { name: `agent ${i + j}`, description: 'idles' }),
              ),
            )
          ).map((a) => a.id),
        );
      const passivated = async (): Promise<void> => {
        while (engine.stats().active > 1) await sleep(50);
      };
      await passivated();
      const before = heap();
      const times: number[] = [];
      for (const id of ids) {
        const began = performance.now();
        await service.execute(caller, cancelRun, { id, runId: 'run_missing' }).catch(() => undefined);
        times.push(performance.now() - began);
      }
      const active = engine.stats().active;
      const loaded = heap();
      await passivated();
      const after = heap();
      const perAgent = (loaded - before) / agents;
      const left = (after - before) / agents;
      return [
        {
          what: 'load an agent and be refused by it (nothing is written), p50',
          figure: percentile(times, 0.5) * 1000,
          unit: 'us',
          target: '<= 1 ms',
          met: percentile(times, 0.5) <= 1,
          note: `p99 ${(percentile(times, 0.99) * 1000).toFixed(0)} us; one at a time; ${active} actors in memory afterwards`,
        },
        {
          what: 'heap of an idle active agent',
          figure: perAgent,
          unit: 'bytes',
          target: '<= 4,096',
          met: perAgent <= 4096,
        },
        {
          what: 'heap left of it after passivation',
          figure: left,
          unit: 'bytes',
          target: '0',
          met: Math.abs(left) < 64,
          note: 'what is left is divided by the number of agents; noise of the heap included',
        },
      ];
    }, 4000),
};
