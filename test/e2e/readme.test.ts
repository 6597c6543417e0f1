/**
 * The README's tour, block by block as a reader pastes it, in bash and in interactive zsh: it starts a server, asks it,
 * kills it with -9, starts it again and goes on.
 */
import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenNeeded, cleanEnvironment, projectRoot } from '../helpers/server-process.js';

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
const tour = readme.split('\n## ').find((section) => section.startsWith('A tour\n')) ?? '';
const blocks = [...tour.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);

/** Startup files of whoever runs the tests are left out; everything else is as at a prompt. */
const shells: Record<string, string[]> = { bash: ['--norc', '-i'], zsh: ['-f', '-i'] };

const patienceMs = 180_000;

/** What each block printed, and what the shell complained about. */
async function paste(shell: string, port: number, dir: string): Promise<{ answers: string[]; complaints: string }> {
  const script = blocks.map((block) =>
    block
      .replaceAll('8420', String(port))
      .replaceAll('hivekeep.log', `${dir}/log`)
      .replaceAll('data/first-key', `${dir}/data/first-key`),
  );
  const env = cleanEnvironment({ HIVEKEEP_PORT: String(port), HIVEKEEP_DATA_DIR: join(dir, 'data'), PS1: '', PS2: '' });
  const child = spawn(shell, shells[shell] ?? [], { cwd: projectRoot, env, stdio: 'pipe', detached: true });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.end(`${script.join("\nprintf '\\n--next--\\n'\n")}\nwait\nexit\n`);
  // A block that fails must leave neither the shell nor its server behind.
  const tooLong = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), patienceMs);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(tooLong);
  return { answers: out.split('--next--'), complaints: err };
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => {
        resolve(false);
      })
      .listen(port, '127.0.0.1', () => {
        server.close(() => {
          resolve(true);
        });
      });
  });

/**
 * The tour leaves its port twice: until its server starts, and between its crash and the next start. One that the
 * system hands out itself (those from 32768 or 49152 on) may be taken meanwhile by any connection of the tests beside
 * this one.
 */
async function quietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

describe("README's tour", function () {
  this.timeout(patienceMs + 10_000);
  /** One folder for all: who has taken the tour may take it again. */
  let dir = '';
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-tour-'));
    buildWhenNeeded();
  });
  after(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  it('has at most 200 lines around it, no placeholders, and no comments that zsh would run', () => {
    expect(readme.split('\n').length).to.be.at.most(201);
    for (const block of blocks) expect(block).not.to.match(/\.\.\.|(^|\s)#\s/m);
  });

  for (const shell of Object.keys(shells)) {
    it(`works pasted into ${shell}`, async function () {
      if (spawnSync(shell, ['-c', 'true']).status !== 0) {
        process.stderr.write(`      skipped: there is no ${shell}\n`);
        this.skip();
      }
      let pasted = { answers: [''], complaints: '' };
      try {
        pasted = await paste(shell, await quietPort(), dir);
        const { answers, complaints } = pasted;
        expect(complaints).not.to.match(/not found|no matches|parse error|syntax error|No such/i);
        expect(answers.join('')).not.to.include('"error":{');
        const [, asked, crashed, woken, run, hive, a2a, repeated, end] = answers;
        const quoted = 'From memory: The launch is on 12 May, from the north quay.';
        expect(readme, 'the README says what is answered').to.include(`\`${quoted}\``);
        expect(asked)
          .to.include(quoted)
          .and.to.match(/relevance: [01]/);
        expect(crashed, 'after kill -9').to.include(quoted);
        expect(woken)
          .to.include('remember that the launch is on 12 May')
          .and.to.match(/^(?!.*remember).*12 May/m);
        expect(run)
          .to.include('"status":"completed"')
          .and.to.match(/^When does the tide turn\? From memory: the tide turns at nine/m);
        expect(hive)
          .to.match(/relevance: 0\.\d+/)
          .and.to.include('pilot boat');
        expect(a2a).to.include('execute-task').and.to.include('"final":true');
        expect(repeated).to.match(/Idempotent-Replayed: true/i);
        expect(end).to.include('"deleted":true');
      } catch (error) {
        const log = readFileSync(join(dir, 'log'), { encoding: 'utf8', flag: 'a+' });
        const { answers, complaints } = pasted;
        (error as Error).message += `\n${answers.join('')}\nthe shell said:\n${complaints}\nthe server said:\n${log}`;
        throw error;
      }
    });
  }
});
