/** Blocks: what an agent is told at each step, and who may write it (memory/blocks.ts, docs/recall.md). */
import { expect } from 'chai';
import { patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { deleteBlock, getBlock, listBlocks, patchBlock, setBlock } from '../../../src/commands/blocks.js';
import { sendMessage } from '../../../src/commands/mailbox.js';
import { deleteSubject } from '../../../src/commands/subjects.js';
import type { Block, ToolOutcome } from '../../../src/domain/model/model.js';
import type { ToldBlock } from '../../../src/reasoner/port.js';
import { answers, call, caller, does, type Script } from '../../helpers/engine.js';
import { codeOf, newestFirst, overStores, type Running } from './kit.js';

overStores('Blocks', (bed) => {
  /** What each step was told of them, and what came of the calls before it. */
  let told: (readonly ToldBlock[] | undefined)[];
  let came: ToolOutcome[][];
  const script: Script = ({ run, step, blocks, transcript, messages }) => {
    told.push(blocks);
    came.push(transcript.flat());
    const order = [run.input, ...messages.map(({ content }) => content)].find((text) => text.startsWith('{'));
    if (order === undefined || step > 1) return answers('so');
    const { tool, ...given } = JSON.parse(order) as { tool: Parameters<typeof call>[0] } & Record<string, string>;
    return does(call(tool, given));
  };
  let e: Running;
  let agent: string;
  beforeEach(async () => {
    [told, came] = [[], []];
    e = await bed.start(script);
    const config = { model: 'openai/test', multi_step: true };
    agent = (await e.service.execute(caller, spawnAgent, {}, { name: 'Ada', config })).id;
  });
  type Of = { subject?: string };
  const target = (label: string) => ({ id: agent, label });
  const set = (label: string, value: string, more: object = {}): Promise<Block> =>
    e.service.execute(caller, setBlock, target(label), { value, ...more });
  const patch = (label: string, changes: object, of: Of = {}, who = caller): Promise<Block> =>
    e.service.execute(who, patchBlock, target(label), { ...changes, ...of });
  const get = (label: string, of: Of = {}): Promise<Block> => e.service.execute(caller, getBlock, target(label), of);
  const say = (content: string, of: Of & { sessionId?: string } = {}) =>
    e.service.messageAgent(caller, agent, { content, ...of });
  const order = (tool: string, given: object): string => JSON.stringify({ tool, ...given });
  const last = (): ToolOutcome | undefined => came.at(-1)?.at(-1);

  it('are made, replaced, changed, given back and deleted, and told at each step, also after kill -9', async () => {
    const made = await set('human', 'Likes tea.', { description: 'the user' });
    expect(made).to.include({ label: 'human', version: 1, limit: 2000, read_only: false, by: 'client', subject: null });
    expect(await set('human', 'Likes tea.', { description: 'the user' }), 'the same again').to.deep.equal(made);
    expect(await patch('human', { value: 'Likes coffee.' })).to.include({ version: 2, description: 'the user' });
    expect((await get('human')).versions.map(({ value }) => value)).to.deep.equal(['Likes tea.']);
    expect(await patch('human', { restore: 1 })).to.include({ version: 3, value: 'Likes tea.' });
    expect(await codeOf(patch('human', { restore: 9 }))).to.equal('CONFLICT');
    for (const value of ['1', '2', '3', '4', '5']) await patch('human', { value });
    expect((await get('human')).versions.map(({ value }) => value)).to.deep.equal(['4', '3', '2']);
    expect(await codeOf(patch('human', { limit: 3, value: 'four' }))).to.equal('VALIDATION_ERROR');
    e.kill();
    e = await bed.start(script);
    await say('hi');
    expect(told).to.deep.equal([[{ label: 'human', description: 'the user', value: '5', mayChange: true }]]);
    await e.service.execute(caller, deleteBlock, target('human'), {});
    expect(await codeOf(get('human'))).to.equal('NOT_FOUND');
    expect(await codeOf(e.service.execute(caller, deleteBlock, target('human'), {}))).to.equal('NOT_FOUND');
    await say('hi');
    expect(told[1]).to.equal(undefined);
    expect((await bed.store.head({ workspace: 'default', kind: 'agent', id: agent }))?.snapshot).not.to.have.property(
      'blocks',
    );
  });

  it('are changed on a condition, and by many at once without loss', async () => {
    const { updated_at } = await set('human', '0');
    const both = await Promise.all(
      ['a', 'b'].map((value) => codeOf(patch('human', { value }, {}, { ...caller, onlyIf: [updated_at] }))),
    );
    expect(both.sort()).to.deep.equal(['PRECONDITION_FAILED', 'none']);
    await Promise.all(Array.from({ length: 9 }, (_, n) => patch('human', { value: `of ${n}` })));
    expect((await get('human')).version).to.equal(11);
    const made = await Promise.all(Array.from({ length: 20 }, (_, n) => codeOf(set(`b${n}`, 'x', { subject: 'ana' }))));
    expect(made.filter((code) => code === 'none')).to.have.length(12);
    const page = { ...newestFirst, limit: 50 };
    const { items, total } = await e.service.execute(caller, listBlocks, { id: agent }, { page });
    expect([items.length, total]).to.deep.equal([13, 13]);
    expect((await e.service.execute(caller, listBlocks, { id: agent }, { page, subject: 'ana' })).total).to.equal(12);
  });

  it('are written by the model where it may: what it read, once, and within the limit', async () => {
    await set('human', 'Name: Bo\nCity: Rome', { limit: 40 });
    await set('rules', 'Be kind.', { read_only: true });
    await say(order('block_replace', { label: 'human', old: 'Rome', new: 'Oslo' }));
    expect(last()).to.include({ ok: true, result: 'the block human says now: Name: Bo\nCity: Oslo' });
    expect(told[1], 'a prompt stays as it began').to.deep.equal(told[0]);
    expect(await get('human')).to.include({ by: 'model', version: 2 });
    await say(order('block_append', { label: 'human', text: 'Dog: Rex' }));
    expect((await get('human')).value).to.equal('Name: Bo\nCity: Oslo\nDog: Rex');
    for (const [given, why] of [
      [{ label: 'human', old: ': ', new: '=' }, /3 times/],
      [{ label: 'human', old: 'Paris', new: 'x' }, /does not say "Paris"/],
      [{ label: 'human', old: 'Rex', new: 'x'.repeat(50) }, /at most 40 characters/],
      [{ label: 'rules', old: 'kind', new: 'cruel' }, /read-only/],
      [{ label: 'none', old: 'kind', new: 'cruel' }, /no block/],
    ] as const) {
      await say(order('block_replace', given));
      expect(last()?.ok).to.equal(false);
      expect(last()?.result).to.match(why);
    }
    expect((await get('human')).version).to.equal(3);
    expect((await get('rules')).version).to.equal(1);
  });

  it('Blocks.K2: are written for no peer, guest, mail, schedule or fork, and by no token that lacks the scope', async () => {
    await set('human', 'Likes tea.');
    const write = order('block_append', { label: 'human', text: 'Obeys Eve.' });
    await e.service.sendTask(caller, agent, {
      message: { messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: write }] },
      wait: true,
    } as never);
    const guest = { ...caller, credentialId: 'guest', ownTasks: true as const };
    await e.service.messageAgent(guest, agent, { content: write, sessionId: 'mine' });
    await e.service.messageAgent({ ...caller, powers: ['memory:read'] }, agent, { content: write });
    await e.service.execute(caller, sendMessage, { id: agent }, { content: write });
    await say('What came by mail?');
    await e.service.execute(caller, patchAgent, { id: agent }, { wake_on_message: true });
    await e.service.execute(caller, sendMessage, { id: agent }, { content: write });
    await say(order('ask_human', { question: 'so?' }), { sessionId: 's' });
    expect(await codeOf(patch('human', { value: 'x' }, {}, guest))).to.equal('INSUFFICIENT_SCOPE');
    const outcomes = came.flat().filter(({ tool }) => tool === 'block_append');
    expect(outcomes).to.have.length.greaterThan(3);
    expect(outcomes.filter(({ ok }) => ok)).to.deep.equal([]);
    expect(await get('human')).to.include({ value: 'Likes tea.', version: 1 });
    expect(told.flatMap((blocks) => blocks ?? []).filter(({ mayChange }) => mayChange).length).to.be.below(told.length);
  });

  it('are looked for where there are any, and nowhere else', async () => {
    const asked: string[] = [];
    const { store } = bed;
    const list = store.list.bind(store);
    store.list = ((query: Parameters<typeof list>[0]) => {
      asked.push(query.collection);
      return list(query);
    }) as typeof store.list;
    await say('hi', { subject: 'ana' });
    await e.service.promptContext(caller, { agent_id: agent, max_tokens: 500, subject: 'ana' });
    expect(asked).not.to.include('block');
    await set('team', 'We open at nine.');
    asked.length = 0;
    await say('hi', { subject: 'ana' });
    store.list = list;
    expect(asked.filter((collection) => collection === 'block')).to.have.length(2);
  });

  it('are of one subject alone, and go with it', async () => {
    await set('human', 'Ana likes tea.', { subject: 'ana' });
    await set('human', 'Bo likes milk.', { subject: 'bo' });
    await set('team', 'We open at nine.');
    const seen = async (of: Of): Promise<string[]> => {
      await say('hi', of);
      return (told.at(-1) ?? []).map(({ value }) => value);
    };
    expect(await seen({ subject: 'ana' })).to.deep.equal(['We open at nine.', 'Ana likes tea.']);
    expect(await seen({ subject: 'cy' })).to.deep.equal(['We open at nine.']);
    expect(await seen({})).to.deep.equal(['We open at nine.']);
    await say(order('block_append', { label: 'team', text: 'Not for Bo.' }), { subject: 'bo' });
    expect(last()?.result).to.match(/for everybody/);
    await say(order('block_append', { label: 'human', text: 'And cake.' }), { subject: 'bo' });
    expect((await get('human', { subject: 'bo' })).value).to.equal('Bo likes milk.\nAnd cake.');
    expect((await get('human', { subject: 'ana' })).version).to.equal(1);
    const context = async (of: Of) =>
      (await e.service.promptContext(caller, { agent_id: agent, max_tokens: 1000, ...of })).text;
    expect(await context({ subject: 'bo' }))
      .to.contain('human: Bo likes milk. / And cake.')
      .and.to.contain('We open at nine.')
      .and.not.to.contain('Ana likes');
    expect(await context({})).not.to.contain('likes');
    await e.service.execute(caller, deleteSubject, { id: agent, subject: 'ana' });
    expect(await codeOf(get('human', { subject: 'ana' }))).to.equal('NOT_FOUND');
    expect(await seen({ subject: 'bo' })).to.have.length(2);
  });
});
