import { expect } from 'chai';
import fc from 'fast-check';
import { decodeEntry, encodeEntries, entrySize } from '../../../src/bus/entry.js';

describe('entries of the transport', () => {
  it('hold all messages, each once, in order, whatever their sizes', () => {
    const size = fc.oneof(fc.nat(50), fc.integer({ min: 350_000, max: entrySize + 10 }));
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 8 }), (sizes) => {
        const messages = sizes.map((n, i) => ({ i, text: 'x'.repeat(n) }));
        const entries = encodeEntries(messages.map((m) => JSON.stringify(m)));
        expect(entries.flatMap((entry) => decodeEntry(entry) ?? ['unreadable'])).to.deep.equal(messages);
        for (const entry of entries)
          expect(
            entry.length <= entrySize + 20 || decodeEntry(entry)?.length === 1,
            'a long entry is one message',
          ).to.equal(true);
      }),
      { numRuns: 50 },
    );
  });

  it('are as few as their size allows', () => {
    const texts = Array.from({ length: 10 }, () => JSON.stringify('x'.repeat(entrySize / 4)));
    expect(encodeEntries(texts).map((entry) => decodeEntry(entry)?.length)).to.deep.equal([3, 3, 3, 1]);
    expect(encodeEntries(['1', '2'])).to.deep.equal(['[1,2]']);
    expect(encodeEntries([])).to.deep.equal([]);
  });

  it('that are not a JSON array are none', () => {
    for (const text of ['', '{}', '"a"', '[1', 'null', '1']) expect(decodeEntry(text), text).to.equal(null);
  });
});
