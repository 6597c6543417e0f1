/**
 * What every adapter of src/limits/port.ts has to pass. The tests name the promise that they guard (Limits.L1 to
 * Limits.L6 there).
 */
import { bucketsContract } from './buckets.js';
import { slotsContract, type OpenLimits } from './slots.js';

export function limitsContract(name: string, open: OpenLimits): void {
  describe(`limits contract: ${name}`, () => {
    describe('buckets', () => {
      bucketsContract(open);
    });
    describe('slots', () => {
      slotsContract(open);
    });
  });
}
