/**
 * Runs test files in several processes of mocha side by side:
 *
 *   tsx test/run.ts [--config FILE]... [--ignore GLOB]... [--jobs N] [--result FILE] [--may-skip REGEXP] [FILE]...
 *
 * The files are those of mocha's configurations (.mocharc.json if none is named) unless some are named. Each process
 * runs a few files that are close to each other. Mocha's own --parallel would lose a failure outside of tests; here a
 * process that does not end with 0 is a failure, whatever it has reported. How long it will take is told at the start,
 * by how long the files took here last; how far it is, every 15 seconds. The files of at most five failed tests, or
 * of a process that a signal has ended, run once more by themselves: what passes then was disturbed by its neighbours or
 * by the machine, which is told, and counts as passed. In the end come the slowest files and everything that failed;
 * `--result` keeps the totals as JSON, for .ci/run. With `--may-skip` a test that is skipped has failed unless its file and title match; without it
 * tests may be skipped.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Failure, Tally } from './helpers/tally-reporter.cjs';

/** The part of mocha's configuration that is used here. */
interface MochaConfig {
  spec: string[];
  ignore?: string[];
  require?: string[];
  timeout: number;
}
interface Batch {
  files: string[];
  ms: number;
  tally: Tally;
  failures: Failure[];
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    config: { type: 'string', multiple: true, default: ['.mocharc.json'] },
    ignore: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: '2' },
    result: { type: 'string' },
    'may-skip': { type: 'string' },
  },
});
const configs = options.config.map((file) => JSON.parse(readFileSync(file, 'utf8')) as MochaConfig);
const maySkip = options['may-skip'] === undefined ? null : new RegExp(options['may-skip']);

/**
 * Where files take longest, they start first and few share a process, so that no process is left with many at the end.
 */
const folders: readonly { name: string; filesPerProcess: number }[] = [
  { name: 'test/sim/', filesPerProcess: 1 },
  { name: 'test/e2e/', filesPerProcess: 5 },
  { name: 'test/chaos/', filesPerProcess: 5 },
  { name: 'test/model/', filesPerProcess: 12 },
  { name: 'test/integration/', filesPerProcess: 16 },
  { name: 'test/', filesPerProcess: 32 },
];
const nothing: Tally = { ended: false, passes: 0, failed: [], skipped: [], files: {} };
const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(7);

/**
 * A process gets so long to end after its last test. Node 20 was seen to turn in a circle while it closes its handles
 * at the very end, for good, in one run.
 */
const leaveMs = 60_000;
const progressMs = 15_000;
/** How long the files took here last, ms. */
const timesFile = 'node_modules/.cache/test-times.json';

// leaves by the handlers of `exit`, which end the processes of tests
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const scratch = mkdtempSync(join(tmpdir(), 'hivekeep-tests-'));
process.once('exit', () => {
  rmSync(scratch, { recursive: true, force: true });
});

const waiting = batchesOf(positionals.length > 0 ? positionals : chosenFiles());
const batches: Batch[] = [];
let runs = 0;
const all = waiting.flat().length;
const started = Date.now();
const running = new Map<readonly string[], number>();
process.stdout.write(
  `${all} files in ${waiting.length} processes, ${options.jobs} side by side; ${expected(waiting.flat())}\n`,
);
const progress = setInterval(() => {
  const done = batches.reduce((sum, { files }) => sum + files.length, 0);
  const names = [...running].map(([[first = ''], since]) => `${first} (${seconds(Date.now() - since).trim()} s)`);
  process.stdout.write(
    `${seconds(Date.now() - started)} s  ${done} of ${all} files done; on from ${names.join(', ')}\n`,
  );
}, progressMs);
await Promise.all(
  Array.from({ length: Number(options.jobs) }, async () => {
    for (let files = waiting.shift(); files; files = waiting.shift()) batches.push(await run(files));
  }),
);
clearInterval(progress);
keepTimes(batches);
process.exitCode = report(batches, await forgiven(batches));

function lastTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>;
  } catch {
    return {}; // none was kept
  }
}

/** How long these files will take, in words. */
function expected(files: readonly string[]): string {
  const times = lastTimes();
  const known = files.flatMap((file) => times[file] ?? []);
  if (known.length < files.length / 2) return 'how long they take here is not known yet (CONTRIBUTING.md)';
  const each = known.reduce((sum, ms) => sum + ms, 0) / known.length;
  const minutes = (each * files.length) / Number(options.jobs) / 60_000;
  return minutes < 1
    ? 'less than a minute, as they took last'
    : `about ${Math.ceil(minutes)} minutes, as they took last`;
}

/** A file takes its share of what its process took, beyond its own tests. */
function keepTimes(done: readonly Batch[]): void {
  const times = lastTimes();
  for (const { files, ms, tally } of done) {
    const spent = Object.values(tally.files).reduce((sum, own) => sum + own, 0);
    const rest = Math.max(0, ms - spent) / files.length;
    for (const file of files) times[file] = Math.round((tally.files[file] ?? 0) + rest);
  }
  mkdirSync(dirname(timesFile), { recursive: true });
  writeFileSync(timesFile, JSON.stringify(times));
}

/** The files of the configurations, by their patterns. */
function chosenFiles(): string[] {
  const all = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((name) => join('test', name));
  const chosen = configs.flatMap(({ spec, ignore = [] }) => {
    const excluded = [...ignore, ...options.ignore].map(pattern);
    const included = spec.map(pattern);
    return all.filter((name) => included.some((is) => is.test(name)) && !excluded.some((is) => is.test(name)));
  });
  return [...new Set(chosen)];
}

