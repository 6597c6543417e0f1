/** Every rule of docs/security.md names tests, and each file and title that it names exists. */
import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(`${root}docs/security.md`, 'utf8');
const [before = '', after = ''] = page.split('## What is not defended');
const rules = before.split('\n').filter((line) => line.startsWith('- '));
const named = rules.flatMap((rule) =>
  [...rule.matchAll(/`(test\/[^`]+\.ts)`(?: \(("[^)]*")\))?/g)].map(([, file = '', titles = '']) => ({
    file,
    titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
  })),
);

describe('docs/security.md', () => {
  it('has a threat model first, and says last what is not defended', () => {
    expect(before.match(/^## .*$/m)?.[0]).to.equal('## Threat model');
    expect(after).to.match(/^- /m);
    expect(after).not.to.match(/^## /m);
  });

  for (const rule of rules)
    it(`names a test and its title for ${/\*\*(.+?)\*\*/.exec(rule)?.[1] ?? rule}`, () => {
      expect(rule).to.match(/`test\/[^`]+\.ts` \("/);
    });

  it('names each rule once', () => {
    const names = rules.map((rule) => /\*\*(.+?)\*\*/.exec(rule)?.[1]);
    expect(new Set(names).size).to.equal(names.length);
  });

  for (const { file, titles } of named)
    for (const title of titles)
      it(`${file}: "${title}"`, () => {
        expect(existsSync(root + file), file).to.equal(true);
        const text = readFileSync(root + file, 'utf8');
        // as titles are written in code: of a literal, with its quotes escaped or not
        expect(text.includes(title) || text.includes(title.replaceAll("'", "\\'")), title).to.equal(true);
      });
});
