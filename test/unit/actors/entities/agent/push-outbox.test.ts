/** The push outbox alone: actors/entities/push-outbox.ts. The store and the receiver are the test's. */
import { expect } from 'chai';
import { taskPushes } from '../../../../../actors/entities/deliveries.js';
import { PushOutbox } from '../../../../../actors/entities/push-outbox.js';
import type { EntityDeps } from '../../../../../actors/entities/deps.js';
import type { PushItem, PushOutboxItem } from '../../../../../src/domain/task/push.js';
import type { Task } from '../../../../../src/domain/task/task.js';
import { StoreError } from '../../../../../src/store/port.js';
import { entity, settle } from '../writer-kit.js';

const config = { id: 'c', url: 'https://receiver.example/', version: '0.3' as const };
const task: Task = {
  id: 'run_1',
  agent_id: 'a',
  status: 'running',
  statusAt: '',
  statusSeq: 1,
  statusMessage: null,
  output: null,
  history: null,
  lastSeq: 1,
};
const item = (id: string): PushOutboxItem => ({ id, kind: 'push', config, task, created_at: '' });

function bench(stored = false) {
  const documents = new Map<string, object>([['run/run_1', { push: [config] }]]);
  const tried: PushItem[] = [];
  const events: string[] = [];
  const log: string[] = [];
  const read: string[] = [];
  const removing = { atOnce: true };
  const hands = { store: (): void => undefined, deliver: (): Promise<void> => Promise.resolve() };
  const store = {
    get: (_: unknown, kind: string, id: string) => {
      read.push(`${kind}/${id}`);
      hands.store();
      const body = documents.get(`${kind}/${id}`);
      return body ? { entity, kind, id, body } : null;
    },
  };
  const world = {
    store,
    push: {
      deliver: (one: PushItem) => {
        tried.push(one);
        return hands.deliver();
      },
    },
    pushRetry: { tries: 1, firstPauseMs: 0 },
    log: {
      error: (_: object, message: string) => {
        log.push(message);
      },
    },
  } as unknown as EntityDeps;
  const outbox = new PushOutbox<PushOutboxItem>(world, entity, stored, {
    ...taskPushes(world, entity),
    pushed: ({ id }) => {
      events.push(`pushed ${id}`);
      if (removing.atOnce) outbox.forget(id);
    },
    deadLettered: ({ id }, reason) => {
      events.push(`buried ${id}: ${reason}`);
      if (removing.atOnce) outbox.forget(id);
    },
  });
  const keep = (id: string): PushOutboxItem => {
    documents.set(`outbox/${id}`, item(id));
    return item(id);
  };
  return { outbox, removing, documents, tried, events, log, read, hands, keep };
}

describe('Push outbox', () => {
  it('reads a push when it is its turn, and keeps nothing of those that wait but their ids', async () => {
    const { outbox, documents, tried, read, hands, keep } = bench();
    let release = (): void => undefined;
    hands.deliver = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    for (const id of ['o1', 'o2', 'o3']) outbox.send(keep(id));
    await settle();
    expect(
      read.filter((key) => key.startsWith('outbox/')),
      'the others have not been read',
    ).to.deep.equal(['outbox/o1']);
    expect(tried[0], 'what is stored is sent').to.deep.equal({
      ...documents.get('outbox/o1'),
      workspace: entity.workspace,
    });
    release();
    await settle();
    expect(tried.map(({ id }) => id)).to.deep.equal(['o1', 'o2']);
  });

  it('a store that cannot be read uses up no try: it is asked until it can', async () => {
    const { outbox, events, hands, keep } = bench();
    let failures = 3;
    hands.store = () => {
      if (failures-- > 0) throw new StoreError('io', 'the disk does not answer');
    };
    outbox.send(keep('o1'));
    await settle();
    expect(events).to.deep.equal(['pushed o1']);
  });

  it('nor does a run that cannot be read to see whether its push is still wanted', async () => {
    const { outbox, events, tried, read, hands, keep } = bench();
    let failures = 3;
    hands.store = () => {
      if (read.at(-1) === 'run/run_1' && failures-- > 0) throw new StoreError('io', 'the disk does not answer');
    };
    outbox.send(keep('o1'));
    await settle();
    expect([events, tried.length]).to.deep.equal([['pushed o1'], 1]);
  });

  it('what is not there any more is passed over, and what follows goes out', async () => {
    const { outbox, tried, events, keep } = bench();
    outbox.send(item('o1'));
    outbox.send(keep('o2'));
    await settle();
    expect(tried.map(({ id }) => id)).to.deep.equal(['o2']);
    expect(events).to.deep.equal(['pushed o2']);
  });
});
