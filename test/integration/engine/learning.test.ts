/** What an agent's model learns from conversations, beside its runs (Learnt.N4, actors/entities/agent/learner.ts). */
import { deleteAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { getUsage } from '../../../src/commands/workspace.js';
import {
  type CitedSpan,
  type Extraction,
  type KnownMemory,
  ReasonerError,
  type SaidToLearn,
} from '../../../src/reasoner/port.js';
import { answers, caller, call, does, eventually, skippingClock, type Script } from '../../helpers/engine.js';
import { oldestFirst, overStores, type Running } from './kit.js';
import { deleteRun } from '../../../src/commands/runs.js';

const config = { model: 'openai/test' };
const chatty: Script = ({ run }) =>
  run.input.startsWith('keep ')
    ? does(call('remember', { content: run.input }), call('answer', { content: 'kept' }))
    : answers(`ok`);
const usage = { requests: 1, inputTokens: 20, cachedInputTokens: 0, outputTokens: 5 };

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });

/** Cites what the test says of each turn, and records what it was asked. */
class Model {
  readonly asked: (readonly string[])[] = [];
  /** Requests that wait for an answer now, and the most of them that ever did. */
  open = 0;
  mostOpen = 0;
  cites: (turn: string) => (string | Omit<CitedSpan, 'turn'>)[] = (turn) => [turn];
  known: readonly KnownMemory[] = [];
  /** Resolves when the model may answer. */
  gate: Promise<unknown> = Promise.resolve();
  readonly extract = async (
    said: readonly SaidToLearn[],
    known: readonly KnownMemory[],
    signal: AbortSignal,
  ): Promise<Extraction> => {
    const turns = said.map(({ content }) => content);
    this.known = known;
    this.asked.push(turns);
    this.mostOpen = Math.max(this.mostOpen, ++this.open);
    await Promise.race([this.gate, aborted(signal)]);
    this.open--;
    signal.throwIfAborted();
    const spans = turns.flatMap((text, turn) =>
      this.cites(text).map((cited) => ({ turn, ...(typeof cited === 'string' ? { quote: cited } : cited) })),
    );
    return { spans, usage };
  };
}

