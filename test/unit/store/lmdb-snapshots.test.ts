import { expect } from 'chai';
import { type HeldSnapshot, ReadSnapshots } from '../../../src/store/lmdb/snapshots.js';
import { turn } from '../../helpers/turn.js';

describe('snapshots of the embedded store', () => {
  const snapshots = (): ReadSnapshots =>
    new ReadSnapshots({ root: { useReadTransaction: () => ({ done: () => undefined }) } } as never);
  /** Uses up the share of a turn. */
  const work = (held: HeldSnapshot): void => {
    held.slice((due) => {
      while (!due());
    });
  };

  it('LmdbSnapshots.T1: work that never ends delays others by a slice of it', async () => {
    const of = snapshots();
    let slices = 0;
    let ended = false;
    const greedy = (async () => {
      for (const held = await of.hold(); !ended; await held.pause()) {
        work(held);
        slices++;
      }
    })();
    await turn();
    for (const others of [1, 20]) {
      const before = slices;
      const entered = await Promise.race([
        Promise.all(Array.from({ length: others }, () => of.hold())),
        (async () => {
          while (slices < before + 100 && !ended) await turn();
          return [];
        })(),
      ]);
      expect(entered, 'others that were let in').to.have.length(others);
      // those that arrive together need one turn, as they take hardly any of it
      expect(slices - before).to.be.at.most(2);
      for (const held of entered) held.release();
    }
    ended = true;
    await greedy;
  });

  it('LmdbSnapshots.T1: several that have much to do get the same share', async () => {
    const of = snapshots();
    const shares = [{ slices: 0 }, { slices: 0 }, { slices: 0 }];
    let all = 0;
    await Promise.all(
      shares.map(async (share) => {
        const held = await of.hold();
        while (++all <= 90) {
          work(held);
          share.slices++;
          await held.pause();
        }
      }),
    );
    for (const { slices } of shares) expect(slices).to.be.within(28, 32);
  });
});
