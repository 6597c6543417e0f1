/**
 * Removes the heads of deleted entities. Each deletion leaves an entry in `system` that says when its head is looked
 * at.
 *
 *  - A head stays while anything else of its entity is stored: idempotency records, by which a repeated request is
 *    recognised (Model.C11), and audit records, which are kept for good. Without them a head answers nothing that its
 *    absence does not: ids are random, so nobody creates an entity again but by repeating a request (Model.C10).
 *  - A head whose counts are not all gone stays for `countedMs` after it is first looked at: what the entity used in a
 *    month counts until the month is over.
 *  - A removal is a conditional write, and takes its counts off the sums as a commit does.
 */
import type { Trees } from './environment.js';
import { entityOfKey, entityPrefix, numberPart } from '../keys.js';
import { keysUnder } from './keys.js';
import { decodeHead } from './values.js';
import type { KeyWrite, Write } from './write.js';

/** Longer than a request stays on its way through the process that works on the store. */
export const goneMs = 5 * 60_000;
/** Longer than a month. */
export const countedMs = 32 * 24 * 3_600_000;
const gonePrefix = 'gone';
const mostAtOnce = 200;

const goneKey = (lookAt: number, entity: string): string => `${gonePrefix}\0${numberPart(lookAt)}\0${entity}`;
const later = (lookAt: number, entity: string, value = ''): KeyWrite => ({
  tree: 'system',
  key: goneKey(lookAt, entity),
  value,
});

/** What the commit that deletes an entity adds, so that its head is looked at. */
export const goneEntry = (now: number, entity: string): KeyWrite => later(now + goneMs, entity);

/** Looks at all heads whose time has come. `write` makes a conditional write, as a commit does. */
export async function sweepTombstones(
  trees: Trees,
  now: number,
  write: (write: Write) => Promise<unknown>,
  stopped: () => boolean,
): Promise<void> {
  for (let more = true; more && !stopped();) {
    const due = [
      ...trees.system.getRange({
        start: keysUnder(gonePrefix).start,
        end: keysUnder(`${gonePrefix}\0${numberPart(now)}`).end,
        limit: mostAtOnce,
      }),
    ];
    await Promise.all(due.map(({ key, value }) => write(removal(trees, key, value === counted, now))));
    more = due.length === mostAtOnce;
  }
}

/** Stands in an entry whose head has been kept for its counts. */
const counted = 'counted';

/** The write that removes the head, or that has it looked at again. */
function removal(trees: Trees, key: string, wasCounted: boolean, now: number): Write {
  const prefix = key.slice(key.indexOf('\0', gonePrefix.length + 1) + 1);
  const entity = entityOfKey(prefix);
  const looked: KeyWrite = { tree: 'system', key, value: null };
  const stored = trees.heads.getEntry(entityPrefix(entity));
  const expected = stored?.version ?? 0;
  const done = (...more: KeyWrite[]): Write => ({ key: prefix, expected, operations: [looked, ...more] });
  if (!stored) return done();
  const head = decodeHead(entity, expected, stored.value);
  if (!head.deleted || head.active) return done();
  const rest = firstOf(trees, prefix);
  // looked at again when this record has expired and was removed
  if (rest) return rest.expiresAt === null ? done() : done(later(Math.max(rest.expiresAt, now) + goneMs, prefix));
  const delta = Object.entries(head.counts).flatMap(([name, n]) => (n === 0 ? [] : [[name, -n] as const]));
  if (delta.length > 0 && !wasCounted) return done(later(now + countedMs, prefix, counted));
  return {
    ...done(),
    head: null,
    ...(delta.length > 0 && { counts: { workspace: entity.workspace, delta: Object.fromEntries(delta) } }),
  };
}

/** The first of what is stored of the entity beside its head; idempotency records, which expire, come first. */
function firstOf({ docs }: Trees, prefix: string): { expiresAt: number | null } | null {
  for (const { key, value } of docs.getRange({ ...keysUnder(prefix), limit: 1 }))
    return { expiresAt: key.startsWith(`${prefix}\0!\0`) ? (JSON.parse(value) as [string, number])[1] : null };
  return null;
}
