/** What webhooks cost those who have none, and that what waits for one delays nothing else (docs/webhooks.md). */
import { spawnAgent } from '../../../src/commands/agents.js';
import { madeWebhook } from '../../helpers/minted.js';
import { getWebhook, updateWebhook } from '../../../src/commands/webhooks.js';
import { expect } from 'chai';
import type { PushItem } from '../../../src/domain/task/push.js';
import { PushError, type Push } from '../../../src/push/port.js';
import type { Commit, Store } from '../../../src/store/port.js';
import { caller, echo, eventually, testEngine } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';

/** A store that notes what is written and which lists of webhooks are read. */
function noting(store: Store): { store: Store; commits: Commit[]; reads: () => number } {
  const commits: Commit[] = [];
  let reads = 0;
  const noted = new Proxy(store, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (name === 'commit') commits.push(args[0] as Commit);
        if (name === 'list' && (args[0] as { collection: string }).collection === 'webhook') reads++;
        return (value as (...given: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  return { store: noted, commits, reads: () => reads };
}

const pushing = (deliver: (item: PushItem) => Promise<void>): Push => ({
  check: () => Promise.resolve(),
  turn: () => Promise.resolve(() => undefined),
  close: () => Promise.resolve(),
  open: () => Promise.reject(new PushError('nothing is called here')),
  deliver,
});

describe('webhooks of an engine', () => {
  it('cost a message nothing where there are none, nor where none listens: the same commit, and no read', async () => {
    const { store, commits, reads } = noting(new MemoryStore());
    const { engine } = await testEngine(store, echo, { push: pushing(() => Promise.resolve()) });
    const { id } = await engine.service.execute(caller, spawnAgent, {}, { name: 'quiet' });
    const written = async (): Promise<string[][]> => {
      const before = commits.length;
      await engine.service.messageAgent(caller, id, { content: 'hello' });
      return commits.slice(before).map(({ puts }) => puts.map(({ kind }) => kind).sort());
    };
    await written();
    const read = reads();
    const plain = await written();
    expect(plain).to.deep.equal([['journal', 'run']]);
    expect(reads()).to.equal(read);
    const webhook = { url: 'https://hooks.example.com/', events: ['run.failed' as const] };
    const { webhook: made } = await madeWebhook(engine.service, caller, webhook);
    expect(await written()).to.deep.equal(plain);
    await engine.service.execute(caller, updateWebhook, { id: made.id }, { events: ['run.completed'] });
    expect((await written())[0]).to.deep.equal(['journal', 'outbox', 'run']);
    await engine.stop(0);
  });

  it('that take nothing are tried again and delay no message and no other webhook', async () => {
    const taken: string[] = [];
    let tries = 0;
    let repair = (): void => undefined;
    const repaired = new Promise<void>((resolve) => {
      repair = resolve;
    });
    const push = pushing(async ({ config, id }) => {
      if (config.url.includes('slow')) return new Promise(() => undefined);
      if (config.url.includes('down')) {
        if (tries++ === 0) throw new PushError('the receiver answered 500');
        await repaired;
      }
      taken.push(`${config.url} ${id}`);
    });
    const { engine } = await testEngine(new MemoryStore(), echo, { push });
    const add = async (host: string): Promise<string> =>
      (await madeWebhook(engine.service, caller, { url: `https://${host}/`, events: ['run.completed'] })).webhook.id;
    const [, failing] = [await add('slow'), await add('down'), await add('up')];
    const { id } = await engine.service.execute(caller, spawnAgent, {}, { name: 'told' });
    for (const content of ['one', 'two', 'three']) await engine.service.messageAgent(caller, id, { content });
    await eventually(async () => taken.length === 3);
    await eventually(
      async () => (await engine.service.execute(caller, getWebhook, { id: failing }, {})).failing !== null,
    );
    repair();
    await eventually(async () => taken.length === 6);
    await eventually(
      async () => (await engine.service.execute(caller, getWebhook, { id: failing }, {})).failing === null,
    );
    for (const host of ['up', 'down']) {
      const ids = taken.filter((line) => line.includes(host));
      expect(ids, 'each once, in order').to.deep.equal([...new Set(ids)].sort());
    }
    await engine.stop(0);
  });
});
