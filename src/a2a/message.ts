/** Builds the neutral request, message and push configuration from the fields that a dialect's reader has parsed. */
import { z } from 'zod';
import { isUtf8 } from 'node:buffer';
import type { Metadata } from '../domain/shared/vocabulary.js';
import { type A2AVersion, type Part, type PushConfigInput, type TaskMessage, isText } from '../domain/task/task.js';
import type { SendRequest } from './codec.js';
import { RpcError } from './rpc.js';
import { isAnyBase64, isBase64, isPaddedBase64, parseUrl } from '../domain/shared/text-forms.js';
import { listOf } from '../domain/shared/bounded.js';
import { isSegment, notASegment } from '../domain/shared/ids.js';

/** An optional request field: absent, null, or (in 1.0) empty. */
type Given<T> = T | null | undefined;

interface ReadMessage {
  messageId: string;
  metadata?: Given<Metadata>;
  extensions?: Given<readonly string[]>;
  referenceTaskIds?: Given<readonly string[]>;
}

/** Omits empty lists, so that a message is the same however its client represents an empty one. */
function userMessage(read: ReadMessage, parts: readonly Part[]): TaskMessage {
  if (!parts.some(saysSomething)) {
    throw new RpcError('INVALID_PARAMS', 'message.parts must not be empty text alone', {
      violations: [{ path: 'message.parts', message: 'must not be empty text alone' }],
    });
  }
  const message: TaskMessage = { messageId: read.messageId, role: 'user', parts };
  if (read.metadata) message.metadata = read.metadata;
  if (read.extensions?.length) message.extensions = read.extensions;
  if (read.referenceTaskIds?.length) message.referenceTaskIds = read.referenceTaskIds;
  return message;
}

interface ReadSend {
  message: ReadMessage & { taskId?: Given<string>; contextId?: Given<string> };
  configuration?: Given<{ historyLength?: Given<number>; acceptedOutputModes?: Given<readonly string[]> }>;
}

export function sendRequest(
  { message: read, configuration }: ReadSend,
  parts: readonly Part[],
  wait: SendRequest['wait'],
  push: PushConfigInput | undefined,
): SendRequest {
  const request: SendRequest = { message: userMessage(read, parts), wait };
  if (read.taskId) request.taskId = read.taskId;
  if (read.contextId) request.contextId = read.contextId;
  if (typeof configuration?.historyLength === 'number') request.historyLength = configuration.historyLength;
  if (configuration?.acceptedOutputModes?.length) request.acceptedOutputModes = configuration.acceptedOutputModes;
  if (push) request.push = push;
  return request;
}

const saysSomething = (part: Part): boolean => part.kind !== 'text' || part.text !== '';

/** Adds a part's metadata, file name and media type. Empty values are omitted, as in ProtoJSON. */
export function describedPart(
  part: Part,
  filename: Given<string>,
  mediaType: Given<string>,
  metadata: Given<Metadata>,
): Part {
  if (filename) part.filename = filename;
  if (mediaType) part.mediaType = mediaType;
  if (metadata) part.metadata = metadata;
  return part;
}

interface ReadPush {
  id?: Given<string>;
  url: string;
  token?: Given<string>;
}

export function pushInput(
  read: ReadPush,
  authentication: PushConfigInput['authentication'],
  version: A2AVersion,
): PushConfigInput {
  const config: PushConfigInput = { url: read.url, version };
  if (read.id) config.id = read.id;
  if (read.token) config.token = read.token;
  if (authentication !== undefined) config.authentication = authentication;
  return config;
}

export function authenticationOf(
  schemes: readonly string[],
  credentials: Given<string>,
): NonNullable<PushConfigInput['authentication']> {
  return credentials ? { schemes, credentials } : { schemes };
}

/*
 * The request fields that all dialects share, as zod schemas built once, with messages that say what was expected. An
 * optional field may be null, because clients in languages without `undefined` write it so.
 */

/** Maximum lengths in characters, except for `items`, which is a count. */
export const longest = {
  messageId: 256,
  id: 128,
  url: 2048,
  token: 1024,
  credentials: 4096,
  scheme: 64,
  filename: 256,
  mediaType: 256,
  items: 100,
} as const;

const maxViolations = 20;
const maxPath = 200;

/**
 * Parses `params`. Throws INVALID_PARAMS (-32602), whose message names the first violation and whose `violations` list
 * all.
 */
export function readParams<T>(schema: z.ZodType<T>, params: unknown): T {
  if (!isObject(params)) throw new RpcError('INVALID_PARAMS', 'params must be an object');
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues
    .slice(0, maxViolations)
    .map(({ path, message }) => ({ path: path.map(String).join('.').slice(0, maxPath), message }));
  const [first = { path: 'params', message: 'are not valid' }] = violations;
  throw new RpcError('INVALID_PARAMS', `${first.path} ${first.message}`, { violations });
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Replaces zod's messages, which depend on the input and are less specific. */
export const must = (what: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? `is required (${what})` : `must be ${what}`),
});

