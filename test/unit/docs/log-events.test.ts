/** The table of log events in docs/operations.md has each event that the code logs, and no other. */
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const sources = ['src', 'actors', 'gateway'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !(folder === 'gateway' && name.startsWith('console')))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') })),
);
/** From the opening parenthesis of each call of a logger to the end of its first statement. */
const calls = sources.flatMap(({ name, text }) =>
  [...text.matchAll(/^(?! \*).*\blog\??\.(?:debug|info|warn|error)\(/gm)].map(({ 0: begin, index }) => ({
    name,
    call: text.slice(index + begin.length, text.indexOf(';', index)),
  })),
);

describe('log events', () => {
  it('each log line has one', () => {
    expect(calls.length).to.be.greaterThan(30);
    const without = calls.filter(({ call }) => !/\bevent\b|^fields\b/.test(call));
    expect(without).to.deep.equal([]);
  });

  it('docs/operations.md has them all, and no other', () => {
    const [, section = ''] = readFileSync(join(root, 'docs/operations.md'), 'utf8').split(/^## (?:Log events|Data)$/m);
    const told = [...section.matchAll(/`([a-z_]+\.[a-z_.]+)`/g)].map(([, event]) => event);
    const logged = sources.flatMap(({ text }) =>
      [...text.matchAll(/\bevent: '([a-z_]+\.[a-z_.]+)'/g)].map(([, event]) => event),
    );
    const anywhere = (event = ''): boolean => sources.some(({ text }) => text.includes(`'${event}'`));
    expect(logged.filter((event) => !told.includes(event))).to.deep.equal([]);
    expect(told.filter((event) => !anywhere(event))).to.deep.equal([]);
  });
});
