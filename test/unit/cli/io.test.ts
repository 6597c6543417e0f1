import { expect } from 'chai';
import { columns } from '../../../gateway/cli/io.js';

describe('columns of a command', () => {
  it('are aligned, except for the last', () => {
    expect(
      columns([
        ['ID', 'NAME'],
        ['key_1', 'first'],
      ]),
    ).to.deep.equal(['ID     NAME', 'key_1  first']);
  });

  it('have nothing in them that a terminal would act on', () => {
    const forged = 'first\nkey_2  revoked\r\u001b[2J\u009b1m\u2028\u202e';
    expect(
      columns([
        ['ID', 'NAME'],
        [forged, 'Zoë 你好 👩‍🔧'],
      ]),
    ).to.deep.equal([
      `ID${' '.repeat(60)}  NAME`,
      'first\\u{a}key_2  revoked\\u{d}\\u{1b}[2J\\u{9b}1m\\u{2028}\\u{202e}  Zoë 你好 👩‍🔧',
    ]);
  });

  it('hold however many rows there are', () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => [String(i), 'x']);
    expect(columns(rows).at(-1)).to.equal('199999  x');
  });
});
