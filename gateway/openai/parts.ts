/**
 * Images and files in the messages of clients of OpenAI (docs/api.md 4.5), which go to the model of the agent. They come
 * with the request: nothing is fetched, and no file is kept to be named later.
 */
import { invalid } from '../../src/domain/shared/errors.js';
import { limits } from '../../src/domain/shared/input-fields.js';
import { base64, type FileInput } from '../../src/domain/shared/inputs.js';
import type { OpenAiMessage } from './messages.js';

export interface SentFiles {
  files: FileInput[];
  /** Where the request has each of them. */
  paths: string[];
}

/** Only an image or a file was sent: an input is never empty. */
export const noText = '(no text)';

/**
 * The files of the last message of the user, which must be readable, and before them the newest that earlier messages
 * of the user have, as far as the agent takes them: clients send them with each request, and mean them each time.
 */
export function filesIn(messages: readonly OpenAiMessage[], last: number, accepted: readonly string[]): SentFiles {
  const sent: { file: FileInput; path: string }[] = [];
  for (let at = last; at >= 0; at--) {
    const { role, content } = messages[at] ?? {};
    if (role !== 'user' || !Array.isArray(content)) continue;
    const here: typeof sent = [];
    for (const [i, part] of content.entries()) {
      if (part.type !== 'image_url' && part.type !== 'file') continue;
      const path = `messages.${at}.content.${i}`;
      const file = at === last ? fileOf(part, path) : earlierFile(part, path);
      if (file && (at === last || accepted.includes(file.mediaType))) here.push({ file, path });
    }
    if (at < last && sent.length + here.length > limits.files) break;
    sent.unshift(...here);
  }
  return { files: sent.map(({ file }) => file), paths: sent.map(({ path }) => path) };
}

type Part = Exclude<NonNullable<OpenAiMessage['content']>, string>[number];

function earlierFile(part: Part, path: string): FileInput | null {
  try {
    return fileOf(part, path);
  } catch {
    return null;
  }
}

const dataUrl = /^data:([^;,]{1,100})(?:;[^;,]{1,100}){0,4};base64,/;

function fileOf({ type, image_url: image, file }: Part, path: string): FileInput {
  if (type === 'image_url') {
    const at = `${path}.image_url.url`;
    const read = readUrl(image?.url ?? '', at);
    if (read === null) throw invalid({ path: at, message: 'must be a data: URL in base64: nothing is fetched' });
    return read;
  }
  const at = `${path}.file.file_data`;
  const given = file?.file_data;
  if (typeof given !== 'string')
    throw invalid({ path: at, message: 'must be the content of the file: no file is kept to be named' });
  const filename = file?.filename ?? undefined;
  const read = readUrl(given, at) ?? { mediaType: 'application/pdf', bytes: checkedBytes(given, at) };
  return filename === undefined ? read : { ...read, filename };
}

function readUrl(url: string, path: string): FileInput | null {
  const head = dataUrl.exec(url);
  return head && { mediaType: (head[1] ?? '').toLowerCase(), bytes: checkedBytes(url.slice(head[0].length), path) };
}

function checkedBytes(bytes: string, path: string): string {
  const padded = bytes.padEnd(Math.ceil(bytes.length / 4) * 4, '=');
  if (!base64.safeParse(padded).success) throw invalid({ path, message: 'must be base64' });
  return padded;
}
