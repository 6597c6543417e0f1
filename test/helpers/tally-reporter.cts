/**
 * Mocha's `spec` report, and beside it a tally as JSON in the file that TALLY_FILE names, for test/run.ts. It is
 * written anew at each failure, so that a run which dies still leaves what it knew. A rejection that nobody handles
 * fails the test in progress, or the run; mocha alone passes it over. Mocha loads reporters with require() and takes
 * what the module is, hence CommonJS.
 */
/* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/no-namespace -- the only import and the only export of types beside `export =` that there is in CommonJS under verbatimModuleSyntax */
import fs = require('node:fs');
import path = require('node:path');
import mocha = require('mocha');

const { Base, Spec } = mocha.reporters;
/** A failure is told in at most so many lines of so many characters. */
const most = { lines: 30, characters: 2000 };

interface Thrown {
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
    const tally: TallyReporter.Tally = { ended: false, passes: 0, failed: [], skipped: [], files: {} };
    const write = (ended: boolean): void => {
      const file = process.env['TALLY_FILE'];
      if (file !== undefined)
        fs.writeFileSync(file, `${JSON.stringify({ ...tally, ended, passes: this.stats.passes })}\n`);
    };
    let last = Date.now();
    const spend = (work: mocha.Runnable): void => {
      const file = where(work) ?? where(work.parent ?? {});
      const now = Date.now();
      if (file !== null) tally.files[file] = (tally.files[file] ?? 0) + now - last;
      last = now;
    };
    runner.once('start', () => (last = Date.now()));
    runner.on('hook end', spend);
    runner.on('test end', spend);
    runner.on('fail', (test, error: unknown) => {
      tally.failed.push({ file: where(test), title: test.fullTitle(), lines: told(error) });
      write(false);
    });
    runner.on('pending', (test) => {
      tally.skipped.push({ file: where(test), title: test.fullTitle() });
    });
    runner.once('end', () => {
      write(true);
    });
    process.on('unhandledRejection', (reason) => {
      throw reason;
    });
  }
}

declare namespace TallyReporter {
  /** A test, a hook, or an error outside of tests (without a file) that failed. */
  interface Failure {
    file: string | null;
    title: string;
    /** The message, what differs, the stack and the cause, as far as there is room. */
    lines: string[];
    /** It failed because it was skipped. */
    skipped?: boolean;
    /** The files of a process that a signal has ended outside of any test. */
    ended?: string[];
  }
  interface Tally {
    /** Whether the run came to its end. */
    ended: boolean;
    passes: number;
    failed: Failure[];
    skipped: { file: string | null; title: string }[];
    /** How long each file took, its hooks included, ms. */
    files: Record<string, number>;
  }
}

const told = (error: unknown): string[] =>
  lines(error)
    .slice(0, most.lines)
    .map((line) => (line.length > most.characters ? `${line.slice(0, most.characters)}...` : line));

const where = ({ file }: { file?: string | undefined }): string | null =>
  file === undefined ? null : path.relative(process.cwd(), file);

function lines(error: unknown): string[] {
  const failure: Thrown = typeof error === 'object' && error !== null ? error : { message: String(error) };
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
