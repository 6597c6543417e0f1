/**
 * Runs, their steps and what agents send are told as spans (src/telemetry/tracing.ts). A run may go on in other
 * processes and for days, so its span is told when it has ended; its id follows from the run, and the spans of its steps
 * name it before that.
 */
import { createHash } from 'node:crypto';
import type { LiveRun, ResolvedCall, RunRecord, StepReport } from '../../../src/domain/agent/agent-state.js';
import { isTerminal } from '../../../src/domain/model/model.js';
import type { AgentSnapshot } from '../../../src/domain/shared/snapshots.js';
import type { MaybePromise } from '../../../src/maybe-promise.js';
import { type Attributes, inTrace, isTracing, span, tellsContent, tellSpan } from '../../../src/telemetry/tracing.js';

type Agent = Pick<AgentSnapshot, 'id' | 'name'>;

const spanIdOf = ({ id, trace }: RunRecord): string => {
  const hash = createHash('sha256').update(`${trace}/${id}`).digest('hex').slice(0, 16);
  return /^0+$/.test(hash) ? '1'.padStart(16, '0') : hash;
};

const attributesOf = (agent: Agent, run: RunRecord): Attributes => ({
  'gen_ai.agent.id': agent.id,
  'gen_ai.agent.name': agent.name,
  'gen_ai.conversation.id': run.sessionId,
  'hivekeep.run.id': run.id,
});

/** Call this when a run has changed: tells its span if it has just ended. */
export function tellEnded(agent: Agent, run: RunRecord): void {
  if (run.trace === undefined || !isTracing() || !isTerminal(run.status) || run.ended_at !== run.updated_at) return;
  const { usage } = run;
  tellSpan({
    name: `invoke_agent ${agent.name}`,
    parent: run.trace,
    id: spanIdOf(run),
    startMs: Date.parse(run.started_at ?? run.created_at),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      ...attributesOf(agent, run),
      'hivekeep.run.status': run.status,
      'hivekeep.run.steps': run.steps,
      'hivekeep.run.triggered_by': run.triggeredBy,
      ...(usage && {
        'gen_ai.usage.input_tokens': usage.inputTokens,
        'gen_ai.usage.output_tokens': usage.outputTokens,
        'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens,
      }),
    },
    ...(run.status !== 'completed' && run.status !== 'cancelled' && { problem: run.error?.code ?? run.status }),
  });
}

/** Has a step begin as a span of its run; `trace` is what its report belongs to. */
export function tracedStep<R extends StepReport>(
  agent: Agent,
  { record }: LiveRun,
  propose: () => MaybePromise<R>,
): { report: MaybePromise<R>; trace?: string } {
  if (!isTracing()) return { report: propose() };
  const { trace } = record;
  if (trace === undefined) return { report: inTrace(undefined, propose) };
  let own: string | undefined;
  const report = inTrace(`${trace.slice(0, 36)}${spanIdOf(record)}${trace.slice(52)}`, () =>
    span(
      'step',
      () => ({ attributes: { ...attributesOf(agent, record), 'hivekeep.run.step': record.steps + 1 } }),
      ({ traceparent, set }) => {
        own = traceparent;
        const tell = (came: R): R => {
          if (!came.ok) set({ 'error.type': came.error.code });
          return came;
        };
        const proposed = propose();
        return proposed instanceof Promise ? proposed.then(tell) : tell(proposed);
      },
    ),
  );
  return own ? { report, trace: own } : { report };
}

/** Carries out a call of a tool, or looks up what it needs. */
export const tracedCall = <T>(
  { tool, arguments: given }: Pick<ResolvedCall, 'tool' | 'arguments'>,
  work: () => T,
): T => {
  if (!isTracing()) return work();
  const isOther = tool === 'use_tool';
  const name = isOther ? ((given as { name?: string }).name ?? tool) : tool;
  const details = () => ({
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': isOther ? 'extension' : 'function',
      ...(tellsContent() && { 'gen_ai.tool.call.arguments': JSON.stringify(given) }),
    },
  });
  return span(`execute_tool ${name}`, details, work);
};

/** Sends what is in an outbox, to another agent, a hive or a peer. */
export const tracedSending = <T>(
  what: string,
  { trace, to }: { trace?: string | undefined; to: string },
  work: () => T,
): T =>
  isTracing()
    ? inTrace(trace, () => span(`send ${what}`, () => ({ kind: 'producer', attributes: { 'hivekeep.to': to } }), work))
    : work();
