import { expect } from 'chai';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { loadConfig } from '../../../src/config/config.js';
import { editDistance, nearest } from '../../../src/domain/shared/text-forms.js';
import { keyByEnvName } from '../../../src/config/settings.js';
import { settingsHelp, settingsInForce, settingsMarkdown } from '../../../src/config/table.js';

describe('table of settings', () => {
  it('names every setting in each of its forms', () => {
    for (const text of [settingsHelp(), settingsMarkdown(), settingsInForce(loadConfig({}, false))]) {
      for (const name of keyByEnvName.keys()) expect(text).to.include(name);
    }
  });

  it('is a table in Markdown with three cells a row', () => {
    for (const row of settingsMarkdown().split('\n')) expect(row.match(/(?<!\\)\|/g), row).to.have.length(4);
  });

  it('is the one of docs/configuration.md (npm run docs writes it)', () => {
    const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    expect(page).to.include(settingsMarkdown());
  });

  it('shows what is in force, with the default where that is another, and no secret', () => {
    const rootKey = `svc_live_${'k'.repeat(40)}`;
    const text = settingsInForce(loadConfig({ HIVEKEEP_ROOT_KEY: rootKey, HIVEKEEP_PORT: '9000' }, false));
    expect(text)
      .to.match(/HIVEKEEP_PORT +9000 \(default: 8420\)/)
      .and.match(/HIVEKEEP_ROOT_KEY +set, not shown/)
      .and.match(/HIVEKEEP_HOST +127\.0\.0\.1\n/);
    expect(text).not.to.include('kkk');
  });
});

describe('nearest name', () => {
  it('finds a name with a swap, a missing and a wrong letter', () => {
    expect(nearest('PROT', ['HOST', 'PORT'])).to.equal('PORT');
    expect(nearest('LOGLEVEL', ['LOG_LEVEL', 'LOG_FORMAT'])).to.equal('LOG_LEVEL');
    expect(nearest('TRUSTED_PROXY', ['TRUSTED_PROXIES'])).to.equal('TRUSTED_PROXIES');
    expect(nearest('COLOUR', ['HOST', 'PORT'])).to.equal(undefined);
  });

  it('measures a distance: zero for the same only, symmetric, at most the longer length', () => {
    const word = fc.string({ maxLength: 12, unit: fc.constantFrom('A', 'B', '_') });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).to.equal(editDistance(b, a)).and.to.be.at.most(Math.max(a.length, b.length));
        expect(distance === 0).to.equal(a === b);
        expect(distance).to.be.at.least(Math.abs(a.length - b.length));
      }),
    );
  });
});
