/** What is a term (tokenizer.ts): every spelling that people search by is found. */
import { expect } from 'chai';
import fc from 'fast-check';
import { pieceEnd, tokenize } from '../../../src/memory/tokenizer.js';

function terms(text: string): string[] {
  const out: string[] = [];
  tokenize(text, (t) => out.push(t));
  return out;
}

describe('tokenizer', () => {
  for (const [text, expected] of [
    ['The dogs were running', ['dog', 'run']],
    ["Caroline's don't, I'll", ['carolin']],
    ['ORD-1234', ['ord', '1234', 'ord-1234']],
    ['bob.smith@example.com.', ['bob', 'smith', 'exampl', 'com', 'bob.smith@example.com']],
    ['snake_case_name well-known', ['snake', 'case', 'name', 'snake_case_name', 'well', 'know']],
    ['mice went, the children knew', ['mous', 'go', 'child', 'know']],
    ['v1.2.3 at 10:30, 3.14', ['v1', '2', '3', 'v1.2.3', '10', '30', '10:30', '3', '14', '3.14']],
    ['Café RÉSUMÉ naïve', ['cafe', 'resum', 'naiv']],
    ['ｆｕｌｌ １２３ ﬁsh', ['full', '123', 'fish']],
    ['東京タワー', ['東', '京', '東京', 'タ', '京タ', 'ワ', 'タワ', 'ー', 'ワー']],
    ['한국', ['한', '국', '한국']],
    ['hello世界ok', ['hello', '世', '界', '世界', 'ok']],
    ['Москва и ПРИВЕТ', ['москва', 'и', 'привет']],
    ['हिन्दी', ['हिन्दी']],
    ['party 🎉👍🏽', ['parti', '🎉', '👍']],
    ['a - b -- _x_ @y', ['b', 'x']],
    ['', []],
    ['!?… \u0000', []],
    ['\ud800 lone \udc00', ['lone']],
  ] as const)
    it(`${JSON.stringify(text)} has ${expected.length} terms`, () => {
      expect(terms(text)).to.deep.equal(expected);
    });

  it('cuts a word or an identifier at 64 characters', () => {
    expect(terms('q'.repeat(70_000))).to.deep.equal(['q'.repeat(64)]);
    expect(terms('1-'.repeat(1000) + '1').at(-1)).to.equal('1-'.repeat(32));
  });

  it('never gives an empty term or one that is too long, and a term alone is a term', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const t of terms(text)) expect(t.length).to.be.within(1, 64);
      }),
      { numRuns: 500 },
    );
  });

  it('takes time in proportion to the text, whatever is in it', function () {
    this.timeout(5000);
    for (const unit of ['a', '-', 'a-', '1@', 'é', '猫', "'", '👍', '\ufdfa', 'a1_']) terms(unit.repeat(65_536));
  });

  it('the pieces of a text have the terms of the text', () => {
    const word = fc.oneof(
      fc.stringMatching(/^[a-z0-9]{1,12}$/),
      fc.constantFrom('ORD-1234', 'bob@example.com', 'café', '🎉', 'Москва'),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), fc.integer({ min: 130, max: 200 }), (words, size) => {
        const text = words.join(' ');
        const pieces: string[] = [];
        for (let from = 0; from < text.length;) {
          const end = pieceEnd(text, from, size);
          expect(end).to.be.within(from + 1, from + size);
          pieces.push(text.slice(from, end));
          from = end;
        }
        expect(pieces.join('')).to.equal(text);
        expect(pieces.flatMap(terms)).to.deep.equal(terms(text));
      }),
    );
  });

  it('cuts no surrogate pair', () => {
    const text = '👍'.repeat(300);
    for (const size of [100, 101]) {
      const end = pieceEnd(text, 0, size);
      expect(text.slice(0, end).isWellFormed()).to.equal(true);
    }
  });
});
