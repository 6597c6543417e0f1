/** The settings of an agent: replacing and patching them, joining a hive, and the condition of such a change. */
import { keepingSecrets } from './agent-tools.js';
import type { AgentDraft } from './agent-draft.js';
import { type AgentState, showAgent } from './agent-state.js';
import { noSessions } from '../run/conversation.js';
import { HivekeepError, insufficientScope, invalid, conflict, notFound } from '../shared/errors.js';
import { type AgentConfig, agentConfig } from './agent-config.js';
import { limits } from '../shared/input-fields.js';
import { type PatchAgentInput, type ReplaceAgentInput } from '../shared/inputs.js';
import { mergePatch, patchedMetadata } from '../shared/merge.js';
import type { Agent } from '../model/model.js';
import { activeRuns, isBusy } from '../run/run-queue.js';
import { sizeOf } from '../workspace/usage.js';

/**
 * The precondition of a conditional change: `updated_at` of the agent must be one of these timestamps. An agent's
 * `updated_at` moves with every change of its settings and with nothing else, and never stands still (clock.ts), so it
 * identifies the settings that a client has seen.
 */
export type Versions = readonly string[];

const shownAgent = (d: AgentDraft): Agent => showAgent(d.agent, d.counts);

export function checkActive({ agent: { id, status } }: AgentDraft): void {
  if (status !== 'active')
    throw new HivekeepError('AGENT_INACTIVE', `agent ${id} is ${status}`, { details: { status } });
}

const settable = [
  'name',
  'description',
  'status',
  'config',
  'hives',
  'metadata',
  'wake_on_message',
  'memory_quota',
  'maxRuntimeSeconds',
] as const;
type Settings = Partial<Pick<AgentState['agent'], (typeof settable)[number]>>;
const defaults: Settings = {
  description: '',
  config: {},
  hives: [],
  metadata: {},
  wake_on_message: false,
  memory_quota: null,
  maxRuntimeSeconds: null,
};

export function replaced(d: AgentDraft, input: ReplaceAgentInput): Settings {
  const out: Settings = Object.fromEntries(settable.filter((k) => input[k] !== undefined).map((k) => [k, input[k]]));
  return { ...out, ...(out.config && { config: keepingSecrets(out.config, d.agent.config) }) };
}

export function patched(d: AgentDraft, input: PatchAgentInput): Settings {
  const out: Record<string, unknown> = {};
  for (const key of settable) {
    const value = input[key];
    if (value === undefined) continue;
    if (value === null) out[key] = defaults[key];
    else if (key === 'config') out[key] = patchedConfig(d.agent.config, value as Record<string, unknown>);
    else if (key === 'metadata') out[key] = patchedMetadata(d.agent[key], value as Record<string, unknown>);
    else out[key] = value;
  }
  if (out['config'] !== undefined) {
    const checked = agentConfig.safeParse(out['config']);
    const issue = checked.error?.issues[0];
    if (issue) throw invalid({ path: ['config', ...issue.path].join('.'), message: issue.message });
    out['config'] = keepingSecrets(out['config'] as AgentConfig, d.agent.config);
  }
  return out;
}

/** Merged, but for a schema: half of one and half of another says nothing. */
function patchedConfig(config: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const { output_schema: schema } = patch;
  return { ...mergePatch(config, patch), ...(schema != null && { output_schema: schema }) };
}

/**
 * Members can read what their hives know, so changing membership requires hive:write. Sending back the unchanged list
 * that was read is allowed without it.
 */
function withHives(d: AgentDraft, settings: Settings, mayJoin = false): Settings {
  const { hives } = settings;
  if (mayJoin || hives === undefined) return settings;
  const same = hives.length === d.agent.hives.length && hives.every((hive) => d.agent.hives.includes(hive));
  if (!same) throw insufficientScope('hive:write', "changing an agent's hives");
  return settings;
}

/** Changes the settings, on a condition. `mayJoin`: whether the caller may change the agent's hives. */
export function changeSettings(
  d: AgentDraft,
  settings: Settings,
  { onlyIf, mayJoin }: { onlyIf?: Versions | undefined; mayJoin?: boolean | undefined } = {},
): Agent {
  checkVersion(d, onlyIf);
  if (d.agent.spawned && settings.config?.spawn)
    throw invalid({ path: 'config.spawn', message: 'must be left out: an agent that was spawned spawns no others' });
  return update(d, withHives(d, settings, mayJoin));
}

export function checkVersion(d: AgentDraft, onlyIf: Versions | undefined): void {
  if (onlyIf && !onlyIf.includes(d.agent.updated_at))
    throw new HivekeepError('PRECONDITION_FAILED', `agent ${d.agent.id} has changed since it was read: fetch it again`);
}

/** Counts only the settings that may be large. */
export const settingsSize = ({ name, description, config, metadata }: AgentState['agent']): number =>
  sizeOf({ name, description, config, metadata });

export function update(d: AgentDraft, settings: Settings): Agent {
  if (d.agent.status === 'terminated') checkLeavesTerminated(d, settings.status);
  const before = settingsSize(d.agent);
  if (d.agent.status === 'terminated' && settings.status === 'inactive' && isBusy(d.agent))
    d.agent.ending = activeRuns(d.agent).length;
  if (settings.status === 'terminated' && d.agent.status !== 'terminated') d.agent.endsPaused = true;
  Object.assign(d.agent, settings, { updated_at: d.time });
  if (settings.config) d.sessions = noSessions; // its budgets may have changed
  d.grown += settingsSize(d.agent) - before;
  d.announce('agent.updated', { agent_id: d.agent.id, fields: Object.keys(settings) });
  return shownAgent(d);
}

/** Runs that waited when it was terminated are cancelled all the same (docs/api.md 3.3). */
function checkLeavesTerminated(d: AgentDraft, status: Settings['status']): void {
  if (status === 'active') throw conflict(`agent ${d.agent.id} is terminated: set it inactive first`);
}

export function join(d: AgentDraft, hive: string): Agent {
  if (d.agent.hives.includes(hive)) return shownAgent(d);
  if (d.agent.hives.length >= limits.hivesPerAgent)
    throw conflict(`an agent belongs to at most ${limits.hivesPerAgent} hives; leave one`);
  return update(d, { hives: [...d.agent.hives, hive] });
}

/** NOT_FOUND for a hive that it does not belong to. */
export function leave(d: AgentDraft, hive: string): Agent {
  if (!d.agent.hives.includes(hive)) throw notFound(`agent ${d.agent.id} in hive`, hive);
  return update(d, { hives: d.agent.hives.filter((h) => h !== hive) });
}
