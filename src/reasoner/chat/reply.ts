/**
 * Parses a model's reply into tool calls. Tolerated: plain text instead of `answer`, arguments as an object, numbers
 * for texts, calls after the one that ends the turn (dropped), a missing type, thoughts before the text (dropped).
 * Rejected: an unknown tool, invalid arguments, an empty reply, one that was cut off at a length limit. The model is
 * told once (reasoner.ts); after that it is a bad_response.
 */
import { z } from 'zod';
import type { ToolCall } from '../../domain/model.js';
import { ReasonerError } from '../port.js';
import { brief } from '../../english/sentences.js';
import type { ModelServer } from './server.js';
import { spoken, spokenContent } from './spoken.js';
import { readCall, storable } from './tools.js';

/** Calls of one answer; each is resolved, decided and stored with its step. */
const mostCalls = 64;

const completion = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      message: z.object({
        content: spokenContent.nullish(),
        refusal: z.string().nullish(),
        tool_calls: z.array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown() }) })).nullish(),
      }),
    }),
  ),
});

export type Reply =
  { ok: true; calls: ToolCall[]; /** Text beside the calls. */ aside: string } | { ok: false; problem: string };

/**
 * Throws ReasonerError('refused') if the model or a filter declined, and 'bad_response' if this is not a chat
 * completion.
 */
export function readReply(raw: unknown, { url, settings, hint }: ModelServer): Reply {
  const parsed = completion.safeParse(raw);
  if (!parsed.success)
    throw new ReasonerError(
      'bad_response',
      `the server at ${url} did not answer as ${hint.endpoint} does: check ${settings.baseUrl}, ${hint.address}`,
    );
  const [choice] = parsed.data.choices;
  if (!choice) return { ok: false, problem: 'it has no choices' };
  const { content, refusal, tool_calls } = choice.message;
  const text = storable(spoken(content ?? '')).trim();
  if (choice.finish_reason === 'content_filter')
    throw new ReasonerError('refused', "the model server's content filter stopped the answer");
  if (refusal) throw new ReasonerError('refused', `the model declined: ${brief(storable(refusal), 300)}`);
  // What was cut off may look whole: a text always does, and some servers close the arguments of a call.
  if (choice.finish_reason === 'length') return { ok: false, problem: 'it was cut off at the length limit: be brief' };
  if (!tool_calls || tool_calls.length === 0)
    return text === ''
      ? { ok: false, problem: 'it is empty' }
      : { ok: true, calls: [{ tool: 'answer', arguments: { content: text } }], aside: '' };
  if (tool_calls.length > mostCalls)
    return { ok: false, problem: `it has ${tool_calls.length} calls: make at most ${mostCalls} in a step` };
  const calls: ToolCall[] = [];
  for (const { function: f } of tool_calls) {
    const call = readCall(f.name, f.arguments);
    if (typeof call === 'string') return { ok: false, problem: call };
    calls.push(call);
    if (call.tool === 'answer' || call.tool === 'ask_human') break;
  }
  return { ok: true, calls, aside: text };
}
