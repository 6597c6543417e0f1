/**
 * POST /console/sign-in: redeems the one-time code of the link that a start has shown on its terminal
 * (gateway/main/sign-in-link.ts). docs/security.md has the rules.
 *
 *  SignIn.S1 Without TLS the code is redeemed from a loopback address only, whatever the server is bound to.
 *  SignIn.S2 A page of another origin cannot redeem a code, not even one that it knows, nor under a name of its own
 *     that it has rebound to this machine.
 *  SignIn.S3 Code and key are in bodies only: never in a URL, a header or the log.
 */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import { type BodyBudget, readBody } from '../http/body.js';
import type { Endpoint } from '../http/prototypes.js';
import { isLoopbackOrigin } from '../http/cors.js';
import { parseObject, requireJson, validate } from '../http/json.js';
import type { Responder } from '../http/responder.js';
import type { RedeemCode } from '../options.js';

export interface SignInDeps {
  redeem: RedeemCode | undefined;
  responder: Pick<Responder, 'json'>;
  bodies: BodyBudget;
  addressOf: (req: IncomingMessage) => string;
  https: (req: IncomingMessage) => boolean;
}

const input = z.strictObject({ code: z.string().min(1).max(100) });
/** A code is 22 characters; nothing larger than this can hold one. */
const maxBody = 1024;

export function signInRoute({ redeem, responder, bodies, addressOf, https }: SignInDeps): Endpoint {
  return {
    method: 'POST',
    path: '/console/sign-in',
    async serve(req, res) {
      if (!https(req) && !(isLoopback(req.socket.remoteAddress) && isLoopback(addressOf(req))))
        throw new HivekeepError('HTTPS_REQUIRED', 'without TLS a sign-in link works on this machine only');
      if (!isOwnOrigin(req, https(req)))
        throw new HivekeepError('UNAUTHENTICATED', 'a sign-in link is redeemed by the console itself');
      requireJson(req.headers);
      const { code } = validate(input, parseObject(await readBody(req, res, maxBody, bodies)));
      const signedIn = (await redeem?.(code, addressOf(req))) ?? null;
      if (signedIn === null)
        throw new HivekeepError(
          'UNAUTHENTICATED',
          'this sign-in link has been used, or its minute is over: "hivekeep sign-in" makes another, or paste a key',
        );
      responder.json(req, res, 200, { data: signedIn });
    },
  };
}

function isLoopback(address: string | undefined): boolean {
  return (
    address !== undefined &&
    ipaddr.isValid(address) &&
    ipaddr.process(address.split('%')[0] ?? '').range() === 'loopback'
  );
}

/**
 * Browsers send Origin with every POST; other programs need not. Without TLS the name in it must be one of this very
 * machine: another could have been rebound to it.
 */
function isOwnOrigin({ headers: { origin, host } }: IncomingMessage, https: boolean): boolean {
  if (origin === undefined) return true;
  return origin === `${https ? 'https' : 'http'}://${host ?? ''}` && (https || isLoopbackOrigin(origin));
}
