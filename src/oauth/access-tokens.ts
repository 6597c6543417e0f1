/**
 * Checks the access tokens of an authorization server that the operator trusts: JWTs (RFC 9068, and what common servers
 * issue in its place).
 *
 *  - A token is taken only if a key of the issuer has signed it with one of `signatureAlgorithms`, it names the issuer, the
 *    audience or an address below it, a subject, and the times of its issue and of its end, and that end is at most
 *    `toleranceSeconds` ago. What is no such token is null, whatever is wrong with it. A grant ends when its token would
 *    be refused.
 *  - Keys come from the address that the operator has named, or from the one in the issuer's metadata if that is on
 *    the issuer's own origin; redirects are not followed. They are read again after ten minutes, and at most every 30 s
 *    for a key that is not among them, as after a rotation. While the issuer does not answer, those that are known go
 *    on for an hour from when they were read.
 *  - Where the keys cannot be had, the error is UNAVAILABLE: the token may be good.
 *  - A token for the address of an agent's endpoint opens this agent alone. What the operator says of agents narrows
 *    that further, and never widens it.
 */
import { createHash } from 'node:crypto';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Clock } from '../domain/shared/clock.js';
import { unavailable } from '../domain/shared/errors.js';
import { scopes, type Scope } from '../domain/shared/vocabulary.js';
import { signatureAlgorithms } from '../secrets/signature-algorithms.js';
import type { Logger } from '../telemetry/logger-port.js';

/** What a token grants, once it has been checked. */
export interface AccessGrant {
  workspace: string;
  /** The same for all tokens of one subject. */
  credentialId: string;
  /** The subject. */
  name: string;
  scopes: readonly Scope[];
  /** Null is the whole workspace. */
  agents: ReadonlySet<string> | null;
  ownTasks: boolean;
  issued_at: string;
  expires_at: string;
}

export interface AccessTokens {
  verify(token: string): Promise<AccessGrant | null>;
}

export interface TrustedIssuer {
  issuer: string;
  /** Null: the issuer's metadata says where its keys are. */
  jwksUrl: string | null;
  audience: string;
  scopeClaim: string;
  /** An id, or `claim:<name>`. */
  workspace: string;
  /** `all`, ids separated by commas, or `claim:<name>`. */
  agents: string;
  ownTasks: boolean;
}

const toleranceSeconds = 30;
const timeoutMs = 5000;
/** Anybody can send what looks like a token, so an outage of the issuer is one line in this time. */
const quietMs = 10_000;

/** What an ID token or a logout token says that it is must not be `JWT` or `at+jwt`; many servers say nothing. */
const kinds: ReadonlySet<string | undefined> = new Set([undefined, 'JWT', 'jwt', 'at+jwt', 'application/at+jwt']);

export function createAccessTokens(
  trusted: TrustedIssuer,
  { clock, log }: { clock: Pick<Clock, 'now'>; log: Pick<Logger, 'warn'> },
): AccessTokens {
  let quietUntil = -Infinity;
  const warned = (err: unknown): void => {
    if (clock.now() < quietUntil) return;
    quietUntil = clock.now() + quietMs;
    log.warn({ event: 'oauth.keys_unavailable', err, issuer: trusted.issuer }, 'the keys of the issuer cannot be read');
  };
  const keysOfIssuer = knownKeys(trusted, clock, warned);
  return {
    async verify(token) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keysOfIssuer, {
          issuer: trusted.issuer,
          algorithms: [...signatureAlgorithms],
          requiredClaims: ['sub', 'aud', 'iat', 'exp'],
          clockTolerance: toleranceSeconds,
          currentDate: new Date(clock.now()),
        });
        return kinds.has(protectedHeader.typ) ? grantOf(payload, trusted) : null;
      } catch (err) {
        if (err instanceof errors.JOSEError && !isOfTheServer(err)) return null;
        warned(err);
        throw unavailable('access tokens cannot be checked now: the keys of their issuer cannot be read', {
          cause: err,
        });
      }
    },
  };
}

/** How long keys are used before they are read again, and while that fails; the pause between two tries. */
const freshMs = 10 * 60_000;
const knownMs = 60 * 60_000;
const againMs = 30_000;

