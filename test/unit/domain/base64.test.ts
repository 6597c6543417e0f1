import { expect } from 'chai';
import { base64Bytes, isAnyBase64, isBase64, isPaddedBase64 } from '../../../src/domain/shared/text-forms.js';

/** The same by an expression, which says what is meant and takes longer. */
const fits = (s: string): boolean => (s.endsWith('=') ? s.length % 4 === 0 : s.length % 4 !== 1);
const any = (s: string): boolean => /^[A-Za-z0-9+/_-]*={0,2}$/.test(s) && fits(s);
const standard = (s: string): boolean => /^[A-Za-z0-9+/]*={0,2}$/.test(s) && fits(s);
const padded = (s: string): boolean => s.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(s);

/** All texts of at most so many of these characters. */
function* texts(characters: readonly string[], most: number, begun = ''): Generator<string> {
  yield begun;
  if (most > 0) for (const each of characters) yield* texts(characters, most - 1, begun + each);
}

describe('base64', () => {
  it('is what the expressions say, of every short text', () => {
    for (const around of ['', 'AAAA', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])
      for (const text of texts(['A', '/', '-', '=', ' ', 'é', '汉', '\0'], 4))
        for (const whole of [around + text, text + around]) {
          expect(isAnyBase64(whole), JSON.stringify(whole)).to.equal(any(whole));
          expect(isBase64(whole), JSON.stringify(whole)).to.equal(standard(whole));
          expect(isPaddedBase64(whole), JSON.stringify(whole)).to.equal(padded(whole));
        }
  });

  it('is so of long texts, too, wherever what is bad stands', () => {
    for (const length of [65_532, 65_533, 65_535, 65_536, 131_072])
      for (const more of ['', 'A', 'AA', 'AAAA'])
        for (const text of texts(['A', '=', '!'], 4)) {
          const whole = `${'A'.repeat(length)}${text}${more}`;
          const [is, should] = [isAnyBase64(whole), any(whole)];
          if (is !== should) expect(is, `${length} ${text} ${more}`).to.equal(should);
        }
  });

  it('stands for so many bytes', () => {
    for (let bytes = 0; bytes < 50; bytes++)
      for (const form of ['base64', 'base64url'] as const)
        expect(base64Bytes(Buffer.alloc(bytes, 255).toString(form))).to.equal(bytes);
  });
});
