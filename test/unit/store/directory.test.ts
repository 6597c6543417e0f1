/**
 * The data directory: what is refused, with which words, and that nothing is touched then (data-directory.ts,
 * server-lock.ts).
 */
import fs, {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../e2e/api/support/client.js';
import { open } from 'lmdb';
import { inspectHeader } from '../../../src/store/lmdb/file-header.js';
import { keyEncoder } from '../../../src/store/lmdb/keys.js';
import { checkPages } from '../../../src/store/lmdb/page-check.js';
import { commit, committed, entity, memory } from '../../contract/store/fixtures.js';
import { Workbench } from './helpers.js';

describe('the data directory of the embedded store', () => {
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);
  const data = (): string => join(bench.dir, 'data');
  const a = entity('agent_1');

  async function filled(): Promise<void> {
    const store = await bench.open();
    await committed(
      store,
      commit(a, 1, { puts: Array.from({ length: 300 }, (_, i) => memory(`mem_${i}`, { content: 'x'.repeat(500) })) }),
    );
    await store.close();
  }

  it('is made, with its parents, and opened again', async () => {
    const dir = join(data(), 'deep', 'er');
    await (await bench.open({ dir })).close();
    const again = await bench.open({ dir });
    expect(again.head(a)).to.equal(null);
  });

  it('of something else is refused and left alone', async () => {
    mkdirSync(data());
    writeFileSync(join(data(), 'thesis.txt'), 'mine');
    const message = await bench.refuses('foreign');
    expect(message).to.include('thesis.txt').and.include('HIVEKEEP_DATA_DIR');
    expect(readdirSync(data())).to.deep.equal(['thesis.txt']);
  });

  it('that is another lmdb store is refused too', async () => {
    const other = open({ path: data(), noSubdir: false });
    await other.put('key', 'value');
    await other.close();
    await bench.refuses('foreign');
  });

  it('that cannot be made is refused at once, with a sentence that names it', async function () {
    if (process.platform !== 'linux') this.skip();
    const refused: unknown = await bench.open({ dir: '/proc/none/data' }).catch((error: unknown) => error);
    expect((refused as Error).message)
      .to.include('/proc/none/data cannot be made')
      .and.include('HIVEKEEP_DATA_DIR');
  });

  it('that is a file is refused', async () => {
    writeFileSync(data(), 'a file');
    expect(await bench.refuses('foreign')).to.include('not a directory');
    await bench.refuses('foreign', { dir: join(data(), 'below') });
  });

  it('whose first start was cut off is completed by the next', async () => {
    mkdirSync(data());
    writeFileSync(join(data(), 'hivekeep.json.4711'), '{"wh');
    await (await bench.open()).close();
    const marker = JSON.parse(readFileSync(join(data(), 'hivekeep.json'), 'utf8')) as { what: string };
    writeFileSync(join(data(), 'hivekeep.json'), JSON.stringify({ ...marker, state: 'creating' }));
    await (await bench.open()).close();
    expect(JSON.parse(readFileSync(join(data(), 'hivekeep.json'), 'utf8'))).to.include({ state: 'ready' });
  });

  it('whose data file is gone is refused, not replaced by an empty one', async () => {
    await filled();
    rmSync(join(data(), 'data.mdb'));
    expect(await bench.refuses('corrupt')).to.include('backup');
    expect(readdirSync(data())).not.to.include('data.mdb');
  });

  const damages: [string, (file: string) => void][] = [
    [
      'garbage',
      (file) => {
        writeFileSync(file, Buffer.alloc(200_000, 'not a database '));
      },
    ],
    [
      'zeros',
      (file) => {
        writeFileSync(file, Buffer.alloc(200_000));
      },
    ],
    [
      'an empty file',
      (file) => {
        truncateSync(file, 0);
      },
    ],
    [
      'a file that is cut in its header',
      (file) => {
        truncateSync(file, 3000);
      },
    ],
    [
      'a file that is cut after its header',
      (file) => {
        truncateSync(file, 8192);
      },
    ],
    [
      'a file that is cut in the middle',
      (file) => {
        truncateSync(file, Math.floor(statSync(file).size / 2));
      },
    ],
    [
      'a file that lacks the last page that is in use',
      (file) => {
        const isWhole = (): boolean => checkPages(file, { values: false }).problems.length === 0;
        while (isWhole()) truncateSync(file, statSync(file).size - 4096);
      },
    ],
  ];
  for (const [what, damage] of damages) {
    it(`${what} is refused as corrupt, and the process lives`, async () => {
      await filled();
      damage(join(data(), 'data.mdb'));
      const size = statSync(join(data(), 'data.mdb')).size;
      expect(await bench.refuses('corrupt'))
        .to.include(data())
        .and.include('backup');
      expect(statSync(join(data(), 'data.mdb')).size, 'left as it is').to.equal(size);
    });
  }

  /** Adds a free page at the end, which need not be in the file. */
  function countOneMore(file: string): void {
    const bytes = readFileSync(file);
    const pageSize = bytes.readUInt32LE(48);
    for (const page of [0, pageSize]) bytes.writeBigUInt64LE(bytes.readBigUInt64LE(page + 144) + 1n, page + 144);
    writeFileSync(file, bytes);
  }

  it('a file that is shorter than it says, and can be read all the same, is opened', async () => {
    await filled();
    const file = join(data(), 'data.mdb');
    countOneMore(file);
    const { size } = statSync(file);
    const beside = await bench.open({ shared: true });
    expect(beside.get(a, 'memory', 'mem_7')).not.to.equal(null);
    expect(statSync(file).size, 'left as it is, because a server may be writing to it').to.equal(size);
    await beside.close();
    const store = await bench.open();
    await committed(store, commit(a, 2, { puts: [memory('mem_more', { content: 'x'.repeat(50_000) })] }));
    expect(store.get(a, 'memory', 'mem_more')).not.to.equal(null);
    expect(checkPages(file, { values: true }).problems).to.deep.equal([]);
  });

  it('a file that a server makes longer while it is inspected is fine', async () => {
    await filled();
    const file = join(data(), 'data.mdb');
    const { fstatSync } = fs;
    fs.fstatSync = ((fd: number) => {
      const found = fstatSync(fd);
      fs.fstatSync = fstatSync;
      syncBuiltinESMExports();
      appendFileSync(file, Buffer.alloc(4096));
      countOneMore(file);
      return found;
    }) as typeof fstatSync;
    syncBuiltinESMExports();
    expect(inspectHeader(file)).to.deep.equal({ kind: 'fine' });
  });

  it('written by a newer version is refused by name of that', async () => {
    await (await bench.open()).close();
    const root = open({ path: data(), noSubdir: false, overlappingSync: false });
    const options = { name: 'system', keyEncoder, encoding: 'string' as const };
    await root.openDB<string, string>(options).put('schema', '99');
    await root.close();
    expect(await bench.refuses('other-schema')).to.match(/newer version/);
    expect(await bench.refuses('other-schema', { shared: true })).to.match(/newer version/);
  });

  it('in use by another server is refused, by a shared one not', async () => {
    const first = await bench.open();
    expect(await bench.refuses('in-use')).to.include(String(process.pid));
    const beside = await bench.open({ shared: true });
    await committed(first, commit(a, 1));
    // a reader's snapshot lasts for the rest of its turn of the event loop, and about a millisecond more
    await until(
      () => Promise.resolve(beside.head(a)),
      (head) => head !== null,
    );
    await beside.close();
    await bench.refuses('in-use');
    await first.close();
    await (await bench.open()).close();
    expect(
      readdirSync(data()).filter((n) => n.endsWith('.sock')),
      'nothing is left of the locks',
    ).to.deep.equal([]);
  });

  it('of servers that start together one gets it', async () => {
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => bench.open()));
    expect(outcomes.filter((o) => o.status === 'fulfilled')).to.have.length(1);
  });

  it('the lock of a killed server holds nobody off; that of a living or stopped one does', async function () {
    this.timeout(30_000);
    const { process: child, lines, ended } = bench.child('hold');
    for await (const line of lines) if (line === 'open') break;
    expect(await bench.refuses('in-use')).to.include(String(child.pid));
    child.kill('SIGSTOP');
    await bench.refuses('in-use');
    child.kill('SIGKILL');
    await ended;
    const store = await bench.open();
    expect(readdirSync(data()).filter((n) => n.endsWith('.sock'))).to.have.length(1);
    await store.close();
  });

  it('a copy of a directory in use is no server', async () => {
    const store = await bench.open();
    await committed(store, commit(a, 1));
    mkdirSync(join(bench.dir, 'copy'));
    for (const name of ['data.mdb', 'hivekeep.json']) copyFileSync(join(data(), name), join(bench.dir, 'copy', name));
    const copy = await bench.open({ dir: join(bench.dir, 'copy') });
    expect((await copy.head(a))?.seq).to.equal(1);
  });

  it('a path too long for a socket is locked all the same', async () => {
    const dir = join(bench.dir, 'd'.repeat(120));
    const store = await bench.open({ dir });
    await bench.refuses('in-use', { dir });
    await store.close();
    await (await bench.open({ dir })).close();
  });

  it('can be copied while closed', async () => {
    await filled();
    cpSync(data(), join(bench.dir, 'copy'), { recursive: true });
    const copy = await bench.open({ dir: join(bench.dir, 'copy') });
    expect(copy.get(a, 'memory', 'mem_299')).not.to.equal(null);
  });
});
