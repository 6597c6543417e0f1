/** The storage of a workspace between two looks at the store. Time is moved by hand. */
import { expect } from 'chai';
import { TenantBounds } from '../../../../actors/quota/tenant-bounds.js';
import { storageLimit } from '../../../../src/domain/workspace/usage.js';
import { newWorkspace } from '../../../../src/domain/workspace/workspace.js';
import { ManualClock } from '../runtime/kit.js';

const limit = storageLimit('free') ?? 0;

function bench(): { clock: ManualClock; stored: { bytes: number }; take(bytes: number): Promise<boolean> } {
  const clock = new ManualClock();
  const stored = { bytes: 0 };
  const store = {
    head: () => ({ snapshot: newWorkspace('w', 'w', 'free', 0), deleted: false }),
    storage: () => Promise.resolve(stored.bytes),
  };
  const bounds = new TenantBounds({ store, clock, limits: {} } as unknown as ConstructorParameters<
    typeof TenantBounds
  >[0]);
  return {
    clock,
    stored,
    take: async (bytes) => {
      const exceeded = await bounds.storageExceeded('w', () => bytes);
      await new Promise(setImmediate); // a read that nobody waits for ends
      return exceeded === null;
    },
  };
}

describe('The storage of a workspace between two looks', () => {
  it('is never taken twice, however many ask at once', async () => {
    const { take } = bench();
    const taken = await Promise.all(Array.from({ length: 10 }, () => take(limit / 4)));
    expect(taken.filter(Boolean)).to.have.length(4);
  });

  it('what was admitted counts for the next period too, as it may not be committed yet', async () => {
    const { clock, take } = bench();
    expect(await take(limit * 0.75)).to.equal(true);
    clock.advance(101);
    expect(await take(limit / 2)).to.equal(false);
    expect(await take(limit / 8)).to.equal(true);
  });

  it('nobody waits for the store while it is read again, but where the limit is reached', async () => {
    const { clock, stored, take } = bench();
    expect(await take(0)).to.equal(true);
    stored.bytes = limit;
    clock.advance(101);
    expect(await take(0), 'what was read before').to.equal(true);
    expect(await take(0), 'what has been read meanwhile').to.equal(false);
    stored.bytes = 0;
    clock.advance(101);
    expect(await take(0)).to.equal(true);
    stored.bytes = limit;
    clock.advance(1001);
    expect(await take(0), 'too old').to.equal(false);
  });

  it('what was read is not kept for longer where the clock is set back', async () => {
    const { clock, stored, take } = bench();
    const before = clock.now();
    expect(await take(0)).to.equal(true);
    stored.bytes = limit;
    clock.advance(1_101);
    clock.now = () => before - 3_600_000;
    expect(await take(0)).to.equal(false);
  });

  it('what is not committed after two periods is forgotten, and what is refused takes nothing', async () => {
    const { clock, stored, take } = bench();
    expect(await take(limit + 1)).to.equal(false);
    expect(await take(limit / 2)).to.equal(true);
    for (let i = 0; i < 2; i++) {
      clock.advance(101);
      expect(await take(0)).to.equal(true);
    }
    expect(await take(limit)).to.equal(true);
    clock.advance(5_000);
    stored.bytes = limit;
    expect(await take(0)).to.equal(false);
  });
});
