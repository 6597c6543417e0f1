/** Folding: one commit of several decisions leaves the store as their commits one after another would. */
import { expect } from 'chai';
import fc from 'fast-check';
import { fold } from '../../../../actors/entities/entity-writer.js';
import { MemoryStore } from '../../../helpers/memory-store.js';
import { entity, gone, put, type TaggedWrite, write } from './writer-kit.js';

const ids = ['p', 'q', 'r'] as const;
type Step = { id: (typeof ids)[number]; what: 'put' | 'delete'; value: number };
const decision = fc.array(
  fc.record<Step>({ id: fc.constantFrom(...ids), what: fc.constantFrom('put', 'delete'), value: fc.nat(9) }),
  { maxLength: 3 },
);

/** Decisions as the domain makes them: each names a document once, and knows whether it exists. */
function writes(stored: readonly string[], decisions: readonly (readonly Step[])[]): TaggedWrite[] {
  const exists = new Set<string>(stored);
  return decisions.map((steps, n) => {
    const named = new Map(steps.map((s) => [s.id, s]));
    const puts = [];
    const deletes = [];
    for (const { id, what, value } of named.values()) {
      if (what === 'put') {
        puts.push(put(id, { value, n }, !exists.has(id)));
        exists.add(id);
      } else if (exists.has(id)) {
        deletes.push(gone(id));
        exists.delete(id);
      }
    }
    return write(`d${n}`, puts, deletes);
  });
}

async function storeWith(stored: readonly string[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.commit(
    fold(entity, 1, {}, [
      write(
        'first',
        stored.map((id) => put(id, { value: -1 })),
      ),
    ]),
  );
  return store;
}

describe('Folding', () => {
  it('equals applying one after another, and says what is new to the store', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...ids]),
        fc.array(decision, { minLength: 1, maxLength: 6 }),
        async (stored, decisions) => {
          const all = writes(stored, decisions);
          const [folded, single] = [await storeWith(stored), await storeWith(stored)];
          const commit = fold(entity, 2, {}, all);
          expect(await folded.commit(commit)).to.equal('committed'); // it throws where isNew is said of what is there
          for (const [i, w] of all.entries()) await single.commit(fold(entity, i + 2, {}, [w]));
          expect(new Map([...folded.docs].sort())).to.deep.equal(new Map([...single.docs].sort()));
          const heads = [folded, single].map((s) => ({ ...s.head(entity), seq: 0 }));
          expect(heads[0]).to.deep.equal(heads[1]);
          for (const p of commit.puts)
            expect(p.isNew, `isNew of ${p.id}`).to.equal(!stored.includes(p.id as (typeof ids)[number]));
          const named = [...commit.puts, ...commit.deletes].map((d) => d.id);
          expect(new Set(named).size, 'each document once').to.equal(named.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a document made and deleted within one commit is never written', () => {
    const commit = fold(entity, 1, {}, [write('a', [put('x')]), write('b', [], [gone('x')])]);
    expect(commit).to.deep.include({ puts: [], deletes: [] });
  });
});
