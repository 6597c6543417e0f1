/** Timers of many entities (actors/entities/recovery.ts). */
import { expect } from 'chai';
import { watchTimers } from '../../../../actors/entities/recovery.js';
import type { EntityRef, OpenHead, Store } from '../../../../src/store/port.js';
import { turn } from '../../../helpers/turn.js';

describe('Timers', () => {
  it('Timers.1 a busy entity holds up nobody else, and is told once at a time', async () => {
    const ticks: (() => void)[] = [];
    const told: string[] = [];
    let endBusy = (): void => undefined;
    const head = (id: string): OpenHead => ({ entity: { workspace: 'w', kind: 'agent', id }, seq: 1, active: false });
    let due = [head('busy'), head('one')];
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
      ask: (entity) => {
        const { id } = entity as EntityRef;
        told.push(id);
        return id === 'busy'
          ? new Promise((resolve) => {
              endBusy = () => {
                resolve(undefined);
              };
            })
          : Promise.resolve();
      },
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
});
