/**
 * Who has written to whom in the last hour: the workspace's mailbox messages, added up by sender and receiver.
 *
 * They are counted from the messages themselves, newest first, so the numbers are right after a restart and in a
 * cluster; beyond a bounded number of messages the answer says that it is not complete. Callers that ask while a count
 * is running share it.
 */
import { senderOf } from '../../src/domain/agent-state.js';
import { iso } from '../../src/domain/clock.js';
import type { Traffic } from '../../src/domain/model.js';
import type { Service } from '../../src/service.js';
import type { Position } from '../../src/store/port.js';
import { pagesOf } from '../../src/store/pages.js';
import { pageBytes, type ServiceContext } from './context.js';

const hourMs = 3600 * 1000;
const pageSize = 1000;
/** With the bounds of a page, at most 10,000 messages or about 10 MiB are read. */
const mostPages = 10;
const mostPairs = 500;

export function trafficService(c: ServiceContext): Pick<Service, 'mailboxTraffic'> {
  const counting = new Map<string, Promise<Traffic>>();
  return {
    mailboxTraffic({ workspace }) {
      const running = counting.get(workspace);
      if (running) return running;
      const count = countTraffic(c, workspace).finally(() => counting.delete(workspace));
      counting.set(workspace, count);
      return count;
    },
  };
}

async function countTraffic({ deps: { store, clock } }: ServiceContext, workspace: string): Promise<Traffic> {
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