overStores('Learning by a model', (bed) => {
  const spawn = async (e: Running, more: object = {}): Promise<string> =>
    (await e.service.execute(caller, spawnAgent, {}, { name: 'Ada', config, ...more })).id;
  const say = async (e: Running, agent: string, content: string, sessionId?: string): Promise<string> =>
    (await e.service.messageAgent(caller, agent, { content, ...(sessionId && { sessionId }) })).run_id;
  const memories = async (e: Running, agent_id: string) =>
    (await e.service.listMemories(caller, { agent_id }, { ...oldestFirst, limit: 50 })).items;
  const learnt = (e: Running, agent: string, n: number) =>
    eventually(async () => {
      const items = await memories(e, agent);
      return items.length >= n && items;
    }, 'learning');
  const done = (e: Running, agent: string) =>
    eventually(async () => {
      const head = await bed.store.head({ workspace: 'default', kind: 'agent', id: agent });
      return head?.snapshot['toLearn'] === undefined;
    }, 'the end of learning');

  it('passages that it cites become memories with their run and session, and its tokens are counted', async () => {
    const model = new Model();
    model.cites = () => ['I keep bees', 'I keep wasps', 'and a goat'];
    const e = await bed.start(chatty, { extract: model.extract });
    const agent = await spawn(e);
    const run = await say(e, agent, 'Well, I keep bees and a goat in Lisbon.', 'talk');
    const items = await learnt(e, agent, 2);
    expect(items.map(({ content }) => content)).to.deep.equal(['I keep bees', 'and a goat']);
    expect(items[0]).to.include({ type: 'semantic', source: run, run_id: run, sessionId: 'talk', agent_id: agent });
    expect(model.asked).to.deep.equal([['Well, I keep bees and a goat in Lisbon.']]);
    const { models, used } = await e.service.execute(caller, getUsage, {}, {});
    expect([models, used]).to.deep.equal([usage, 0]);
    await e.service.deleteMemory(caller, items[0]!.id);
    expect((await memories(e, agent)).map(({ content }) => content)).to.deep.equal(['and a goat']);
  });

  it('is not waited for by anything, and asks once for what has ended meanwhile (Learner.Q1)', async () => {
    const clock = skippingClock();
    const model = new Model();
    let open: () => void = () => undefined;
    model.gate = new Promise<void>((resolve) => (open = resolve));
    const e = await bed.start(chatty, { extract: model.extract, clock });
    const agent = await spawn(e);
    for (const text of ['I keep bees in Lisbon.', 'I keep goats in Porto.', 'I keep hens in Faro.'])
      await say(e, agent, text);
    await e.service.createMemory(caller, { type: 'semantic', content: 'Written meanwhile.', agent_id: agent });
    await eventually(() => Promise.resolve(model.asked.length === 1));
    open();
    await learnt(e, agent, 2);
    await eventually(async () => {
      clock.skip(10_000);
      return (await memories(e, agent)).length === 4;
    });
    expect(model.asked.map((turns) => turns.length)).to.deep.equal([1, 2]);
  });

  it('Memories.M1: keeps nothing of what a client has corrected since it was said', async () => {
    const model = new Model();
    let open: () => void = () => undefined;
    const e = await bed.start(chatty, { extract: model.extract });
    const agent = await spawn(e);
    const known = await e.service.createMemory(caller, {
      type: 'semantic',
      content: 'The door code is 4711',
      agent_id: agent,
    });
    model.cites = (turn) => [{ quote: turn, replaces: known.id }];
    model.gate = new Promise<void>((resolve) => (open = resolve));
    await say(e, agent, 'The door code is 4712 by now');
    await eventually(() => Promise.resolve(model.asked.length === 1));
    expect(model.known.map(({ id }) => id)).to.deep.equal([known.id]);
    await e.service.patchMemory(caller, known.id, { content: 'The door code is 4713' });
    open();
    await done(e, agent);
    const items = await memories(e, agent);
    expect(items.map(({ content, superseded_by }) => [content, superseded_by])).to.deep.equal([
      ['The door code is 4713', null],
    ]);
  });

  it('is asked by four agents of a process at a time, the others follow in order (Learner.Q1)', async () => {
    const model = new Model();
    let open: () => void = () => undefined;
    model.gate = new Promise<void>((resolve) => (open = resolve));
    const e = await bed.start(chatty, { extract: model.extract });
    const agents = await Promise.all(Array.from({ length: 9 }, () => spawn(e)));
    await Promise.all(agents.map((agent, i) => say(e, agent, `I keep ${i} bees in Lisbon.`)));
    await eventually(() => Promise.resolve(model.asked.length >= 4));
    const busy = model.asked.flat().map((text) => agents[Number(/\d/.exec(text)?.[0])] ?? '');
    for (const agent of busy.slice(0, 2)) await e.service.execute(caller, deleteAgent, { id: agent });
    await eventually(() => Promise.resolve(model.asked.length >= 6), 'the places of deleted agents');
    open();
    for (const agent of agents.filter((one) => !busy.slice(0, 2).includes(one))) await learnt(e, agent, 1);
    expect(model.asked).to.have.length(9);
    expect(model.mostOpen).to.equal(4);
  });

  it('survives kill -9 and learns from no run twice (Learnt.N4)', async () => {
    const model = new Model();
    model.gate = new Promise(() => undefined);
    const e = await bed.start(chatty, { extract: model.extract });
    const agent = await spawn(e);
    await say(e, agent, 'I keep bees in Lisbon.');
    await eventually(() => Promise.resolve(model.asked.length === 1));
    e.kill();
    const next = new Model();
    const later = await bed.start(chatty, { extract: next.extract });
    expect(await learnt(later, agent, 1)).to.have.length(1);
    await done(later, agent);
    later.kill();
    const last = new Model();
    const again = await bed.start(chatty, { extract: last.extract });
    await say(again, agent, 'What do I keep?');
    expect(last.asked).to.deep.equal([]);
    const [memory, ...others] = await memories(again, agent);
    expect(others).to.deep.equal([]);
    expect(memory).to.include({ times_seen: 1 });
  });

  it('is shown the ten nearest memories, and what it cites replaces one of those, as history (Learnt.N5)', async () => {
    const clock = skippingClock();
    const model = new Model();
    const e = await bed.start(chatty, { extract: model.extract, clock });
    const agent = await spawn(e);
    const remember = async (content: string, more: object = {}) =>
      (await e.service.createMemory(caller, { type: 'semantic', content, agent_id: agent, ...more })).id;
    const old = await remember('I live in Bonn');
    const bobs = await remember('I live in Cologne', { speaker: 'Bob' });
    const later = await remember('I live in Oslo', { occurred_at: new Date(clock.now() + 3_600_000).toISOString() });
    const elsewhere = (await e.service.createMemory(caller, { type: 'semantic', content: 'I live in Kiel' })).id;
    for (let i = 0; i < 15; i++) await remember(`Others live on boat ${i}`);
    const until = '2099-01-01T00:00:00.000Z';
    const learn = async (text: string, span: Omit<CitedSpan, 'turn'>) => {
      model.cites = () => [span];
      const before = await memories(e, agent);
      await say(e, agent, text);
      await eventually(async () => {
        clock.skip(10_000);
        const head = await bed.store.head({ workspace: 'default', kind: 'agent', id: agent });
        return head?.snapshot['toLearn'] === undefined;
      });
      return (await memories(e, agent)).filter(({ id }) => !before.some((m) => m.id === id));
    };
    const [rome] = await learn('I live in Rome now, and no longer in Bonn.', {
      quote: 'I live in Rome',
      replaces: old,
      until,
    });
    expect(model.known).to.have.length(10);
    expect(model.known.map(({ id }) => id))
      .to.include(old)
      .and.not.include(bobs)
      .and.not.include(elsewhere);
    expect(rome).to.include({ supersedes: old, valid_until: until, type: 'semantic' });
    expect(await e.service.getMemory(caller, old)).to.include({ superseded_by: rome!.id });
    // not present, of another speaker, said later, not shown, invented, the same, or of a quote that is not taken
    for (const [i, replaces] of [old, bobs, later, elsewhere, 'mem_invented'].entries()) {
      const [made] = await learn(`I live in town ${i} now.`, { quote: `I live in town ${i}`, replaces });
      expect(made, replaces).to.include({ supersedes: null });
    }
    expect(await learn('I live in Rome!', { quote: 'I live in Rome', replaces: rome!.id })).to.deep.equal([]);
    for (const [text, quote] of [
      ['Bob said that I live in Paris.', 'I live in Paris'],
      ['If I lived in Paris, I would be glad.', 'I lived in Paris'],
      ['Forget that I live in Rome.', 'Forget that I live in Rome'],
      ['We met in Rome.', 'I live in Paris'],
    ] as const)
      expect(await learn(text, { quote, replaces: rome!.id }), text).to.deep.equal([]);
    expect(await e.service.getMemory(caller, rome!.id)).to.include({ superseded_by: null });
    // what was learnt is replaced by what is said next, however late it was learnt, and comes back with an undo
    const [paris] = await learn('I moved, I live in Paris.', { quote: 'I live in Paris', replaces: rome!.id });
    expect(paris).to.include({ supersedes: rome!.id });
    await e.service.deleteMemory(caller, paris!.id);
    await e.service.patchMemory(caller, rome!.id, { valid_until: null });
    expect(await e.service.getMemory(caller, rome!.id)).to.include({ superseded_by: null, valid_until: null });
  });

  it('a turn that says nothing beside what was learnt is not found in its stead (Learnt.N3)', async () => {
    const model = new Model();
    const e = await bed.start(chatty, { extract: model.extract });
    const agent = await spawn(e);
    const run = await say(e, agent, 'The launch is in May.');
    const [launch] = await learnt(e, agent, 1);
    await done(e, agent);
    const found = async () =>
      (await e.service.searchMemories(caller, { query: 'when is the launch', agent_id: agent })).map(({ id }) => id);
    // the index follows the commit that the store shows
    await eventually(async () => {
      const ids = await found();
      return ids.includes(launch!.id) && !ids.includes(`${run}.input`);
    });
    await e.service.deleteMemory(caller, launch!.id);
    expect(await found()).not.to.include(`${run}.input`);
  });

  it('is asked about nothing that may not be learnt from (Learnt.N1, Learnt.N2, Learner.Q3)', async () => {
    const model = new Model();
    const e = await bed.start(chatty, { extract: model.extract });
    const agent = await spawn(e);
    for (const text of [
      'Is my dog called Rex?',
      'keep the code 4512 in mind',
      'Do not remember this: I am ill.',
      'Hello!',
    ])
      await say(e, agent, text);
    for (const more of [
      { config: { ...config, memory: { learn: 'off' as const } } },
      { config: { ...config, memory: { learn: 'model' as const, conversation: 'off' as const } } },
      { memory_quota: 0 },
    ])
      await say(e, await spawn(e, more), 'I keep bees in Lisbon.');
    const alone = await spawn(e, { config: { memory: { learn: 'model' } } });
    await say(e, alone, 'My dog is called Rex.');
    expect(await memories(e, alone), 'without a model').to.deep.equal([]);
    expect(model.asked).to.deep.equal([]);
    const last = await spawn(e);
    await say(e, last, 'I keep bees in Lisbon.');
    await learnt(e, last, 1);
    expect(model.asked).to.have.length(1);
  });

  it('a failure is logged once and harms nothing, and an outage is outlasted (Learner.Q3)', async () => {
    const clock = skippingClock();
    const model = new Model();
    const away = (): ReasonerError => Object.assign(new ReasonerError('unreachable', 'away'), { fault: 'away' });
    let failures: ReasonerError[] = Array.from({ length: 7 }, away);
    const extract = async (...about: Parameters<Model['extract']>): Promise<Extraction> => {
      const failure = failures.shift();
      if (failure) throw failure;
      return model.extract(...about);
    };
    const e = await bed.start(chatty, { extract, clock });
    const agent = await spawn(e);
    await say(e, agent, 'I keep bees in Lisbon.');
    await eventually(async () => {
      clock.skip(600_000);
      return (await memories(e, agent)).length === 1;
    });
    expect(e.log).to.deep.equal([]);
    await done(e, agent);
    failures = [new ReasonerError('refused', 'no'), new ReasonerError('refused', 'no')];
    await say(e, agent, 'I keep goats in Porto.');
    await eventually(() => {
      clock.skip(60_000);
      return Promise.resolve(e.log.length > 0);
    });
    await done(e, agent);
    expect(e.lines).to.have.length(1);
    expect(e.lines[0]).to.include({ event: 'learning.failed', agent });
    expect(failures).to.have.length(1);
    expect(await memories(e, agent)).to.have.length(1);
  });

  it('a run that is deleted while the model reads it leaves nothing', async () => {
    const model = new Model();
    let open: () => void = () => undefined;
    model.gate = new Promise<void>((resolve) => (open = resolve));
    const e = await bed.start(chatty, { extract: model.extract });
    const agent = await spawn(e);
    const run = await say(e, agent, 'I keep bees in Lisbon.');
    await eventually(() => Promise.resolve(model.asked.length === 1));
    await e.service.execute(caller, deleteRun, { id: agent, runId: run });
    open();
    await done(e, agent);
    expect(await memories(e, agent)).to.deep.equal([]);
  });
});
