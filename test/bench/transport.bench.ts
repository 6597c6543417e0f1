/**
 * A command and its answer between two processes over one Redis (src/bus/redis/transport.ts), and what batching is
 * worth.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { redisService } from '../helpers/redis-service.js';
import { percentile, type Bench, type Row } from './harness.js';
import { openLane, type LaneKind } from './transport-lanes.js';

const inFlight = [1, 32, 256] as const;
const target = 50_000;
const warmMs = 1000;
const measureMs = 3000;
const rounds = 2;
const body = 'x'.repeat(420); // with id and names about 450 B

/** `cpuMicros`: of the asking process, for each command; what other load on the machine changes least. */
interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  cpuMicros: number;
}

async function measure(kind: LaneKind, url: string, width: number): Promise<Measured> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./transport-echo.js', import.meta.url)), kind, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lane = openLane(kind, url);
  const sentAt = new Map<number, number>();
  const times: number[] = [];
  try {
    const [other] = (await once(createInterface(child.stdout), 'line')) as [string];
    let next = 0;
    let counting = false;
    let answered = 0;
    const ask = (): void => {
      sentAt.set(++next, performance.now());
      lane.send(other, { id: next, body });
    };
    await lane.start((_, message) => {
      const { id } = message as { id: number };
      const sent = sentAt.get(id);
      if (sent === undefined) return;
      sentAt.delete(id);
      if (counting) {
        answered++;
        times.push(performance.now() - sent);
      }
      ask();
    });
    for (let i = 0; i < width; i++) ask();
    await new Promise((resolve) => {
      setTimeout(resolve, warmMs);
    });
    counting = true;
    const began = performance.now();
    const usedBefore = process.cpuUsage();
    await new Promise((resolve) => {
      setTimeout(resolve, measureMs);
    });
    counting = false;
    const { user, system } = process.cpuUsage(usedBefore);
    return {
      perSecond: answered / ((performance.now() - began) / 1000),
      cpuMicros: (user + system) / answered,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
    };
  } finally {
    await lane.close();
    child.kill('SIGKILL');
  }
}

const best = (all: readonly Measured[]): Measured => all.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
const shown = ({ p50, p99, cpuMicros }: Measured): string =>
  `${p50.toFixed(2)} / ${p99.toFixed(2)} ms, ${cpuMicros.toFixed(0)} us of CPU`;

export const bench: Bench = {
  name: 'transport over Redis: command and answer between two processes, 450 B',
  async run() {
    const redis = await redisService();
    if (redis === null) throw new Error('no redis-server on PATH and no REDIS_URL');
    const rows: Row[] = [];
    try {
      for (const width of inFlight) {
        const ours: Measured[] = [];
        const theirs: Measured[] = [];
        for (let i = 0; i < rounds; i++) {
          ours.push(await measure('batched', redis.url, width));
          theirs.push(await measure('group', redis.url, width));
        }
        const [a, b] = [best(ours), best(theirs)];
        rows.push({
          what: `${width} in flight`,
          figure: a.perSecond,
          unit: '/s',
          baseline: { what: 'one entry a message, consumer group', figure: b.perSecond },
          ...(width === 256 && { target: '>= 50,000/s', met: a.perSecond >= target }),
          note: `p50 / p99, and CPU of the asking process a command: ${shown(a)}; baseline ${shown(b)}`,
        });
      }
    } finally {
      await redis.stop();
    }
    return rows;
  },
};
