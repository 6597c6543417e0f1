/**
 * Parses a model's reply into tool calls. Tolerated: plain text instead of `answer`, calls that are written as text,
 * arguments as an object or none at all, numbers for texts, calls after the one that ends the turn (dropped), a missing
 * type, thoughts before the text (dropped).
 *
 *  - A call that cannot be made (an unknown tool, arguments that do not fit) is an outcome that the model sees with its
 *    next step.
 *  - Text beside calls that only keep something in memory is the answer: whoever asked has been answered.
 *  - A reply of which nothing can be used (an empty one, a call that a length limit has cut off) is unusable, and told
 *    to the model once (reasoner.ts); after that it is a bad_response.
 *  - What a server has broken off with an error is no reply.
 */
import { z } from 'zod';
import { type ProposedCall, ReasonerError } from '../port.js';
import { brief } from '../../english/sentences.js';
import { AnswerContent } from './answer-content.js';
import type { OutputForm } from './output-form.js';
import type { OwnTools } from './own-tools.js';
import type { ModelServer } from './server.js';
import { spoken, spokenContent } from './spoken.js';
import { parsedJson, storable } from './storable.js';
import { callsInText, onlyKeeps, readCall } from './tools.js';

/** Calls of one answer; each is resolved, decided and stored with its step. */
const mostCalls = 64;

/** What is read of a chat completion. */
export const completion = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      message: z.object({
        content: spokenContent.nullish(),
        refusal: z.string().nullish(),
        tool_calls: z.array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown() }) })).nullish(),
        kept: z.unknown().optional(),
      }),
    }),
  ),
});

export type ModelReply = (
  | { kind: 'calls'; calls: ProposedCall[]; /** Text beside the calls. */ aside: string }
  | { kind: 'text'; text: string }
  /** The beginning of an answer, which a length limit has cut off. */
  | { kind: 'cut'; text: string }
  | { kind: 'unusable'; problem: string }
) & {
  /** What the model hands out for the next request. */
  kept?: unknown;
};

/** The problem of a reply that says nothing. */
export const empty = 'it is empty';
const unusable = (problem: string): ModelReply => ({ kind: 'unusable', problem });

/**
 * Throws ReasonerError('refused') if the model or a filter declined, and 'bad_response' if this is not a chat
 * completion. `wanted` is the tool that was to be called: a text of its form is a call of it.
 */
export function readReply(
  raw: unknown,
  { url, settings, hint }: Pick<ModelServer, 'url' | 'settings' | 'hint'>,
  form?: OutputForm,
  own?: OwnTools,
  wanted?: string,
): ModelReply {
  const parsed = completion.safeParse(raw);
  if (!parsed.success)
    throw Object.assign(
      new ReasonerError(
        'bad_response',
        `the server at ${url} did not answer as ${hint.endpoint} does: check ${settings.baseUrl}, ${hint.address}`,
      ),
      { fault: 'server' as const },
    );
  const [choice] = parsed.data.choices;
  if (!choice) return unusable('it has no choices');
  const { content, refusal, tool_calls: calls, kept } = choice.message;
  const text = storable(spoken(content ?? ''));
  if (choice.finish_reason === 'content_filter')
    throw new ReasonerError('refused', "the model server's content filter stopped the answer");
  if (refusal) throw new ReasonerError('refused', `the model declined: ${brief(storable(refusal), 300)}`);
  const said = (calls ?? []).map(({ function: call }) => call);
  // What was cut off may look whole: a text always does, and some servers close the arguments of a call.
  if (choice.finish_reason === 'length') return { ...cutOff(text, said, form), kept };
  const written = said.length > 0 ? [] : (ofForm(text, wanted) ?? callsInText(text, own));
  const made = said.length > 0 ? said : written;
  if (made.length > 0) return { ...callsOf(made, written.length > 0 ? '' : text.trim(), form, own), kept };
  return text.trim() === '' ? unusable(empty) : { kind: 'text', text };
}

/** A call of the tool that was to be called, where the text is what it takes and names no tool itself. */
function ofForm(text: string, wanted: string | undefined): Made[] | null {
  if (wanted === undefined || wanted === 'answer') return null;
  const given = parsedJson(text);
  if (typeof given !== 'object' || given === null || Array.isArray(given) || 'arguments' in given) return null;
  return [{ name: wanted, arguments: given }];
}

interface Made {
  name: string;
  arguments?: unknown;
}

function cutOff(text: string, [first, ...more]: readonly Made[], form?: OutputForm): ModelReply {
  const answer = first?.name === 'answer' && more.length === 0;
  const begun = !first ? text : answer ? (form ? textOf : contentOf)(first.arguments) : '';
  return begun.trim() === '' ? unusable('it was cut off at the length limit: be brief') : { kind: 'cut', text: begun };
}

const textOf = (given: unknown): string => (typeof given === 'string' ? given : JSON.stringify(given ?? ''));
const contentOf = (given: unknown): string => storable(new AnswerContent().add(textOf(given)));

/** An answer in plain text, which may have to be of a form. */
export function textReply(text: string, form?: OutputForm): ModelReply {
  const call = form?.read(text);
  if (call === undefined) return { kind: 'text', text };
  return typeof call === 'string' ? unusable(call) : { kind: 'calls', calls: [call], aside: '' };
}

function callsOf(made: readonly Made[], aside: string, form?: OutputForm, own?: OwnTools): ModelReply {
  if (made.length > mostCalls) return unusable(`it has ${made.length} calls: make at most ${mostCalls} in a step`);
  const calls: ProposedCall[] = [];
  for (const { name, arguments: given } of made) {
    const call: ProposedCall | string = form && name === 'answer' ? form.read(given) : readCall(name, given, own);
    if (typeof call === 'string') return unusable(call);
    calls.push(call);
    if (call.refused === undefined && (call.tool === 'answer' || call.tool === 'ask_human')) break;
  }
  if (aside !== '' && calls.every(({ tool, refused }) => onlyKeeps(tool) && refused === undefined)) {
    const answer = form?.read(aside) ?? { tool: 'answer' as const, arguments: { content: aside } };
    if (typeof answer !== 'string') return { kind: 'calls', calls: [...calls, answer], aside: '' };
  }
  return { kind: 'calls', calls, aside };
}
