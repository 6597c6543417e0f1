/** Who has written to whom in the last hour (docs/api.md 12). */
import { spawnAgent } from '../../../src/commands/agents.js';
import { getMailboxTraffic, sendMessage } from '../../../src/commands/mailbox.js';
import { expect } from 'chai';
import { answers, call, caller, does, eventually, skippingClock } from '../../helpers/engine.js';
import { agentRef, overStores } from './kit.js';

const minute = 60 * 1000;

overStores('Mailbox traffic', (bed) => {
  it('adds up the messages of the last hour by sender and receiver, also after a restart', async () => {
    const clock = skippingClock();
    let e = await bed.start(
      (c) => (c.transcript.length === 0 ? does(call('send_message', { to: 'Bob', content: 'hi' })) : answers('sent')),
      { clock },
    );
    const ada = (await e.service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
    const bob = (await e.service.execute(caller, spawnAgent, {}, { name: 'Bob' })).id;
    const sent = async (): Promise<void> => {
      await e.service.messageAgent(caller, ada, { content: 'greet Bob' });
      await eventually(async () => (await bed.store.head(agentRef(ada)))?.active === false, 'the delivery');
    };
    await sent();
    clock.skip(40 * minute);
    await sent();
    await sent();
    for (let i = 0; i < 2; i++) await e.service.execute(caller, sendMessage, { id: ada }, { content: 'hello' });
    const { pairs, messages, complete } = await e.service.execute(caller, getMailboxTraffic, {}, {});
    expect(pairs).to.deep.equal([
      { from: ada, to: bob, count: 3 },
      { from: 'external', to: ada, count: 2 },
    ]);
    expect({ messages, complete }).to.deep.equal({ messages: 5, complete: true });
    clock.skip(30 * minute);
    await e.engine.stop(0);
    e = await bed.start(() => answers(''), { clock });
    const later = await e.service.execute(caller, getMailboxTraffic, {}, {});
    expect(later.pairs.map((p) => p.count)).to.deep.equal([2, 2]);
    expect(Date.parse(later.until) - Date.parse(later.since)).to.equal(60 * minute);
    expect((await e.service.execute({ ...caller, workspace: 'other' }, getMailboxTraffic, {}, {})).pairs).to.deep.equal(
      [],
    );
  });

  it('of more messages than it reads it counts the newest, and says so', async function () {
    this.timeout(60_000);
    const e = await bed.start(() => answers(''));
    const { id } = await e.service.execute(caller, spawnAgent, {}, { name: 'Ada' });
    const content = 'x'.repeat(200 * 1024);
    for (let i = 0; i < 60; i++) await e.service.execute(caller, sendMessage, { id }, { content });
    const { messages, complete, pairs, since, until } = await e.service.execute(caller, getMailboxTraffic, {}, {});
    // the store in memory has no bound by bytes
    if (complete) return;
    expect(messages).to.be.within(40, 59);
    expect(pairs).to.deep.equal([{ from: 'external', to: id, count: messages }]);
    expect(Date.parse(until) - Date.parse(since)).to.be.below(60 * minute);
  });
});
