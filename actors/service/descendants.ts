/**
 * What a key has minted, and what that has minted, and so on. The audit knows it for all keys and tokens that were ever
 * made, also by earlier versions, so nothing else keeps it.
 */
import type { AuditRecord } from '../../src/domain/model.js';
import { homeOf, isSandbox, sandboxOf } from '../../src/domain/sandbox.js';
import type { Position, Store } from '../../src/store/port.js';
import type { ServiceContext } from './context.js';

export interface Descendants {
  keys: string[];
  tokens: { id: string; agent: string; workspace: string }[];
}

/**
 * Keys are of one entity, so their records are in order and one pass finds them all. A token's record may be listed
 * before that of the key that minted it, as agents have clocks of their own; it is matched at the end. To a caller of a
 * sandbox only the tokens in it are told; a caller of the workspace is told both, as its keys mint test keys too.
 */
export async function descendantsOf(
  { deps: { store } }: ServiceContext,
  workspace: string,
  key: string,
): Promise<Descendants> {
  const home = homeOf(workspace);
  const minters = new Set([key]);
  const minted: { id: string; agent: string; workspace: string; by: string }[] = [];
  for (const place of [home, sandboxOf(home)])
    for await (const { action, actor, credential_id: id, agent_id: agent } of auditOf(store, place))
      if (action === 'key.created' && minters.has(actor)) minters.add(id);
      else if (action === 'token.created' && agent !== null && (place === workspace || !isSandbox(workspace)))
        minted.push({ id, agent, workspace: place, by: actor });
  minters.delete(key);
  return { keys: [...minters], tokens: minted.filter(({ by }) => by === key || minters.has(by)) };
}

async function* auditOf(store: Store, workspace: string): AsyncIterable<AuditRecord> {
  let after: Position | undefined;
  do {
    const page = await store.list({
      workspace,
      collection: 'audit',
      list: 'created',
      order: 'asc',
      limit: 500,
      ...(after && { after }),
    });
    for (const { body } of page.items) yield body as unknown as AuditRecord;
    after = page.next ?? undefined;
  } while (after);
}
