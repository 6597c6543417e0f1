/** Loading what has unfinished work (actors/entities/recovery.ts). */
import { expect } from 'chai';
import { recover } from '../../../../actors/entities/recovery.js';
import type { Ask } from '../../../../actors/entities/ask.js';
import type { EntityRef, OpenHead } from '../../../../src/store/port.js';
import { MemoryStore } from '../../../helpers/memory-store.js';
import { turn } from '../../../helpers/turn.js';
import { ManualClock } from '../runtime/kit.js';

const agents = 1_000;

/** Agents and, last, a desk; those that are asked wait until the test answers them. */
function bench() {
  const store = new MemoryStore();
  const heads = Array.from({ length: agents }, (_, i): OpenHead => {
    const entity: EntityRef =
      i < agents - 1
        ? { workspace: 'w', kind: 'agent', id: `agent_${i}` }
        : { workspace: 'w', kind: 'workspace', id: 'w' };
    return { entity, seq: 1, active: true };
  });
  store.activeHeads = async function* () {
    yield heads;
  };
  const clock = new ManualClock();
  const asked: { entity: EntityRef; answer: () => void }[] = [];
  const ask = ((entity: EntityRef) =>
    new Promise((resolve) => {
      asked.push({ entity, answer: () => resolve(undefined) });
    })) as unknown as Ask;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const done = recover({ store, clock, ask, log }, () => false);
  /** Answers all that were asked, so many ms after that; returns how many there were. */
  const answered = async (ms: number): Promise<number> => {
    await turn();
    clock.advance(ms);
    const now = asked.splice(0);
    for (const { answer } of now) answer();
    await turn();
    return now.length;
  };
  return { asked, done, answered };
}

describe('recovery', () => {
  it('loads the desks of workspaces first', async () => {
    const { asked, answered, done } = bench();
    await turn();
    expect(asked[0]?.entity.kind).to.equal('workspace');
    let loaded = 0;
    while (loaded < agents) loaded += await answered(1);
    expect(await done).to.equal(agents);
  });

  it('loads more at a time while they answer promptly, and few while they do not, so that requests get their turns', async () => {
    const { answered, done } = bench();
    const sizes: number[] = [];
    let loaded = 0;
    for (const ms of [10, 10, 10, 10, 500, 500, 500]) {
      const size = await answered(ms);
      loaded += size;
      sizes.push(size);
    }
    const most = Math.max(...sizes);
    expect(most).to.be.within(100, 256);
    expect(sizes.indexOf(most), 'it grows').to.be.within(2, 4);
    expect(sizes.at(-1)).to.equal(8);
    while (loaded < agents) loaded += await answered(1);
    expect(await done).to.equal(agents);
  });
});
