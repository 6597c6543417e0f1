/**
 * The agent that the conformance kits talk to: what it does is written in the messageId of the message that begins the
 * task, as the kits have it (a2a-tck 1.0: scenarios/*.feature; 0.3: SUT_REQUIREMENTS.md of the kit). It lives here
 * because no product has such a thing.
 *
 * A follow-up reaches a reasoner as its text alone, so there the text decides: one that builds up a history is asked
 * for more, every other one ends the task.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Part } from '../../src/domain/task/task.js';
import { type Reasoner, ReasonerError, type StepContext, type StepProposal } from '../../src/reasoner/port.js';

export interface ScriptOptions {
  /**
   * How long the task of `test-resubscribe-message-id` runs: the kits want at least twice their streaming timeout of 2
   * s.
   */
  longTaskMs: number;
}

type Act = (context: StepContext, signal: AbortSignal, options: ScriptOptions) => StepProposal | Promise<StepProposal>;

const answer = (...parts: Part[]): StepProposal => ({
  thoughts: [],
  calls: [{ tool: 'answer', arguments: { content: '' }, parts }],
});
const says =
  (text: string): Act =>
  () =>
    answer({ kind: 'text', text });
const gives =
  (...parts: Part[]): Act =>
  () =>
    answer(...parts);
const asksForInput: Act = () => ({
  thoughts: [],
  calls: [{ tool: 'ask_human', arguments: { question: 'What else?' } }],
});
const fails: Act = () => {
  throw new ReasonerError('refused', 'rejected');
};
const takesLong: Act = async (_context, signal, { longTaskMs }) => {
  await pause(longTaskMs, undefined, { signal });
  return answer({ kind: 'text', text: 'Done at last' });
};

const file: Part = {
  kind: 'file',
  bytes: Buffer.from('Generated file content').toString('base64'),
  filename: 'output.txt',
  mediaType: 'text/plain',
};

/** By prefix of the messageId; the longest that fits counts. */
const acts = new Map<string, Act>([
  ['tck-complete-task', says('Hello from TCK')],
  ['tck-artifact-text', says('Generated text content')],
  ['tck-artifact-file', gives(file)],
  [
    'tck-artifact-file-url',
    gives({ kind: 'file', uri: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' }),
  ],
  ['tck-artifact-data', gives({ kind: 'data', data: { key: 'value', count: 42 } })],
  ['tck-message-response', says('Direct message response')],
  ['tck-input-required', asksForInput],
  ['tck-reject-task', fails],
  ['tck-stream-001', says('Stream hello from TCK')],
  ['tck-stream-002', says('Stream message-only response')],
  ['tck-stream-003', says('Stream task lifecycle')],
  ['tck-stream-ordering-001', says('Ordered output')],
  ['tck-stream-artifact-text', says('Streamed text content')],
  ['tck-stream-artifact-file', gives(file)],
  ['tck-stream-artifact-chunked', says('chunk-1 chunk-2')],
  ['test-resubscribe-message-id', takesLong],
  // 0.x: tests go on with these tasks, or cancel them
  ['test-message-id', asksForInput],
  ['text-message-id', asksForInput],
  ['test-history-create-message-id', asksForInput],
  ['mapping-test-message-id', asksForInput],
  ['cancel-test-message-id', asksForInput],
]);

const byLength = [...acts].sort(([a], [b]) => b.length - a.length);

const actOf = (messageId: string): Act =>
  byLength.find(([prefix]) => messageId.startsWith(prefix))?.[1] ?? says("Hello from the kit's agent");

const asksForMore = (text: string): boolean => /\bhistory (message|test)\b/.test(text);

export function createScriptedAgent(options: ScriptOptions): Reasoner {
  return {
    name: 'scripted',
    async next(context, signal) {
      const said = context.humanInputs.at(-1);
      if (said)
        return asksForMore(said.input)
          ? asksForInput(context, signal, options)
          : answer({ kind: 'text', text: 'Thank you' });
      return actOf(context.run.message?.messageId ?? '')(context, signal, options);
    },
  };
}
