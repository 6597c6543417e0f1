/** The cards that everybody may read at the origin (docs/api.md 2.6). */
import { expect } from 'chai';
import { fixtures } from '../../helpers/fake-service.js';
import { startGateway, type TestGateway } from '../../helpers/gateway.js';
import { realClock } from '../../helpers/engine.js';
import type { Caller, PageRequest } from '../../../src/service.js';

const [one, catalog] = ['/.well-known/agent-card.json', '/.well-known/ai-catalog.json'] as const;

describe('public cards', () => {
  let gateway: TestGateway;
  let now = 0;
  /** Ids of the public ones. */
  let agents: string[];
  let asked: string[];
  afterEach(() => gateway.stop());
  const start = async (publicCards?: string): Promise<void> => {
    asked = [];
    gateway = await startGateway({
      commands: {
        // a page of one each
        listPublicAgents: async ({ workspace }: Caller, _target, input) => {
          const { after } = (input as { page: PageRequest }).page;
          asked.push(workspace);
          const at = Number(after?.[0] ?? 0);
          const items = agents.map((id) => ({ ...fixtures.agent, id, name: `name of ${id}` }));
          return {
            items: items.slice(at, at + 1),
            next: at + 1 < items.length ? [at + 1] : null,
            total: items.length,
          };
        },
      },
      options: { clock: { ...realClock, now: () => now } },
      config: publicCards === undefined ? {} : { publicCards },
    });
  };
  const read = async (path: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
    const answer = await fetch(gateway.url + path, { headers });
    return [answer.status, await answer.text()];
  };

  it('are not there unless the operator wants them', async () => {
    agents = ['a'];
    await start();
    for (const path of [one, catalog]) expect((await read(path))[0]).to.equal(404);
    expect((await read('/api/v1/a2a/agents/a/card'))[0]).to.equal(401);
    expect(asked).to.deep.equal([]);
  });

  it('are those of public agents, which open nothing else', async () => {
    agents = ['shown'];
    await start('ws_1');
    const [status, text] = await read(catalog);
    expect(status, text).to.equal(200);
    const url = `${gateway.url}/api/v1/a2a/agents/shown`;
    const { specVersion, entries } = JSON.parse(text) as { specVersion: string; entries: { data: object }[] };
    expect(specVersion).to.equal('1.0');
    expect(entries).to.have.length(2);
    expect(entries[0]).to.include({ identifier: url, type: 'application/a2a-agent-card+json' });
    const mcp = `${gateway.url}/mcp/agents/shown`;
    expect(entries[1]).to.include({ identifier: mcp, type: 'application/mcp-server-card+json' });
    const { name, title, remotes } = entries[1]!.data as { name: string; title: string; remotes: object[] };
    expect([name, title]).to.deep.equal(['hivekeep/shown', 'name of shown']);
    expect(remotes[0]).to.include({ type: 'streamable-http', url: mcp });
    expect(entries[0]!.data).to.include({ name: 'name of shown', url });
    expect(JSON.parse((await read(one))[1])).to.deep.equal(entries[0]!.data);
    expect(JSON.parse((await read(one, { 'a2a-version': '1.0' }))[1])).to.not.have.property('url');
    expect(asked, 'the agents are read once').to.deep.equal(['ws_1']);
    for (const at of ['', '/', '/card', '/.well-known/agent.json', '/.well-known/agent-card.json?x=1']) {
      const [found, card] = await read(`/api/v1/a2a/agents/shown${at}`);
      expect(found, card).to.equal(200);
      expect(JSON.parse(card)).to.include({ name: 'name of shown', url });
    }
    expect((await fetch(url, { method: 'HEAD' })).status).to.equal(200);
    for (const at of ['hidden', 'hidden/card', 'shown/tasks', 'shown/extendedAgentCard'])
      expect((await read(`/api/v1/a2a/agents/${at}`))[0], at).to.equal(401);
    expect((await read('/api/v1/a2a/agents/shown', { authorization: 'Bearer svc_live_nobody' }))[0]).to.equal(401);
    expect((await fetch(url, { method: 'POST' })).status).to.equal(401);
    expect(asked, 'and once in all').to.have.length(1);
  });

  it('are a list where there are many, and follow a change', async () => {
    agents = ['a', 'b'];
    await start('ws_1');
    expect((await read(one))[0]).to.equal(404);
    const listed = async (): Promise<unknown[]> =>
      (JSON.parse((await read(catalog))[1]) as { entries: unknown[] }).entries;
    expect(await listed()).to.have.length(4);
    agents = ['b'];
    now += 10_000;
    expect(JSON.parse((await read(one))[1])).to.include({ name: 'name of b' });
    expect(await listed()).to.have.length(2);
  });
});
