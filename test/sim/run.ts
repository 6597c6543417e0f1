/**
 * `npm run test:sim -- --seeds 10000 [--from 1] [--jobs N] [--verbose]`: simulates so many schedules, in as many
 * processes as there are processors, and says at which seeds something was wrong, and what. One seed alone (`--seeds 1
 * --from N`) replays exactly, with its diary.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Outcome, simulate } from './round.js';

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    verbose: { type: 'boolean', default: false },
  },
});
const [seeds, from, jobs] = [Number(options.seeds), Number(options.from), Number(options.jobs)];

/** A schedule makes many objects that do not last. */
const flags = ['--max-semi-space-size=64'];

if (process.send) {
  Error.stackTraceLimit = 0; // nobody reads the stacks of the many errors that outages cause
  process.on('message', (seed: number) => {
    void simulate(seed).then((outcome) => process.send?.({ ...outcome, diary: [] }));
  });
} else process.exitCode = await simulateAll();

async function simulateAll(): Promise<number> {
  const failed: number[] = [];
  const started = performance.now();
  let done = 0;
  const told = (seed: number, { problems, diary, summary, events }: Outcome): void => {
    done++;
    if (options.verbose || seeds === 1) say(`seed ${seed}: ${summary}; ${events} events`);
    if (problems.length > 0) {
      failed.push(seed);
      say(`seed ${seed}: ${problems.length} problems\n  ${problems.slice(0, 12).join('\n  ')}`);
    }
    if (seeds === 1) say(diary.join('\n'));
    if (done % 100 === 0)
      say(`${done} schedules, ${failed.length} failed, ${((performance.now() - started) / 1000).toFixed(0)} s`);
  };
  if (seeds === 1) told(from, await simulate(from));
  else await inProcesses(told);
  failed.sort((a, b) => a - b);
  say(`${seeds} schedules, ${failed.length} failed${failed.length > 0 ? `: seeds ${failed.join(', ')}` : ''}`);
  return failed.length > 0 ? 1 : 0;
}

/** Each process simulates one schedule after another; one that dies fails the whole run. */
async function inProcesses(told: (seed: number, outcome: Outcome) => void): Promise<void> {
  let next = from;
  const worker = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = fork(fileURLToPath(import.meta.url), { execArgv: [...process.execArgv, ...flags] });
      let seed = 0;
      let ended = false;
      const goOn = (): void => {
        if (next < from + seeds) child.send((seed = next++));
        else {
          ended = true;
          child.disconnect();
          resolve();
        }
      };
      child.on('message', (outcome: Outcome) => {
        told(seed, outcome);
        goOn();
      });
      child.on('exit', (code, signal) => {
        if (!ended) reject(new Error(`the process that simulated seed ${seed} ended with ${String(signal ?? code)}`));
      });
      goOn();
    });
  await Promise.all(Array.from({ length: Math.min(jobs, seeds) }, worker));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
