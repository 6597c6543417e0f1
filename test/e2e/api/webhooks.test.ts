/** Webhooks of a workspace as its program and a receiver meet them (docs/webhooks.md), also through kill -9. */
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../../packages/client/src/client.js';
import { type Delivery, type Receiver, startReceiver } from '../a2a/support/receiver.js';
import { type Json, served, until } from './support/client.js';

let receiver: Receiver;
const { server, api, as, hooks } = served(async () => {
  receiver = await startReceiver();
  return {
    env: {
      HIVEKEEP_PUSH_ALLOW: receiver.host,
      HIVEKEEP_PUSH_TRIES: '3',
      HIVEKEEP_PUSH_RETRY_SECONDS: '0.02',
    },
  };
});
const path = '/v1/webhooks';
const add = (hook: string, events: string[], more: Json = {}): Promise<Json> =>
  api.one('POST', path, { url: receiver.url(hook), events, ...more }, 201);
const spawn = async (name: string, config: Json = {}): Promise<string> =>
  String((await api.one('POST', '/v1/agents/spawn', { name, config }, 201))['id']);
const arrived = (hook: string, count: number): Promise<readonly Delivery[]> =>
  until(
    async () => receiver.taken(hook),
    (taken) => taken.length >= count,
  );
const typesOf = (taken: readonly Delivery[]): unknown[] => taken.map(({ body }) => body['type']);

