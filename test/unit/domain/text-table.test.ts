/**
 * The table of texts that finds repetitions (src/domain/memory/identities.ts), and where it is kept
 * (actors/entities/kept-texts.ts).
 */
import { expect } from 'chai';
import { idSource, idStart, startOfId } from '../../../src/domain/shared/ids.js';
import { TextTable } from '../../../src/domain/memory/identities.js';
import { KeptTexts } from '../../../actors/entities/kept-texts.js';
import { randomBytes } from 'node:crypto';

const ids = idSource(randomBytes);
/** Numbers as well spread as hashes are. */
const hash = (i: number): number => (i * 2654435761) % 2 ** 53;

const filled = (count: number): TextTable => {
  const table = new TextTable();
  for (let i = 0; i < count; i++) table.add(hash(i), ids('memory', 1_700_000_000_000 + i));
  return table;
};

describe('the table of texts', () => {
  it('finds every text that was added, and takes less than 24 bytes for each', () => {
    const table = new TextTable();
    const made = Array.from({ length: 10_000 }, (_, i) => ids('memory', 1_700_000_000_000 + (i >> 6)));
    made.forEach((id, i) => {
      table.add(hash(i), id);
      table.add(hash(i), id);
    });
    expect(table.size).to.equal(made.length);
    expect(made.filter((id, i) => !table.find(hash(i)).some((start) => id.startsWith(start)))).to.deep.equal([]);
    expect(table.find(hash(10_001))).to.deep.equal([]);
    expect(table.bytes / table.size).to.be.below(24);
  });

  it('of many memories with one hash finds the newest', () => {
    const table = new TextTable();
    const made = Array.from({ length: 9 }, (_, i) => ids('memory', 1_700_000_000_000 + i));
    for (const id of made) table.add(7, id);
    expect(table.find(7)).to.deep.equal(
      made
        .slice(-4)
        .reverse()
        .map((id) => id.slice(0, 'mem_'.length + 12)),
    );
  });

  it('keeps the time and the counter of an id, and leaves out what is none', () => {
    for (const id of [ids('memory', 0), ids('memory', 2 ** 42), ids('memory', 1_763_856_000_000)].slice(1))
      expect(id.startsWith(idStart('memory', startOfId(id)))).to.equal(true);
    for (const id of ['', 'mem_', 'mem_short', 'mem_zzzzzzzzzzzzzzzzzzzzzzzzzz', 'mem_01uuuuuuuuuuuuuuuuuuuuuuuuu'])
      expect(startOfId(id)).to.equal(0);
  });
});

describe('tables of texts of entities that left memory', () => {
  const entity = (id: string) => ({ workspace: 'w', kind: 'agent', id }) as const;

  it('are taken once, and only by who was written by nobody else (KeptTexts.T1)', () => {
    const kept = new KeptTexts();
    const table = filled(300);
    kept.keep(entity('a'), 5, table);
    expect(kept.take(entity('b'), 5)).to.equal(null);
    expect(kept.take(entity('a'), 5)).to.equal(table);
    expect(kept.take(entity('a'), 5)).to.equal(null);
    kept.keep(entity('a'), 5, table);
    expect(kept.take(entity('a'), 6)).to.equal(null);
  });

  it('take no more than their bound, and those that were kept last stay', () => {
    const tables = ['a', 'b', 'c'].map((id) => ({ id, table: filled(300) }));
    const kept = new KeptTexts(2 * (tables[0]?.table.bytes ?? 0));
    for (const { id, table } of tables) kept.keep(entity(id), 1, table);
    expect(tables.map(({ id }) => kept.take(entity(id), 1) !== null)).to.deep.equal([false, true, true]);
  });
});
