import { killRounds, seed } from './rounds.js';

describe(`A2A clients and a server that is killed (SEED=${seed})`, () => {
  it('twice: each message is one task, no stream has a gap, every change is pushed in order', async function kill() {
    this.timeout(60_000);
    await killRounds(2);
  });
});