/** A pattern of `*` and `**` as a regular expression. */
function pattern(glob: string): RegExp {
  const meaning: Record<string, string> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' };
  const parts = glob
    .split(/(\*\*\/|\*\*|\*)/)
    .map((part) => meaning[part] ?? part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('')}$`);
}

/** Groups files that are close to each other, in the order in which they start. */
function batchesOf(files: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const folder of folders) {
    const inside = files.filter((file) => folders.find(({ name }) => file.startsWith(name)) === folder).sort();
    for (let i = 0; i < inside.length; i += folder.filesPerProcess)
      groups.push(inside.slice(i, i + folder.filesPerProcess));
  }
  return groups;
}

/** Runs some files in one process, and tells how it went in a line. */
async function run(files: string[]): Promise<Batch> {
  const tallyFile = join(scratch, `${runs++}.json`);
  const [{ require = [], timeout }] = configs as [MochaConfig];
  const begun = Date.now();
  running.set(files, begun);
  const { output, ending } = await mocha(
    [...require.flatMap((file) => ['--require', file]), '--timeout', String(timeout), ...files],
    tallyFile,
  );
  running.delete(files);
  const ms = Date.now() - begun;
  const tally = existsSync(tallyFile) ? (JSON.parse(readFileSync(tallyFile, 'utf8')) as Tally) : nothing;
  const failures = [...tally.failed];
  for (const { file, title } of tally.skipped)
    if (maySkip && !maySkip.test(`${file}: ${title}`))
      failures.push({ file, title, lines: ['  was skipped'], skipped: true });
  if (!tally.ended || (ending !== '0' && tally.failed.length === 0))
    failures.push({
      file: null,
      ...(ending.startsWith('SIG') && { ended: files }),
      title: `a process ended with ${ending}, outside of any test`,
      lines: [...files.map((file) => `  ${file}`), ...output.trimEnd().split('\n').slice(-60)],
    });
  const what = files.length === 1 ? files[0] : `${files[0]} to ${files.at(-1)} (${files.length})`;
  const wrong = failures.length > 0 ? `, ${failures.length} failed: ${failures.map((f) => f.title).join('; ')}` : '';
  process.stdout.write(`${seconds(ms)} s  ${what}: ${tally.passes} passed${wrong}\n`);
  return { files, ms, tally, failures };
}

/** A process of mocha, to its end: its exit code or signal, and what it has printed last. */
function mocha(args: readonly string[], tallyFile: string): Promise<{ output: string; ending: string }> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      'node_modules/mocha/bin/mocha.js',
      '--no-config',
      ...args,
      '--reporter',
      'test/helpers/tally-reporter.cts',
    ],
    // in a group of its own, so that servers which it has started end with it
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TALLY_FILE: tallyFile }, detached: true },
  );
  const end = (): void => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // nobody of the group is left
    }
  };
  process.once('exit', end);
  let output = '';
  const listen = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-100_000);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  return new Promise((resolve, reject) => {
    const ender = setInterval(() => {
      if (!hasEnded(tallyFile)) return;
      clearInterval(ender);
      leaving = setTimeout(() => {
        process.stdout.write('  a process had not ended a minute after its last test, and was ended\n');
        end();
      }, leaveMs);
    }, 1000);
    let leaving: NodeJS.Timeout | undefined;
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearInterval(ender);
      clearTimeout(leaving);
      end();
      process.removeListener('exit', end);
      resolve({ output, ending: signal === 'SIGKILL' && hasEnded(tallyFile) ? '0' : String(code ?? signal) });
    });
  });
}

/** Whether all tests of a process are done and told. */
function hasEnded(tallyFile: string): boolean {
  try {
    return (JSON.parse(readFileSync(tallyFile, 'utf8')) as Tally).ended;
  } catch {
    return false; // not written yet, or only in part
  }
}

/** The few failures that do not occur when their files run again by themselves. */
async function forgiven(done: readonly Batch[]): Promise<ReadonlySet<Failure>> {
  const failures = done.flatMap((batch) => batch.failures);
  const files = new Set(failures.flatMap(({ file, ended = [] }) => (file === null ? ended : [file])));
  const isFinal = ({ file, skipped, ended }: Failure): boolean => skipped === true || (file === null && !ended);
  if (failures.length === 0 || failures.length > 5 || failures.some(isFinal)) return new Set();
  process.stdout.write('\nonce more:\n');
  const { failures: still } = await run([...files]);
  return new Set(
    still.some(({ file }) => file === null) ? [] : failures.filter((f) => !still.some((s) => s.title === f.title)),
  );
}

/** Prints the end of the report and writes the result; returns the exit code. */
function report(done: readonly Batch[], excused: ReadonlySet<Failure>): number {
  const slowest = done.flatMap(({ tally }) => Object.entries(tally.files)).sort(([, a], [, b]) => b - a);
  process.stdout.write(`\nthe slowest of ${slowest.length} files:\n`);
  for (const [file, ms] of slowest.slice(0, 10)) process.stdout.write(`${seconds(ms)} s  ${file}\n`);
  const failures = done.flatMap((batch) => batch.failures).filter((failure) => !excused.has(failure));
  const passed = done.reduce((sum, { tally }) => sum + tally.passes, 0) + excused.size;
  const skipped =
    done.reduce((sum, { tally }) => sum + tally.skipped.length, 0) - failures.filter((f) => f.skipped).length;
  const texts = failures.map(({ file, title, lines }, i) =>
    [`${i + 1}) ${title}`, ...(file === null ? [] : [`  in ${file}`]), ...lines].join('\n'),
  );
  if (texts.length > 0) process.stdout.write(`\n${texts.join('\n\n')}\n`);
  const disturbed = [...excused].map(({ title }) => `passed when it ran again: ${title}`);
  for (const line of disturbed) process.stdout.write(`\n${line}`);
  process.stdout.write(`\n${passed} passed, ${failures.length} failed, ${skipped} skipped\n`);
  if (options.result !== undefined)
    writeFileSync(
      options.result,
      `${JSON.stringify({ passed, failed: failures.length, skipped, texts, disturbed })}\n`,
    );
  return failures.length === 0 ? 0 : 1;
}
