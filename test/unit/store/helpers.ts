/** Directories that go away, and store processes that can be killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openLmdbStore, type LmdbStoreOptions } from '../../../src/store/lmdb/open.js';
import { StoreError, type Store } from '../../../src/store/port.js';

/** Gives each test a directory and closes the stores that it opened. */
export class Workbench {
  dir = '';
  private readonly stores: Store[] = [];
  private readonly children: ChildProcess[] = [];

  readonly setUp = (): void => {
    this.dir = mkdtempSync(join(tmpdir(), 'hivekeep-store-'));
  };

  readonly tearDown = async (): Promise<void> => {
    for (const child of this.children.splice(0)) child.kill('SIGKILL');
    for (const store of this.stores.splice(0)) await store.close();
    rmSync(this.dir, { recursive: true, force: true });
  };

  async open(options: Partial<LmdbStoreOptions> = {}): Promise<Store> {
    const store = await openLmdbStore({ dir: join(this.dir, 'data'), ...options });
    this.stores.push(store);
    return store;
  }

  async refuses(reason: StoreError['reason'], options: Partial<LmdbStoreOptions> = {}): Promise<string> {
    try {
      await this.open(options);
    } catch (error) {
      expect(error).to.be.instanceOf(StoreError);
      expect((error as StoreError).reason, (error as StoreError).message).to.equal(reason);
      return (error as StoreError).message;
    }
    throw new Error(`expected a refusal: ${reason}`);
  }

  /** A process that opens the store and commits without end; `lines` gives what it prints. `shell` goes before it. */
  child(
    mode: string,
    shell = '',
  ): { process: ChildProcess; lines: AsyncIterable<string>; ended: Promise<number | null> } {
    const file = fileURLToPath(new URL('./committer.ts', import.meta.url));
    const command = [process.execPath, ...process.execArgv, file, mode, join(this.dir, 'data')]
      .map((s) => `'${s}'`)
      .join(' ');
    const process_ = spawn('sh', ['-c', `${shell} exec ${command}`], { stdio: ['ignore', 'pipe', 'ignore'] });
    this.children.push(process_);
    const ended = new Promise<number | null>((done) => {
      process_.on('exit', (code) => {
        done(code);
      });
    });
    return { process: process_, lines: linesOf(process_.stdout), ended };
  }
}

async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream) {
    const parts = (rest + String(chunk)).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}
