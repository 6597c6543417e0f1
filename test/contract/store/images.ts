/** Images of indexes (KeptImages.I1-I4 of the store port). */
import { fieldsOf } from '../../helpers/fields.js';
import { expect } from 'chai';
import fc from 'fast-check';
import type { ChangedDoc, Commit, EntityRef, KeptImage, KeptImages, Store } from '../../../src/store/port.js';
import { commit, committed, entity, memory, message, put, type Opened, type OpenStore } from './fixtures.js';

const agent = entity('agent_1');
/** An adapter need not look after images of entities that have few documents. */
const counts = { memories: 5000, messages: 0, runs: 0 };
const next = (seq: number, more: Partial<Commit> = {}, of: EntityRef = agent): Commit =>
  commit(of, seq, { counts, previousCounts: counts, ...more });
const chunksOf = (text: string): Uint8Array[] => [text.slice(0, 3), text.slice(3)].map((part) => Buffer.from(part));
const imagesOf = ({ images }: Store): KeptImages => {
  if (!images) throw new Error('the store keeps no images');
  return images;
};

async function textOf(image: KeptImage | null): Promise<string | null> {
  if (!image) return null;
  let text = '';
  for await (const chunk of image.chunks) text += Buffer.from(chunk).toString();
  return text;
}

async function changesOf(image: KeptImage | null): Promise<ChangedDoc[] | null> {
  const changes = image?.changes();
  if (!changes) return null;
  const all: ChangedDoc[] = [];
  for await (const page of changes) all.push(...page);
  return all.sort((a, b) => (a.kind + a.id < b.kind + b.id ? -1 : 1));
}

