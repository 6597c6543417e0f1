/** Whether the agent can answer in one of the media types that a client accepts (A2A 1.0, 3.2.2). */
import { RpcError } from './rpc.js';

/** Answers are text; `text` is how samples of 0.2 write it. Text is accepted as JSON too, as a part of a JSON answer. */
const answered: ReadonlySet<string> = new Set(['text/plain', 'text/*', '*/*', '*', 'text', 'application/json']);

/** Whether none of `accepted` is what this agent answers in; nothing accepted means that anything is. */
export const refusesOutput = (accepted: readonly string[] | undefined): boolean =>
  accepted !== undefined && accepted.length > 0 && !accepted.some((mode) => answered.has(mediaTypeOf(mode)));

/** Throws CONTENT_TYPE_NOT_SUPPORTED (-32005) where `accepted` leaves out everything that this agent answers in. */
export function checkOutputModes(accepted: readonly string[] | undefined): void {
  if (!refusesOutput(accepted)) return;
  const message = 'names no media type that this agent answers in: text/plain';
  throw new RpcError('CONTENT_TYPE_NOT_SUPPORTED', `configuration.acceptedOutputModes ${message}`, {
    violations: [{ path: 'configuration.acceptedOutputModes', message }],
  });
}

/** Without parameters such as charset; media types have no case. */
const mediaTypeOf = (mode: string): string => (mode.split(';', 1)[0] ?? '').trim().toLowerCase();
