/**
 * Checks the signatures of cards of agents elsewhere (A2A 1.0, 8.4): a JWS over the card in the canonical form of
 * RFC 8785, by a key that whoever configured the tool trusts.
 *
 *  SignedCard.V1 Only what was signed is read of the card: of a card that has more, such as the fields of 0.3 beside
 *     those of 1.0, the rest is dropped before anything is taken from it.
 *  SignedCard.V2 The keys are those of the tool, or of the address that the tool names. What a signature says of keys
 *     (`jku`, `jwk`, `x5u`) is not followed, and only public keys and algorithms of such keys count.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeProtectedHeader, flattenedVerify, importJWK, type JWK } from 'jose';
import { z } from 'zod';
import { canonical } from '../a2a/card-signature.js';
import { isObject } from '../a2a/message.js';
import { signatureAlgorithms } from '../secrets/signature-algorithms.js';

const most = { signatures: 8, keys: 64 };

const signatures = z.array(z.looseObject({ protected: z.string(), signature: z.string() }));
const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** The keys of a set; null for what is none. */
export function keysIn(given: unknown): JWK[] | null {
  const parsed = keySet.safeParse(given);
  return parsed.success ? parsed.data.keys.slice(0, most.keys) : null;
}

/** The card as one of these keys has signed it, or why it is not taken. */
export async function signedCard(given: unknown, keys: readonly JWK[]): Promise<{ card: object } | { why: string }> {
  const { signatures: claimed, ...card } = isObject(given) ? given : {};
  const parsed = signatures.safeParse(claimed);
  if (!parsed.success || parsed.data.length === 0) return { why: 'its card is not signed' };
  for (const form of [card, formOf1(card)]) {
    await nextTurn();
    const payload = Buffer.from(canonical(form)).toString('base64url');
    for (const { protected: head, signature } of parsed.data.slice(0, most.signatures))
      if (await isSigned({ payload, protected: head, signature }, keys)) return { card: form };
  }
  return { why: 'the signature of its card is of no key that the tool trusts, or the card was changed' };
}

async function isSigned(
  jws: { payload: string; protected: string; signature: string },
  keys: readonly JWK[],
): Promise<boolean> {
  let head: { alg?: string; kid?: string };
  try {
    head = decodeProtectedHeader(jws);
  } catch {
    return false;
  }
  const { alg = '', kid } = head;
  if (!signatureAlgorithms.includes(alg)) return false;
  for (const jwk of keys) {
    if (kid !== undefined && jwk.kid !== undefined && jwk.kid !== kid) continue;
    if (jwk.alg !== undefined && jwk.alg !== alg) continue;
    try {
      await flattenedVerify(jws, await importJWK(jwk, alg), { algorithms: [alg] });
      return true;
    } catch {
      // the next one may be its key
    }
  }
  return false;
}

/* The fields of a2a.proto; readers of 1.0 know no others, and leave them out before they verify. */
const fields = [
  'name',
  'description',
  'supportedInterfaces',
  'provider',
  'version',
  'documentationUrl',
  'capabilities',
  'securitySchemes',
  'securityRequirements',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
  'iconUrl',
];
const ofCapabilities = ['streaming', 'pushNotifications', 'extensions', 'extendedAgentCard'];

const only = (names: readonly string[], given: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(given, name) ? [[name, given[name]]] : [])));

/** The card as the official clients of 1.0 sign and verify it: with the fields of 1.0 alone, and without empty ones. */
function formOf1(card: Record<string, unknown>): object {
  const { capabilities, securitySchemes } = card;
  const known = {
    ...only(fields, card),
    ...(isObject(capabilities) && { capabilities: only(ofCapabilities, capabilities) }),
    ...(isObject(securitySchemes) && {
      securitySchemes: Object.fromEntries(
        Object.entries(securitySchemes).map(([name, scheme]) => [
          name,
          isObject(scheme) ? only(schemes, scheme) : scheme,
        ]),
      ),
    }),
  };
  return (withoutEmpty(known) as object | undefined) ?? {};
}
const schemes = [
  'apiKeySecurityScheme',
  'httpAuthSecurityScheme',
  'oauth2SecurityScheme',
  'openIdConnectSecurityScheme',
  'mtlsSecurityScheme',
];

function withoutEmpty(value: unknown): unknown {
  if (value === '' || value === null) return undefined;
  if (Array.isArray(value)) {
    const kept = value.map(withoutEmpty).filter((one) => one !== undefined);
    return kept.length > 0 ? kept : undefined;
  }
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const left = withoutEmpty(one);
    return left === undefined ? [] : [[name, left] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
