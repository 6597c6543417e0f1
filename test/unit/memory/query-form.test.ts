/** What a query asks for by its form (query.ts), and what a memory says about itself (documents.ts). */
import { expect } from 'chai';
import { formOf } from '../../../src/memory/query.js';
import {
  ASKS,
  BY_ASSISTANT,
  ENDS_ASKING,
  SAYS_I,
  PROFILED,
  STANDS,
  TELLS_NUMBER,
  TELLS_TIME,
  traitsOf,
} from '../../../src/memory/documents.js';

describe('the form of a query', () => {
  for (const [query, date] of [
    ['What happened on 8 May, 2023?', { year: 2023, month: 4, day: 8 }],
    ['the walk of May 8th 2023', { year: 2023, month: 4, day: 8 }],
    ['the 3rd of October', { year: null, month: 9, day: 3 }],
    ['trips in October 2022', { year: 2022, month: 9, day: null }],
    ['what did she do in Sept?', { year: null, month: 8, day: null }],
    ['notes of 2024-02-29', { year: 2024, month: 1, day: 29 }],
    ['notes of 2024-02', { year: 2024, month: 1, day: null }],
    ['May I march on?', null],
    ['what may have happened, may it be', null],
    ['order 2024-99', null],
  ] as const)
    it(`${JSON.stringify(query)} asks for ${JSON.stringify(date)}`, () => {
      expect(formOf(query).date).to.deep.equal(date);
    });

  it('tells questions of when and of how many', () => {
    expect(formOf('When did she leave?').asksWhen).to.equal(true);
    expect(formOf('what year was it').asksWhen).to.equal(true);
    expect(formOf('the day when she left').asksWhen).to.equal(false);
    expect(formOf('How often does she run?').asksHowMany).to.equal(true);
    expect(formOf('Which book did you recommend?').asksYou).to.equal(true);
    expect(formOf('Which book did I read?').asksYou).to.equal(false);
  });
});

describe('traits of a memory', () => {
  for (const [content, speaker, bits] of [
    ['Caroline: I went there yesterday.', 'caroline', SAYS_I | TELLS_TIME],
    ['Dr. Mary Ann: how are you?', 'dr. mary ann', ASKS | ENDS_ASKING],
    ['it: our three cats', null, SAYS_I | TELLS_NUMBER],
    ['The time is 12:30', null, TELLS_NUMBER],
    ['what? nothing', null, ASKS],
    ['Always answer in French when I write in French.', null, SAYS_I | STANDS | PROFILED],
    ['Assistant: Sure.', 'assistant', BY_ASSISTANT],
    ['\u5c0f\u660e: ok', '\u5c0f\u660e', 0],
    ['', null, 0],
  ] as const)
    it(`of ${JSON.stringify(content)}`, () => {
      expect(traitsOf(content, null)).to.deep.equal({ speaker, bits });
    });

  it('the field tells who speaks, whatever the content begins with', () => {
    expect(traitsOf('Bo: hello', ' Ana  Maria ').speaker).to.equal('ana maria');
  });

  it('takes time in proportion to the text, whatever is in it', () => {
    for (const unit of ['A', 'A ', 'A: ', '1', 'this ', "May'-.", '\u5c0f']) traitsOf(unit.repeat(65_536), null);
  });
});
