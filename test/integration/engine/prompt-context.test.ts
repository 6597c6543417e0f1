/** POST /v1/context as the service has it (docs/api.md 13.9): what an agent knows, for the prompt of anybody. */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { createHive, joinHive } from '../../../src/commands/hives.js';
import { answers, caller, type Script } from '../../helpers/engine.js';
import { codeOf, overStores, type Running } from './kit.js';

const notes: Script = ({ run }) => answers(`Noted: ${run.input}`);
const spawn = async (e: Running, config: Record<string, unknown> = {}): Promise<string> =>
  (await e.service.execute(caller, spawnAgent, {}, { name: 'Ada', config: { model: 'openai/test', ...config } })).id;
const ask = (e: Running, agent_id: string, more: { query?: string; sessionId?: string; max_tokens?: number } = {}) =>
  e.service.promptContext(caller, { agent_id, max_tokens: 2000, ...more });
/** What the lines say, without days, speakers and headings. */
const contents = ({ text }: { text: string }): string[] =>
  Array.from(text.matchAll(/<data name="\w+">\n([^]*?)\n<\/data>/g), ([, lines = '']) => lines.split('\n'))
    .flat()
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.replace(/^(?:\d{4}-\d\d-\d\d )?(?:\[[^\]]*\] )?/, ''));

overStores('The context of a prompt', (bed) => {
  it('has the facts about a query, and the turns beside those that were found', async () => {
    const e = await bed.start(notes);
    const agent = await spawn(e);
    const fact = await e.service.createMemory(caller, {
      type: 'semantic',
      content: 'The heron nests by the pier.',
      agent_id: agent,
      occurred_at: '2026-01-02T03:04:00Z',
    });
    const other = { agent_id: agent, type: 'semantic', content: 'Bread is baked at five.' };
    await e.service.createMemory(caller, other);
    const far = Array.from({ length: 6 }, (_, i) => `Then we played round ${i} of chess.`);
    for (const content of ['Shall we go out?', 'I saw a heron there on Sunday.', 'It rained all day.', ...far])
      await e.service.messageAgent(caller, agent, { content, sessionId: 'walk' });
    const told = await ask(e, agent, { query: 'heron' });
    expect(contents(told)[0]).to.equal(fact.content);
    expect(told.items[0]).to.include({ id: fact.id, part: 'facts', at: '2026-01-02T03:04:00.000Z', kind: 'memory' });
    expect(told.items[0]?.score).to.be.greaterThan(0);
    expect(contents(told)).to.include.members(['I saw a heron there on Sunday.', 'It rained all day.']);
    expect(contents(told)).not.to.include('Bread is baked at five.');
    expect(contents(told)).not.to.include(far[5]);
    const beside = told.items.filter(({ score }) => score === null);
    expect(beside.length).to.be.greaterThan(0);
    for (const item of beside) expect(item).to.deep.include({ kind: 'turn', part: 'conversation', sessionId: 'walk' });
    expect(told.items.map(({ id }) => id)).to.deep.equal([...new Set(told.items.map(({ id }) => id))]);
    expect((await ask(e, agent, { query: 'heron', max_tokens: 110 })).tokens).to.be.at.most(110);
  });

  it('has the newest of a session without a query, also of turns that were stored as memories', async () => {
    const e = await bed.start(notes);
    const agent = await spawn(e);
    await e.service.messageAgent(caller, agent, { content: 'We begin with the kiln.', sessionId: 'work' });
    for (const [speaker, content] of [
      ['Ana', 'It is at 900 degrees.'],
      ['Bo', 'Then it is time.'],
    ] as const)
      await e.service.createMemory(caller, { type: 'episodic', content, speaker, agent_id: agent, sessionId: 'work' });
    await e.service.createMemory(caller, { type: 'semantic', content: 'Something else.', agent_id: agent });
    const whole = await ask(e, agent, { sessionId: 'work' });
    expect(contents(whole)).to.deep.equal([
      'We begin with the kiln.',
      'Noted: We begin with the kiln.',
      'It is at 900 degrees.',
      'Then it is time.',
    ]);
    expect(whole.text).to.include('\n[Bo] Then').and.to.include('\n[user] We begin');
    const short = await ask(e, agent, { sessionId: 'work', max_tokens: 75 });
    expect(contents(short)).to.deep.equal(['Then it is time.']);
    expect(short.left_out).to.equal(3);
    expect(contents(await ask(e, agent))).to.include('Something else.');
    expect(await ask(e, agent, { sessionId: 'never' })).to.deep.equal({ text: '', tokens: 0, items: [], left_out: 0 });
  });

  it('has nothing that is no longer so, that was withdrawn, or that the agent does not recall', async () => {
    const e = await bed.start(notes);
    const agent = await spawn(e);
    const talk = { type: 'episodic', agent_id: agent, sessionId: 'talk' };
    const old = await e.service.createMemory(caller, { ...talk, content: 'The launch is in May.' });
    await e.service.createMemory(caller, { ...talk, content: 'The launch is in June.', supersedes: old.id });
    const gone = await e.service.createMemory(caller, { ...talk, content: 'The launch costs a fortune.' });
    await e.service.deleteMemory(caller, gone.id);
    for (const more of [{ query: 'when is the launch' }, { sessionId: 'talk' }, {}])
      expect(contents(await ask(e, agent, more)), JSON.stringify(more)).to.deep.equal(['The launch is in June.']);
    const quiet = await spawn(e, { memory: { conversation: 'off' } });
    await e.service.messageAgent(caller, quiet, { content: 'The harbour closes at nine.', sessionId: 'talk' });
    for (const more of [{ query: 'harbour' }, { sessionId: 'talk' }, {}])
      expect((await ask(e, quiet, more)).text).to.equal('');
    expect(await codeOf(ask(e, 'agent_none'))).to.equal('NOT_FOUND');
  });

  it('has what the hives of the agent know only for who may read them', async () => {
    const e = await bed.start(notes);
    const agent = await spawn(e);
    const hive = await e.service.execute(caller, createHive, {}, { name: 'birds' });
    await e.service.execute(caller, joinHive, { id: hive.id }, { agent_id: agent });
    await e.service.shareMemory(caller, hive.id, { agent_id: agent, type: 'semantic', content: 'Storks are back.' });
    expect(contents(await ask(e, agent, { query: 'storks' }))).to.deep.equal(['Storks are back.']);
    const without = { ...caller, scopes: ['memory:read'] as const };
    expect(
      (await e.service.promptContext(without, { agent_id: agent, query: 'storks', max_tokens: 500 })).items,
    ).to.deep.equal([]);
  });
});
