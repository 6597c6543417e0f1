/**
 * An agent on a store whose reads take a while, as those of a database elsewhere: what a message costs there, and what
 * it waits for.
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { turn } from '../../helpers/turn.js';
import type { DocKind, EntityRef, StoredDoc } from '../../../src/store/port.js';
import { createBuiltIn } from '../../../src/reasoner/built-in/steps.js';
import { answers, caller, echo, eventually, type Script, testEngine, type TestEngine } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { listRuns } from '../../../src/commands/runs.js';

class FarStore extends MemoryStore {
  readonly reads: string[] = [];
  override get<K extends DocKind>(entity: EntityRef, kind: K, id: string): StoredDoc<K> | null {
    this.reads.push(kind);
    const found = super.get(entity, kind, id);
    return turn().then(() => found) as unknown as StoredDoc<K> | null;
  }
}

describe('an agent on a store that is far away', () => {
  let t: TestEngine;
  let store: FarStore;
  afterEach(() => t.engine.stop(1000));
  const start = async (script: Script): Promise<string> => {
    store = new FarStore();
    t = await testEngine(store, script);
    const { id } = await t.engine.service.execute(caller, spawnAgent, {}, { name: 'Ada' });
    return id;
  };
  const costOf = async <T>(work: Promise<T>): Promise<{ result: T; commits: number; reads: string[] }> => {
    const before = store.commits.length;
    store.reads.length = 0;
    const result = await work;
    return { result, commits: store.commits.length - before, reads: [...store.reads] };
  };

  it('Writer.E6: a message whose recall finds memories is one commit, and reads each of them once', async () => {
    const id = await start(echo);
    const { service } = t.engine;
    const contents = ['the heron stands in the reeds', 'a heron eats fish'];
    for (const content of contents) await service.createMemory(caller, { agent_id: id, type: 'fact', content });
    await service.searchMemories(caller, { agent_id: id, query: 'heron' });
    const { result, commits, reads } = await costOf(service.messageAgent(caller, id, { content: 'heron' }));
    expect(result.status).to.equal('completed');
    expect(result.memories_consulted.map((m) => m.content)).to.have.members(contents);
    expect({ commits, reads }).to.deep.equal({ commits: 1, reads: ['memory', 'memory'] });
  });

  it('Writer.E6: a message by which an agent remembers something is one commit', async () => {
    const reasoner = createBuiltIn();
    const id = await start((context, signal) => reasoner.next(context, signal));
    const { service } = t.engine;
    await service.messageAgent(caller, id, { content: 'Remember that my dog is called Rex.' });
    const { result, commits } = await costOf(
      service.messageAgent(caller, id, { content: 'Remember: the launch is on 12 May.' }),
    );
    expect(result.status).to.equal('completed');
    expect(commits).to.equal(1);
    const kept = await service.listMemories(caller, { agent_id: id }, { sort: 'created_at', order: 'asc', limit: 10 });
    expect(kept.total).to.equal(2);
  });

  it('a stream is told all events of a run that ends in its first step, and reads nothing', async () => {
    const id = await start(echo);
    const streamed = async (): Promise<number[]> => {
      const message = { messageId: 'm1', role: 'user' as const, parts: [{ kind: 'text' as const, text: 'heron' }] };
      const { task, events } = await t.engine.service.streamTask(caller, id, { message });
      const seqs = [task.lastSeq];
      for await (const event of events) if (event.type !== 'delta') seqs.push(event.seq);
      return seqs;
    };
    const { result, reads } = await costOf(streamed());
    expect(reads).to.deep.equal([]);
    expect(result.length).to.be.above(2);
    expect(await streamed(), 'read back from the store').to.deep.equal(result);
  });

  it('messages that come together are answered, each with its own', async () => {
    const id = await start(echo);
    const { service } = t.engine;
    await service.createMemory(caller, { agent_id: id, type: 'fact', content: 'heron' });
    const said = Array.from({ length: 20 }, (_, i) => `heron ${i}`);
    const got = await Promise.all(said.map((content) => service.messageAgent(caller, id, { content })));
    expect(got.map(({ response }, i) => response?.startsWith(said[i]!))).to.deep.equal(said.map(() => true));
  });

  it('a run that thinks is stored before its answer, and its caller reads nothing', async () => {
    let think: (text: string) => void = () => undefined;
    const id = await start(
      () =>
        new Promise((resolve) => {
          think = (text) => {
            resolve(answers(text));
          };
        }),
    );
    const { service } = t.engine;
    const asked = costOf(service.messageAgent(caller, id, { content: 'hello' }));
    const page = { sort: 'created_at', order: 'asc', limit: 10 } as const;
    await eventually(
      async () => (await service.execute(caller, listRuns, { id }, { page })).items[0]?.status === 'running',
    );
    think('hello yourself');
    const { result, commits, reads } = await asked;
    expect(result.response).to.equal('hello yourself');
    expect({ commits, reads }).to.deep.equal({ commits: 2, reads: [] });
  });
});
