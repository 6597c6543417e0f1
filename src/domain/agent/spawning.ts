/**
 * Agents that an agent spawns (the tool `spawn_agent`, docs/agents-together.md), where its `config.spawn` says so. The
 * run that spawns waits until the agent is there, as for the answer of a question (questions.ts): what is sent is a
 * document of the commit that decides it, and makes one agent, by the id that this commit has given it.
 *
 *  Spawning.N1 What is spawned has at most what the agent that spawns it has: tools of its own settings by their names,
 *     its gate, its hives, its quota, its budgets, and the built-in tools that it is told of. Nothing of that is taken
 *     from what a run overrides, or from what a model says.
 *  Spawning.N2 A run that acts for a token with chosen scopes, or one that reaches only its own tasks, spawns nothing, nor
 *     does an agent that was spawned. What was spawned in a run for somebody runs for nobody else.
 *  Spawning.N3 It ends with the agent that has spawned it, and no later than its time. That agent knows all that it has
 *     spawned and that are there, from the commit that decides so; nothing of it is removed before they are deleted.
 */
import type { AgentDraft } from './agent-draft.js';
import { type AgentConfig } from './agent-config.js';
import { bounds, type ResolvedCall, type RunRecord } from './agent-state.js';
import { iso } from '../shared/clock.js';
import type { QuestionItem } from '../shared/documents.js';
import { conflict } from '../shared/errors.js';
import { spawnInput, type SpawnInput } from '../shared/inputs.js';
import type { OpenQuestion, SpawnedAgent } from '../mailbox/question-messages.js';
import type { AgentSnapshot } from '../shared/snapshots.js';
import { isSameSubject, type Owned, withSubject } from '../shared/caller.js';
import { namedTools } from '../shared/vocabulary.js';

export type Spawn = Extract<ResolvedCall, { tool: 'spawn_agent' }>;

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const longestSeconds = 30 * unitSeconds.d;

/** Seconds of a text such as `90`, `30m` or `7d`; null if it is none. */
function secondsIn(text: string): number | null {
  const [, digits = '', unit = 's'] = /^(\d{1,8})\s*([smhd])?$/.exec(text.trim()) ?? [];
  const seconds = Number(digits) * unitSeconds[unit as keyof typeof unitSeconds];
  return seconds >= 1 && seconds <= longestSeconds ? seconds : null;
}

const namesIn = (text: string): string[] => [...new Set(text.split(',').flatMap((name) => name.trim() || []))];

/** Why nothing is spawned, as the outcome of the call; null if it is. */
export function problemOfSpawn(d: AgentDraft, run: RunRecord, call: Spawn): string | null {
  if (call.refused !== undefined) return call.refused;
  const { agent } = d;
  const { spawn, tools = [] } = agent.config;
  if (agent.spawned) return 'an agent that was spawned spawns no others';
  if (!spawn) return 'the settings of this agent do not allow spawn_agent';
  if (run.powers || run.begunBy !== undefined) return 'the token that asks for it may not have agents spawned';
  const { ttl, tools: names = '' } = call.arguments;
  const unknown = namesIn(names).filter((name) => !tools.some((tool) => tool.name === name));
  if (unknown.length > 0)
    return `this agent has no tool ${unknown.join(', ').slice(0, 200)}; it has ${tools.map(({ name }) => name).join(', ') || 'none'}`;
  if (ttl !== undefined && secondsIn(ttl) === null)
    return 'ttl must be a time of 1 second to 30 days, such as 30m or 7d';
  const [issue] = spawnInput.safeParse(settingsOf(agent, call)).error?.issues ?? [];
  if (issue) return `${issue.path.join('.').replace(/^config\./, '')} ${issue.message}`;
  if (Object.keys(agent.children ?? {}).length >= spawn.most)
    return `${spawn.most} agents that it has spawned are there already, and that is the most`;
  return agent.outbox >= bounds.outbox ? `${bounds.outbox} messages wait for delivery already` : null;
}

/** Puts what is to be spawned into the outbox. */
export function putSpawn(d: AgentDraft, run: RunRecord, call: Spawn, id: string): OpenQuestion {
  const { name = '', ttl } = call.arguments;
  const open = { id, agent_id: null, name };
  const problem = problemOfSpawn(d, run, call);
  if (problem !== null) return { ...open, came: { ok: false, result: problem } };
  const child = d.env.ids('agent', d.at);
  const seconds = ttl === undefined ? null : secondsIn(ttl);
  const until = seconds === null ? null : d.timeMs + seconds * 1000;
  d.agent.children = { ...d.agent.children, [child]: { until } };
  sendTo(d, id, child, {
    type: 'spawn',
    call: id,
    run: run.id,
    settings: settingsOf(d.agent, call),
    spawned: { by: d.agent.id, ...withSubject(run), ...(until !== null && { until: iso(until) }) },
  });
  return open;
}

