/** The tables of docs/api.md say what the code does: routes and their scopes, A2A methods, errors, states and tiers. */
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { scopeOf } from '../../../gateway/a2a/exchange.js';
import { statusOf } from '../../../gateway/http/error-envelope.js';
import { agentEndpoint, workspaceEndpoint } from '../../../gateway/mcp/server.js';
import { routes } from '../../../gateway/rest/routes.js';
import { methods } from '../../../src/a2a/methods.js';
import { slashStates } from '../../../src/a2a/states.js';
import { tokenScopes } from '../../../src/domain/shared/vocabulary.js';
import { tierLimits } from '../../../src/limits/tiers.js';

const text = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');

/** The body rows of the tables in a numbered section, as trimmed cells without code marks. */
function rowsOf(section: string): string[][] {
  const [, after = ''] = text.split(new RegExp(`^#{2,3} ${section.replace('.', '\\.')}\\.? .*$`, 'm'));
  const [body = ''] = after.split(/^#{2,3} /m);
  const lines = body.split('\n').filter((line) => line.startsWith('|') && !/^\|[-|]+\|$/.test(line));
  return lines.slice(1).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('docs/api.md', () => {
  it('4.1 lists every REST route with its scope, and no other', () => {
    const documented = rowsOf('4.1').map(([route, , scope]) => `${route} ${scope}`);
    expect(documented.toSorted()).to.deep.equal(
      routes.map((r) => `${r.method} ${r.path} ${r.scope ?? 'any key'}`).toSorted(),
    );
  });

  it('4.2 lists every A2A method with its scope, and no other', () => {
    const documented = rowsOf('4.2')
      .filter(([name]) => name === '' || /^(message|tasks|agent)\//.test(name ?? ''))
      .flatMap(([old, current, scope]) =>
        [old, current].filter((name) => name !== '').map((name) => `${name} ${scope}`),
      );
    const known = [...methods].map(([name, { operation }]) => `${name} ${scopeOf[operation]}`);
    expect(documented.toSorted()).to.deep.equal(known.toSorted());
  });

  it('4.4 lists every MCP tool with its scope and its endpoint, and no other', () => {
    const documented = rowsOf('4.4')
      .filter(([name]) => /^[a-z]+_?/.test(name ?? ''))
      .map(([name, scope, where]) => `${name} ${scope} ${where}`);
    const known = [...workspaceEndpoint.tools.values()].map(
      ({ tool }) => `${tool.name} ${tool.scopes.join(', ')} ${agentEndpoint.tools.has(tool.name) ? 'both' : '/mcp'}`,
    );
    expect(documented.toSorted()).to.deep.equal(known.toSorted());
  });

  it('3.1 maps every run status to its A2A state', () => {
    expect(Object.fromEntries(rowsOf('3.1'))).to.deep.equal(slashStates);
  });

  it('5.2 names every scope', () => {
    const [, section = ''] = text.split('### 5.2 Scopes\n');
    for (const scope of tokenScopes) expect(section.split('\n###')[0]).to.include(`\`${scope}\``);
  });

  it('7.1 lists every error code with its status', () => {
    const documented: unknown = Object.fromEntries(rowsOf('7.1').map(([code, status]) => [code, Number(status)]));
    expect(documented).to.deep.equal(statusOf);
  });

  it('8.1 has the numbers of every tier', () => {
    const number = (cell = ''): number => Number(cell.replaceAll(',', ''));
    const documented = rowsOf('8.1').map(([tier, requests, burst, searches, concurrent]) => [
      tier,
      {
        requests: { limit: number(requests), burst: number(burst) },
        searches: number(searches),
        concurrent: number(concurrent),
      },
    ]);
    const enterprise = { requestsPerMinute: 1_000_000, searchesPerMinute: 500_000, concurrent: 10_000 };
    const actual = Object.entries(tierLimits(enterprise)).map(([tier, { requests, searches, concurrent }]) => [
      tier,
      { requests, searches: searches.limit, concurrent },
    ]);
    expect(Object.fromEntries(documented)).to.deep.equal(Object.fromEntries(actual));
  });
});
