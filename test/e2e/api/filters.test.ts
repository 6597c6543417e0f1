/**
 * Filters of lists: runs of the whole workspace, agents by name and status, memories by metadata and time (docs/api.md
 * 4.3).
 */
import { expect } from 'chai';
import { cancelRun, everyItem, ids, served, type Json } from './support/client.js';

const { api, hooks } = served(() => ({}));

describe('black box: filters of lists', function suite() {
  hooks();
  this.timeout(20_000);
  const spawn = async (name: string, more: Json = {}): Promise<string> =>
    String((await api.one('POST', '/v1/agents/spawn', { name, ...more }, 201))['id']);
  const found = async (path: string): Promise<string[]> => ids(await everyItem(api, path, 2));

  it('runs of all agents, by status, agent and time, newest first', async () => {
    const [one, two] = [await spawn('one'), await spawn('two', { config: { validation_gate: 'answer' } })];
    const runs: string[] = [];
    for (const agent of [one, two, one, two])
      runs.unshift(String((await api.one('POST', `/v1/agents/${agent}/message`, { content: 'hi' }))['run_id']));
    expect(await found('/v1/runs')).to.deep.equal(runs);
    expect(await found('/v1/runs?order=asc')).to.deep.equal(runs.toReversed());
    expect(await found('/v1/runs?status=paused')).to.deep.equal([runs[0], runs[2]]);
    expect(await found(`/v1/runs?status=completed&agent_id=${one}`)).to.deep.equal([runs[1], runs[3]]);
    expect(await found(`/v1/runs?status=paused&agent_id=${one}`)).to.deep.equal([]);
    expect((await api.page('/v1/runs?status=paused&page_size=1')).pagination.total_count).to.equal(2);
    const at = String((await api.page('/v1/runs?order=asc&page_size=3')).data[2]!['created_at']);
    const [since, before] = [await found(`/v1/runs?created_after=${at}`), await found(`/v1/runs?created_before=${at}`)];
    expect([...since, ...before], 'the bounds meet without gap and overlap').to.deep.equal(runs);
    expect(since).to.include(runs[1]);

    await cancelRun(api, two, runs[0]!);
    expect(await found('/v1/runs?status=paused')).to.deep.equal([runs[2]]);
    expect(await found('/v1/runs?status=cancelled')).to.deep.equal([runs[0]]);
    await api.one('DELETE', `/v1/agents/${two}`);
    expect(await found('/v1/runs')).to.deep.equal([runs[1], runs[3]]);
    expect(await found('/v1/runs?status=paused')).to.deep.equal([]);
  });

  it('agents by how their names begin, in the order of names, and by status', async () => {
    const [b, a, c] = [await spawn('Zoe b'), await spawn('zOE A'), await spawn('Zoe c')];
    await spawn('xZoe');
    expect(await found('/v1/agents?name=zoe')).to.deep.equal([a, b, c]);
    expect(await found('/v1/agents?name=ZOE&order=desc')).to.deep.equal([c, b, a]);
    await api.one('PATCH', `/v1/agents/${b}`, { status: 'inactive' });
    expect(await found('/v1/agents?name=zoe&status=active')).to.deep.equal([a, c]);
    const [d, e] = [await spawn('Fluß 1'), await spawn('FLUSS 2')];
    for (const name of ['fluss', 'Fluß', 'FLUẞ'])
      expect(await found(`/v1/agents?name=${encodeURIComponent(name)}`)).to.deep.equal([d, e]);
    // where no name begins so, those that contain it
    expect(await found('/v1/agents?name=e%20B')).to.deep.equal([b]);
    expect(await found('/v1/agents?name=ZOE%20C&status=inactive')).to.deep.equal([]);
    expect(await found('/v1/agents?status=inactive')).to.deep.equal([b]);
    await api.one('PATCH', `/v1/agents/${c}`, { status: 'inactive' });
    await api.one('PATCH', `/v1/agents/${b}`, { metadata: { touched: true } });
    expect(await found('/v1/agents?status=inactive')).to.deep.equal([c, b]);
    expect(await found('/v1/agents?status=inactive&sort=updated_at')).to.deep.equal([b, c]);
  });

  it('memories by metadata and by when they were created or occurred', async () => {
    const agent = await spawn('keeper');
    const keep = async (content: string, more: Json): Promise<string> =>
      String(
        (await api.one('POST', '/v1/memories', { type: 'semantic', content, agent_id: agent, ...more }, 201))['id'],
      );
    const mail = await keep('mail', { metadata: { source: 'mail', n: 1 }, occurred_at: '2020-01-01T00:00:00Z' });
    const chat = await keep('chat', { metadata: { source: 'chat', n: 1 }, occurred_at: '2021-01-01T00:00:00Z' });
    const bare = await keep('bare', { sessionId: 'walk', speaker: 'Ana  Lee' });
    const list = (query: string): Promise<string[]> => found(`/v1/memories?agent_id=${agent}&${query}`);
    const has = (wanted: object): string => `metadata=${encodeURIComponent(JSON.stringify(wanted))}`;
    expect(await list(has({ source: 'mail' }))).to.deep.equal([mail]);
    expect(await list(has({ n: 1 }))).to.deep.equal([chat, mail]);
    expect(await list(has({ n: '1' }))).to.deep.equal([]);
    expect(await list(has({ n: 1, source: 'chat' }))).to.deep.equal([chat]);
    expect(await list(has({ toString: null }))).to.deep.equal([]);
    expect(await list('speaker=ana%20lee')).to.deep.equal([bare]);
    expect(await list(`speaker=ANA%20LEE&${has({ n: 1 })}`)).to.deep.equal([]);
    expect(await list('speaker=ana%20lee&sessionId=walk&sort=updated_at')).to.deep.equal([bare]);
    const weiss = [await keep('white', { speaker: 'Ana Weiß' }), await keep('snow', { speaker: 'ANA WEISS' })];
    for (const speaker of ['ana weiss', 'Ana Weiß']) {
      expect(await list(`speaker=${encodeURIComponent(speaker)}`)).to.deep.equal(weiss.toReversed());
      const body = { query: 'white snow', agent_id: agent, speaker };
      const hits = (await api.ask('POST', '/v1/memories/search', body)).body.data as Json[];
      expect(ids(hits)).to.have.members(weiss);
    }
    await Promise.all(weiss.map((id) => api.ask('DELETE', `/v1/memories/${id}`)));
    const search = async (more: Json): Promise<string[]> =>
      ids(
        (await api.ask('POST', '/v1/memories/search', { query: 'mail chat bare', agent_id: agent, ...more })).body
          .data as Json[],
      );
    expect(await search({ metadata: { n: 1 } })).to.have.members([mail, chat]);
    expect(await search({ metadata: { n: 1, source: 'chat' } })).to.deep.equal([chat]);
    expect(await search({ metadata: { n: '1' } })).to.deep.equal([]);
    expect(await search({ sessionId: 'walk' })).to.deep.equal([bare]);
    expect(await search({ sessionId: 'walk', speaker: 'ana lee' })).to.deep.equal([bare]);
    expect(await list('occurred_before=2021-01-01T00:00:00Z')).to.deep.equal([mail]);
    expect(await list('occurred_after=2021-01-01T01:00:00%2B01:00')).to.deep.equal([bare, chat]);
    const at = String((await api.one('GET', `/v1/memories/${chat}`))['created_at']);
    for (const sort of ['created_at', 'updated_at'])
      expect([
        ...(await list(`created_after=${at}&sort=${sort}`)),
        ...(await list(`created_before=${at}&sort=${sort}`)),
      ]).to.deep.equal([bare, chat, mail]);
    await api.one('PATCH', `/v1/memories/${chat}`, { metadata: { n: 2 }, speaker: 'Bo' });
    expect(await list(has({ n: 1 }))).to.deep.equal([mail]);
    expect(await search({ metadata: { n: 2 }, speaker: 'bo' })).to.deep.equal([chat]);
    expect(await found(`/v1/memories?${has({ n: 2 })}`)).to.deep.equal([chat]);
  });
});