/** Text that can be stored and transmitted: no NUL, no lone surrogate. */
const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
const storableMessage = 'must be well-formed Unicode without NUL';

/** The recursion is bounded, because the body parser bounds the depth. */
function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return storable(value);
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every(isStorableJson);
  return Object.entries(value).every(([key, inner]) => storable(key) && isStorableJson(inner));
}

/** The length is bounded only by that of the body. */
export const textField = z.string(must('a string')).refine(storable, storableMessage);
/** May be empty, which is the same as absent. */
export const shortText = (max: number) =>
  textField.refine((t) => t.length <= max, `must be at most ${max} characters long`);
export const nameField = (max: number) => shortText(max).refine((t) => t !== '', 'must not be empty');

export const idField = nameField(longest.id).refine(isSegment, notASegment);
/** Empty is the same as absent. */
export const optionalId = shortText(longest.id).refine(isSegment, notASegment).nullish();
export const messageId = nameField(longest.messageId);
export const url = nameField(longest.url).refine((u) => parseUrl(u) !== null, 'must be an absolute URL');
export const flag = z.boolean(must('true or false'));
/** An int32, as in A2A's own definitions. */
export const countField = (min: number, max = 2_147_483_647) => {
  const wanted =
    max === 2_147_483_647 ? `must be ${min} or more, as a 32-bit integer` : `must be from ${min} to ${max}`;
  return z.int(must('an integer')).min(min, wanted).max(max, wanted);
};
export const historyLength = countField(0);

/** Kept by reference, not copied. */
export const metadataField = z.custom<Metadata>(isObject, must('an object')).refine(isStorableJson, storableMessage);
export const jsonField = z.unknown().refine(isStorableJson, storableMessage);
export const jsonTree = z
  .custom<object>((value) => typeof value === 'object' && value !== null, must('an object'))
  .refine(isStorableJson, storableMessage);

export const strings = (item: z.ZodString, what: string) => listOf(item, { max: longest.items }, must(what));
export const partsField = <T extends z.ZodType>(part: T) =>
  listOf(
    part,
    {
      min: 1,
      tooFew: 'must have at least one part',
      max: longest.items,
      tooMany: `must have at most ${longest.items} parts`,
    },
    must('an array'),
  );
export const uris = strings(nameField(longest.url), 'an array of URIs');
export const ids = strings(idField, 'an array of ids');
export const mediaTypes = strings(nameField(longest.mediaType), 'an array of media types');

/** What messages of all dialects have besides their parts and ids. */
export const messageFields = {
  messageId,
  metadata: metadataField.nullish(),
  extensions: uris.nullish(),
  referenceTaskIds: ids.nullish(),
};

/** RFC 4648, section 4; padding is optional. */
export const base64Field = z.string(must('a string')).refine(isBase64, 'must be base64');
/** ProtoJSON also allows the URL-safe alphabet. */
export const anyBase64 = z.string(must('a string')).refine(isAnyBase64, 'must be base64');
/** Normalises base64 to the standard alphabet with padding. */
export const canonicalBase64 = (s: string): string =>
  isPaddedBase64(s) ? s : Buffer.from(s, 'base64').toString('base64');

/** Restricted to the characters of ids, because it becomes part of store keys. */
export const configId = z
  .string(must('a string'))
  .regex(/^[A-Za-z0-9._:-]*$/, 'must consist of letters, digits, . _ : and -')
  .max(longest.id, `must be at most ${longest.id} characters long`)
  .refine(isSegment, notASegment);
/** Text that an HTTP header transmits unchanged: visible ASCII, with spaces only inside. */
const headerText = (max: number) =>
  z
    .string(must('a string'))
    .regex(/^([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?$/, 'must be visible ASCII characters, as it is sent in a header')
    .max(max, `must be at most ${max} characters long`);
export const token = headerText(longest.token);
export const credentials = headerText(longest.credentials);
/** RFC 9110, 11.1. */
export const scheme = z
  .string(must('a string'))
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of an HTTP authentication scheme')
  .max(longest.scheme, `must be at most ${longest.scheme} characters long`);

/*
 * Checks the media types of a message and of its answer; both refusals are CONTENT_TYPE_NOT_SUPPORTED (-32005).
 *
 * Input: which parts of a message an agent can process. Every other part is refused in every version, instead of
 * passing on its file name: an agent that never saw the content must not answer as if it had. The conformance kits
 * agree: that of 1.0 sends a file of an unknown type and expects -32005 (CORE-SEND-003); that of 0.3 accepts -32005 and
 * looks for "content", "type" and "incompatible" in its message; neither sends files to an agent that lists text only.
 *
 * Output: whether the agent can answer in a media type that the client accepts (A2A 1.0, 3.2.2).
 */

/**
 * Accepts text parts with a text media type (or none), data parts with a JSON media type (or none), files that contain
 * valid UTF-8 with a text or JSON media type, and other files with their content, of which the agent takes those that
 * its model reads (run/conversation.ts). Throws CONTENT_TYPE_NOT_SUPPORTED that names the first other part.
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
