/**
 * Other ids for the records of an export, so that a copy can stand beside what it was made of. They follow from the old
 * ones, the file and a label: the same import repeated takes in nothing twice, and another label makes another copy.
 */
import { createHash } from 'node:crypto';
import { blockId } from '../commands/block-reads.js';
import type { CheckedRecord } from '../domain/import/import-records.js';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const ours = /^(agent|hive|mem|run|msg|tht|ckpt|sess|tok|key|sched|wh)_[0-9a-hjkmnp-tv-z]{26}$/;
/** Time and counter, which the new id keeps, so that the order stays. */
const kept = 12;
/** What people and agents wrote, in which nothing is replaced. */
const texts: ReadonlySet<string> = new Set([
  'content',
  'metadata',
  'input',
  'output',
  'partial',
  'question',
  'arguments',
  'result',
  'instructions',
]);

export async function* withNewIds(records: AsyncIterable<CheckedRecord>, seed: string): AsyncGenerator<CheckedRecord> {
  for await (const { kind, id, data } of records)
    if (kind === 'block') {
      // all of it but its subject is text, and its id follows from that
      const moved = { ...data, subject: mapped(data.subject, seed) as string | null };
      yield { kind, id: blockId(moved), data: moved };
    } else yield { kind, id: newId(id, seed), data: mapped(data, seed) } as CheckedRecord;
}

function newId(id: string, seed: string): string {
  if (!ours.test(id)) return id;
  const start = id.indexOf('_') + 1 + kept;
  const digest = createHash('sha256').update(`${seed}/${id}`).digest();
  let rest = '';
  for (let i = 0; i < id.length - start; i++) rest += alphabet.charAt((digest[i] ?? 0) & 31);
  return id.slice(0, start) + rest;
}

function mapped(value: unknown, seed: string): unknown {
  if (typeof value === 'string') return newId(value, seed);
  if (Array.isArray(value)) return value.map((item) => mapped(item, seed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, texts.has(name) ? item : mapped(item, seed)]),
  );
}
