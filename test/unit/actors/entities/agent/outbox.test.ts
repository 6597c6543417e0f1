/**
 * The outbox sender: actors/entities/agent/agent.ts, Outbox.X1-X3 of actors/entities/agent/outbox.ts. Time is moved by
 * hand.
 */
import type { OutboxItem } from '../../../../../src/domain/shared/documents.js';
import { type CommandMessage, isCommandMessage } from '../../../../../src/commands/command.js';
import { expect } from 'chai';
import { OutboxSender } from '../../../../../actors/entities/agent/outbox.js';
import type { EntityDeps } from '../../../../../actors/entities/deps.js';
import { HivekeepError, notFound, unavailable } from '../../../../../src/domain/shared/errors.js';
import { ManualClock } from '../../runtime/kit.js';
import { entity, settle } from '../writer-kit.js';

const day = 24 * 3600 * 1000;

const saidBy = ({ command: { name }, input }: CommandMessage): object => ({ name, input });

function bench(): {
  outbox: OutboxSender;
  world: EntityDeps;
  clock: ManualClock;
  asked: { address: unknown; message: unknown }[];
  events: string[];
  answer: { with: () => Promise<unknown> };
  item(id: string, more?: Partial<OutboxItem>): OutboxItem;
} {
  const clock = new ManualClock();
  const asked: { address: unknown; message: unknown }[] = [];
  const events: string[] = [];
  const answer = { with: (): Promise<unknown> => Promise.resolve() };
  const world = {
    clock,
    quota: { takeFor: () => null } as unknown as EntityDeps['quota'],
    bounds: { mailboxDelay: () => 0, storageExceeded: () => null } as unknown as EntityDeps['bounds'],
    ask: (address: unknown, message: unknown) => {
      asked.push({ address, message: isCommandMessage(message) ? saidBy(message) : message });
      return answer.with();
    },
  } as Partial<EntityDeps> as EntityDeps;
  const outbox = new OutboxSender(world, entity, {
    delivered: ({ id }) => {
      events.push(`delivered ${id}`);
    },
    undelivered: (item, reason) => {
      events.push(`undelivered ${item.id}: ${reason}`);
    },
  });
  const item = (id: string, more: Partial<OutboxItem> = {}): OutboxItem => ({
    id,
    kind: 'message',
    to: 'b',
    content: 'hi',
    type: null,
    from: 'a',
    reply_to: null,
    hops: 1,
    created_at: new Date(clock.now()).toISOString(),
    ...more,
  });
  return { outbox, world, clock, asked, events, answer, item };
}

