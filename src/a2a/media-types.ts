/**
 * Checks the media types of a message and of its answer; both refusals are CONTENT_TYPE_NOT_SUPPORTED (-32005).
 *
 * Input: which parts of a message an agent can process. Every other part is refused in every version, instead of
 * passing on its file name: an agent that never saw the content must not answer as if it had. The conformance kits
 * agree: that of 1.0 sends a file of an unknown type and expects -32005 (CORE-SEND-003); that of 0.3 accepts -32005 and
 * looks for "content", "type" and "incompatible" in its message; neither sends files to an agent that lists text only.
 *
 * Output: whether the agent can answer in a media type that the client accepts (A2A 1.0, 3.2.2).
 */
import { isUtf8 } from 'node:buffer';
import { isText, type Part } from '../domain/task.js';
import { RpcError } from './rpc.js';

/**
 * Accepts text parts with a text media type (or none), data parts with a JSON media type (or none), files that contain
 * valid UTF-8 with a text or JSON media type, and other files with their content, of which the agent takes those that
 * its model reads (domain/files.ts). Throws CONTENT_TYPE_NOT_SUPPORTED that names the first other part.
 */
export function checkInputModes(parts: readonly Part[]): void {
  for (const [i, part] of parts.entries()) {
    const wrong = refusal(part);
    if (wrong !== null)
      throw new RpcError('CONTENT_TYPE_NOT_SUPPORTED', `message.parts.${i} ${wrong}`, {
        violations: [{ path: `message.parts.${i}`, message: wrong }],
      });
  }
}

function refusal(part: Part): string | null {
  const { mediaType } = part;
  switch (part.kind) {
    case 'text':
      return mediaType === undefined || mediaType.startsWith('text/')
        ? null
        : `is text of the media type ${mediaType}: this agent reads text/*`;
    case 'data':
      return mediaType === undefined || isJson(mediaType)
        ? null
        : `is data of the media type ${mediaType}: this agent reads application/json`;
    case 'file':
      if ('uri' in part) return 'is a file by its address: this agent fetches nothing, send the content';
      return !isText(mediaType) || isUtf8(Buffer.from(part.bytes, 'base64'))
        ? null
        : `is a file of the media type ${mediaType} that is not UTF-8`;
  }
}

const isJson = (mediaType: string): boolean => isText(mediaType) && !mediaType.startsWith('text/');

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
