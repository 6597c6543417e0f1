/**
 * Files that are damaged behind their header: found by page-check.ts, told in a sentence, and never the end of a
 * process by a signal.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { markServing } from '../../../src/store/lmdb/data-directory.js';
import { checkPages } from '../../../src/store/lmdb/page-check.js';
import { commit, committed, entity, memory, put } from '../../contract/store/fixtures.js';
import { Workbench } from './helpers.js';

const agents = 40;

/** Text in which little repeats, so that compressing it leaves much of it as it is; it begins with its seed. */
function noise(seed: number, length: number): string {
  let text = String(seed).repeat(4);
  for (let n = 0; text.length < length; n++) text += createHash('sha256').update(`${seed} ${n}`).digest('base64');
  return text.slice(0, length);
}
const pageSize = 4096;

describe('a damaged data file of the embedded store', function () {
  this.timeout(120_000);
  const bench = new Workbench();
  let whole: Buffer;
  const dir = (): string => join(bench.dir, 'data');
  const file = (): string => join(dir(), 'data.mdb');

  /** Commits one after the other, so that pages are freed and used again; some values need pages of their own. */
  beforeEach(async () => {
    bench.setUp();
    const store = await bench.open();
    for (let seq = 1; seq <= 3; seq++) {
      for (let i = 0; i < agents; i++) {
        const puts = Array.from({ length: 20 }, (_, k) =>
          memory(`mem_${i}_${k}`, { content: noise(seq, k === 0 ? 12_000 : 300) }),
        );
        await committed(store, commit(entity(`agent_${i}`), seq, { puts }));
      }
    }
    const said = { sessionId: 's', created_at: '' };
    const run = put('run', 'run_1', { status: 'completed', updated_at: '', ...said });
    const inside = put('journal', 'ckpt_1', { runId: 'run_1', firstSeq: 1, ...said });
    await committed(store, commit(entity('agent_of_a_run'), 1, { puts: [run, inside] }));
    await store.close();
    whole = readFileSync(file());
  });
  afterEach(bench.tearDown);

  const use = (): { status: number | null; signal: NodeJS.Signals | null; stdout: string } =>
    spawnSync(
      process.execPath,
      [...process.execArgv, fileURLToPath(new URL('./user.ts', import.meta.url)), dir(), String(agents)],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );

  /** Damages the file of a server that did not stop cleanly. */
  function damage(change: (bytes: Buffer) => Buffer): void {
    writeFileSync(file(), change(Buffer.from(whole)));
    markServing(dir());
    rmSync(join(dir(), 'lock.mdb'), { force: true });
  }

  const kinds = { branch: 1, leaf: 2, large: 4 } as const;
  /** Where the pages of one kind begin, in the file as it was; free ones that were of that kind are among them. */
  function pagesOf(kind: keyof typeof kinds): number[] {
    const found: number[] = [];
    for (let at = 2 * pageSize; at < whole.length; at += pageSize) {
      const isPage = whole.readBigUInt64LE(at) === BigInt(at / pageSize);
      if (isPage && whole.readUInt16LE(at + 18) === kinds[kind]) found.push(at);
    }
    return found;
  }

  it('is not seen in a file that is whole, read with and without its values', () => {
    for (const values of [true, false]) {
      const { problems, entries } = checkPages(file(), { values });
      expect(problems).to.deep.equal([]);
      expect(entries).to.be.above(agents * 20);
    }
    expect(use()).to.include({ status: 0, signal: null });
    expect(checkPages(file(), { values: true }).problems).to.deep.equal([]);
  });

  const all = (kind: keyof typeof kinds, change: (page: Buffer) => void) => (bytes: Buffer) => {
    for (const at of pagesOf(kind)) change(bytes.subarray(at, at + pageSize));
    return bytes;
  };
  const damages: [string, (bytes: Buffer) => Buffer][] = [
    ['zeros in the middle', (bytes) => bytes.fill(0, bytes.length / 4, (bytes.length * 3) / 4)],
    ['noise in the middle', (bytes) => bytes.fill('Xy#~', bytes.length / 4, (bytes.length * 3) / 4)],
    ['leaves that hold zeros', all('leaf', (page) => page.fill(0))],
    ['leaves whose nodes point outside of them', all('leaf', (page) => page.fill(0xff, 24, 60))],
    ['leaves that claim to be branches', all('leaf', (page) => page.writeUInt16LE(1, 18))],
    ['leaves with more nodes than there is room for', all('leaf', (page) => page.writeUInt16LE(0xfff0, 20))],
    ['branches whose children do not exist', all('branch', (page) => page.fill(0x7f, page.readUInt16LE(24) + 24))],
    ['large values that lost their header', all('large', (page) => page.fill(0, 0, 24))],
    [
      'pages that lie where others should',
      (bytes) => {
        const [first = 0, ...others] = pagesOf('leaf');
        for (const at of others) whole.copy(bytes, at, first, first + pageSize);
        return bytes;
      },
    ],
    ['an end that is missing', (bytes) => bytes.subarray(0, (bytes.length * 2) / 3)],
  ];
  for (const [what, change] of damages) {
    it(`${what}: refused with a sentence`, () => {
      damage(change);
      const { size } = statSync(file());
      const { status, signal, stdout } = use();
      expect({ status, signal }, stdout).to.deep.equal({ status: 3, signal: null });
      expect(stdout)
        .to.match(/is damaged: .*\b(page|data\.mdb)\b/)
        .and.include('backup')
        .and.not.include('\n');
      expect(statSync(file()).size, 'left as it is').to.equal(size);
    });
  }

  it('finds a value that is no text any more, when it reads values', () => {
    damage((bytes) => {
      for (let at = bytes.indexOf('3333'); at >= 0; at = bytes.indexOf('3333', at + pageSize)) bytes[at] = 0xff;
      return bytes;
    });
    expect(checkPages(file(), { values: false }).problems).to.deep.equal([]);
    expect(checkPages(file(), { values: true }).problems.join()).to.include('not what hivekeep writes');
  });

  it('ends with an answer, whatever the file holds', () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), (changes) => {
        damage((bytes) => {
          for (const { at, bytes: written } of changes)
            bytes.set(written, 24 + Math.floor(at * (bytes.length - 24 - written.length)));
          return bytes;
        });
        expect(checkPages(file(), { values: true }).problems).to.be.an('array');
      }),
      { numRuns: 150 },
    );
  });
});
