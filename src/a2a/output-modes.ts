/** Checks that the agent can answer in a media type that the client accepts (A2A 1.0, 3.2.2). */
import { RpcError } from './rpc.js';

/**
 * Answers are text; samples of 0.2 write it as `text`. Clients that accept only JSON get the text as part of a JSON
 * response.
 */
const answered: ReadonlySet<string> = new Set(['text/plain', 'text/*', '*/*', '*', 'text', 'application/json']);

/** True if `accepted` contains no media type of this agent's answers; an empty or absent list accepts any. */
export const refusesOutput = (accepted: readonly string[] | undefined): boolean =>
  accepted !== undefined && accepted.length > 0 && !accepted.some((mode) => answered.has(mediaTypeOf(mode)));

/** Throws CONTENT_TYPE_NOT_SUPPORTED (-32005) if `accepted` contains no media type of this agent's answers. */
export function checkOutputModes(accepted: readonly string[] | undefined): void {
  if (!refusesOutput(accepted)) return;
  const message = 'names no media type that this agent answers in: text/plain';
  throw new RpcError('CONTENT_TYPE_NOT_SUPPORTED', `configuration.acceptedOutputModes ${message}`, {
    violations: [{ path: 'configuration.acceptedOutputModes', message }],
  });
}

/** Strips parameters such as charset; media types are case-insensitive. */
const mediaTypeOf = (mode: string): string => (mode.split(';', 1)[0] ?? '').trim().toLowerCase();
