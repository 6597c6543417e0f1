/**
 * Builds the index of a context from the store, beside whatever else the process does.
 *
 *  RecallBuild.B1 Between two turns of the event loop it indexes at most `perTurn` characters (a document counts as 64
 *     more).
 *  RecallBuild.B2 A document that was put or removed since the build began is not taken from the source: what was
 *     written is newer than any page (Recall.R2).
 *  RecallBuild.B3 Ends early, without an error, when it is no longer wanted.
 *
 * Failure: an error of the source is the build's; its index is then incomplete and must be thrown away.
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
  /** Called after each slice, when `index.bytes` has changed. */
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
    // Long documents wait in the index; a page of them at most.
    await index.settled();
    control.grown();
  }
}
