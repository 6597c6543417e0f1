import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../../packages/client/src/client.js';
import { signatureHeaders } from '../../../src/push/signature.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"type":"usage.alert","data":{"percent":80,"café":"☕"}}';
/** The client goes by this clock; the reference has only the real one. */
const now = 1_800_000_000_000;
const signed = (by = secret, at = now, of = body): Record<string, string> => signatureHeaders([by], 'out_1', at, of);
const refusal = (headers: Record<string, string>, of = body): Promise<unknown> =>
  verifyWebhook(of, headers, secret, { now }).then(
    () => null,
    (error: Error) => error.name,
  );

describe('signed webhooks', () => {
  it('are taken by the reference implementation of Standard Webhooks', () => {
    expect(new Webhook(secret).verify(body, signed(secret, Date.now()))).to.deep.equal(JSON.parse(body));
    expect(() => new Webhook(secret).verify(body.replace('80', '81'), signed(secret, Date.now()))).to.throw();
  });

  it('are verified by the client, which takes what the reference signs', async () => {
    expect(await verifyWebhook(body, signed(), secret, { now })).to.deep.equal(JSON.parse(body));
    expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(signed()), secret, { now })).to.deep.equal(
      JSON.parse(body),
    );
    const theirs = new Webhook(secret).sign('msg_1', new Date(now), body);
    const headers = {
      'Webhook-Id': 'msg_1',
      'Webhook-Timestamp': String(Math.floor(now / 1000)),
      'Webhook-Signature': `v1a,x v1,%%% ${theirs}`,
    };
    expect(await verifyWebhook(body, headers, secret, { now })).to.deep.equal(JSON.parse(body));
    const both = signatureHeaders([`whsec_${'AAAA'.repeat(8)}`, secret], 'out_1', now, body);
    expect(await verifyWebhook(body, both, secret, { now }), 'after a rotation').to.be.an('object');
    expect(await verifyWebhook(body, signed(secret, now - 100_000), secret, { now })).to.be.an('object');
  });

  for (const empty of ['', 'whsec_', 'whsec_%%%'])
    it(`are refused by the secret ${JSON.stringify(empty)}, by which anybody can sign`, async () => {
      const forged = await verifyWebhook(body, signed(), empty, { now }).catch((error: Error) => error);
      expect(forged).to.be.an('error').with.property('message', 'the secret is empty, or not base64');
    });

  it('are refused where anything of them is wrong', async () => {
    const { 'webhook-id': _, ...anonymous } = signed();
    for (const headers of [
      signed(`whsec_${'AAAA'.repeat(8)}`),
      signed(secret, now - 400_000),
      signed(secret, now + 400_000),
      { ...signed(), 'webhook-id': 'out_2' },
      { ...signed(), 'webhook-timestamp': 'soon' },
      { ...signed(), 'webhook-signature': '' },
      anonymous,
    ])
      expect(await refusal(headers), JSON.stringify(headers)).to.equal('HivekeepError');
    expect(await refusal(signed(), body.replace('80', '81'))).to.equal('HivekeepError');
  });
});
