/** An outage of what an actor stands on is no crash (A6). */
import { expect } from 'chai';
import { unavailable } from '../../../../src/domain/shared/errors.js';
import { agent, stage, watch } from './kit.js';

class Outage extends Error {}
const outageOf = (error: unknown): Error | null => (error instanceof Outage ? unavailable(error.message) : null);

describe('actor runtime: outages', () => {
  it('however often an outage interrupts an actor, no breaker opens, and it is loaded when the outage is over', async () => {
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
      s.clock.advance(1000);
      await s.settle();
      expect(asked.state).to.match(/^UNAVAILABLE the store does not answer/);
    }
    expect(interrupted).to.deep.equal(Array(12).fill('x'));
    expect(s.faults).to.deep.equal([]);
    down = false;
    s.clock.advance(1000);
    const asked = watch(s.system.ask(agent('x'), 'again'));
    await s.settle();
    expect(asked.state).to.equal('ok again');
  });

  it('the pauses between loads double up to the Retry-After of the outage, and begin anew after a load', async () => {
    let down = true;
    const loads: number[] = [];
    const s = stage(
      {
        activate: () => {
          loads.push(s.clock.elapsed());
          if (down) throw new Outage('the store does not answer');
        },
        receive: (m, reply) => {
          if (m === 'restart') throw new Outage('the store does not answer');
          reply.resolve(m);
        },
      },
      { outageOf: (error) => (error instanceof Outage ? unavailable(error.message, { retryAfter: 3 }) : null) },
    );
    const pauses = async (n: number): Promise<number[]> => {
      loads.length = 0;
      for (let ms = 0; ms < 60_000 && loads.length <= n; ms += 50) {
        if (loads.length <= n) s.system.tell(agent('x'), 'note');
        await s.settle();
        s.clock.advance(50);
      }
      return loads.slice(1, n + 1).map((at, i) => at - (loads[i] ?? 0));
    };
    expect(await pauses(6)).to.deep.equal([250, 500, 1000, 2000, 3000, 3000]);
    down = false;
    s.clock.advance(3000);
    await s.settle();
    expect(watch(s.system.ask(agent('x'), 'restart'))).to.be.an('object');
    await s.settle();
    down = true;
    expect(await pauses(2)).to.deep.equal([500, 1000]);
  });

  it('a handler that meets an outage tells its asker; what was told without an asker is not lost', async () => {
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
