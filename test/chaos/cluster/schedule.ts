/**
 * Which faults happen when: a pure function of a seed, so that a failure can be had again as far as time allows it.
 *
 *  - Every kind that is possible happens at least once, in an order by the seed; the rest are more of them by chance.
 *  - A process, a server and the network between the two each have one fault at a time; different ones overlap as they
 *    fall.
 *  - A pause is longer than a lease.
 */
import { Random } from '../random.js';
import type { Manner } from './proxy.js';

export type Server = 'mongodb' | 'redis';

/**
 * `at` and `ms` in milliseconds: when, from the start, and for how long the process or the server is away or the
 * network broken.
 */
export type Fault =
  | { kind: 'kill' | 'term' | 'pause'; process: string; at: number; ms: number }
  | { kind: 'network'; process: string; server: Server; manner: Manner; at: number; ms: number }
  | { kind: 'restart'; server: Server; at: number; ms: number };

/** `restartable`: the servers that the test may end and start again (not those that were there before it). */
export interface Setting {
  processes: readonly string[];
  servers: readonly Server[];
  restartable: readonly Server[];
  lastMs: number;
  leaseMs: number;
}

type Kind = { kind: 'kill' | 'term' | 'pause' } | { kind: 'network' | 'restart'; server: Server };

const everyMs = 1_700;
/** What a start takes on a busy machine: what had a fault is left alone for so long after it. */
const recoveryMs = 3_000;

export function scheduleOf(seed: number, setting: Setting): Fault[] {
  const random = new Random(seed);
  const busyUntil = new Map<string, number>();
  const faults: Fault[] = [];
  const kinds = kindsOf(setting);
  const wanted = shuffled(random, kinds);
  const slots = Math.max(Math.floor(setting.lastMs / everyMs), wanted.length);
  while (wanted.length < slots) wanted.push(random.pick(kinds));
  for (const [i, kind] of wanted.entries()) {
    const at = Math.floor((i + random.next() * 0.9) * (setting.lastMs / slots));
    const fault = firstFree(() => faultOf(random, kind, at, setting), busyUntil);
    if (!fault) continue;
    busyUntil.set(targetOf(fault), at + fault.ms + recoveryMs);
    faults.push(fault);
  }
  return faults;
}

/** As a line for people. */
export function told(fault: Fault): string {
  const what =
    fault.kind === 'network'
      ? `network of ${fault.process} to ${fault.server}: ${fault.manner}`
      : `${fault.kind} ${fault.kind === 'restart' ? fault.server : fault.process}`;
  return `${(fault.at / 1000).toFixed(2)} s  ${what} for ${fault.ms} ms`;
}

function kindsOf({ servers, restartable }: Setting): Kind[] {
  return [
    { kind: 'kill' },
    { kind: 'term' },
    { kind: 'pause' },
    ...servers.map((server) => ({ kind: 'network' as const, server })),
    ...restartable.map((server) => ({ kind: 'restart' as const, server })),
  ];
}

function faultOf(random: Random, kind: Kind, at: number, { processes, leaseMs }: Setting): Fault {
  switch (kind.kind) {
    case 'kill':
    case 'term':
      return { kind: kind.kind, process: random.pick(processes), at, ms: random.between(0, 2_000) };
    case 'pause':
      return { kind: kind.kind, process: random.pick(processes), at, ms: random.between(leaseMs * 1.2, leaseMs * 2.2) };
    case 'network':
      return {
        kind: kind.kind,
        process: random.pick(processes),
        server: kind.server,
        manner: random.pick<Manner>(['cut', 'hang', 'hang', 'slow']),
        at,
        ms: random.between(500, leaseMs * 2.5),
      };
    case 'restart':
      return { kind: kind.kind, server: kind.server, at, ms: random.between(0, 1_500) };
  }
}

function firstFree(draw: () => Fault, busyUntil: ReadonlyMap<string, number>): Fault | null {
  for (let i = 0; i < 20; i++) {
    const fault = draw();
    if ((busyUntil.get(targetOf(fault)) ?? 0) <= fault.at) return fault;
  }
  return null;
}

function targetOf(fault: Fault): string {
  switch (fault.kind) {
    case 'network':
      return `${fault.process} - ${fault.server}`;
    case 'restart':
      return fault.server;
    default:
      return fault.process;
  }
}

function shuffled<T>(random: Random, of: readonly T[]): T[] {
  const rest = [...of];
  const out: T[] = [];
  while (rest.length > 0) out.push(...rest.splice(random.between(0, rest.length), 1));
  return out;
}
