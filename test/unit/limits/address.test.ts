import { expect } from 'chai';
import express from 'express';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import type { TrustFunction } from '../../../gateway/auth/bearer.js';
import { clientAddress, networkOf } from '../../../gateway/limits/connections.js';

function trusting(...proxies: string[]): TrustFunction {
  const app = express();
  app.set('trust proxy', proxies);
  return app.get('trust proxy fn') as TrustFunction;
}

const request = (peer: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  const proxies = trusting('10.0.0.0/8', '2001:db8:ffff::/48');
  const table: [peer: string, forwarded: string | undefined, address: string, why: string][] = [
    ['192.0.2.1', undefined, '192.0.2.1', 'no header'],
    ['192.0.2.1', '198.51.100.7', '192.0.2.1', 'a stranger says what it likes'],
    ['10.0.0.1', undefined, '10.0.0.1', 'a proxy that says nothing'],
    ['10.0.0.1', '198.51.100.7', '198.51.100.7', 'a proxy is believed'],
    ['10.0.0.1', '1.1.1.1, 198.51.100.7', '198.51.100.7', "what stands to the left is the client's invention"],
    ['10.0.0.1', '1.1.1.1, 198.51.100.7, 10.9.9.9', '198.51.100.7', 'two proxies'],
    ['10.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1', 'all are proxies: the farthest'],
    ['10.0.0.1', '1.1.1.1, unknown', '10.0.0.1', 'a proxy that hides its client: the nearest known'],
    ['10.0.0.1', '1.1.1.1, _hidden, 10.2.2.2', '10.2.2.2', 'the same, one further'],
    ['10.0.0.1', '', '10.0.0.1', 'empty'],
    ['10.0.0.1', '198.51.100.7:4711', '198.51.100.7', 'with a port'],
    ['10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7', 'IPv6 with a port'],
    ['10.0.0.1', '[2001:db8::7]', '2001:db8::7', 'IPv6 in brackets'],
    ['::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7', 'a proxy in IPv6 clothes'],
    ['2001:db8:ffff::1', '198.51.100.7', '198.51.100.7', 'an IPv6 proxy'],
  ];
  for (const [peer, forwarded, address, why] of table) {
    it(`${why}: ${peer} with ${forwarded === undefined ? 'nothing' : JSON.stringify(forwarded)} is ${address}`, () =>
      expect(clientAddress(request(peer, forwarded), proxies)).to.equal(address));
  }

  it('trusts nobody by default', () =>
    expect(clientAddress(request('127.0.0.1', '1.1.1.1'), trusting())).to.equal('127.0.0.1'));
  it('is empty for a socket that is gone', () => expect(clientAddress(request(undefined), proxies)).to.equal(''));
});

describe('what shares a limit by address', () => {
  const table: [address: string, network: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', 'unknown'],
    ['localhost', 'unknown'],
    ['999.1.1.1', 'unknown'],
  ];
  for (const [address, network] of table)
    it(`${JSON.stringify(address)}: ${network}`, () => expect(networkOf(address)).to.equal(network));

  it('is one for a whole /64 and another outside of it', () => {
    const parts = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
    const spell = (p: readonly number[]): string => p.map((n) => n.toString(16)).join(':');
    fc.assert(
      fc.property(parts, parts, (p, q) => {
        fc.pre(p[0] !== 0 && q[0] !== 0);
        expect(networkOf(spell([...p.slice(0, 4), ...q.slice(4)]))).to.equal(networkOf(spell(p)));
        const same = p.slice(0, 4).join() === q.slice(0, 4).join();
        expect(networkOf(spell(p)) === networkOf(spell(q))).to.equal(same);
      }),
    );
  });

  it('never fails, whatever a proxy says', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.ipV4(),
          fc.ipV6(),
          fc.tuple(fc.ipV6(), fc.string()).map(([ip, zone]) => `${ip}%${zone}`),
        ),
        (said) => {
          const proxies = trusting('10.0.0.1');
          expect(networkOf(clientAddress(request('10.0.0.1', said), proxies)))
            .to.be.a('string')
            .and.not.equal('');
        },
      ),
    );
  });
});
