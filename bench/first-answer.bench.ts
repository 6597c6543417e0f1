/**
 * The first answer of a large agent after its process was killed, from the image of its index and 200 memories that
 * were written since, beside that from all of its documents: wall time and CPU of one message, in a process that has
 * opened its store and answered nothing yet. With MONGODB_URL also over MongoDB (docs/recall.md).
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { percentile, type Bench, type Row } from './harness.js';

const script = fileURLToPath(new URL('./first-answer.js', import.meta.url));
const size = 100_000;
const rounds = 5;

interface Took {
  ms: number;
  cpu: number;
}

const run = (...args: string[]): string => {
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  if (status !== 0 && signal !== 'SIGKILL') throw new Error(stderr);
  return stdout;
};

function rowsOf(name: string, store: string, mostMs: number): Row[] {
  const agent = run('seed', store, '-', String(size));
  run('keep', store, agent);
  const first = (what: string, times: number): Took[] =>
    Array.from({ length: times }, () => (JSON.parse(run(what, store, agent)) as { first: Took }).first);
  const median = (of: readonly Took[], field: keyof Took): number =>
    percentile(
      of.map((took) => took[field]),
      0.5,
    );
  const [kept, rebuilt] = [first('answer', rounds), first('rebuild', 1)];
  const row = (field: keyof Took, unit: string): Row => ({
    what: `first answer of ${size.toLocaleString('en-US')} memories, ${name}`,
    figure: median(kept, field),
    unit,
    baseline: { what: 'from all documents', figure: median(rebuilt, field) },
  });
  const wall = row('ms', 'ms');
  return [{ ...wall, target: `<= ${mostMs} ms`, met: wall.figure <= mostMs }, row('cpu', 'ms of CPU')];
}

export const bench: Bench = {
  name: 'first answers after kill -9',
  run() {
    const dir = mkdtempSync(join(tmpdir(), 'hivekeep-bench-'));
    const url = process.env['MONGODB_URL'];
    try {
      return Promise.resolve([
        ...rowsOf('embedded store', join(dir, 'data'), 300),
        ...(url ? rowsOf('MongoDB', url.replace(/\/*(?=\?|$)/, `/bench_${randomUUID().slice(0, 8)}`), 500) : []),
      ]);
    } finally {
      rmSync(dir, { recursive: true });
    }
  },
};
