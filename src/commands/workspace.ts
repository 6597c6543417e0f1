/** What can be asked of a workspace itself: who asks, its usage and the alerts of that (docs/api.md 6.5, 8.4). */
import type { Caller } from '../domain/shared/caller.js';
import { HivekeepError } from '../domain/shared/errors.js';
import {
  modelBudgetInput,
  type ModelBudgetInput,
  usageAlertsInput,
  type UsageAlertsInput,
} from '../domain/workspace/workspace-inputs.js';
import { thoughtFilter } from '../domain/shared/filters.js';
import { reference } from '../domain/shared/input-fields.js';
import type { AgentUsage, Me, ModelUsage } from '../domain/model/model.js';
import { modelUsageIn } from '../domain/agent/budgets.js';
import { setBudgetOfModels, showModelBudget } from '../domain/workspace/model-budget.js';
import { modeOf, showWorkspace } from '../domain/workspace/workspace.js';
import {
  type QuotaExceeded,
  cycleOf,
  keyLimit,
  monthAt,
  monthlyLimit,
  storageLimit,
  storageName,
  usageCountName,
} from '../domain/workspace/usage.js';
import { checkAlertTier, setAlerts, showAlerts } from '../domain/workspace/usage-alerts.js';
import { mailboxPolicy } from '../limits/tiers.js';
import { allOf, finish } from '../maybe-promise.js';
import { shownKey } from '../secrets/api-keys.js';
import type { Head } from '../store/port.js';
import { change, partialChange, query, type Services, takes } from './command.js';
import { keyScopes } from './credentials.js';
import { agentRef, deskRef, headOf, keyDesk } from './entities.js';
import { usedFor } from './subject-use.js';

export const getMe = query({
  name: 'getMe',
  summary: 'Get the workspace, mode, tier, scopes and limits of this API key.',
  scope: null,
  result: 'Me',
  target: [],
  async run({ store, tiers, modelServers }, { caller }): Promise<Me> {
    const home = keyDesk(caller);
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
  },
});

const accessToken = ({ credentialId: id, expires_at = '', issued_at = '' }: Caller): Me['key'] => ({
  id,
  name: 'access token',
  hint: '',
  expires_at,
  created_at: issued_at,
});

/** With `agent_id`, `by_agent` covers that agent only; NOT_FOUND if there is no such agent. */
export const getUsage = query({
  name: 'getUsage',
  summary: 'Get the usage of the billing cycle.',
  scope: 'usage:read',
  result: 'Usage',
  target: [],
  filter: { agent_id: thoughtFilter.sessionId },
  async run(services, { caller, input: { agent_id } }) {
    const { store, clock } = services;
    const month = monthAt(clock.now());
    const [sums, by_agent] = await Promise.all([
      store.sums(caller.workspace),
      agentsUsage(services, caller, agent_id, month),
    ]);
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
  },
});

/** The maximum number of agents that `by_agent` lists. */
const agentsListed = 100;

async function agentsUsage(
  { store }: Pick<Services, 'store'>,
  caller: Caller,
  agent: string | undefined,
  month: string,
): Promise<AgentUsage[]> {
  const of = ({ entity, snapshot, counts }: Head<'agent'>): AgentUsage => ({
    agent_id: entity.id,
    name: snapshot.name,
    used: counts[usageCountName(month)] ?? 0,
    memories: counts['memories'] ?? 0,
    memory_quota: snapshot.memory_quota,
    models: modelUsageIn(counts, month),
  });
  if (agent !== undefined) return [of(await headOf({ store }, agentRef(caller, agent)))];
  const { workspace } = caller;
  const newest = { workspace, collection: 'agent', list: 'updated', order: 'desc', limit: agentsListed } as const;
  const { items } = await store.list(newest);
  const heads = await allOf(items.map(({ id }) => store.head(agentRef(caller, id))));
  return heads.flatMap((head) => (head && !head.deleted ? [of(head)] : []));
}

