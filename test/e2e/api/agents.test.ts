/** Agents over HTTP: docs/api.md 2.1, 3.3, 4.1. */
import { expect } from 'chai';
import { ids, served, until, type Json } from './support/client.js';

const { api, hooks } = served();
const spawn = (input: Json): Promise<Json> => api.one('POST', '/v1/agents/spawn', input, 201);
const path = (agent: Json): string => `/v1/agents/${String(agent['id'])}`;

describe('black box: agents', () => {
  hooks();
  it('spawns with a name alone: 201, Location, every field of the agent object with its default', async () => {
    const answer = await api.ask('POST', '/v1/agents/spawn', { name: 'Ada' });
    expect(answer.status).to.equal(201);
    const made = answer.body.data as Json;
    expect(made).to.include({
      name: 'Ada',
      description: '',
      status: 'active',
      memory_count: 0,
      message_count: 0,
      wake_on_message: false,
      memory_quota: null,
    });
    expect(made['hives']).to.deep.equal([]);
    expect(made['metadata']).to.deep.equal({});
    expect(new URL(answer.headers.get('location') ?? '', api.url).pathname).to.equal(path(made));
    expect(await api.one('GET', path(made))).to.deep.equal(made);
  });

  it('spawns with everything', async () => {
    const hive = await api.one('POST', '/v1/hives', { name: 'harbour' }, 201);
    const input = {
      name: 'Bob — 灯台',
      description: 'keeps the quay',
      hives: [hive['id']],
      metadata: { team: { x: [1, null, 'é'] } },
      wake_on_message: true,
      memory_quota: 7,
      maxRuntimeSeconds: 60,
      config: {
        model: 'built-in',
        temperature: 0.5,
        multi_step: true,
        max_steps: 4,
        instructions: 'Be brief.',
        validation_gate: 'none',
        memory: { min_relevance: 0.2, recall_limit: 3 },
      },
    };
    const made = await spawn(input);
    for (const [name, value] of Object.entries(input)) expect(made[name], name).to.deep.equal(value);
    expect(await api.one('GET', path(made))).to.deep.equal(made);
  });

  it('PUT replaces what it names and keeps the rest; PATCH merges, and null removes', async () => {
    const made = await spawn({
      name: 'Cy',
      description: 'd',
      config: { max_steps: 3, memory: { recall_limit: 2, min_relevance: 0.1 } },
      metadata: { a: 1, b: { c: 2, d: 3 } },
      memory_quota: 5,
    });
    const put = await api.one('PUT', path(made), { config: { temperature: 1 }, metadata: { z: 1 } });
    expect(put).to.include({ name: 'Cy', description: 'd', memory_quota: 5, created_at: made['created_at'] });
    expect(put['config']).to.deep.equal({ temperature: 1 });
    expect(put['metadata']).to.deep.equal({ z: 1 });
    await api.one('PUT', path(made), {
      config: { max_steps: 3, memory: { recall_limit: 2, min_relevance: 0.1 } },
      metadata: { a: 1, b: { c: 2, d: 3 } },
    });

    const patched = await api.one('PATCH', path(made), {
      config: { memory: { recall_limit: null } },
      metadata: { a: null, b: { d: 4 } },
      wake_on_message: true,
      memory_quota: null,
      description: null,
    });
    expect(patched['config']).to.deep.equal({ max_steps: 3, memory: { min_relevance: 0.1 } });
    expect(patched['metadata']).to.deep.equal({ b: { c: 2, d: 4 } });
    expect(patched).to.include({ name: 'Cy', wake_on_message: true, memory_quota: null, description: '' });
    expect(Date.parse(String(patched['updated_at']))).to.be.greaterThan(Date.parse(String(made['updated_at'])));
    expect(await api.one('GET', path(made))).to.deep.equal(patched);
  });

  it('takes back the whole object that it gave, as PUT', async () => {
    const made = await spawn({ name: 'Whole', metadata: { a: 1 } });
    const again = await api.one('PUT', path(made), { ...made, name: 'Changed', memory_count: 99, id: 'agent_other' });
    expect(again).to.deep.include({ id: made['id'], name: 'Changed', memory_count: 0, metadata: { a: 1 } });
  });

  it('refuses a PATCH whose merged config is not valid, and keeps what was there', async () => {
    const made = await spawn({ name: 'Dee', config: { max_steps: 3 } });
    const error = await api.refused(
      'PATCH',
      path(made),
      { config: { max_steps: 0 }, name: 'Other' },
      'VALIDATION_ERROR',
    );
    expect(error.details.issues?.[0]?.path).to.equal('config.max_steps');
    expect(error.details.issues?.[0]?.message).to.match(/1/, 'says what was expected');
    expect(await api.one('GET', path(made))).to.deep.equal(made);
  });

  describe('that are inactive', () => {
    it('keep their memory and settings, refuse commands with 409 AGENT_INACTIVE, and may become active again', async () => {
      const made = await spawn({ name: 'Eve' });
      const id = String(made['id']);
      expect(await api.one('PUT', path(made), { status: 'inactive' })).to.include({ status: 'inactive', name: 'Eve' });
      const error = await api.refused('POST', `${path(made)}/message`, { content: 'hello' }, 'AGENT_INACTIVE');
      expect(error.message).to.contain(id);
      await api.refused('POST', `/v1/agent-constellations/${id}/runs`, { input: 'hello' }, 'AGENT_INACTIVE');
      await api.refused('POST', `/v1/agent-constellations/${id}/messages`, { content: 'hello' }, 'AGENT_INACTIVE');
      for (const list of ['runs', 'messages', 'thoughts', 'checkpoints'])
        expect((await api.page(`/v1/agent-constellations/${id}/${list}`)).data).to.deep.equal([]);
      expect(await api.one('GET', path(made))).to.include({ message_count: 0 });
      expect(await api.one('PATCH', path(made), { status: 'active' })).to.include({ status: 'active' });
      expect(await api.one('POST', `${path(made)}/message`, { content: 'hello' })).to.include({ status: 'completed' });
    });

    it('refuse to resume what they paused before', async () => {
      const made = await spawn({ name: 'Gate', config: { validation_gate: 'answer' } });
      const runs = `/v1/agent-constellations/${String(made['id'])}/runs`;
      const run = await api.one('POST', runs, { input: 'hello' }, 202);
      const runPath = `${runs}/${String(run['id'])}`;
      await until(
        () => api.one('GET', runPath),
        (r) => r['status'] === 'paused',
      );
      await api.one('PUT', path(made), { status: 'inactive' });
      await api.refused('POST', `${runPath}/resume`, { decision: 'approve' }, 'AGENT_INACTIVE');
      expect(await api.one('GET', runPath)).to.include({ status: 'paused' });
      await api.one('PUT', path(made), { status: 'active' });
      await api.one('POST', `${runPath}/resume`, { decision: 'approve' }, 202);
      await until(
        () => api.one('GET', runPath),
        (r) => r['status'] === 'completed',
      );
    });
  });

  it('what is terminated, by PUT or PATCH, can be read, deleted and set inactive, but not active at once', async () => {
    for (const method of ['PUT', 'PATCH']) {
      const made = await spawn({ name: 'Fay' });
      expect(await api.one(method, path(made), { status: 'terminated' })).to.include({ status: 'terminated' });
      for (const again of ['PUT', 'PATCH']) await api.refused(again, path(made), { status: 'active' }, 'CONFLICT');
      await api.refused('POST', `${path(made)}/message`, { content: 'hello' }, 'AGENT_INACTIVE');
      expect(await api.one('GET', path(made))).to.include({ status: 'terminated' });
      for (const status of ['inactive', 'active'])
        expect(await api.one(method, path(made), { status })).to.include({ status });
      expect(await api.one('DELETE', path(made))).to.deep.equal({ id: made['id'], deleted: true });
    }
  });

  it('deletes for good: the agent, its memories, runs, messages and tokens; a second time is 404', async () => {
    const made = await spawn({ name: 'Gus' });
    const id = String(made['id']);
    const own = `/v1/agent-constellations/${id}`;
    const memory = await api.one(
      'POST',
      '/v1/memories',
      { type: 'semantic', content: 'the zebra sleeps in the tower', agent_id: id },
      201,
    );
    await api.one('POST', `${path(made)}/message`, { content: 'where does the zebra sleep?' });
    const mail = await api.one('POST', `${own}/messages`, { content: 'zebra mail' }, 201);
    expect(ids((await api.page('/v1/memories?limit=100')).data)).to.include(memory['id']);
    expect(await api.one('DELETE', path(made))).to.deep.equal({ id, deleted: true });
    await api.refused('DELETE', path(made), undefined, 'NOT_FOUND');
    await api.refused('GET', path(made), undefined, 'NOT_FOUND');
    await api.refused('PUT', path(made), { name: 'x' }, 'NOT_FOUND');
    await api.refused('PATCH', path(made), { name: 'x' }, 'NOT_FOUND');
    await api.refused('POST', `${path(made)}/message`, { content: 'x' }, 'NOT_FOUND');
    await api.refused('GET', `/v1/memories/${String(memory['id'])}`, undefined, 'NOT_FOUND');
    await api.refused('GET', `/v1/memories?agent_id=${id}`, undefined, 'NOT_FOUND');
    await api.refused('POST', '/v1/memories/search', { query: 'zebra', agent_id: id }, 'NOT_FOUND');
    for (const list of ['runs', 'messages', 'thoughts', 'checkpoints', 'tokens'])
      await api.refused('GET', `${own}/${list}`, undefined, 'NOT_FOUND');
    const found = await api.ask('POST', '/v1/memories/search', { query: 'zebra mail tower' });
    for (const gone of [memory['id'], mail['id']]) expect(ids(found.body.data as Json[])).to.not.include(gone);
    expect(ids((await api.page('/v1/memories?limit=100')).data)).to.not.include(memory['id']);
    expect(ids((await api.page('/v1/agents?limit=100')).data)).to.not.include(id);
  });

  it('counts memories and messages, and notes the last activity', async () => {
    const made = await spawn({ name: 'Hal' });
    const id = String(made['id']);
    for (const content of ['one', 'two'])
      await api.one('POST', '/v1/memories', { type: 'episodic', content, agent_id: id }, 201);
    await api.one('POST', `${path(made)}/message`, { content: 'hello there' });
    const now = await api.one('GET', path(made));
    expect(now).to.include({ memory_count: 2, message_count: 1 });
    expect(Date.parse(String(now['last_active_at']))).to.be.greaterThan(Date.parse(String(made['last_active_at'])));
  });

  it('refuses memories past memory_quota with 403 QUOTA_EXCEEDED; those with expires_at do not count', async () => {
    const made = await spawn({ name: 'Ida', memory_quota: 1 });
    const agent_id = made['id'];
    const soon = new Date(Date.now() + 3_600_000).toISOString(); // not while others count memories
    await api.one('POST', '/v1/memories', { type: 'working', content: 'short-lived', agent_id, expires_at: soon }, 201);
    await api.one('POST', '/v1/memories', { type: 'semantic', content: 'one', agent_id }, 201);
    await api.refused('POST', '/v1/memories', { type: 'semantic', content: 'two', agent_id }, 'QUOTA_EXCEEDED');
    await api.one(
      'POST',
      '/v1/memories',
      { type: 'working', content: 'short-lived too', agent_id, expires_at: soon },
      201,
    );
    expect((await api.page(`/v1/memories?agent_id=${String(agent_id)}`)).pagination.total_count).to.equal(3);
    await api.one('PATCH', path(made), { memory_quota: null });
    await api.one('POST', '/v1/memories', { type: 'semantic', content: 'two', agent_id }, 201);
  });

  it('does not spawn into a hive that is not there', async () => {
    const before = (await api.page('/v1/agents')).pagination.total_count;
    const error = await api.refused(
      'POST',
      '/v1/agents/spawn',
      { name: 'Jo', hives: ['hive_nowhere'] },
      'VALIDATION_ERROR',
    );
    expect(error.details.issues?.[0]?.path).to.equal('hives.0');
    expect((await api.page('/v1/agents')).pagination.total_count).to.equal(before);
  });
});
