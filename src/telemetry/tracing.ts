/**
 * Traces: what the service does is told as spans, where a tracer is in use (open-telemetry.ts). Without one every
 * function here is a comparison with null, and nothing is loaded or kept.
 *
 * A trace goes from one place to the next as a traceparent of W3C Trace Context: in the asynchronous context of the
 * work, in messages to actors, in runs and outbox documents, and to others in headers. Only what is sampled has one, so
 * the spans of a trace are all made or none is, and whatever is not sampled costs and stores nothing.
 *
 *  Tracing.T1 A span begins below another one, or with a request that was let in. Nobody else begins a trace.
 *  Tracing.T2 Work that goes on after the one that caused it, in an actor or an outbox, says itself to which trace it
 *     belongs (`inTrace`): the asynchronous context of whoever woke it up is not its own.
 *  Tracing.T3 Others are told the traceparent and nothing else: no baggage, no state.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
type SpanKind = 'internal' | 'server' | 'client' | 'producer';

export interface SpanDetails {
  /** Default: internal. */
  kind?: SpanKind;
  attributes?: Attributes;
  /** When it began, ms since the epoch; now if omitted. */
  startMs?: number;
}

export interface StartedSpan extends SpanDetails {
  name: string;
  /** A traceparent; null where a trace begins. */
  parent: string | null;
  /** Its own id, where others name it before it is told. */
  id?: string;
}

export interface Span {
  /** By which others name it. Empty for a span that is not told. */
  readonly traceparent: string;
  set(this: void, attributes: Attributes): void;
  /** `problem`: what it failed with, or a word for that. */
  end(problem?: unknown): void;
}

export interface Tracer {
  /** Null for what is not sampled. */
  start(span: StartedSpan): Span | null;
  /** Whether spans tell what is said to models and tools, and what these answer. */
  readonly tellsContent: boolean;
}

let tracer: Tracer | null = null;
const current = new AsyncLocalStorage<string | undefined>();

/** Null ends tracing. */
export function useTracer(one: Tracer | null): void {
  tracer = one;
}

export const isTracing = (): boolean => tracer !== null;

/** Whether spans tell what is said. */
export const tellsContent = (): boolean => tracer?.tellsContent === true;

/** The traceparent of the span that this work belongs to; undefined if it is not traced. */
export const traceNow = (): string | undefined => (tracer === null ? undefined : current.getStore());

/** Does the work in this trace, or in none (Tracing.T2). */
export function inTrace<T>(trace: string | undefined, work: () => T): T {
  return tracer === null ? work() : current.run(trace, work);
}

const untold: Span = { traceparent: '', set: () => undefined, end: () => undefined };

/** Does the work as a span below the one that it belongs to. `details` is asked for only if the span is told. */
export function span<T>(name: string, details: () => SpanDetails, work: (span: Span) => T): T {
  const parent = traceNow();
  const started = parent === undefined ? null : (tracer?.start({ name, parent, ...details() }) ?? null);
  return started === null ? work(untold) : during(started, work);
}

/** Begins a span that the caller ends, and does the work in it; a trace begins with it unless there is a parent. */
export function beginSpan<T>(started: StartedSpan, work: (span: Span) => T): T {
  const begun = tracer?.start(started) ?? null;
  return begun === null ? work(untold) : current.run(begun.traceparent, work, begun);
}

/** A span that is over. */
export function tellSpan(told: Omit<StartedSpan, 'parent'> & { parent: string; problem?: unknown }): void {
  tracer?.start(told)?.end(told.problem);
}

function during<T>(started: Span, work: (span: Span) => T): T {
  let result: T;
  try {
    result = current.run(started.traceparent, work, started);
  } catch (error) {
    started.end(error);
    throw error;
  }
  if (!(result instanceof Promise)) {
    started.end();
    return result;
  }
  return result.then(
    (value: unknown) => {
      started.end();
      return value;
    },
    (error: unknown) => {
      started.end(error);
      throw error;
    },
  ) as T;
}

const form = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** What a traceparent says; null if it is none. A version that is not known is read like the first, as its rules have it. */
export function readTraceparent(text: unknown): { traceId: string; spanId: string; flags: number } | null {
  if (typeof text !== 'string' || text.length > 256) return null;
  const [, traceId = '', spanId = '', flags = ''] = form.exec(text) ?? [];
  return traceId === '' ? null : { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** What a line of the log says of the trace that it belongs to. */
export function traceFields(trace: string | undefined = traceNow()): { trace_id: string; span_id: string } | object {
  return trace === undefined ? {} : { trace_id: trace.slice(3, 35), span_id: trace.slice(36, 52) };
}
