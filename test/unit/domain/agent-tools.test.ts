/** What an agent's tools may be declared as, whose tool a name is, and what counts of it (AgentTools.T3). */
import { expect } from 'chai';
import {
  type AgentTool,
  agentTools,
  isRepeatableCall,
  keepingSecrets,
  type McpServer,
  readsOnly,
  toolNamed,
  withoutSecrets,
} from '../../../src/domain/agent/agent-tools.js';

const server = { kind: 'mcp', name: 'shop', url: 'https://h.example/mcp' } as const;
const secret = { header: 'Authorization', value: 'Bearer x' };

describe('domain: tools of an agent', () => {
  for (const [what, tool, path, message] of [
    ['a server at no place', { kind: 'mcp', name: 'shop' }, '', 'must have either `url` or `command`'],
    ['one at two places', { ...server, command: 'shop' }, '', 'must have either `url` or `command`'],
    ['a secret for a command', { kind: 'mcp', name: 'shop', command: 'shop', secret }, 'secret', 'must be left out'],
    [
      'a command that is no name',
      { kind: 'mcp', name: 'shop', command: '/bin/sh -c x' },
      'command',
      'must be the name',
    ],
    ['a name with a dot', { ...server, name: 'a.b' }, 'name', 'must be 1 to 32 letters'],
    ...['Mcp-Session-Id', 'Connection', 'Expect', 'Keep-Alive', 'Proxy-Connection', 'TE', 'Trailer', 'Upgrade'].map(
      (header) =>
        [
          `a secret in the header ${header}, which belongs to the connection or the protocol`,
          { ...server, secret: { header, value: 'x' } },
          'secret.header',
          'must not be a header that the service sends itself',
        ] as const,
    ),
    ['an unknown field', { ...server, keyed: true }, '', ''],
    ['names that are none', { ...server, allow: [''] }, 'allow.0', ''],
    ['neither yes, no nor names', { ...server, reads_only: 'yes' }, 'reads_only', ''],
  ] as const)
    it(`are not ${what}`, () => {
      const { issues } = agentTools.safeParse([tool]).error ?? { issues: [] };
      expect(issues.map((issue) => issue.path.slice(1).join('.'))).to.deep.equal([path]);
      expect(issues[0]?.message).to.include(message);
    });

  it('are known by the name of their server, and what it allows', () => {
    const client = { kind: 'client', name: 'shop_buy', description: '' } as const;
    const tools: AgentTool[] = [client, { ...server, allow: ['buy', 'a.b'] }];
    expect(toolNamed({ tools }, 'shop_buy')).to.equal(client);
    for (const name of ['shop.buy', 'shop.a.b']) expect(toolNamed({ tools }, name), name).to.equal(tools[1]);
    for (const name of ['shop', 'shop.', 'shop.sell', 'other.buy', 'buy', '', '.buy', undefined])
      expect(toolNamed({ tools }, name), name).to.equal(undefined);
    expect(toolNamed({ tools: [server] }, 'shop.anything')).to.equal(server);
  });

  for (const [configured, claimed, reads, repeats] of [
    [{}, undefined, false, false],
    [{}, { readsOnly: true }, true, true],
    [{}, { repeatable: true }, false, true],
    [{ reads_only: false, repeatable: false }, { readsOnly: true, repeatable: true }, false, false],
    [{ reads_only: [], repeatable: ['buy'] }, { readsOnly: true }, false, true],
    [{ reads_only: ['buy'] }, undefined, true, true],
    [{ reads_only: ['look'] }, { readsOnly: true }, false, false],
    [{ reads_only: true }, undefined, true, true],
  ] as const)
    it(`${JSON.stringify(configured)} and the claim ${JSON.stringify(claimed ?? {})} come to ${reads}, ${repeats}`, () => {
      const tool = { ...server, ...configured } as McpServer;
      const call = { arguments: { name: 'shop.buy' }, claimed };
      expect([readsOnly(tool, call), isRepeatableCall(tool, call)]).to.deep.equal([reads, repeats]);
    });

  it('keep their secret with their kind, URL and header only', () => {
    const before = { tools: [{ ...server, secret }] };
    const shown = withoutSecrets(before);
    expect(shown.tools).to.deep.equal([{ ...server, secret: { header: 'Authorization' } }]);
    expect(keepingSecrets(shown, before)).to.deep.equal(before);
    const http = {
      kind: 'http',
      name: 'shop',
      description: '',
      url: server.url,
      secret: { header: 'Authorization' },
    } as const;
    const elsewhere = { ...server, url: 'https://evil.example/mcp', secret: { header: 'Authorization' } };
    for (const tool of [http, elsewhere, { ...server, secret: { header: 'X-Key' } }])
      expect(keepingSecrets({ tools: [tool] }, before).tools).to.deep.equal([tool]);
  });
});
