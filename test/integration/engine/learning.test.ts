/** What agents learn from conversations (src/domain/learning.ts), through the engine and over the stores. */
import { expect } from 'chai';
import { createBuiltIn } from '../../../src/reasoner/built-in.js';
import type { Reasoner } from '../../../src/reasoner/port.js';
import { caller, type TestEngine } from '../../helpers/engine.js';
import { oldestFirst, overStores } from './kit.js';

const builtIn: Reasoner['next'] = (context, signal) => createBuiltIn().next(context, signal);

overStores('Learning', (bed) => {
  type Service = TestEngine['engine']['service'];
  const spawn = async (service: Service, more: object = {}): Promise<string> =>
    (await service.spawnAgent(caller, { name: 'a', ...more })).id;
  const say = async (service: Service, agent: string, content: string): Promise<{ run: string; response: string }> => {
    const { run_id, response } = await service.messageAgent(caller, agent, { content });
    return { run: run_id, response: response ?? '' };
  };
  const learnt = async (service: Service, agent_id: string): Promise<string[]> =>
    (await service.listMemories(caller, { agent_id }, { ...oldestFirst, limit: 50 })).items
      .filter((m) => m.source !== null)
      .map((m) => m.content);

  it('a plain statement becomes a memory that names its run, is listed by it, and counts towards no quota', async () => {
    const { service } = await bed.start(builtIn);
    const agent = await spawn(service, { memory_quota: 1 });
    const { run, response } = await say(service, agent, 'Hello! My dog is called Rex.');
    expect(response).to.equal('Noted: My dog is called Rex.');
    const { items } = await service.listMemories(caller, { source: run }, oldestFirst);
    expect(items).to.have.length(1);
    expect(items[0]).to.include({ content: 'My dog is called Rex.', type: 'semantic', source: run, agent_id: agent });
    expect(await service.usage(caller)).to.include({ used: 0, memories: 1 });
    expect((await say(service, agent, "What is my dog's name?")).response).to.include('My dog is called Rex.');
    await service.deleteMemory(caller, items[0]!.id);
    expect((await say(service, agent, "What is my dog's name?")).response).not.to.include('Rex');
    expect(await service.usage(caller)).to.include({ used: 0, memories: 0 });
  });

  it('a later statement replaces an earlier one, whether it was stored or learnt (Learnt.N3)', async () => {
    const { service } = await bed.start(builtIn);
    const agent = await spawn(service);
    await service.createMemory(caller, { type: 'semantic', content: 'The launch is in May.', agent_id: agent });
    for (const month of ['June', 'July']) {
      await say(service, agent, `Actually, the launch moved to ${month}.`);
      const { response } = await say(service, agent, 'When is the launch?');
      expect(response).to.include(month);
      for (const old of ['May', 'June'].filter((m) => m !== month)) expect(response).not.to.include(old);
    }
    await say(service, agent, 'The launch moved to July.');
    expect(await learnt(service, agent)).to.deep.equal(['The launch moved to June.', 'The launch moved to July.']);
  });

  it('what is said to be over ends the memory that said it, visibly and reversibly (Identities.D4, Learning.L4)', async () => {
    const { service } = await bed.start(builtIn);
    const agent = await spawn(service);
    await say(service, agent, 'I work at Acme.');
    const { run, response } = await say(service, agent, 'I no longer work at Acme. It was a long time.');
    expect(response).to.contain('Noted: I no longer work at Acme.');
    const { items } = await service.listMemories(caller, { agent_id: agent }, { ...oldestFirst, limit: 50 });
    const [was, end] = items;
    expect(was).to.include({ content: 'I work at Acme.', superseded_by: end!.id, valid_until: end!.occurred_at });
    expect(end).to.include({ source: run, supersedes: was!.id, valid_until: null });
    const { items: history } = await service.memoryHistory(caller, end!.id, { ...oldestFirst, limit: 10 });
    expect(history.map(({ id }) => id)).to.have.members([was!.id, end!.id]);
    await service.patchMemory(caller, was!.id, { valid_until: null });
    await service.deleteMemory(caller, end!.id);
    expect((await say(service, agent, 'Where do I work?')).response).to.include('I work at Acme.');
    // nothing that is known ends
    await say(service, agent, 'I no longer work at Globex.');
    expect(await learnt(service, agent)).to.deep.equal(['I work at Acme.']);
    // what begins afterwards ends the end
    await say(service, agent, 'I quit my job.');
    await say(service, agent, 'I work at Hooli.');
    const now = (await service.listMemories(caller, { agent_id: agent }, { ...oldestFirst, limit: 50 })).items;
    expect(now.filter((m) => m.valid_until === null).map((m) => m.content)).to.include('I work at Hooli.');
    expect(now.find((m) => m.content === 'I quit my job.'))
      .to.have.property('superseded_by')
      .that.is.a('string');
  });

  it('what is said behind an end in the same message begins after it (Identities.D4, Learning.L4)', async () => {
    const { service } = await bed.start(builtIn);
    const agent = await spawn(service);
    await say(service, agent, 'I work at Acme.');
    await say(service, agent, 'I quit my job. I work at Globex now.');
    const { items } = await service.listMemories(caller, { agent_id: agent }, { ...oldestFirst, limit: 50 });
    const present = items.filter((m) => m.source !== null && m.valid_until === null);
    expect(present.map((m) => m.content)).to.deep.equal(['I work at Globex now.']);
  });

  it('what is learnt has the session in which it was said, is listed and deleted with it, and a repetition is counted', async () => {
    const { service } = await bed.start(builtIn);
    const agent = await spawn(service);
    const message = { content: 'My name is Tom and I live in Rome', sessionId: 'talk' };
    const { run_id: source } = await service.messageAgent(caller, agent, message);
    await say(service, agent, 'I live in Rome.');
    const { items } = await service.listMemories(caller, { sessionId: 'talk' }, oldestFirst);
    const common = { source, sessionId: 'talk', position: null };
    expect(items).to.have.length(2);
    expect(items[0]).to.deep.include({ ...common, content: 'My name is Tom', times_seen: 1 });
    expect(items[1]).to.deep.include({ ...common, content: 'I live in Rome', times_seen: 2 });
    const written = { type: 'episodic', content: 'Tom has arrived.', agent_id: agent, sessionId: 'talk' };
    for (const position of [0, 1]) expect((await service.createMemory(caller, written)).position).to.equal(position);
    await say(service, agent, 'I moved to Paris.');
    expect(await learnt(service, agent)).to.deep.equal(['My name is Tom', 'I live in Rome', 'I moved to Paris.']);
    expect((await say(service, agent, 'Where do I live?')).response).not.to.include('Rome');
    await service.deleteSession(caller, agent, 'talk');
    expect(await learnt(service, agent)).to.deep.equal(['I moved to Paris.']);
  });

  it('nothing from questions, instructions, other agents, and where it is turned off or actions need approval (Learnt.N1, Learnt.N2)', async () => {
    const { service } = await bed.start(builtIn);
    const agent = await spawn(service);
    for (const text of ['Is my dog called Rex?', 'Remember that I live in Oslo.', 'Bob said the launch is in May.'])
      await say(service, agent, text);
    expect(await learnt(service, agent)).to.deep.equal([]);
    const woken = await spawn(service, { wake_on_message: true });
    await service.sendMessage(caller, woken, { content: 'My dog is called Rex.' });
    await say(service, woken, 'What do you know?');
    expect(await learnt(service, woken)).to.deep.equal([]);
    for (const config of [
      { memory: { learn: 'off' as const } },
      { memory: { conversation: 'off' as const } },
      { validation_gate: 'action' as const },
    ]) {
      const quiet = await spawn(service, { config });
      expect((await say(service, quiet, 'My dog is called Rex.')).response).not.to.include('Noted');
      expect(await learnt(service, quiet), JSON.stringify(config)).to.deep.equal([]);
    }
    const full = await spawn(service, { memory_quota: 0 });
    await say(service, full, 'My dog is called Rex.');
    expect(await learnt(service, full)).to.deep.equal([]);
  });

  it('what a reasoner remembers itself is compared with what is known, and nothing is learnt beside it', async () => {
    const { service } = await bed.start(builtIn);
    const agent = await spawn(service);
    for (const text of [
      'Remember that the gate code is 4512.',
      'Remember that the gate code is 4512.',
      'Remember that the gate code is 9931.',
    ])
      await say(service, agent, text);
    const { items } = await service.listMemories(caller, { agent_id: agent }, oldestFirst);
    expect(items.map((m) => [m.content, m.times_seen, m.valid_until === null])).to.deep.equal([
      ['the gate code is 4512.', 2, false],
      ['the gate code is 9931.', 1, true],
    ]);
  });
});
