/**
 * The JSON format of messages between processes (src/bus/transport.ts): requests to actors and to the recall of another
 * process, and their answers. Every message is a short array that begins with its kind.
 *
 * A message may come from a process of another version. A message that does not have this format is parsed as null, and
 * the receiver counts and drops it.
 */
import { isCommandMessage, commandMessage } from '../../src/commands/command.js';
import { changes } from '../../src/commands/index.js';
import { type ErrorCode, errorCodes, HivekeepError } from '../../src/domain/shared/errors.js';
import { ReplayedAnswer } from '../../src/commands/idempotency.js';
import { outageOf } from '../entities/outages.js';
import type { Address } from '../runtime/port.js';

/**
 * A request. The sender assigns `id`, and keeps it when it resends the request. `sentAt` is the sender's wall-clock
 * time, for statistics only, and `leftMs` how much longer the sender will wait: a duration, because clocks differ.
 */
export interface AskMessage {
  kind: 'ask';
  id: number;
  address: Address;
  message: unknown;
  sentAt: number;
  leftMs: number;
  /** What the receiver's monotonic clock showed when it made the latest answer that the sender has. */
  receiverAt?: number | undefined;
  /** The same, but only if the request names itself and has not been sent before (IdempotencyKey.sentAfter). */
  sentAfter?: number | undefined;
}
/** A search of the memory spaces that the receiver has indexed, valid as long as it holds these shards. */
export interface SearchMessage {
  kind: 'search';
  id: number;
  shards: readonly number[];
  query: unknown;
}
export type Answer =
  | { kind: 'ok'; id: number; value: unknown; answeredAt?: number | undefined }
  | { kind: 'error'; id: number; error: HivekeepError }
  | { kind: 'elsewhere'; id: number }
  /** The receiver cannot tell that the request is not too old; from `answeredAt` it will be able to. */
  | { kind: 'late'; id: number; answeredAt: number };
export type WireMessage = AskMessage | SearchMessage | Answer;

/** A command goes by its name, and its call with it. */
export const wireForm = (message: unknown): unknown =>
  isCommandMessage(message)
    ? {
        type: message.type,
        command: message.command.name,
        caller: message.caller,
        target: message.target,
        input: message.input,
        idempotencyKey: message.idempotencyKey,
        storageExceeded: message.storageExceeded,
        audit: message.audit,
        trace: message.trace,
      }
    : message;

/** Null for a command that this process does not know. */
function readRequest(request: object): object | null {
  if (!isCommandMessage(request)) return request;
  const { caller, target, input, idempotencyKey, storageExceeded, audit } = request;
  const known = changes.get(request.command as unknown as string);
  if (!known) return null;
  const message = commandMessage(known, caller, target, input, idempotencyKey, storageExceeded, audit);
  return request.trace === undefined ? message : { ...message, trace: request.trace };
}

export const askWire = (m: Omit<AskMessage, 'kind'>): unknown => [
  'q',
  m.id,
  m.address.workspace,
  m.address.kind,
  m.address.id,
  wireForm(m.message),
  m.sentAt,
  m.leftMs,
  m.sentAfter ?? null,
  m.receiverAt ?? null,
];
export const searchWire = (m: Omit<SearchMessage, 'kind'>): unknown => ['s', m.id, m.shards, m.query];
export const notOwnerWire = (id: number): unknown => ['n', id];
export const lateWire = (id: number, answeredAt: number): unknown => ['l', id, answeredAt];
/** `answeredAt`: what the monotonic clock of this process shows. */
export const okWire = (id: number, value: unknown, answeredAt?: number): unknown => [
  ...(value instanceof ReplayedAnswer ? ['r', id, value.result ?? null] : ['a', id, value ?? null]),
  ...(answeredAt === undefined ? [] : [answeredAt]),
];
export const errorWire = (id: number, error: unknown): unknown => {
  const e =
    outageOf(error) ??
    (error instanceof HivekeepError ? error : new HivekeepError('INTERNAL_ERROR', 'the command failed'));
  return ['e', id, e.code, e.message, e.details, e.retryAfter ?? null];
};

const kinds: ReadonlySet<unknown> = new Set(['agent', 'hive', 'workspace']);
const codes: ReadonlySet<unknown> = new Set<ErrorCode>(errorCodes);
const isShards = (v: unknown): v is number[] => Array.isArray(v) && v.every((n) => Number.isInteger(n));

export function readWire(message: unknown): WireMessage | null {
  if (!Array.isArray(message)) return null;
  const [kind, id, a, b, c, d, e, f, g, h] = message as unknown[];
  if (typeof id !== 'number') return null;
  switch (kind) {
    case 'q': {
      if (
        typeof a !== 'string' ||
        !kinds.has(b) ||
        typeof c !== 'string' ||
        typeof d !== 'object' ||
        d === null ||
        typeof e !== 'number' ||
        typeof f !== 'number'
      )
        return null;
      const request = readRequest(d);
      if (!request) return null;
      return {
        kind: 'ask',
        id,
        address: { workspace: a, kind: b as Address['kind'], id: c },
        message: request,
        sentAt: e,
        leftMs: f,
        ...(typeof g === 'number' && { sentAfter: g }),
        ...(typeof h === 'number' && { receiverAt: h }),
      };
    }
    case 's':
      return isShards(a) && typeof b === 'object' && b !== null ? { kind: 'search', id, shards: a, query: b } : null;
    case 'a':
      return { kind: 'ok', id, value: a, ...(typeof b === 'number' && { answeredAt: b }) };
    case 'r':
      return { kind: 'ok', id, value: new ReplayedAnswer(a), ...(typeof b === 'number' && { answeredAt: b }) };
    case 'n':
      return { kind: 'elsewhere', id };
    case 'l':
      return typeof a === 'number' ? { kind: 'late', id, answeredAt: a } : null;
    case 'e':
      return codes.has(a) && typeof b === 'string' && typeof c === 'object' && c !== null
        ? {
            kind: 'error',
            id,
            error: new HivekeepError(a as ErrorCode, b, {
              details: c as Record<string, unknown>,
              ...(typeof d === 'number' && { retryAfter: d }),
            }),
          }
        : null;
    default:
      return null;
  }
}
