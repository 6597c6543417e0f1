/** Why a request has failed, in the words of the service. */
export interface Issue {
  path: string;
  message: string;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];
  readonly requiredScope: string | null;
  readonly requestId: string | null;
  /** Seconds, or null. */
  readonly retryAfter: number | null;

  constructor(status: number, body: unknown, retryAfter: string | null) {
    const error = envelopeOf(body);
    super(error.message ?? `the service answered with status ${status}`);
    this.status = status;
    this.code = error.code ?? 'UNKNOWN';
    this.issues = error.details?.issues ?? [];
    this.requiredScope = error.details?.required_scope ?? null;
    this.requestId = error.request_id ?? null;
    this.retryAfter = retryAfter === null ? null : Number(retryAfter) || null;
  }
}

/** The service could not be reached, or broke off. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  constructor(options?: ErrorOptions) {
    super('the service does not answer', options);
  }
}

interface Envelope {
  code?: string;
  message?: string;
  request_id?: string;
  details?: { issues?: Issue[]; required_scope?: string };
}

function envelopeOf(body: unknown): Envelope {
  if (typeof body !== 'object' || body === null || !('error' in body)) return {};
  return typeof body.error === 'object' && body.error !== null ? body.error : {};
}

/** Whether the same request may succeed later without any change to it. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof ApiError && [429, 502, 503, 504].includes(error.status));

/** A sentence for people. */
export function explain(error: unknown): string {
  if (error instanceof ApiError && error.issues.length > 0)
    return error.issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
