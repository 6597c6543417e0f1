/**
 * `hivekeep export` and `import` as an operator uses them: on a folder, in little memory, and with a running server by
 * its URL, also where the connection is cut.
 */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { cli, type CliResult } from '../helpers/cli.js';
import { agentIdOf, writeExportFile } from '../helpers/export-file.js';
import { mainFile } from '../helpers/server.js';
import { startCuttingProxy } from './a2a/support/cutting-proxy.js';
import { served } from './api/support/client.js';

const world = served(() => ({}));

/** What a file tells, without its frame, which has the time. */
const contents = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^\{"record":"(export|end)"/.test(line));

describe('the command line exports and imports', function () {
  this.timeout(120_000);
  world.hooks();
  const home = mkdtempSync(join(tmpdir(), 'hivekeep-transfer-'));
  const path = (name: string): string => join(home, name);
  after(() => rmSync(home, { recursive: true, force: true }));

  const run = async (args: string[], env: Record<string, string>): Promise<CliResult> => {
    const result = await cli(args, env, mainFile, 60_000);
    expect(result.code, result.stderr).to.equal(0);
    return result;
  };
  const remote = (url = world.server().url): [string[], Record<string, string>] => [
    ['--url', url],
    { HIVEKEEP_KEY: world.server().key },
  ];

  it('64 MB in a heap of 64 MB, and back the same', async () => {
    const dir = { HIVEKEEP_DATA_DIR: path('data') };
    const small = { ...dir, NODE_OPTIONS: '--max-old-space-size=64' };
    await run(['workspace', 'create', 'w', '--tier', 'enterprise'], dir); // makes the folder
    await writeExportFile(path('large'), { memories: 4000, runs: 20, agents: 3, length: 16_000 });
    await run(['import', path('large'), '--workspace', 'default'], small);
    await run(['export', path('out'), '--workspace', 'default'], small);
    await run(['migrate', '--from', `lmdb:${path('data')}`, '--to', `lmdb:${path('moved')}`], small);
    await run(['export', path('moved.out'), '--workspace', 'default'], { HIVEKEEP_DATA_DIR: path('moved') });
    expect(contents(path('moved.out')).length).to.be.above(4000);
    expect(contents(path('moved.out'))).to.deep.equal(contents(path('out')));
  });

  it('with a running server: in parts, found at once, the same when it is repeated, and a copy with new ids', async () => {
    await writeExportFile(path('some'), { memories: 900, runs: 20, agents: 3, length: 12_000 });
    const [where, key] = remote();
    const first = await run(['import', path('some'), ...where], key);
    expect(first.stderr).to.match(/Added to workspace default: 3 agents, 20 journal entries, 20 runs, 900 memories/);
    const found = await world.api.ask('POST', '/v1/memories/search', { query: 'lot 17', agent_id: agentIdOf(0) });
    expect(JSON.stringify(found.body.data)).to.include('Lot 17 is kept in hall 4');
    const again = await run(['import', path('some'), ...where], key);
    expect(again.stderr).to.match(/: nothing\. There already: .*3 agents, 20 journal entries, 20 runs, 900 memories\./);
    expect(again.stdout).to.equal(first.stdout);
    const copy = await run(['import', path('some'), ...where, '--new-ids', 'copy'], key);
    expect(copy.stderr).to.include('900 memories');
    const repeated = await run(['import', path('some'), ...where, '--new-ids', 'copy'], key);
    expect(repeated.stderr).to.include(': nothing.');
    expect((await world.api.page('/v1/agents')).pagination.total_count).to.equal(6);
  });

  it('an export that is cut goes on behind what it has, by itself and when the command is repeated', async () => {
    const [where, key] = remote();
    const whole = await run(['export', path('whole'), ...where], key);
    expect(whole.stderr).to.include('1,800 memories');
    const lines = readFileSync(path('whole'), 'utf8');
    writeFileSync(path('part.part'), lines);
    truncateSync(path('part.part'), Math.floor(lines.length * 0.7));
    const resumed = await run(['export', path('part'), ...where], key);
    expect(resumed.stderr).to.include('An interrupted export was continued');
    expect(contents(path('part'))).to.deep.equal(contents(path('whole')));
    const proxy = await startCuttingProxy(() => world.server().url);
    proxy.cutAfter(Math.floor(lines.length * 0.6));
    const cut = await run(['export', path('cut'), ...remote(proxy.url)[0]], key);
    await proxy.close();
    expect(cut.stderr).to.include('An interrupted export was continued');
    expect(contents(path('cut'))).to.deep.equal(contents(path('whole')));
  });

  it('other formats reach an agent of a server', async () => {
    writeFileSync(path('notes.txt'), 'The heron is grey.\n\nThe ibis is white.\n');
    const [where, key] = remote();
    const { id } = await world.api.one('POST', '/v1/agents/spawn', { name: 'Ada' }, 201);
    const args = ['import', path('notes.txt'), '--format', 'text', '--agent', String(id), ...where];
    expect((await run(args, key)).stderr).to.include('Added to workspace default: 2 memories.');
    expect((await run(args, key)).stderr).to.include(': nothing.');
  });

  it('says what is wrong: no key, a wrong one, no server, options that do not fit', async () => {
    const [where, key] = remote();
    const tells = async (args: string[], env: Record<string, string>): Promise<string> => {
      const { code, stderr } = await cli(args, env, mainFile, 60_000);
      expect(code, stderr).to.equal(1);
      return stderr;
    };
    expect(await tells(['export', path('x'), ...where], {})).to.include('HIVEKEEP_KEY must be');
    expect(await tells(['export', path('x'), ...where], { HIVEKEEP_KEY: 'svc_live_none' })).to.include(
      'server answered',
    );
    expect(await tells(['export', path('x'), '--url', 'ftp://h'], key)).to.include('--url must be');
    expect(await tells(['export', path('x'), ...where, '--workspace', 'w'], key)).to.include('Leave --workspace out');
    expect(await tells(['export', path('x'), ...where, '--agent', 'agent_none'], key)).to.include(
      'no agent agent_none',
    );
    writeFileSync(path('bad'), 'nothing\n');
    expect(await tells(['import', path('bad'), ...where], key)).to.include('was not imported. Line 1: must be JSON');
  });
});
