/**
 * Indexes what the store has of a memory space while the process keeps doing its other work: all of its documents, or
 * what has changed since a snapshot.
 *
 *  RecallBuild.B1 Between two turns of the event loop, a build indexes at most `perTurn` characters (each document
 *     counts as 64 more).
 *  RecallBuild.B2 A document that was put or removed since the build began is not taken from the source, because the
 *     write is newer than any page (Recall.R2).
 *  - A build that is no longer wanted ends early, without an error.
 *
 * Failure: an error of the source fails the build. Its index is then incomplete and must be discarded.
 */
import type { SpaceIndex, Turn } from './space-index.js';
import type { RecallChange, RecallDocument } from './port.js';

const perTurn = 8192;
const perDocument = 64;

export interface BuildControl {
  /** Keys (documentKey) written since the build began. */
  readonly written: ReadonlySet<string>;
  readonly wanted: () => boolean;
  readonly take: (change: RecallChange) => void;
  /** Called after each slice, once `index.bytes` has changed. */
  readonly grown: () => void;
}

export const documentKey = (kind: RecallDocument['kind'], id: string): string => `${kind}/${id}`;

export async function* documentsOf(pages: AsyncIterable<RecallDocument[]>): AsyncGenerator<RecallChange[]> {
  for await (const page of pages) yield page.map((put) => ({ put }));
}

export async function indexPages(
  pages: AsyncIterable<RecallChange[]>,
  index: SpaceIndex,
  turn: Turn,
  control: BuildControl,
): Promise<void> {
  for await (const page of pages) {
    let work = Infinity; // reading a page was work, too
    for (const change of page) {
      if (!control.wanted()) return;
      if (work > perTurn) {
        control.grown();
        await turn();
        work = 0;
        if (!control.wanted()) return;
      }
      const { kind, id } = 'put' in change ? change.put : change.removed;
      work += perDocument + ('put' in change ? change.put.content.length : 0);
      if (!control.written.has(documentKey(kind, id))) control.take(change);
    }
    // Long documents are queued in the index; waiting here limits the queue to those of one page.
    await index.settled();
    control.grown();
  }
}
