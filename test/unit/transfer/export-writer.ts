/**
 * Writes an export of a few agents with large memories into the file that is named, as a program of its own, so that a
 * test can bound the size of its files. What is printed is what came of it.
 */
import { linesToFile } from '../../../src/transfer/export-file.js';
import { exportLinesOf } from '../../helpers/export-file.js';

// the system then cuts a write at the bound, and refuses the next
process.on('SIGXFSZ', () => undefined);

const shape = { agents: 6, memories: 60, length: 20_000 };

/** The first line, and those behind an entity. */
function* lines(after: string | undefined): Generator<string> {
  let isBehind = true;
  for (const line of exportLinesOf(shape)) {
    if (isBehind) yield line;
    if (line.startsWith('{"record":"export"')) isBehind = after === undefined;
    else isBehind ||= line.startsWith(`{"record":"closed","id":"${after}"`);
  }
}

const of = { workspace: 'default', credentials: false };
linesToFile(process.argv[2] ?? '', of, async function* (after) {
  yield* lines(after);
}).then(
  (made) => process.stdout.write(JSON.stringify(made)),
  (error: unknown) => process.stdout.write(JSON.stringify({ code: (error as { code?: string }).code })),
);
