/** What one run does differently from its agent, and what is kept with it. */
import { getAgent, patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import type { HivekeepError } from '../../../src/domain/shared/errors.js';
import type { RunOverrides } from '../../../src/domain/shared/inputs.js';
import type { Caller } from '../../../src/service.js';
import { answers, call, caller, does, eventually, type Script } from '../../helpers/engine.js';
import { overStores } from './kit.js';
import { getRun, forkRun, listAllRuns } from '../../../src/commands/runs.js';

const schema = { type: 'object' as const, properties: { n: { type: 'number' } }, required: ['n'] };
const data = { n: 1 };

/** Says by which configuration it goes; asks first where it is told so; by a schema it answers with data. */
const tells: Script = ({ agent: { config }, run, humanInputs, step }) => {
  if (run.input === 'ask' && humanInputs.length === 0) return does(call('ask_human', { question: 'Well?' }));
  if (run.input === 'two steps' && step === 1) return does(call('recall', { query: 'x' }));
  if (config.output_schema)
    return does({
      tool: 'answer',
      arguments: { content: JSON.stringify(data) },
      parts: [{ kind: 'data', data }],
    });
  return answers(`${String(config.model)} ${config.instructions} ${config.temperature}`);
};

const refusal = async (work: Promise<unknown>): Promise<unknown> => {
  const error = (await work.then(
    () => undefined,
    (e: unknown) => e,
  )) as HivekeepError | undefined;
  return error && [error.code, error.message];
};

overStores('Overrides of runs', (bed) => {
  const config = { model: 'openai/a', instructions: 'usual', temperature: 1 };
  const overrides: RunOverrides = { model: 'openai/b', instructions: 'other' };
  const metadata = { order: 7 };

  it('hold for their run and its forks, over a pause, a resume and a restart; the agent stays as it is', async () => {
    const first = await bed.start(tells);
    const { id } = await first.service.execute(
      caller,
      spawnAgent,
      {},
      { name: 'Ada', config: { ...config, multi_step: true } },
    );
    const paused = await first.service.startRun(caller, id, { input: 'ask', overrides, metadata });
    await eventually(
      async () => (await first.service.execute(caller, getRun, { id, runId: paused.id })).status === 'paused',
    );
    first.kill();
    const { service } = await bed.start(tells);
    await service.resumeRun(caller, id, paused.id, { input: 'so' });
    const ended = async (run: string) => {
      await eventually(async () => (await service.execute(caller, getRun, { id, runId: run })).status === 'completed');
      return service.execute(caller, getRun, { id, runId: run });
    };
    expect(await ended(paused.id)).to.deep.include({
      output: 'openai/b other 1',
      overrides,
      metadata,
      output_data: null,
    });
    const fork = await service.execute(caller, forkRun, { id, runId: paused.id }, { checkpoint: 1 });
    expect(fork).to.deep.include({ overrides, metadata });
    const usual = await service.messageAgent(caller, id, { content: 'go' });
    expect(usual).to.include({ response: 'openai/a usual 1', output_data: null });
    expect(await service.execute(caller, getRun, { id, runId: usual.run_id })).to.deep.include({
      overrides: null,
      metadata: {},
    });
  });

  it('an answer by a schema is data beside its text, also of tasks; null asks for text again', async () => {
    const { service } = await bed.start(tells);
    const { id } = await service.execute(
      caller,
      spawnAgent,
      {},
      { name: 'Ada', config: { ...config, output_schema: schema } },
    );
    const reply = await service.messageAgent(caller, id, { content: 'go', metadata });
    expect(reply).to.deep.include({ response: '{"n":1}', output_data: data });
    expect(await service.execute(caller, getRun, { id, runId: reply.run_id })).to.deep.include({
      output_data: data,
      metadata,
    });
    const text = await service.messageAgent(caller, id, { content: 'go', overrides: { output_schema: null } });
    expect(text).to.include({ response: 'openai/a usual 1', output_data: null });

    const said = (hivekeep: object) => ({
      messageId: JSON.stringify(hivekeep),
      role: 'user' as const,
      parts: [{ kind: 'text' as const, text: 'go' }],
      metadata: { a: 1, ...hivekeep },
    });
    const send = (from: Caller, given: object) => service.sendTask(from, id, { message: said(given), wait: 'settled' });
    const task = await send(caller, {});
    expect(task.output).to.deep.equal([
      { kind: 'text', text: '{"n":1}' },
      { kind: 'data', data },
    ]);
    expect(await service.execute(caller, getRun, { id, runId: task.id })).to.deep.include({ metadata: { a: 1 } });
    const key = 'hivekeep/overrides';
    expect((await send(caller, { [key]: { output_schema: null, ...overrides } })).output).to.deep.equal([
      { kind: 'text', text: 'openai/b other 1' },
    ]);
    expect(await refusal(send(caller, { [key]: { modle: 'x' } }))).to.deep.include('VALIDATION_ERROR');

    const peer: Caller = { ...caller, agent: id, scopes: ['agent:spawn', 'agent:read'] };
    expect(await refusal(send(peer, { [key]: overrides }))).to.deep.equal([
      'INSUFFICIENT_SCOPE',
      'overriding model, instructions of this agent needs the scope agent:manage',
    ]);
    expect((await send(peer, { [key]: { output_schema: schema } })).output).to.have.length(2);
    // Sight.S4
    const blind: Caller = { ...caller, scopes: ['agent:spawn'] };
    expect(await service.startRun(blind, id, { input: 'go', metadata })).to.deep.include({
      overrides: null,
      metadata: {},
    });
  });

  it('is refused where the request says what cannot be done, and nothing is begun', async () => {
    const { service } = await bed.start(tells);
    const plain = await service.execute(caller, spawnAgent, {}, { name: 'Ada' });
    const shaped = await service.execute(
      caller,
      spawnAgent,
      {},
      { name: 'Bo', config: { ...config, output_schema: schema } },
    );
    const start = (id: string, given: RunOverrides) =>
      refusal(service.startRun(caller, id, { input: 'go', overrides: given }));
    expect(await start(plain.id, { output_schema: schema })).to.deep.equal([
      'VALIDATION_ERROR',
      'overrides.output_schema: needs a model: the built-in reasoner answers in text',
    ]);
    expect(await start(shaped.id, { model: 'built-in' })).to.deep.equal([
      'VALIDATION_ERROR',
      'overrides.model: must be a model: the agent answers by an output_schema',
    ]);
    const wrong = { type: 'object' as const, properties: { a: { type: 'strin' } } };
    expect(String(await start(shaped.id, { output_schema: wrong }))).to.match(
      /overrides.output_schema: is no JSON Schema/,
    );
    const patch = (given: Record<string, unknown>) =>
      refusal(service.execute(caller, patchAgent, { id: shaped.id }, { config: given }));
    expect(String(await patch({ output_schema: wrong }))).to.match(/config.output_schema: is no JSON Schema/);
    expect(String(await patch({ model: null }))).to.match(/config.output_schema: needs a model/);
    expect(
      (await service.execute(caller, listAllRuns, {}, { page: { sort: 'created_at', order: 'desc', limit: 1 } })).items,
    ).to.have.length(0);
    const other = { type: 'object' as const, properties: { b: { const: null } } };
    expect(await patch({ output_schema: other })).to.equal(undefined);
    expect((await service.execute(caller, getAgent, { id: shaped.id }, {})).config.output_schema).to.deep.equal(other);
  });
});
