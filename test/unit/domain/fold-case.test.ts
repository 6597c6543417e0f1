/** FoldCase.F1: one form of texts that differ in case, or in how their characters are composed. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isListedByKey, nameKey, speakerKeys } from '../../../src/domain/memory/facets.js';
import { foldCase } from '../../../src/domain/shared/text-forms.js';
import { normalizedText, wordingOf } from '../../../src/domain/memory/identities.js';
import { formOf, parseQuery } from '../../../src/memory/query.js';
import { foldedName } from '../../../src/store/collections.js';

/** Each row is one text in several spellings. */
const spellings: readonly (readonly string[])[] = [
  ['fluß', 'FLUSS', 'Fluss', 'FLUẞ'],
  ['café', 'CAFÉ', 'cafe\u0301', 'CAFE\u0301'],
  ['oﬃce', 'OFFICE', 'office'],
  ['ﬆraße', 'strasse', 'STRASSE'],
  ['İzmir', 'i\u0307zmir'],
  ['ΟΔΟΣ', 'οδος', 'οδοσ'],
  ['µm', 'μm', 'ΜM'],
  ['ſet', 'SET'],
  ['\u212bngström', 'ångström', 'ÅNGSTRÖM'],
  ['ŉ', 'ʼn'],
  ['ꭰ', 'Ꭰ'],
];

describe('FoldCase', () => {
  for (const [first = '', ...others] of spellings)
    it(`${first} is ${others.join(', ')}, to search, names, speakers and what repeats`, () => {
      for (const other of others) {
        expect(foldCase(other)).to.equal(foldCase(first));
        expect(foldedName(`${other} B`)).to.equal(foldedName(`${first} B`));
        expect(nameKey(` ${other}  B`)).to.equal(nameKey(`${first} b`));
        expect(formOf(`who is ${other}`).names()).to.include(nameKey(first));
        expect(parseQuery(other), other).to.deep.equal(parseQuery(first));
        expect(wordingOf(`So is ${other}!`)).to.equal(wordingOf(`so is ${first}`));
        expect(normalizedText(`So is ${other} now.`)).to.equal(normalizedText(`so is ${first} now`));
      }
    });

  it('a Turkish ı is no i, and an accent is no letter without one', () => {
    expect(foldCase('ırmak')).not.to.equal(foldCase('irmak'));
    expect(foldCase('IRMAK')).to.equal('irmak');
    expect(nameKey('José')).not.to.equal(nameKey('Jose'));
  });

  const letters = fc.constantFrom(
    ...'aAiIıİsSßẞſfFﬁﬃkKKåÅÅéÉσςΣᾳᾼᾲµμΐǰŉıꭰᏸՙև',
    '\u0301',
    '\u0345',
    '\u0307',
    '\u0323',
    '\u0069\u0307',
    ' ',
    '한',
    '水',
    '𐐀',
    '𐐨',
  );
  const texts = fc.oneof(
    fc.string({ unit: letters, maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.toWellFormed()),
  );
  it('is one for every case and composition of a text, and its own', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const folded = foldCase(text);
        expect(foldCase(folded), 'its own').to.equal(folded);
        for (const form of ['NFC', 'NFD'] as const) expect(foldCase(text.normalize(form)), form).to.equal(folded);
        expect(foldCase(text.toLowerCase()), 'lower case').to.equal(folded);
        // the upper case of ı is that of i, which is another letter, and that of an iota below is one beside
        if (!/[ı\u0345]/.test(text.normalize('NFD')))
          expect(foldCase(text.toUpperCase()), 'upper case').to.equal(folded);
      }),
      { numRuns: 2000 },
    );
  });

  it('names are listed as they were before, too, and which are listed by one form alone is known', () => {
    fc.assert(
      fc.property(texts, (name) => {
        const keys = speakerKeys(name);
        expect(keys).to.include(nameKey(name));
        expect(keys).to.include(name.trim().toLowerCase().replace(/\s+/g, ' '));
        expect(new Set(keys).size).to.equal(keys.length);
        expect(isListedByKey(name)).to.equal(keys.length === 1);
      }),
    );
  });
});
