/**
 * Names whose address changes between the check and the connection, against a real receiver on the loopback address
 * that counts who comes. The port of that receiver is opened in the guard, so that the address alone decides.
 */
import { expect } from 'chai';
import { connectionsDuring, pushTo, refusal } from '../../unit/push/kit.js';
import { testTls } from '../gateway/tls-fixture.js';
import { receive, sender, type Receiver } from './receiver.js';

const never = new AbortController().signal;
type Found = { address: string; family: number }[];
const at = (...addresses: string[]): Found =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('push: rebinding', () => {
  let there: Receiver;
  beforeEach(async () => {
    there = await receive((_request, response) => {
      response.end();
    }, true);
  });
  afterEach(() => there.close());

  const privates: [string, Found][] = [
    ['loopback', at('127.0.0.1')],
    ['IPv6 loopback', at('::1')],
    ['a mapped address', at('::ffff:127.0.0.1')],
    ['metadata', at('169.254.169.254')],
    ['loopback behind a public address', at('93.184.216.34', '127.0.0.1')],
    ['loopback before a public address', at('127.0.0.1', '93.184.216.34')],
  ];
  for (const [name, later] of privates) {
    it(`public at registration and ${name} at delivery: nothing is connected to`, async () => {
      let answer = at('93.184.216.34');
      const { push } = sender({ allow: [], ca: testTls.cert, resolve: async () => answer });
      const url = `https://rebind.example.com:${there.port}/`;
      await push.check({ url });
      answer = later;
      const connected = await connectionsDuring(async () => {
        expect(await refusal(push.deliver(pushTo(url), never))).to.equal(
          'final: the URL must resolve to public addresses only',
        );
      });
      expect({ connected, arrived: there.connections }).to.deep.equal({ connected: [], arrived: 0 });
      await push.close();
    });
  }

  it('a name that changes with every answer is connected to where its own try was checked, and is never asked a second time', async () => {
    const answers = [at('93.184.216.34'), at('127.0.0.1'), at('127.0.0.1')];
    let asked = 0;
    const { push } = sender({
      allow: [],
      ca: testTls.cert,
      timeoutMs: 150,
      resolve: async () => answers[asked++]!,
    });
    const url = `https://localhost.example.com:${there.port}/`;
    // the first answer is public (and leads nowhere from here); a second look-up for the connection would find the
    // receiver
    expect(await refusal(push.deliver(pushTo(url), never))).to.match(/^retry: /);
    expect({ asked, arrived: there.connections }).to.deep.equal({ asked: 1, arrived: 0 });
    expect(await refusal(push.deliver(pushTo(url), never))).to.match(/^final: /);
    expect({ asked, arrived: there.connections }).to.deep.equal({ asked: 2, arrived: 0 });
    await push.close();
  });

  it('an open connection to an address is not used once the name has another', async () => {
    const other = await receive((_request, response) => {
      response.end();
    });
    let answer = at('127.0.0.1');
    const { push } = sender({ allow: ['moving.example.com'], timeoutMs: 1000, resolve: async () => answer });
    const url = `http://moving.example.com:${other.port}/`;
    await push.deliver(pushTo(url), never);
    answer = at('127.0.0.2');
    const said = await refusal(push.deliver(pushTo(url), never));
    expect(said, 'nothing listens at the other address').to.equal('retry: the connection was refused');
    expect(other.received).to.have.length(1);
    await push.close();
    await other.close();
  });

  it('the receiver is reached through the same guard where its host is allowed, so the refusals above are not its doing', async () => {
    const { push } = sender({ allow: [`localhost:${there.port}`], ca: testTls.cert });
    await push.deliver(pushTo(`https://localhost:${there.port}/`), never);
    expect(there.received).to.have.length(1);
    await push.close();
  });
});