describe('black box: webhooks', function suite() {
  this.timeout(30_000);
  hooks();
  after(() => receiver.close());

  it('are told what they listen to, in order, each signed as both references and the client have it', async () => {
    const webhook = await add('/all', ['run.completed', 'run.input_required', 'message.received', 'memory.created']);
    const secret = String(webhook['secret']);
    const agent = await spawn('told');
    const quiet = await spawn('quiet');
    const other = await add('/one', ['message.received'], { agent_id: quiet });
    await api.one('POST', `/v1/agents/${agent}/message`, { content: 'remember that the sea is salty' });
    await api.one('POST', `/v1/agent-constellations/${agent}/messages`, { content: 'hello' }, 201);
    const gated = await spawn('gated', { validation_gate: 'answer' });
    await api.one('POST', `/v1/agent-constellations/${gated}/runs`, { input: 'what is the sea?' }, 202);
    await api.one('POST', '/v1/memories', { type: 'semantic', content: 'of nobody' }, 201);
    const taken = await arrived('/all', 5);
    const of = (id: unknown): unknown[] =>
      typesOf(taken.filter(({ body }) => (body['data'] as Json)['agent_id'] === id));
    expect(of(agent)).to.deep.equal(['memory.created', 'run.completed', 'message.received']);
    expect(of(gated)).to.deep.equal(['run.input_required']);
    expect(of(undefined)).to.deep.equal(['memory.created']);
    for (const { headers, body } of taken) {
      expect(body).to.have.keys('id', 'type', 'timestamp', 'data');
      expect(headers['webhook-id']).to.equal(body['id']);
      const text = JSON.stringify(body);
      expect(await verifyWebhook(text, headers, secret)).to.deep.equal(body);
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).to.deep.equal(body);
      expect(JSON.stringify(headers)).to.not.contain(secret);
    }
    await api.one('POST', `/v1/agent-constellations/${quiet}/messages`, { content: 'hello' }, 201);
    expect((await arrived('/one', 1))[0]!.body['data']).to.include({ agent_id: quiet });
    for (const id of [webhook['id'], other['id']]) await api.one('DELETE', `${path}/${String(id)}`);
    await api.one('POST', `/v1/agent-constellations/${quiet}/messages`, { content: 'again' }, 201);
    await api.refused('GET', `${path}/${String(other['id'])}`, undefined, 'NOT_FOUND');
    expect(typesOf(receiver.tries('/one'))).to.deep.equal(['message.received']);
  });

  it('show their secret once; a repeat of the request gets it again, and after a rotation both sign', async () => {
    const body = { url: receiver.url('/rotated'), events: ['agent.created'] };
    const key = { 'idempotency-key': 'rotated' };
    const first = (await api.ask('POST', path, body, key)).body['data'] as Json;
    const again = (await api.ask('POST', path, body, key)).body['data'] as Json;
    expect(again).to.deep.equal(first);
    const one = `${path}/${String(first['id'])}`;
    const { secret: _, ...shown } = first;
    expect(await api.one('GET', one)).to.deep.equal(shown);
    expect((await api.page(path)).data.find(({ id }) => id === first['id'])).to.deep.equal(shown);
    const rotated = await api.one('POST', `${one}/rotate`);
    expect(rotated['secret'])
      .to.match(/^whsec_/)
      .and.not.equal(first['secret']);
    await spawn('new');
    const [{ headers, body: told } = { headers: {}, body: {} }] = await arrived('/rotated', 1);
    for (const secret of [first['secret'], rotated['secret']])
      expect(await verifyWebhook(JSON.stringify(told), headers, String(secret))).to.deep.equal(told);
    await api.one('DELETE', one);
  });

  it('a test is delivered or says why not', async () => {
    const { id } = await add('/tested', ['run.failed']);
    const test = (): Promise<Json> => api.one('POST', `${path}/${String(id)}/test`);
    const once = () => api.ask('POST', `${path}/${String(id)}/test`, {}, { 'idempotency-key': 'tested' });
    const [first, again] = [await once(), await once()];
    expect(first.body['data']).to.include({ delivered: true, reason: null });
    expect([again.headers.get('idempotent-replayed'), again.body]).to.deep.equal(['true', first.body]);
    const told = (await arrived('/tested', 2)).map(({ body }) => body);
    expect(told[0]).to.deep.include({ type: 'webhook.test', data: { webhook_id: id } });
    expect(told[1], 'a receiver knows it again').to.include({ id: told[0]!['id'] });
    receiver.answer('/tested', 503);
    expect(await test()).to.include({ delivered: false, reason: 'the receiver answered 503' });
  });

  it('what is wrong is refused with the field that it is in, and changes nothing', async () => {
    const events = ['run.failed'];
    const refusal = async (body: Json): Promise<unknown> =>
      (await api.refused('POST', path, body, 'VALIDATION_ERROR')).details.issues?.[0]?.path;
    const before = (await api.page(path)).data.length;
    for (const url of ['http://example.com/', 'https://10.0.0.1/', 'https://u:p@example.com/', 'nonsense'])
      expect(await refusal({ url, events }), url).to.equal('url');
    expect(await refusal({ url: 'https://example.com/', events: [] })).to.equal('events');
    expect(await refusal({ url: 'https://example.com/', events: ['run.started'] })).to.equal('events.0');
    await api.refused('POST', path, { url: 'https://example.com/', events, agent_id: 'agent_x' }, 'NOT_FOUND');
    expect((await api.page(path)).data).to.have.length(before);
    const reader = await api.one('POST', '/v1/keys', { name: 'r', mode: 'live', scopes: ['agent:manage'] }, 201);
    await as(String(reader['key'])).refused('GET', path, undefined, 'INSUFFICIENT_SCOPE');
  });

  it('what a receiver does not take is tried again, also by the next process after kill -9, in order', async () => {
    const hook = '/killed';
    const { id, secret } = await add(hook, ['message.received']);
    const agent = await spawn('killed');
    receiver.always(hook, 500);
    const sent: unknown[] = [];
    for (const content of ['one', 'two', 'three'])
      sent.push((await api.one('POST', `/v1/agent-constellations/${agent}/messages`, { content }, 201))['id']);
    const one = (): Promise<Json> => api.one('GET', `${path}/${String(id)}`);
    await until(one, ({ failing }) => failing !== null);
    expect((await one())['failing']).to.include({ reason: 'the receiver answered 500' });
    await server().kill('SIGKILL');
    receiver.always(hook, null);
    await server().restart();
    const taken = await arrived(hook, 3);
    expect(taken.map(({ body }) => (body['data'] as Json)['message_id'])).to.deep.equal(sent);
    expect(new Set(receiver.tries(hook).map(({ body }) => body['id'])).size, 'stable ids').to.equal(3);
    expect(await verifyWebhook(JSON.stringify(taken[0]!.body), taken[0]!.headers, String(secret))).to.be.an('object');
    await until(one, ({ failing }) => failing === null);
    // a webhook that is disabled is told nothing of what waits for it
    receiver.always(hook, 'hang');
    await api.one('POST', `/v1/agent-constellations/${agent}/messages`, { content: 'late' }, 201);
    await until(
      async () => receiver.tries(hook).length,
      (n) => n > 3,
    );
    await api.one('PATCH', `${path}/${String(id)}`, { enabled: false });
    await server().kill('SIGKILL');
    receiver.always(hook, null);
    await server().restart();
    await api.one('PATCH', `${path}/${String(id)}`, { enabled: true });
    await api.one('POST', `/v1/agent-constellations/${agent}/messages`, { content: 'now' }, 201);
    const last = await until(
      async () => receiver.taken(hook),
      (all) => all.length > 3,
    );
    expect(last).to.have.length.within(4, 5);
    await api.one('DELETE', `${path}/${String(id)}`);
  });
});
