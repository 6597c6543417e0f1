/** The numbers of the server that answers, as it tells them to Prometheus at /metrics. */
import { base } from './router.js';
import { ApiError, ConnectionError } from './errors.js';

export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** Rejects with a 401 where the operator has set a token for /metrics. */
export async function readMetrics(signal: AbortSignal): Promise<readonly Sample[]> {
  let response: Response;
  try {
    response = await fetch(`${base}/metrics`, { signal, cache: 'no-store' });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ConnectionError('the service does not answer', { cause });
  }
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => null));
  return parseMetrics(await response.text());
}

/** Lines of the text format: `name{label="value",...} number`. */
export const parseMetrics = (text: string): readonly Sample[] =>
  text.split('\n').flatMap((line) => {
    const match = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (match === null) return [];
    const labels = [...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]);
    return [
      { name: match[1] ?? '', labels: Object.fromEntries(labels) as Record<string, string>, value: Number(match[3]) },
    ];
  });

/** The sum of the samples of that name which have these labels; null where there is none. */
export function total(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | null {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
}
