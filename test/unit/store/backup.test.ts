/** Backups of the embedded store: beside a server that writes, interrupted, cut and changed. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { backUp, restore, verifyBackup } from '../../../src/store/lmdb/backup.js';
import { openLmdbStore } from '../../../src/store/lmdb/open.js';
import { StoreError, type Store } from '../../../src/store/port.js';
import { commit, committed, entity, memory } from '../../contract/store/fixtures.js';
import { Workbench } from './helpers.js';

const a = entity('agent_a');

describe('backups of the embedded store', function () {
  this.timeout(60_000);
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);
  const at = (name: string): string => join(bench.dir, name);

  /** A closed store of some pages, with a value that takes several. */
  async function filled(): Promise<void> {
    const store = await bench.open();
    for (let seq = 1; seq <= 20; seq++)
      await committed(
        store,
        commit(a, seq, { counts: { memories: seq }, puts: [memory(`mem_${seq}`, { content: 'x'.repeat(seq * 500) })] }),
      );
    await store.close();
  }

  async function refuses(work: Promise<unknown>): Promise<string> {
    const error = await work.then(
      () => expect.fail('it was to be refused'),
      (e: unknown) => e,
    );
    expect(error).to.be.instanceOf(StoreError);
    return (error as StoreError).message;
  }

  /** Kills the child when it has taken so many steps; resolves to false if it came to its end before. */
  function killed(mode: 'backup' | 'restore', from: string, to: string, step: number): Promise<boolean> {
    const file = fileURLToPath(new URL('./backup-child.ts', import.meta.url));
    const child = spawn(process.execPath, [...process.execArgv, file, mode, from, to, String(step)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (text: Buffer) => {
      if (text.toString().startsWith('at ')) child.kill('SIGKILL');
    });
    return new Promise((resolve) =>
      child.once('exit', (_code, signal) => {
        resolve(signal === 'SIGKILL');
      }),
    );
  }

  async function isWhole(store: Store): Promise<void> {
    expect((await store.head(a))?.seq).to.equal(20);
    expect((await store.get(a, 'memory', 'mem_20'))?.body['content']).to.have.length(10_000);
    expect(await store.sum('ws_a', 'memories')).to.equal(20);
  }

  it('of a store that is written to, holds all that was acknowledged, and no half commit', async () => {
    const { lines, process: child, ended } = bench.child('endless');
    const acknowledged = new Map<string, number>();
    let made: Promise<unknown> | null = null;
    let before: [string, number][] = [];
    for await (const line of lines) {
      const [outcome, id = '', seq] = line.split(' ');
      if (outcome !== 'committed') continue;
      acknowledged.set(id, Number(seq));
      if (seq !== '150' || made !== null) continue;
      before = [...acknowledged];
      // slow, so that many commits are made meanwhile
      made = backUp(at('data'), at('backup'), { chunk: 65_536, progress: () => new Promise((r) => setTimeout(r, 2)) });
      void made.finally(() => child.kill('SIGKILL'));
    }
    await ended;
    await made;
    expect(
      [...acknowledged.values()].some((seq) => seq > 160),
      'written to meanwhile',
    ).to.equal(true);
    await verifyBackup(at('backup'));
    await restore(at('backup'), at('restored'));
    const store = await openLmdbStore({ dir: at('restored') });
    for (const [id, seq] of before) expect((await store.head(entity(id)))?.seq, id).to.be.at.least(seq);
    let documents = 0;
    for (const [id] of before) documents += (await store.head(entity(id)))?.counts['memories'] ?? 0;
    expect(await store.sum('ws_a', 'memories')).to.equal(documents);
    expect((await store.count({ workspace: 'ws_a', collection: 'memory', list: 'created' }, 1_000_000)).count).to.equal(
      documents,
    );
    await store.close();
  });

  it('kill -9 at any time leaves no backup, and the next one succeeds in the same folder', async () => {
    await filled();
    for (const step of [1, 7]) {
      expect(await killed('backup', at('data'), at('backup'), step), `step ${step}`).to.equal(true);
      expect(await refuses(verifyBackup(at('backup')))).to.match(/not complete/);
      expect(await refuses(restore(at('backup'), at('restored')))).to.match(/not complete/);
      expect(existsSync(at('restored'))).to.equal(false);
    }
    expect(await killed('backup', at('data'), at('backup'), 0)).to.equal(false);
    await verifyBackup(at('backup'));
    await isWhole(await bench.open());
  });

  it('between its last steps it is none either, and the next one succeeds in the same folder', async () => {
    await filled();
    const whole = at('backup');
    await backUp(at('data'), whole);
    const [file, manifest] = [join(whole, 'data.mdb'), join(whole, 'backup.json')];
    const steps: [string, () => void][] = [
      ['before the manifest is named', () => renameSync(manifest, `${manifest}.part`)],
      ['before the copy is named', () => (renameSync(manifest, `${manifest}.part`), renameSync(file, `${file}.part`))],
      [
        'while the manifest is written',
        () => (renameSync(manifest, `${manifest}.part.7`), renameSync(file, `${file}.part`)),
      ],
    ];
    for (const [when, leave] of steps) {
      leave();
      expect(await refuses(verifyBackup(whole)), when).to.match(/not complete/);
      await backUp(at('data'), whole);
      await verifyBackup(whole);
    }
    renameSync(manifest, at('elsewhere'));
    expect(await refuses(backUp(at('data'), whole)), 'it may be data of somebody').to.match(/is not empty/);
  });

  it('kill -9 of a restore leaves a folder that no server opens, and the next one completes it', async () => {
    await filled();
    await backUp(at('data'), at('backup'));
    for (const step of [1, 7]) {
      expect(await killed('restore', at('backup'), at('restored'), step), `step ${step}`).to.equal(true);
      expect(await refuses(openLmdbStore({ dir: at('restored') }))).to.match(/restore .* was interrupted/i);
    }
    await restore(at('backup'), at('restored'));
    const store = await openLmdbStore({ dir: at('restored') });
    await isWhole(store);
    await store.close();
  });

  it('between its last steps it is not opened either', async () => {
    await filled();
    await backUp(at('data'), at('backup'));
    await restore(at('backup'), at('restored'));
    writeFileSync(at('restored/data.mdb.restoring'), readFileSync(at('restored/data.mdb')));
    truncateSync(at('restored/data.mdb'), 0);
    expect(await refuses(openLmdbStore({ dir: at('restored') }))).to.match(/interrupted/);
  });

  it('a write that keeps only a part of what it is given is gone on with', async () => {
    await filled();
    const some = await open(at('some'), 'w');
    const files = Object.getPrototypeOf(some) as FileHandle;
    const write = Reflect.get(files, 'write') as (part: Buffer, from: number, count: number) => Promise<unknown>;
    await some.close();
    // as on a disk that has no more room at the moment
    Object.assign(files, {
      write(this: FileHandle, part: Buffer, from: number, count: number) {
        return write.call(this, part, from, Math.min(count, 8192));
      },
    });
    try {
      await backUp(at('data'), at('backup'));
    } finally {
      Object.assign(files, { write });
    }
    await verifyBackup(at('backup'));
  });

  it('a copy that was cut, changed or left without its data is refused, and nothing is restored', async () => {
    await filled();
    const harms: Record<string, (file: string) => void> = {
      cut: (file) => {
        truncateSync(file, 8192);
      },
      changed: (file) => {
        const bytes = readFileSync(file);
        bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
      empty: (file) => {
        truncateSync(file, 0);
      },
    };
    for (const [name, harm] of Object.entries(harms)) {
      await backUp(at('data'), at(name));
      harm(join(at(name), 'data.mdb'));
      expect(await refuses(verifyBackup(at(name))), name).to.match(/damaged/);
      expect(await refuses(restore(at(name), at(`${name}-restored`))), name).to.match(/damaged/);
      const left = existsSync(at(`${name}-restored`)) ? readdirSync(at(`${name}-restored`)) : [];
      expect(left, name).not.to.include('data.mdb');
    }
    await backUp(at('data'), at('lied'));
    writeFileSync(at('lied/backup.json'), '{"what":"something"}');
    expect(await refuses(verifyBackup(at('lied')))).to.match(/backup.json is not what/);
  });

  it('never replaces anything: a folder that is in use is refused', async () => {
    await filled();
    writeFileSync(at('file'), '');
    expect(await refuses(backUp(at('data'), at('data')))).to.match(/not empty/);
    await backUp(at('data'), at('backup'));
    expect(await refuses(backUp(at('data'), at('backup')))).to.match(/not empty/);
    expect(await refuses(restore(at('backup'), at('data')))).to.match(/not empty/);
    expect(await refuses(restore(at('nothing'), at('restored')))).to.match(/no backup/);
    expect(await refuses(backUp(at('nothing'), at('b2')))).to.match(/no data/);
    await isWhole(await bench.open());
  });
});
