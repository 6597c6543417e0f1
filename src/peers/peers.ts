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
import { type A2aPeer, notKnown } from '../domain/agent/agent-tools.js';
import { type Backoff, type Clock, backoffMs, waitedUnlessAborted } from '../domain/shared/clock.js';
import { firstBytes } from '../domain/shared/bounded.js';
import type { PeerTask } from '../domain/mailbox/peer-item.js';
import { askedIn } from '../domain/mailbox/peers.js';
import type { Keyring } from '../secrets/keyring.js';
import { most as bounds } from '../mcp/bounds.js';
import type { McpAgentRef } from '../mcp/port.js';
import { outputCheck } from '../output-schema/check.js';
import { timeLimit } from '../push/attempt.js';
import { type OutboundAnswer, type Push, PushError } from '../push/port.js';
import {
  answerFor,
  peerAnswerOf,
  eventsOf,
  hasNotGoneOut,
  NotTaken,
  PeerRefusal,
  refusing,
  resultIn,
} from './answers.js';
import type { PeerCard, PeerEndpoint } from './card.js';
import { createKnownCards } from './known-cards.js';
import type { CallOfPeer, PeerAnswer, Peers } from './port.js';
import { type PeerPushTarget, peerPushTarget } from './pushes.js';
import {
  eventIn,
  history,
  type PeerEvent,
  type PeerMethod,
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
/** Bytes of a description of a peer. */
const mostDescription = 3 * 1024;

/** What comes of a stream, or that something was pushed. */
type PeerNews = IteratorResult<PeerEvent, undefined> | 'pushed';

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
  const times = { ...usual, ...tuning };
  const { cancelMs, unreachedMs, quietMs, quietPushedMs } = times;
  const { cardOf, refusesPushes, noteRefusesPushes } = createKnownCards({ open, clock }, times);

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
      let pushes = publicUrl !== null && !refusesPushes(peer);
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
            if (error.code === pushNotSupported) noteRefusesPushes(peer);
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
      if (event.type === 'message') return peerAnswerOf(event.parts, true);
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
      if (state === 'completed') return peerAnswerOf(made.length > 0 ? made : said.length > 0 ? said : last, true);
      const words = peerAnswerOf(said.length > 0 ? said : made, false).result;
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
        description: firstBytes(says + can, Math.max(mostDescription, Buffer.byteLength(description ?? ''))),
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
