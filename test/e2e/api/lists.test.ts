/**
 * Every list of the API: envelope, page sizes, cursors to the end, sorts, orders, offsets (docs/api.md 2.11, 4.1, 8.5).
 */
import { expect } from 'chai';
import { everyItem, ids, served, type Api, type Json } from './support/client.js';

const { api, hooks } = served(() => ({}));
const count = 45;
const agentNames = Array.from({ length: count }, (_, i) => `n${i}`);

interface List {
  path: string;
  updates: boolean;
  offset: boolean;
  ownLimit?: boolean;
}
const lists = new Map<string, List>();

async function inOrder(make: (i: number) => Promise<unknown>, times = count): Promise<void> {
  for (let i = 0; i < times; i++) await make(i);
}

async function fill(client: Api): Promise<void> {
  const hive = String((await client.one('POST', '/v1/hives', { name: 'h' }, 201))['id']);
  await inOrder((i) => client.one('POST', '/v1/agents/spawn', { name: agentNames[i], hives: [hive] }, 201));
  const agent = String((await client.page('/v1/agents?order=asc&page_size=1')).data[0]!['id']);
  const own = `/v1/agent-constellations/${agent}`;
  await inOrder((i) =>
    client.one(
      'POST',
      '/v1/memories',
      { type: 'semantic', content: `fact ${i}`, agent_id: agent, sessionId: 'one' },
      201,
    ),
  );
  await inOrder((i) => client.one('POST', '/v1/hives', { name: `hive ${i}` }, 201));
  await inOrder((i) => client.one('POST', '/v1/keys', { name: `k${i}`, mode: 'test' }, 201));
  await inOrder((i) => client.one('POST', `${own}/tokens`, { name: `t${i}`, scopes: ['agent:read'] }, 201));
  await inOrder((i) => client.one('POST', `${own}/messages`, { content: `mail ${i}` }, 201));
  await inOrder((i) =>
    client.one(
      'POST',
      `/v1/hives/${hive}/memories`,
      { type: 'semantic', content: `shared ${i}`, agent_id: agent },
      201,
    ),
  );
  await inOrder((i) => client.one('POST', `/v1/agents/${agent}/message`, { content: `hello ${i}` }), count + 10); // a thought each, more than a page of 50
  const set = (path: string, updates: boolean, offset = false): unknown => lists.set(path, { path, updates, offset });
  set('/v1/agents', true, true);
  set('/v1/memories', true, true);
  set(`/v1/memories?agent_id=${agent}`, true, true);
  set('/v1/memories?sessionId=one', true, true);
  set('/v1/memories?type=semantic', true, true);
  set('/v1/agents?status=active', true, true);
  set('/v1/memories?created_after=2020-01-01T00:00:00Z', true, true);
  set('/v1/runs', false);
  set('/v1/runs?status=completed', false);
  set(`/v1/runs?agent_id=${agent}&status=completed`, false);
  set('/v1/hives', true);
  set('/v1/keys', false);
  set(`/v1/hives/${hive}/agents`, false);
  set(`/v1/hives/${hive}/memories`, true);
  set(`${own}/runs`, true);
  set(`${own}/tokens`, false);
  set(`${own}/messages`, false);
  set(`${own}/checkpoints`, false);
  lists.set(`${own}/thoughts`, { path: `${own}/thoughts`, updates: false, offset: false, ownLimit: true });
}

const and = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;
const time = (item: Json, field: string): number => Date.parse(String(item[field]));

