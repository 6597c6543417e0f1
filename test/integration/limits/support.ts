/** A gateway with limits whose time is the test's, and a service that answers at once. */
import { createLimiter } from '../../../gateway/limits/limiter.js';
import { createStreams, type OpenStreams } from '../../../gateway/streams/streams.js';
import { createInProcessBus } from '../../../src/bus/in-process.js';
import { followWorkspace } from '../../../src/bus/workspace-events.js';
import { createInMemoryLimits, type InMemoryLimits } from '../../../src/limits/in-memory.js';
import type { Policy } from '../../../src/limits/port.js';
import { policyOf, tierLimits } from '../../../src/limits/tiers.js';
import type { Principal } from '../../../src/service.js';
import { keyPrincipal, tokenPrincipal } from '../../helpers/fake-service.js';
import { startGateway, type Setup, type TestGateway } from '../../helpers/gateway.js';
import { ManualClock } from '../../unit/bus/support.js';

export const holdMs = 30_000;

/** Keys by what their workspace's tier is; `weak` may read memories only. */
export const credentials: Record<string, Principal> = {
  svc_live_free: { ...keyPrincipal(), credentialId: 'key_free', tier: 'free' },
  svc_live_free2: { ...keyPrincipal(), credentialId: 'key_free2', tier: 'free' },
  svc_live_weak: { ...keyPrincipal(['memory:read']), credentialId: 'key_weak', tier: 'free' },
  svc_test_box: { ...keyPrincipal(), credentialId: 'key_box', tier: 'sandbox' },
  at_free: { ...tokenPrincipal(), credentialId: 'tok_free', tier: 'free' },
};

export interface Limited extends TestGateway {
  clock: ManualClock;
  keys: InMemoryLimits;
  addresses: InMemoryLimits;
  open: OpenStreams;
}

/** `address` requests a minute without a key. */
export async function startLimited(
  setup: Setup = {},
  address = 10,
  probe: Policy = policyOf(60_000),
): Promise<Limited> {
  const clock = new ManualClock();
  const keys = createInMemoryLimits({ holdMs });
  const addresses = createInMemoryLimits({ holdMs });
  const bus = createInProcessBus();
  const nothing = (): void => undefined;
  const streams = createStreams({ clock, log: { debug: nothing, warn: nothing, error: nothing } });
  const limiter = createLimiter({
    keys,
    addresses,
    clock,
    holdMs,
    address: policyOf(address),
    probe,
    tiers: tierLimits({ requestsPerMinute: 1_000_000, searchesPerMinute: 500_000, concurrent: 10_000 }),
  });
  const gateway = await startGateway({
    ...setup,
    credentials: { ...credentials, ...setup.credentials },
    options: { limiter, streams, ...setup.options },
    service: {
      workspaceEvents: (caller, signal) => followWorkspace({ bus, workspace: caller.workspace, signal, buffer: 100 }),
      ...setup.service,
    },
  });
  return { ...gateway, clock, keys, addresses, open: streams };
}

export const as = (key: string): { authorization: string } => ({ authorization: `Bearer ${key}` });

export interface Shown {
  limit: string;
  remaining: number;
  reset: number;
  policy: string;
  retryAfter: string | null;
}

/** The four headers of docs/api.md 8.3; throws where one is missing or says no number. */
export function shownIn(header: (name: string) => string | null | undefined, what: string): Shown {
  const get = (name: string, form: RegExp): string => {
    const value = header(name) ?? '';
    if (!form.test(value)) throw new Error(`${what}: ${name} is ${JSON.stringify(value)}`);
    return value;
  };
  return {
    limit: get('x-ratelimit-limit', /^\d+$/),
    remaining: Number(get('x-ratelimit-remaining', /^\d+$/)),
    reset: Number(get('x-ratelimit-reset', /^\d+$/)),
    policy: get('x-ratelimit-policy', /^\d+;w=60$/),
    retryAfter: header('retry-after') ?? null,
  };
}
