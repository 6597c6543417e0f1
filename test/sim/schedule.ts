/**
 * Which faults happen when, as a pure function of a seed. Faults of different kinds overlap as they fall; a process has
 * one at a time. Times in ms of virtual time, from the start of the faults.
 */
import { Random } from '../chaos/random.js';

export type Fault = { at: number; ms: number } & (
  | { kind: 'kill' | 'stop' | 'pause' | 'no-store' | 'no-leases' | 'no-peers' | 'old-primary'; process: number }
  | { kind: 'clock-jump'; process: number | 'all'; byMs: number }
  | { kind: 'store-outage' | 'leases-outage' | 'new-primary' }
  | { kind: 'leases-emptied' }
  | { kind: 'lost-answers' | 'bad-network'; perMille: number }
);

const kinds = [
  'kill', 'kill', 'stop', 'pause', 'pause', 'no-store', 'no-leases', 'no-peers', 'clock-jump', 'store-outage',
  'leases-outage', 'leases-emptied', 'lost-answers', 'bad-network', 'old-primary', 'new-primary',
] as const; // prettier-ignore

const hour = 3_600_000;

export function scheduleOf(seed: number, lastMs: number, processes: number): Fault[] {
  const random = new Random(seed);
  const busyUntil = new Map<string, number>();
  const faults: Fault[] = [];
  const n = random.between(3, 10);
  for (let i = 0; i < n; i++) {
    const fault = faultOf(random, random.pick(kinds), random.between(0, lastMs), processes);
    const target = 'process' in fault ? `process ${fault.process}` : fault.kind;
    if ((busyUntil.get(target) ?? 0) > fault.at) continue;
    busyUntil.set(target, fault.at + fault.ms);
    faults.push(fault);
  }
  return faults.sort((a, b) => a.at - b.at);
}

function faultOf(random: Random, kind: (typeof kinds)[number], at: number, processes: number): Fault {
  const process = random.between(0, processes);
  switch (kind) {
    case 'kill':
    case 'stop':
      return { kind, process, at, ms: random.between(0, 4_000) };
    case 'pause':
      return { kind, process, at, ms: random.between(500, 9_000) };
    case 'no-store':
    case 'no-leases':
    case 'no-peers':
      return { kind, process, at, ms: random.between(200, 12_000) };
    case 'old-primary': // steps down when it has missed its majority for 10 s
      return { kind, process, at, ms: random.between(500, 11_000) };
    case 'clock-jump': {
      // what expires by the wall clock may well expire when all clocks jump forward by weeks: that is no fault
      const byMs = random.pick([hour, -hour, 2_000, -2_000]);
      if (random.next() < 0.5) return { kind, process, byMs, at, ms: 0 };
      return { kind, process: 'all', byMs: random.pick([byMs, -30 * 24 * hour]), at, ms: 0 };
    }
    case 'store-outage':
      return { kind, at, ms: random.pick([500, 3_000, 12_000, 40_000, 75_000]) };
    case 'new-primary':
      return { kind, at, ms: random.pick([20, 100, 1_000]) };
    case 'leases-outage':
      return { kind, at, ms: random.pick([500, 3_000, 12_000]) };
    case 'leases-emptied':
      return { kind, at, ms: 0 };
    case 'lost-answers':
    case 'bad-network':
      return { kind, perMille: random.pick([50, 200, 500]), at, ms: random.between(1_000, 10_000) };
  }
}

/** As a line for people. */
export function told(fault: Fault): string {
  const { kind, at, ms, ...rest } = fault;
  return `${(at / 1000).toFixed(2)} s  ${kind} ${Object.values(rest).join(' ')}${ms > 0 ? ` for ${ms} ms` : ''}`;
}