describe('black box: lists', function suite() {
  hooks();
  this.timeout(20_000);
  before(async function prepare() {
    this.timeout(60_000);
    await fill(api);
  });

  it('give 20 a page by default, newest first, and tell how many there are', async () => {
    for (const { path, ownLimit } of lists.values()) {
      const page = await api.page(path);
      const total = (await everyItem(api, path, 100)).length;
      expect(page.data.length, path).to.equal(ownLimit ? 50 : 20);
      expect(page.pagination, path).to.include({ has_more: true, total_count: total });
      expect(total, path).to.be.at.least(count);
      if (!ownLimit) continue;
      expect((await api.page(and(path, 'limit=1000'))).data, path).to.have.length(total);
      await api.refused('GET', and(path, 'limit=1001'), undefined, 'VALIDATION_ERROR');
    }
  });

  it('page to the end in every sort and order, without gap or doubling', async () => {
    for (const { path, updates } of lists.values()) {
      const mailbox = path.endsWith('/messages');
      for (const sort of ['created_at', 'updated_at', 'relevance'])
        for (const order of ['asc', 'desc']) {
          const query = and(path, `sort=${sort}&order=${order}`);
          const whole = await everyItem(api, query, 100);
          const field = sort === 'updated_at' && updates ? 'updated_at' : 'created_at';
          expect(new Set(ids(whole)).size, query).to.equal(whole.length);
          const times = whole.map((i) => time(i, field));
          expect(times, query).to.deep.equal(times.toSorted((a, b) => (order === 'asc' ? a - b : b - a)));
          expect(ids(await everyItem(api, query, 20)), query).to.deep.equal(ids(whole));
          if (!mailbox && order === 'desc')
            expect(ids(await everyItem(api, and(path, `sort=${sort}`), 45)), 'desc is the default').to.deep.equal(
              ids(whole),
            );
        }
    }
  });

  it('sorted by updated_at go by the last change', async () => {
    const all = await everyItem(api, '/v1/agents?order=asc', 100);
    const changed = all[20]!;
    await api.one('PATCH', `/v1/agents/${String(changed['id'])}`, { metadata: { touched: true } });
    expect((await api.page('/v1/agents?sort=updated_at&page_size=1')).data[0]).to.include({ id: changed['id'] });
    expect((await api.page('/v1/agents?page_size=1')).data[0]).to.include({ id: all.at(-1)!['id'] });
    expect(ids(await everyItem(api, '/v1/agents?sort=updated_at&order=asc', 7)).at(-1)).to.equal(changed['id']);
  });

  it('limit and offset work on agents and memories, and are 400 elsewhere', async () => {
    for (const { path, offset, ownLimit } of lists.values()) {
      if (!offset) {
        await api.refused('GET', and(path, 'offset=0'), undefined, 'VALIDATION_ERROR');
        if (!ownLimit) await api.refused('GET', and(path, 'limit=5'), undefined, 'VALIDATION_ERROR');
        continue;
      }
      const whole = ids(await everyItem(api, path, 100));
      for (const [limit, from] of [
        [5, 0],
        [5, 3],
        [100, 40],
        [1, 44],
        [10, whole.length],
      ] as const) {
        const page = await api.page(and(path, `limit=${limit}&offset=${from}`));
        expect(ids(page.data), path).to.deep.equal(whole.slice(from, from + limit));
        expect(page.pagination).to.include({ has_more: from + limit < whole.length, total_count: whole.length });
      }
      expect(ids((await api.page(and(path, 'offset=2'))).data)).to.deep.equal(whole.slice(2, 22));
      const page = await api.page(and(path, 'limit=5&offset=3'));
      expect(
        ids((await api.page(and(path, `limit=5&cursor=${page.pagination.next_cursor}`))).data),
        'the cursor goes on after an offset',
      ).to.deep.equal(whole.slice(8, 13));
    }
  });

  it('go on where they were when things come and go meanwhile', async () => {
    const first = await api.page('/v1/hives?page_size=10&order=asc');
    const whole = await everyItem(api, '/v1/hives?order=asc', 100);
    await api.one('DELETE', `/v1/hives/${String(whole[9]!['id'])}`);
    await api.one('DELETE', `/v1/hives/${String(whole[12]!['id'])}`);
    const rest = await api.page(`/v1/hives?page_size=100&order=asc&cursor=${first.pagination.next_cursor}`);
    expect(ids(rest.data)).to.deep.equal(ids(whole.slice(10)).filter((id) => id !== whole[12]!['id']));
    expect(rest.pagination.total_count).to.equal(whole.length - 2);
  });
});