export function imagesContract(open: OpenStore, runs: number): void {
  let opened: Opened;
  let store: Store;
  beforeEach(async () => {
    opened = await open();
    ({ store } = opened);
  });
  afterEach(() => opened.destroy());

  const read = async (seq: number, of = agent): Promise<KeptImage | null> => imagesOf(store).kept(of, seq);
  /** Commits documents, and keeps the image of what the entity then is. */
  async function keptAt(seq: number, text: string): Promise<void> {
    await imagesOf(store).prepare(agent);
    expect(await imagesOf(store).keep(agent, seq, chunksOf(text))).to.equal(true);
  }

  it('KeptImages.I1: an image is read as it was kept, of its own entity, also after the store was opened anew', async () => {
    await committed(store, next(1, { puts: [memory('mem_1')] }));
    expect(await read(1)).to.equal(null);
    await keptAt(1, 'of the first');
    store = await opened.reopen();
    const found = await read(1);
    expect(found?.seq).to.equal(1);
    expect(await textOf(found)).to.equal('of the first');
    expect(await changesOf(found)).to.deep.equal([]);
    for (const other of [entity('agent_2'), entity('agent_1', 'hive'), entity('agent_1', 'agent', 'ws_b')])
      expect(await read(1, other)).to.equal(null);
  });

  it('KeptImages.I1: what was written and deleted since is told, and nothing else', async () => {
    await committed(store, next(1, { puts: [memory('mem_1'), memory('mem_2'), message('msg_1', 1)] }));
    await keptAt(1, 'image');
    await committed(
      store,
      next(2, { puts: [put('journal', 'j', { sessionId: 's', runId: 'r', firstSeq: 1 }), put('outbox', 'o')] }),
      next(3, { puts: [memory('mem_2', { content: 'new' }, false), put('run', 'run_1', { turns: [] })] }),
      next(4, { puts: [memory('mem_2', { content: 'newer' }, false), message('msg_2', 2)] }),
    );
    const changes = await changesOf(await read(4));
    expect(changes?.map(({ kind, id }) => `${kind} ${id}`)).to.deep.equal([
      'memory mem_2',
      'message msg_2',
      'run run_1',
    ]);
    expect(fieldsOf(changes?.[0]?.body)['content']).to.equal('newer');
  });

  it('KeptImages.I2: an image of an earlier commit takes the place of no later one', async () => {
    await committed(store, next(1, { puts: [memory('mem_1')] }));
    await keptAt(1, 'first');
    await committed(store, next(2, { puts: [memory('mem_2')] }));
    await keptAt(2, 'second');
    expect(await imagesOf(store).keep(agent, 1, chunksOf('first, late'))).to.equal(false);
    expect(await textOf(await read(2))).to.equal('second');
    await committed(store, next(3, { puts: [memory('mem_3')] }));
    expect(await changesOf(await read(3))).to.have.length(1);
  });

  it('KeptImages.I3: with a deletion the image is gone, and one from before it that is written late is refused', async () => {
    await committed(store, next(1, { puts: [memory('mem_1'), memory('mem_2')] }));
    await keptAt(1, 'harbour');
    await committed(store, next(2, { deletes: [{ kind: 'memory', id: 'mem_1' }] }));
    expect(await read(2)).to.equal(null);
    expect(await imagesOf(store).keep(agent, 1, chunksOf('harbour, late'))).to.equal(false);
    expect(await read(2)).to.equal(null);
    await keptAt(2, 'without');
    expect(await textOf(await read(2))).to.equal('without');
    await committed(store, next(3, { deletes: [{ kind: 'journal', id: 'j' }] }));
    expect(await textOf(await read(3)), 'what recall does not find leaves it').to.equal('without');
    await committed(store, next(4, { puts: [{ ...memory('mem_2', {}, false), rewrites: true }] }));
    expect(await read(4), 'a text that was replaced').to.equal(null);
  });

  it('KeptImages.I3: a deletion while an image is written', async () => {
    await committed(store, next(1, { puts: [memory('mem_1')] }));
    await imagesOf(store).prepare(agent);
    const keeping = imagesOf(store).keep(agent, 1, chunksOf('harbour'));
    await committed(store, next(2, { deletes: [{ kind: 'memory', id: 'mem_1' }] }));
    await keeping;
    expect(await read(2)).to.equal(null);
  });

  it('KeptImages.I4: a purge removes it, and none is kept afterwards', async () => {
    await committed(store, next(1, { puts: [memory('mem_1')] }));
    await keptAt(1, 'harbour');
    const late = imagesOf(store).keep(agent, 1, chunksOf('harbour'));
    expect(await store.purge(agent, 100)).to.equal(true);
    await late;
    expect(await read(1)).to.equal(null);
  });

  it('one that is of no use is removed, and another can be kept', async () => {
    await committed(store, next(1, { puts: [memory('mem_1')] }));
    await keptAt(1, 'damaged');
    const found = await read(1);
    if (found) await imagesOf(store).discard(agent, found);
    expect(await read(1)).to.equal(null);
    await committed(store, next(2, { puts: [memory('mem_2')] }));
    await keptAt(2, 'whole');
    expect(await textOf(await read(2))).to.equal('whole');
  });

  it('KeptImages.I1: an image with what has changed since is what the documents are, after any history', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ put: fc.integer({ min: 0, max: 9 }) }) },
      { weight: 1, arbitrary: fc.record({ gone: fc.integer({ min: 0, max: 9 }) }) },
      { weight: 1, arbitrary: fc.constant({ keep: true }) },
    );
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), async (commits) => {
        const of = entity(`agent_p${count++}`);
        const images = imagesOf(store);
        const there = new Map<string, string>();
        await images.prepare(of);
        for (const [i, steps] of commits.entries()) {
          const seq = i + 1;
          const puts = new Map<string, string>();
          const deletes = new Set<string>();
          for (const one of steps)
            if ('put' in one && !deletes.has(`mem_${one.put}`)) puts.set(`mem_${one.put}`, `text ${seq}`);
            else if ('gone' in one && !puts.has(`mem_${one.gone}`)) deletes.add(`mem_${one.gone}`);
          await committed(
            store,
            next(
              seq,
              {
                puts: [...puts].map(([id, content]) => memory(id, { content }, !there.has(id))),
                deletes: [...deletes].map((id) => ({ kind: 'memory', id })),
              },
              of,
            ),
          );
          for (const [id, content] of puts) there.set(id, content);
          for (const id of deletes) there.delete(id);
          if (steps.some((one) => 'keep' in one))
            expect(await images.keep(of, seq, [Buffer.from(JSON.stringify([...there]))])).to.equal(true);
          const image = await read(seq, of);
          if (!image) continue;
          const rebuilt = new Map(JSON.parse((await textOf(image)) ?? '') as [string, string][]);
          for (const { id, body } of (await changesOf(image)) ?? [])
            if (body) rebuilt.set(id, String(fieldsOf(body)['content']));
            else rebuilt.delete(id);
          expect(rebuilt).to.deep.equal(there);
        }
      }),
      { numRuns: runs },
    );
  });
}
