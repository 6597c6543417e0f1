/**
 * Conversations as memory (docs/api.md 13.4): what was said is found in later sessions, and a run sees what was said
 * before in its own.
 */
import { getAgent, patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import type { PageOf } from '../../../src/commands/lists.js';
import type { Turn } from '../../../src/domain/model/model.js';
import { expect } from 'chai';
import { getUsage } from '../../../src/commands/workspace.js';
import { deleteSession, listAllSessions, listSessions, listTurns } from '../../../src/commands/sessions.js';
import { caller, answers, call, does, eventually, skippingClock, type Script } from '../../helpers/engine.js';
import { createBuiltIn } from '../../../src/reasoner/built-in/steps.js';
import type { Position } from '../../../src/store/port.js';
import { codeOf, HeldSteps, newestFirst, overStores, type Running } from './kit.js';
import { getRun, deleteRun } from '../../../src/commands/runs.js';

const model = { model: 'openai/test' };
const builtIn = createBuiltIn();
const asBuiltIn: Script = (context, signal) => builtIn.next(context, signal);
/** Answers "Noted: <input>", and remembers what follows "keep". */
const notes: Script = ({ run }) =>
  run.input.startsWith('keep ')
    ? does(call('remember', { content: run.input.slice(5) }), call('answer', { content: 'kept' }))
    : answers(`Noted: ${run.input}`);

const spawn = async (e: Running, config: Record<string, unknown> = {}): Promise<string> =>
  (await e.service.execute(caller, spawnAgent, {}, { name: 'Ada', config })).id;
const say = (e: Running, agent: string, content: string, sessionId?: string) =>
  e.service.messageAgent(caller, agent, { content, ...(sessionId !== undefined && { sessionId }) });
const search = (e: Running, agent: string, query: string, types?: string[]) =>
  e.service.searchMemories(caller, { query, agent_id: agent, ...(types && { types }) });

overStores('Conversations', (bed) => {
  it('what was said in one session is found in another, also after kill -9 (Conversation.V1)', async () => {
    const e = await bed.start(asBuiltIn);
    const agent = await spawn(e);
    const said = await say(e, agent, 'My neighbour has a dog that is called Rex.');
    const asked = await say(e, agent, 'What is the name of the dog?');
    expect(asked.sessionId).not.to.equal(said.sessionId);
    expect(asked.response).to.equal('From memory: My neighbour has a dog that is called Rex.');
    expect(asked.memories_consulted).to.have.length(1);
    expect(asked.memories_consulted[0]).to.include({ id: `${said.run_id}.input`, type: 'conversation' });
    expect((await e.service.execute(caller, getAgent, { id: agent }, {})).memory_count).to.equal(0);
    expect((await e.service.execute(caller, getUsage, {}, {})).used).to.equal(0);
    e.kill();
    const later = await bed.start(asBuiltIn);
    expect((await say(later, agent, 'Who is called Rex?')).response).to.contain('a dog that is called Rex');
  });

  it('what is said to a paused run is recalled like other turns, in its order, and deleted with the run', async () => {
    const asks: Script = ({ humanInputs }) =>
      humanInputs.length === 0 ? does(call('ask_human', { question: 'Which harbour is it?' })) : answers('Understood.');
    const e = await bed.start(asks);
    const agent = await spawn(e, model);
    const { run_id: run, status } = await say(e, agent, 'Book a berth for the boat.', 'talk');
    expect(status).to.equal('paused');
    await e.service.resumeRun(caller, agent, run, { input: 'The heliotrope quay in Bergen is the one.' });
    await eventually(
      async () => (await e.service.execute(caller, getRun, { id: agent, runId: run })).status === 'completed',
    );
    const check = async (at: Running): Promise<void> => {
      const [found] = await search(at, agent, 'heliotrope quay', ['conversation']);
      expect(found).to.include({ id: `${run}.message02`, speaker: 'user', sessionId: 'talk' });
      expect((await search(at, agent, 'heliotrope'))[0]).to.include({ id: `${run}.message02` });
      expect((await search(at, agent, 'Which harbour')).map(({ id }) => id)).not.to.include(`${run}.message01`);
    };
    await check(e);
    const turns = await e.service.execute(
      caller,
      listTurns,
      { id: agent, sessionId: 'talk' },
      { page: { sort: 'created_at', order: 'asc', limit: 9 } },
    );
    const ids = turns.items.map(({ id }) => id);
    expect(ids).to.deep.equal(['input', 'message01', 'message02', 'output'].map((name) => `${run}.${name}`));
    expect(ids).to.deep.equal(ids.toSorted());
    e.kill();
    const later = await bed.start(asks);
    await check(later);
    await later.service.execute(caller, deleteRun, { id: agent, runId: run });
    expect(await search(later, agent, 'heliotrope', ['conversation'])).to.deep.equal([]);
  });

  for (const waits of ['waits for its model', 'ends at once'])
    it(`of what is said together to a run that waits, one is its answer and the others are what comes next (${waits}, Conversation.V5)`, async () => {
      const asks: Script = ({ run, humanInputs }) => {
        if (run.input !== 'Book a berth.') return answers(`Noted: ${run.input}`);
        if (humanInputs.length === 0) return does(call('ask_human', { question: 'Which harbour is it?' }));
        const answer = answers(`Booked: ${humanInputs.map(({ input }) => input).join()}`);
        return waits === 'ends at once' ? answer : new Promise((resolve) => setTimeout(resolve, 20, answer));
      };
      const e = await bed.start(asks);
      const agent = await spawn(e, model);
      const { run_id: run } = await say(e, agent, 'Book a berth.', 'talk');
      const said = ['Bergen', 'Oslo', 'Stavanger'];
      const told = await Promise.all(said.map((content) => say(e, agent, content, 'talk')));
      const [answered, ...others] = [...told].sort((a) => (a.run_id === run ? -1 : 1));
      expect(answered?.run_id).to.equal(run);
      const first = said[told.findIndex(({ run_id: id }) => id === run)];
      expect(answered?.response).to.equal(`Booked: ${first}`);
      expect(others.map(({ response }) => response)).to.have.members(
        said.filter((each) => each !== first).map((each) => `Noted: ${each}`),
      );
      expect(new Set(told.map(({ run_id: id }) => id)).size).to.equal(3);
      expect(await e.service.execute(caller, getRun, { id: agent, runId: run })).to.include({
        status: 'completed',
        output: `Booked: ${first}`,
      });
    });

  it('a search finds turns with who said them, and by their type', async () => {
    const e = await bed.start(notes);
    const agent = await spawn(e, model);
    const { run_id, sessionId } = await say(e, agent, 'The harbour closes at nine.');
    const found = await search(e, agent, 'harbour closes');
    expect(found.map(({ id }) => id)).to.have.members([`${run_id}.input`, `${run_id}.output`]);
    expect(found.map(({ speaker }) => speaker)).to.have.members(['user', 'agent']);
    for (const turn of found) expect(turn).to.deep.include({ type: 'conversation', agent_id: agent, sessionId });
    expect(await search(e, agent, 'harbour', ['semantic'])).to.deep.equal([]);
  });

  it('questions, and turns of which memories were made, are asides (Conversation.V2)', async () => {
    const e = await bed.start(notes);
    const agent = await spawn(e, model);
    const kept = await say(e, agent, 'keep the vault code is heliotrope');
    const question = await say(e, agent, 'Which code has the vault?');
    const memory = (await search(e, agent, 'vault code', ['semantic']))[0];
    const ids = (await search(e, agent, 'vault code')).map(({ id }) => id);
    expect(ids).to.include(memory?.id).and.to.include(`${question.run_id}.output`);
    expect(ids).not.to.include(`${kept.run_id}.input`).and.not.to.include(`${question.run_id}.input`);
    expect((await search(e, agent, 'vault code', ['conversation'])).map(({ id }) => id)).to.include(
      `${kept.run_id}.input`,
    );
  });

  it('a run sees the last turns of its session, within the budgets of its agent (Conversation.V3)', async () => {
    const seen: string[][] = [];
    const listening: Script = ({ run, turns }) => {
      seen.push(turns.map(({ role, content }) => `${role}: ${content}`));
      return answers(`heard ${run.input}`);
    };
    const e = await bed.start(listening);
    const agent = await spawn(e, { model: 'openai/x', memory: { context_tokens: 9, learn: 'off' } });
    await say(e, agent, 'one', 's');
    await say(e, agent, 'elsewhere', 'other');
    await say(e, agent, 'two', 's');
    await say(e, agent, 'three', 's');
    expect(seen).to.deep.equal([
      [],
      [],
      ['user: one', 'agent: heard one'],
      ['user: one', 'agent: heard one', 'user: two', 'agent: heard two'],
    ]);
    e.kill();
    const later = await bed.start(listening);
    await say(later, agent, 'four', 's');
    expect(seen.at(-1), 'of a full budget half is left').to.deep.equal(['user: three', 'agent: heard three']);
    await later.service.execute(caller, patchAgent, { id: agent }, { config: { memory: { context_tokens: 2 } } });
    await say(later, agent, 'five', 's');
    expect(seen.at(-1)).to.deep.equal(['agent: heard fo…']);
    await later.service.execute(caller, patchAgent, { id: agent }, { config: { memory: { context_tokens: 0 } } });
    await say(later, agent, 'six', 's');
    expect(seen.at(-1)).to.deep.equal([]);
  });

  it('a run that may not read memory is given nothing of what was said', async () => {
    const seen: number[] = [];
    const e = await bed.start(({ turns, memories }) => {
      seen.push(turns.length + memories.length);
      return answers('ok');
    });
    const agent = await spawn(e);
    await say(e, agent, 'The harbour closes at nine.', 'talk');
    const message = (messageId: string) => ({
      message: { messageId, role: 'user' as const, parts: [{ kind: 'text' as const, text: 'the harbour closes' }] },
      contextId: 'talk',
      wait: 'settled' as const,
    });
    await e.service.sendTask({ ...caller, powers: ['memory:write'] }, agent, message('1'));
    await e.service.sendTask(caller, agent, message('2'));
    expect(seen.slice(0, 2)).to.deep.equal([0, 0]);
    expect(seen[2]).to.be.greaterThan(0);
  });

  it('lists sessions and their turns, page by page', async () => {
    const e = await bed.start(notes);
    const agent = await spawn(e);
    const other = await spawn(e);
    for (const content of ['one', 'two', 'three']) await say(e, agent, content, 'my session');
    const single = await say(e, agent, 'alone');
    await say(e, other, 'elsewhere', 'my session');
    const sessions = await e.service.execute(caller, listSessions, { id: agent }, { page: newestFirst });
    expect(sessions.items.map(({ id, opening }) => [id, opening])).to.deep.equal([
      [single.sessionId, 'alone'],
      ['my session', 'one'],
    ]);
    expect(sessions.items[1]!.updated_at > sessions.items[1]!.created_at).to.equal(true);
    expect((await e.service.execute(caller, listAllSessions, {}, { page: newestFirst })).items).to.have.length(3);
    const spoken: string[] = [];
    for (const order of ['asc', 'desc'] as const)
      for (let after: Position | null = [], first = true; after !== null; first = false) {
        const page: PageOf<Turn> = await e.service.execute(
          caller,
          listTurns,
          { id: agent, sessionId: 'my session' },
          {
            page: {
              sort: 'created_at',
              order,
              limit: 1,
              ...(!first && { after }),
            },
          },
        );
        expect(page).to.include({ total: 6 });
        spoken.push(...page.items.map(({ role, content }) => `${role}: ${content}`));
        after = page.next;
      }
    const inOrder = ['one', 'two', 'three'].flatMap((said) => [`user: ${said}`, `agent: Noted: ${said}`]);
    expect(spoken).to.deep.equal([...inOrder, ...inOrder.toReversed()]);
    expect(
      await codeOf(e.service.execute(caller, listTurns, { id: agent, sessionId: 'nobody' }, { page: newestFirst })),
    ).to.equal('NOT_FOUND');
  });

  it('deletes a session with its runs, journals and memories, and nothing else', async () => {
    const held = new HeldSteps();
    const e = await bed.start(notes);
    const agent = await spawn(e, model);
    for (let i = 0; i < 60; i++) await say(e, agent, `The lighthouse has ${i} steps.`, 'gone');
    await say(e, agent, 'The lighthouse is white.', 'stays');
    const memory = { type: 'semantic', content: 'The lighthouse is old.', agent_id: agent };
    await e.service.createMemory(caller, { ...memory, sessionId: 'gone' });
    await e.service.createMemory(caller, { ...memory, sessionId: 'stays' });
    e.script(held.script);
    const run = await e.service.startRun(caller, agent, { input: 'wait', sessionId: 'gone' });
    await held.next();
    e.script(notes);
    const before = await bed.store.head({ workspace: 'default', kind: 'agent', id: agent });
    await e.service.execute(caller, deleteSession, { id: agent, sessionId: 'gone' });
    expect(await codeOf(e.service.execute(caller, getRun, { id: agent, runId: run.id }))).to.equal('NOT_FOUND');
    expect(
      await codeOf(e.service.execute(caller, listTurns, { id: agent, sessionId: 'gone' }, { page: newestFirst })),
    ).to.equal('NOT_FOUND');
    expect(await codeOf(e.service.execute(caller, deleteSession, { id: agent, sessionId: 'gone' }))).to.equal(
      'NOT_FOUND',
    );
    expect(
      (await e.service.execute(caller, listSessions, { id: agent }, { page: newestFirst })).items.map(({ id }) => id),
    ).to.deep.equal(['stays']);
    expect((await search(e, agent, 'lighthouse')).map(({ content }) => content)).to.have.members([
      'The lighthouse is white.',
      'Noted: The lighthouse is white.',
      'The lighthouse is old.',
    ]);
    const after = await bed.store.head({ workspace: 'default', kind: 'agent', id: agent });
    expect(after?.counts).to.include({ runs: 1, memories: 1, checkpoints: 1 });
    expect(after?.counts['bytes']).to.be.lessThan(Number(before?.counts['bytes']) / 10);
    e.kill();
    const later = await bed.start(notes);
    expect(await search(later, agent, 'steps')).to.deep.equal([]);
  });

  it('a question that follows up on an answer is understood', async () => {
    const e = await bed.start(asBuiltIn);
    const agent = await spawn(e);
    for (const content of ['Ana is the sister of Bob.', 'Ana mends boats in Porto.', 'Carl mends clocks in Rome.'])
      await e.service.createMemory(caller, { type: 'semantic', content, agent_id: agent });
    const first = await say(e, agent, 'Who is the sister of Bob?');
    const second = await say(e, agent, 'And what does she do?', first.sessionId);
    expect(second.response).to.contain('Ana mends boats in Porto.').and.not.to.contain('Carl');
  });

  it('with conversation off nothing that was said is found or given, and with a retention what is older is not', async () => {
    const clock = skippingClock();
    const e = await bed.start(notes, { clock });
    const agent = await spawn(e, model);
    await say(e, agent, 'The harbour closes at nine.');
    await e.service.execute(caller, patchAgent, { id: agent }, { config: { memory: { conversation: 'off' } } });
    await say(e, agent, 'The harbour opens at six.');
    expect(await search(e, agent, 'harbour')).to.deep.equal([]);
    expect((await say(e, agent, 'When does the harbour close?')).memories_consulted).to.deep.equal([]);
    await e.service.execute(caller, patchAgent, { id: agent }, { config: { memory: { conversation: 7 } } });
    expect((await search(e, agent, 'harbour')).map(({ content }) => content)).to.have.members([
      'The harbour closes at nine.',
      'Noted: The harbour closes at nine.',
    ]);
    clock.skip(8 * 24 * 3600_000);
    expect(await search(e, agent, 'harbour')).to.deep.equal([]);
  });
});
