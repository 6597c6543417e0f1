/**
 * Loaded before every test (.mocharc.json). The time limits of tests are those of a quiet machine, and are stretched
 * here: a test that hangs still ends, only later. A rejection that nobody handles fails the test in progress; mocha
 * alone would pass over it.
 */
import Mocha from 'mocha';
import { patient } from './patience.js';

const { prototype } = Mocha.Runnable;
const given = Object.getOwnPropertyDescriptor(prototype, 'timeout')?.value as (
  this: Mocha.Runnable,
  ms?: string | number,
) => unknown;
Object.defineProperty(prototype, 'timeout', {
  configurable: true,
  writable: true,
  value(this: Mocha.Runnable, ms?: string | number) {
    return ms === undefined ? given.call(this) : given.call(this, patient(Number(ms)));
  },
});

process.on('unhandledRejection', (reason) => {
  throw reason;
});
