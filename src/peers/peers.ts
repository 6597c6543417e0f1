/**
 * Calls of agents elsewhere by A2A (Peers.E1 to Peers.E4). The message goes out by a stream where the peer has them, so
 * that its task is known early, else by a request that does not wait. Then the task is followed by the stream as long as
 * that lasts, and asked for with growing pauses.
 *
 *  - Every request passes the guard of src/push; redirects are not followed, and a secret goes to the host of the card.
 *  PeerCalls.C1 Whatever a peer sends, no turn of the event loop is long (McpBounds.B1), and nothing waits beyond the
 *     time limit of the call.
 *  PeerCalls.C2 A message is sent again only if it has surely not been taken: there was no connection, or the peer said
 *     that it takes nothing now (429, 503).
 *  PeerCalls.C3 A push has the task read, and is believed in nothing (PeerPushes.H1). Of pushes that bring nothing new
 *     each has to wait longer for that than the one before, and where none comes the task is asked for all the same.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unlessAborted } from '../base/unless-aborted.js';
import { type A2aPeer, notKnown } from '../domain/agent/agent-tools.js';
import { type Backoff, type Clock, backoffMs, waitedUnlessAborted } from '../domain/shared/clock.js';
import { firstBytes } from '../domain/shared/bounded.js';
import type { PeerTask } from '../domain/mailbox/peer-item.js';
import { askedIn } from '../domain/mailbox/peers.js';
import type { Keyring } from '../secrets/keyring.js';
import { isText } from '../domain/task/task.js';
import { AnswerStream } from '../mcp/answer-stream.js';
import { most as bounds, refuseLarge } from '../mcp/bounds.js';
import type { McpAgentRef } from '../mcp/port.js';
import { outputCheck } from '../output-schema/check.js';
import { type TimeLimit, timeLimit } from '../push/attempt.js';
import { type OutboundAnswer, type Push, PushError } from '../push/port.js';
import { storable } from '../reasoner/chat/storable.js';
import { type PeerEndpoint, type PeerCard, readCard } from './card.js';
import type { CallOfPeer, PeerAnswer, PeerFile, Peers } from './port.js';
import { type PeerPushTarget, peerPushTarget } from './pushes.js';
import {
  eventIn,
  history,
  type PeerEvent,
  type PeerMethod,
  type PeerPart,
  type PeerRequest,
  requestOf,
  peerSendParams,
  tasksIn,
  type TaskView,
  withEvent,
} from './wire.js';

const usual = {
  /** How long a card is taken as it was, and how long it is not asked for after a failure. */
  freshMs: 5 * 60_000,
  failedMs: 15_000,
  cardMs: 10_000,
  cancelMs: 10_000,
  /** How long a peer that cannot be reached is tried. */
  unreachedMs: 30_000,
  /** How long a stream may say nothing before the task is asked for beside it; the same once something was pushed. */
  quietMs: 30_000,
  quietPushedMs: 1000,
};
const callSeconds = 300;
const secondsOf = ({ timeout_seconds: seconds = callSeconds }: A2aPeer): number => seconds;
const polls: Backoff = { firstMs: 250, longestMs: 10_000 };
/** Of a peer that pushes, in case it does not. */
const pollsBesidePushes: Backoff = { firstMs: 250, longestMs: 60_000 };
/** How long a push waits that follows others which have brought nothing new. */
const readsWhenPushed: Backoff = { firstMs: 250, longestMs: 1000 };
const retries: Backoff = { firstMs: 500, longestMs: 8_000 };
const most = {
  cards: 256,
  description: 3 * 1024,
  /** Bytes of a result, and of what is quoted of an error. */
  result: 256 * 1024,
  quoted: 2000,
  files: 20,
};

interface Known {
  card: PeerCard | null;
  etag: string | undefined;
  failure: PushError | null;
  /** It has refused a message that told it where to push to, and took the same message without. */
  refusesPushes: boolean;
  until: number;
  asking: Promise<void> | null;
}

/** What comes of a stream, or that something was pushed. */
type PeerNews = IteratorResult<PeerEvent, undefined> | 'pushed';

