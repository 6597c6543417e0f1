/**
 * Validation gates (docs/api.md 11.5): what an agent may not do, or say, before somebody has approved it. Every way out
 * of a run asks here.
 *
 *  - With the gate `action`, nothing that changes anything outside the run is done unapproved.
 *  Gate.A2 With the gate `answer`, a run says nothing to whoever asked that nobody has approved: not its answer or what
 *     the service adds to it, no question, no call of a client's tool, no partial answer when a budget ends, no words
 *     of its model in an error. What the run says is what was shown to whoever approved it.
 */
import type { ResolvedCall, RunRecord } from './agent-state.js';
import type { AgentConfig } from './agent-config.js';
import type { ToolCall, ToolOutcome } from './model.js';
import { missingScope } from './powers.js';
import { configOf } from './run-config.js';
import { isAction, isOfClient } from './tools.js';

type Config = Pick<AgentConfig, 'validation_gate'>;

const holdsWords = (config: Config): boolean => config.validation_gate === 'answer';

/** Whether the call waits for approval. One that is refused anyway is submitted to nobody (Powers.P3). */
export function isGated(
  config: AgentConfig,
  { powers, overrides }: Pick<RunRecord, 'powers' | 'overrides'>,
  call: ResolvedCall,
): boolean {
  const own = call.tool === 'use_tool' ? configOf(config, { overrides }) : config;
  const held =
    config.validation_gate === 'action'
      ? isAction(own, call)
      : holdsWords(config) && (call.tool === 'answer' || call.tool === 'ask_human' || isOfClient(own, call));
  return held && missingScope(powers, call.tool) === null;
}

/** What is submitted for approval: the call, and of an answer all that will be said. */
export const submitted = (call: ResolvedCall, outcomes: RunRecord['done']): ToolCall => ({
  tool: call.tool,
  arguments: call.tool === 'answer' ? { ...call.arguments, content: answerOf(call, outcomes) } : call.arguments,
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
