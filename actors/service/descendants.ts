/**
 * What a key has minted, and what that has minted, and so on. The audit knows it for all keys and tokens that were ever
 * made, also by earlier versions, so nothing else keeps it.
 */
import type { AuditRecord } from '../../src/domain/model.js';
import type { Position } from '../../src/store/port.js';
import type { ServiceContext } from './context.js';

export interface Descendants {
  keys: string[];
  tokens: { id: string; agent: string }[];
}

/**
 * Keys are of one entity, so their records are in order and one pass finds them all. A token's record may be listed
 * before that of the key that minted it, as agents have clocks of their own; it is matched at the end.
 */
export async function descendantsOf(
  { deps: { store } }: ServiceContext,
  workspace: string,
  key: string,
): Promise<Descendants> {
  const minters = new Set([key]);
  const minted: { id: string; agent: string; by: string }[] = [];
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
    for (const { body } of page.items) {
      const { action, actor, credential_id: id, agent_id: agent } = body as unknown as AuditRecord;
      if (action === 'key.created' && minters.has(actor)) minters.add(id);
      else if (action === 'token.created' && agent !== null) minted.push({ id, agent, by: actor });
    }
    after = page.next ?? undefined;
  } while (after);
  minters.delete(key);
  return { keys: [...minters], tokens: minted.filter(({ by }) => by === key || minters.has(by)) };
}
