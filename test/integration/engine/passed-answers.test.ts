/** What the run of a question waits for, answered at the run that asks. PassedAnswer.K1 to PassedAnswer.K3. */
import { expect } from 'chai';
import { spawnAgent } from '../../../src/commands/agents.js';
import { getRun, listRuns } from '../../../src/commands/runs.js';
import { getTask } from '../../../src/commands/tasks.js';
import type { Caller } from '../../../src/domain/shared/caller.js';
import { answers, call, caller, does, eventually, type Script } from '../../helpers/engine.js';
import { codeOf, newestFirst, overStores, runIn, type Running, told } from './kit.js';

/** "ask NAME[,NAME]: QUESTION" asks; "human", "tool" and "mail" are what a question makes of its run. */
const script: Script = (context) => {
  const { run, transcript, agent, humanInputs } = context;
  const asks = /^ask ([^:]+): (.*)$/s.exec(run.input);
  if (asks && transcript.length === 0)
    return does(
      ...(asks[1] ?? '').split(',').map((name) => call('ask_agent', { agent: name, question: asks[2] ?? '' })),
    );
  if (asks) return answers(told(context));
  if (run.input === 'human' && humanInputs.length === 0) return does(call('ask_human', { question: 'which one?' }));
  if (run.input === 'human') return answers(`${agent.name} heard ${humanInputs[0]?.input}`);
  if (run.input === 'tool' && transcript.length === 0)
    return does(call('use_tool', { name: 'look', input: '{"where":"here"}' }));
  if (run.input === 'note' && transcript.length === 0) return does(call('remember', { content: 'it is so' }));
  return answers(`${agent.name}: ${told(context)}`);
};

const config = { multi_step: true };
const look = { kind: 'client' as const, name: 'look', description: 'looks', reads_only: true as const };
const ended = ['completed', 'failed', 'cancelled', 'timeout'] as const;

