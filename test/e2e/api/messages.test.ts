/** Messages that wait for an answer, and the native mailbox: docs/api.md 1, 3.2, 4.1, 6.3. */
import { expect } from 'chai';
import { everyItem, ids, served, until, type Json } from './support/client.js';

const { api, hooks } = served();
const spawn = async (input: Json = {}): Promise<string> =>
  String((await api.one('POST', '/v1/agents/spawn', { name: 'Ada', ...input }, 201))['id']);
const of = (agent: string): string => `/v1/agent-constellations/${agent}`;
const send = (agent: string, content: string, more: Json = {}): Promise<Json> =>
  api.one('POST', `${of(agent)}/messages`, { content, ...more }, 201);

describe('black box: messages and mailbox', () => {
  hooks();

  describe('messages', () => {
    it('answer with what was consulted, each with its relevance, and leave a run', async () => {
      const agent = await spawn();
      const memory = await api.one(
        'POST',
        '/v1/memories',
        { type: 'semantic', content: 'The launch is on 12 May, from the north quay.', agent_id: agent },
        201,
      );
      await api.one('POST', '/v1/memories', { type: 'semantic', content: 'Cats sleep all day.', agent_id: agent }, 201);
      const reply = await api.one('POST', `/v1/agents/${agent}/message`, { content: 'When is the launch?' });
      expect(reply).to.include({ status: 'completed', error: null, waitingFor: null });
      expect(reply['response']).to.contain('12 May');
      const used = reply['memories_consulted'] as Json[];
      expect(ids(used)[0]).to.equal(memory['id']);
      for (const [i, m] of used.entries()) {
        expect(m['relevance']).to.be.within(0, 1);
        if (i > 0) expect(m['relevance']).to.be.at.most(Number(used[i - 1]!['relevance']));
      }
      expect(ids(used)).to.have.lengthOf(1, 'cats have nothing to do with it');
      const run = await api.one('GET', `${of(agent)}/runs/${String(reply['run_id'])}`);
      expect(run).to.include({
        status: 'completed',
        stopReason: 'answer',
        input: 'When is the launch?',
        output: reply['response'],
        sessionId: reply['sessionId'],
        triggeredBy: 'api',
      });
    });

    it('tell that a budget was used up, so that half an answer is not taken for one', async () => {
      const agent = await spawn({ config: { multi_step: true, max_steps: 2 } });
      const content = 'Work in 4 steps: when is the launch?';
      const reply = await api.one('POST', `/v1/agents/${agent}/message`, { content });
      expect(reply).to.include({ status: 'completed', stopReason: 'max_steps' });
      const whole = await api.one('POST', `/v1/agents/${await spawn()}/message`, { content: 'Say: hello' });
      expect(whole).to.include({ status: 'completed', stopReason: 'answer', response: 'hello' });
    });

    it('keep the session that they name', async () => {
      const agent = await spawn();
      expect(
        await api.one('POST', `/v1/agents/${agent}/message`, { content: 'hello', sessionId: 'my-session 1' }),
      ).to.include({ sessionId: 'my-session 1' });
      expect((await api.page(`${of(agent)}/thoughts?sessionId=my-session%201`)).data).to.not.be.empty;
    });

    it('answer also where the agent knows nothing, and tell nothing of what other agents know', async () => {
      const other = await spawn();
      const agent = await spawn();
      await api.one(
        'POST',
        '/v1/memories',
        { type: 'semantic', content: 'The password of the vault is swordfish.', agent_id: other },
        201,
      );
      const reply = await api.one('POST', `/v1/agents/${agent}/message`, {
        content: 'What is the password of the vault?',
      });
      expect(reply['memories_consulted']).to.deep.equal([]);
      expect(reply['response']).to.be.a('string').and.not.contain('swordfish');
    });

    it('consult what is shared with a hive of the agent, and not of another hive', async () => {
      const hive = await api.one('POST', '/v1/hives', { name: 'h' }, 201);
      const member = await spawn({ hives: [hive['id']] });
      const agent = await spawn({ hives: [hive['id']] });
      const stranger = await spawn();
      const shared = await api.one(
        'POST',
        `/v1/hives/${String(hive['id'])}/memories`,
        { type: 'semantic', content: 'The pilot boat leaves at a quarter past eight.', agent_id: member },
        201,
      );
      const ask = (a: string): Promise<Json> =>
        api.one('POST', `/v1/agents/${a}/message`, { content: 'When does the pilot boat leave?' });
      expect(ids((await ask(agent))['memories_consulted'] as Json[])).to.deep.equal([shared['id']]);
      expect((await ask(stranger))['memories_consulted']).to.deep.equal([]);
    });

    it('that pause at a gate answer with the status and what is waited for, and no response', async () => {
      const agent = await spawn({ config: { validation_gate: 'answer' } });
      const reply = await api.one('POST', `/v1/agents/${agent}/message`, { content: 'hello' });
      expect(reply).to.include({ status: 'paused', response: null });
      expect(reply['waitingFor']).to.include({ kind: 'approval' });
    });
  });

  describe('the mailbox', () => {
    it('takes in a message: 201 with Location and all fields', async () => {
      const agent = await spawn();
      const sender = await spawn();
      const answer = await api.ask('POST', `${of(agent)}/messages`, {
        content: 'Hello, agent',
        from: sender,
        reply_to: 'msg_1',
        metadata: { k: [1] },
      });
      expect(answer.status).to.equal(201);
      expect(answer.headers.get('location')).to.contain(`${of(agent)}/messages`);
      const mail = answer.body.data as Json;
      expect(mail).to.deep.include({
        agent_id: agent,
        content: 'Hello, agent',
        from: sender,
        reply_to: 'msg_1',
        metadata: { k: [1] },
        read_at: null,
      });
      const page = await api.page(`${of(agent)}/messages`);
      expect(page.data).to.deep.equal([mail]);
      expect(page.pagination).to.deep.equal({ next_cursor: null, has_more: false, total_count: 1 });
      const plain = await send(agent, 'only content');
      expect(plain).to.deep.include({ from: 'external', reply_to: null, metadata: {} });
    });

    it('is durable memory that recall finds, and costs no quota', async () => {
      const agent = await spawn({ memory_quota: 0 });
      const mail = await send(agent, 'the heron nests behind the boathouse');
      const found = (await api.ask('POST', '/v1/memories/search', { query: 'heron boathouse', agent_id: agent })).body
        .data as Json[];
      expect(ids(found)).to.deep.equal([mail['id']]);
      const reply = await api.one('POST', `/v1/agents/${agent}/message`, { content: 'Where does the heron nest?' });
      expect(reply['response']).to.contain('behind the boathouse');
      expect(await api.one('GET', `/v1/agents/${agent}`)).to.include({ memory_count: 0 });
    });

    it('shows unread first, newest first; with `order` it goes by time', async () => {
      const agent = await spawn();
      const read: string[] = [];
      const unread: string[] = [];
      for (const n of [1, 2]) read.push(String((await send(agent, `read ${n}`))['id']));
      await api.one('POST', `/v1/agents/${agent}/message`, { content: 'hello' }); // its step takes in both
      for (const n of [1, 2]) unread.push(String((await send(agent, `unread ${n}`))['id']));
      const inbox = await api.page(`${of(agent)}/messages`);
      expect(ids(inbox.data)).to.deep.equal([...unread.toReversed(), ...read.toReversed()]);
      expect(inbox.data.map((m) => m['read_at'] === null)).to.deep.equal([true, true, false, false]);
      expect(inbox.pagination.total_count).to.equal(4);
      expect(ids((await api.page(`${of(agent)}/messages?order=asc`)).data)).to.deep.equal([...read, ...unread]);
      expect(ids((await api.page(`${of(agent)}/messages?order=desc`)).data)).to.deep.equal(
        [...read, ...unread].toReversed(),
      );
      for (const size of [1, 2, 3])
        expect(ids(await everyItem(api, `${of(agent)}/messages`, size))).to.deep.equal([
          ...unread.toReversed(),
          ...read.toReversed(),
        ]);
      expect(await api.one('GET', `/v1/agents/${agent}`)).to.include({ message_count: 3 });
    });

    it('wakes nobody where wake_on_message is off', async () => {
      const agent = await spawn();
      await send(agent, 'remember that it rains');
      expect((await api.page(`${of(agent)}/runs`)).data).to.deep.equal([]);
      expect((await api.page(`${of(agent)}/messages`)).data[0]).to.include({ read_at: null });
    });

    it('wakes an agent with wake_on_message: one run, triggeredBy message, that reads it', async () => {
      const agent = await spawn({ wake_on_message: true });
      await send(agent, 'remember that the tide turns at noon');
      const [run] = (
        await until(
          () => api.page(`${of(agent)}/runs`),
          (p) => p.data[0]?.['status'] === 'completed',
        )
      ).data;
      expect(run).to.include({ triggeredBy: 'message', agent_id: agent });
      expect((await api.page(`${of(agent)}/runs`)).data).to.have.lengthOf(1);
      expect((await api.page(`${of(agent)}/messages`)).data[0]!['read_at']).to.be.a('string');
      expect((await api.page(`/v1/memories?agent_id=${agent}`)).data.map((m) => m['content']).join()).to.match(
        /tide turns at noon/,
      );
    });

    it('wakes an agent that is made to by PATCH, for what was waiting too', async () => {
      const agent = await spawn();
      await send(agent, 'first');
      await api.one('PATCH', `/v1/agents/${agent}`, { wake_on_message: true });
      await until(
        () => api.page(`${of(agent)}/runs`),
        (p) => p.data.length === 1 && p.data[0]!['status'] === 'completed',
      );
      await send(agent, 'second');
      await until(
        () => api.page(`${of(agent)}/runs`),
        (p) => p.data.length === 2 && p.data.every((r) => r['status'] === 'completed'),
      );
    });

    it('wakes an inactive agent when it becomes active, not before', async () => {
      const agent = await spawn({ config: { validation_gate: 'none' } });
      await send(agent, 'waiting');
      await api.one('PUT', `/v1/agents/${agent}`, { status: 'inactive', wake_on_message: true });
      expect((await api.page(`${of(agent)}/runs`)).data).to.deep.equal([]);
      await api.one('PUT', `/v1/agents/${agent}`, { status: 'active' });
      await until(
        () => api.page(`${of(agent)}/runs`),
        (p) => p.data[0]?.['triggeredBy'] === 'message' && p.data[0]['status'] === 'completed',
      );
    });

    it('goes from agent to agent, and the sender is named', async () => {
      const name = `Receiver ${Date.now()}`;
      const receiver = await spawn({ name });
      const sender = await spawn();
      await api.one('POST', `/v1/agents/${sender}/message`, { content: `tell ${receiver}: the crane is broken` });
      const [mail] = (
        await until(
          () => api.page(`${of(receiver)}/messages`),
          (p) => p.data.length === 1,
        )
      ).data;
      expect(mail).to.include({ from: sender });
      expect(mail!['content']).to.contain('the crane is broken');
    });

    it('lets two agents that wake each other come to an end', async () => {
      const a = await spawn({ name: 'Ping', wake_on_message: true });
      const b = await spawn({
        name: 'Pong',
        wake_on_message: true,
        config: { instructions: `Reply to every message.\nTell ${a}: what is the time?` },
      });
      await api.one('PATCH', `/v1/agents/${a}`, { config: { instructions: 'Reply to every message.' } });
      await send(a, `ask ${b}: what is the time?`, { from: b });
      const runs = async (): Promise<Json[]> =>
        (await Promise.all([a, b].map((agent) => everyItem(api, `${of(agent)}/runs`, 100)))).flat();
      await until(runs, (all) => all.length >= 2); // the first is woken, and wakes the other
      let before = -1;
      let all: Json[] = [];
      await until(
        async () => {
          before = all.length;
          await new Promise((r) => {
            setTimeout(r, 150);
          });
          all = await runs();
          return all.length === before && all.every((r) => r['ended_at'] !== null);
        },
        (quiet) => quiet,
      );
      expect(all.length).to.be.within(2, 60);
    });
  });
});
