/**
 * Checks which parts of a message a text-based reasoner can process. Every other part is refused with
 * CONTENT_TYPE_NOT_SUPPORTED (-32005) in every version, instead of passing on its file name: an agent that never saw
 * the content must not answer as if it had. The conformance kits agree: that of 1.0 sends a file of an unknown type and
 * expects -32005 (CORE-SEND-003); that of 0.3 accepts -32005 and looks for "content", "type" and "incompatible" in its
 * message; neither sends files to an agent whose card lists text only.
 */
import { isUtf8 } from 'node:buffer';
import { isText, type Part } from '../domain/task.js';
import { RpcError } from './rpc.js';

/**
 * Accepts text parts with a text media type (or none), data parts with a JSON media type (or none), and files that
 * contain valid UTF-8 with a text or JSON media type. Throws CONTENT_TYPE_NOT_SUPPORTED that names the first other
 * part.
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
      if (!isText(mediaType))
        return `is a file ${mediaType === undefined ? 'without a media type' : `of the media type ${mediaType}`}: this agent reads text/* and application/json`;
      return isUtf8(Buffer.from(part.bytes, 'base64'))
        ? null
        : `is a file of the media type ${mediaType} that is not UTF-8`;
  }
}

const isJson = (mediaType: string): boolean => isText(mediaType) && !mediaType.startsWith('text/');