/** QUOTA_EXCEEDED for tiers without alerts; so is setting them. */
export const getUsageAlerts = query({
  name: 'getUsageAlerts',
  summary: 'Get the usage alerts: thresholds, and the alerts sent in this cycle.',
  scope: 'usage:read',
  result: 'UsageAlerts',
  target: [],
  async run(services, { caller }) {
    checkAlertTier(caller.tier);
    const { snapshot } = await headOf(services, deskRef(caller));
    return showAlerts(snapshot, monthAt(services.clock.now()));
  },
});

/** Has the audit tell that the workspace, or one agent of it, is exported, before anything is read. */
export const noteExport = partialChange({
  name: 'noteExport',
  of: 'workspace',
  target: [],
  takes: takes<{ agent: string | undefined }>(),
  audit: 'workspace.exported',
  noted: ({ caller, input }) => ({ target: input.agent ?? caller.workspace }),
  decide: () => null,
});

/** Has the audit tell how many records are imported, before anything is written. */
export const noteImport = partialChange({
  name: 'noteImport',
  of: 'workspace',
  target: [],
  takes: takes<{ records: number }>(),
  audit: 'workspace.imported',
  noted: ({ caller, input }) => ({ target: caller.workspace, count: input.records }),
  decide: () => null,
});

/** Replaces the fields that it names. */
export const setUsageAlerts = change({
  name: 'setUsageAlerts',
  summary: 'Set the thresholds of usage alerts.',
  scope: 'workspace:admin',
  result: 'UsageAlerts',
  audit: 'alerts.updated',
  of: 'workspace',
  target: [],
  input: usageAlertsInput,
  async prepare(services, { caller, input }): Promise<{ alerts: UsageAlertsInput; usage: QuotaExceeded | null }> {
    checkAlertTier(caller.tier);
    const month = monthAt(services.clock.now());
    const limit = monthlyLimit(caller.tier);
    if (limit === null) return { alerts: input, usage: null };
    const used = await services.store.exactSum(caller.workspace, usageCountName(month));
    return { alerts: input, usage: { month, limit, used } };
  },
  decide(d, { input: { alerts, usage } }) {
    checkAlertTier(d.desk.tier);
    setAlerts(d, d.desk, alerts, usage);
    return showAlerts(d.desk, monthAt(d.env.now));
  },
});

export const getModelBudget = query({
  name: 'getModelBudget',
  summary: 'Get what all agents of the workspace may use of models in a month, and what they have used.',
  scope: 'usage:read',
  result: 'ModelBudget',
  target: [],
  filter: { subject: reference.describe('Tells what was used for this subject as well.') },
  async run(services, { caller, input: { subject } }) {
    const { store, clock } = services;
    const { workspace } = caller;
    const { snapshot } = await headOf(services, deskRef(caller));
    const month = monthAt(clock.now());
    const used = modelUsageIn(await store.sums(workspace), month);
    if (subject === undefined) return showModelBudget(snapshot.modelBudget, used);
    const usedForIt = await finish(usedFor(store, workspace, { subject, month }));
    return showModelBudget(snapshot.modelBudget, used, { subject, used: usedForIt });
  },
});

/** Replaces all of it: a bound that is not named is none. */
export const setModelBudget = change({
  name: 'setModelBudget',
  summary: 'Set what all agents of the workspace may use of models in a month.',
  scope: 'workspace:admin',
  result: 'ModelBudget',
  audit: 'budget.updated',
  of: 'workspace',
  target: [],
  input: modelBudgetInput,
  async prepare({ store, clock }, { caller, input }): Promise<{ bounds: ModelBudgetInput; used: ModelUsage }> {
    return { bounds: input, used: modelUsageIn(await store.sums(caller.workspace), monthAt(clock.now())) };
  },
  decide(d, { input: { bounds, used } }) {
    setBudgetOfModels(d, d.desk, bounds);
    return showModelBudget(d.desk.modelBudget, used);
  },
});
