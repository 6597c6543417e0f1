/** A store whose commits the test settles one by one, and a writer on it. */
import type { AgentSnapshot } from '../../../../src/domain/shared/snapshots.js';
import type { StoredMemory } from '../../../../src/domain/memory/stored-memory.js';
import { EntityWriter, type PendingWrite } from '../../../../actors/entities/entity-writer.js';
import type { DocumentDelete, DocumentPut } from '../../../../src/domain/shared/draft.js';
import type { Commit, EntityRef } from '../../../../src/store/port.js';
import { turn } from '../../../helpers/turn.js';

export const entity: EntityRef = { workspace: 'w', kind: 'agent', id: 'a' };

export interface TaggedWrite extends PendingWrite {
  tag: string;
}

interface Sent {
  commit: Commit;
  answer(outcome: 'committed' | 'conflict'): Promise<void>;
  fail(error: Error): Promise<void>;
}

/** Lets what is resolved by now call back. */
export { turn as settle };

export function heldWriter(seq = 0): {
  writer: EntityWriter<TaggedWrite>;
  sent: Sent[];
  events: string[];
  time: { now: number; pass(ms: number): void };
} {
  const sent: Sent[] = [];
  const events: string[] = [];
  const timers = new Set<{ at: number; fn: () => void }>();
  const time = {
    now: 0,
    pass: (ms: number): void => {
      time.now += ms;
      for (const timer of timers) if (timer.at <= time.now && timers.delete(timer)) timer.fn();
    },
  };
  const commit = (c: Commit): Promise<'committed' | 'conflict'> =>
    new Promise((resolve, reject) => {
      sent.push({
        commit: c,
        answer: (o) => {
          resolve(o);
          return turn();
        },
        fail: (e) => {
          reject(e);
          return turn();
        },
      });
    });
  const clock = {
    elapsed: () => time.now,
    after: (ms: number, fn: () => void) => {
      const timer = { at: time.now + ms, fn };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const metrics = {
    commit: (outcome: string, seconds: number) => {
      events.push(`${outcome} in ${seconds}`);
    },
  };
  const tags = (writes: readonly TaggedWrite[]): string => writes.map(({ tag }) => tag).join();
  const writer = new EntityWriter<TaggedWrite>(
    { store: { commit }, clock, metrics },
    entity,
    seq,
    { old: 1 },
    {
      written: (batch) => {
        events.push(`committed ${tags(batch)}`);
      },
      lost: (batch, reason, behind) => {
        events.push(
          `lost ${tags(batch)}: ${reason === 'conflict' ? reason : String((reason.error as Error).message)}${behind.length > 0 ? `; behind: ${tags(behind)}` : ''}`,
        );
      },
    },
  );
  return { writer, sent, events, time };
}

export const put = (id: string, body: Record<string, unknown> = {}, isNew = true): DocumentPut => ({
  kind: 'memory',
  id,
  body: body as object as StoredMemory,
  isNew,
});
export const gone = (id: string): DocumentDelete => ({ kind: 'memory', id });

export const write = (
  tag: string,
  puts: readonly DocumentPut[] = [],
  deletes: readonly DocumentDelete[] = [],
): TaggedWrite => ({
  tag,
  puts,
  deletes,
  records: [],
  snapshot: { by: tag } as object as AgentSnapshot,
  counts: { [tag]: 1 },
  active: tag === 'active',
  due: tag === 'due' ? 7 : null,
  deleted: tag === 'deleted',
});
