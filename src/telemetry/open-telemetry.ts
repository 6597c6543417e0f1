/**
 * The tracer of the OpenTelemetry SDK, which sends spans by OTLP over HTTP. It is loaded only where the standard
 * variables name a collector, and takes everything else from those variables, too (docs/operations.md).
 *
 *  - A collector that is slow or away delays nothing and fails nothing: what waits for it is bounded
 *    (OTEL_BSP_MAX_QUEUE_SIZE), the rest is dropped, and the log says so at most once a minute.
 *  - An attribute is at most `longestValue` characters long, unless OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT says otherwise.
 */
import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from './logger-port.js';
import { type Span, type Tracer, readTraceparent } from './tracing.js';

/** The variables of the process. */
export type OtelVariables = Readonly<Record<string, string | undefined>>;

export interface OpenTelemetry {
  tracer: Tracer;
  /** Sends what is left, for as long as that takes at most. */
  close(withinMs: number): Promise<void>;
}

const longestValue = 8192;
/** Once a minute. */
const silentMs = 60_000;

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
} as const;

/** Makes ids, and those that somebody has named before their span was told. */
class Ids {
  named: string | undefined;
  private readonly random = new RandomIdGenerator();
  generateTraceId = (): string => this.random.generateTraceId();
  generateSpanId = (): string => this.named ?? this.random.generateSpanId();
}

/** `environment` is that of the process, which the SDK reads itself. */
export async function openTelemetry(
  environment: OtelVariables,
  { version, log }: { version: string; log: Pick<Logger, 'warn'> },
): Promise<OpenTelemetry> {
  tellProblems(log);
  const exporter = await exporterFor(environment, log);
  const ids = new Ids();
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'hivekeep', 'service.version': version })
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(sdkOf()),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(exporter)],
    ...(environment['OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT'] === undefined &&
      environment['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'] === undefined && {
        spanLimits: { attributeValueLengthLimit: longestValue },
      }),
  });
  const made = provider.getTracer('hivekeep', version);
  const captured = environment['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'] ?? '';
  return {
    tracer: {
      tellsContent: /^(true|span_only|span_and_event)$/i.test(captured),
      start({ name, kind = 'internal', attributes = {}, startMs, parent, id }) {
        const above = readTraceparent(parent);
        const context = above
          ? trace.setSpanContext(ROOT_CONTEXT, {
              traceId: above.traceId,
              spanId: above.spanId,
              traceFlags: above.flags & 1,
              isRemote: true,
            })
          : ROOT_CONTEXT;
        ids.named = id;
        const begun = made.startSpan(
          name,
          {
            kind: kinds[kind],
            attributes: attributes as Attributes,
            ...(startMs !== undefined && { startTime: startMs }),
          },
          context,
        );
        ids.named = undefined;
        if (!begun.isRecording()) return null;
        const { traceId, spanId } = begun.spanContext();
        return {
          traceparent: `00-${traceId}-${spanId}-01`,
          set: (more) => begun.setAttributes(more as Attributes),
          end(problem) {
            if (problem !== undefined) {
              begun.setAttribute('error.type', wordFor(problem));
              begun.setStatus({ code: SpanStatusCode.ERROR });
            }
            begun.end();
          },
        } satisfies Span;
      },
    },
    async close(withinMs) {
      const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

/** What the SDK says of itself, without the name that it gives to every service. */
function sdkOf() {
  const { attributes } = defaultResource();
  return resourceFromAttributes(
    Object.fromEntries(Object.entries(attributes).filter(([name]) => name.startsWith('telemetry.'))),
  );
}

/** A problem as a word of few: its message may hold what somebody has said. */
function wordFor(problem: unknown): string {
  if (typeof problem === 'string') return problem;
  const { code, name } = (problem ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : '_OTHER';
}

async function exporterFor(environment: OtelVariables, log: Pick<Logger, 'warn'>): Promise<SpanExporter> {
  const protocol =
    environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? environment['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? 'http/protobuf';
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    log.warn(
      { event: 'traces.protocol', protocol },
      'traces go by http/protobuf: of the OTLP protocols only http/protobuf and http/json are spoken here',
    );
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

/** What the SDK complains of goes to the log, with no more than its text. */
function tellProblems(log: Pick<Logger, 'warn'>): void {
  let next = -Infinity;
  const warn = (message: string, ...args: unknown[]): void => {
    const now = performance.now();
    if (now < next) return;
    next = now + silentMs;
    const told = [message, ...args.filter((one) => typeof one === 'string')].join(' ');
    log.warn({ event: 'traces.problem', problem: told.slice(0, 500) }, 'traces are not told as they should be');
  };
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
