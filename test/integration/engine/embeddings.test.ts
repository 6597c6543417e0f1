/**
 * Recall by meaning: vectors made beside the writes, and what happens without them (src/embeddings,
 * src/memory/meaning.ts).
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { getUsage } from '../../../src/commands/workspace.js';
import { createHive } from '../../../src/commands/hives.js';
import { type Embedder, TextsRefused } from '../../../src/embeddings/port.js';
import type { StoredVector } from '../../../src/domain/memory/stored-memory.js';
import { answers, caller, eventually, skippingClock } from '../../helpers/engine.js';
import { codeOf, newestFirst, overStores, type Running } from './kit.js';

/** Words of one meaning have one dimension; everything else is in a dimension of its own. */
const meanings = [
  ['dog', 'hound', 'pet'],
  ['car', 'automobile', 'vehicle'],
  ['home', 'house', 'flat'],
];
class Model implements Embedder {
  asked = 0;
  away = false;
  /** Takes no text at all, as a server does that does not know the model. */
  wrong = false;
  constructor(
    readonly model = 'test/one',
    private readonly dimensions = 64,
  ) {}
  embed(texts: readonly string[]): Promise<number[][]> {
    this.asked += texts.length;
    if (this.wrong || texts.some((text) => text.includes('unspeakable'))) return Promise.reject(new TextsRefused('no'));
    if (this.away) return Promise.reject(new Error('away'));
    return Promise.resolve(texts.map((text) => this.vectorOf(text)));
  }
  private vectorOf(text: string): number[] {
    const vector = new Array<number>(this.dimensions).fill(0);
    for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
      const meaning = meanings.findIndex((words) => words.includes(word));
      const at =
        meaning >= 0
          ? meaning
          : 3 + ([...word].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7) % (this.dimensions - 3));
      vector[at]! += meaning >= 0 ? 3 : 0.3;
    }
    return vector;
  }
}

