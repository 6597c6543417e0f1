/** Deletes single runs and single mailbox messages (docs/api.md 11.7). */
import { patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { deleteMessage, listMessages, sendMessage } from '../../../src/commands/mailbox.js';
import { expect } from 'chai';
import { answers, call, caller, does, eventually, type Script } from '../../helpers/engine.js';
import { agentRef, codeOf, newestFirst, overStores, runIn } from './kit.js';
import { deleteRun, getRun, listRuns, listAllRuns, forkRun, cancelRun } from '../../../src/commands/runs.js';
import { listThoughts, listCheckpoints } from '../../../src/commands/journals.js';

const stepsThenAnswer =
  (steps: number): Script =>
  (c) =>
    c.transcript.length < steps
      ? { thoughts: [{ thoughtType: 'insight', content: 'hm' }], calls: [call('recall', { query: 'anything' })] }
      : c.run.input === 'ask'
        ? does(call('ask_human', { question: 'and now?' }))
        : answers('done');

overStores('Deleting runs', (bed) => {
  const start = async (script: Script) => {
    const e = await bed.start(script);
    const agent = (await e.service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
    const counts = async () => (await bed.store.head(agentRef(agent)))!.counts;
    const run = async (input = 'go', status: 'completed' | 'paused' = 'completed'): Promise<string> => {
      const { id } = await e.service.startRun(caller, agent, { input, maxSteps: 100 });
      await runIn(e, agent, id, status);
      return id;
    };
    return { ...e, agent, counts, run };
  };

  it('Retention.D4: an ended run goes with all that it has written, and others stay', async () => {
    const e = await start(stepsThenAnswer(3));
    const before = await e.counts();
    const [gone, kept] = [await e.run(), await e.run()];
    await e.service.execute(caller, deleteRun, { id: e.agent, runId: gone });
    expect(await codeOf(e.service.execute(caller, getRun, { id: e.agent, runId: gone }))).to.equal('NOT_FOUND');
    expect(await codeOf(e.service.execute(caller, deleteRun, { id: e.agent, runId: gone }))).to.equal('NOT_FOUND');
    for (const runs of [
      await e.service.execute(caller, listRuns, { id: e.agent }, { page: newestFirst }),
      await e.service.execute(caller, listAllRuns, {}, { page: newestFirst }),
    ]) {
      expect(runs.items.map((r) => r.id)).to.deep.equal([kept]);
      expect(runs.total).to.equal(1);
    }
    expect((await e.service.execute(caller, listThoughts, { id: e.agent }, { page: newestFirst })).total).to.equal(3);
    expect(
      (await e.service.execute(caller, listCheckpoints, { id: e.agent }, { page: newestFirst })).items,
    ).to.have.length(4);
    await e.service.execute(caller, deleteRun, { id: e.agent, runId: kept });
    expect(await e.counts(), 'nothing is left, not a byte').to.deep.equal(before);
  });

  it('Retention.D4: a run that has not ended, or that forks rest on, is a conflict', async () => {
    const e = await start(stepsThenAnswer(1));
    const first = await e.run('ask', 'paused');
    expect(await codeOf(e.service.execute(caller, deleteRun, { id: e.agent, runId: first }))).to.equal('CONFLICT');
    const fork = (await e.service.execute(caller, forkRun, { id: e.agent, runId: first }, { checkpoint: 1 })).id;
    await runIn(e, e.agent, fork, 'paused');
    await e.service.execute(caller, cancelRun, { id: e.agent, runId: first });
    expect(
      await codeOf(e.service.execute(caller, deleteRun, { id: e.agent, runId: first })),
      'the fork may go on',
    ).to.equal('CONFLICT');
    await e.service.execute(caller, cancelRun, { id: e.agent, runId: fork });
    await e.service.execute(caller, deleteRun, { id: e.agent, runId: fork });
    await e.service.execute(caller, deleteRun, { id: e.agent, runId: first });
    expect((await e.service.execute(caller, listRuns, { id: e.agent }, { page: newestFirst })).total).to.equal(0);
  });

  it('Conversation.V1: what was said in it is recalled no more, and its session goes on with the next run', async () => {
    const e = await start(() => answers('noted'));
    const say = async (content: string): Promise<string> =>
      (await e.service.messageAgent(caller, e.agent, { content, sessionId: 's-1' })).run_id;
    const opening = (): Promise<string[]> =>
      bed.store
        .list({ workspace: 'default', collection: 'run', list: 'opening', by: 'yes', order: 'asc', limit: 10 })
        .then(({ items }) => items.map((i) => i.id));
    const first = await say('the kiln is at 1180 degrees today');
    const second = await say('the glaze is blue and thick');
    expect(await opening()).to.deep.equal([first]);
    await e.service.execute(caller, deleteRun, { id: e.agent, runId: first });
    expect(await opening()).to.deep.equal([second]);
    await say('and the clay is grey and wet');
    expect(await opening()).to.deep.equal([second]);
    await e.service.execute(caller, deleteRun, { id: e.agent, runId: second });
    expect(await opening()).to.have.length(1);
  });

  it('a long journal goes in bounded commits', async function () {
    this.timeout(30_000);
    const e = await start(stepsThenAnswer(1000));
    const id = await e.run();
    const again = async (): Promise<void> => {
      await e.service.resumeRun(caller, e.agent, id, {});
      await runIn(e, e.agent, id, 'completed');
    };
    await again();
    await again();
    let largest = 0;
    const { commit } = bed.store;
    bed.store.commit = (c) => {
      largest = Math.max(largest, c.deletes.length);
      return commit.call(bed.store, c);
    };
    await e.service.execute(caller, deleteRun, { id: e.agent, runId: id });
    bed.store.commit = commit;
    expect(largest).to.be.within(1, 201);
    expect((await e.counts())['checkpoints'] ?? 0).to.equal(0);
    expect((await e.counts())['runs'] ?? 0).to.equal(0);
  });
});

overStores('Deleting messages', (bed) => {
  it('a message goes, read or not, and is recalled no more', async () => {
    const e = await bed.start(() => answers('read'));
    const { id } = await e.service.execute(caller, spawnAgent, {}, { name: 'Ada' });
    const before = (await bed.store.head(agentRef(id)))!.counts;
    const [one, two] = [
      await e.service.execute(caller, sendMessage, { id }, { content: 'the kiln is hot' }),
      await e.service.execute(caller, sendMessage, { id }, { content: 'the kiln is cold' }),
    ];
    await e.service.execute(caller, deleteMessage, { id, messageId: one.id });
    expect(await codeOf(e.service.execute(caller, deleteMessage, { id, messageId: one.id }))).to.equal('NOT_FOUND');
    const found = await e.service.searchMemories(caller, { query: 'kiln', agent_id: id });
    expect(found.map((m) => m.id)).to.deep.equal([two.id]);
    const { run_id: run } = await e.service.messageAgent(caller, id, { content: 'anything new?' });
    expect((await e.service.execute(caller, listMessages, { id }, { page: newestFirst })).items).to.have.length(1);
    expect(
      (await e.service.execute(caller, listMessages, { id }, { page: newestFirst })).items[0]?.read_at,
    ).not.to.equal(null);
    await e.service.execute(caller, deleteMessage, { id, messageId: two.id });
    expect((await e.service.execute(caller, listMessages, { id }, { page: newestFirst })).total).to.equal(0);
    await e.service.execute(caller, deleteRun, { id, runId: run });
    expect((await bed.store.head(agentRef(id)))!.counts).to.deep.equal({ ...before, handled: 2 });
  });

  it('a deleted unread message wakes nobody, and a later one still does', async () => {
    const e = await bed.start(() => answers('read'));
    const { id } = await e.service.execute(caller, spawnAgent, {}, { name: 'Ada' });
    for (let i = 0; i < 70; i++) await e.service.execute(caller, sendMessage, { id }, { content: `${i}` });
    const page = await e.service.execute(
      caller,
      listMessages,
      { id },
      { page: { ...{ ...newestFirst, limit: 100 }, ordered: true } },
    );
    for (const message of page.items) await e.service.execute(caller, deleteMessage, { id, messageId: message.id });
    await e.service.execute(caller, patchAgent, { id }, { wake_on_message: true });
    expect((await e.service.execute(caller, listRuns, { id }, { page: newestFirst })).total).to.equal(0);
    await e.service.execute(caller, sendMessage, { id }, { content: 'wake' });
    await eventually(
      async () =>
        (await e.service.execute(caller, listMessages, { id }, { page: newestFirst })).items[0]?.read_at != null,
      'the reading of the later message',
    );
  });

  it('Mailbox.B1: what was deleted is not taken again when its delivery is repeated', async () => {
    const e = await bed.start((c) =>
      c.transcript.length === 0 ? does(call('send_message', { to: 'Bob', content: 'hi' })) : answers('sent'),
    );
    const from = await e.service.execute(caller, spawnAgent, {}, { name: 'Ada' });
    const to = await e.service.execute(caller, spawnAgent, {}, { name: 'Bob' });
    const inbox = async () =>
      (await e.service.execute(caller, listMessages, { id: to.id }, { page: newestFirst })).items;
    // the sender cannot note that the message was delivered, until somebody else seems to have written it
    let release: (() => void) | undefined;
    const { commit } = bed.store;
    bed.store.commit = (c) => {
      if (release || c.entity.id !== from.id || !c.deletes.some((d) => d.kind === 'outbox'))
        return commit.call(bed.store, c);
      return new Promise((resolve) => {
        release = () => resolve('conflict');
      });
    };
    await e.service.messageAgent(caller, from.id, { content: 'greet Bob' });
    const [message] = await eventually(async () => release && (await inbox()), 'the delivery');
    await e.service.execute(caller, deleteMessage, { id: to.id, messageId: message!.id });
    release?.();
    await eventually(async () => (await bed.store.head(agentRef(from.id)))?.active === false, 'the second delivery');
    expect(await inbox()).to.deep.equal([]);
    bed.store.commit = commit;
  });
});
