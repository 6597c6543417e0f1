/** Texts of others in the console (packages/console/src/lib/visible.ts). */
import { expect } from 'chai';
import { h, options } from 'preact';
import { escapeTexts, visible } from '../../../packages/console/src/lib/visible.js';

describe('the console: texts', () => {
  const { vnode } = options;
  after(() => {
    if (vnode === undefined) delete options.vnode;
    else options.vnode = vnode;
  });

  for (const [text, shown] of [
    ['Pay 1,000 EUR to \u202eknab evil', 'Pay 1,000 EUR to \\u{202e}knab evil'],
    ['a\u2066b\u2069\u061c', 'a\\u{2066}b\\u{2069}\\u{61c}'],
    ['\u001b[31mred\r\u0000', '\\u{1b}[31mred\\u{d}\\u{0}'],
    ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
    ['two\nlines\tand \u{1f469}\u200d\u{1f52c}', 'two\nlines\tand \u{1f469}\u200d\u{1f52c}'],
  ] as const)
    it(`show what would not be seen: ${shown}`, () => {
      expect(visible(text)).to.equal(shown);
    });

  it('are escaped wherever they are put into a page, and what a field holds stays as it is', () => {
    escapeTexts();
    expect(h('p', null, 'a\u202eb').props.children).to.equal('a\\u{202e}b');
    expect(h('p', null, ['a\u202eb', h('b', null, '\u202ec')]).props.children).to.have.deep.property(
      '0',
      'a\\u{202e}b',
    );
    expect(h('textarea', null, 'a\u202eb').props.children).to.equal('a\u202eb');
  });
});
