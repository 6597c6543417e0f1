/** The service's operations on a workspace: its usage, its keys, and the audit records of keys and tokens. */
import { keyScopes } from '../../src/commands/credentials.js';
import { shownKey } from '../../src/secrets/api-keys.js';
import { HivekeepError } from '../../src/domain/errors.js';
import type { UsageAlertsInput } from '../../src/domain/inputs.js';
import type { AgentUsage, Me, Usage, UsageAlerts } from '../../src/domain/model.js';
import { homeOf, modeOf } from '../../src/domain/sandbox.js';
import { storageLimit, storageName } from '../../src/domain/storage.js';
import { mailboxPolicy } from '../../src/limits/tiers.js';
import { showWorkspace } from '../../src/domain/workspace.js';
import { modelUsageIn } from '../../src/domain/model-usage.js';
import { cycleOf, keyLimit, monthAt, monthlyLimit, usageCountName } from '../../src/domain/usage.js';
import { checkAlertTier, showAlerts } from '../../src/domain/usage-alerts.js';
import type { Caller, Service } from '../../src/service.js';
import type { Head } from '../../src/store/port.js';
import { allOf } from '../../src/maybe-promise.js';
import { agentRef, deskRef, headOf } from '../../src/commands/entities.js';
import { ask, type ServiceContext } from './context.js';

/** The maximum number of agents that `by_agent` lists. */
const agentsListed = 100;

export function workspaceService(c: ServiceContext) {
  return {
    me: (caller) => me(c, caller),
    usage: (caller, filter) => usage(c, caller, filter?.agent_id),
    usageAlerts: (caller) => usageAlerts(c, caller),
    setUsageAlerts: (caller, input) => setUsageAlerts(c, caller, input),
  } satisfies Partial<Service>;
}

const accessToken = ({ credentialId: id, expires_at = '', issued_at = '' }: Caller): Me['key'] => ({
  id,
  name: 'access token',
  hint: '',
  expires_at,
  created_at: issued_at,
});

async function me({ deps: { store }, tiers, modelServers }: ServiceContext, caller: Caller): Promise<Me> {
  const home = deskRef({ workspace: homeOf(caller.workspace) });
  const [desk, stored] = await Promise.all([store.head(home), store.get(home, 'key', caller.credentialId)]);
  const key = caller.issued_at === undefined ? stored && shownKey(stored.body) : accessToken(caller);
  if (!desk || desk.deleted || !key) throw new HivekeepError('UNAUTHENTICATED', 'this API key has been revoked');
  const { id, name, hint, expires_at, created_at } = key;
  const workspace = showWorkspace(desk.snapshot);
  const { requests, searches, concurrent } = tiers[caller.tier];
  return {
    workspace: { id: workspace.id, name: workspace.name, created_at: workspace.created_at },
    mode: modeOf(caller.workspace),
    tier: caller.tier,
    key: { id, name, hint, expires_at, created_at },
    scopes: keyScopes(caller),
    limits: {
      requests_per_minute: requests.limit,
      request_burst: requests.burst,
      searches_per_minute: searches.limit,
      concurrent_requests: concurrent,
      memories_per_month: monthlyLimit(caller.tier),
      storage_bytes: storageLimit(caller.tier),
      api_keys: keyLimit(caller.tier),
      mailbox_messages_per_minute: mailboxPolicy(caller.tier)?.limit ?? null,
    },
    model_servers: modelServers,
  };
}

async function usage(c: ServiceContext, caller: Caller, agent: string | undefined): Promise<Usage> {
  const { store, clock } = c.deps;
  const month = monthAt(clock.now());
  const [sums, by_agent] = await Promise.all([store.sums(caller.workspace), agentsUsage(c, caller, agent, month)]);
  const used = Math.max(0, sums[usageCountName(month)] ?? 0);
  const limit = monthlyLimit(caller.tier);
  return {
    cycle: cycleOf(month),
    mode: modeOf(caller.workspace),
    used,
    limit,
    remaining: limit === null ? null : Math.max(0, limit - used),
    agents: sums['agents'] ?? 0,
    hives: sums['hives'] ?? 0,
    memories: sums['memories'] ?? 0,
    by_type: Object.fromEntries(
      Object.entries(sums)
        .filter(([counted, n]) => counted.startsWith('type:') && n > 0)
        .map(([counted, n]) => [counted.slice('type:'.length), n]),
    ),
    storage: { used: Math.max(0, sums[storageName] ?? 0), limit: storageLimit(caller.tier) },
    models: modelUsageIn(sums, month),
    by_agent,
  };
}

async function usageAlerts(c: ServiceContext, caller: Caller): Promise<UsageAlerts> {
  checkAlertTier(caller.tier);
  const { snapshot } = await headOf(c.deps, deskRef(caller));
  return showAlerts(snapshot, monthAt(c.deps.clock.now()));
}

async function setUsageAlerts(c: ServiceContext, caller: Caller, input: UsageAlertsInput): Promise<UsageAlerts> {
  checkAlertTier(caller.tier);
  const { store, clock } = c.deps;
  const month = monthAt(clock.now());
  const limit = monthlyLimit(caller.tier);
  const usage =
    limit === null ? null : { month, limit, used: await store.exactSum(caller.workspace, usageCountName(month)) };
  return await ask(c, caller, deskRef(caller), { type: 'setAlerts', change: input, usage });
}

async function agentsUsage(
  c: ServiceContext,
  caller: Caller,
  agent: string | undefined,
  month: string,
): Promise<AgentUsage[]> {
  const { store } = c.deps;
  const { workspace } = caller;
  const of = ({ entity, snapshot, counts }: Head<'agent'>): AgentUsage => ({
    agent_id: entity.id,
    name: snapshot.name,
    used: counts[usageCountName(month)] ?? 0,
    memories: counts['memories'] ?? 0,
    memory_quota: snapshot.memory_quota,
    models: modelUsageIn(counts, month),
  });
  if (agent !== undefined) return [of(await headOf(c.deps, agentRef(caller, agent)))];
  const { items } = await store.list({
    workspace,
    collection: 'agent',
    list: 'updated',
    order: 'desc',
    limit: agentsListed,
  });
  const heads = await allOf(items.map(({ id }) => store.head(agentRef(caller, id))));
  return heads.flatMap((head) => (head && !head.deleted ? [of(head)] : []));
}
