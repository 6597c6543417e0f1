/**
 * Pushes of agents elsewhere: where a peer is told to push to, and how what comes is known to be from whom was told.
 *
 *  PeerPushes.H1 What is pushed is never read. It says that there may be news of one call, whose task is then read where
 *     it is (PeerCalls.C3).
 *  PeerPushes.H2 Each call has an address and a secret of its own. The secret is a MAC of the address, by a key that
 *     never leaves the service, so that nothing is stored for it, any process knows it, and a restart keeps it. It is
 *     compared in constant time, and good for as long as the call may last.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EntityRef } from '../store/port.js';
import type { Keyring } from '../secrets/keyring.js';

/** Below the address of the service. */
export const peerPushPath = '/a2a/pushes';

/** Whom a push is for. */
export interface PushedCall {
  agent: EntityRef<'agent'>;
  /** The id of the call. */
  call: string;
}

/** Where a peer pushes to, and the token that it sends along. */
export interface PeerPushTarget {
  url: string;
  token: string;
}

const purpose = 'pushes of peers';
/** Clocks of processes may differ, and the last push comes when the task has ended. */
const toleranceMs = 120_000;
/** What is longer is none of this service. */
const longest = 1024;

function tokenOf(keyring: Keyring, ref: string, key: string): string | null {
  const secret = keyring.derive(purpose, key);
  return secret && `${key}.${createHmac('sha256', secret).update(ref).digest('base64url')}`;
}

/** Where the peer of this call pushes to. `until`: when nobody waits for it any more, ms. */
export function peerPushTarget(
  { keyring, publicUrl }: { keyring: Keyring; publicUrl: string },
  { agent, call }: PushedCall,
  until: number,
): PeerPushTarget {
  const ref = Buffer.from(JSON.stringify([agent.workspace, agent.id, call, until])).toString('base64url');
  return { url: `${publicUrl}${peerPushPath}/${ref}`, token: tokenOf(keyring, ref, keyring.id) ?? '' };
}

/** Whom the push is for; null for one that nobody was told to send, or that comes too late. */
export function readPeerPush(keyring: Keyring, ref: string, token: string, now: number): PushedCall | null {
  if (ref.length > longest || token.length > longest) return null;
  const expected = tokenOf(keyring, ref, token.split('.', 1)[0] ?? '');
  if (expected === null) return null;
  const given = Buffer.from(token);
  const wanted = Buffer.from(expected);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  const [workspace, id, call, until] = JSON.parse(Buffer.from(ref, 'base64url').toString()) as [
    string,
    string,
    string,
    number,
  ];
  return now > until + toleranceMs ? null : { agent: { workspace, kind: 'agent', id }, call };
}
