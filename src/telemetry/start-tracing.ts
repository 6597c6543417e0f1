/** Whether and how this process tells traces, by the standard variables of OpenTelemetry. */
import type { Logger } from './logger-port.js';
import type { OtelVariables } from './open-telemetry.js';
import { useTracer } from './tracing.js';

const isSet = (value: string | undefined): boolean => value !== undefined && value.trim() !== '';

/** A collector is named, and nothing turns the SDK or its traces off. */
export const wantsTraces = (environment: OtelVariables): boolean =>
  (isSet(environment['OTEL_EXPORTER_OTLP_ENDPOINT']) || isSet(environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])) &&
  environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() !== 'true' &&
  environment['OTEL_TRACES_EXPORTER']?.trim().toLowerCase() !== 'none';

/** How long the end of a process waits for the last spans to be sent, ms. */
const lastMs = 3000;

/** Begins to tell traces if they are wanted. The returned function ends that. */
export async function startTracing(
  environment: OtelVariables,
  about: { version: string; log: Pick<Logger, 'warn'> },
): Promise<() => Promise<void>> {
  if (!wantsTraces(environment)) return () => Promise.resolve();
  try {
    const { openTelemetry } = await import('./open-telemetry.js');
    const opened = await openTelemetry(environment, about);
    useTracer(opened.tracer);
    return async () => {
      useTracer(null);
      await opened.close(lastMs);
    };
  } catch (err) {
    about.log.warn(
      { event: 'traces.off', err },
      'no traces are told: the variables of OpenTelemetry cannot be followed',
    );
    return () => Promise.resolve();
  }
}
