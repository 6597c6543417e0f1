/**
 * Builds the index of a context from the store while the process keeps doing its other work.
 *
 *  RecallBuild.B1 Between two turns of the event loop, a build indexes at most `perTurn` characters (each document
 *     counts as 64 more).
 *  RecallBuild.B2 A document that was put or removed since the build began is not taken from the source, because the
 *     write is newer than any page (Recall.R2).
 *  - A build that is no longer wanted ends early, without an error.
 *
 * Failure: an error of the source fails the build. Its index is then incomplete and must be discarded.
 */
import type { EntityRef } from '../store/port.js';
import type { ContextIndex, Turn } from './context-index.js';
import type { RecallDocument, RecallSource } from './port.js';

const perTurn = 8192;
const perDocument = 64;

export interface BuildControl {
  /** Keys (documentKey) written since the build began. */
  readonly written: ReadonlySet<string>;
  readonly wanted: () => boolean;
  /** Called after each slice, once `index.bytes` has changed. */
  readonly grown: () => void;
}

export const documentKey = (kind: RecallDocument['kind'], id: string): string => `${kind}/${id}`;

export async function buildIndex(
  context: EntityRef,
  source: RecallSource,
  index: ContextIndex,
  turn: Turn,
  control: BuildControl,
): Promise<void> {
  let work = 0;
  for await (const page of source(context)) {
    for (const document of page) {
      if (!control.wanted()) return;
      if (work > perTurn) {
        control.grown();
        await turn();
        work = 0;
        if (!control.wanted()) return;
      }
      work += document.content.length + perDocument;
      if (!control.written.has(documentKey(document.kind, document.id))) index.put(document);
    }
    // Long documents are queued in the index; waiting here limits the queue to those of one page.
    await index.settled();
    control.grown();
  }
}
