import { expect } from 'chai';
import { parseUrl } from '../../../src/domain/shared/text-forms.js';

describe('domain: URLs', () => {
  it('reads what is one, and says null of anything else', () => {
    expect(parseUrl('HTTPS://Example.com:443/a?b#c')?.href).to.equal('https://example.com/a?b#c');
    for (const text of ['', 'example.com', 'https://', 'https://a b/', 'http://[::1', '//example.com'])
      expect(parseUrl(text), text).to.equal(null);
  });

  it('says the same of a URL however often it has been asked', () => {
    // strings as they come out of JSON, which is how a gateway gets them, and how Node 20 went wrong
    const [plain, accented] = JSON.parse('["https://example.com/", "https://b\u00fccher.example/"]') as [
      string,
      string,
    ];
    for (let i = 0; i < 20_000; i++) parseUrl(plain);
    for (let i = 0; i < 1000; i++) expect(parseUrl(accented)?.hostname).to.equal('xn--bcher-kva.example');
  });
});