/** The message has surely not been taken. */
class NotTaken extends Error {
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
class PeerRefusal extends Error {
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

const inputSchema = (takesAnswers: boolean): object => ({
  type: 'object',
  properties: {
    message: { type: 'string', description: 'Understandable on its own.' },
    ...(takesAnswers && {
      task: { type: 'string', description: 'Only to answer what it has asked: the task that it asked in.' },
    }),
  },
  required: ['message'],
  additionalProperties: false,
});

interface PeersDeps {
  push: Push;
  clock: Clock;
  keyring: Keyring;
  /** Where the service is reached from elsewhere; null: nobody is told where to push to. */
  publicUrl: string | null;
}

export function createPeers({ push, clock, keyring, publicUrl }: PeersDeps, tuning: Partial<typeof usual> = {}): Peers {
  const { freshMs, failedMs, cardMs, cancelMs, unreachedMs, quietMs, quietPushedMs } = { ...usual, ...tuning };
  /** By URL, secret and the keys that have to have signed it; least recently used first. */
  const cards = new Map<string, Known>();

  function knownOf({ card, secret, verify }: A2aPeer): Known {
    const key = JSON.stringify([card, secret, verify]);
    const known = cards.get(key) ?? {
      card: null,
      etag: undefined,
      failure: null,
      refusesPushes: false,
      until: 0,
      asking: null,
    };
    cards.delete(key);
    cards.set(key, known);
    const [oldest] = cards.keys();
    if (cards.size > most.cards && oldest !== undefined) cards.delete(oldest);
    return known;
  }

  async function open(
    agent: McpAgentRef,
    { secret }: Pick<A2aPeer, 'secret'>,
    { url, ...request }: PeerRequest,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> {
    const endTurn = await push.turn(agent.workspace, url, signal);
    let well = false;
    try {
      const sealed = secret?.value !== undefined && { secret: { header: secret.header, value: secret.value } };
      const answer = await push.open(agent.id, { url, ...request, ...sealed, maxBytes: bounds.bytes }, signal);
      well = true;
      return answer;
    } finally {
      endTurn(well);
    }
  }

  async function askForCard(agent: McpAgentRef, peer: A2aPeer, known: Known): Promise<void> {
    const limit = timeLimit(clock, cardMs);
    try {
      const headers = {
        accept: 'application/json',
        // what has been signed is the card of 1.0; its keys may have changed where it has not
        ...(peer.verify ? { 'a2a-version': '1.0' } : known.etag !== undefined && { 'if-none-match': known.etag }),
      };
      const request: PeerRequest = { method: 'GET', url: peer.card, headers };
      const answer = await limit.race(open(agent, peer, request, limit.signal));
      const content = await limit.race(whole(answer.body));
      if (answer.status !== 304 || !known.card) {
        if (answer.status >= 500) throw new PushError(`its card: the server answered ${answer.status}`);
        if (answer.status !== 200) throw new PushError(`its card: the server answered ${answer.status}`, true);
        const card = await verified(agent, peer, await parsed(content), limit);
        known.card = readCard(card, new URL(peer.card), peer.secret !== undefined);
        const { etag } = answer.headers;
        known.etag = typeof etag === 'string' && etag.length <= 256 ? etag : undefined;
      }
      known.failure = null;
      known.until = clock.now() + freshMs;
    } catch (error) {
      known.failure = error instanceof PushError ? error : new PushError('its card could not be read');
      // what no longer has a card that holds is not spoken to by the one before
      if (known.failure.final) known.card = null;
      known.until = clock.now() + failedMs;
    } finally {
      limit.end();
      known.asking = null;
    }
  }

  /** What of the card is signed where the tool says by whom, else all of it. Throws a PushError, final for any other. */
  async function verified(agent: McpAgentRef, peer: A2aPeer, card: unknown, limit: TimeLimit): Promise<unknown> {
    if (!peer.verify) return card;
    // loaded only where cards are verified
    const { keysIn, signedCard } = await import('./signed-card.js');
    const keys = peer.verify.keys ?? keysIn(await keySetAt(agent, peer.verify.jwks ?? '', limit));
    if (!keys) throw new PushError('the keys that its card is to be signed with are no key set (JWKS)');
    const signed = await signedCard(card, keys);
    if ('why' in signed) throw new PushError(signed.why, true);
    return signed.card;
  }

  async function keySetAt(agent: McpAgentRef, url: string, limit: TimeLimit): Promise<unknown> {
    try {
      const request: PeerRequest = { method: 'GET', url, headers: { accept: 'application/json' } };
      const { status, body } = await limit.race(open(agent, {}, request, limit.signal));
      const content = await limit.race(whole(body));
      if (status === 200) return await parsed(content);
      throw new PushError(`the server answered ${status}`);
    } catch (error) {
      const why = error instanceof Error ? error.message : 'they could not be read';
      throw new PushError(`the keys that its card is to be signed with: ${why}`, false, { cause: error });
    }
  }

  /** Throws NotTaken where there is none. */
  async function cardOf(agent: McpAgentRef, peer: A2aPeer, { signal, anew }: { signal: AbortSignal; anew?: boolean }) {
    const known = knownOf(peer);
    if (known.until <= clock.now() || (anew && !known.card)) known.asking ??= askForCard(agent, peer, known);
    // what it said before is good enough
    if (known.asking && !known.card) await unlessAborted(known.asking, signal);
    if (known.card) return known.card;
    throw new NotTaken(known.failure?.message ?? 'its card is not known', known.failure?.final !== true);
  }

  /** What the peer answers to a request that is no stream. Throws PeerRefusal, NotTaken or PushError. */
  async function ask(
    agent: McpAgentRef,
    peer: A2aPeer,
    { method, endpoint, params, id }: { method: PeerMethod; endpoint: PeerEndpoint; params: object; id: string },
    signal: AbortSignal,
  ): Promise<unknown> {
    const answer = await open(agent, peer, requestOf(endpoint, method, params, id), signal);
    return resultIn(await refusing(answer), endpoint);
  }

  async function cancel(agent: McpAgentRef, peer: A2aPeer, at: PeerTask): Promise<void> {
    const limit = timeLimit(clock, cancelMs);
    const params = { id: at.task };
    await limit
      .race(ask(agent, peer, { method: 'cancel', endpoint: at, params, id: `${at.task}.cancel` }, limit.signal))
      .catch(() => undefined);
    limit.end();
  }

  /** One call, within its time limit. */
  async function calling(call: CallOfPeer, signal: AbortSignal, known: { at?: PeerTask }): Promise<PeerAnswer | null> {
    const { agent, item, mayBeSent } = call;
    const { peer, id } = item;
    if (item.at) return follow(item.at, taskIn(item.at));
    if (mayBeSent && peer.keyed !== true) {
      const found = await lookUp();
      if (!found) return { ok: false, result: `the service stopped in the middle of the call; ${notKnown}` };
      return taken(found.at, found.task);
    }
    return send();

    function pushTarget(): PeerPushTarget | undefined {
      if (publicUrl === null) return undefined;
      const until = Date.parse(item.created_at) + secondsOf(peer) * 1000;
      const of = { agent: { ...agent, kind: 'agent' as const }, call: id };
      return peerPushTarget({ keyring, publicUrl }, of, until);
    }

    async function send(): Promise<PeerAnswer | null> {
      const begunAt = clock.now();
      let context = item.answers === undefined ? item.context : undefined;
      let pushes = publicUrl !== null && !knownOf(peer).refusesPushes;
      for (let tries = 1; ; tries++)
        try {
          const card = await cardOf(agent, peer, { signal, anew: tries > 1 });
          pushes &&= card.pushes;
          return await sendBy(card, context, pushes);
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof PeerRefusal && pushes && refusesParams.has(error.code)) {
            // not every peer pushes to any address, whatever its card says
            pushes = false;
            knownOf(peer).refusesPushes = error.code === pushNotSupported;
            continue;
          }
          if (
            error instanceof PeerRefusal &&
            context !== undefined &&
            (error.code === -32602 || error.code === -32001)
          ) {
            // not every peer lets its client name the conversation
            context = undefined;
            continue;
          }
          const again = hasNotGoneOut(error);
          if (!again?.lasts || clock.now() - begunAt > unreachedMs) return answerFor(error, again);
          await waitedUnlessAborted(clock, Math.max(again.afterMs, backoffMs(retries, tries)), signal);
        }
    }

    async function sendBy(card: PeerCard, contextId: string | undefined, pushes: boolean): Promise<PeerAnswer | null> {
      const { endpoint } = card;
      const method = card.streams ? 'stream' : 'send';
      const params = peerSendParams(endpoint, {
        messageId: id,
        text: item.message,
        contextId,
        taskId: item.answers,
        hops: item.hops,
        push: pushes ? pushTarget() : undefined,
      });
      const streaming = new AbortController();
      const both = AbortSignal.any([signal, streaming.signal]);
      try {
        const answer = await open(agent, peer, requestOf(endpoint, method, params, id), both);
        const type = String(answer.headers['content-type'] ?? '');
        if (answer.status === 200 && /^text\/event-stream\b/i.test(type)) {
          const events = eventsOf(answer.body, endpoint);
          const first = await events.next();
          if (first.done) throw new PushError('the connection was closed before there was an answer');
          return await taking(first.value, endpoint, pushes, events);
        }
        const event = eventIn(resultIn(await refusing(answer), endpoint));
        if (!event) throw new PeerRefusal('it answered, but not as A2A has it', null, true);
        return await taking(event, endpoint, pushes);
      } finally {
        streaming.abort();
      }
    }

    async function taking(
      event: PeerEvent,
      endpoint: PeerEndpoint,
      pushes: boolean,
      events?: AsyncGenerator<PeerEvent>,
    ): Promise<PeerAnswer | null> {
      if (event.type === 'message') return answerOf(event.parts, true);
      const task = event.type === 'task' ? event.task.id : event.task;
      if (!isKeepable(task)) throw new PeerRefusal('it names no task that can be kept', null, true);
      const at: PeerTask = { ...endpoint, task, ...(pushes && { pushes: true }) };
      const begins = withEvent(taskIn(at), event);
      // some tell the task first as it was before the message that answers it
      const isAsBefore = item.answers !== undefined && event.type === 'task' && begins.state === 'input-required';
      return taken(at, isAsBefore ? { ...begins, state: 'working' } : begins, events);
    }

    async function taken(at: PeerTask, task: TaskView, events?: AsyncGenerator<PeerEvent>): Promise<PeerAnswer | null> {
      known.at = at;
      if (isSettled(task)) return settled(at, task);
      if (!(await call.begun(at))) {
        await cancel(agent, peer, at);
        return null;
      }
      signal.throwIfAborted();
      return follow(at, task, events);
    }

    async function follow(
      at: PeerTask,
      from: TaskView,
      events?: AsyncGenerator<PeerEvent>,
    ): Promise<PeerAnswer | null> {
      known.at = at;
      let task = from;
      let next = events?.next();
      next?.catch(() => undefined);
      const nextPush = (): Promise<'pushed'> => call.pushed.next().then(() => 'pushed');
      let push = nextPush();
      const broken = (): 'broken' => {
        signal.throwIfAborted();
        return 'broken';
      };
      /** Pushes in a row that have brought nothing new. */
      let idle = 0;
      const pauses = at.pushes ? pollsBesidePushes : polls;
      for (let tries = from.state === 'unknown' ? 1 : 2; ;) {
        let isPushed = false;
        if (next) {
          let came = await within<PeerNews>(clock, [next, push], quietMs, signal).catch(broken);
          if (came === 'pushed') {
            isPushed = true;
            push = nextPush();
            // the stream says the same, unless its connection is dead
            came = await within<PeerNews>(clock, [next], quietPushedMs, signal).catch(broken);
          }
          if (came !== 'quiet' && came !== 'pushed') {
            const event = came === 'broken' || came.done ? null : came.value;
            next = event ? events?.next() : undefined;
            next?.catch(() => undefined);
            if (event) task = withEvent(task, event);
            if (event && !isSettled(task)) continue;
          }
        } else if (tries > 1) {
          const pause = backoffMs(pauses, tries - 1);
          isPushed = (await within(clock, [push], pause, signal)) === 'pushed';
          if (isPushed && idle > 0) await waitedUnlessAborted(clock, backoffMs(readsWhenPushed, idle), signal);
          if (isPushed) push = nextPush();
          // what it says may be there a moment later than its push
          if (isPushed && idle === 0) tries = 1;
        }
        if (isSettled(task)) return settled(at, task);
        tries++;
        const params = { id: at.task, historyLength: history };
        try {
          const event = eventIn(
            await ask(agent, peer, { method: 'get', endpoint: at, params, id: `${id}.${tries}` }, signal),
          );
          idle = isPushed && event?.type === 'task' && event.task.state === task.state ? idle + 1 : 0;
          if (event?.type === 'task') task = event.task;
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof PeerRefusal && !error.unclear)
            return { ok: false, result: `${error.message} (its task ${at.task})` };
          if (error instanceof PushError && error.final) return { ok: false, result: error.message };
        }
        if (isSettled(task)) return settled(at, task);
      }
    }

    /** The task that the message has begun, where the peer lists its tasks and shows their messages. */
    async function lookUp(): Promise<{ at: PeerTask; task: TaskView } | null> {
      try {
        const { endpoint } = await cardOf(agent, peer, { signal });
        if (endpoint.version !== '1.0' || item.answers !== undefined) return null;
        const params = { contextId: item.context, pageSize: 50, historyLength: 50 };
        const listed = tasksIn(await ask(agent, peer, { method: 'list', endpoint, params, id: `${id}.list` }, signal));
        const found = listed.find(({ sent }) => sent.includes(id));
        if (!found || !isKeepable(found.task.id)) return null;
        // what a list leaves out of a task is read with it
        const task = isSettled(found.task) ? { ...found.task, state: 'unknown' } : found.task;
        return { at: { ...endpoint, task: found.task.id }, task };
      } catch {
        signal.throwIfAborted();
        return null;
      }
    }

    async function settled(at: PeerTask, task: TaskView): Promise<PeerAnswer> {
      const { artifacts, state, said, last } = task;
      const made = artifacts.flatMap(({ parts }) => parts);
      if (state === 'completed') return answerOf(made.length > 0 ? made : said.length > 0 ? said : last, true);
      const words = answerOf(said.length > 0 ? said : made, false).result;
      const told = words === '' ? '' : `: ${words}`;
      if (state === 'input-required' && peer.accept_questions !== false)
        return { ok: true, result: `${askedIn(at.task)}${words}\n(Answer by calling it again with this task.)` };
      if (state === 'input-required') {
        await cancel(agent, peer, at);
        return { ok: false, result: `it asks something, which is not answered here${told}` };
      }
      const became: Readonly<Record<string, string>> = {
        'auth-required': `it asks for an authorization that it has to be given elsewhere (auth-required, its task ${at.task})`,
        rejected: 'it rejected the task',
        failed: 'its task failed',
        canceled: 'its task was cancelled',
      };
      return { ok: false, result: `${became[state] ?? `its task is ${state}`}${told}` };
    }
  }

