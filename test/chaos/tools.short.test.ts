/** Tools with a real process; TOOL_KILL_ROUNDS says how often it is killed. */
import { expect } from 'chai';
import { seed } from './rounds.js';
import { toolKillRounds } from './tool-kills.js';

const rounds = Number(process.env['TOOL_KILL_ROUNDS'] ?? 10);

describe(`Killed in the middle of calls of tools (SEED=${seed})`, () => {
  it(`${rounds} times: none that must not repeat is made twice, and none is forgotten`, async function kill() {
    this.timeout(120_000 + rounds * 30_000);
    const tally = await toolKillRounds(rounds, seed);
    expect(tally.done).to.be.greaterThan(0);
    process.stderr.write(`${JSON.stringify(tally)}\n`);
  });
});
