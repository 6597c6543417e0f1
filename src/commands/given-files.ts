/** Files that come with a request: what is wrong with them, and how they go to the agent. */
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { base64Bytes } from '../domain/shared/text-forms.js';
import { type HivekeepError, invalid } from '../domain/shared/errors.js';
import { fileUri, type GivenFile } from '../domain/run/conversation.js';
import { limits } from '../domain/shared/input-fields.js';
import type { FileInput } from '../domain/shared/inputs.js';
import { isText, type Part, textOf } from '../domain/task/task.js';

const shortFile = 256 * 1024;

/** What is done with each longer file is done in a turn of the event loop of its own: a MiB takes milliseconds. */
export const turnFor = async (bytes: string): Promise<void> => {
  if (bytes.length > shortFile) await setImmediate();
};

/** Whether the part has the bytes of a file that is no text. */
export const hasFile = (part: Part): part is Part & { kind: 'file'; bytes: string } =>
  part.kind === 'file' && 'bytes' in part && !isText(part.mediaType);

/** Takes the files that are no texts out of the parts, which name them then. `pathOf` is the place of each part. */
export async function takenOut(
  parts: readonly Part[],
  maxBytes: number,
  pathOf: (index: number) => string,
): Promise<{ parts: readonly Part[]; given: readonly GivenFile[] }> {
  const given: GivenFile[] = [];
  const named: Part[] = [];
  let left = maxBytes;
  for (const [i, part] of parts.entries()) {
    if (!hasFile(part)) {
      named.push(part);
      continue;
    }
    const path = pathOf(i);
    const { bytes, ...rest } = part;
    await turnFor(bytes);
    const content = Buffer.from(bytes, 'base64');
    left -= content.length;
    if (left < 0) throw invalid({ path, message: `must be at most ${maxBytes} bytes of files together` });
    if (content.length === 0) throw invalid({ path, message: 'must not be an empty file' });
    const sha256 = hash('sha256', content);
    const mediaType = usual(part.mediaType ?? '');
    given.push({ sha256, size: content.length, bytes, mediaType, filename: part.filename, path });
    named.push({ ...rest, uri: fileUri(sha256) });
    await turnFor(bytes);
  }
  return { parts: named, given };
}

/** Media types are written in many ways. */
function usual(mediaType: string): string {
  const bare = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return bare === 'image/jpg' ? 'image/jpeg' : bare;
}

/** A text and its files as one text, the files that are no texts, and what was said if there are files. */
export async function withFiles(
  said: string,
  files: readonly FileInput[] | undefined,
  maxBytes: number,
  path: string,
): Promise<{ text: string; given: readonly GivenFile[]; said?: string }> {
  if (!files || files.length === 0) return { text: said, given: [] };
  const parts = files.map((file): Part => ({ kind: 'file', ...file }));
  const tooLong = (): HivekeepError =>
    invalid({ path, message: `must be at most ${limits.messageContent} bytes with the files of text` });
  // by their sizes, because to decode what is refused takes long
  const texts = files.filter(({ mediaType }) => isText(mediaType));
  if (texts.reduce((sum, { bytes }) => sum + base64Bytes(bytes), said.length) > limits.messageContent) throw tooLong();
  for (const [i, { mediaType, bytes }] of files.entries())
    if (isText(mediaType) && !isUtf8(Buffer.from(bytes, 'base64')))
      throw invalid({ path: `files.${i}.bytes`, message: 'must be UTF-8, as the media type is one of text' });
  const { parts: named, given } = await takenOut(parts, maxBytes, (i) => `files.${i}`);
  const text = textOf([...(said === '' ? [] : [{ kind: 'text' as const, text: said }]), ...named]);
  if (Buffer.byteLength(text) > limits.messageContent) throw tooLong();
  return { text, given, said };
}