  return {
    async offer(agent, peer, signal) {
      const { name, allow, description, accept_questions: takesAnswers = true } = peer;
      const schema = inputSchema(takesAnswers) as { type: 'object' };
      let card: PeerCard | null = null;
      let problem: string | null = null;
      try {
        card = await cardOf(agent, peer, { signal });
      } catch (error) {
        signal.throwIfAborted();
        problem = error instanceof NotTaken ? error.why : 'its card could not be read';
      }
      const skills = card?.skills.filter(({ id }) => allow?.includes(id) ?? true) ?? [];
      const says = description ?? (card ? `Another agent. It says of itself: ${card.description}` : 'Another agent.');
      const can = skills.length === 0 ? '' : ` Its skills: ${skills.map(({ text }) => text).join('; ')}`;
      const tool = {
        name,
        description: firstBytes(says + can, Math.max(most.description, Buffer.byteLength(description ?? ''))),
        inputSchema: schema,
        check: await outputCheck(schema),
        claims: {},
      };
      return { tool, problem };
    },
    async call(call, signal) {
      const { item, agent } = call;
      const seconds = secondsOf(item.peer);
      const leftMs = Date.parse(item.created_at) + seconds * 1000 - clock.now();
      const limit = timeLimit(clock, Math.max(0, Math.min(leftMs, seconds * 1000)), signal);
      const known: { at?: PeerTask } = {};
      try {
        return await limit.race(calling(call, limit.signal, known));
      } catch (error) {
        signal.throwIfAborted();
        if (!limit.signal.aborted) throw error;
        const { at } = known;
        if (at) await cancel(agent, item.peer, at);
        const left = at ? `its task ${at.task} was asked to stop` : notKnown;
        return { ok: false, result: `no answer within ${seconds} s; ${left}` };
      } finally {
        limit.end();
      }
    },
    cancel,
  };
}

/** Codes by which a peer refuses what a message asks for: of JSON-RPC, and the status of HTTP+JSON. */
const refusesParams: ReadonlySet<number | null> = new Set([-32003, -32602, 400]);
const pushNotSupported = -32003;

const isKeepable = (task: string): boolean => /^[\x21-\x7e]{1,512}$/.test(task);

const working: ReadonlySet<string> = new Set(['submitted', 'working', 'unknown', 'unspecified']);
const isSettled = ({ state }: TaskView): boolean => !working.has(state);

const taskIn = ({ task: id }: PeerTask): TaskView => ({ id, state: 'unknown', said: [], artifacts: [], last: [] });

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
function hasNotGoneOut(error: unknown): NotTaken | null {
  if (error instanceof NotTaken) return error;
  if (!(error instanceof PushError)) return null;
  if (error.final) return new NotTaken(error.message, false);
  const { cause } = error;
  const codes = cause instanceof AggregateError ? cause.errors : [cause];
  const never = codes.every((one) => unconnected.has((one as { code?: unknown } | undefined)?.code));
  return never || (cause instanceof Error && cause.name === 'Unresolved') ? new NotTaken(error.message, true) : null;
}

function answerFor(error: unknown, notTaken: NotTaken | null): PeerAnswer {
  if (notTaken) return { ok: false, result: notTaken.why };
  if (error instanceof PeerRefusal)
    return { ok: false, result: error.unclear ? `${error.message}; ${notKnown}` : error.message };
  return { ok: false, result: `${error instanceof PushError ? error.message : 'the call failed'}; ${notKnown}` };
}

async function whole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Undefined if it is no JSON. Throws a PushError beyond the bounds. */
async function parsed(content: Buffer): Promise<unknown> {
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
async function refusing({ status, headers, body }: OutboundAnswer): Promise<unknown> {
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
function resultIn(content: unknown, { binding }: PeerEndpoint): unknown {
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
async function* eventsOf(body: AsyncIterable<Uint8Array>, endpoint: PeerEndpoint): AsyncGenerator<PeerEvent> {
  for await (const { message } of new AnswerStream().messagesOf(body)) {
    const event = eventIn(resultIn(message, endpoint));
    if (event) yield event;
  }
}

/** What the parts say, as text; files that are none go beside it. */
function answerOf(parts: readonly PeerPart[], ok: boolean): PeerAnswer {
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

/** What the first of these comes to, or that none does for so long. */
async function within<T>(
  clock: Clock,
  work: readonly Promise<T>[],
  ms: number,
  signal: AbortSignal,
): Promise<T | 'quiet'> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  try {
    return await Promise.race([...work, waitedUnlessAborted(clock, ms, either).then(() => 'quiet' as const)]);
  } finally {
    over.abort();
  }
}