describe('Outbox', () => {
  it('sends a message to its agent and a share to its hive, each under the id of its document', async () => {
    const { outbox, asked, events, item } = bench();
    outbox.send(item('m1', { reply_to: 'm0' }));
    outbox.send(item('s1', { kind: 'share', to: 'hive_1', type: 'semantic' }));
    await settle();
    expect(asked).to.deep.equal([
      {
        address: { workspace: 'w', kind: 'agent', id: 'b' },
        message: {
          name: 'deliverMessage',
          input: {
            id: 'm1',
            content: 'hi',
            from: 'a',
            reply_to: 'm0',
            subject: undefined,
            hops: 1,
            budget: undefined,
            powers: undefined,
          },
        },
      },
      {
        address: { workspace: 'w', kind: 'hive', id: 'hive_1' },
        message: {
          type: 'remember',
          input: { id: 's1', type: 'semantic', content: 'hi', shared_by: 'a' },
          idempotencyKey: { id: 'share_s1', bodyHash: '', keptMs: 8 * 24 * 3600 * 1000 },
        },
      },
    ]);
    expect(events).to.deep.equal(['delivered m1', 'delivered s1']);
  });

  it('while the storage of the workspace is used up, messages and shares wait', async () => {
    const { outbox, world, clock, asked, events, item } = bench();
    let full = true;
    world.bounds.storageExceeded = () => (full ? { limit: 1, used: 2 } : null);
    outbox.send(item('m1'));
    outbox.send(item('s1', { kind: 'share', to: 'hive_1', type: 'semantic' }));
    await settle();
    clock.advance(500);
    await settle();
    expect({ asked, events }).to.deep.equal({ asked: [], events: [] });
    full = false;
    clock.advance(1000);
    await settle();
    expect(events).to.deep.equal(['delivered m1', 'delivered s1']);
  });

  it('tries again with pauses of 0.5, 1, 2... seconds, at most a minute, until the receiver takes it', async () => {
    const { outbox, clock, asked, events, answer, item } = bench();
    for (const failing of [unavailable('full'), new Error('a defect'), new HivekeepError('INTERNAL_ERROR', 'x')]) {
      answer.with = () => Promise.reject(failing);
      asked.length = 0;
      outbox.send(item(`m ${failing.message}`));
      await settle();
      for (const pause of [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
        const before = asked.length;
        clock.advance(pause - 1);
        await settle();
        expect(asked.length, `before ${pause}`).to.equal(before);
        clock.advance(1);
        await settle();
        expect(asked.length, `after ${pause}`).to.equal(before + 1);
      }
      answer.with = () => Promise.resolve();
      clock.advance(60_000);
      await settle();
    }
    expect(events).to.deep.equal(['delivered m full', 'delivered m a defect', 'delivered m x']);
    expect(clock.waiting).to.equal(0);
  });

  it('a store that cannot be read for the place of a share throws at nobody: it is tried again', async () => {
    const { outbox, clock, events, world, item } = bench();
    const { takeFor } = world.quota;
    world.quota.takeFor = () => {
      throw new Error('the disk does not answer');
    };
    outbox.send(item('s1', { kind: 'share', to: 'hive_1', type: 'semantic' }));
    await settle();
    expect(events).to.deep.equal([]);
    world.quota.takeFor = takeFor;
    clock.advance(500);
    await settle();
    expect(events).to.deep.equal(['delivered s1']);
  });

  it('a refusal for good is reported at once and not tried again', async () => {
    const { outbox, clock, asked, events, answer, item } = bench();
    for (const error of [
      notFound('agent', 'b'),
      new HivekeepError('AGENT_INACTIVE', 'inactive'),
      new HivekeepError('QUOTA_EXCEEDED', 'quota'),
    ]) {
      answer.with = () => Promise.reject(error);
      outbox.send(item(error.code));
      await settle();
    }
    clock.advance(day);
    expect(asked).to.have.length(3);
    expect(events).to.deep.equal([
      'undelivered NOT_FOUND: no agent b',
      'undelivered AGENT_INACTIVE: inactive',
      'undelivered QUOTA_EXCEEDED: quota',
    ]);
  });

  it("what is older than 7 days is not sent any more: the receiver's record of it may be gone", async () => {
    const { outbox, clock, asked, events, item } = bench();
    const old = item('old');
    const young = item('young');
    clock.advance(7 * day);
    outbox.send(young);
    await settle();
    clock.advance(1);
    outbox.send(old);
    await settle();
    expect(asked.map((a) => (a.message as { input: { id: string } }).input.id)).to.deep.equal(['young']);
    expect(events).to.deep.equal(['delivered young', 'undelivered old: it could not be delivered for 7 days']);
  });

  it('gives up after 7 days of trying', async () => {
    const { outbox, clock, events, answer, item } = bench();
    answer.with = () => Promise.reject(unavailable('down'));
    outbox.send(item('m'));
    await settle();
    for (let i = 0; i < 12; i++) {
      clock.advance(60_000);
      await settle();
    }
    expect(events).to.deep.equal([]);
    for (const ms of [7 * day, 60_000]) {
      clock.advance(ms);
      await settle();
    }
    expect(events).to.deep.equal(['undelivered m: it could not be delivered for 7 days']);
  });

  it('Outbox.X1 Outbox.X2 a document is under way once until it is forgotten, and its end is taken up once', async () => {
    const { outbox, asked, item } = bench();
    const m = item('m');
    outbox.send(m);
    outbox.send(m);
    await settle();
    expect([outbox.take('m'), outbox.take('m'), outbox.take('other')]).to.deep.equal([true, false, false]);
    outbox.send(m); // read from the store before its removal was committed
    await settle();
    expect(asked).to.have.length(1);
    outbox.forget('m');
    outbox.send(m);
    await settle();
    expect(asked).to.have.length(2);
  });

  it('Outbox.X3 after stop nothing is sent and nothing is reported', async () => {
    const { outbox, clock, asked, events, answer, item } = bench();
    let deliver = (): void => undefined;
    answer.with = () => Promise.reject(unavailable('down'));
    outbox.send(item('waiting'));
    await settle();
    answer.with = () =>
      new Promise((resolve) => {
        deliver = () => {
          resolve(undefined);
        };
      });
    outbox.send(item('under way'));
    outbox.stop();
    outbox.send(item('late'));
    deliver();
    clock.advance(day);
    await settle();
    expect(asked).to.have.length(2);
    expect(events).to.deep.equal([]);
    expect(clock.waiting).to.equal(0);
  });
});
