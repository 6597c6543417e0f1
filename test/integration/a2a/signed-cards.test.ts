/** Signed agent cards at the gateway (CardSignature): verified with the official client and with jose. */
import { type AgentCard, canonicalizeAgentCard, generateAgentCardSignature, verifyAgentCardSignature } from 'a2a-sdk-1';
import { expect } from 'chai';
import { createLocalJWKSet, exportJWK, flattenedVerify, type JSONWebKeySet } from 'jose';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { canonical, createCardSigner, type AgentCardSignature } from '../../../src/a2a/card-signature.js';
import { signedCard } from '../../../src/peers/signed-card.js';
import { strictCard } from '../../../src/a2a/card.js';
import { fixtures } from '../../helpers/fake-service.js';
import { startGateway, type TestGateway } from '../../helpers/gateway.js';
import { rpc } from './kit.js';

type Card = Record<string, unknown> & { signatures?: AgentCardSignature[] };

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const publicUrl = 'https://keep.example';
const agentUrl = '/api/v1/a2a/agents/agent_1';
const wellKnown = `${agentUrl}/.well-known/agent-card.json`;
const v1 = { 'A2A-Version': '1.0' };

describe('Signed agent cards', () => {
  const gateways: TestGateway[] = [];
  const started = async (keys: KeyObject[] = []): Promise<TestGateway> => {
    const [first, ...others] = keys;
    const gateway = await startGateway(
      first ? { config: { publicUrl }, options: { cardSigner: await createCardSigner([first, ...others]) } } : {},
    );
    gateways.push(gateway);
    return gateway;
  };
  afterEach(async () => {
    await Promise.all(gateways.splice(0).map(({ stop }) => stop()));
  });
  // the client tells there of each signature that it refuses
  const { debug } = console;
  before(() => {
    Object.assign(console, { debug: () => undefined });
  });
  after(() => {
    Object.assign(console, { debug });
  });
  const cardAt = async ({ ask }: TestGateway, path = wellKnown, headers = {}): Promise<Card> =>
    JSON.parse((await ask('GET', path, undefined, headers)).text) as Card;
  const keySetOf = async ({ url }: TestGateway): Promise<JSONWebKeySet> =>
    (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
  /** With the official client; throws unless a signature is good. */
  const verify = async (card: Card, { keys }: JSONWebKeySet): Promise<void> => {
    const verifier = verifyAgentCardSignature((kid) => {
      const key = keys.find((each) => each.kid === kid);
      return key ? Promise.resolve(key) : Promise.reject(new Error(`no key ${kid}`));
    });
    await verifier(card as unknown as AgentCard);
  };
  const refused = (verifying: Promise<void>): Promise<string> =>
    verifying.then(
      () => 'verified',
      () => 'refused',
    );

  it('are verified by the official client, for readers of 0.3 and of 1.0, and over JSON-RPC', async () => {
    const gateway = await started([newKey()]);
    const keys = await keySetOf(gateway);
    expect(keys.keys[0]).to.include({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }).and.not.have.property('d');
    const { result } = (await rpc(gateway, 'GetExtendedAgentCard', {}, { headers: v1 })).body as { result: Card };
    const served = [await cardAt(gateway), await cardAt(gateway, `${agentUrl}/card`, v1), result];
    for (const card of served) {
      await verify(card, keys);
      expect(await refused(verify({ ...card, name: 'Eve' }, keys))).to.equal('refused');
      const { supportedInterfaces } = card as { supportedInterfaces: { url: string }[] };
      const elsewhere = { ...card, supportedInterfaces: [{ ...supportedInterfaces[0], url: 'https://evil.example' }] };
      expect(await refused(verify(elsewhere, keys))).to.equal('refused');
      expect(await refused(verify(card, await keySetOf(await started([newKey()]))))).to.equal('refused');
    }
  });

  it('are verified by an agent here that asks such a peer, as are those that the official client signs', async () => {
    const gateway = await started([newKey()]);
    const { keys } = await keySetOf(gateway);
    for (const card of [await cardAt(gateway), await cardAt(gateway, wellKnown, v1)]) {
      const read = await signedCard(card, keys);
      expect(read).to.have.property('card').that.deep.includes({ name: card['name'] }).and.not.have.property('url');
      expect(await signedCard({ ...card, name: 'Eve' }, keys)).to.have.property('why');
    }
    const key = newKey();
    const head = { alg: 'ES256', kid: 'k', typ: 'JOSE' };
    const superset = { ...(await cardAt(gateway)), signatures: [] } as unknown as AgentCard;
    const card = await generateAgentCardSignature(key, head)(superset);
    const jwk = { ...(await exportJWK(createPublicKey(key))), kid: 'k' };
    expect(await signedCard(JSON.parse(JSON.stringify(card)), [jwk])).to.have.property('card');
    expect(await signedCard(JSON.parse(JSON.stringify(card)), keys)).to.have.property('why');
  });

  it('are what RFC 7515 and 8785 say, to an implementation that knows no agent cards', async () => {
    const gateway = await started([newKey()]);
    const { signatures = [], ...card } = await cardAt(gateway, wellKnown, v1);
    const payload = Buffer.from(canonical(card)).toString('base64url');
    const keys = createLocalJWKSet(await keySetOf(gateway));
    const { protectedHeader } = await flattenedVerify({ ...signatures[0]!, payload }, keys);
    expect(protectedHeader).to.include({ alg: 'ES256', typ: 'JOSE', jku: `${publicUrl}/.well-known/jwks.json` });
  });

  it('have the canonical form that the official client has, whatever the agent is called', () => {
    for (const name of ['Ada', 'Zoë "q" \\', '\u2028𝄞\u0007', '</script>']) {
      const card = strictCard({ ...fixtures.agent, name, description: name }, 'https://x.example/a');
      expect(canonical(card)).to.equal(canonicalizeAgentCard(card as unknown as AgentCard));
    }
  });

  it('are good before and after a change of keys', async () => {
    const [old, next] = [newKey(), newKey()];
    const before = await started([old, next]);
    const after = await started([next, old]);
    const [early, late] = [await cardAt(before), await cardAt(after)];
    for (const gateway of [before, after])
      for (const card of [early, late]) await verify(card, await keySetOf(gateway));
    expect(early.signatures?.[0]?.protected).to.not.equal(late.signatures?.[0]?.protected);
  });

  it('keep a client’s copy current, though each signature is another, until the key is another', async () => {
    const [old, next] = [newKey(), newKey()];
    const gateway = await started([old]);
    const tag = String((await gateway.ask('GET', wellKnown)).headers.get('etag'));
    expect(tag).to.match(/^W\//);
    const again = async ({ ask }: TestGateway): Promise<number> =>
      (await ask('GET', wellKnown, undefined, { 'if-none-match': tag })).status;
    expect([await again(gateway), await again(await started([next]))]).to.deep.equal([304, 200]);
  });

  it('are only made where the operator has set a key, and never for readers of 0.2', async () => {
    const [plain, signing] = [await started(), await started([newKey()])];
    expect(await cardAt(plain)).to.not.have.property('signatures');
    expect((await fetch(`${plain.url}/.well-known/jwks.json`)).status).to.equal(404);
    expect(await cardAt(signing, `${agentUrl}/card`)).to.not.have.property('signatures');
  });

  it('are not made where their URL would follow the Host of the request', async () => {
    const gateway = await startGateway({ options: { cardSigner: await createCardSigner([newKey()]) } });
    gateways.push(gateway);
    expect(await cardAt(gateway)).to.not.have.property('signatures');
    expect((await rpc(gateway, 'GetExtendedAgentCard', {}, { headers: v1 })).body).to.not.have.nested.property(
      'result.signatures',
    );
  });
});
