/**
 * Answers of agents elsewhere as they come over HTTP: what they hold, what they refuse, and whether the message that was
 * sent may have been taken. Nothing here sends anything.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { notKnown } from '../domain/agent/agent-tools.js';
import { firstBytes } from '../domain/shared/bounded.js';
import { askedIn } from '../domain/mailbox/peers.js';
import { isText } from '../domain/task/task.js';
import { AnswerStream } from '../mcp/answer-stream.js';
import { refuseLarge } from '../mcp/bounds.js';
import { type OutboundAnswer, PushError } from '../push/port.js';
import { storable } from '../reasoner/chat/storable.js';
import type { PeerEndpoint } from './card.js';
import type { PeerAnswer, PeerFile } from './port.js';
import { eventIn, type PeerEvent, type PeerPart } from './wire.js';

const most = {
  /** Bytes of a result, and of what is quoted of an error. */
  result: 256 * 1024,
  quoted: 2000,
  files: 20,
};

/** The message has surely not been taken. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
  constructor(
    readonly why: string,
    readonly lasts: boolean,
    readonly afterMs = 0,
  ) {
    super(why);
  }
}

/** The peer has answered the request with an error. */
export class PeerRefusal extends Error {
  override readonly name = 'PeerRefusal';
  constructor(
    message: string,
    readonly code: number | null,
    /** Whether it may have taken the message all the same. */
    readonly unclear: boolean,
  ) {
    super(message);
  }
}

/** Codes of connections that were never there. */
const unconnected: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Why and how long the message has surely not been taken (PeerCalls.C2); null if it may have been. */
export function hasNotGoneOut(error: unknown): NotTaken | null {
  if (error instanceof NotTaken) return error;
  if (!(error instanceof PushError)) return null;
  if (error.final) return new NotTaken(error.message, false);
  const { cause } = error;
  const codes = cause instanceof AggregateError ? cause.errors : [cause];
  const never = codes.every((one) => unconnected.has((one as { code?: unknown } | undefined)?.code));
  return never || (cause instanceof Error && cause.name === 'Unresolved') ? new NotTaken(error.message, true) : null;
}

export function answerFor(error: unknown, notTaken: NotTaken | null): PeerAnswer {
  if (notTaken) return { ok: false, result: notTaken.why };
  if (error instanceof PeerRefusal)
    return { ok: false, result: error.unclear ? `${error.message}; ${notKnown}` : error.message };
  return { ok: false, result: `${error instanceof PushError ? error.message : 'the call failed'}; ${notKnown}` };
}

export async function whole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Undefined if it is no JSON. Throws a PushError beyond the bounds. */
export async function parsed(content: Buffer): Promise<unknown> {
  refuseLarge(content);
  const isShort = content.length <= shortAnswer;
  if (!isShort) await nextTurn();
  const value = jsonOf(content);
  if (!isShort) await nextTurn();
  return value;
}

function jsonOf(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return undefined;
  }
}
/** What is longer is counted, parsed and looked at in a turn each. */
const shortAnswer = 64 * 1024;

/** The content of an answer, or what the peer has refused the request with. */
export async function refusing({ status, headers, body }: OutboundAnswer): Promise<unknown> {
  if (status >= 300 && status <= 399) {
    await whole(body);
    throw new PeerRefusal('the peer redirects, which is not followed', null, false);
  }
  const content = await parsed(await whole(body));
  if (status >= 200 && status <= 299) return content;
  const { error } = (content ?? {}) as { error?: unknown };
  if (status === 429 || status === 503) {
    const after = Number(headers['retry-after']);
    throw new NotTaken(`the peer answered ${status}`, true, after > 0 && after <= 60 ? after * 1000 : 0);
  }
  const { message, code } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const said = typeof message === 'string' ? message : typeof error === 'string' ? error : '';
  const why = quoted(`the peer answered ${status}${said === '' ? '' : `: ${said}`}`);
  throw new PeerRefusal(why, typeof code === 'number' ? code : null, status >= 500);
}

/** The result of an answer by JSON-RPC; by HTTP+JSON that is the whole. */
export function resultIn(content: unknown, { binding }: PeerEndpoint): unknown {
  if (binding === 'HTTP+JSON') return content;
  const { result, error } = (content ?? {}) as { result?: unknown; error?: unknown };
  if (error === undefined || error === null) return result;
  const { message = 'an error', code = null } = error as { message?: unknown; code?: unknown };
  throw new PeerRefusal(
    quoted(`the peer answered: ${String(message)}`),
    typeof code === 'number' ? code : null,
    code === -32603,
  );
}

const quoted = (text: string): string => firstBytes(storable(text), most.quoted);

/** What a stream tells of the task. Throws as `resultIn` does, and a PushError beyond its bounds. */
export async function* eventsOf(body: AsyncIterable<Uint8Array>, endpoint: PeerEndpoint): AsyncGenerator<PeerEvent> {
  for await (const { message } of new AnswerStream().messagesOf(body)) {
    const event = eventIn(resultIn(message, endpoint));
    if (event) yield event;
  }
}

/** What the parts say, as text; files that are none go beside it. */
export function peerAnswerOf(parts: readonly PeerPart[], ok: boolean): PeerAnswer {
  const files: PeerFile[] = [];
  const texts = parts.map((part): string => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'data') return JSON.stringify(part.data) ?? '';
    const { bytes, url = '', mediaType, filename } = part;
    const named = `file ${filename ?? ''} (${mediaType})`;
    if (bytes === undefined) return `[${named} at ${url}]`;
    if (isText(mediaType)) return Buffer.from(bytes, 'base64').toString('utf8');
    if (files.length >= most.files) return `[${named}, which is one too many]`;
    files.push({ bytes, mediaType, ...(filename !== undefined && { filename: quoted(filename).slice(0, 255) }) });
    return '';
  });
  const said = storable(texts.filter((one) => one !== '').join('\n'));
  const text = said.startsWith(askedIn('').trim()) ? `It says: ${said}` : said;
  const result = firstBytes(text, most.result);
  return {
    ok,
    result: result === text ? text : `${result}… (cut short)`,
    ...(files.length > 0 && { files }),
  };
}
