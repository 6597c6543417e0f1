/**
 * Cards of agents elsewhere, as they were read last. A card is asked for again after a while, by its ETag, and what it
 * said before is good enough until its new form has come. Where the tool says who has to have signed it, no other is taken
 * (SignedCard.V1).
 */
import { unlessAborted } from '../base/unless-aborted.js';
import type { A2aPeer } from '../domain/agent/agent-tools.js';
import type { Clock } from '../domain/shared/clock.js';
import type { McpAgentRef } from '../mcp/port.js';
import { type TimeLimit, timeLimit } from '../push/attempt.js';
import { type OutboundAnswer, PushError } from '../push/port.js';
import { NotTaken, parsed, whole } from './answers.js';
import { type PeerCard, readCard } from './card.js';
import type { PeerRequest } from './wire.js';

/** So many cards are known at a time. */
const mostCards = 256;

interface Known {
  card: PeerCard | null;
  etag: string | undefined;
  failure: PushError | null;
  /** It has refused a message that told it where to push to, and took the same message without. */
  refusesPushes: boolean;
  until: number;
  asking: Promise<void> | null;
}

/** Sends a request as the agent, with the secret of the peer where it has one. */
export type OpenRequest = (
  agent: McpAgentRef,
  peer: Pick<A2aPeer, 'secret'>,
  request: PeerRequest,
  signal: AbortSignal,
) => Promise<OutboundAnswer>;

export interface KnownCards {
  /** Throws NotTaken where there is none. `anew`: it is asked for again, if it could not be read before. */
  cardOf: (agent: McpAgentRef, peer: A2aPeer, how: { signal: AbortSignal; anew?: boolean }) => Promise<PeerCard>;
  refusesPushes: (peer: A2aPeer) => boolean;
  /** The peer has refused a message because of where it should push to. */
  noteRefusesPushes: (peer: A2aPeer) => void;
}

interface CardTimes {
  /** How long a card is taken as it was, and how long it is not asked for after a failure. */
  freshMs: number;
  failedMs: number;
  cardMs: number;
}

export function createKnownCards(
  { open, clock }: { open: OpenRequest; clock: Clock },
  { freshMs, failedMs, cardMs }: CardTimes,
): KnownCards {
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
    if (cards.size > mostCards && oldest !== undefined) cards.delete(oldest);
    return known;
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

  return {
    cardOf,
    refusesPushes: (peer) => knownOf(peer).refusesPushes,
    noteRefusesPushes: (peer) => {
      knownOf(peer).refusesPushes = true;
    },
  };
}
