/** Errors as clients of OpenAI read them (docs/api.md 4.5), with the codes of 7.1. */
import type { HivekeepError, Issue } from '../../src/domain/shared/errors.js';
import { isTerminal, type Run } from '../../src/domain/model/model.js';

export const openAiRoot = '/v1/openai/';

export interface OpenAiError {
  error: { message: string; type: string; param: string | null; code: string; request_id: string; run_id?: string };
}

const typeOf = (status: number): string =>
  status === 401
    ? 'authentication_error'
    : status === 403
      ? 'permission_error'
      : status === 429
        ? 'rate_limit_error'
        : status >= 500
          ? 'server_error'
          : 'invalid_request_error';

export function openAiError(error: HivekeepError, status: number, requestId: string): OpenAiError {
  const [issue] = (error.details['issues'] ?? []) as Issue[];
  return {
    error: {
      message: error.message,
      type: typeOf(status),
      param: issue === undefined || issue.path === '' ? null : issue.path,
      code: error.code,
      request_id: requestId,
    },
  };
}

/** A run that has ended without an answer; null if it has one, or waits. */
export function runFailure(run: Run, requestId: string): OpenAiError | null {
  if (!isTerminal(run.status) || run.status === 'completed') return null;
  const message = run.error?.message ?? `the run is over without an answer: ${run.status}`;
  const code = run.error?.code ?? run.status;
  return { error: { message, type: 'run_failed', param: null, code, request_id: requestId, run_id: run.id } };
}
