/** Timers of many entities (actors/entities/recovery.ts). */
import type { UntypedAsk } from '../../../../actors/entities/ask.js';
import { expect } from 'chai';
import { watchTimers } from '../../../../actors/entities/recovery.js';
import type { DueHead, EntityRef, OpenHead, Store } from '../../../../src/store/port.js';
import { turn } from '../../../helpers/turn.js';

describe('Timers', () => {
  it('Timers.1 a busy entity holds up nobody else, and is told once at a time', async () => {
    const ticks: (() => void)[] = [];
    const told: string[] = [];
    let endBusy = (): void => undefined;
    const head = (id: string): OpenHead => ({ entity: { workspace: 'w', kind: 'agent', id }, seq: 1, active: false });
    let due = [head('busy'), head('one')];
    const ask: UntypedAsk = ({ id }) => {
      told.push(id);
      return id === 'busy'
        ? new Promise((resolve) => {
            endBusy = () => {
              resolve(undefined);
            };
          })
        : Promise.resolve();
    };
    const stop = watchTimers({
      store: { dueHeads: async () => due } as unknown as Store,
      clock: {
        now: () => 0,
        elapsed: () => 0,
        after: (_ms: number, fn: () => void) => {
          ticks.push(fn);
          return () => undefined;
        },
      },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      ask,
    });
    const tick = async (): Promise<void> => {
      ticks.shift()?.();
      await turn();
    };
    await tick();
    expect(told).to.deep.equal(['busy', 'one']);
    due = [head('busy'), head('two')];
    await tick();
    expect(told).to.deep.equal(['busy', 'one', 'two']);
    endBusy();
    await turn();
    due = [head('busy')];
    await tick();
    expect(told).to.deep.equal(['busy', 'one', 'two', 'busy']);
    stop();
  });

  it('Timers.2 entities that stay due keep no later one from its turn', async () => {
    const ticks: (() => void)[] = [];
    const told = new Map<string, number>();
    const head = (id: string, due: number): DueHead => ({
      entity: { workspace: 'w', kind: 'agent', id },
      seq: 1,
      active: false,
      due,
    });
    // Of those that cannot be changed, 450 are due at different times and 450 at one, and then comes another.
    const all = Array.from({ length: 900 }, (_, i) => head(`stuck_${i}`, Math.min(i, 450)));
    all.push(head('later', 1000));
    const stop = watchTimers({
      store: {
        dueHeads: async (now: number, limit: number, _: unknown, from = -Infinity) =>
          all.filter(({ due }) => due >= from && due <= now).slice(0, limit),
      } as unknown as Store,
      clock: {
        now: () => 2000,
        elapsed: () => 0,
        after: (_ms: number, fn: () => void) => {
          ticks.push(fn);
          return () => undefined;
        },
      },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      ask: (entity: EntityRef) => {
        const { id } = entity;
        told.set(id, (told.get(id) ?? 0) + 1);
        return Promise.reject(new Error('it cannot be read'));
      },
    });
    for (let i = 0; i < 10; i++) {
      ticks.shift()?.();
      await turn();
    }
    expect(told.size, 'in ten polls everybody was told').to.equal(901);
    for (let i = 0; i < 10; i++) {
      ticks.shift()?.();
      await turn();
    }
    expect(told.get('stuck_0'), 'and again').to.be.greaterThan(1);
    stop();
  });
});
