/**
 * Mocha's `spec` report, and beside it a tally as JSON in the file that TALLY_FILE names, so that .ci/run need not read
 * prose: `{ended, passes, failures, pending, failed, skipped}`, where `failed` has a list of lines for each failed test, hook
 * or error outside of tests, and `skipped` the file and title of each test that was not run. It is written anew at each failure, so that a run which dies still leaves what it knew; `ended`
 * says whether it came to its end. A rejection that nobody handles fails the test in progress, or the run; mocha alone
 * passes it over. Mocha loads reporters with require() and takes what the module is, hence CommonJS.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- the only import there is in CommonJS under verbatimModuleSyntax */
import fs = require('node:fs');
import path = require('node:path');
import mocha = require('mocha');

const { Base, Spec } = mocha.reporters;
/** A failure is told in at most so many lines of so many characters. */
const most = { lines: 30, characters: 2000 };

interface Failure {
  message?: string;
  stack?: string;
  cause?: unknown;
  actual?: unknown;
  expected?: unknown;
  showDiff?: boolean;
}

class TallyReporter extends Spec {
  constructor(runner: mocha.Runner, options: mocha.MochaOptions) {
    super(runner, options);
    const failed: string[][] = [];
    const skipped: string[] = [];
    const write = (ended: boolean): void => {
      const file = process.env['TALLY_FILE'];
      const { passes, failures, pending } = this.stats;
      if (file !== undefined)
        fs.writeFileSync(file, `${JSON.stringify({ ended, passes, failures, pending, failed, skipped })}\n`);
    };
    runner.on('fail', (test, error: unknown) => {
      failed.push(told(test, error));
      write(false);
    });
    runner.on('pending', (test) => {
      skipped.push(`${where(test) ?? 'somewhere'}: ${test.fullTitle()}`);
    });
    runner.once('end', () => {
      write(true);
    });
    process.on('unhandledRejection', (reason) => {
      throw reason;
    });
  }
}

/** The full title and the file, then the message, what differs, the stack and the cause, as far as there is room. */
function told(test: mocha.Runnable, error: unknown): string[] {
  const file = where(test);
  return [test.fullTitle(), ...(file === undefined ? [] : [`  in ${file}`]), ...lines(error)]
    .slice(0, most.lines)
    .map((line) => (line.length > most.characters ? `${line.slice(0, most.characters)}...` : line));
}

const where = ({ file }: mocha.Runnable): string | undefined =>
  file === undefined ? undefined : path.relative(process.cwd(), file);

function lines(error: unknown): string[] {
  const failure: Failure = typeof error === 'object' && error !== null ? error : { message: String(error) };
  const message = failure.message ?? '';
  const stack = failure.stack ?? '';
  const at = stack.indexOf(message);
  const frames = (at < 0 ? stack : stack.slice(at + message.length)).split('\n').filter((line) => /^\s+at /.test(line));
  // the reporter below has made text of both sides by now
  const { actual, expected } = failure;
  const differs = failure.showDiff !== false && typeof actual === 'string' && typeof expected === 'string';
  const diff = differs
    ? Base.generateDiff(actual, expected)
        .split('\n')
        .filter((line) => /^\s*[-+]/.test(line))
    : [];
  const cause = failure.cause === undefined ? [] : ['  caused by', ...lines(failure.cause)];
  return [
    ...message
      .split('\n')
      .slice(0, 10)
      .map((line) => `  ${line}`),
    ...diff.slice(0, 9),
    ...frames.slice(0, 5),
    ...cause,
  ];
}

export = TallyReporter;
