/** The client as its package is made, in plain Node and in Deno, against a running server. */
import { expect } from 'chai';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../helpers/server-process.js';
import { asking, type ScriptedOpenAi, startScriptedOpenAi, usesWeather } from '../../helpers/scripted-openai.js';
import { startTestServer, type TestServer } from '../../helpers/server.js';

const program = `
import { ApiError, createClient } from '@hivekeep/client';
const [baseUrl, key] = globalThis.Deno?.args ?? process.argv.slice(2);
const hivekeep = createClient({ baseUrl, key });
const told = {};
const ada = await hivekeep.agents.spawn({ name: 'Ada', config: { multi_step: true, validation_gate: 'action' } });
for (const content of ['one', 'two', 'three']) await hivekeep.memories.create({ type: 'semantic', content, agent_id: ada.id });
await hivekeep.blocks.set(ada.id, 'human', { value: 'Likes tea.' }, { query: { subject: 'bo' } });
told.block = (await hivekeep.blocks.get(ada.id, 'human', { subject: 'bo' })).value;
await hivekeep.blocks.delete(ada.id, 'human', { query: { subject: 'bo' } });
told.all = [];
for await (const { content } of hivekeep.memories.list({ agent_id: ada.id, page_size: 2, order: 'asc' })) told.all.push(content);
const workspace = hivekeep.events({ types: 'run' });
const first = workspace.next();
const run = await hivekeep.runs.start(ada.id, { input: 'Remember that the quay is closed' });
told.paused = (await hivekeep.runs.wait(ada.id, run.id, { timeoutMs: 20_000 })).status;
await hivekeep.runs.resume(ada.id, run.id, { decision: 'approve' });
told.statuses = [];
for await (const event of hivekeep.runs.events(ada.id, run.id)) if (event.type === 'status') told.statuses.push(event.status);
told.ended = (await hivekeep.runs.wait(ada.id, run.id)).status;
told.event = (await first).value.type;
await workspace.return();
const exported = await new Response(await hivekeep.export({ agent_id: ada.id })).text();
told.last = JSON.parse(exported.trim().split('\\n').at(-1)).record;
told.again = (await hivekeep.import(exported)).added;
told.copied = (await hivekeep.import(new Blob([exported]), { new_ids: 'copy' })).added.memory;
const { etag } = await hivekeep.agents.getWithEtag(ada.id);
await hivekeep.agents.update(ada.id, { description: 'first' }, { ifMatch: etag });
told.late = await hivekeep.agents.update(ada.id, { description: 'second' }, { ifMatch: etag }).catch((error) => error.code);
const weather = { kind: 'client', name: 'weather', description: 'The weather.', reads_only: true };
await hivekeep.agents.update(ada.id, { config: { model: 'openai/m', tools: [weather] } });
const asks = await hivekeep.runs.start(ada.id, { input: 'What is the weather in Rome?' });
const city = [];
const used = await hivekeep.runs.useTools(ada.id, asks.id, {
  weather: (args) => {
    city.push(args.city);
    if (args.city === 'Oslo') throw new Error('no such city');
    return { sky: 'clear' };
  },
});
told.tools = [city, used.status, used.output];
await hivekeep.agents.delete(ada.id);
told.gone = await hivekeep.agents.get(ada.id).catch((error) => error instanceof ApiError && error.code);
console.log(JSON.stringify(told));
`;

/** What the program tells, wherever it runs. */
const told = {
  block: 'Likes tea.',
  all: ['one', 'two', 'three'],
  paused: 'paused',
  statuses: ['running', 'paused', 'running', 'completed'],
  ended: 'completed',
  event: 'run.status',
  last: 'end',
  again: {},
  copied: 4,
  late: 'PRECONDITION_FAILED',
  tools: [['Oslo', 'Rome'], 'completed', 'clear'],
  gone: 'NOT_FOUND',
};

/** Written in TypeScript, which Deno checks against the types of the package. */
const typed = `
import { createClient, type Client, type Schema } from '@hivekeep/client';
const hivekeep: Client = createClient({ baseUrl: 'http://127.0.0.1:1', key: 'svc_live_none' });
export const statusOf = async (agent: string, run: string): Promise<Schema<'Run'>['status']> =>
  (await hivekeep.runs.get(agent, run)).status;
// @ts-expect-error: a run has no such field
export const nothing = async (): Promise<unknown> => (await hivekeep.runs.get('a', 'r')).nonsense;
`;

/** Deno 2: that of the machine, or the one of npm, which is too large to be installed with everything else. */
function findDeno(): readonly [command: string, ...args: string[]] | null {
  const candidates = [['deno'], ['npx', '--yes', '--prefer-offline', 'deno@2.9.6']] as const;
  const works = ([command, ...args]: readonly [string, ...string[]]): boolean =>
    /^deno 2\./m.test(spawnSync(command, [...args, '--version'], { encoding: 'utf8', timeout: 90_000 }).stdout ?? '');
  return candidates.find(works) ?? null;
}

describe('@hivekeep/client', function () {
  this.timeout(120_000);
  let server: TestServer;
  let model: ScriptedOpenAi;
  let dir: string;

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-client-'));
    const source = join(projectRoot, 'packages/client');
    const installed = join(dir, 'node_modules/@hivekeep/client');
    const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
    mkdirSync(installed, { recursive: true });
    execFileSync(process.execPath, [compiler, '-p', source, '--outDir', join(installed, 'dist')]);
    cpSync(join(source, 'package.json'), join(installed, 'package.json'));
    writeFileSync(join(dir, 'program.mjs'), program);
    model = await startScriptedOpenAi();
    server = await startTestServer({ env: asking(model) });
  });
  after(async () => {
    await server.stop();
    await model.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('spawns, lists, follows, waits, approves, uses tools and deletes', async () => {
    usesWeather(model);
    const { stdout: out } = await promisify(execFile)(process.execPath, ['program.mjs', server.url, server.key], {
      cwd: dir,
      encoding: 'utf8',
    });
    expect(JSON.parse(out)).to.deep.equal(told);
  });

  it('does the same in Deno, which lets it use the network and nothing else, and checks its types', async function () {
    const deno = findDeno();
    if (deno === null) {
      process.stderr.write('skipped: there is no Deno 2, on PATH or from npm\n');
      return this.skip();
    }
    const [command, ...first] = deno;
    const run = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)(command, [...first, ...args], { cwd: dir, encoding: 'utf8' })).stdout;
    const installed = ['--no-remote', '--node-modules-dir=manual'];
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ dependencies: { '@hivekeep/client': '*' } }));
    writeFileSync(join(dir, 'typed.ts'), typed);
    await run('check', ...installed, 'typed.ts');
    const rights = ['--no-prompt', `--allow-net=${new URL(server.url).host}`];
    usesWeather(model);
    const out = await run('run', ...installed, ...rights, 'program.mjs', server.url, server.key);
    expect(JSON.parse(out)).to.deep.equal(told);
  });
});
