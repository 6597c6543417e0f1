/** Tools that whoever started the run carries out. Gate.A2. */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { listTurns } from '../../../src/commands/sessions.js';
import type { AgentTool } from '../../../src/domain/agent/agent-tools.js';
import type { HivekeepError } from '../../../src/domain/shared/errors.js';
import type { ToolOutcome } from '../../../src/domain/model/model.js';
import { answers, call, caller, does, type Script } from '../../helpers/engine.js';
import { overStores, runIn } from './kit.js';
import { getRun } from '../../../src/commands/runs.js';

const weather: AgentTool = {
  kind: 'client',
  name: 'weather',
  description: 'The weather of a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
  reads_only: true,
};
const book: AgentTool = { kind: 'client', name: 'book', description: 'Books a table.' };
const uses = (name: string, input: object) => call('use_tool', { name, input: JSON.stringify(input) });
const told = (transcript: readonly (readonly ToolOutcome[])[]): string =>
  transcript.flatMap((step) => step.map(({ tool, ok, result }) => `${tool} ${ok} ${result}`)).join('; ');

/** Remembers, uses three tools of its own beside that, and answers with what came of them. */
const script: Script = ({ transcript }) =>
  transcript.length > 0
    ? answers(told(transcript))
    : does(
        call('remember', { content: 'Ana dines out', type: 'semantic' }),
        uses('weather', { city: 'Rome' }),
        uses('weather', { city: 'Oslo' }),
        uses('book', { for: 2 }),
      );

const problemOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => `${(error as HivekeepError).code} ${(error as HivekeepError).message}`,
  );

overStores('Tools of clients', (bed) => {
  const tools = [weather, book];
  const config = { multi_step: true, tools };

  it('pause the run, which goes on with their results, each once and over a kill', async () => {
    const first = await bed.start(script);
    const { id } = await first.service.execute(caller, spawnAgent, {}, { name: 'Ada', config });
    const { id: run } = await first.service.startRun(caller, id, { input: 'go' });
    const { waitingFor } = await runIn(first, id, run, 'paused');
    expect(waitingFor).to.deep.include({
      kind: 'tools',
      question: 'waits for the results of weather, weather, book',
      action: null,
      calls: [
        { id: `${run}.1.2`, name: 'weather', arguments: { city: 'Rome' } },
        { id: `${run}.1.3`, name: 'weather', arguments: { city: 'Oslo' } },
        { id: `${run}.1.4`, name: 'book', arguments: { for: 2 } },
      ],
    });
    first.kill();
    const e = await bed.start(script);
    const resume = (given: object) => e.service.resumeRun(caller, id, run, given);
    const results = [
      { id: `${run}.1.3`, content: 'snow' },
      { id: `${run}.1.4`, error: 'full' },
      { id: `${run}.1.2`, content: 'sun' },
    ];
    expect(await problemOf(resume({ results: results.slice(1) }))).to.equal(
      `VALIDATION_ERROR results: must have one result of each of ${run}.1.2, ${run}.1.3, ${run}.1.4`,
    );
    expect(await problemOf(resume({ results: [...results.slice(1), results[1]] }))).to.match(
      /^VALIDATION_ERROR results/,
    );
    expect(await problemOf(resume({ input: 'sun' }))).to.match(/^VALIDATION_ERROR input: must be left out/);
    expect(await problemOf(resume({ results, answers: 'other' }))).to.match(/^CONFLICT/);
    await resume({ answers: waitingFor?.id, results });
    expect((await runIn(e, id, run, 'completed')).output).to.match(
      /^remember true [^;]+; use_tool true sun; use_tool true snow; use_tool false full$/,
    );
    expect(await problemOf(resume({ results }))).to.match(/^VALIDATION_ERROR results: must be left out/);
    const { items } = await e.service.execute(
      caller,
      listTurns,
      { id: id, sessionId: (await e.service.execute(caller, getRun, { id, runId: run })).sessionId },
      {
        page: {
          limit: 10,
        } as never,
      },
    );
    expect(items.map(({ role }) => role)).to.have.members(['user', 'agent']);
  });

  it('wait for approval one by one unless they only read, and what is rejected reaches nobody', async () => {
    const e = await bed.start(script);
    const gated = { ...config, validation_gate: 'action' as const };
    const { id } = await e.service.execute(caller, spawnAgent, {}, { name: 'Ada', config: gated });
    const { id: run } = await e.service.startRun(caller, id, { input: 'go' });
    await runIn(e, id, run, 'paused');
    await e.service.resumeRun(caller, id, run, { decision: 'approve' });
    const asked = (await runIn(e, id, run, 'paused')).waitingFor;
    expect(asked?.calls?.map((c) => c.id)).to.deep.equal([`${run}.1.2`, `${run}.1.3`]);
    await e.service.resumeRun(caller, id, run, {
      results: (asked?.calls ?? []).map((c) => ({ id: c.id, content: 'sun' })),
    });
    const held = (await runIn(e, id, run, 'paused')).waitingFor;
    expect(held).to.deep.include({ kind: 'approval', question: 'approve book: {"for":2}' });
    expect(held?.calls).to.equal(undefined);
    await e.service.resumeRun(caller, id, run, { decision: 'reject', input: 'no' });
    expect((await runIn(e, id, run, 'completed')).output).to.match(/use_tool true sun; use_tool false rejected: no$/);
  });

  it('tell nobody anything that the gate of answers holds', async () => {
    const e = await bed.start(script);
    const { id } = await e.service.execute(
      caller,
      spawnAgent,
      {},
      {
        name: 'Ada',
        config: { ...config, validation_gate: 'answer' },
      },
    );
    const { id: run } = await e.service.startRun(caller, id, { input: 'go' });
    const held = (await runIn(e, id, run, 'paused')).waitingFor;
    expect(held).to.deep.include({ kind: 'approval', question: 'approve weather: {"city":"Rome"}' });
    await e.service.resumeRun(caller, id, run, { decision: 'approve' });
    const asked = (await runIn(e, id, run, 'paused')).waitingFor;
    expect(asked?.calls?.map((c) => c.id)).to.deep.equal([`${run}.1.2`]);
  });

  it('of a run take the place of those of its agent; one that is not there is told to the reasoner', async () => {
    const e = await bed.start(script);
    const { id } = await e.service.execute(caller, spawnAgent, {}, { name: 'Ada', config });
    const { id: run } = await e.service.startRun(caller, id, { input: 'go', overrides: { tools: [book] } });
    const { waitingFor } = await runIn(e, id, run, 'paused');
    expect(waitingFor?.calls?.map((c) => c.id)).to.deep.equal([`${run}.1.4`]);
    await e.service.resumeRun(caller, id, run, { results: [{ id: `${run}.1.4`, content: '' }] });
    expect((await runIn(e, id, run, 'completed')).output).to.include('use_tool false there is no tool weather');
  });
});
