/**
 * Refuses writes shortly before the disk is full. lmdb-js (3.5.6) does not survive a write that finds no room: it puts
 * its message about it into a buffer that is too short, which damages the heap and soon ends the process.
 *
 *  - A write is begun only if the disk has room for it and for those under way, and a reserve of 32 MiB or a sixteenth
 *    of the disk beside, whichever is less. Reads never need room.
 *  - Writes are taken again as soon as there is room: the disk is asked at least every `askEveryMs` while there are
 *    writes, and for every write that does not seem to fit.
 *
 * The reserve is for what others write to the disk meanwhile. Quotas of users are not seen.
 */
import { noRoom, totalBytes } from './failures.js';
import type { Write } from './write.js';
import type { Writer } from './writer.js';

export const reserveOn = (dir: string): number => Math.min(32 * 1024 * 1024, totalBytes(dir) / 16);
const askEveryMs = 50;
/** An operation changes a page. */
const bytesAround = 4096;

export class DiskRoom implements Writer {
  private left = 0;
  private underWay = 0;
  private askedAt = -Infinity;
  private readonly reserve: number;

  constructor(
    private readonly writer: Writer,
    private readonly dir: string,
    private readonly freeBytes: (dir: string) => number,
  ) {
    this.reserve = reserveOn(dir);
  }

  write(write: Write): Promise<boolean> {
    const bytes = mostBytesOf(write);
    this.requireRoom(bytes);
    const done = this.writer.write(write);
    this.left -= bytes;
    this.underWay += bytes;
    const ended = (): void => {
      this.underWay -= bytes;
    };
    done.then(ended, ended);
    return done;
  }

  /** Throws a StoreError, 'full'. */
  requireRoom(bytes: number): void {
    const now = performance.now();
    if (now - this.askedAt >= askEveryMs || bytes > this.left) {
      this.askedAt = now;
      this.left = this.freeBytes(this.dir) - this.reserve - this.underWay;
    }
    if (bytes > this.left) throw noRoom(this.dir);
  }
}

/** A bound for what a write takes on the disk, where changed pages are written to other places. */
function mostBytesOf({ head, operations }: Write): number {
  let bytes = bytesAround + 2 * (head?.text.length ?? 0);
  for (const { value } of operations) bytes += bytesAround + 2 * (value?.length ?? 0);
  return bytes;
}