/** Spawning.N1. */
function settingsOf(agent: AgentSnapshot, { arguments: given }: Spawn): SpawnInput {
  const { config, hives, memory_quota, maxRuntimeSeconds } = agent;
  const { spawn, tools = [], model, memory, ...own } = config;
  const names = namesIn(given['tools'] ?? '');
  const kept = tools.filter(({ name }) => names.includes(name));
  const thinks = spawn?.model ?? model;
  return {
    name: given['name'] ?? '',
    description: '',
    config: {
      ...bounding(own),
      ...(thinks !== undefined && { model: thinks }),
      ...(memory && { memory }),
      instructions: given['instructions'] ?? '',
      builtin_tools: builtInOf(agent),
      ...(kept.length > 0 && { tools: kept }),
      mailbox: { accept: [agent.id] },
    },
    hives: [...hives],
    memory_quota,
    maxRuntimeSeconds,
  };
}

/** What bounds the agent that spawns, and so what it spawns. */
function bounding(config: Partial<AgentConfig>): Partial<AgentConfig> {
  const {
    validation_gate,
    budget,
    max_steps,
    max_parallel,
    multi_step,
    max_output_tokens,
    reasoning,
    accepts,
    timezone,
  } = config;
  const all = {
    validation_gate,
    budget,
    max_steps,
    max_parallel,
    multi_step,
    max_output_tokens,
    reasoning,
    accepts,
    timezone,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

const memoryTools: ReadonlySet<string> = new Set(['recall', 'remember', 'update_memory', 'forget']);

/** Those that the agent itself is told of, whatever its model says to what it spawns. */
function builtInOf({ config, hives }: AgentSnapshot): NonNullable<AgentConfig['builtin_tools']> {
  const { builtin_tools: named, instructions = '', validation_gate: gate = 'none' } = config;
  if (named) return [...named];
  const inHives = new Set(['send_message', 'share_with_hive']);
  return namedTools.filter(
    (tool) =>
      memoryTools.has(tool) ||
      instructions.includes(tool) ||
      (hives.length > 0 && inHives.has(tool)) ||
      (gate !== 'none' && tool === 'ask_human'),
  );
}

/** Refuses a run of an agent that was spawned for somebody else (Spawning.N2). */
export function checkSpawnedFor({ agent: { id, spawned } }: AgentDraft, of: Owned): void {
  if (spawned && !isSameSubject(spawned, of)) throw conflict(`agent ${id} was spawned for somebody else`);
}

/** Refuses to make what should be gone by now: its end may have been sent, and found nothing (Spawning.N3). */
export function checkNotOver({ until }: NonNullable<AgentSnapshot['spawned']>, now: number): void {
  if (until !== undefined && Date.parse(until) <= now) throw conflict(`its time was over at ${until}`);
}

/** Notes that what it has spawned is gone. */
export function noteChildGone(d: AgentDraft, child: string): void {
  const { [child]: gone, ...left } = d.agent.children ?? {};
  if (!gone) return;
  if (Object.keys(left).length > 0) d.agent.children = left;
  else delete d.agent.children;
}

/** When the first of what it has spawned ends, ms; null if none does. */
export function nextChildEnd({ children }: Pick<AgentSnapshot, 'children'>): number | null {
  let first: number | null = null;
  for (const { until, ends } of Object.values(children ?? {}))
    if (until !== null && !ends && (first === null || until < first)) first = until;
  return first;
}

/** Sends their end to those whose time is over. */
export function endChildren(d: AgentDraft): void {
  for (const [id, { until, ends }] of Object.entries(d.agent.children ?? {})) {
    if (until === null || ends || until > d.timeMs || d.agent.outbox >= bounds.outbox) continue;
    d.agent.children = { ...d.agent.children, [id]: { until, ends: true } };
    sendTo(d, `${id}.end`, id, { type: 'end', by: d.agent.id });
  }
}

function sendTo(d: AgentDraft, id: string, to: string, sends: QuestionItem['sends']): void {
  const item: QuestionItem = { id, kind: 'question', to, sends, created_at: d.time };
  d.put('outbox', id, item, true);
  d.agent.outbox++;
  d.effects.push({ type: 'send', id });
}

/** What the call came to that has spawned an agent. */
export const spawnedAs = ({ name, id }: SpawnedAgent): { ok: true; result: string } => ({
  ok: true,
  result: `spawned ${name} as ${id}`,
});