overStores('Answers at the run that asks', (bed) => {
  const spawn = async (e: Running, name: string, more: object = {}): Promise<string> =>
    (await e.service.execute(caller, spawnAgent, {}, { name, config: { ...config, ...more } })).id;
  const runOf = (e: Running, agent: string, id: string) => e.service.execute(caller, getRun, { id: agent, runId: id });
  /** The run that asks, and what it waits for elsewhere, when there is as much as that. */
  const asking = async (e: Running, agent: string, input: string, many = 1) => {
    const { id } = await e.service.startRun(caller, agent, { input });
    const waits = await eventually(async () => {
      const all = (await runOf(e, agent, id)).waitingFor?.asked?.flatMap(({ waitsFor }) => waitsFor ?? []) ?? [];
      return all.length === many && all;
    });
    return { id, waits };
  };

  it('are brought to the run that waits, through others as well, once', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    await spawn(e, 'Bo');
    const cy = await spawn(e, 'Cy');
    const { id, waits } = await asking(e, ada, 'ask Bo: ask Cy: human');
    expect(waits[0]).to.deep.include({ agent_id: cy, kind: 'human', question: 'which one?' });
    expect(waits[0]?.id).to.equal((await runOf(e, cy, waits[0]?.run_id ?? '')).waitingFor?.id);
    expect(await codeOf(e.service.resumeRun(caller, ada, id, { decision: 'approve' }))).to.equal('VALIDATION_ERROR');
    const answered = await e.service.resumeRun(caller, ada, id, { input: 'this one' });
    expect(answered).to.include({ id, agent_id: ada });
    expect((await runIn(e, ada, id, 'completed')).output).to.contain('Cy heard this one');
    expect(await codeOf(e.service.resumeRun(caller, ada, id, { input: 'that one' }))).to.equal('RUN_NOT_RESUMABLE');
  });

  it('name which question they answer where there are several', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    await spawn(e, 'Cy');
    const { id, waits } = await asking(e, ada, 'ask Bo,Cy: human', 2);
    const own = (await runOf(e, ada, id)).waitingFor?.id ?? '';
    for (const named of [undefined, own])
      expect(await codeOf(e.service.resumeRun(caller, ada, id, { input: 'x', answers: named }))).to.equal(
        'VALIDATION_ERROR',
      );
    expect(await codeOf(e.service.resumeRun(caller, ada, id, { input: 'x', answers: 'run_x-1' }))).to.equal('CONFLICT');
    const of = (agent: string) => waits.find(({ agent_id }) => agent_id === agent)?.id;
    await e.service.resumeRun(caller, ada, id, { input: 'to Bo', answers: of(bo) });
    await eventually(
      async () =>
        (await runOf(e, ada, id)).waitingFor?.asked?.filter(({ waitsFor, answered }) => waitsFor && !answered)
          .length === 1,
    );
    await e.service.resumeRun(caller, ada, id, { input: 'to Cy', answers: own });
    expect((await runIn(e, ada, id, 'completed')).output).to.equal(
      'ask_agent true Bo heard to Bo; ask_agent true Cy heard to Cy',
    );
  });

  it('decide with the powers that the run that waits asks for', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo', { validation_gate: 'action' });
    const approve = { decision: 'approve' as const };
    const { id, waits } = await asking(e, ada, 'ask Bo: note');
    expect(waits[0]).to.include({ agent_id: bo, kind: 'approval' });
    expect(JSON.stringify(await runOf(e, ada, id))).not.to.contain('it is so');
    const callers: Caller[] = [
      { ...caller, scopes: ['agent:spawn', 'agent:read'] },
      { ...caller, byModel: true },
      { ...caller, agent: ada },
    ];
    for (const who of callers)
      expect(await codeOf(e.service.resumeRun(who, ada, id, approve))).to.equal('INSUFFICIENT_SCOPE');
    expect(await codeOf(e.service.resumeRun({ ...caller, workspace: 'other' }, ada, id, approve))).to.equal(
      'NOT_FOUND',
    );
    expect(
      await codeOf(e.service.resumeRun({ ...caller, ownTasks: true, credentialId: 'token_x' }, ada, id, approve)),
    ).to.equal('NOT_FOUND');
    await e.service.resumeRun({ ...caller, agent: bo }, ada, id, approve);
    expect((await runIn(e, ada, id, 'completed')).output).to.match(/^ask_agent true Bo: remember true/);
    // a human's answer narrows what its run may do
    const other = await asking(e, ada, 'ask Bo: human');
    await e.service.resumeRun({ ...caller, agent: ada, powers: ['memory:read'] }, ada, other.id, { input: 'x' });
    await runIn(e, ada, other.id, 'completed');
    const of = { workspace: 'default', kind: 'agent', id: bo } as const;
    expect((await bed.store.get(of, 'run', other.waits[0]?.run_id ?? ''))?.body.powers).to.deep.equal(['memory:read']);
  });

  it('are given unseen where a gate holds what the run that asks says', async () => {
    const e = await bed.start(script);
    const lead = await spawn(e, 'Lead');
    const ada = await spawn(e, 'Ada', { validation_gate: 'answer' });
    const bo = await spawn(e, 'Bo');
    const { id, waits } = await asking(e, lead, 'ask Ada: ask Bo: human');
    expect(waits[0]).to.deep.include({
      agent_id: bo,
      kind: 'human',
      question: 'it asks a human, and what it asks is shown where it waits',
    });
    await e.service.resumeRun(caller, lead, id, { input: 'this one' });
    const gated = await eventually(async () => {
      const [now] = (await runOf(e, lead, id)).waitingFor?.asked ?? [];
      return now?.waitsFor?.kind === 'approval' ? now.waitsFor : null;
    });
    expect(gated.agent_id).to.equal(ada);
    await e.service.resumeRun(caller, lead, id, { decision: 'approve', answers: gated.id });
    expect((await runIn(e, lead, id, 'completed')).output).to.contain('Bo heard this one');
  });

  it('are the results of the tools of a client', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo', { tools: [look] });
    const { id, waits } = await asking(e, ada, 'ask Bo: tool');
    const { calls } = (await runOf(e, bo, waits[0]?.run_id ?? '')).waitingFor ?? {};
    const results = (named: string) => ({ results: [{ id: named, content: 'a lake' }] });
    expect(await codeOf(e.service.resumeRun(caller, ada, id, results('x')))).to.equal('VALIDATION_ERROR');
    await e.service.resumeRun(caller, ada, id, results(calls?.[0]?.id ?? ''));
    expect((await runIn(e, ada, id, 'completed')).output).to.equal('ask_agent true Bo: use_tool true a lake');
  });

  it('come as messages of A2A to the task that asks, which may be sent again', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    await spawn(e, 'Bo');
    const { id } = await asking(e, ada, 'ask Bo: human');
    const task = await e.service.execute(caller, getTask, { id: ada, taskId: id });
    expect(task).to.include({
      status: 'running',
      statusMessage: 'waits for the answer of Bo; Bo: which one?',
    });
    const message = (text: string) => ({
      taskId: id,
      wait: 'settled' as const,
      message: { messageId: 'm', role: 'user' as const, parts: [{ kind: 'text' as const, text }] },
    });
    const reply = await e.service.sendTask(caller, ada, message('this one'));
    expect(reply).to.deep.include({ id, status: 'completed' });
    expect(JSON.stringify(reply.output)).to.contain('Bo heard this one');
    expect(await e.service.sendTask(caller, ada, message('this one'))).to.deep.include({ id, status: 'completed' });
  });

  it('take effect once, whichever commit the process is killed at, as what is sent again goes where it has gone', async () => {
    const { store } = bed;
    const commit = store.commit.bind(store);
    let left = Infinity;
    let e = await bed.start(script);
    store.commit = (...given) => {
      if (--left === 0) e.kill();
      return commit(...given);
    };
    const ada = await spawn(e, 'Ada');
    await spawn(e, 'Bo');
    const cy = await spawn(e, 'Cy');
    let kills = 0;
    for (let at = 1; at <= 9; at++) {
      const { id } = await asking(e, ada, 'ask Bo: ask Cy: human');
      const answer = (): Promise<unknown> =>
        e.service.resumeRun(
          { ...caller, idempotencyKey: { id: `answer ${at}`, bodyHash: 'b', replayed: false } },
          ada,
          id,
          { input: `number ${at}` },
        );
      left = at;
      const first = answer().then(() => true);
      const isDone = async (): Promise<boolean> => (await runOf(e, ada, id)).status === 'completed';
      await eventually(async () => left <= 0 || (await isDone()));
      if (left <= 0) {
        kills++;
        e = await bed.start(script);
      } else await first;
      left = Infinity;
      await answer();
      const run = await runIn(e, ada, id, ...ended);
      expect(run.output, `killed at commit ${at}`).to.contain(`Cy heard number ${at}`);
      await answer(); // and after the end
    }
    expect(kills).to.be.greaterThan(4);
    const runs = await e.service.execute(caller, listRuns, { id: cy }, { page: newestFirst });
    expect(runs.items).to.have.lengthOf(9);
  });
});
