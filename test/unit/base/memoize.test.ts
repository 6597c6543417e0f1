/** What is kept of texts (src/base/memoize.ts). */
import { expect } from 'chai';
import { memoize } from '../../../src/base/memoize.js';

describe('what was made of a text', () => {
  const counting = (most: number, longest?: number) => {
    const made: string[] = [];
    const of = memoize(
      (text) => {
        made.push(text);
        return text === 'nothing' ? null : text.toUpperCase();
      },
      most,
      longest,
    );
    return { made, of };
  };

  it('is made once, even if it is null, and kept for the texts that were used last', () => {
    const { made, of } = counting(2);
    for (const text of ['a', 'nothing', 'a', 'nothing', 'b', 'a']) of(text);
    expect(made).to.deep.equal(['a', 'nothing', 'b']);
    expect([of('a'), of('nothing')]).to.deep.equal(['A', null]);
  });

  it('is forgotten when twice as many other texts came between', () => {
    const { made, of } = counting(2);
    for (const text of ['a', 'b', 'c', 'd', 'e', 'a']) of(text);
    expect(made).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'a']);
  });

  it('is not kept of a text that is too long', () => {
    const { made, of } = counting(2, 3);
    for (const text of ['four', 'four']) expect(of(text)).to.equal('FOUR');
    expect(made).to.deep.equal(['four', 'four']);
  });
});
