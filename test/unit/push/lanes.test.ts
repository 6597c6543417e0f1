import { expect } from 'chai';
import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { FairLanes, type Release } from '../../../src/push/lanes.js';
import { turn as settled } from '../../helpers/turn.js';

const never = new AbortController().signal;
setMaxListeners(0, never);

/** Asks for permits and notes, in order, who got one. */
function given(limits: { total: number; perLane: number; perSickLane: number }): {
  lanes: FairLanes;
  started: string[];
  ends: Map<string, Release>;
  ask: (lane: string, name: string, signal?: AbortSignal, workspace?: string) => void;
} {
  // one workspace gets half
  const lanes = new FairLanes({ ...limits, total: 2 * limits.total });
  const started: string[] = [];
  const ends = new Map<string, Release>();
  const ask = (lane: string, name: string, signal = never, workspace = 'w'): void => {
    lanes.permit(workspace, lane, signal).then(
      (end) => {
        started.push(name);
        ends.set(name, end);
      },
      () => {
        started.push(`${name} given up`);
      },
    );
  };
  return { lanes, started, ends, ask };
}

describe('push: permits', () => {
  it('no more permits are out than allowed, in all and in a lane', async () => {
    const { started, ends, ask } = given({ total: 3, perLane: 2, perSickLane: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) ask(name[0]!, name);
    await settled();
    expect(started).to.deep.equal(['a1', 'a2', 'b1']);
    ends.get('b1')!(true);
    await settled();
    expect(started).to.deep.equal(['a1', 'a2', 'b1', 'b2']);
  });

  it('lanes take turns in a circle; within a lane the first comes first', async () => {
    const { started, ends, ask } = given({ total: 1, perLane: 1, perSickLane: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) ask(name[0]!, name);
    for (let i = 0; i < 6; i++) {
      await settled();
      ends.get(started.at(-1)!)!(true);
    }
    expect(started).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('a lane that ended badly gets few permits until one ends well', async () => {
    const { started, ends, ask } = given({ total: 9, perLane: 3, perSickLane: 1 });
    ask('a', 'a1');
    await settled();
    ends.get('a1')!(false);
    for (const name of ['a2', 'a3', 'a4', 'a5']) ask('a', name);
    await settled();
    expect(started).to.deep.equal(['a1', 'a2']);
    ends.get('a2')!(false);
    await settled();
    expect(started).to.deep.equal(['a1', 'a2', 'a3']);
    ends.get('a3')!(true);
    await settled();
    expect(started).to.deep.equal(['a1', 'a2', 'a3', 'a4', 'a5']);
  });

  it('hanging receivers leave permits for others', async () => {
    const { started, ends, ask } = given({ total: 8, perLane: 4, perSickLane: 1 });
    for (let i = 0; i < 20; i++) {
      ask('hang1', `x${i}`);
      ask('hang2', `y${i}`);
    }
    await settled();
    expect(started).to.have.length(8);
    for (const name of [...started]) ends.get(name)!(false); // their time is up
    ask('fine', 'z');
    await settled();
    expect(started.slice(8)).to.include('z').and.have.length(3);
  });

  it('a permit is released once, and a waiter that is given up takes none', async () => {
    const { started, ends, ask } = given({ total: 1, perLane: 1, perSickLane: 1 });
    const gone = new AbortController();
    ask('a', 'a1');
    ask('b', 'b1', gone.signal);
    for (const name of ['c1', 'd1']) ask(name[0]!, name);
    await settled();
    gone.abort();
    await settled();
    expect(started).to.deep.equal(['a1', 'b1 given up']);
    ends.get('a1')!(true);
    ends.get('a1')!(true);
    await settled();
    expect(started).to.deep.equal(['a1', 'b1 given up', 'c1']);
  });

  it('FairLanes.S1: a workspace whose receivers all hang delays no other', async () => {
    const { started, ends, ask } = given({ total: 8, perLane: 4, perSickLane: 1 });
    for (let i = 0; i < 480; i++) ask(`hang${i}`, `x${i}`, never, 'one');
    await settled();
    expect(started).to.have.length(8);
    for (let i = 0; i < 480; i++) ask(`hang${i}`, `y${i}`, never, 'two');
    ask('hang1', 'z1', never, 'three');
    ask('fine', 'z2', never, 'three');
    await settled();
    expect(started.slice(8)).to.include.members(['z1', 'z2']).and.have.length(6);
    ends.get('z1')!(true);
    ends.get('z2')!(true);
    ask('fine', 'z3', never, 'three');
    await settled();
    expect(started.slice(14)).to.include('z3');
  });

  it('hold for any order of asking, ending and giving up, and everybody who waits has a permit in the end', async () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant('ask' as const), lane: fc.constantFrom('a', 'b', 'c', 'd') }),
      fc.record({ type: fc.constant('end' as const), which: fc.nat(), well: fc.boolean() }),
      fc.record({ type: fc.constant('giveUp' as const), which: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const limits = { total: 4, perLane: 2, perSickLane: 1 };
        const lanes = new FairLanes({ ...limits, total: 2 * limits.total });
        const out: { lane: string; end: Release }[] = [];
        const waiting = new Map<number, { lane: string; abort: AbortController }>();
        let next = 0;
        const check = (): void => {
          expect(out.length).to.be.at.most(limits.total);
          for (const lane of 'abcd') expect(out.filter((t) => t.lane === lane).length).to.be.at.most(limits.perLane);
          const free = [...waiting.values()].filter((w) => out.every((t) => t.lane !== w.lane));
          if (out.length < limits.total)
            expect(free, 'nobody waits whose lane is empty while permits are left').to.have.length(0);
        };
        const end = async (which: number, well: boolean): Promise<void> => {
          const [permit] = out.splice(which % out.length, 1);
          permit?.end(well);
          await settled();
          check();
        };
        for (const s of steps) {
          if (s.type === 'ask') {
            const id = next++;
            const abort = new AbortController();
            waiting.set(id, { lane: s.lane, abort });
            lanes.permit('w', s.lane, abort.signal).then(
              (endTurn) => {
                waiting.delete(id);
                out.push({ lane: s.lane, end: endTurn });
              },
              () => {
                waiting.delete(id);
              },
            );
            await settled();
            check();
          } else if (s.type === 'end' && out.length > 0) await end(s.which, s.well);
          else if (s.type === 'giveUp' && waiting.size > 0) {
            [...waiting.values()][s.which % waiting.size]!.abort.abort();
            await settled();
            check();
          }
        }
        while (out.length > 0) await end(0, false);
        expect(waiting.size).to.equal(0);
      }),
      { numRuns: 150 },
    );
  });
});
