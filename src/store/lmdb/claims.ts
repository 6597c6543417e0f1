/**
 * Records that are added without a commit of their entity (`claim` of the store port). The server is the only process
 * that claims, so the claims that are on their way to the disk are known here, and two under one id are never both
 * written.
 */
import { entityPrefix } from '../keys.js';
import type { EntityRef, IdempotencyRecord } from '../port.js';
import { recordKey } from './keys.js';
import { recordOperations } from './plan.js';
import type { Reader } from './reader.js';
import type { Writer } from './writer.js';

export class Claims {
  /** The claims that are being written, by the keys of their records. */
  private readonly underWay = new Map<string, Promise<IdempotencyRecord>>();

  constructor(
    private readonly reader: Pick<Reader, 'record'>,
    private readonly writer: Writer,
  ) {}

  claim(entity: EntityRef, record: IdempotencyRecord, now: number): Promise<IdempotencyRecord> {
    const prefix = entityPrefix(entity);
    const key = recordKey(prefix, record.id);
    const before = this.underWay.get(key);
    if (before) return before.catch(() => this.claim(entity, record, now));
    const found = this.reader.record(entity, record.id, now);
    if (found) return Promise.resolve(found);
    const written = this.write(key, prefix, record).finally(() => {
      this.underWay.delete(key);
    });
    this.underWay.set(key, written);
    return written;
  }

  private async write(key: string, prefix: string, record: IdempotencyRecord): Promise<IdempotencyRecord> {
    // The condition of a write is on a head, and no head has this key.
    await this.writer.write({ key, expected: 0, operations: recordOperations(prefix, record) });
    return record;
  }
}
