/**
 * What pushes hold on to, and for how long: agents that own them passivate, are deleted, are stopped; receivers are
 * replaced (actors/entities/push-outbox.ts, actors/runtime/system.ts).
 */
import { deleteAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import type { TaskPush, TaskInput } from '../../../src/domain/task/task.js';
import { type Push, PushError } from '../../../src/push/port.js';
import { call, caller, answers, does, echo, eventually, noPush, testEngine } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { turn } from '../../helpers/turn.js';
import { agentRef } from './kit.js';
import { setPush } from '../../../src/commands/tasks.js';

const config = { id: 'c', url: 'https://receiver.example/', version: '0.3' as const };
const go = (text = 'go', more: Partial<TaskInput> = {}): TaskInput => ({
  message: { messageId: text, role: 'user', parts: [{ kind: 'text', text }] },
  push: config,
  wait: 'settled',
  ...more,
});
const never = new Promise<never>(() => undefined);

/** Pushes are tried in the test's hand. */
const receiver = (deliver: Push['deliver']): Push => ({ ...noPush, deliver });

describe('Lifetimes of pushes', () => {
  let store: MemoryStore;
  beforeEach(() => {
    store = new MemoryStore();
  });
  const waiting = (agent: string): Promise<number> =>
    store
      .count({ workspace: 'default', entity: agentRef(agent), collection: 'outbox', list: 'created' }, 100)
      .then((c) => c.count);

  it('an agent that had pushes and messages to deliver passivates when they are out, and nothing of it is left', async () => {
    const told: string[] = [];
    const { engine } = await testEngine(
      store,
      (c) =>
        c.run.input === 'go'
          ? does(call('send_message', { to: 'Friend', content: 'hi' }), call('answer', { content: 'ok' }))
          : echo(c, new AbortController().signal),
      {
        idleMs: 20,
        push: receiver(async ({ task }: TaskPush) => {
          await Promise.resolve();
          told.push(task.status);
        }),
      },
    );
    await engine.service.execute(caller, spawnAgent, {}, { name: 'Friend' });
    const agent = await engine.service.execute(caller, spawnAgent, {}, { name: 'Teller' });
    await engine.service.sendTask(caller, agent.id, go());
    await eventually(async () => Promise.resolve(engine.stats().active === 0), 'the passivation of all');
    expect(told).to.deep.equal(['running', 'completed']);
    expect([await waiting(agent.id), store.head(agentRef(agent.id))?.snapshot.pushes]).to.deep.equal([0, 0]);
    await engine.stop(0);
  });

  it('a delete aborts what is under way: nothing is sent or reported afterwards, and no actor stays', async () => {
    let tried = 0;
    let aborted = 0;
    const { engine, log } = await testEngine(store, echo, {
      idleMs: 20,
      push: receiver(
        (_, signal) =>
          new Promise((_resolve, reject) => {
            tried++;
            signal.addEventListener('abort', () => {
              aborted++;
              reject(signal.reason as Error);
            });
          }),
      ),
    });
    const agent = await engine.service.execute(caller, spawnAgent, {}, { name: 'Short' });
    await engine.service.sendTask(caller, agent.id, go());
    await eventually(async () => Promise.resolve(tried === 1));
    await engine.service.execute(caller, deleteAgent, { id: agent.id });
    await eventually(async () => Promise.resolve(engine.stats().active === 0), 'the passivation of all');
    expect([tried, aborted, await waiting(agent.id), log]).to.deep.equal([1, 1, 0, []]);
    expect(await store.sum('default', 'deadLetters')).to.equal(0);
    await engine.stop(0);
  });

  it('a stop does not wait for a receiver that hangs, nor for a pause between tries; all of them are sent by the next process', async () => {
    let tried = 0;
    const first = await testEngine(store, echo, {
      push: receiver(() => {
        tried++;
        return tried % 2 === 0 ? never : Promise.reject(new PushError('answered 503'));
      }),
    });
    const agent = await first.engine.service.execute(caller, spawnAgent, {}, { name: 'Firm' });
    await first.engine.service.sendTask(caller, agent.id, go());
    await eventually(async () => Promise.resolve(tried === 2));
    const begun = Date.now();
    await first.engine.stop(120_000);
    expect(Date.now() - begun, 'far less than it was given').to.be.below(60_000);
    const told: string[] = [];
    const second = await testEngine(store, echo, {
      push: receiver(({ task }: TaskPush) => {
        told.push(task.status);
        return Promise.resolve();
      }),
    });
    await eventually(async () => (await waiting(agent.id)) === 0);
    expect(told).to.deep.equal(['running', 'completed']);
    expect(store.head(agentRef(agent.id))).to.include({ active: false });
    await second.engine.stop(0);
  });

  it('a receiver that is replaced while it hangs gets nothing more, and the new one what comes after it', async () => {
    const got: string[] = [];
    let fail = (_: Error): void => undefined;
    const deliver = ({ config: { url }, task }: TaskPush): Promise<void> => {
      if (url === config.url)
        return new Promise((_, reject) => {
          fail = reject;
        });
      got.push(`${url} ${task.status}`);
      return Promise.resolve();
    };
    const {
      engine: { service, stop },
    } = await testEngine(
      store,
      (c) => (c.humanInputs.length === 0 ? does(call('ask_human', { question: '?' })) : answers('ok')),
      { push: receiver(deliver) },
    );
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Moved' });
    const task = await service.sendTask(caller, agent.id, go());
    await service.execute(
      caller,
      setPush,
      { id: agent.id, taskId: task.id },
      { ...config, url: 'https://new.example/' },
    );
    await service.sendTask(caller, agent.id, { ...go('on', { taskId: task.id }), push: undefined });
    expect(got, 'behind the one that hangs').to.deep.equal([]);
    fail(new PushError('answered 503'));
    await eventually(async () => (await waiting(agent.id)) === 0);
    // the new receiver is told at once what the task waits for
    expect(got).to.deep.equal(['paused', 'running', 'completed'].map((status) => `https://new.example/ ${status}`));
    await stop(0);
  });

  it('a crash between a delivery and its removal sends that one again, and never an earlier one', async () => {
    const told: string[] = [];
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const deaf = await testEngine(store, echo, {
      push: receiver(async ({ task }: TaskPush) => {
        await opened;
        told.push(task.status);
      }),
    });
    const { id } = await deaf.engine.service.execute(caller, spawnAgent, {}, { name: 'Twice' });
    await deaf.engine.service.sendTask(caller, id, go());
    let removing = false;
    store.beforeCommit = ({ deletes }) => {
      if (!deletes.some((d) => d.kind === 'outbox')) return undefined;
      removing = true;
      return never;
    };
    open();
    await eventually(async () => Promise.resolve(removing));
    for (let i = 0; i < 20; i++) await turn();
    await deaf.engine.stop(0);
    expect(told, 'the next one waits until the removal is stored').to.deep.equal(['running']);
    store.beforeCommit = () => undefined;
    const again: string[] = [];
    const next = await testEngine(store, echo, {
      push: receiver(({ task }: TaskPush) => {
        again.push(task.status);
        return Promise.resolve();
      }),
    });
    await eventually(async () => (await waiting(id)) === 0);
    expect(again).to.deep.equal(['running', 'completed']);
    await next.engine.stop(0);
  });
});
