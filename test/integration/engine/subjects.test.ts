/** One agent that serves many end users keeps apart what they tell it (Subjects.T1 to Subjects.T5, docs/api.md 13.10). */
import { spawnAgent } from '../../../src/commands/agents.js';
import { deleteSubject } from '../../../src/commands/subjects.js';
import { listBlocks, setBlock } from '../../../src/commands/blocks.js';
import { createHive } from '../../../src/commands/hives.js';
import { listSchedules, createSchedule } from '../../../src/commands/schedules.js';
import { sendMessage, listMessages } from '../../../src/commands/mailbox.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { answers, call, caller, does, eventually, skippingClock, type Script } from '../../helpers/engine.js';
import type { KnownMemory, SaidToLearn } from '../../../src/reasoner/port.js';
import type { Memory } from '../../../src/domain/model/model.js';
import { codeOf, newestFirst, overStores, type Running } from './kit.js';
import { getRun, forkRun, listAllRuns, listRuns } from '../../../src/commands/runs.js';

const config = { model: 'openai/test', memory: { min_relevance: 0 } };
/** Does what the input says: a tool, and its arguments as JSON. */
const obeys: Script = ({ run, step, messages }) => {
  const [order = ''] = [run.input, ...messages.map(({ content }) => content)].filter((text) => text.startsWith('{'));
  if (order === '' || step > 1) return answers(`so: ${run.input}`.slice(0, 200));
  const { tool, ...given } = JSON.parse(order) as { tool: Parameters<typeof call>[0] } & Record<string, string>;
  return does(call(tool, given), call('answer', { content: `done: ${given['content'] ?? ''}` }));
};
const listed = async (e: Running, filter: Parameters<Running['service']['listMemories']>[1] = {}): Promise<Memory[]> =>
  (await e.service.listMemories(caller, filter, { ...newestFirst, limit: 500 })).items;

