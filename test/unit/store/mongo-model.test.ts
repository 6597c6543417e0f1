/**
 * Random commits of two writers on two stores, against a model: one map of documents that each committed commit
 * changes. After every commit both stores show what the model says, in reads, lists and counts (Store.P1, Store.P2,
 * Store.P4).
 */
import { fieldsOf } from '../../helpers/fields.js';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Commit } from '../../../src/store/port.js';
import { commit, entity, put } from '../../contract/store/fixtures.js';
import { MongoBench } from './mongo-helpers.js';

interface Step {
  writer: 0 | 1;
  loads: boolean;
  releases: boolean;
  puts: { id: number; v: number }[];
  deletes: number[];
  beside: boolean;
}

const id = (n: number): string => `mem_${n}`;
const step: fc.Arbitrary<Step> = fc.record({
  writer: fc.constantFrom(0 as const, 1 as const),
  loads: fc.boolean(),
  releases: fc.boolean(),
  beside: fc.boolean(),
  puts: fc.array(fc.record({ id: fc.integer({ min: 0, max: 4 }), v: fc.integer({ min: 0, max: 9 }) }), {
    maxLength: 3,
  }),
  deletes: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 2 }),
});

describe('store on MongoDB: two writers against a model', function () {
  this.timeout(120_000);
  const bench = new MongoBench();
  bench.hooks();

  it('a commit takes effect where its writer knew the newest head, and nothing else does', async () => {
    const stores = [await bench.open(), await bench.open()] as const;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        const ref = entity(`agent_${runs++}`);
        const known = [0, 0];
        const model = new Map<string, number>();
        let seq = 0;
        for (const s of steps) {
          const store = stores[s.writer];
          if (s.loads) known[s.writer] = (await store.load(ref))?.seq ?? 0;
          const base = known[s.writer]!;
          const made: Commit = commit(ref, base + 1, {
            counts: { memories: s.puts.length },
            puts: s.puts.map(({ id: n, v }) => put('memory', id(n), { v, updated_at: String(v) }, !model.has(id(n)))),
            deletes: s.deletes.map((n) => ({ kind: 'memory' as const, id: id(n) })),
          });
          // a rival that is refused in any case, at the same time
          const [outcome, rival] = await Promise.all([
            store.commit(made),
            s.beside
              ? stores[s.writer === 0 ? 1 : 0].commit(commit(ref, seq + 3, { puts: [put('memory', 'mem_rival')] }))
              : 'conflict',
          ]);
          expect(rival).to.equal('conflict');
          expect(outcome, `commit ${base + 1} on ${seq}`).to.equal(base === seq ? 'committed' : 'conflict');
          if (outcome === 'committed') {
            known[s.writer] = ++seq;
            for (const p of s.puts) model.set(id(p.id), p.v);
            for (const n of s.deletes) model.delete(id(n));
            if (s.releases) {
              store.release(ref, seq);
              await store.released();
            }
          }
          for (const reader of stores) {
            expect((await reader.head(ref))?.seq ?? 0).to.equal(seq);
            const page = await reader.list({
              workspace: 'ws_a',
              collection: 'memory',
              list: 'created',
              entity: ref,
              order: 'asc',
              limit: 100,
            });
            expect(page.items.map((i) => [i.id, fieldsOf(i.body)['v']])).to.deep.equal([...model].sort());
          }
        }
      }),
      { numRuns: 12 },
    );
  });
});
