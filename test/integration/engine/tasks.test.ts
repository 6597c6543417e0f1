/** Runs as A2A tasks through the engine (docs/api.md 3.1, 4.2): what a message begins, and counts once. */
import { getAgent, patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Task, TaskInput } from '../../../src/domain/task/task.js';
import { answers, call, caller, does, echo } from '../../helpers/engine.js';
import { codeOf, newestFirst, overStores, type Running } from './kit.js';
import { listRuns, getRun } from '../../../src/commands/runs.js';
import { cancelTask, getTask, listTasks } from '../../../src/commands/tasks.js';

const said = (text: string, messageId = 'm1'): TaskInput['message'] => ({
  messageId,
  role: 'user',
  parts: [{ kind: 'text', text }],
});
const textIn = (task: Task): unknown[] => (task.output ?? []).map((p) => (p.kind === 'text' ? p.text : p));

async function statusesOf(
  e: Running,
  agent: string,
  id: string,
  lastSeq: number,
): Promise<{ task: Task; seqs: number[]; kinds: string[] }> {
  const { task, events } = await e.service.followTask(caller, agent, id, lastSeq);
  const seqs: number[] = [];
  const kinds: string[] = [];
  for await (const event of events) {
    if (event.type === 'delta') continue;
    seqs.push(event.seq);
    kinds.push(event.type === 'status' ? event.status : event.type);
  }
  return { task, seqs, kinds };
}

