/**
 * `npm run test:sim -- --seeds 10000 [--from 1] [--verbose]`: simulates so many schedules and says at which seeds
 * something was wrong, and what. One seed alone (`--seeds 1 --from N`) replays exactly, with its diary.
 */
import { simulate } from './round.js';

const option = (name: string, otherwise: number): number => {
  const i = process.argv.indexOf(`--${name}`);
  return i < 0 ? otherwise : Number(process.argv[i + 1]);
};
const seeds = option('seeds', 200);
const from = option('from', 1);
const verbose = process.argv.includes('--verbose') || seeds === 1;
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const failed: number[] = [];
const started = performance.now();
for (let seed = from; seed < from + seeds; seed++) {
  const { problems, diary, summary, events } = await simulate(seed);
  if (verbose) say(`seed ${seed}: ${summary}; ${events} events`);
  if (problems.length > 0) {
    failed.push(seed);
    say(`seed ${seed}: ${problems.length} problems\n  ${problems.slice(0, 12).join('\n  ')}`);
    if (seeds === 1) say(diary.join('\n'));
  }
  if ((seed - from + 1) % 100 === 0)
    say(
      `${seed - from + 1} schedules, ${failed.length} failed, ${((performance.now() - started) / 1000).toFixed(0)} s`,
    );
}
say(`${seeds} schedules, ${failed.length} failed${failed.length > 0 ? `: seeds ${failed.join(', ')}` : ''}`);
process.exitCode = failed.length > 0 ? 1 : 0;
