/** A workspace's keys and usage. */
import { keyPrefixes, shownKey, type StoredKey } from '../../src/api-keys.js';
import { iso } from '../../src/domain/clock.js';
import { invalid } from '../../src/domain/errors.js';
import { usedName } from '../../src/domain/memories.js';
import type { ApiKey, Usage } from '../../src/domain/model.js';
import type { Caller, Service } from '../../src/service.js';
import { askDesk, deskRef, named, pageOf, type ServiceContext } from './context.js';
import { minted } from './minted.js';

type Part = Pick<Service, 'usage' | 'mintKey' | 'listKeys' | 'revokeKey'>;

/** Memories a month by tier (spec 8.1); sandbox keys always have the sandbox's. */
const monthly = { free: 1_000, pro: 50_000, team: 500_000, enterprise: null, sandbox: 100 } as const;

export function workspaceService(c: ServiceContext): Part {
  return {
    usage: (caller) => usage(c, caller),
    async mintKey(caller, input) {
      // a sandbox key that could make a live one would be a live key
      if (caller.mode === 'test' && input.mode === 'live') throw invalid({ path: 'mode', message: 'must be "test": a sandbox key mints sandbox keys only' });
      const granted = input.scopes ?? [...caller.scopes], beyond = granted.filter((s) => !caller.scopes.has(s));
      if (beyond[0] !== undefined) throw invalid({ path: 'scopes', message: `must be among the scopes of the key that mints it, which has no ${beyond.join(', ')}` });
      return minted(c, caller, keyPrefixes[input.mode], 'key', (made) => askDesk(c, caller, deskRef(caller), { type: 'mintKey', input: { ...input, scopes: granted }, ...made, ...named(caller) }) as Promise<ApiKey>);
    },
    async listKeys(caller, page) {
      return pageOf(c, { workspace: caller.workspace, entity: deskRef(caller), collection: 'key', list: 'created' }, page, null, ({ body }) => shownKey(body as unknown as StoredKey));
    },
    async revokeKey(caller, id) {
      await askDesk(c, caller, deskRef(caller), { type: 'revokeKey', id });
    },
  };
}

async function usage({ world: { store, clock } }: ServiceContext, caller: Caller): Promise<Usage> {
  const now = iso(clock.now()), month = now.slice(0, 7), [year, number] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))];
  const sums = await store.sums(caller.workspace), used = sums[usedName(month, caller.mode)] ?? 0;
  const limit = monthly[caller.mode === 'test' ? 'sandbox' : caller.tier], net = Math.max(0, used);
  return {
    cycle: { start: `${month}-01T00:00:00.000Z`, end: iso(Date.UTC(year, number, 1)) }, mode: caller.mode,
    used: net, limit, remaining: limit === null ? null : Math.max(0, limit - net), agents: sums['agents'] ?? 0, hives: sums['hives'] ?? 0, memories: sums['memories'] ?? 0,
    by_type: Object.fromEntries(Object.entries(sums).filter(([name, n]) => name.startsWith('type:') && n > 0).map(([name, n]) => [name.slice('type:'.length), n])),
  };
}
