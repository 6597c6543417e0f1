/**
 * Records that are added without a commit of their entity (`claim` of the store port). The server is the only process
 * that claims, so the claims that are on their way to the disk are known here, and two under one id are never both
 * written. Nobody waits for the disk: lmdb keeps the order of writes, so a commit that is begun afterwards is not
 * durable before the claim is, unless the write of the claim fails by itself.
 */
import { entityPrefix } from '../keys.js';
import type { EntityRef, IdempotencyRecord } from '../port.js';
import { recordKey } from './keys.js';
import { recordOperations } from './plan.js';
import type { Reader } from './entries.js';
import type { Writer } from './writer.js';

export class Claims {
  /** The claims that are being written, by the keys of their records. */
  private readonly underWay = new Map<string, IdempotencyRecord>();

  constructor(
    private readonly reader: Pick<Reader, 'record'>,
    private readonly writer: Writer,
  ) {}

  /** `written` is given the write, which may fail. */
  claim(
    entity: EntityRef,
    record: IdempotencyRecord,
    now: number,
    written: (write: Promise<unknown>) => void,
  ): IdempotencyRecord | null {
    const prefix = entityPrefix(entity);
    const key = recordKey(prefix, record.id);
    const found = this.underWay.get(key) ?? this.reader.record(entity, record.id, now);
    if (found) return found;
    this.underWay.set(key, record);
    // the condition of a write is on a head, and no head has this key
    const write = this.writer.write({ key, expected: 0, operations: recordOperations(prefix, record) });
    written(
      write.finally(() => {
        this.underWay.delete(key);
      }),
    );
    return null;
  }
}
