/** Fairness between workspaces, by the invariants of gateway/limits/intake.ts. */
import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import fc from 'fast-check';
import { FairShare, Turns } from '../../../gateway/limits/intake.js';
import { ManualClock } from '../bus/support.js';

class Response extends EventEmitter {
  destroyed = false;
  readonly req = { socket: { destroyed: false } };
  end(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const share = 2;
const recentMs = 1000;
const holdMs = 50;
const turnMs = 5;
/** Each look is a turn of its own. */
const manyTurns = { turns: new Turns({ monotonic: () => 0, turnMs, nextTurn: (then) => then() }) };

function setUp() {
  const clock = new ManualClock();
  const fair = new FairShare({ clock, monotonic: () => clock.now(), share, recentMs, holdMs, ...manyTurns });
  const served: string[] = [];
  const enter = (workspace: string, what = ''): Response => {
    const res = new Response();
    fair.enter({ workspace }, res, () => {
      served.push(workspace + what);
    });
    return res;
  };
  return { clock, fair, served, enter };
}

describe('fairness between workspaces', () => {
  it('who is alone goes on at once, however many', () => {
    const { served, enter } = setUp();
    for (let i = 0; i < 500; i++) enter('a');
    expect(served).to.have.lengthOf(500);
  });

  it('who asks of no workspace waits for nobody', () => {
    const { fair, enter } = setUp();
    let passed = 0;
    for (let i = 0; i < 5; i++) {
      enter('a');
      enter('b');
      fair.enter(null, new Response(), () => {
        passed++;
      });
    }
    expect(passed).to.equal(5);
  });

  it('while another asks, so many of one are inside, the rest in order, and the other is served at once', () => {
    const { served, enter } = setUp();
    enter('b').end();
    const first = [1, 2, 3, 4, 5].map((n) => enter('a', String(n)));
    expect(served).to.deep.equal(['b', 'a1', 'a2']);
    enter('b', 'next');
    expect(served.pop()).to.equal('bnext');
    first[1]!.end();
    expect(served.slice(3)).to.deep.equal(['a3']);
    first[0]!.end();
    expect(served.slice(3)).to.deep.equal(['a3', 'a4']);
  });

  it('those who wait go on when the other has not asked for long enough', async () => {
    const { clock, served, enter } = setUp();
    enter('b').end();
    const inside = [1, 2].map(() => enter('a'));
    for (let i = 0; i < 20; i++) enter('a');
    expect(served).to.have.lengthOf(3);
    await clock.advance(holdMs - 1);
    inside[0]!.end();
    expect(served).to.have.lengthOf(4);
    await clock.advance(recentMs);
    expect(served).to.have.lengthOf(23);
  });

  it('FairShare.F6: no more begin in a turn than fit, and workspaces take turns with what is left', async () => {
    const turns: (() => void)[] = [];
    const later = (then: () => void): void => void turns.push(then);
    let now = 0;
    const fair = new FairShare({
      clock: new ManualClock(),
      ...{ monotonic: () => now, share: 9, recentMs, holdMs },
      turns: new Turns({ monotonic: () => now, turnMs, nextTurn: later, settled: later }),
    });
    const served: string[] = [];
    for (const workspace of ['a', 'a', 'a', 'a', 'b', 'b'])
      fair.enter({ workspace }, new Response(), () => {
        served.push(workspace);
        now += turnMs - 1; // what it takes
      });
    expect(served.join('')).to.equal('aa');
    const perTurn: string[] = [];
    while (turns.length > 0) {
      served.length = 0;
      for (const then of turns.splice(0)) then();
      perTurn.push(served.join(''));
    }
    expect(perTurn).to.deep.equal(['a', 'b', 'a', 'b']);
  });

  it('one that is not answered keeps its place for so long', async () => {
    const { clock, served, enter } = setUp();
    enter('b').end();
    const open = [1, 2, 3].map((n) => enter('a', String(n)));
    await clock.advance(holdMs - 1);
    expect(served).to.not.include('a3');
    await clock.advance(1);
    expect(served).to.include('a3');
    // their ends later give nothing back a second time
    for (const res of open) res.end();
    for (let n = 4; n < 10; n++) enter('a', String(n));
    expect(served.filter((s) => s.startsWith('a'))).to.deep.equal(['a1', 'a2', 'a3', 'a4', 'a5']);
  });

  it('who leaves while waiting is not served, and holds no place', () => {
    const { served, enter } = setUp();
    enter('b').end();
    const [one, , three, four, five] = [1, 2, 3, 4, 5].map((n) => enter('a', String(n)));
    three!.end();
    four!.req.socket.destroyed = true; // pipelined: nobody says so
    one!.end();
    expect(served).to.deep.equal(['b', 'a1', 'a2', 'a5']);
    five!.end();
  });

  it('whatever comes in and ends in whatever order, each is served once, within its share, and nothing is left', async () => {
    const step = fc.oneof(
      fc.record({ enter: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ end: fc.nat() }),
      fc.record({ wait: fc.integer({ min: 1, max: 80 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const clock = new ManualClock();
        const fair = new FairShare({
          clock,
          monotonic: () => clock.now(),
          share,
          recentMs: Infinity,
          holdMs,
          ...manyTurns,
        });
        const open: { res: Response; workspace: string; servedAt: number[] }[] = [];
        const inside = (w: string): number =>
          open.filter(
            (o) =>
              o.workspace === w && !o.res.destroyed && o.servedAt.length > 0 && clock.now() - o.servedAt[0]! < holdMs,
          ).length;
        fair.enter({ workspace: 'z' }, new Response(), () => undefined);
        for (const s of steps) {
          if ('enter' in s) {
            const one = { res: new Response(), workspace: s.enter, servedAt: [] as number[] };
            open.push(one);
            fair.enter({ workspace: s.enter }, one.res, () => {
              one.servedAt.push(clock.now());
            });
          } else if ('end' in s) open[s.end % Math.max(1, open.length)]?.res.end();
          else await clock.advance(s.wait);
          for (const w of ['a', 'b', 'c']) {
            expect(inside(w)).to.be.at.most(share);
            // nobody waits while there is a place
            if (inside(w) < share)
              expect(
                open.filter((o) => o.workspace === w && !o.res.destroyed && o.servedAt.length === 0),
              ).to.deep.equal([]);
          }
        }
        for (const { res } of open) res.end();
        await clock.advance(holdMs);
        expect(open.filter((o) => o.servedAt.length > 1)).to.deep.equal([]);
        expect(fair.size).to.equal(0);
      }),
      { numRuns: 200 },
    );
  });
});