overStores('Subjects', (bed) => {
  const say = (e: Running, agent: string, content: string, subject?: string, sessionId?: string) =>
    e.service.messageAgent(caller, agent, { content, ...(subject && { subject }), ...(sessionId && { sessionId }) });
  const spawn = async (e: Running, more: object = {}): Promise<string> =>
    (await e.service.execute(caller, spawnAgent, {}, { name: 'Desk', config, ...more })).id;

  it('see their own and what is nobodys, in runs, searches, contexts and lists, also after kill -9', async () => {
    const given: string[] = [];
    const script: Script = (context, signal) => {
      given.push(JSON.stringify([context.memories, context.turns]));
      return obeys(context, signal);
    };
    const e = await bed.start(script);
    const agent = await spawn(e);
    const make = (content: string, subject?: string) =>
      e.service.createMemory(caller, { type: 'semantic', content, agent_id: agent, ...(subject && { subject }) });
    const own = await make('The heron code is of Ana.', 'ana');
    expect(own).to.include({ subject: 'ana' });
    await make('The heron code is of Bo.', 'bo');
    expect(await make('The heron code is of all.')).to.include({ subject: null });
    const check = async (at: Running): Promise<void> => {
      const search = async (more: object) =>
        (
          await at.service.searchMemories(caller, {
            query: 'heron code',
            agent_id: agent,
            types: ['semantic'],
            ...more,
          })
        )
          .map(({ content }) => content.slice(21, -1))
          .sort();
      expect(await search({ subject: 'ana' })).to.deep.equal(['Ana', 'all']);
      expect(await search({ subject: 'nobody yet' })).to.deep.equal(['all']);
      expect(await search({})).to.deep.equal(['Ana', 'Bo', 'all']);
      const told = async (subject?: string) =>
        (
          await at.service.promptContext(caller, {
            agent_id: agent,
            query: 'heron code',
            max_tokens: 5000,
            ...(subject && { subject }),
          })
        ).text;
      expect(await told('bo'))
        .to.contain('of Bo')
        .and.to.contain('of all')
        .and.not.to.contain('of Ana');
      expect(await told())
        .to.contain('of all')
        .and.not.to.match(/of (?:Ana|Bo)/);
      for (const [subject, seen] of [
        ['ana', /of Ana/],
        [undefined, /of all/],
      ] as const) {
        given.length = 0;
        const reply = await say(at, agent, 'what is the heron code', subject);
        expect(given.join())
          .to.match(seen)
          .and.to.match(/of all/)
          .and.not.to.match(/of Bo/);
        if (subject === undefined) expect(given.join()).not.to.match(/of Ana/);
        expect(await at.service.execute(caller, getRun, { id: agent, runId: reply.run_id })).to.include({
          subject: subject ?? null,
        });
      }
    };
    await check(e);
    expect((await listed(e, { agent_id: agent, subject: 'ana' })).map(({ id }) => id)).to.deep.equal([own.id]);
    expect(await listed(e, { subject: 'bo' })).to.have.length(1);
    e.kill();
    await check(await bed.start(script));
  });

  it('have sessions of their own: another that names one is refused, whatever is in memory (Subjects.T4)', async () => {
    const e = await bed.start(obeys);
    const agent = await spawn(e, { config: { ...config, memory: { context_tokens: 0 } } });
    await say(e, agent, 'My code is 4711.', 'ana', 'talk');
    const open = await say(e, agent, 'We open at nine.', undefined, 'open');
    const refused = async (at: Running): Promise<void> => {
      for (const [subject, session] of [
        ['bo', 'talk'],
        [undefined, 'talk'],
        ['ana', 'open'],
      ] as const) {
        expect(await codeOf(say(at, agent, 'what is my code', subject, session)), session).to.equal('CONFLICT');
        const start = { input: 'hi', sessionId: session, ...(subject && { subject }) };
        expect(await codeOf(at.service.startRun(caller, agent, start)), session).to.equal('CONFLICT');
      }
      expect((await say(at, agent, 'and now?', 'ana', 'talk')).sessionId).to.equal('talk');
    };
    await refused(e);
    e.kill();
    const later = await bed.start(obeys);
    await refused(later);
    expect((await later.service.execute(caller, getRun, { id: agent, runId: open.run_id })).subject).to.equal(null);
  });

  it('neither repeat nor replace what others have, nor what is for all (Subjects.T3, Subjects.T5)', async () => {
    const e = await bed.start(obeys);
    const agent = await spawn(e);
    const make = (subject: string | undefined, content: string, key?: string) =>
      e.service.createMemory(caller, {
        ...{ type: 'semantic', content, agent_id: agent },
        ...(subject && { subject }),
        ...(key && { metadata: { key } }),
      });
    const all: Memory[] = [];
    for (const subject of ['ana', 'bo', undefined])
      for (const content of ['I live in Rome with a dog.', 'I live in Oslo with a cat.'])
        all.push(await make(subject, content), await make(subject, `${content.slice(0, 10)} now: ${content}`, 'home'));
    expect(new Set(all.map(({ id }) => id)).size).to.equal(12);
    expect((await listed(e, { agent_id: agent })).filter(({ superseded_by }) => superseded_by)).to.have.length(3);
    expect((await make('bo', 'I live in Rome with a dog.')).times_seen).to.equal(2);
    const [ofAna, , , , ofBo, , , , ofAll] = all;
    expect(
      await codeOf(
        e.service.createMemory(caller, {
          ...{ type: 'semantic', content: 'x', agent_id: agent, subject: 'bo', supersedes: ofAna!.id },
        }),
      ),
    ).to.equal('NOT_FOUND');
    const before = await listed(e, { agent_id: agent });
    for (const memory of [ofAna!.id, ofAll!.id])
      for (const tool of ['forget', 'update_memory'])
        await say(e, agent, JSON.stringify({ tool, memory, content: 'I live nowhere.' }), 'bo');
    // by its words it is Bo's own that is meant
    await say(e, agent, JSON.stringify({ tool: 'forget', memory: 'I live in Oslo with a cat.' }), 'bo');
    expect(await listed(e, { agent_id: agent })).to.deep.equal(before.filter(({ id }) => id !== all[6]!.id));
    await say(e, agent, JSON.stringify({ tool: 'update_memory', memory: ofBo!.id, content: 'I live at sea.' }), 'bo');
    expect((await listed(e, { agent_id: agent, subject: 'bo' }))[0]).to.include({ content: 'I live at sea.' });
  });

  it('are deleted with everything that the agent has of them, and nothing else', async () => {
    const e = await bed.start(obeys);
    const hive = await e.service.execute(caller, createHive, {}, { name: 'h' });
    const agent = await spawn(e, { hives: [hive.id] });
    for (const subject of ['ana', 'bo', undefined]) {
      const of = subject && { subject };
      const content = `The heron is with ${subject ?? 'all'}.`;
      await e.service.createMemory(caller, { type: 'semantic', content, agent_id: agent, ...of });
      const { run_id } = await say(e, agent, `We are ${subject ?? 'all'}, said the heron.`, subject);
      await e.service.execute(caller, forkRun, { id: agent, runId: run_id }, { checkpoint: 1 });
      const share = { tool: 'share_with_hive', content: `shared by ${subject ?? 'all'}`, hive_id: hive.id };
      await say(e, agent, JSON.stringify(share), subject);
      await e.service.execute(caller, sendMessage, { id: agent }, { content: `mail of ${subject ?? 'all'}`, ...of });
      await e.service.execute(
        caller,
        createSchedule,
        { id: agent },
        { every: 3600, input: `wake ${subject ?? 'all'}`, ...of },
      );
    }
    await eventually(async () => (await listed(e, { hive_id: hive.id })).length === 3, 'the shares');
    await eventually(
      async () =>
        (await e.service.execute(caller, listAllRuns, {}, { status: 'completed', page: { ...newestFirst, limit: 50 } }))
          .items.length === 9,
      'the forks',
    );
    await e.service.execute(caller, deleteSubject, { id: agent, subject: 'ana' });
    const page = { ...newestFirst, limit: 50 };
    const left = JSON.stringify([
      await listed(e),
      (await e.service.execute(caller, listRuns, { id: agent }, { page })).items,
      (await e.service.execute(caller, listMessages, { id: agent }, { page: page })).items,
      (await e.service.execute(caller, listSchedules, { id: agent }, { page: page })).items,
      await e.service.searchMemories(caller, { query: 'heron', agent_id: agent, limit: 50 }),
    ]);
    expect(left).not.to.match(/ana\b/);
    for (const other of ['bo', 'all'])
      expect(
        left.match(new RegExp(`with ${other}|are ${other}|by ${other}|mail of ${other}|wake ${other}`, 'g')),
      ).to.have.length.greaterThan(5);
    expect(await codeOf(e.service.execute(caller, deleteSubject, { id: agent, subject: 'ana' }))).to.equal('NOT_FOUND');
    expect(await codeOf(e.service.execute(caller, deleteSubject, { id: 'agent_none', subject: 'bo' }))).to.equal(
      'NOT_FOUND',
    );
  });

  it('are deleted in parts, and not by a commit for each item', async () => {
    const e = await bed.start(obeys);
    const hive = await e.service.execute(caller, createHive, {}, { name: 'h' });
    const agent = await spawn(e, { hives: [hive.id] });
    const memories = Array.from({ length: 120 }, (_, n) => ({
      ...{ type: 'semantic', content: `The heron was seen ${n} times at the quay.`, agent_id: agent, subject: 'ana' },
    }));
    await e.service.createMemories(caller, { memories });
    for (let n = 0; n < 12; n++) {
      await e.service.execute(caller, sendMessage, { id: agent }, { content: `mail ${n}`, subject: 'ana' });
      await say(e, agent, `We met ${n} herons.`, 'ana');
      const shared = { type: 'semantic', content: `The hive knows of ${n} herons.`, agent_id: agent, subject: 'ana' };
      await e.service.shareMemory(caller, hive.id, shared);
    }
    const seqs = async (): Promise<number> => {
      const of = { workspace: caller.workspace };
      const heads = [
        await bed.store.head({ ...of, kind: 'agent', id: agent }),
        await bed.store.head({ ...of, kind: 'hive', id: hive.id }),
      ];
      return heads.reduce((sum, head) => sum + (head?.seq ?? 0), 0);
    };
    const before = await seqs();
    await e.service.execute(caller, deleteSubject, { id: agent, subject: 'ana' });
    expect((await seqs()) - before).to.be.at.most(8);
    expect(await listed(e)).to.deep.equal([]);
    const page = { ...newestFirst, limit: 50 };
    expect((await e.service.execute(caller, listRuns, { id: agent }, { page })).items).to.deep.equal([]);
    expect((await e.service.execute(caller, listMessages, { id: agent }, { page: page })).items).to.deep.equal([]);
  });

  it('of any history, nothing crosses: what runs see, what is learnt, what searches and contexts tell', async function property() {
    this.timeout(120_000);
    const who = ['ana', 'bo', undefined] as const;
    const step = fc.record({
      subject: fc.constantFrom(...who),
      agent: fc.nat(1),
      does: fc.constantFrom(
        'say',
        'say',
        'remember',
        'share',
        'tell',
        'mail',
        'mail',
        'make',
        'forget',
        'update',
        'fork',
        'ask',
        'block',
        'write',
      ),
      session: fc.constantFrom(undefined, 's1', 's2'),
      which: fc.nat(20),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const clock = skippingClock();
        /** What was seen for whom. */
        const seen: [subject: string | undefined, text: string][] = [];
        const learnt: string[] = [];
        const script: Script = (context, signal) => {
          const { run, memories, turns, messages, transcript, blocks = [] } = context;
          runs.set(run.id, JSON.stringify([run.input, memories, turns, messages, transcript, blocks]));
          return obeys(context, signal);
        };
        const runs = new Map<string, string>();
        let open: () => void = () => undefined;
        const gate = new Promise<void>((resolve) => (open = resolve));
        const extract = async (said: readonly SaidToLearn[], known: readonly KnownMemory[]) => {
          await gate; // so that what follows is learnt together
          learnt.push(JSON.stringify([said, known]));
          const spans = said.map(({ content }, turn) => ({ turn, quote: content, replaces: known[0]?.id ?? '' }));
          return { spans, usage: { requests: 1, inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 } };
        };
        const e = await bed.start(script, { extract, clock });
        const hive = await e.service.execute(caller, createHive, {}, { name: 'h' });
        const agents = [
          await spawn(e, { hives: [hive.id] }),
          await spawn(e, { hives: [hive.id], wake_on_message: true }),
        ];
        const secret = (subject: string | undefined, n: number): string =>
          `The heron pond has secret-${subject ?? 'all'}-${n} in it`;
        for (const [n, { subject, agent: at, does: what, session, which }] of steps.entries()) {
          const agent = agents[at] ?? '';
          const content = secret(subject, n);
          const memories = await listed(e);
          const named = memories[which % Math.max(1, memories.length)]?.id ?? 'mem_none';
          const order = (tool: string, more: object = {}): string => JSON.stringify({ tool, content, ...more });
          const others = memories.filter((m) => (m.subject ?? undefined) !== subject);
          const tell = (text: string) => say(e, agent, text, subject, session).catch(() => undefined);
          if (what === 'say') await tell(content);
          else if (what === 'ask') await tell('What is in the heron pond?');
          else if (what === 'remember') await tell(order('remember'));
          else if (what === 'share') await tell(order('share_with_hive', { hive_id: hive.id }));
          else if (what === 'tell') await tell(order('send_message', { to: agents[1 - at] }));
          else if (what === 'forget') await tell(order('forget', { memory: named }));
          else if (what === 'update') await tell(order('update_memory', { memory: named }));
          else if (what === 'write') await tell(order('block_append', { label: 'pond', text: content }));
          else if (what === 'block')
            await e.service.execute(
              caller,
              setBlock,
              { id: agent, label: 'pond' },
              { value: content, ...(subject && { subject }) },
            );
          else if (what === 'mail')
            await e.service.execute(caller, sendMessage, { id: agent }, { content, ...(subject && { subject }) });
          else if (what === 'make')
            await e.service.createMemory(caller, {
              ...{ type: 'semantic', content, agent_id: agent },
              ...(subject && { subject }),
              ...(session && { sessionId: session }),
            });
          else {
            const { items } = await e.service.execute(
              caller,
              listRuns,
              { id: agent },
              { page: { ...newestFirst, limit: 5 } },
            );
            const run = items[which % Math.max(1, items.length)];
            if (run)
              await e.service
                .execute(caller, forkRun, { id: agent, runId: run.id }, { checkpoint: 1 })
                .catch(() => undefined);
          }
          // what belongs to others is as it was
          const now = new Map((await listed(e)).map((m) => [m.id, m]));
          if (what === 'forget' || what === 'update')
            for (const m of others)
              expect(now.get(m.id)?.superseded_by, `${what} of ${m.content}`).to.equal(m.superseded_by);
        }
        open();
        await eventually(async () => {
          clock.skip(11_000);
          const busy = await e.service.execute(
            caller,
            listAllRuns,
            {},
            { status: 'running', page: { ...newestFirst, limit: 1 } },
          );
          const heads = await Promise.all(
            agents.map(async (id) => bed.store.head({ workspace: 'default', kind: 'agent', id })),
          );
          const idle = heads.every((head) => !head?.active && head?.snapshot['toLearn'] === undefined);
          return busy.items.length === 0 && idle;
        }, 'the end of all work');
        for (const [id, text] of runs)
          for (const agent of agents) {
            const run = await e.service.execute(caller, getRun, { id: agent, runId: id }).catch(() => null);
            if (run) seen.push([run.subject ?? undefined, text]);
          }
        for (const subject of who)
          for (const agent_id of agents) {
            const of = subject && { subject };
            const query = 'heron pond secret';
            if (of)
              seen.push([
                subject,
                JSON.stringify(await e.service.searchMemories(caller, { query, agent_id, limit: 100, ...of })),
              ]);
            for (const more of [{ query }, { sessionId: 's1' }, {}])
              seen.push([
                subject,
                JSON.stringify(await e.service.promptContext(caller, { agent_id, max_tokens: 20_000, ...more, ...of })),
              ]);
          }
        for (const id of agents) {
          const page = { ...newestFirst, limit: 50 };
          const { items } = await e.service.execute(caller, listBlocks, { id }, { page });
          for (const block of items) seen.push([block.subject ?? undefined, JSON.stringify(block)]);
        }
        for (const memory of await listed(e)) seen.push([memory.subject ?? undefined, memory.content]);
        for (const [subject, text] of seen) {
          const found = new Set(Array.from(text.matchAll(/secret-(\w+)-\d+/g), (m) => m[1]));
          found.delete('all');
          if (subject) found.delete(subject);
          expect([...found], `seen for ${subject ?? 'nobody'}: ${text}`).to.deep.equal([]);
        }
        for (const text of learnt) {
          const found = new Set(Array.from(text.matchAll(/secret-(\w+)-\d+/g), (m) => m[1]));
          found.delete('all');
          expect(found.size, text).to.be.at.most(1);
        }
        await e.engine.stop(0);
      }),
      { numRuns: 40 },
    );
  });
});
