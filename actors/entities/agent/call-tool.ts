/** Calls a tool that is not the client's, by its declaration and once (AgentTools.T2). */
import {
  nextCallOf,
  isRepeatableCall,
  nameAtServer,
  notKnown,
  type HttpTool,
  type OutboundTool,
} from '../../../src/domain/agent/agent-tools.js';
import { jsonBytes } from '../../../src/domain/shared/bounded.js';
import { outboundTool } from '../../../src/domain/run/tools.js';
import type { ResolvedCall } from '../../../src/domain/agent/agent-state.js';
import type { McpAgentRef } from '../../../src/mcp/port.js';
import { pushFailure, timeLimit } from '../../../src/push/attempt.js';
import type { Release } from '../../../src/push/lanes.js';
import { PushError } from '../../../src/push/port.js';
import { storable } from '../../../src/reasoner/chat/storable.js';
import type { EntityDeps } from '../deps.js';
import type { StepInput } from './step-recall.js';
import { tracedCall } from './traced-runs.js';

const mostAnswer = 256 * 1024;

export interface ToolCallOut {
  agent: McpAgentRef;
  tool: OutboundTool;
  /** The call of `use_tool`. */
  call: Pick<ResolvedCall & { tool: 'use_tool' }, 'arguments' | 'claimed'>;
  /** The id of the call, the same when it is made again. */
  key: string;
}

/**
 * Resolves to what the tool answered, or why there is no answer and whether it may have taken effect all the same.
 * Rejects only when the signal is aborted.
 */
export async function callTool(
  deps: Pick<EntityDeps, 'push' | 'mcp' | 'clock'>,
  out: ToolCallOut,
  signal: AbortSignal,
): Promise<{ ok: boolean; result: string }> {
  const { agent, tool, call, key } = out;
  if (tool.secret && tool.secret.value === undefined)
    return { ok: false, result: 'its secret is not known here and has to be set again' };
  const { name = '', input = '{}' } = call.arguments;
  try {
    const { ok, result } =
      tool.kind === 'http'
        ? await callByHttp(deps, agent, tool, { input, key }, signal)
        : await deps.mcp.call(
            agent,
            tool,
            { tool: nameAtServer(name), arguments: JSON.parse(input) as Record<string, unknown>, key },
            signal,
          );
    return { ok, result: storable(result) };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof PushError ? error.message : 'the call failed';
    return {
      ok: false,
      result: isRepeatableCall(tool, call) || (error as PushError).final ? why : `${why}; ${notKnown}`,
    };
  }
}

async function callByHttp(
  { push, clock }: Pick<EntityDeps, 'push' | 'clock'>,
  agent: McpAgentRef,
  { url, secret, keyed, timeout_seconds: seconds = 30 }: HttpTool,
  { input, key }: { input: string; key: string },
  signal: AbortSignal,
): Promise<{ ok: boolean; result: string }> {
  const limit = timeLimit(clock, seconds * 1000, signal);
  const request = {
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/*',
      ...(keyed !== false && { 'idempotency-key': key }),
    },
    ...(secret?.value !== undefined && { secret: { header: secret.header, value: secret.value } }),
    body: input,
    maxBytes: mostAnswer,
  };
  let endTurn: Release = () => undefined;
  try {
    endTurn = await push.turn(agent.workspace, url, limit.signal);
    const { status, body } = await limit.race(push.open(agent.id, request, limit.signal));
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    endTurn(true);
    const ok = status >= 200 && status <= 299;
    return { ok, result: ok ? text : `the server answered ${status}: ${text}` };
  } catch (error) {
    endTurn(false);
    if (error instanceof PushError && error.final) throw error;
    throw limit.signal.aborted && limit.signal.reason instanceof PushError ? limit.signal.reason : pushFailure(error);
  } finally {
    limit.end();
  }
}

/** Of all outcomes of a step, which are stored together. */
const mostOfStep = 1024 * 1024;

/** Makes the call of a tool that is about to go out, for a step. Rejects only when the signal is aborted. */
export async function useTool(
  deps: EntityDeps,
  { entity, agent, live: { record } }: StepInput,
  signal: AbortSignal,
): Promise<{ ok: boolean; result: string }> {
  const [call] = record.held;
  const tool = call && outboundTool(agent.config, call);
  if (call?.tool !== 'use_tool' || !tool) return { ok: false, result: 'the tool was removed before it was called' };
  const key = nextCallOf(record);
  const came = await tracedCall(call, () => callTool(deps, { agent: entity, tool, call, key }, signal));
  return jsonBytes([record.done, came.result]) <= mostOfStep
    ? came
    : { ok: false, result: 'it answered, and the results of this step are too long together' };
}