overStores('Tasks', (bed) => {
  it('the same message answers the same task, at once, ten at a time and after a crash; other content is another task (Agent.G5)', async () => {
    const e = await bed.start(echo);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Once' });
    const send = (text: string, from = e, who = caller): Promise<string> =>
      from.service.sendTask(who, agent.id, { message: said(text), wait: 'natural' }).then((s) => s.id);
    const ids = await Promise.all(Array.from({ length: 10 }, () => send('same')));
    expect(new Set(ids)).to.have.length(1);
    expect(await send('same')).to.equal(ids[0]);
    expect(await send('other')).not.to.equal(ids[0]);
    expect(await send('same', e, { ...caller, credentialId: 'key_other' }), "another key's message").not.to.equal(
      ids[0],
    );
    e.kill();
    const after = await bed.start(echo);
    expect(await send('same', after)).to.equal(ids[0]);
    expect((await after.service.execute(caller, listRuns, { id: agent.id }, { page: newestFirst })).total).to.equal(3);
    expect(
      (await after.service.execute(caller, getAgent, { id: agent.id }, {})).message_count,
      'docs/api.md 2.1',
    ).to.equal(3);
  });

  it('a first message said again once the task was gone on with, or cancelled, is a new task; a reply said again never is', async () => {
    const { service } = await bed.start((c) =>
      c.humanInputs.length === 0 ? does(call('ask_human', { question: '?' })) : answers('ok'),
    );
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Again' });
    const begin = async (): Promise<string> =>
      (await service.sendTask(caller, agent.id, { message: said('begin'), wait: 'natural' })).id;
    const first = await begin();
    expect(await begin(), 'a retry').to.equal(first);
    const go = (): Promise<unknown> =>
      service
        .sendTask(caller, agent.id, { message: said('on', 'm2'), taskId: first, wait: 'natural' })
        .then((s) => s.id);
    expect([await go(), await go()]).to.deep.equal([first, first]);
    const second = await begin();
    expect(second).not.to.equal(first);
    expect(await begin(), 'a retry of the second').to.equal(second);
    await service.execute(caller, cancelTask, { id: agent.id, taskId: second });
    expect(await begin()).not.to.be.oneOf([first, second]);
    expect((await service.execute(caller, listRuns, { id: agent.id }, { page: newestFirst })).total).to.equal(3);
  });

  it('a refused message leaves nothing behind: sent again, it counts', async () => {
    const { service } = await bed.start(echo);
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Shy' });
    const send = (): Promise<unknown> => service.sendTask(caller, agent.id, { message: said('hi'), wait: 'natural' });
    await service.execute(caller, patchAgent, { id: agent.id }, { status: 'inactive' });
    expect(await codeOf(send())).to.equal('AGENT_INACTIVE');
    await service.execute(caller, patchAgent, { id: agent.id }, { status: 'active' });
    await send();
    expect((await service.execute(caller, listRuns, { id: agent.id }, { page: newestFirst })).total).to.equal(1);
  });

  it('TaskStream.T1: streamTask begins with the first event that the message caused; sent again, with the first of the task', async () => {
    const e = await bed.start((c) =>
      c.humanInputs.length === 0
        ? does(call('ask_human', { question: 'which city?' }))
        : answers(`to ${c.humanInputs[0]?.input ?? ''}`),
    );
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Guide' });
    const streamed = async (input: Omit<TaskInput, 'wait'>): Promise<{ task: Task; told: string[] }> => {
      const { task, events } = await e.service.streamTask(caller, agent.id, input);
      const told: string[] = [];
      for await (const event of events) {
        if (event.type === 'delta') continue;
        told.push(`${event.seq} ${event.type === 'status' ? event.status : event.type}`);
        if (event.type === 'status' && (event.status === 'paused' || event.status === 'completed')) break;
      }
      return { task, told };
    };
    const asked = await streamed({ message: said('book a trip') });
    expect(asked.task).to.include({ status: 'running', statusSeq: 1, lastSeq: 1, statusMessage: null, output: null });
    expect(asked.told).to.deep.equal(['2 paused']);
    const reply = { message: said('Lisbon', 'm2'), taskId: asked.task.id };
    const answered = await streamed(reply);
    expect(answered.task).to.include({ id: asked.task.id, status: 'running', statusSeq: 3, lastSeq: 3, output: null });
    expect(answered.told).to.deep.equal(['4 answer', '5 completed']);
    const again = await streamed(reply);
    expect(again.task).to.include({ id: asked.task.id, status: 'running', lastSeq: 1 });
    expect(again.told[0]).to.equal('2 paused');
  });

  it('a question makes the task wait; the reply goes on with it and both are in its history', async () => {
    const e = await bed.start((c) =>
      c.humanInputs.length === 0
        ? does(call('ask_human', { question: 'which city?' }))
        : answers(`to ${c.humanInputs[0]?.input ?? ''}`),
    );
    const { service } = e;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Guide' });
    const task = await service.sendTask(caller, agent.id, { message: said('book a trip'), wait: 'natural' });
    expect(task).to.include({ status: 'paused', statusMessage: 'which city?' });
    const reply = await service.sendTask(caller, agent.id, {
      message: said('Lisbon', 'm2'),
      taskId: task.id,
      wait: 'natural',
    });
    expect(reply).to.include({ id: task.id, status: 'completed' });
    expect(textIn(reply)).to.deep.equal(['to Lisbon']);
    expect(reply.history?.map((m) => [m.role, m.parts[0]?.kind === 'text' && m.parts[0].text])).to.deep.equal([
      ['user', 'book a trip'],
      ['agent', 'which city?'],
      ['user', 'Lisbon'],
    ]);
    expect(reply.history?.[1]?.messageId).to.equal(`${task.id}-${task.statusSeq}`);
    expect(
      (await service.sendTask(caller, agent.id, { message: said('Lisbon', 'm2'), taskId: task.id, wait: 'natural' }))
        .id,
      'again',
    ).to.equal(task.id);
    expect(
      await codeOf(
        service.sendTask(caller, agent.id, { message: said('more', 'm3'), taskId: task.id, wait: 'natural' }),
      ),
    ).to.equal('RUN_NOT_RESUMABLE');
    expect(
      await codeOf(
        service.sendTask(caller, agent.id, { message: said('more', 'm3'), taskId: 'run_none', wait: 'natural' }),
      ),
    ).to.equal('NOT_FOUND');
  });

  it('an approval is given by "approve", or data that says so; anything else rejects and is the reason', async () => {
    const e = await bed.start((c) =>
      c.humanInputs.length === 0 && c.transcript.length === 0
        ? does(call('remember', { content: 'gated' }))
        : answers(c.humanInputs.map((h) => `${h.decision ?? ''}:${h.input}`).join() || 'kept'),
    );
    const { service } = e;
    const agent = await service.execute(
      caller,
      spawnAgent,
      {},
      { name: 'Gate', config: { validation_gate: 'action' } },
    );
    const outcomeOf = async (reply: TaskInput['message'], n: number): Promise<unknown[]> => {
      const task = await service.sendTask(caller, agent.id, {
        message: said(`go ${n}`, `go${n}`),
        wait: 'natural',
      });
      expect(task.status).to.equal('paused');
      return textIn(await service.sendTask(caller, agent.id, { message: reply, taskId: task.id, wait: 'natural' }));
    };
    expect(await outcomeOf(said('Approve.', 'a'), 1)).to.deep.equal(['kept']);
    expect(
      await outcomeOf({ messageId: 'b', role: 'user', parts: [{ kind: 'data', data: { decision: 'approve' } }] }, 2),
    ).to.deep.equal(['kept']);
    expect(await outcomeOf(said('approve nothing of the kind', 'c'), 3)).to.deep.equal([
      'reject:approve nothing of the kind',
    ]);
    expect(
      await outcomeOf(
        { messageId: 'd', role: 'user', parts: [{ kind: 'data', data: { decision: 'reject', input: 'no' } }] },
        4,
      ),
    ).to.deep.equal(['reject:no']);
  });

  it('hands the message to the reasoner, and an answer of several parts to the artifact, through a restart', async () => {
    const parts = [
      { kind: 'file' as const, bytes: 'aGk=', filename: 'hi.txt', mediaType: 'text/plain' },
      { kind: 'data' as const, data: { n: 1 } },
    ];
    const e = await bed.start((c) =>
      does({ tool: 'answer', arguments: { content: '' }, parts: c.run.message?.messageId === 'm1' ? parts : [] }),
    );
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Maker' });
    const task = await e.service.sendTask(caller, agent.id, {
      message: {
        messageId: 'm1',
        role: 'user',
        parts: [
          { kind: 'text', text: 'make' },
          { kind: 'data', data: [1] },
        ],
        metadata: { a: 1 },
      },
      wait: 'natural',
    });
    expect(task.output).to.deep.equal(parts);
    e.kill();
    const after = await bed.start();
    expect(await after.service.execute(caller, getTask, { id: agent.id, taskId: task.id })).to.deep.equal(task);
    const { events } = await after.service.followTask(caller, agent.id, task.id, 0);
    for await (const event of events) if (event.type === 'answer') expect(event.parts).to.deep.equal(parts);
    expect((await after.service.execute(caller, getRun, { id: agent.id, runId: task.id })).input).to.equal('make\n[1]');
  });

  it('is told as it was after any event, and goes on from there without gap or double', async () => {
    const e = await bed.start((c) => ({
      thoughts: [{ thoughtType: 'insight', content: `thought ${c.step}` }],
      calls: c.step < 3 ? [call('recall', { query: 'x' })] : [call('answer', { content: 'end' })],
    }));
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Talker', config: { multi_step: true } });
    const { id } = await e.service.sendTask(caller, agent.id, { message: said('talk'), wait: 'settled' });
    const whole = await statusesOf(e, agent.id, id, 0);
    expect(whole.kinds).to.deep.equal(['running', 'thought', 'thought', 'thought', 'answer', 'completed']);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 9 }), async (cut) => {
        const { task, seqs } = await statusesOf(e, agent.id, id, cut);
        expect(seqs).to.deep.equal(whole.seqs.slice(cut));
        expect(task.lastSeq).to.equal(Math.min(cut, 6));
        expect(task.status).to.equal(cut === 0 ? 'pending' : cut < 6 ? 'running' : 'completed');
        expect(textIn(task)).to.deep.equal(cut < 5 ? [] : ['end']);
      }),
      { numRuns: 20 },
    );
  });

  it('a run that ends at a budget tells what there is as its artifact', async () => {
    const e = await bed.start((c) => ({
      thoughts: [{ thoughtType: 'insight', content: `part ${c.step}` }],
      calls: [call('recall', { query: 'x' })],
    }));
    const agent = await e.service.execute(
      caller,
      spawnAgent,
      {},
      { name: 'Endless', config: { multi_step: true, max_steps: 2 } },
    );
    const task = await e.service.sendTask(caller, agent.id, { message: said('on'), wait: 'settled' });
    expect(textIn(task)).to.deep.equal(['part 2']);
    expect((await statusesOf(e, agent.id, task.id, 0)).kinds.slice(-2)).to.deep.equal(['answer', 'completed']);
  });

  it('lists by last change, filtered by status and time, to the end', async () => {
    const e = await bed.start((c) =>
      c.run.input.startsWith('ask') ? does(call('ask_human', { question: '?' })) : answers('ok'),
    );
    const { service } = e;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Many' });
    const ids: string[] = [];
    for (let i = 0; i < 7; i++)
      ids.push(
        (
          await service.sendTask(caller, agent.id, {
            message: said(i % 3 === 0 ? `ask ${i}` : `do ${i}`, `m${i}`),
            wait: 'natural',
          })
        ).id,
      );
    const byChange = { sort: 'updated_at' as const, order: 'desc' as const, limit: 2 };
    const all = async (filter: {
      statuses?: ('paused' | 'completed')[];
      changedSince?: string;
    }): Promise<{ ids: string[]; total: number }> => {
      const found: string[] = [];
      for (
        let page = await service.execute(
          caller,
          listTasks,
          { id: agent.id },
          { ...filter, history: false, page: byChange },
        );
        ;
        page = await service.execute(
          caller,
          listTasks,
          { id: agent.id },
          { ...filter, history: false, page: { ...byChange, after: page.next } },
        )
      ) {
        found.push(...page.items.map((t) => t.id));
        if (!page.next) return { ids: found, total: page.total };
      }
    };
    expect(await all({})).to.deep.equal({ ids: [...ids].reverse(), total: 7 });
    expect(await all({ statuses: ['paused'] })).to.deep.equal({ ids: [ids[6], ids[3], ids[0]], total: 3 });
    const since = (await service.execute(caller, getTask, { id: agent.id, taskId: ids[4] ?? '' })).statusAt;
    expect(await all({ changedSince: since })).to.deep.equal({ ids: [ids[6], ids[5], ids[4]], total: 3 });
  });
});
