/** The file of an export (src/transfer/export-file.ts) on a disk that becomes full. */
import { spawnSync } from 'node:child_process';
import {
  createReadStream,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { stoppedByFile, sentences } from '../../../gateway/cli/failure.js';
import { checkExport } from '../../../src/transfer/check.js';
import type { ExportedFile } from '../../../src/transfer/export-file.js';

const writer = fileURLToPath(new URL('export-writer.ts', import.meta.url));
const whole = 1_200_000;

describe('the file of an export', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hivekeep-export-'));
    file = join(folder, 'all.ndjson');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** With files of at most so many KiB. */
  function written(kibibytes?: number): Partial<ExportedFile> & { code?: string } {
    const bound = kibibytes === undefined ? '' : `ulimit -f ${kibibytes};`;
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', `${bound} exec "$0" --import tsx "$1" "$2"`, process.execPath, writer, file],
      { encoding: 'utf8' },
    );
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as ExportedFile;
  }
  const part = () => `${file}.part`;

  it('keeps what was written when a write is cut short and the next is refused, and goes on behind it', async () => {
    expect(written(700)).to.deep.equal({ code: 'EFBIG' });
    expect(existsSync(file), 'a part is no export').to.equal(false);
    expect(statSync(part()).size, 'cut in the middle of a write, and of a line').to.equal(700 * 1024);
    expect(readFileSync(part(), 'utf8').endsWith('\n')).to.equal(false);

    expect(written(1000), 'and again').to.deep.equal({ code: 'EFBIG' });

    const made = written();
    expect(made.resumedAt).to.be.greaterThan(600_000);
    expect(made.bytes).to.equal(statSync(file).size).and.be.greaterThan(whole);
    expect(existsSync(part())).to.equal(false);
    const { sha256 } = await checkExport(createReadStream(file));
    expect(sha256).to.equal(made.sha256);
  }).timeout(60_000);

  it('is told as a problem of the file, with what to do', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(sentences(stoppedByFile(file, full))).to.deep.equal([
      `${file} could not be written: ENOSPC: no space left on device, write. What is written is kept: run the same command again when that is solved, and it goes on.`,
    ]);
    const other = new Error('a defect');
    expect(stoppedByFile(file, other)).to.equal(other);
  });

  it('begins anew where what is there is no part of this export', () => {
    writeFileSync(part(), `${'no export at all\n'.repeat(3)}`);
    expect(written().resumedAt).to.equal(0);
  });

  it('is not written through a link that is there in its place', () => {
    const other = join(folder, 'other');
    writeFileSync(other, 'of somebody else');
    symlinkSync(other, part());
    expect(written().resumedAt).to.equal(0);
    expect(readFileSync(other, 'utf8')).to.equal('of somebody else');
    expect(lstatSync(file).isSymbolicLink()).to.equal(false);
  });
});

describe('a line of an import', () => {
  const mistake = async (line: string): Promise<string> => {
    const parsed = JSON.parse.bind(JSON);
    let parses = 0;
    JSON.parse = (...args: Parameters<typeof parsed>): unknown => {
      parses++;
      return parsed(...args);
    };
    try {
      await checkExport(Readable.from([Buffer.from(`${line}\n`)]));
      return 'none';
    } catch (error) {
      return `${(error as Error).message} ${parses}`;
    } finally {
      JSON.parse = parsed;
    }
  };

  it('is bounded before it is parsed: in values, depth and bytes', async () => {
    expect(await mistake(`{"a":[${'0,'.repeat(100_000)}0]}`)).to.equal(
      'Line 1: must have at most 100000 values and names of fields. 0',
    );
    expect(await mistake('['.repeat(65))).to.equal('Line 1: must not be nested deeper than 64. 0');
    expect(await mistake(`"${'x'.repeat(8 * 1024 * 1024)}"`)).to.equal('Line 1: is longer than 8388608 bytes. 0');
  });

  it('says nothing to a terminal', async () => {
    expect(
      await mistake(JSON.stringify({ record: 'export', format: 'hivekeep export', version: '\u001b]0;x\u0007\u202e' })),
    ).to.match(/^Line 1: [\x20-\x7e]+$/);
  });
});
