/** The promises of the port and of the cache of spaces, with a store that answers when the test says. */
import { expect } from 'chai';
import type { MemorySpace, RecallDocument } from '../../../src/memory/port.js';
import {
  agent,
  ask,
  doc,
  HandedSource,
  here,
  ids,
  loaded,
  memoryId,
  now,
  pagesOf,
  recallOver,
  settle,
} from './support/fixtures.js';
import { turn } from '../../helpers/turn.js';

describe('recall', () => {
  it('answers at once when the index is in memory, and asks the store once', async () => {
    const source = new HandedSource();
    const recall = recallOver(source.read);
    const first = recall.search(ask('parade'));
    expect(first).to.be.instanceOf(Promise);
    await source.give([doc(1, 'The parade was on Monday.')]);
    await source.give(null);
    expect(ids(await first)).to.deep.equal([memoryId(1)]);
    expect(ids(now(recall.search(ask('parades'))))).to.deep.equal([memoryId(1)]);
    expect(source.began).to.have.length(1);
  });

  it('Recall.R1: sees the spaces that it names and no others, of any workspace or kind', async () => {
    const spaces = [here, agent('a2'), agent('a1', 'other'), { workspace: 'w', kind: 'hive', id: 'a1' } as const];
    const recall = recallOver(
      pagesOf((c) => [
        doc(
          spaces.findIndex((x) => x.workspace === c.workspace && x.kind === c.kind && x.id === c.id),
          'parade',
        ),
      ]),
    );
    for (const [i, space] of spaces.entries()) {
      const hits = await recall.search(ask('parade', { spaces: [space] }));
      expect(hits.map(({ space: c, id }) => ({ c, id }))).to.deep.equal([{ c: space, id: memoryId(i) }]);
    }
    const both = await recall.search(ask('parade', { spaces: [here, spaces[1]!, here] }));
    expect(both.map((h) => h.space.id)).to.deep.equal(['a2', 'a1']);
    recall.put(agent('a2'), doc(50, 'parade again'));
    expect(ids(now(recall.search(ask('parade'))))).to.deep.equal([memoryId(0)]);
  });

  it('Recall.R1: of a subject, what others have has no effect on what is found, nor on its scores', async () => {
    const of = (n: number, subject: string | null): RecallDocument =>
      doc(n, `the parade of ${subject ?? 'all'} has ${n % 2 ? 'lions' : 'bears'}`, { subject });
    const mine = [of(1, 'ana'), of(2, 'ana'), of(3, null)];
    const others = Array.from({ length: 40 }, (_, i) => of(10 + i, i % 3 === 0 ? 'bo' : 'cleo'));
    const source = (all: RecallDocument[]) =>
      pagesOf(({ subject }: MemorySpace) =>
        all.filter((d) => subject === undefined || (d.subject ?? null) === subject),
      );
    const spaces = [null, 'ana'].map((subject) => ({ ...here, subject }));
    const asked = ask('parade lions', { spaces });
    const alone = await recallOver(source(mine)).search(asked);
    expect(ids(alone)).to.have.members([1, 2, 3].map(memoryId));
    const built = recallOver(source([...others, ...mine]));
    expect(await built.search(asked)).to.deep.equal(alone);
    const written = recallOver(source(mine));
    expect(await written.search(asked)).to.deep.equal(alone);
    for (const document of others) written.put(here, document);
    expect(await written.search(asked)).to.deep.equal(alone);
    expect(await written.search(ask('parade', { limit: 100 }))).to.have.length(43);
    for (const document of mine) written.remove(here, 'memory', document.id);
    expect(now(written.search(asked))).to.deep.equal([]);
  });

  it('SpaceCache.K4: as long as nothing is of a subject, one index serves for all and for nobody', async () => {
    const recall = recallOver(pagesOf(({ subject }: MemorySpace) => (subject === 'ana' ? [] : [doc(1, 'parade')])));
    const nobodys = { spaces: [{ ...here, subject: null }] };
    expect(ids(await recall.search(ask('parade')))).to.deep.equal([memoryId(1)]);
    expect(ids(now(recall.search(ask('parade', nobodys))))).to.deep.equal([memoryId(1)]);
    expect(recall.stats()).to.include({ spaces: 1, builds: 1 });
    recall.put(here, doc(2, 'parade', { subject: 'ana' }));
    expect(ids(await recall.search(ask('parade', nobodys)))).to.deep.equal([memoryId(1)]);
    expect(ids(now(recall.search(ask('parade'))))).to.deep.equal([memoryId(2), memoryId(1)]);
  });

  describe('Recall.R2: read your writes', () => {
    it('a put, a change and a remove are seen by the next search', async () => {
      const recall = await loaded([doc(1, 'parade'), doc(2, 'harbour')]);
      recall.put(here, doc(3, 'harbour lights'));
      recall.put(here, doc(1, 'harbour walk'));
      recall.remove(here, 'memory', memoryId(2));
      expect(ids(now(recall.search(ask('harbour')))).sort()).to.deep.equal([memoryId(1), memoryId(3)]);
      expect(now(recall.search(ask('parade')))).to.deep.equal([]);
    });

    it('writes during the build count, whatever the pages that are read later say', async () => {
      const source = new HandedSource();
      let late = (): void => undefined;
      const after = (_ms: number, fn: () => void) => (late = fn);
      const recall = recallOver(source.read, { clock: { now: () => 0, elapsed: () => 0, after } });
      const early = recall.search(ask('harbour parade teal'));
      await settle();
      recall.put(here, doc(1, 'harbour'));
      recall.remove(here, 'memory', memoryId(2));
      recall.put(here, doc(4, 'teal'));
      const later = recall.search(ask('harbour parade teal'));
      await source.give([doc(1, 'parade'), doc(2, 'parade'), doc(3, 'parade')]);
      recall.remove(here, 'memory', memoryId(3));
      const impatient = recall.search(ask('harbour parade teal', { limit: 1, patienceMs: 5 }));
      late();
      expect(await impatient, 'goes by what there is').to.have.property('partial', true);
      expect(await impatient).to.have.length(1);
      await source.give([doc(4, 'parade')]);
      await source.give(null);
      for (const hits of [await early, await later]) {
        expect(ids(hits).sort()).to.deep.equal([memoryId(1), memoryId(4)]);
        expect(hits).not.to.have.property('partial');
      }
      expect(now(recall.search(ask('parade')))).to.deep.equal([]);
    });

    it('a memory and a message of one id are two documents', async () => {
      const recall = await loaded([doc(1, 'parade'), doc(1, 'parade', { kind: 'message' })]);
      recall.remove(here, 'message', memoryId(1));
      expect(now(recall.search(ask('parade'))).map((h) => h.kind)).to.deep.equal(['memory']);
    });
  });

  describe('Recall.R3: the index is never the truth', () => {
    const thousand = (c: { id: string }): RecallDocument[] =>
      Array.from({ length: 200 }, (_, i) => doc(i, `parade number ${i} of ${c.id}`));

    it('SpaceCache.K2: holds at most maxBytes, drops what was unused for longest, and builds it again', async () => {
      const built: string[] = [];
      const source = pagesOf((c) => {
        built.push(c.id);
        return thousand(c);
      });
      const one = recallOver(source);
      await one.search(ask('parade'));
      const each = one.stats().bytes;
      built.length = 0;
      const recall = recallOver(source, { maxBytes: each * 2.5 });
      for (const id of ['a', 'b', 'a', 'c']) await recall.search(ask('parade', { spaces: [agent(id)] }));
      expect(recall.stats()).to.include({ spaces: 2, evictions: 1 });
      expect(recall.stats().bytes).to.be.at.most(each * 2.5);
      expect(now(recall.search(ask('parade', { spaces: [agent('a')] })))).to.have.length(10);
      expect(await recall.search(ask('parade', { spaces: [agent('b')] }))).to.have.length(10);
      expect(built).to.deep.equal(['a', 'b', 'c', 'b']);
    });

    it('SpaceCache.K2: writes count against the bound too', async () => {
      const recall = recallOver(
        pagesOf(() => []),
        { maxBytes: 100_000 },
      );
      for (const id of ['a', 'b']) await recall.search(ask('x', { spaces: [agent(id)] }));
      for (let i = 0; i < 400; i++) recall.put(agent('b'), doc(i, `parade number ${i}`));
      expect(recall.stats()).to.include({ spaces: 1, evictions: 1, documents: 400 });
    });

    it('SpaceCache.K2: a space that is being built stays, even if nobody waits for it any more', async () => {
      const source = new HandedSource();
      const clock = { now: () => 0, elapsed: () => 0, after: (_ms: number, fn: () => void) => (fn(), () => undefined) };
      const recall = recallOver(source.read, { maxBytes: 1000, clock });
      for (const id of ['a', 'b'])
        expect(await recall.search(ask('parade', { spaces: [agent(id)], patienceMs: 1 }))).to.have.property('partial');
      await source.give([doc(1, 'parade')]);
      expect(recall.stats()).to.include({ building: 2, evictions: 0 });
      for (let n = 0; n < 2; n++) await source.give(null);
      expect(recall.stats()).to.include({ spaces: 1, evictions: 1 });
    });

    it('SpaceCache.K2: a space that is larger than the bound is held alone, and the log says so once', async () => {
      const said: string[] = [];
      const log = {
        debug: () => undefined,
        warn: (_: object, message: string) => {
          said.push(message);
        },
      };
      const recall = recallOver(
        pagesOf((c) => (c.id === 'big' ? thousand(c) : [doc(1, 'parade')])),
        { maxBytes: 20_000, log },
      );
      for (const id of ['big', 'small', 'big', 'small', 'big'])
        expect(await recall.search(ask('parade', { spaces: [agent(id)] }))).to.not.be.empty;
      expect(recall.stats().spaces).to.equal(1);
      expect(said).to.have.length(1);
    });

    it('two spaces that do not fit together are not built in turn, and a third finds its bound', async () => {
      const built: string[] = [];
      let now = 1_000_000;
      const source = pagesOf((c) => {
        built.push(c.id);
        return thousand(c);
      });
      const one = recallOver(source);
      await one.search(ask('parade'));
      const maxBytes = one.stats().bytes * 1.1;
      built.length = 0;
      const recall = recallOver(source, {
        maxBytes,
        clock: { now: () => now, elapsed: () => now, after: () => () => undefined },
      });
      const searches = async (...names: string[]): Promise<string> => {
        built.length = 0;
        for (const id of names) {
          expect(await recall.search(ask('parade', { spaces: [agent(id)] }))).to.have.length(10);
          now += 10;
        }
        return built.join(' ');
      };
      expect(await searches('a', 'b', 'a', 'b'), 'the bound is twice as high').to.equal('a b a');
      expect(await searches('a', 'b', 'a', 'b', 'a', 'b')).to.equal('');
      now += 50_000;
      expect(await searches('a', 'b', 'a', 'b'), 'as long as both are used').to.equal('');
      expect(await searches('c'), 'twice the bound is the limit').to.equal('c');
      expect(recall.stats().bytes).to.be.at.most(2 * maxBytes);
      now += 120_000;
      expect(await searches('d')).to.equal('d');
      expect(recall.stats().bytes, 'unused ones go').to.be.at.most(maxBytes);
    });

    it('a search over many spaces holds few of them', async () => {
      let most = 0;
      const recall = recallOver(
        pagesOf((c) => {
          most = Math.max(most, recall.stats().spaces);
          return thousand(c);
        }),
        { maxBytes: 1000 },
      );
      const spaces = Array.from({ length: 40 }, (_, i) => agent(`a${i}`));
      const hits = await recall.search(ask('parade', { spaces, limit: 8000 }));
      expect(hits).to.have.length(8000);
      expect(most).to.be.at.most(6);
    });

    it('searches share one build', async () => {
      const source = new HandedSource();
      const recall = recallOver(source.read);
      const searches = ['parade', 'harbour', 'parade'].map(async (query) => recall.search(ask(query)));
      await source.give([doc(1, 'parade'), doc(2, 'harbour')]);
      await source.give(null);
      expect((await Promise.all(searches)).map(ids)).to.deep.equal([[memoryId(1)], [memoryId(2)], [memoryId(1)]]);
      expect(source.began).to.have.length(1);
    });

    it('a build that fails rejects who waits, and the next search builds again', async () => {
      const source = new HandedSource();
      const recall = recallOver(source.read);
      const searches = [recall.search(ask('parade')), recall.search(ask('parade'))].map((s) =>
        Promise.resolve(s).then(
          () => 'found',
          (e: Error) => e.message,
        ),
      );
      await source.give([doc(1, 'parade'), doc(9, 'parade')]);
      await source.give(new Error('disk on fire'));
      expect(await Promise.all(searches)).to.deep.equal(['disk on fire', 'disk on fire']);
      expect(recall.stats()).to.include({ spaces: 0, failedBuilds: 1, bytes: 0 });
      const again = recall.search(ask('parade'));
      await source.give([doc(1, 'parade')]);
      await source.give(null);
      expect(ids(await again)).to.deep.equal([memoryId(1)]);
    });

    it('SpaceCache.K3: a space that is dropped while a search waits for it is built again for that search', async () => {
      const source = new HandedSource();
      const recall = recallOver(source.read);
      const waiting = recall.search(ask('parade'));
      await source.give([doc(1, 'parade')]);
      recall.drop(here);
      recall.put(here, doc(2, 'parade'));
      await source.give([doc(3, 'parade')]);
      expect(source.began).to.have.length(2);
      await source.give([doc(2, 'parade'), doc(4, 'parade')]);
      await source.give(null);
      expect(ids(await waiting)).to.deep.equal([memoryId(4), memoryId(2)]);
      expect(recall.stats()).to.include({ spaces: 1, building: 0, documents: 2 });
    });

    it('SpaceCache.K3: a search whose space is dropped without end fails, and leaves nothing held', async () => {
      const recall = recallOver(async function* dropping() {
        await Promise.resolve();
        recall.drop(here);
        yield [doc(1, 'parade')];
      });
      const failure = await Promise.resolve(recall.search(ask('parade'))).catch((error: unknown) => error);
      expect(failure).to.include({ code: 'UNAVAILABLE' });
      expect(recall.stats()).to.include({ spaces: 0, bytes: 0 });
    });

    it('drop forgets a space that is in memory', async () => {
      const documents = [doc(1, 'parade')];
      const recall = await loaded(documents);
      recall.drop(here);
      documents.length = 0;
      expect(await recall.search(ask('parade'))).to.deep.equal([]);
    });
  });

  it('only the entity that is outdated is read again, and newer writes stay', async () => {
    const read: (string | undefined)[] = [];
    const stored = [doc(1, 'parade'), doc(2, 'harbour')];
    let arrives: () => void = () => undefined;
    const recall = recallOver(async function* (_, part) {
      read.push(part?.id);
      if (part?.id === 'agent_2')
        await new Promise<void>((resolve) => {
          arrives = resolve;
        });
      yield part === undefined ? [...stored] : [doc(2, 'lantern'), doc(3, 'old')];
    });
    await recall.search(ask('parade'));
    const part = { workspace: here.workspace, kind: 'agent', id: 'agent_2' } as const;
    recall.renew(here, part);
    recall.renew(here, { ...part, id: 'agent_3' });
    await settle();
    recall.put(here, doc(3, 'new'));
    const found = recall.search(ask('lantern'));
    expect(found, 'waits for what is read').to.be.instanceOf(Promise);
    recall.renew(here, part); // outdated again while it is read
    arrives();
    await settle();
    recall.put(here, doc(3, 'newest'));
    arrives();
    expect(ids(await found)).to.deep.equal([memoryId(2)]);
    expect(read).to.deep.equal([undefined, 'agent_2', 'agent_3', 'agent_2']);
    expect(ids(now(recall.search(ask('newest'))))).to.deep.equal([memoryId(3)]);
    expect(now(recall.search(ask('harbour')))).to.deep.equal([]);
    expect(ids(now(recall.search(ask('parade'))))).to.deep.equal([memoryId(1)]);
  });

  describe('Recall.R4: writes never wait', () => {
    it('SpaceCache.K1: a write to a space that is not in memory is not kept', () => {
      const recall = recallOver(new HandedSource().read);
      recall.put(here, doc(1, 'parade'));
      recall.remove(here, 'memory', memoryId(1));
      expect(recall.stats()).to.include({ spaces: 0, documents: 0, builds: 0 });
    });

    it('RecallBuild.B1: a build yields the event loop between slices', async () => {
      let turns = 0;
      const documents = Array.from({ length: 1000 }, (_, i) => doc(i, 'parade '.repeat(50)));
      const recall = recallOver(
        pagesOf(() => documents),
        {
          turn: () => {
            turns++;
            return Promise.resolve();
          },
        },
      );
      await recall.search(ask('parade'));
      expect(turns).to.be.within(38, 60); // 1000 documents of 350 + 64 characters, 8192 a slice
    });

    it('SpaceIndex.X1: a long content is indexed by piece, all of it, and the next search waits for it', async () => {
      let turns = 0;
      const recall = await loaded([], {
        turn: () => {
          turns++;
          return turn();
        },
      });
      const words = Array.from({ length: 9000 }, (_, i) => `word${i}`);
      recall.put(here, doc(1, `${words.join(' ')} needle`));
      expect(recall.stats().documents, 'nothing is found of it yet').to.equal(0);
      const search = recall.search(ask('needle word0 word4444 word8999'));
      expect(search).to.be.instanceOf(Promise);
      const hits = await search;
      expect(ids(hits)).to.deep.equal([memoryId(1)]);
      expect(turns).to.be.above(20);
      expect(now(recall.search(ask('needle')))).to.have.length(1);
    });

    for (const [name, change, expected] of [
      ['a shorter content', (r: Awaited<ReturnType<typeof loaded>>) => r.put(here, doc(1, 'harbour')), ['harbour']],
      [
        'another long content',
        (r: Awaited<ReturnType<typeof loaded>>) => r.put(here, doc(1, 'harbour '.repeat(2000))),
        ['harbour'],
      ],
      ['a remove', (r: Awaited<ReturnType<typeof loaded>>) => r.remove(here, 'memory', memoryId(1)), []],
    ] as const) {
      for (const after of [0, 5, 18, 24]) {
        it(`${name} overtakes a long content that is being indexed (after ${after} turns)`, async () => {
          const recall = await loaded([]);
          recall.put(here, doc(1, `${Array.from({ length: 9000 }, (_, i) => `word${i}`).join(' ')} needle`));
          await settle(after);
          change(recall);
          for (const word of ['harbour', 'needle', 'word0', 'word8999']) {
            expect((await recall.search(ask(word))).length, word).to.equal(expected.includes(word as never) ? 1 : 0);
          }
          expect(recall.stats()).to.include({ terms: expected.length, documents: expected.length });
        });
      }
    }

    it('drop lets go of who waits for a long content', async () => {
      const recall = await loaded([]);
      recall.put(here, doc(1, 'parade '.repeat(9000)));
      const waiting = recall.search(ask('parade'));
      recall.drop(here);
      expect(await waiting).to.deep.equal([]);
    });
  });

  describe('Recall.R5: expired documents', () => {
    it('are not found from the moment they expire, and lend their neighbours nothing', async () => {
      const s = { sessionId: 's' };
      const recall = await loaded([
        doc(1, 'parade', { ...s, position: 0, expiresAt: 1000 }),
        doc(2, 'nothing', { ...s, position: 1 }),
      ]);
      expect(ids(now(recall.search(ask('parade', { now: 999 }))))).to.deep.equal([memoryId(1), memoryId(2)]);
      expect(now(recall.search(ask('parade', { now: 1000 })))).to.deep.equal([]);
      expect(ids(now(recall.search(ask('', { now: 1000 }))))).to.deep.equal([memoryId(2)]);
    });
  });
});
