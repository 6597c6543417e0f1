/** Makes the call of a tool that is about to go out, and tells what it came to (AgentTools.T2). */
import { callId } from '../../../src/domain/agent-tools.js';
import { jsonBytes } from '../../../src/domain/bounded.js';
import { outboundTool } from '../../../src/domain/tools.js';
import type { EntityDependencies } from '../dependencies.js';
import { callTool } from './call-tool.js';
import type { StepInput } from './step-recall.js';

/** Of all outcomes of a step, which are stored together. */
const mostOfStep = 1024 * 1024;

/** Rejects only when the signal is aborted. */
export async function useTool(
  deps: EntityDependencies,
  { entity, agent, live: { record } }: StepInput,
  signal: AbortSignal,
): Promise<{ ok: boolean; result: string }> {
  const [call] = record.held;
  const tool = call && outboundTool(agent.config, call);
  if (call?.tool !== 'use_tool' || !tool) return { ok: false, result: 'the tool was removed before it was called' };
  const key = callId(record.id, record.steps + 1, record.done.length + 1);
  const came = await callTool(deps, { agent: entity, tool, call, key }, signal);
  return jsonBytes([record.done, came.result]) <= mostOfStep
    ? came
    : { ok: false, result: 'it answered, and the results of this step are too long together' };
}
