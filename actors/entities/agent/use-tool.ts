/** Makes the call of a tool that is about to go out, and tells what it came to (AgentTools.T2). */
import { callId, isRepeatable, notKnown } from '../../../src/domain/agent-tools.js';
import { jsonBytes } from '../../../src/domain/bounded.js';
import { outboundTool } from '../../../src/domain/tools.js';
import { PushError } from '../../../src/push/port.js';
import { storable } from '../../../src/reasoner/chat/storable.js';
import type { EntityDependencies } from '../dependencies.js';
import type { StepInput } from './step-recall.js';

/** Of one answer, and of all outcomes of a step, which are stored together. */
const most = { answer: 256 * 1024, step: 1024 * 1024 };

/** Rejects only when the signal is aborted. */
export async function useTool(
  { push }: EntityDependencies,
  { entity, agent, live: { record } }: StepInput,
  signal: AbortSignal,
): Promise<{ ok: boolean; result: string }> {
  const [call] = record.held;
  const tool = call && outboundTool(agent.config, call);
  if (!call || !tool) return { ok: false, result: 'the tool was removed before it was called' };
  const { url, secret, timeout_seconds: seconds = 30 } = tool;
  if (secret && secret.value === undefined)
    return { ok: false, result: 'its secret is not known here and has to be set again' };
  const key = callId(record.id, record.steps + 1, record.done.length + 1);
  const request = {
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/*',
      ...(tool.keyed !== false && { 'idempotency-key': key }),
    },
    ...(secret?.value !== undefined && { secret: { header: secret.header, value: secret.value } }),
    body: call.arguments['input'] ?? '{}',
    timeoutMs: seconds * 1000,
    maxBytes: most.answer,
  };
  try {
    const { status, text } = await push.call(entity.id, request, signal);
    const ok = status >= 200 && status <= 299;
    const result = storable(ok ? text : `the server answered ${status}: ${text}`);
    const fits = jsonBytes([record.done, result]) <= most.step;
    return fits
      ? { ok, result }
      : { ok: false, result: 'it answered, and the results of this step are too long together' };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof PushError ? error.message : 'the call failed';
    return { ok: false, result: isRepeatable(tool) || (error as PushError).final ? why : `${why}; ${notKnown}` };
  }
}
