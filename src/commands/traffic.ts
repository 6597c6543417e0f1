/**
 * Who has written to whom in the last hour: the workspace's mailbox messages, added up by sender and receiver.
 *
 * They are counted from the messages themselves, newest first, so the numbers are right after a restart and in a
 * cluster; beyond a bounded number of messages the answer says that it is not complete. Callers that ask while a count
 * is running share it.
 */
import { senderOf } from '../domain/agent/agent-state.js';
import { iso } from '../domain/shared/clock.js';
import type { Traffic } from '../domain/model/model.js';
import type { Position, Store } from '../store/port.js';
import { pagesOf } from '../store/list-query.js';
import { pageBytes } from './lists.js';
import type { Services } from './command.js';

const hourMs = 3600 * 1000;
const pageSize = 1000;
/** With the bounds of a page, at most 10,000 messages or about 10 MiB are read. */
const mostPages = 10;
const mostPairs = 500;

const counting = new WeakMap<Store, Map<string, Promise<Traffic>>>();

export function countTraffic(services: Services, workspace: string): Promise<Traffic> {
  const { store } = services;
  const ofStore = counting.get(store) ?? new Map<string, Promise<Traffic>>();
  counting.set(store, ofStore);
  const running = ofStore.get(workspace);
  if (running) return running;
  const count = countNow(services, workspace).finally(() => ofStore.delete(workspace));
  ofStore.set(workspace, count);
  return count;
}

async function countNow({ store, clock }: Services, workspace: string): Promise<Traffic> {
  const now = clock.now();
  let since = iso(now - hourMs);
  const pairs = new Map<string, Traffic['pairs'][number]>();
  let messages = 0;
  let pages = 0;
  let after: Position | null = null;
  for await (const page of pagesOf(store, {
    workspace,
    collection: 'message',
    list: 'recent',
    order: 'desc',
    from: [since],
    limit: pageSize,
    maxBytes: pageBytes,
  })) {
    for (const { body } of page.items) {
      const message = body;
      const from = senderOf(message);
      if (from === null) continue; // the service's own word of what could not be delivered
      const key = JSON.stringify([from, message.agent_id]);
      const pair = pairs.get(key) ?? { from, to: message.agent_id, count: 0 };
      pair.count++;
      pairs.set(key, pair);
      messages++;
    }
    after = page.next;
    if (++pages === mostPages) break;
  }
  if (after) since = String(after[0]);
  return {
    since,
    until: iso(now),
    complete: after === null,
    messages,
    pairs: [...pairs.values()].sort((a, b) => b.count - a.count || (a.from < b.from ? -1 : 1)).slice(0, mostPairs),
  };
}
