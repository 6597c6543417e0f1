/**
 * Agent cards as they are served: with their signature where the operator has set a key and a public URL
 * (a2a/card-signature.ts), and in the version that was asked for.
 */
import { strictCard, type CardAgent } from '../../src/a2a/card.js';
import type { CardSigner } from '../../src/a2a/card-signature.js';
import { readVersion } from '../../src/a2a/codecs.js';
import { RpcError } from '../../src/a2a/rpc.js';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import { a2aVersions, type A2AVersion } from '../../src/domain/task/task.js';
import type { Endpoint, GatewayRequest } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';
import { originFor, requestedVersion, type PublicAddress } from './address.js';

export interface CardSigning extends PublicAddress {
  /** Null: cards are not signed. */
  cardSigner: CardSigner | null;
}

/** The card with its signature, if cards are signed. */
export async function signed(
  req: GatewayRequest,
  deps: CardSigning,
  card: object,
  agent: CardAgent,
  url: string,
): Promise<object> {
  const { cardSigner } = deps;
  if (cardSigner === null || deps.publicUrl === '') return card;
  const signature = await cardSigner.sign(strictCard(agent, url), originFor(req, deps) + keySetPath);
  return { ...card, signatures: [signature] };
}

const keySetPath = '/.well-known/jwks.json';

/** The public keys of signed cards, for everybody. */
export function keySetRoutes({
  cardSigner,
  responder,
}: Pick<CardSigning, 'cardSigner'> & { responder: Responder }): Endpoint[] {
  if (cardSigner === null) return [];
  return [
    {
      method: 'GET',
      path: keySetPath,
      serve(req, res) {
        const headers = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' };
        responder.json(req, res, 200, cardSigner.jwks, headers);
      },
    },
  ];
}

export function versionOf(req: GatewayRequest): A2AVersion {
  try {
    return readVersion(requestedVersion(req));
  } catch (cause) {
    if (!(cause instanceof RpcError)) throw cause;
    throw new HivekeepError('UNSUPPORTED_VERSION', `A2A-Version must be one of ${a2aVersions.join(', ')}`, {
      cause,
      details: { supported: a2aVersions },
    });
  }
}
