/**
 * What every adapter of src/limits/port.ts has to pass. The tests name the promise that they guard (Limits.L1 to
 * Limits.L6 there).
 */
import { bucketsContract } from './buckets.js';
import { placesContract, type OpenLimits } from './places.js';

export function limitsContract(name: string, open: OpenLimits): void {
  describe(`limits contract: ${name}`, () => {
    describe('buckets', () => {
      bucketsContract(open);
    });
    describe('places', () => {
      placesContract(open);
    });
  });
}
