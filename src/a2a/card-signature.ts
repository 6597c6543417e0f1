/**
 * Signatures of agent cards (A2A 1.0, 8.4): a JWS (RFC 7515) over the card of 1.0 in the canonical form of RFC 8785,
 * and the set of public keys (RFC 7517) with which they are verified.
 *
 * Invariants
 *  - What is signed is the card of 1.0, also if the card has fields for other versions as well: readers of 1.0 leave
 *    those out before they verify.
 *  - The first key signs. All keys are published, so that cards signed by the one before or after it can be verified.
 */
import { calculateJwkThumbprint, exportJWK, FlattenedSign, type JWK } from 'jose';
import type { KeyObject } from 'node:crypto';

/** A2A 1.0, 4.4.7. */
export interface AgentCardSignature {
  protected: string;
  signature: string;
}

export interface CardSigner {
  /** The key that signs, by its thumbprint (RFC 7638). */
  readonly kid: string;
  readonly jwks: { readonly keys: readonly JWK[] };
  /** `jku`: the URL of the key set. */
  sign(card: object, jku: string): Promise<AgentCardSignature>;
}

const alg = 'ES256';

/** Takes keys on the curve P-256; the first is a private one. */
export async function createCardSigner(keys: readonly [KeyObject, ...KeyObject[]]): Promise<CardSigner> {
  const published = await Promise.all(
    keys.map(async (key) => {
      const { kty, crv, x, y } = await exportJWK(key);
      const jwk = { kty, crv, x, y } as JWK;
      return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg, use: 'sig' };
    }),
  );
  const kid = published[0]?.kid ?? '';
  return {
    kid,
    jwks: { keys: published },
    async sign(card, jku) {
      const jws = await new FlattenedSign(new TextEncoder().encode(canonical(card)))
        .setProtectedHeader({ alg, typ: 'JOSE', kid, jku })
        .sign(keys[0]);
      return { protected: jws.protected ?? '', signature: jws.signature };
    },
  };
}

/**
 * RFC 8785 for what JSON can express: members in the order of their UTF-16 code units, and everything else as
 * JSON.stringify writes it, which the RFC refers to.
 */
export const canonical = (value: object): string =>
  JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