overStores('Recall by meaning', (bed) => {
  const spawn = async (e: Running): Promise<string> =>
    (await e.service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
  const write = async (e: Running, agent_id: string | undefined, content: string): Promise<string> =>
    (await e.service.createMemory(caller, { type: 'semantic', content, ...(agent_id && { agent_id }) })).id;
  const search = (e: Running, agent_id: string, query: string) =>
    e.service.searchMemories(caller, { query, agent_id, explain: true, min_relevance: 0.1 });
  const vectorIn = async (agent: string, id: string): Promise<StoredVector | undefined> =>
    (await bed.store.get({ workspace: 'default', kind: 'agent', id: agent }, 'memory', id))?.body['vector'];
  const made = (agent: string, id: string, model = 'test/one') =>
    eventually(async () => (await vectorIn(agent, id))?.model === model, 'the vector');

  it('finds a memory that has no word of the query, and says why; words stay the stronger voice', async () => {
    const model = new Model();
    const e = await bed.start(() => answers('ok'), { embedder: model });
    const agent = await spawn(e);
    const hound = await write(e, agent, 'Our hound sleeps outside.');
    const car = await write(e, agent, 'The automobile is green.');
    const exact = await write(e, agent, 'The pet shop closes at noon.');
    for (const id of [hound, car, exact]) await made(agent, id);
    const [first] = await search(e, agent, 'dog');
    expect(first).to.include({ id: hound });
    expect(Object.keys(first!.explanation!.shares)).to.deep.equal(['meaning']);
    expect(first!.explanation!.score).to.be.closeTo(first!.explanation!.shares['meaning']!, 0.001);
    const hits = await search(e, agent, 'when does the pet shop close');
    expect(hits[0]).to.include({ id: exact });
    expect(hits[0]!.explanation!.shares).to.include.keys('own', 'near');
    expect((await search(e, agent, 'zebra')).map(({ id }) => id)).to.deep.equal([]);
    const shown = await e.service.getMemory(caller, hound);
    expect(shown).not.to.have.property('vector');
    expect(shown.updated_at).to.equal(shown.created_at);
  });

  it('keeps vectors over a restart, and makes them anew for another content or model', async () => {
    const e = await bed.start(() => answers('ok'), { embedder: new Model() });
    const agent = await spawn(e);
    const id = await write(e, agent, 'Our hound sleeps outside.');
    await made(agent, id);
    const before = await vectorIn(agent, id);
    await e.service.patchMemory(caller, id, { content: 'Our automobile is outside.' });
    await eventually(async () => (await vectorIn(agent, id))?.of !== before?.of);
    e.kill();
    const again = new Model();
    const later = await bed.start(() => answers('ok'), { embedder: again });
    expect((await search(later, agent, 'vehicle'))[0]).to.include({ id });
    expect(await search(later, agent, 'dog')).to.deep.equal([]);
    expect(again.asked, 'queries and the baseline').to.equal(8);
    later.kill();
    const other = await bed.start(() => answers('ok'), { embedder: new Model('test/two', 32) });
    await search(other, agent, 'vehicle');
    await made(agent, id, 'test/two');
    await eventually(async () => (await search(other, agent, 'vehicle')).length === 1);
    other.kill();
    const off = await bed.start();
    expect(await search(off, agent, 'vehicle')).to.deep.equal([]);
    expect((await search(off, agent, 'automobile'))[0]).to.include({ id });
  });

  it('goes by words while the server is away, and catches up; the failure is logged once', async () => {
    const clock = skippingClock();
    const model = new Model();
    model.away = true;
    const e = await bed.start(() => answers('ok'), { embedder: model, clock });
    const agent = await spawn(e);
    const id = await write(e, agent, 'Our hound sleeps outside.');
    const byWords = await search(e, agent, 'hound');
    expect(byWords[0]).to.include({ id });
    for (let i = 0; i < 3; i++) {
      const none = await search(e, agent, 'dog');
      expect([...none], 'goes by words').to.deep.equal([]);
      expect(none).to.have.property('words_only', true);
    }
    const asked = model.asked;
    await search(e, agent, 'dog');
    expect(model.asked, 'not asked again at once').to.equal(asked);
    for (let i = 0; i < 3; i++) {
      clock.skip(60_000);
      await search(e, agent, 'dog');
    }
    model.away = false;
    await eventually(async () => {
      clock.skip(60_000);
      return (await search(e, agent, 'dog'))[0]?.id === id;
    });
    expect(e.lines.map((line) => (line as { event?: string }).event)).to.deep.equal(['embeddings.failed']);
  });

  it('a server that refuses every text is told of once, and costs no memory its vector', async () => {
    const model = new Model();
    model.wrong = true;
    const clock = skippingClock();
    const e = await bed.start(() => answers('ok'), { embedder: model, clock });
    const agent = await spawn(e);
    const id = await write(e, agent, 'Our hound sleeps outside.');
    await eventually(async () => e.lines.length > 0, 'the warning');
    model.wrong = false;
    clock.skip(60_000);
    await made(agent, id);
    expect(e.lines.map((line) => (line as { event?: string }).event)).to.deep.equal(['embeddings.failed']);
  });

  it('a text that the server refuses goes without a vector, and holds up no other', async () => {
    const e = await bed.start(() => answers('ok'), { embedder: new Model() });
    const agent = await spawn(e);
    const contents = ['A dog.', 'An unspeakable dog.', 'A hound.', 'A car.', 'A pet.'];
    const memories = contents.map((content) => ({ type: 'semantic', content, agent_id: agent }));
    const { results } = await e.service.createMemories(caller, { memories });
    const ids = results.map(({ memory }) => memory!.id);
    for (const [i, id] of ids.entries()) if (i !== 1) await made(agent, id);
    expect(await vectorIn(agent, ids[1]!)).to.equal(undefined);
    expect(e.log).to.deep.equal([]);
  });

  it('vectors count as storage, are deleted with their memories, and are made for hives and the workspace', async () => {
    const e = await bed.start(() => answers('ok'), { embedder: new Model() });
    const agent = await spawn(e);
    const before = (await e.service.execute(caller, getUsage, {}, {})).storage.used;
    const id = await write(e, agent, 'Our hound sleeps outside.');
    await made(agent, id);
    await e.service.deleteMemory(caller, id);
    expect(await codeOf(e.service.getMemory(caller, id))).to.equal('NOT_FOUND');
    expect(await search(e, agent, 'dog')).to.deep.equal([]);
    expect((await e.service.execute(caller, getUsage, {}, {})).storage.used).to.equal(before);
    const own = await write(e, undefined, 'The automobile is green.');
    const hive = await e.service.execute(caller, createHive, {}, { name: 'h' });
    const shared = await e.service.createMemory(caller, {
      type: 'semantic',
      content: 'A house by the sea.',
      hive_id: hive.id,
    });
    for (const [query, found] of [
      ['vehicle', own],
      ['home', shared.id],
    ] as const)
      await eventually(
        async () => (await e.service.searchMemories(caller, { query, min_relevance: 0.1 }))[0]?.id === found,
        query,
      );
    expect((await e.service.listMemories(caller, {}, newestFirst)).items).to.have.length(2);
  });
});
