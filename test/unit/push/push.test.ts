import { expect } from 'chai';
import { errors } from 'undici';
import { allowlist } from '../../../src/push/addresses.js';
import { pushFailure, pushHeaders } from '../../../src/push/attempt.js';
import { createGuard, Unresolved } from '../../../src/push/guard.js';
import { Pools } from '../../../src/push/pools.js';
import { PushError } from '../../../src/push/port.js';
import { connectionsDuring, pushTo, refusal, world } from './kit.js';
import { turn } from '../../helpers/turn.js';

const never = new AbortController().signal;
const config = { id: 'c', url: 'https://hooks.example.com/', version: '0.3' } as const;

describe('push: the guard', () => {
  it('UrlGuard.G1 allows what is on the allowlist, for its port alone where one is named, and credentials never', async () => {
    const { push, dns } = world({
      allow: ['hooks.internal', 'LOCALHOST:9000', '127.0.0.1:80', '::1', '[fd00::1]:8443', 'Bücher.example:8080'],
    });
    for (const host of ['hooks.internal', 'localhost', 'xn--bcher-kva.example']) dns.set(host, ['10.0.0.7']);
    for (const url of [
      'http://hooks.internal/',
      'https://hooks.internal:8443/',
      'http://HOOKS.internal.:1234/x',
      'http://localhost:9000/',
      'http://127.0.0.1/',
      'http://0x7f.1:80/',
      'http://[::1]:5/',
      'https://[0:0::1]/',
      'http://[fd00::1]:8443/',
      'http://bücher.example:8080/',
    ]) {
      expect(await refusal(push.check({ url })), url).to.equal('let through');
    }
    for (const url of [
      'http://a.hooks.internal/',
      'http://localhost/',
      'http://localhost:9001/',
      'http://127.0.0.1:8080/',
      'http://127.0.0.2/',
      'http://[fd00::1]/',
      'http://[fd00::2]:8443/',
      'http://user:pass@hooks.internal/',
      'http://@hooks.internal/',
      'ftp://hooks.internal/',
      'http:/hooks.internal/',
      'https://bücher.example/',
    ]) {
      expect(await refusal(push.check({ url })), url).to.match(/^VALIDATION_ERROR/);
    }
  });

  it('UrlGuard.G1 an allowed address does not allow a name that leads to it', async () => {
    const { push, dns } = world({ allow: ['127.0.0.1'] });
    dns.set('hooks.example.com', ['127.0.0.1']);
    expect(await refusal(push.check({ url: 'https://hooks.example.com/' }))).to.equal(
      'VALIDATION_ERROR url: must resolve to public addresses only',
    );
  });

  it('UrlGuard.G1 an empty list allows nothing', () => {
    const allowed = allowlist([]);
    for (const host of ['', 'localhost', '[::1]', '127.0.0.1']) expect(allowed(host, 443)).to.equal(false);
  });

  it('asks DNS at every call, and once for calls that meet', async () => {
    let asked = 0;
    let answer: (found: { address: string; family: number }[]) => void = () => undefined;
    const guard = createGuard({
      allow: [],
      resolve: () => {
        asked++;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    const target = guard.read('https://hooks.example.com/');
    const together = [guard.addresses(target), guard.addresses(target)];
    expect(asked).to.equal(1);
    answer([{ address: '8.8.8.8', family: 4 }]);
    expect(await Promise.all(together)).to.deep.equal([
      [{ address: '8.8.8.8', family: 4 }],
      [{ address: '8.8.8.8', family: 4 }],
    ]);
    const later = guard.addresses(target);
    expect(asked).to.equal(2);
    answer([{ address: '10.0.0.1', family: 4 }]);
    expect(((await later.catch((e: unknown) => e)) as Error).name).to.equal('RefusedUrl');
  });

  it('gives addresses out in one order, each once, IPv4 first and not too many', async () => {
    const found = ['2606:4700::2', '8.8.8.8', '1.1.1.1', '2606:4700::1', '8.8.8.8'];
    const guard = createGuard({
      allow: [],
      resolve: async () => [
        ...found.map((address) => ({ address, family: 0 })),
        ...Array.from({ length: 50 }, (_, i) => ({ address: `2606:4700::f${i}`, family: 6 })),
      ],
    });
    const addresses = await guard.addresses(guard.read('https://hooks.example.com/'));
    expect(addresses.slice(0, 4).map((a) => [a.address, a.family])).to.deep.equal([
      ['1.1.1.1', 4],
      ['8.8.8.8', 4],
      ['2606:4700::1', 6],
      ['2606:4700::2', 6],
    ]);
    expect(addresses).to.have.length(8);
  });

  it('accepts a name that does not resolve at registration; at delivery it is tried again', async () => {
    const { push, dns } = world();
    dns.set('empty.example.com', []);
    for (const host of ['gone.example.com', 'empty.example.com']) {
      await push.check({ url: `https://${host}/` });
      expect(await refusal(push.deliver(pushTo(`https://${host}/`), never))).to.equal(
        'retry: the host does not resolve',
      );
    }
  });

  it('a name server that never answers costs no more than the time limit, at registration and at delivery', async () => {
    const { push, timers } = world({ resolve: () => new Promise(() => undefined) });
    const checked = push.check({ url: 'https://slow.example.com/' });
    const sent = refusal(push.deliver(pushTo('https://slow.example.com/'), never));
    await turn();
    expect(timers.map((t) => t.ms)).to.deep.equal([10_000, 10_000]);
    for (const timer of [...timers]) timer.fire();
    await checked;
    expect(await sent).to.equal('retry: no answer within 10 s');
    expect(timers, 'timers left').to.have.length(0);
  });

  it('a push that is given up rejects at once, before and while it waits', async () => {
    const { push, timers } = world({ resolve: () => new Promise(() => undefined) });
    const stop = new AbortController();
    const sent = refusal(push.deliver(pushTo('https://slow.example.com/'), stop.signal));
    await turn();
    stop.abort();
    expect(await sent).to.equal('retry: stopped before there was an answer');
    expect(await refusal(push.deliver(pushTo('https://slow.example.com/'), stop.signal))).to.equal(
      'retry: stopped before there was an answer',
    );
    expect(timers).to.have.length(0);
  });
});

describe('push: headers', () => {
  it('carry token and authentication as the config has them (docs/api.md 5.5)', () => {
    expect(
      pushHeaders(
        { ...config, token: 'tok', authentication: { schemes: ['Bearer', 'Basic'], credentials: 'abc' } },
        'ua',
      ),
    ).to.deep.equal({ 'user-agent': 'ua', 'x-a2a-notification-token': 'tok', authorization: 'Bearer abc' });
    expect(pushHeaders(config, 'ua')).to.deep.equal({ 'user-agent': 'ua' });
    expect(pushHeaders({ ...config, token: '', authentication: { schemes: ['Bearer'] } }, 'ua')).to.deep.equal({
      'user-agent': 'ua',
    });
    expect(pushHeaders({ ...config, authentication: { schemes: [], credentials: 'abc' } }, 'ua')).to.deep.equal({
      'user-agent': 'ua',
    });
  });

  const bad = ['a\r\nX-Injected: 1', 'a\nb', '\r', 'a\0b', 'snow\u2603', 'del\x7f', '\u010a', 'a\u000bb'];
  for (const value of bad) {
    it(`never carry ${JSON.stringify(value)}`, async () => {
      const { push, dns, asked } = world();
      dns.set('hooks.example.com', ['93.184.216.34']);
      const authentications = [
        { schemes: [value], credentials: 'x' },
        { schemes: ['Bearer'], credentials: value },
      ];
      const connected = await connectionsDuring(async () => {
        expect(await refusal(push.deliver(pushTo(config.url, { token: value }), never))).to.equal(
          'final: the token of the push config cannot be sent in a header',
        );
        for (const authentication of authentications)
          expect(await refusal(push.deliver(pushTo(config.url, { authentication }), never))).to.match(
            /^final: the (authentication scheme|credentials) of the push config cannot be sent in a header$/,
          );
      });
      expect([...connected, ...asked]).to.deep.equal([]);
    });
  }

  it('a scheme is one word', () => {
    for (const scheme of ['', 'Bearer x', 'a:b', 'a,b'])
      expect(
        () => pushHeaders({ ...config, authentication: { schemes: [scheme], credentials: 'x' } }, 'ua'),
        scheme,
      ).to.throw(PushError);
  });
});

describe('push: failures in words', () => {
  const coded = (code: string, message = 'secret detail 10.1.2.3'): Error =>
    Object.assign(new Error(message), { code });
  it('name no address and nothing of the error, and keep it as the cause', () => {
    const causes = [
      coded('ECONNREFUSED'),
      coded('UND_ERR_SOCKET'),
      coded('EWHATEVER'),
      new errors.HTTPParserError('secret detail'),
      coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
      new Error('secret detail'),
      new AggregateError([coded('ENETUNREACH')], 'secret detail'),
      new Unresolved('the host does not resolve'),
    ];
    const told = causes.map((cause) => {
      const failure = pushFailure(cause);
      expect(failure.cause).to.equal(cause);
      expect(failure.final).to.equal(false);
      return failure.message;
    });
    expect(told).to.deep.equal([
      'the connection was refused',
      'the connection was closed before there was an answer',
      'the push failed (EWHATEVER)',
      'the answer is not HTTP',
      'no trusted TLS connection (DEPTH_ZERO_SELF_SIGNED_CERT)',
      'the push failed',
      'the network is unreachable',
      'the host does not resolve',
    ]);
  });
});

describe('push: pools', () => {
  const one = [{ address: '8.8.8.8', family: 4 as const }];
  const two = [{ address: '1.1.1.1', family: 4 as const }];

  it('a connection comes back only to its own origin and addresses, one push at a time, and only when it is usable', () => {
    const pools = new Pools({ connectTimeoutMs: 1000, maxPools: 8 });
    const first = pools.take('https://a.example', one);
    const second = pools.take('https://a.example', one);
    expect(second.client).not.to.equal(first.client);
    first.done(true);
    first.done(false); // once
    expect(pools.take('https://a.example', two).client).not.to.equal(first.client);
    expect(pools.take('https://b.example', one).client).not.to.equal(first.client);
    expect(pools.take('https://a.example', one).client).to.equal(first.client);
    second.done(false);
    expect(second.client.destroyed).to.equal(true);
    expect([first.client, second.client]).not.to.include(pools.take('https://a.example', one).client);
  });

  it('beyond the bound, pools used longest ago are dropped, those in use only afterwards', async () => {
    const pools = new Pools({ connectTimeoutMs: 1000, maxPools: 2 });
    const busy = pools.take('https://a.example', one);
    const idle = pools.take('https://b.example', one);
    idle.done(true);
    const third = pools.take('https://c.example', one);
    expect({ size: pools.size, busy: busy.client.destroyed, idle: idle.client.destroyed }).to.deep.equal({
      size: 2,
      busy: false,
      idle: true,
    });
    pools.take('https://d.example', one);
    expect(pools.size, 'all are in use').to.equal(3);
    third.done(true);
    busy.done(true);
    pools.take('https://d.example', one);
    expect({ size: pools.size, busy: busy.client.destroyed }).to.deep.equal({ size: 2, busy: true });
    await pools.close();
    expect({ size: pools.size, third: third.client.destroyed }).to.deep.equal({ size: 0, third: true });
  });
});
