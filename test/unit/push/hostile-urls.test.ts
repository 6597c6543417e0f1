import { parseUrl } from '../../../src/domain/shared/text-forms.js';
import { expect } from 'chai';
import { hostileAddresses, hostileUrls } from './hostile-urls.js';
import { connectionsDuring, pushTo, refusal, world } from './kit.js';

const never = new AbortController().signal;

describe('push: hostile URLs (docs/api.md 7.2)', () => {
  it('are at least 120', () => {
    expect(new Set(Object.values(hostileUrls).flat()).size)
      .to.equal(Object.values(hostileUrls).flat().length)
      .and.to.be.at.least(120);
  });

  for (const [kind, urls] of Object.entries(hostileUrls)) {
    for (const url of urls) {
      it(`${kind}: ${JSON.stringify(url)} is refused at registration and at delivery, before anything is looked up`, async () => {
        const { push, asked, dns, logged } = world();
        for (const host of ['hooks.example.com', 'example.com', 'localhost', 'lоcalhost'])
          dns.set(host, ['93.184.216.34']);
        const connected = await connectionsDuring(async () => {
          expect(await refusal(push.check({ url }))).to.match(/^VALIDATION_ERROR url: must /);
          expect(await refusal(push.deliver(pushTo(url), never))).to.match(/^final: the URL must /);
        });
        expect(asked, 'looked up').to.deep.equal([]);
        expect(connected, 'connected').to.deep.equal([]);
        expect(logged.join()).not.to.include(url || 'no URL');
      });
    }
  }

  for (const address of hostileAddresses) {
    it(`a name with the address ${JSON.stringify(address)}, alone or among public ones, is refused`, async () => {
      for (const answer of [[address], ['93.184.216.34', address], [address, '2606:4700::1']]) {
        const { push, dns, asked } = world();
        dns.set('hooks.example.com', answer);
        const connected = await connectionsDuring(async () => {
          expect(await refusal(push.check({ url: 'https://hooks.example.com/x' }))).to.equal(
            'VALIDATION_ERROR url: must resolve to public addresses only',
          );
          expect(await refusal(push.deliver(pushTo('https://hooks.example.com/x'), never))).to.equal(
            'final: the URL must resolve to public addresses only',
          );
        });
        expect({ asked, connected }).to.deep.equal({
          asked: ['hooks.example.com', 'hooks.example.com'],
          connected: [],
        });
      }
    });
  }

  it('digits of other scripts that the URL standard does not read as digits are a name, and checked as one', async () => {
    const { push, dns, asked } = world();
    const url = 'https://١٢٧.٠.٠.١/';
    if (parseUrl(url) === null) {
      // newer versions of Node refuse such a name themselves
      expect(await refusal(push.check({ url }))).to.equal('VALIDATION_ERROR url: must name a host');
      expect(asked).to.deep.equal([]);
      return;
    }
    await push.check({ url });
    const [host] = asked;
    expect(host).to.match(/^xn--/);
    dns.set(host!, ['127.0.0.1']);
    expect(await refusal(push.check({ url }))).to.equal('VALIDATION_ERROR url: must resolve to public addresses only');
  });

  it('what is public gets through the same guard, so the refusals above are its doing', async () => {
    const fine = [
      'https://hooks.example.com',
      'https://hooks.example.com/',
      'HTTPS://Hooks.Example.COM:443/a%20b?x=@y#frag',
      'https://hooks.example.com./',
      'https://8.8.8.8/',
      'https://[2606:4700::1111]/',
      'https://bücher.example/',
      'https://xn--bcher-kva.example/',
      'https://0x08.8.8.8/',
      'https://hooks.example.com/a@b:c',
    ];
    const { push, dns } = world();
    for (const host of ['hooks.example.com', 'xn--bcher-kva.example'])
      dns.set(host, ['93.184.216.34', '2606:2800:220:1::1']);
    for (const url of fine) expect(await refusal(push.check({ url })), url).to.equal('let through');
  });
});
