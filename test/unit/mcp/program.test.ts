import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../../../src/mcp/program.js';
import { defaultMapSize, openEnvironment } from '../../../src/store/lmdb/environment.js';
import { eventually } from '../../helpers/engine.js';

describe('MCP: programs', function () {
  this.timeout(30_000);
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-program-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  const started = async (script: string) => {
    const program = startProgram({ command: 'sh', args: ['-c', script], env: {}, cwd: dir });
    await program.start();
    return program;
  };
  const written = (name: string): Promise<string> =>
    eventually(async () => {
      const path = join(dir, name);
      return (existsSync(path) && readFileSync(path, 'utf8').trim()) || undefined;
    }, name);
  const lives = (pid: string): boolean => {
    try {
      return process.kill(Number(pid), 0);
    } catch {
      return false;
    }
  };

  for (const [how, script] of [
    ['is closed', 'sleep 1000 & echo $! > child; cat'],
    ['ends', 'sleep 1000 & echo $! > child'],
    ['does not end by itself', 'trap "" TERM; sleep 1000 & echo $! > child; while true; do sleep 1; done'],
  ] as const)
    it(`McpProgram.M1: what it has started ends with it when it ${how}`, async () => {
      const program = await started(script);
      const child = await written('child');
      await program.close();
      await eventually(async () => !lives(child), 'the end of the child');
    });

  it('McpProgram.M2: inherits no file of the store', async function () {
    if (!existsSync('/proc/self/fd')) this.skip();
    const store = openEnvironment(join(dir, 'store'), defaultMapSize);
    const program = await started('ls -l /proc/$$/fd > files.part; mv files.part files; cat');
    try {
      const files = await written('files');
      expect(files).to.contain('/dev/null').and.not.contain(join(dir, 'store'));
    } finally {
      await program.close();
      await store.close();
    }
  });

  it('McpProgram.M3: says what it likes, a message a turn, and is ended for a line that is too long', async () => {
    const program = await started(
      'echo hello; for i in 1 2 3; do echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$i,\\"result\\":{}}"; done; head -c 2000000 /dev/zero; sleep 1000',
    );
    const ids: unknown[] = [];
    const ended = new Promise<void>((resolve) => (program.onclose = resolve));
    program.onmessage = (message) => ids.push('id' in message ? message.id : undefined);
    await ended;
    expect(ids).to.deep.equal([1, 2, 3]);
  });
});
