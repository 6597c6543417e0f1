/** Bodies that are still arriving: what is kept of them all is bounded (http/body.ts, http/body.ts). */
import { expect } from 'chai';
import { scopes } from '../../../src/domain/shared/vocabulary.js';
import { BodyBudget } from '../../../gateway/http/body.js';
import { keyPrincipal } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type Envelope, type TestGateway } from '../../helpers/gateway.js';
import { RawClient } from './raw-client.js';

const bodyLimit = 4096;
const bodyBudget = 16 * 1024;
const otherKey = 'svc_live_other';
const body = (size: number): string => {
  const text = '{"type":"a","content":""}';
  return text.replace('""', `"${'x'.repeat(size - text.length)}"`);
};
const head = (extra: string, key = rootKey): string =>
  `POST /v1/memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${extra}\r\n\r\n`;

describe('gateway: bodies that are still arriving', () => {
  let gateway: TestGateway;
  let clients: RawClient[];
  const open = (): RawClient => {
    const made = new RawClient(gateway.port);
    clients.push(made);
    return made;
  };
  beforeEach(async () => {
    clients = [];
    gateway = await startGateway({
      credentials: { [otherKey]: { ...keyPrincipal(scopes), workspace: 'another' } },
      config: { bodyLimit, bodyBudget, requestTimeoutMs: 20_000 },
    });
  });
  afterEach(async () => {
    for (const one of clients) one.destroy();
    await gateway.stop();
  });

  /** A sender that has sent all but the last byte. */
  const almost = (key = rootKey): RawClient =>
    open().send(head(`Content-Length: ${bodyLimit}`, key) + body(bodyLimit).slice(0, -1));
  const statusOf = async (client: RawClient): Promise<number> => (await client.answer()).status;

  it('takes as many as there is room for in a workspace, refuses the next with 503, and takes them when the others are done', async () => {
    const waiting = [almost(), almost()];
    await settled();
    const refused = await almost().answer();
    expect(refused.status, refused.body).to.equal(503);
    expect(refused.headers['retry-after']).to.equal('1');
    expect((JSON.parse(refused.body) as Envelope).error).to.include({ code: 'UNAVAILABLE' });
    for (const one of waiting) expect(await statusOf(one.send('}'))).to.equal(201);
    const again = almost();
    await settled();
    expect(await statusOf(again.send('}'))).to.equal(201);
  });

  it('leaves room for another workspace', async () => {
    const mine = [almost(), almost()];
    await settled();
    expect(await statusOf(almost())).to.equal(503);
    const theirs = almost(otherKey);
    await settled();
    expect(await statusOf(theirs.send('}'))).to.equal(201);
    for (const one of mine) expect(await statusOf(one.send('}'))).to.equal(201);
  });

  it('gives the room of a sender that leaves back', async () => {
    const gone = [almost(), almost()];
    await settled();
    for (const one of gone) one.destroy();
    await settled();
    const next = [almost(), almost()];
    await settled();
    for (const one of next) expect(await statusOf(one.send('}'))).to.equal(201);
  });

  it('serves the next request on a connection whose body was refused', async () => {
    const waiting = [almost(), almost()];
    await settled();
    const third = almost();
    expect(await statusOf(third)).to.equal(503);
    for (const one of waiting) expect(await statusOf(one.send('}'))).to.equal(201);
    const small = body(100);
    third.send('}');
    expect(await statusOf(third.send(head(`Content-Length: ${small.length}`) + small))).to.equal(201);
  });

  it('a body in chunks of one byte is put together as it was', async () => {
    const text = body(bodyLimit);
    const chunked = open().send(
      head('Transfer-Encoding: chunked') + text.replaceAll(/[^]/g, (c) => `1\r\n${c}\r\n`) + '0\r\n\r\n',
    );
    expect(await statusOf(chunked)).to.equal(201);
    expect(gateway.calls.at(-1)).to.nested.include({
      'args[1].content': (JSON.parse(text) as { content: string }).content,
    });
  });

  it('never more in all than there is, nor than half for one, and all of it can be had again', () => {
    const budget = new BodyBudget(100);
    expect([
      budget.take('a', 50),
      budget.take('a', 1),
      budget.take('b', 50),
      budget.take('c', 1),
      budget.held,
    ]).to.deep.equal([true, false, true, false, 100]);
    budget.give('a', 20);
    expect([budget.take('c', 21), budget.take('c', 20), budget.held]).to.deep.equal([false, true, 100]);
    budget.give('a', 30);
    budget.give('b', 50);
    budget.give('c', 20);
    expect([budget.held, budget.take('d', 50)]).to.deep.equal([0, true]);
  });

  /** What was written has been read: the gateway has answered something else that was sent after it. */
  async function settled(): Promise<void> {
    for (let i = 0; i < 3; i++) await gateway.ask('GET', '/v1/agents');
  }
});
