import { killRounds, seed } from './rounds.js';

describe(`Killed under load, for long (SEED=${seed})`, () => {
  it('20 times on the same data: nothing acknowledged is lost, nothing is doubled, every run ends', () =>
    killRounds(20));
});
