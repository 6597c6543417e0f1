/**
 * Validation gates (docs/api.md 11.5): what an agent may not do, or say, before somebody has approved it. Every way out
 * of a run asks here.
 *
 *  - With the gate `action`, nothing that changes anything outside the run is done unapproved.
 *  Gate.A2 With the gate `answer`, a run says nothing to whoever asked that nobody has approved: not its answer or what
 *     the service adds to it, no question, no call of a client's tool, no partial answer when a budget ends, no words
 *     of its model in an error. What the run says is what was shown to whoever approved it.
 *  Gate.A3 A tool that a run overrides is no tool of the agent unless somebody who manages the agent has brought it
 *     (`trusted`). Each of its calls waits with either gate, whatever the tool says of itself, because whoever has
 *     brought it says where the call goes, and is sent what the model said.
 *  Gate.A4 A tool may say itself that its calls wait, or that none does with the gate `action`. Where one of the agent
 *     asks, so does each that a caller of Gate.A3 brings and the service calls, or that has its name: whoever may not
 *     change the agent does not get past what it asks for.
 */
import type { ResolvedCall, RunRecord } from './agent-state.js';
import type { AgentConfig } from './agent-config.js';
import { type AgentTool, approvalOf, mayAsk, toolNamed } from './agent-tools.js';
import type { ToolCall, ToolOutcome } from './model.js';
import { missingScope } from './powers.js';
import { configOf } from './run-config.js';
import { isAction, isOfClient } from './tools.js';

type Config = Pick<AgentConfig, 'validation_gate'>;

const holdsWords = (config: Config): boolean => config.validation_gate === 'answer';

/** Whether the call waits for approval. One that is refused anyway is submitted to nobody (Powers.P3). */
export function isGated(config: AgentConfig, run: GatedRun, call: ResolvedCall): boolean {
  return call.refused === undefined && isHeld(config, run, call) && missingScope(run.powers, call.tool) === null;
}

type GatedRun = Pick<RunRecord, 'powers' | 'overrides' | 'trusted'>;

function isHeld(config: AgentConfig, run: GatedRun, call: ResolvedCall): boolean {
  const { validation_gate: gate = 'none' } = config;
  if (call.tool !== 'use_tool')
    return gate === 'action' ? isAction(config, call) : holdsWords(config) && speaks.has(call.tool);
  const { name } = call.arguments;
  const brought = broughtTool(run, name);
  const own = configOf(config, run);
  const approval = approvalOf(toolNamed(own, name), name);
  if (approval === 'ask') return true;
  if (brought) return gate !== 'none' || isAskedFor(config, brought);
  if (gate === 'action') return approval !== 'never' && isAction(own, call);
  return holdsWords(config) && isOfClient(own, call);
}
const speaks: ReadonlySet<ResolvedCall['tool']> = new Set(['answer', 'ask_human']);

/** Gate.A4. */
const isAskedFor = ({ tools = [] }: AgentConfig, brought: AgentTool): boolean =>
  tools.some((tool) => mayAsk(tool) && (brought.kind !== 'client' || tool.name === brought.name));

/** The tool of this name that a caller has brought who does not manage the agent (Gate.A3). */
export const broughtTool = (
  { overrides, trusted }: Pick<RunRecord, 'overrides' | 'trusted'>,
  name = '',
): AgentTool | undefined => (overrides?.tools && !trusted ? toolNamed(overrides, name) : undefined);

/** What is submitted for approval: the call, of an answer all that will be said, and what a memory says. */
export const submitted = (call: ResolvedCall, outcomes: RunRecord['done']): ToolCall => ({
  tool: call.tool,
  arguments:
    call.tool === 'answer'
      ? { ...call.arguments, content: answerOf(call, outcomes) }
      : 'says' in call && call.says !== undefined
        ? { ...call.arguments, says: call.says }
        : call.arguments,
  ...(call.parts && { parts: call.parts }),
});

/**
 * An answer is written before the outcomes of the calls beside it are known, so any failures are appended to it, unless
 * it is the text of its data.
 */
export function answerOf({ arguments: { content = '' }, parts }: ToolCall, outcomes: RunRecord['done']): string {
  const [part] = parts ?? [];
  if (part?.kind === 'data' && content === JSON.stringify(part.data)) return content;
  const failed = outcomes.filter((o) => !o.ok).map((o) => `Not done (${o.tool}): ${o.result}`);
  return failed.length === 0 ? content : [content, ...failed].join('\n');
}

/** The output of a run that ends without an answer. */
export const partialAnswer = (config: Config, { partial }: Pick<RunRecord, 'partial'>): string | null =>
  holdsWords(config) ? null : partial;

/** What is told of what is submitted, to all but those who may decide about it (Sight.S1). */
export const awaitsApproval = 'this waits for approval by somebody who manages the agent';

export const wasRejected = (outcome: ToolOutcome): boolean => !outcome.ok && outcome.result.startsWith('rejected');

/** Codes of errors whose messages quote the model. */
const quoting: ReadonlySet<string> = new Set(['refused', 'bad_response', 'bad_output']);

export const publishedError = (
  config: Config,
  error: { code: string; message: string },
): { code: string; message: string } =>
  holdsWords(config) && quoting.has(error.code)
    ? {
        code: error.code,
        message: `the model's reply could not be used (${error.code}), and its gate holds back what it says`,
      }
    : error;
