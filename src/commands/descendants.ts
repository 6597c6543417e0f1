/**
 * Finds the keys and tokens that a key has created, directly or through keys that it created. The audit records contain
 * this for every key and token ever created, so it is not stored anywhere else.
 */
import type { AuditRecord } from '../domain/model/model.js';
import { homeOf, isSandbox, sandboxOf } from '../domain/workspace/workspace.js';
import type { Store } from '../store/port.js';
import { itemsOf } from '../store/list-query.js';

export interface Descendants {
  keys: string[];
  tokens: { id: string; agent: string; workspace: string }[];
}

/**
 * All keys belong to one entity, so their records are in order and one pass finds them all. A token's record may be
 * listed before that of the key that created it, because agents may be served by processes with different clocks, so
 * tokens are matched at the end. A caller in a sandbox is told only the tokens in that sandbox. A caller in the
 * workspace is told those of both, because its keys can also create test keys.
 */
export async function descendantsOf(store: Store, workspace: string, root: string): Promise<Descendants> {
  const home = homeOf(workspace);
  const minters = new Set([root]);
  const minted: { id: string; agent: string; workspace: string; by: string }[] = [];
  for (const partition of [home, sandboxOf(home)])
    for await (const { action, actor, credential_id: id, agent_id: agent } of auditOf(store, partition))
      if (id === null) continue;
      else if (action === 'key.created' && minters.has(actor)) minters.add(id);
      else if (action === 'token.created' && agent !== null && (partition === workspace || !isSandbox(workspace)))
        minted.push({ id, agent, workspace: partition, by: actor });
  minters.delete(root);
  return { keys: [...minters], tokens: minted.filter(({ by }) => by === root || minters.has(by)) };
}

async function* auditOf(store: Store, workspace: string): AsyncIterable<AuditRecord> {
  const query = { workspace, collection: 'audit', list: 'created', order: 'asc', limit: 500 } as const;
  for await (const { body } of itemsOf(store, query)) yield body;
}
