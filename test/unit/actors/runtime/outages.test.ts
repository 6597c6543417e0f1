/** An outage of what an actor stands on is no crash (A6). */
import { expect } from 'chai';
import { unavailable } from '../../../../src/domain/errors.js';
import { agent, stage, watch } from './kit.js';

class Outage extends Error {}
const outageOf = (error: unknown): Error | null => (error instanceof Outage ? unavailable(error.message) : null);

describe('actor runtime: outages', () => {
  it('System.A6: however often an outage interrupts an actor, no breaker opens, and it is loaded when the outage is over', async () => {
    let down = true;
    const interrupted: string[] = [];
    const s = stage(
      {
        activate: () => {
          if (down) throw new Outage('the store does not answer');
        },
        receive: (m, reply) => {
          reply.resolve(m);
        },
      },
      {
        outageOf,
        onOutage: ({ id }) => {
          interrupted.push(id);
        },
      },
    );
    for (let i = 0; i < 12; i++) {
      const asked = watch(s.system.ask(agent('x'), i));
      await s.settle();
      s.clock.advance(250);
      await s.settle();
      expect(asked.state).to.match(/^UNAVAILABLE the store does not answer/);
    }
    expect(interrupted).to.deep.equal(Array(12).fill('x'));
    expect(s.faults).to.deep.equal([]);
    down = false;
    s.clock.advance(250);
    const asked = watch(s.system.ask(agent('x'), 'again'));
    await s.settle();
    expect(asked.state).to.equal('ok again');
  });

  it('System.A6: a handler that meets an outage tells its asker; what was told without an asker is not lost', async () => {
    let down = true;
    const handled: unknown[] = [];
    const s = stage(
      {
        receive: (m, reply) => {
          if (m === 'read' && down) throw new Outage('the store does not answer');
          handled.push(m);
          reply.resolve(m);
        },
      },
      { outageOf },
    );
    const asked = watch(s.system.ask(agent('x'), 'read'));
    s.system.tell(agent('x'), 'noted');
    await s.settle();
    down = false;
    s.clock.advance(250);
    await s.settle();
    expect([asked.state.slice(0, 11), handled]).to.deep.equal(['UNAVAILABLE', ['noted']]);
    expect(s.faults).to.deep.equal([]);
  });
});