/** The keys of the issuer, as they were read last. `failed` hears of it when they could not be read again. */
function knownKeys(
  trusted: TrustedIssuer,
  clock: Pick<Clock, 'now'>,
  failed: (error: unknown) => void,
): JWTVerifyGetKey {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  let reading: Promise<void> | undefined;
  let readAt = -Infinity;
  let triedAt = -Infinity;
  const read = async (): Promise<void> => {
    keys ??= createRemoteJWKSet(new URL(trusted.jwksUrl ?? (await jwksUrlOf(trusted.issuer))), {
      timeoutDuration: timeoutMs,
      cacheMaxAge: Infinity,
    });
    await keys.reload();
    readAt = clock.now();
  };
  return async (...asked) => {
    const age = clock.now() - readAt;
    const mayBeUsed = age < knownMs;
    if (!mayBeUsed || (age >= freshMs && clock.now() - triedAt >= againMs)) {
      triedAt = clock.now();
      reading ??= read().finally(() => {
        reading = undefined;
      });
      await reading.catch((error: unknown) => {
        if (!mayBeUsed) throw error;
        failed(error);
      });
    }
    if (!keys) throw new Error('the keys of the issuer were not read');
    return keys(...asked);
  };
}

/** jose has no class of its own for an answer that is no key set, or has an unexpected status. */
const isOfTheServer = ({ code }: errors.JOSEError): boolean =>
  code === 'ERR_JWKS_TIMEOUT' || code === 'ERR_JWKS_INVALID' || code === 'ERR_JOSE_GENERIC';

const metadataOf = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** OpenID Connect Discovery 1.0, and RFC 8414, which puts the path of an issuer behind the well-known one. */
async function jwksUrlOf(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const failures: unknown[] = [];
  for (const address of [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ])
    try {
      const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
      if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
      const said = metadataOf.parse(await answer.json());
      if (said.issuer !== issuer) throw new Error(`${address} is the metadata of another issuer`);
      if (new URL(said.jwks_uri).origin !== origin)
        throw new Error(`${address} names keys on another origin: HIVEKEEP_OAUTH_JWKS_URL has to name them`);
      return said.jwks_uri;
    } catch (error) {
      failures.push(error);
    }
  throw new AggregateError(failures, failures.map(String).join('; '));
}

function grantOf(payload: JWTPayload, trusted: TrustedIssuer): AccessGrant | null {
  const { iat = 0, exp = 0 } = payload;
  // jose checks that it is there, and not that it is a text (RFC 7519, 4.1.2)
  const sub: unknown = payload.sub;
  const workspace = claimed(payload, trusted.workspace)[0];
  const agents = agentsOf(payload, trusted);
  if (typeof sub !== 'string' || sub === '' || workspace === undefined || agents?.size === 0) return null;
  const said = new Set(strings(payload[trusted.scopeClaim], /\s+/));
  return {
    workspace,
    credentialId: credentialIdOf(sub),
    name: sub.slice(0, 200).toWellFormed(),
    scopes: scopes.filter((scope) => said.has(scope)),
    agents,
    ownTasks: trusted.ownTasks,
    issued_at: new Date(iat * 1000).toISOString(),
    // what it has opened ends when it would be refused
    expires_at: new Date((exp + toleranceSeconds) * 1000).toISOString(),
  };
}

/** Null is all of them. */
function agentsOf(payload: JWTPayload, { audience, agents }: TrustedIssuer): ReadonlySet<string> | null {
  const base = audience.replace(/\/$/, '');
  const named = strings(payload.aud).map((aud) => aud.replace(/\/$/, ''));
  const addressed = named.some((aud) => aud === base || aud === `${base}/mcp`)
    ? null
    : new Set(
        named.flatMap((aud) =>
          aud.startsWith(base)
            ? (/^\/(?:mcp|api\/v1\/a2a)\/agents\/([\w-]+)$/.exec(aud.slice(base.length))?.[1] ?? [])
            : [],
        ),
      );
  if (agents === 'all') return addressed;
  const allowed = new Set(claimed(payload, agents));
  return addressed === null ? allowed : new Set([...addressed].filter((agent) => allowed.has(agent)));
}

/** The values of `claim:<name>`, or those that are written out. */
function claimed(payload: JWTPayload, setting: string): string[] {
  const claim = /^claim:(.+)$/.exec(setting)?.[1];
  return strings(claim === undefined ? setting : payload[claim], /[\s,]+/);
}

/** A claim of several values is a list, or a text that `separator` divides. */
function strings(value: unknown, separator?: RegExp): string[] {
  const list: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string' && separator
      ? value.split(separator)
      : [value];
  return list.filter((each) => typeof each === 'string' && each !== '') as string[];
}

/** The subject where it can be part of an id, so that the audit trail is readable, else its hash, which is longer. */
const credentialIdOf = (subject: string): string =>
  `oauth_${/^[\w-]{1,64}$/.test(subject) ? subject : `sha256_${createHash('sha256').update(subject).digest('hex')}`}`;
