import { expect } from 'chai';
import { UnreadableMessages } from '../../../src/bus/unreadable.js';

describe('what cannot be read', () => {
  it('is counted each time, and logged with a short sample, once a minute at most', () => {
    const logged: object[] = [];
    let now = 0;
    const unreadable = new UnreadableMessages({ warn: (fields) => logged.push(fields) }, () => now);
    unreadable.add('hk:1:in:{a}', 'x'.repeat(1000));
    for (now = 1000; now < 60_000; now += 1000) unreadable.add('hk:1:in:{a}', 'more');
    expect([unreadable.count, logged.length]).to.deep.equal([60, 1]);
    expect(logged[0]).to.deep.equal({
      event: 'bus.message_unreadable',
      where: 'hk:1:in:{a}',
      sample: 'x'.repeat(100),
      dropped: 1,
    });
    now = 60_000;
    unreadable.add('hk:1:in:{b}', 'again');
    expect(logged[1]).to.deep.equal({
      event: 'bus.message_unreadable',
      where: 'hk:1:in:{b}',
      sample: 'again',
      dropped: 61,
    });
  });
});
