/** Each example runs to its end by the command that its README names, and tells the story that it promises. */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWhenNeeded, cleanEnvironment, projectRoot } from '../helpers/server-process.js';

const stories: Record<string, RegExp[]> = {
  team: [
    /remembered: the crew list is due on 5 May/,
    /When is the crew list due\?\n.*5 May/,
    /When is the north quay closed\?\n.*Mondays/,
    /Keeper's runs: message, completed/,
  ],
  'a2a-peers': [/card: Harbour office/, /task is completed/, /The guide answers: .*The ferry leaves at nine/],
  'llm-approval': [
    /paused and asks: .*bonus of 500.*\nA human decides: reject\nThe run is completed: .*nothing.*\n.* 0 memories/,
    /A human decides: approve\nThe run is completed: The bonus is noted\.\n.* 1 memories/,
  ],
  supervisor: [
    /paused and asks: .*book.*\nA human decides: approve\nThe run is completed: .*The terms allow it\..*There are 55 lamps.*310 euros.*25 percent, and form CN23\..*NO-7/,
    /Supervisor: completed\n(?: {2}(?:Law|Stock|Freight): completed\n){3}All together they have asked their models 6 times/,
  ],
  researcher: [/On 12 May\. \(confidence 0\.9, from: The launch is on 12 May\.\)\nticket 7 took 2 requests/],
  support: [
    /Customer 1: Order 1001 has left the warehouse\. Order 1001 comes on Friday\./,
    /Customer 20: Order 1020 has left the warehouse\. Order 1020 comes on Friday\./,
  ],
  'vercel-ai': [
    /Alone, the model says: I do not know\./,
    /in another conversation: It is the Nora\./,
    /monday: user: My boat is the Nora.* \/ assistant: Noted\.\nfriday: user: What .* \/ assistant: It is the Nora\./,
  ],
};

/** Runs a command line as a shell would, without one; resolves with its exit code and all that it printed. */
function run(command: string): Promise<{ code: number | null; out: string; err: string }> {
  const [program = '', ...args] = command.split(' ');
  const child = spawn(program, args, { cwd: projectRoot, env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code, out, err });
    });
  });
}

describe('examples', function () {
  this.timeout(60_000);
  before(buildWhenNeeded);

  for (const [name, story] of Object.entries(stories)) {
    it(name, async () => {
      const readme = readFileSync(join(projectRoot, 'examples', name, 'README.md'), 'utf8');
      const command = /^```sh\n(.+)\n```$/m.exec(readme)?.[1] ?? '';
      const { code, out, err } = await run(command);
      expect(code, err).to.equal(0);
      for (const part of story) expect(out).to.match(part);
    });
  }
});
