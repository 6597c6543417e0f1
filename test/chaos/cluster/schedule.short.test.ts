import { expect } from 'chai';
import { scheduleOf, told, type Setting } from './schedule.js';

const setting: Setting = {
  processes: ['gateway-1', 'gateway-2', 'worker-1', 'worker-2', 'worker-3'],
  servers: ['mongodb', 'redis'],
  restartable: ['mongodb', 'redis'],
  lastMs: 20_000,
  leaseMs: 2_000,
};
const seeds = Array.from({ length: 200 }, (_, i) => i);

describe('The schedule of faults', () => {
  it('is the same for the same seed and another for another', () => {
    expect(scheduleOf(7, setting)).to.deep.equal(scheduleOf(7, setting));
    expect(new Set(seeds.map((seed) => JSON.stringify(scheduleOf(seed, setting))))).to.have.property(
      'size',
      seeds.length,
    );
  });

  it('lies within its time, in order, and its pauses outlast a lease', () => {
    for (const seed of seeds) {
      const faults = scheduleOf(seed, setting);
      expect(faults.map((f) => f.at)).to.deep.equal(faults.map((f) => f.at).sort((a, b) => a - b));
      for (const f of faults) {
        expect(f.at).to.be.within(0, setting.lastMs);
        if (f.kind === 'pause') expect(f.ms, told(f)).to.be.above(setting.leaseMs);
      }
    }
  });

  it('has every kind at least once', () => {
    for (const seed of seeds) {
      const kinds = scheduleOf(seed, setting).map((f) =>
        f.kind === 'network' || f.kind === 'restart' ? `${f.kind} ${f.server}` : f.kind,
      );
      expect(kinds).to.include.members([
        'kill',
        'term',
        'pause',
        'network mongodb',
        'network redis',
        'restart mongodb',
        'restart redis',
      ]);
    }
  });

  it('gives a process one fault at a time', () => {
    for (const seed of seeds) {
      const until = new Map<string, number>();
      for (const f of scheduleOf(seed, setting)) {
        if (f.kind === 'network' || f.kind === 'restart') continue;
        expect(until.get(f.process) ?? 0, `${seed}: ${told(f)}`).to.be.at.most(f.at);
        until.set(f.process, f.at + f.ms);
      }
    }
  });
});
