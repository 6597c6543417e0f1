/** Images and files that come with what is said to an agent (src/domain/run/conversation.ts). */
import { deleteAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { getUsage } from '../../../src/commands/workspace.js';
import { deleteSession } from '../../../src/commands/sessions.js';
import type { HivekeepError } from '../../../src/domain/shared/errors.js';
import type { SpawnInput } from '../../../src/domain/shared/inputs.js';
import type { PromptFile } from '../../../src/reasoner/port.js';
import { call, caller, answers, does, eventually, type Script } from '../../helpers/engine.js';
import { overStores, type Running } from './kit.js';
import { getFile, getRun, forkRun, deleteRun, listRuns } from '../../../src/commands/runs.js';

const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
const gif = Buffer.from('GIF89a').toString('base64');
const named = (bytes: string): string => createHash('sha256').update(Buffer.from(bytes, 'base64')).digest('hex');
const image = { mediaType: 'image/png', filename: 'cat.png', bytes: png };
const taking = { model: 'openai/a' };

overStores('Files', (bed) => {
  let seen: (readonly PromptFile[] | undefined)[];
  /** Asks where it is told so, and notes which files each step was given. */
  const looks: Script = ({ run, humanInputs }) => {
    seen.push(run.files);
    return run.input.startsWith('ask') && humanInputs.length === 0
      ? does(call('ask_human', { question: 'Which?' }))
      : answers('seen');
  };
  beforeEach(() => {
    seen = [];
  });
  const agentOf = async ({ service }: Running, config: SpawnInput['config'] = taking): Promise<string> =>
    (await service.execute(caller, spawnAgent, {}, { name: 'Ada', config })).id;
  const kept = async ({ service }: Running, agent: string, bytes: string): Promise<unknown> =>
    service.execute(caller, getFile, { id: agent, sha256: named(bytes) }).then(
      (file) => file,
      (error: HivekeepError) => error.code,
    );
  const used = async ({ service }: Running): Promise<number> =>
    (await service.execute(caller, getUsage, {}, {})).storage.used;

  it('are given to the model with their bytes, shown by their hash, and kept once over a restart', async () => {
    const first = await bed.start(looks);
    const id = await agentOf(first);
    const { run_id: runId } = await first.service.messageAgent(caller, id, { content: 'What is it?', files: [image] });
    expect(seen).to.deep.equal([[{ ...image, step: undefined }]]);
    const run = await first.service.execute(caller, getRun, { id, runId });
    expect(run.input).to.equal('What is it?\n[file cat.png (image/png)]');
    expect(run.files).to.deep.equal([{ sha256: named(png), mediaType: 'image/png', filename: 'cat.png', size: 8 }]);
    expect(await kept(first, id, png)).to.deep.equal({ sha256: named(png), size: 8, bytes: png });
    const before = await used(first);
    const large = Buffer.alloc(100_000, 7).toString('base64');
    const say = { content: 'And this?', files: [{ mediaType: 'image/jpg', bytes: large }] };
    await first.service.messageAgent(caller, id, say);
    const grown = (await used(first)) - before;
    expect(grown).to.be.within(large.length, large.length + 3000);
    first.kill();
    const second = await bed.start(looks);
    await second.service.messageAgent(caller, id, say);
    expect((await used(second)) - before - grown).to.be.below(3000);
    expect(seen.at(-1)).to.deep.equal([
      { mediaType: 'image/jpeg', filename: undefined, step: undefined, bytes: large },
    ]);
  });

  it('Files.F2: go with the last run that holds them: forks, other runs, sessions and agents', async () => {
    const engine = await bed.start(looks);
    const { service } = engine;
    const id = await agentOf(engine);
    const before = await used(engine);
    const say = {
      content: 'see',
      files: [image, { ...image, filename: 'again.png' }, { mediaType: 'image/gif', bytes: gif }],
    };
    const first = await service.messageAgent(caller, id, say);
    const second = await service.messageAgent(caller, id, { content: 'see', files: [image], sessionId: 's' });
    const fork = await service.execute(caller, forkRun, { id, runId: second.run_id }, { checkpoint: 1 });
    expect(fork.files).to.have.length(1);
    await eventually(
      async () => (await service.execute(caller, getRun, { id, runId: fork.id })).status === 'completed',
    );
    expect(seen.at(-1)).to.deep.equal([{ ...image, step: undefined }]);
    await service.execute(caller, deleteRun, { id, runId: first.run_id });
    expect([await kept(engine, id, gif), await kept(engine, id, png)]).to.deep.include('NOT_FOUND');
    expect(await kept(engine, id, png)).to.include({ size: 8 });
    await service.execute(caller, deleteSession, { id: id, sessionId: 's' });
    expect(await kept(engine, id, png)).to.equal('NOT_FOUND');
    expect(await used(engine)).to.be.within(before, before + 500);
    await service.messageAgent(caller, id, say);
    await service.execute(caller, deleteAgent, { id });
    expect(await bed.store.get({ workspace: caller.workspace, kind: 'agent', id }, 'file', named(png))).to.equal(null);
  });

  it('come with an answer to a question, too, over A2A and REST', async () => {
    const engine = await bed.start(looks);
    const { service } = engine;
    const id = await agentOf(engine);
    const part = { kind: 'file', ...image } as const;
    const say = (text: string, taskId?: string) =>
      service.sendTask(caller, id, {
        message: { messageId: text, role: 'user', parts: [{ kind: 'text', text }, part] },
        wait: 'settled',
        ...(taskId !== undefined && { taskId }),
      });
    const asks = await say('ask me');
    const done = await say('this one', asks.id);
    expect(done.history?.map(({ parts }) => parts.at(-1))).to.deep.equal([
      { kind: 'file', mediaType: 'image/png', filename: 'cat.png', uri: `urn:sha256:${named(png)}` },
      { kind: 'text', text: 'Which?' },
      { kind: 'file', mediaType: 'image/png', filename: 'cat.png', uri: `urn:sha256:${named(png)}` },
    ]);
    expect(seen.at(-1)).to.deep.equal([
      { ...image, step: undefined },
      { ...image, step: 1 },
    ]);
    const again = await service.startRun(caller, id, { input: 'ask me too' });
    await eventually(async () => (await service.execute(caller, getRun, { id, runId: again.id })).status === 'paused');
    await service.resumeRun(caller, id, again.id, { input: 'This.', files: [image] });
    await eventually(
      async () => (await service.execute(caller, getRun, { id, runId: again.id })).status === 'completed',
    );
    expect(seen.at(-1)).to.deep.equal([{ ...image, step: 1 }]);
  });

  it('of text are read as text below their names, by every agent', async () => {
    const engine = await bed.start(looks);
    const id = await agentOf(engine, {});
    const files = [{ filename: 'a.csv', mediaType: 'text/csv', bytes: Buffer.from('a;b').toString('base64') }];
    const { run_id: runId } = await engine.service.messageAgent(caller, id, { content: 'Sum up.', files });
    expect(await engine.service.execute(caller, getRun, { id, runId })).to.deep.include({
      input: 'Sum up.\n[file a.csv]\na;b',
      files: [],
    });
  });

  it('that the agent does not take are refused, and leave nothing', async () => {
    const engine = await bed.start(looks);
    const { service } = engine;
    const refusal = (agent: string, file: object, more: object = {}): Promise<unknown> =>
      service.messageAgent(caller, agent, { content: 'see', files: [file as typeof image], ...more }).then(
        () => 'taken',
        ({ code, message }: HivekeepError) => [code, message],
      );
    const builtIn = await agentOf(engine, {});
    const reads = 'this agent reads text/*, application/json';
    const images = 'image/png, image/jpeg, image/gif, image/webp';
    const refused = 'UNSUPPORTED_MEDIA_TYPE';
    expect(await refusal(builtIn, image)).to.deep.equal([
      refused,
      `files.0 is a file of the media type image/png: ${reads}`,
    ]);
    expect(await refusal(builtIn, image, { overrides: taking })).to.equal('taken');
    const usual = await agentOf(engine);
    const pdf = { mediaType: 'application/pdf', bytes: png };
    expect(await refusal(usual, pdf)).to.deep.equal([
      refused,
      `files.0 is a file of the media type application/pdf: ${reads}, ${images}`,
    ]);
    expect(await refusal(await agentOf(engine, { ...taking, accepts: ['application/pdf'] }), pdf)).to.equal('taken');
    expect(await refusal(await agentOf(engine, { ...taking, accepts: [] }), image)).to.have.property('0', refused);
    expect(await refusal(usual, { ...image, bytes: Buffer.alloc(1024 * 1024 + 1).toString('base64') })).to.deep.equal([
      'VALIDATION_ERROR',
      'files.0: must be at most 1048576 bytes of files together',
    ]);
    expect(await refusal(usual, { ...image, bytes: '' })).to.have.property('0', 'VALIDATION_ERROR');
    expect(await refusal(usual, { mediaType: 'text/plain', bytes: Buffer.of(255).toString('base64') })).to.deep.equal([
      'VALIDATION_ERROR',
      'files.0.bytes: must be UTF-8, as the media type is one of text',
    ]);
    expect(
      (
        await service.execute(
          caller,
          listRuns,
          { id: usual },
          { page: { sort: 'created_at', order: 'desc', limit: 5 } },
        )
      ).total,
    ).to.equal(0);
    expect(await kept(engine, usual, png)).to.equal('NOT_FOUND');
  });
});
