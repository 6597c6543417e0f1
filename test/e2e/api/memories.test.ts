/** Memories and search over HTTP: docs/api.md 2.2, 4.1, 8.4. */
import { expect } from 'chai';
import { ids, served, until, type Json } from './support/client.js';

const { api, hooks } = served();
const agent = async (): Promise<string> =>
  String((await api.one('POST', '/v1/agents/spawn', { name: 'M' }, 201))['id']);
const make = (input: Json): Promise<Json> =>
  api.one('POST', '/v1/memories', { type: 'semantic', content: 'x', ...input }, 201);
const search = async (input: Json): Promise<Json[]> =>
  (await api.ask('POST', '/v1/memories/search', input)).body.data as Json[];
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe('black box: memory', () => {
  hooks();

  describe('memories', () => {
    it('are made with type and content alone: 201, Location, every field', async () => {
      const answer = await api.ask('POST', '/v1/memories', { type: 'semantic', content: 'The sea is salt.' });
      expect(answer.status).to.equal(201);
      const made = answer.body.data as Json;
      expect(made).to.deep.include({
        type: 'semantic',
        content: 'The sea is salt.',
        agent_id: null,
        hive_id: null,
        sessionId: null,
        importance: null,
        expires_at: null,
        metadata: {},
      });
      expect(new URL(answer.headers.get('location') ?? '', api.url).pathname).to.equal(
        `/v1/memories/${String(made['id'])}`,
      );
      expect(await api.one('GET', `/v1/memories/${String(made['id'])}`)).to.deep.equal(made);
    });

    it('keep everything that they are given', async () => {
      const agent_id = await agent();
      const expires_at = '2030-01-31T12:00:00+02:00';
      const input = {
        type: 'my.Type-1_x',
        content: ' \n"日本語" 🦊 \u0007 ',
        agent_id,
        sessionId: 's 1',
        importance: 0,
        speaker: 'Ana María',
        metadata: { deep: { list: [1, 2.5, null, true, ''] } },
      };
      const made = await make({ ...input, expires_at, occurred_at: '2023-05-08T13:56:00+02:00' });
      for (const [name, value] of Object.entries(input)) expect(made[name], name).to.deep.equal(value);
      expect(made['expires_at']).to.equal('2030-01-31T10:00:00.000Z');
      expect(made['occurred_at']).to.equal('2023-05-08T11:56:00.000Z');
      expect(await make({ agent_id, sessionId: 's 1' })).to.include({ position: Number(made['position']) + 1 });
      for (const type of ['episodic', 'semantic', 'procedural', 'working'])
        expect(await make({ type })).to.include({ type });
    });

    it('are listed by agent, hive, type and session', async () => {
      const a = await agent();
      const b = await agent();
      const [m1, m2, m3] = [
        await make({ agent_id: a, type: 'episodic', sessionId: 'L1' }),
        await make({ agent_id: a, sessionId: 'L2' }),
        await make({ agent_id: b, type: 'episodic', sessionId: 'L1' }),
      ];
      const listed = async (query: string): Promise<unknown[]> => {
        const p = await api.page(`/v1/memories?${query}`);
        expect(p.pagination.total_count, query).to.equal(p.data.length);
        return ids(p.data);
      };
      expect(await listed(`agent_id=${a}`)).to.deep.equal([m2['id'], m1['id']]);
      expect(await listed(`agent_id=${a}&type=episodic`)).to.deep.equal([m1['id']]);
      expect(await listed('sessionId=L1')).to.deep.equal([m3['id'], m1['id']]);
      expect(await listed(`sessionId=L1&agent_id=${b}`)).to.deep.equal([m3['id']]);
      expect(await listed('sessionId=L1&type=semantic')).to.deep.equal([]);
      expect(await listed('sessionId=L1&sort=updated_at')).to.deep.equal([m3['id'], m1['id']]);
      expect(await listed(`agent_id=${a}&order=asc`)).to.deep.equal([m1['id'], m2['id']]);
      expect(await listed('type=nowhere')).to.deep.equal([]);
      for (const id of ['agent_none', m1['id']])
        await api.refused('GET', `/v1/memories?agent_id=${String(id)}`, undefined, 'NOT_FOUND');
      await api.refused('GET', '/v1/memories?hive_id=hive_none', undefined, 'NOT_FOUND');
    });

    it('that have the key of another supersede it, which only searches for history find', async () => {
      const agent_id = await agent();
      const say = (content: string) => make({ content, agent_id, metadata: { key: 'vault' } });
      const find = async (more: Json) =>
        (await api.ask('POST', '/v1/memories/search', { query: 'vault code', agent_id, ...more })).body.data as Json[];
      const first = await say('The vault code is 4512.');
      const second = await say('The vault code is now 9931.');
      expect(second['supersedes']).to.equal(first['id']);
      expect((await find({})).map((m) => m['id'])).to.deep.equal([second['id']]);
      expect((await find({ include_superseded: true })).map((m) => m['id'])).to.have.members([
        first['id'],
        second['id'],
      ]);
      expect((await find({ as_of: first['occurred_at'] })).map((m) => m['id'])).to.deep.equal([first['id']]);
      const path = `/v1/memories/${String(first['id'])}`;
      const history = (await api.ask('GET', `${path}/history?order=asc`)).body;
      expect((history.data as Json[]).map((m) => m['superseded_by'])).to.deep.equal([second['id'], null]);
      expect(history.pagination).to.deep.include({ has_more: false, total_count: 2 });
      await api.refused(
        'POST',
        '/v1/memories',
        { type: 'a', content: 'x', agent_id, supersedes: first['id'] },
        'CONFLICT',
      );
      await api.refused('POST', '/v1/memories', { type: 'a', content: 'x', supersedes: first['id'] }, 'NOT_FOUND');
      await api.one('PATCH', path, { valid_until: null });
      expect(await find({})).to.have.length(2);
    });

    it('that repeat one are answered with it, and counted on it', async () => {
      const agent_id = await agent();
      const say = (content: string, status: number) =>
        api.one('POST', '/v1/memories', { type: 'semantic', content, agent_id }, status);
      const first = await say('Cats sleep all day.', 201);
      const again = await say('cats  sleep all day', 200);
      expect(again).to.deep.include({ id: first['id'], content: first['content'], times_seen: 2 });
      expect(await api.one('GET', `/v1/agents/${agent_id}`)).to.include({ memory_count: 1 });
    });

    it('are changed by PATCH: what is named changes, null removes, metadata merges', async () => {
      const made = await make({
        importance: 0.4,
        metadata: { a: 1, b: 2 },
        expires_at: inMs(60_000),
        agent_id: await agent(),
      });
      const path = `/v1/memories/${String(made['id'])}`;
      const changed = await api.one('PATCH', path, {
        content: 'the walrus is new',
        type: 'episodic',
        importance: null,
        expires_at: null,
        metadata: { a: null, c: 3 },
      });
      expect(changed).to.deep.equal({
        ...made,
        content: 'the walrus is new',
        type: 'episodic',
        importance: null,
        expires_at: null,
        metadata: { b: 2, c: 3 },
        updated_at: changed['updated_at'],
      });
      expect(Date.parse(String(changed['updated_at']))).to.be.greaterThan(Date.parse(String(made['updated_at'])));
      expect(await api.one('GET', path)).to.deep.equal(changed);
      expect(ids(await search({ query: 'walrus' }))).to.deep.equal([made['id']]);
      for (const body of [
        { content: '' },
        { content: null },
        { type: '' },
        { importance: 2 },
        { agent_id: 'agent_x' },
        { expires_at: inMs(-1000) },
        { id: 'mem_x' },
      ])
        await api.refused('PATCH', path, body, 'VALIDATION_ERROR');
      expect(await api.one('GET', path)).to.deep.equal(changed);
    });

    it('can be given the time that they tell of and who said them, and search finds by both', async () => {
      const agent_id = await agent();
      const said = (speaker: string, occurred_at: string) =>
        make({ agent_id, content: 'the ocelot sleeps by the lake', speaker, occurred_at });
      const ana = await said('Ana', '2023-05-08T12:00:00Z');
      const bo = await said('Bo', '2023-09-01T12:00:00Z');
      const found = async (more: Json): Promise<unknown[]> => ids(await search({ query: 'ocelot', agent_id, ...more }));
      expect(await found({ speaker: 'ana' })).to.deep.equal([ana['id']]);
      expect(await found({ speaker: 'Cleo' })).to.deep.equal([]);
      expect(await found({ occurred_after: '2023-09-01T12:00:00Z' })).to.deep.equal([bo['id']]);
      expect(await found({ occurred_before: '2023-09-01T12:00:00Z' })).to.deep.equal([ana['id']]);
      const path = `/v1/memories/${String(ana['id'])}`;
      const changed = await api.one('PATCH', path, { speaker: 'Bo', occurred_at: '2024-01-01T00:00:00+01:00' });
      expect(changed).to.include({ speaker: 'Bo', occurred_at: '2023-12-31T23:00:00.000Z' });
      expect(await found({ speaker: 'bo', occurred_after: '2023-10-01T00:00:00Z' })).to.deep.equal([ana['id']]);
      const plain = await api.one('PATCH', path, { speaker: null, occurred_at: null });
      expect(plain).to.include({ speaker: null, occurred_at: plain['created_at'] });
      expect(await found({ speaker: 'ana' })).to.deep.equal([]);
    });

    it('are gone at once when deleted: get, list, search, count; a second time is 404', async () => {
      const agent_id = await agent();
      const made = await make({ agent_id, content: 'the ferret hides in the flour bin' });
      const path = `/v1/memories/${String(made['id'])}`;
      expect(await search({ query: 'ferret flour' })).to.have.lengthOf(1);
      expect(await api.one('DELETE', path)).to.deep.equal({ id: made['id'], deleted: true });
      await api.refused('GET', path, undefined, 'NOT_FOUND');
      await api.refused('PATCH', path, { content: 'x' }, 'NOT_FOUND');
      await api.refused('DELETE', path, undefined, 'NOT_FOUND');
      for (const scope of [{}, { agent_id }])
        expect(await search({ query: 'ferret flour', ...scope })).to.deep.equal([]);
      expect((await api.page(`/v1/memories?agent_id=${agent_id}`)).data).to.deep.equal([]);
      expect(await api.one('GET', `/v1/agents/${agent_id}`)).to.include({ memory_count: 0 });
    });

    it('expire: then they are in no get, list, search, count or answer', async () => {
      const agent_id = await agent();
      const made = await make({ agent_id, content: 'the badger left the gate open', expires_at: inMs(3000) });
      const path = `/v1/memories/${String(made['id'])}`;
      expect(await api.one('GET', path)).to.deep.equal(made);
      expect(ids(await search({ query: 'badger gate' }))).to.deep.equal([made['id']]);
      expect(await api.one('GET', `/v1/agents/${agent_id}`)).to.include({ memory_count: 1 });
      await new Promise((r) => {
        setTimeout(r, Math.max(0, Date.parse(String(made['expires_at'])) - Date.now()) + 1);
      });
      await api.refused('GET', path, undefined, 'NOT_FOUND');
      await api.refused('PATCH', path, { content: 'x' }, 'NOT_FOUND');
      await api.refused('DELETE', path, undefined, 'NOT_FOUND');
      expect((await api.page(`/v1/memories?agent_id=${agent_id}`)).data).to.deep.equal([]);
      for (const scope of [{}, { agent_id }])
        expect(await search({ query: 'badger gate', ...scope })).to.deep.equal([]);
      expect(
        (await api.one('POST', `/v1/agents/${agent_id}/message`, { content: 'Where is the badger?' }))[
          'memories_consulted'
        ],
      ).to.deep.equal([]);
      await until(
        () => api.one('GET', `/v1/agents/${agent_id}`),
        (a) => a['memory_count'] === 0,
      );
      await until(
        () => api.page(`/v1/memories?agent_id=${agent_id}`),
        (p) => p.pagination.total_count === 0,
      );
    });
  });

  describe('search', () => {
    let a: string;
    let b: string;
    let hive: string;
    const made: Record<string, Json> = {};
    before(async () => {
      [a, b] = [await agent(), await agent()];
      hive = String((await api.one('POST', '/v1/hives', { name: 'h' }, 201))['id']);
      await api.one('POST', `/v1/hives/${hive}/agents`, { agent_id: a }, 201);
      made['exact'] = await make({ agent_id: a, content: 'The lighthouse keeper paints the lighthouse door blue.' });
      made['partly'] = await make({
        agent_id: a,
        type: 'episodic',
        content: 'A lighthouse was seen from the ferry, among many other things that day, such as whales.',
      });
      made['other'] = await make({ agent_id: b, content: 'The lighthouse keeper plays chess.' });
      made['workspace'] = await make({ content: 'Every lighthouse keeper is paid in March.' });
      made['hive'] = await api.one(
        'POST',
        `/v1/hives/${hive}/memories`,
        { type: 'semantic', content: 'The lighthouse keeper has the keys.', agent_id: a },
        201,
      );
      for (const content of ['Bread is baked at five.', 'The market opens on Monday.', 'Rain is expected.'])
        await make({ agent_id: a, content });
    });

    it('answers best first, with all fields of a memory and a relevance from 0 to 1', async () => {
      const answer = await api.ask('POST', '/v1/memories/search', {
        query: 'what colour did the lighthouse keeper paint the door?',
        agent_id: a,
      });
      expect(answer.status).to.equal(200);
      const found = answer.body.data as Json[];
      expect(ids(found)[0]).to.equal(made['exact']!['id']);
      expect(ids(found)).to.include(made['partly']!['id']);
      for (const [i, m] of found.entries()) {
        expect(m['relevance']).to.be.within(0, 1);
        if (i > 0) expect(m['relevance']).to.be.at.most(Number(found[i - 1]!['relevance']));
      }
      const { relevance: _, ...memory } = found[0]!;
      expect(memory).to.deep.equal(made['exact']);
      expect(answer.body.pagination).to.deep.equal({ next_cursor: null, has_more: false, total_count: found.length });
    });

    it('keeps to its scope: an agent, a hive, or the whole workspace', async () => {
      const names = async (scope: Json): Promise<string[]> => {
        const got = ids(await search({ query: 'lighthouse keeper', ...scope }));
        return Object.keys(made).filter((n) => got.includes(String(made[n]!['id'])));
      };
      expect(await names({ agent_id: a })).to.deep.equal(['exact', 'partly']);
      expect(await names({ agent_id: b })).to.deep.equal(['other']);
      expect(await names({ hive_id: hive })).to.deep.equal(['hive']);
      expect(await names({})).to.deep.equal(['exact', 'partly', 'other', 'workspace', 'hive']);
      for (const scope of [{ agent_id: 'agent_none' }, { hive_id: 'hive_none' }, { agent_id: hive }, { hive_id: a }])
        await api.refused('POST', '/v1/memories/search', { query: 'x', ...scope }, 'NOT_FOUND');
    });

    it('takes types, limit and min_relevance', async () => {
      expect(ids(await search({ query: 'lighthouse', types: ['episodic'] }))).to.deep.equal([made['partly']!['id']]);
      expect(await search({ query: 'lighthouse', types: ['procedural'] })).to.deep.equal([]);
      const all = await search({ query: 'lighthouse keeper' });
      for (let limit = 1; limit <= all.length; limit++)
        expect(ids(await search({ query: 'lighthouse keeper', limit }))).to.deep.equal(ids(all).slice(0, limit));
      const floor = Number(all[1]!['relevance']);
      expect(ids(await search({ query: 'lighthouse keeper', min_relevance: floor }))).to.deep.equal(
        ids(all.filter((m) => Number(m['relevance']) >= floor)),
      );
      expect(await search({ query: 'quantum chromodynamics' })).to.deep.equal([]);
      // without a word there is nothing to be relevant to: only what is newest, at the bottom of the scale
      for (const m of await search({ query: '?!' })) expect(m['relevance']).to.be.at.most(0.05);
    });

    it('explains on request what each hit was ordered by: shares that add up to its score, which falls', async () => {
      for (const scope of [{}, { agent_id: a }, { hive_id: hive }]) {
        const scores = (await search({ query: 'lighthouse keeper', explain: true, ...scope })).map((m) => {
          const { score, shares } = m['explanation'] as { score: number; shares: Record<string, number> };
          expect(shares).to.include.all.keys('own', 'near', 'session');
          expect(Object.values(shares).reduce((x, y) => x + y, 0)).to.be.closeTo(score, 0.01);
          return score;
        });
        expect(scores).to.not.be.empty;
        expect(scores).to.deep.equal(scores.toSorted((x, y) => y - x));
      }
      for (const m of await search({ query: 'lighthouse' })) expect(m).to.not.have.property('explanation');
    });
  });

  describe('usage', () => {
    it('tells the cycle, what is used of the quota, and what is stored', async () => {
      const before = await api.one('GET', '/v1/usage');
      expect(before).to.include({ mode: 'live', limit: null, remaining: null });
      const cycle = before['cycle'] as { start: string; end: string };
      const now = new Date();
      expect(cycle).to.deep.equal({
        start: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString(),
        end: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
      });
      const one = await make({ type: 'usagetype' });
      const two = await make({ type: 'usagetype', agent_id: await agent() });
      await make({ type: 'usagetype', expires_at: inMs(3_600_000) });
      const after = await api.one('GET', '/v1/usage');
      expect(after).to.include({
        used: Number(before['used']) + 2,
        memories: Number(before['memories']) + 3,
        agents: Number(before['agents']) + 1,
        hives: before['hives'],
      });
      expect((after['by_type'] as Json)['usagetype']).to.equal(3);
      for (const m of [one, two]) await api.one('DELETE', `/v1/memories/${String(m['id'])}`);
      const last = await api.one('GET', '/v1/usage');
      expect(last).to.include({ used: before['used'], memories: Number(before['memories']) + 1 });
      expect((last['by_type'] as Json)['usagetype']).to.equal(1);
    });
  });
});
