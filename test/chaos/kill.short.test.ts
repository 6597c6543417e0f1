import { killRounds, seed } from './rounds.js';

describe(`Killed under load (SEED=${seed})`, () => {
  it('3 times: nothing acknowledged is lost, nothing is doubled, every run ends', async function kill() {
    this.timeout(300_000);
    await killRounds(3);
  });
});
