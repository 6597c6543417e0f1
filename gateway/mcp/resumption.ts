/**
 * Streams of calls that are cut, and resumed by a GET with Last-Event-ID (2025-11-25, Streamable HTTP). Later revisions
 * have tasks instead.
 *
 * Invariants
 *  McpResumption.E1 Nothing is kept of a stream. The id of an event says which call it belongs to, which run that
 *     follows and how far its client was told; it is signed, and good for the credential and the endpoint of the call.
 *     So any process resumes the stream, after a restart, too, and no other caller does.
 *  McpResumption.E2 A resumed stream begins nothing and answers nothing. It follows the run from there: what the client
 *     was told is not told again, nor a question asked twice, and the call's result is the run as it is then.
 *  - A stream has an id as soon as its run is stored, in an event without data. Clients of earlier revisions do not
 *    know such events: theirs can be resumed from the first progress or question on.
 */
import { HivekeepError, invalid } from '../../src/domain/shared/errors.js';
import type { JsonRpcMessage } from '../../src/mcp/event-stream.js';
import type { Caller } from '../../src/service.js';
import type { Position } from '../../src/store/port.js';
import type { Cursors } from '../http/paging.js';
import type { GatewayRequest } from '../http/prototypes.js';
import type { SseFrame } from '../streams/port.js';

/** What a call follows, and how far its client was told. */
export interface Followed {
  agent: string;
  run: string;
  /** The call reports the events of the run after `seq` that are no older than this. */
  since: string;
  seq: number;
  /** The question that the client was asked last. */
  question: string | null;
  /** Until when the call waits, ms. */
  until: number;
}

/** A call of a tool that is to go on. */
export interface CutCall {
  /** The call with its own id, without its arguments. */
  body: object;
  followed: Followed;
}

interface At {
  caller: Caller;
  agent: string | null;
}
type Called = readonly [tool: string, id: unknown, progressToken: unknown];

const bindingOf = ({ caller, agent }: At): string =>
  JSON.stringify(['mcp event', caller.workspace, caller.credentialId, agent]);

/** Longer ids would be refused as headers; a client that names its calls so long goes without. */
const longestId = 2000;

const idOf = ([tool, id, token]: Called, to: Followed, cursors: Cursors, at: At): string | undefined => {
  const { agent, run, since, seq, question, until } = to;
  const position = [tool, id, token ?? null, agent, run, since, seq, question, until] as Position;
  const signed = cursors.sign(position, bindingOf(at));
  return signed.length > longestId ? undefined : signed;
};

/**
 * The call that the request resumes. Throws METHOD_NOT_ALLOWED without Last-Event-ID, since there is no stream but
 * those of calls, and VALIDATION_ERROR for an id that is none, or another caller's.
 */
export function cutCallOf({ headers }: GatewayRequest, cursors: Cursors, at: At): CutCall {
  const { 'last-event-id': last, 'mcp-protocol-version': version } = headers;
  if (typeof last !== 'string' || last === '' || (typeof version === 'string' && version > newest))
    throw new HivekeepError('METHOD_NOT_ALLOWED', 'GET resumes the stream of a call, by Last-Event-ID: use POST', {
      details: { allow: 'POST' },
    });
  let position: Position;
  try {
    position = cursors.read(last, bindingOf(at));
  } catch {
    throw invalid({ path: 'Last-Event-ID', message: 'must be the id of an event that this caller got here' });
  }
  const [tool, id, progressToken, agent, run, since, seq, question, until] = position as unknown as [
    ...Called,
    string,
    string,
    string,
    number,
    string | null,
    number,
  ];
  const params = { name: tool, arguments: {}, ...(progressToken !== null && { _meta: { progressToken } }) };
  return {
    body: { jsonrpc: '2.0', id, method: 'tools/call', params },
    followed: { agent, run, since, seq, question, until },
  };
}

const newest = '2025-11-25';

/** A note within the gateway, which comes with the messages of a call and goes no further: what it follows. */
const followedNote = 'notifications/hivekeep/followed';
export const noteOf = (followed: Followed): { method: string; params: Record<string, unknown> } => ({
  method: followedNote,
  params: { ...followed },
});

/** The frames of the messages that answer a request. Those of a call have ids from its first note on. */
export function numbered(
  body: object,
  version: string | string[] | undefined,
  cursors: Cursors,
  at: At,
): (message: JsonRpcMessage) => SseFrame | null {
  const { id: call, params } = body as {
    id?: unknown;
    params?: { name?: unknown; _meta?: { progressToken?: unknown } };
  };
  const name = params?.name;
  const called: Called = [typeof name === 'string' ? name : '', call, params?._meta?.progressToken];
  let followed: Followed | null = null;
  return (message) => {
    const { method } = message;
    if (method === followedNote) {
      if (typeof version === 'string' && version > newest) return null;
      followed = message['params'] as Followed;
      const id = idOf(called, followed, cursors, at);
      return version === newest && id !== undefined ? { id, text: '' } : null;
    }
    if (followed === null || method === undefined) return { data: message };
    if (method === 'notifications/progress')
      followed = { ...followed, seq: (message['params'] as { progress: number }).progress };
    return { id: idOf(called, followed, cursors, at), data: message };
  };
}
