/**
 * What a caller may see of a run. Every wire (REST, server-sent events, A2A in each version, pushes, MCP) shows runs
 * by it.
 *
 *  Sight.S1 What a validation gate holds back is shown to those who may decide about it (agent:manage), as what the run
 *     waits for. Everybody else, and everything that outlives the pause (events, the conversation, pushes), is told
 *     that it waits for approval and no more.
 *  Sight.S2 What an agent thinks, and which memories it recalled, is shown to those with agent:read.
 *  Sight.S4 What is set for an agent or a run (config, overrides, metadata) is shown to those with agent:read, by any
 *     operation.
 *  Sight.S3 A model decides at no gate, whatever the scopes of the credential that it uses, and so is shown nothing
 *     that is held back.
 */
import { type AgentTool, placeOf, withoutSecrets } from './agent-tools.js';
import { questionOf, type RunRecord } from './agent-state.js';
import { awaitsApproval, broughtTool, wasRejected } from './gates.js';
import { noModelUsage } from './model-usage.js';
import type { Agent, Checkpoint, Question, Run, RunUpdate, Thought, ToolCall } from './model.js';
import { metadataOf } from './run-config.js';
import type { ThoughtType, TokenScope } from './vocabulary.js';

export interface Sight {
  decides: boolean;
  thoughts: boolean;
}

export const sightOf = ({ scopes, byModel }: { scopes: readonly TokenScope[]; byModel?: true }): Sight => ({
  decides: scopes.includes('agent:manage') && byModel !== true,
  thoughts: scopes.includes('agent:read'),
});

/** What is told to receivers whose scopes nobody knows. */
export const outside: Sight = { decides: false, thoughts: false };
/** For the service itself. */
export const everything: Sight = { decides: true, thoughts: true };

export function showRun(r: RunRecord, sight: Sight): Run {
  return {
    id: r.id,
    agent_id: r.agent_id,
    status: r.status,
    stopReason: r.stopReason,
    triggeredBy: r.triggeredBy,
    sessionId: r.sessionId,
    subject: r.subject ?? null,
    input: r.input,
    files: (r.files ?? []).map(({ sha256, mediaType, filename = null, size }) => ({
      sha256,
      mediaType,
      filename,
      size,
    })),
    output: r.output,
    output_data: dataOf(r),
    error: r.error,
    waitingFor: questionFor(r, sight),
    retryAt: r.modelOutage?.retryAt ?? null,
    overrides: sight.thoughts && r.overrides ? withoutSecrets(r.overrides) : null,
    metadata: sight.thoughts ? (metadataOf(r) ?? {}) : {},
    maxSteps: r.maxSteps,
    maxRuntimeSeconds: r.maxRuntimeSeconds,
    steps: r.steps,
    forkedFrom: r.forkedFrom,
    parent: r.parent ?? null,
    usage: r.usage ?? noModelUsage,
    created_at: r.created_at,
    updated_at: r.updated_at,
    started_at: r.started_at,
    ended_at: r.ended_at,
  };
}

/** The answer as data; null if it is text alone. */
export const dataOf = ({ parts }: Pick<RunRecord, 'parts'>): unknown =>
  parts?.find((part) => part.kind === 'data')?.data ?? null;

/** Sight.S4. */
export const agentFor = (agent: Agent, scopes: readonly TokenScope[]): Agent =>
  scopes.includes('agent:read') ? agent : { ...agent, config: {}, metadata: {} };

/** What the run waits for (Sight.S1). */
export function questionFor(
  run: Pick<RunRecord, 'id' | 'statusSeq' | 'waitingFor' | 'asked' | 'overrides' | 'trusted'>,
  { decides }: Sight,
): Question | null {
  const asked = questionOf(run);
  if (asked?.kind !== 'approval') return asked;
  return decides && asked.action
    ? { ...asked, question: `approve ${described(asked.action, broughtTool(run, asked.action.arguments['name']))}` }
    : { ...asked, question: awaitsApproval, action: null };
}

/**
 * A call in words for the person who must approve it. `brought` is the tool of a caller that it would use, which may
 * have the name of any tool of the agent, so it is said where the call goes.
 */
function described(
  {
    tool,
    arguments: { question = '', content = question, type, to, agent, hive_id: hive, says, memory: named, name, input },
  }: ToolCall,
  brought: AgentTool | undefined,
): string {
  if (tool === 'use_tool') return `${name}${brought ? ` (${whereTo(brought)})` : ''}: ${input}`;
  const memory = says === undefined ? named : `${named}: ${says}`;
  if (memory !== undefined) return content === '' ? `${tool}: ${memory}` : `${tool} of "${memory}": ${content}`;
  const about =
    tool === 'send_message' || tool === 'ask_agent'
      ? ` to ${to ?? agent ?? 'nobody'}`
      : tool === 'share_with_hive' && hive !== undefined
        ? ` in ${hive}`
        : type !== undefined
          ? ` (${type})`
          : '';
  return `${tool}${about}: ${content}`;
}

function whereTo(tool: AgentTool): string {
  const brought = 'a tool that the caller has brought';
  if (tool.kind === 'client') return `${brought} and carries out`;
  return tool.kind === 'mcp' && tool.command !== undefined
    ? `${brought}: the command ${tool.command}`
    : `${brought}, at ${placeOf(tool)}`;
}

const doing: Readonly<Record<ThoughtType, string>> = {
  goal: 'planning',
  recall: 'looking into memory',
  insight: 'thinking',
  action: 'acting',
  result: 'looking at what came of it',
  reflection: 'thinking it over',
};

function inWords({ thoughtType, tool, found }: Thought): string {
  if (found !== undefined) return `looked into memory, ${found} found`;
  return thoughtType === 'action' && tool !== undefined ? `calling ${tool}` : doing[thoughtType];
}

/**
 * An event in neutral words: what the agent is doing, and nothing of what it thinks, knows or has recalled. `steps` is
 * how many the run may take, where that is known.
 */
export const inShort = <E extends RunUpdate>(event: E, steps?: number): E => {
  if (event.type !== 'thought') return event;
  const { thought } = event;
  const of = steps === undefined ? '' : ` of ${steps}`;
  return { ...event, thought: { ...thought, content: `step ${thought.step}${of}: ${inWords(thought)}` } };
};

/**
 * An event of a run as the caller sees it (Sight.S2). The text that a model is writing may turn out to be a thought: it
 * is null for those who see none.
 */
export const eventFor = <E extends RunUpdate>(event: E, { thoughts }: Sight): E | null =>
  thoughts ? event : event.type === 'delta' ? null : inShort(event);

/** A step without the arguments of what was rejected, for those who could not decide about it. */
export const checkpointFor = (checkpoint: Checkpoint, { decides }: Sight): Checkpoint =>
  decides || !checkpoint.calls.some(wasRejected)
    ? checkpoint
    : { ...checkpoint, calls: checkpoint.calls.map((call) => (wasRejected(call) ? { ...call, arguments: {} } : call)) };
