/** Builds the neutral request, message and push configuration from the fields that a dialect's reader has parsed. */
import type { Metadata } from '../domain/vocabulary.js';
import type { A2AVersion, Part, PushConfigInput, TaskMessage } from '../domain/task.js';
import type { SendRequest } from './requests.js';
import { RpcError } from './rpc.js';

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
