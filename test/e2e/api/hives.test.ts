/** Hives: what agents share (docs/api.md 1). */
import { expect } from 'chai';
import { ids, served, type Json } from './support/client.js';

const { api, hooks } = served();
const hive = async (input: Json = {}): Promise<string> =>
  String((await api.one('POST', '/v1/hives', { name: 'harbour', ...input }, 201))['id']);
const agent = async (input: Json = {}): Promise<string> =>
  String((await api.one('POST', '/v1/agents/spawn', { name: 'A', ...input }, 201))['id']);
const share = (h: string, agent_id: string, content: string): Promise<Json> =>
  api.one('POST', `/v1/hives/${h}/memories`, { type: 'semantic', content, agent_id }, 201);

describe('black box: hives', () => {
  hooks();
  it('are made with a name, read, listed and deleted', async () => {
    const answer = await api.ask('POST', '/v1/hives', { name: 'harbour', description: 'd', metadata: { a: [1] } });
    expect(answer.status).to.equal(201);
    const made = answer.body.data as Json;
    const path = `/v1/hives/${String(made['id'])}`;
    expect(made).to.deep.include({ name: 'harbour', description: 'd', metadata: { a: [1] }, memory_count: 0 });
    expect(new URL(answer.headers.get('location') ?? '', api.url).pathname).to.equal(path);
    expect(await api.one('GET', path)).to.deep.equal(made);
    expect((await api.page('/v1/hives')).data[0]).to.deep.equal(made);
    expect(await api.one('DELETE', path)).to.deep.equal({ id: made['id'], deleted: true });
    for (const [method, p, body] of [
      ['GET', path],
      ['DELETE', path],
      ['GET', `${path}/agents`],
      ['GET', `${path}/memories`],
      ['POST', `${path}/agents`, { agent_id: 'agent_x' }],
      ['POST', `${path}/memories`, { type: 'semantic', content: 'x', agent_id: 'agent_x' }],
    ] as const)
      await api.refused(method, p, body, 'NOT_FOUND');
    for (const body of [{}, { name: '' }, { name: 5 }, { name: 'x', members: [] }])
      await api.refused('POST', '/v1/hives', body, 'VALIDATION_ERROR');
  });

  it('are renamed, and keep what a patch does not name', async () => {
    const h = await hive({ description: 'd', metadata: { a: 1, b: { c: 2 } } });
    const before = await api.one('GET', `/v1/hives/${h}`);
    const renamed = await api.one('PATCH', `/v1/hives/${h}`, { name: 'port', metadata: { a: null, '': 'empty' } });
    expect(renamed).to.deep.include({ name: 'port', description: 'd', metadata: { b: { c: 2 }, '': 'empty' } });
    expect(renamed['updated_at']).to.not.equal(before['updated_at']);
    expect(await api.one('GET', `/v1/hives/${h}`)).to.deep.equal(renamed);
    expect(await api.one('PATCH', `/v1/hives/${h}`, { description: null, metadata: null })).to.deep.include({
      name: 'port',
      description: '',
      metadata: {},
    });
    for (const body of [{ name: '' }, { name: null }, { memory_count: 1 }, { metadata: { big: 'x'.repeat(17_000) } }])
      await api.refused('PATCH', `/v1/hives/${h}`, body, 'VALIDATION_ERROR');
    await api.refused('PATCH', '/v1/hives/hive_none', { name: 'x' }, 'NOT_FOUND');
  });

  it('take metadata with an empty key', async () => {
    const h = await hive({ metadata: { '': 1 } });
    expect((await api.one('GET', `/v1/hives/${h}`))['metadata']).to.deep.equal({ '': 1 });
  });

  it('have agents, who come and go', async () => {
    const h = await hive();
    const born = await agent({ hives: [h] });
    const joining = await agent();
    const answer = await api.ask('POST', `/v1/hives/${h}/agents`, { agent_id: joining });
    expect(answer.status).to.equal(201);
    expect((answer.body.data as Json)['hives']).to.deep.equal([h]);
    const members = await api.page(`/v1/hives/${h}/agents`);
    expect(ids(members.data)).to.have.members([born, joining]);
    expect(members.pagination.total_count).to.equal(2);
    expect(await api.one('DELETE', `/v1/hives/${h}/agents/${joining}`)).to.deep.equal({ id: joining, deleted: true });
    expect((await api.one('GET', `/v1/agents/${joining}`))['hives']).to.deep.equal([]);
    await api.refused('DELETE', `/v1/hives/${h}/agents/${joining}`, undefined, 'NOT_FOUND');
    await api.one('PATCH', `/v1/agents/${born}`, { hives: [] });
    expect((await api.page(`/v1/hives/${h}/agents`)).data).to.deep.equal([]);
    await api.refused('POST', `/v1/hives/${h}/agents`, { agent_id: 'agent_none' }, 'NOT_FOUND');
    await api.refused('POST', `/v1/hives/${h}/agents`, { agent_id: h }, 'NOT_FOUND');
    await api.refused('POST', `/v1/hives/${h}/agents`, {}, 'VALIDATION_ERROR');
  });

  it('share memories, which say who shared them, among members only', async () => {
    const h = await hive();
    const member = await agent({ hives: [h] });
    const stranger = await agent();
    const answer = await api.ask('POST', `/v1/hives/${h}/memories`, {
      type: 'procedural',
      content: 'Tie the boat twice.',
      agent_id: member,
      importance: 0.5,
      metadata: { x: 1 },
    });
    expect(answer.status).to.equal(201);
    const memory = answer.body.data as Json;
    expect(memory).to.include({ hive_id: h, agent_id: null, shared_by: member, type: 'procedural', importance: 0.5 });
    expect(new URL(answer.headers.get('location') ?? '', api.url).pathname).to.equal(
      `/v1/memories/${String(memory['id'])}`,
    );
    expect((await api.page(`/v1/hives/${h}/memories`)).data).to.deep.equal([memory]);
    expect((await api.page(`/v1/memories?hive_id=${h}`)).data).to.deep.equal([memory]);
    expect(await api.one('GET', `/v1/memories/${String(memory['id'])}`)).to.deep.equal(memory);
    expect(await api.one('GET', `/v1/hives/${h}`)).to.include({ memory_count: 1 });
    await api.refused(
      'POST',
      `/v1/hives/${h}/memories`,
      { type: 'semantic', content: 'x', agent_id: stranger },
      'VALIDATION_ERROR',
    );
    await api.refused(
      'POST',
      `/v1/hives/${h}/memories`,
      { type: 'semantic', content: 'x', agent_id: 'agent_none' },
      'NOT_FOUND',
    );
    await api.refused('POST', `/v1/hives/${h}/memories`, { type: 'semantic', content: 'x' }, 'VALIDATION_ERROR');
    expect(await api.one('GET', `/v1/hives/${h}`)).to.include({ memory_count: 1 });
  });

  it('that are deleted take what is shared with them, and their members leave', async () => {
    const h = await hive();
    const member = await agent({ hives: [h] });
    const memory = await share(h, member, 'The gull eats chips on the pier.');
    await api.one('DELETE', `/v1/hives/${h}`);
    expect((await api.one('GET', `/v1/agents/${member}`))['hives']).to.deep.equal([]);
    await api.refused('GET', `/v1/memories/${String(memory['id'])}`, undefined, 'NOT_FOUND');
    expect((await api.ask('POST', '/v1/memories/search', { query: 'gull chips pier' })).body.data).to.deep.equal([]);
    expect(
      (await api.one('POST', `/v1/agents/${member}/message`, { content: 'What does the gull eat?' }))[
        'memories_consulted'
      ],
    ).to.deep.equal([]);
    expect(ids((await api.page('/v1/memories?limit=100')).data)).to.not.include(memory['id']);
  });

  it('lose what an agent shared when it is deleted, and keep what others did', async () => {
    const h = await hive();
    const a = await agent({ hives: [h] });
    const b = await agent({ hives: [h] });
    const gone = await share(h, a, 'The anchor is rusty.');
    const kept = await share(h, b, 'The anchor weighs a ton.');
    await api.one('DELETE', `/v1/agents/${a}`);
    await api.refused('GET', `/v1/memories/${String(gone['id'])}`, undefined, 'NOT_FOUND');
    expect(ids((await api.page(`/v1/hives/${h}/memories`)).data)).to.deep.equal([kept['id']]);
    expect(await api.one('GET', `/v1/hives/${h}`)).to.include({ memory_count: 1 });
    expect(
      ids((await api.ask('POST', '/v1/memories/search', { query: 'anchor', hive_id: h })).body.data as Json[]),
    ).to.deep.equal([kept['id']]);
    expect(ids((await api.page(`/v1/hives/${h}/agents`)).data)).to.deep.equal([b]);
  });

  it('also lose what an agent shared before it left', async () => {
    const h = await hive();
    const a = await agent({ hives: [h] });
    const memory = await share(h, a, 'The tug is called Lotte.');
    await api.one('DELETE', `/v1/hives/${h}/agents/${a}`);
    expect(ids((await api.page(`/v1/hives/${h}/memories`)).data)).to.deep.equal([memory['id']]);
    await api.one('DELETE', `/v1/agents/${a}`);
    expect((await api.page(`/v1/hives/${h}/memories`)).data).to.deep.equal([]);
  });
});
