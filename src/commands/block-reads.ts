/** Reads blocks from the store. */
import { hash } from 'node:crypto';
import type { StoredBlock } from '../domain/shared/documents.js';
import { bounds } from '../domain/agent/agent-state.js';
import type { Owned } from '../domain/shared/caller.js';
import { allOf, type MaybePromise, wait, type Waiting } from '../maybe-promise.js';
import { blocksOf } from '../store/collections.js';
import type { EntityRef, Page, Store } from '../store/port.js';

/** The id of the block of this label: of one subject and label there is one (Blocks.K1). */
export const blockId = ({ label, subject }: { label: string } & Owned): string =>
  `block_${hash('sha256', `${blocksOf({ subject })}\0${label}`).slice(0, 26)}`;

export const listOfBlocks = (agent: EntityRef, of: Owned) =>
  ({ workspace: agent.workspace, entity: agent, collection: 'block', list: 'subject', by: blocksOf(of) }) as const;

/** The blocks of this subject alone, the oldest first. */
export const blocksIn = (store: Pick<Store, 'list'>, agent: EntityRef, of: Owned): MaybePromise<Page<'block'>> =>
  store.list({ ...listOfBlocks(agent, of), order: 'asc', limit: bounds.blocks + 1 });

/** The blocks that a run for this subject is told: those of nobody in particular, and then its own (Subjects.T1). */
export function* blocksFor(store: Pick<Store, 'list'>, agent: EntityRef, of: Owned): Waiting<readonly StoredBlock[]> {
  const subject = of.subject ?? null;
  const pages = [blocksIn(store, agent, {}), ...(subject === null ? [] : [blocksIn(store, agent, of)])];
  return (yield* wait(allOf(pages))).flatMap(({ items }) => items.map(({ body }) => body));
}
