/** Export and import import of a workspace, on stores in memory. */
import { deleteAgent, getAgent, listAgents, spawnAgent } from '../../src/commands/agents.js';
import { getUsageAlerts, setUsageAlerts } from '../../src/commands/workspace.js';
import { createHive, getHive } from '../../src/commands/hives.js';
import { madeToken, madeWebhook } from '../helpers/minted.js';
import { rotateWebhookSecret, updateWebhook, getWebhook } from '../../src/commands/webhooks.js';
import { deleteBlock, listBlocks, setBlock } from '../../src/commands/blocks.js';
import { pauseSchedule, listSchedules, createSchedule } from '../../src/commands/schedules.js';
import { sendMessage } from '../../src/commands/mailbox.js';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { HivekeepError } from '../../src/domain/shared/errors.js';
import { idSource } from '../../src/domain/shared/ids.js';
import type { CheckedRecord } from '../../src/domain/import/import-records.js';
import type { SpawnInput } from '../../src/domain/shared/inputs.js';
import { isSettled, type Run } from '../../src/domain/model/model.js';
import { runStatuses, tools, type ToolName } from '../../src/domain/shared/vocabulary.js';
import { ReasonerError } from '../../src/reasoner/port.js';
import { checkExport, ImportError, importRecords } from '../../src/transfer/check.js';
import { exportLines } from '../../src/transfer/export.js';
import { exportToFile, partOf } from '../../src/transfer/export-file.js';
import { foreignMemories } from '../../src/transfer/foreign.js';
import { importInto, type ImportResult, type ImportTarget } from '../../src/transfer/import.js';
import { withNewIds } from '../../src/transfer/new-ids.js';
import { newHash, type ExportRecord } from '../../src/transfer/records.js';
import { outlasting } from '../../src/transfer/outages.js';
import { StoreError, type Store } from '../../src/store/port.js';
import {
  answers,
  call,
  caller,
  does,
  echo,
  eventually,
  fastClock,
  testEngine,
  type TestEngine,
} from '../helpers/engine.js';
import { MemoryStore } from '../helpers/memory-store.js';
import { troubled } from '../helpers/troubled-store.js';
import { getRun, listRuns, getFile, cancelRun } from '../../src/commands/runs.js';
import { listThoughts, listCheckpoints } from '../../src/commands/journals.js';

const page = { sort: 'created_at', order: 'asc', limit: 100 } as const;
const script = '<script>alert(1)</script>\u001b[2J';

const exported = async (store: Store, more: { credentials?: boolean; agent?: string } = {}): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of exportLines(store, { workspace: 'default', credentials: false, now: 0, ...more }))
    lines.push(line);
  return lines;
};
const source = (lines: readonly string[]): AsyncIterable<Uint8Array> => Readable.from(lines.map((l) => Buffer.from(l)));
const records = (lines: readonly string[]): ExportRecord[] => lines.map((line) => JSON.parse(line) as ExportRecord);
/** What an export says, without its frame. */
const contents = (lines: readonly string[]): ExportRecord[] =>
  records(lines).filter((r) => !['export', 'end', 'closed', 'workspace'].includes(r.record));

const target = (store: Store, more: Partial<ImportTarget> = {}): ImportTarget => ({
  store,
  now: Date.now,
  ids: idSource(randomBytes),
  workspace: 'default',
  tier: 'enterprise',
  credentials: false,
  ...more,
});
async function imported(
  store: Store,
  lines: readonly string[],
  more: Partial<ImportTarget> = {},
  change: (all: AsyncIterable<CheckedRecord>) => AsyncIterable<CheckedRecord> = (all) => all,
): Promise<ImportResult> {
  const checked = await checkExport(source(lines));
  return importInto(target(store, more), change(importRecords(source(lines), checked)), checked.leftOut);
}
/** The lines with other records, and the digests that belong to them. */
function forged(lines: readonly string[], change: (record: Record<string, unknown>) => void): string[] {
  const all = newHash();
  let own = newHash();
  return lines.map((line) => {
    const record = JSON.parse(line) as Record<string, unknown>;
    change(record);
    if (['workspace', 'hive', 'agent'].includes(String(record['record']))) own = newHash();
    if (record['record'] === 'closed') record['sha256'] = own.digest('hex');
    if (record['record'] === 'end') record['sha256'] = all.digest('hex');
    const text = `${JSON.stringify(record)}\n`;
    if (record['record'] !== 'end') all.update(text);
    if (record['record'] !== 'closed' && record['record'] !== 'end') own.update(text);
    return text;
  });
}
async function refused(lines: readonly string[]): Promise<string> {
  const error = await checkExport(source(lines)).then(
    () => expect.fail('it was to be refused'),
    (e: unknown) => e,
  );
  expect(error).to.be.instanceOf(ImportError);
  return (error as ImportError).message;
}

describe('export and import', () => {
  let from: TestEngine;
  let lines: string[];
  let agent: string;
  let hive: string;
  let paused: Run;

  before(async () => {
    from = await testEngine(new MemoryStore(), (context, signal) => {
      if (context.run.input === 'remember it') return does(call('remember', { content: 'it', type: 'semantic' }));
      if (context.run.input === 'think long')
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(answers('stopped'))));
      return echo(context, signal);
    });
    const { service } = from.engine;
    hive = (await service.execute(caller, createHive, {}, { name: script, metadata: { a: 1 } })).id;
    agent = (
      await service.execute(caller, spawnAgent, {}, { name: script, hives: [hive], config: { instructions: 'short' } })
    ).id;
    const gated = await service.execute(
      caller,
      spawnAgent,
      {},
      {
        name: 'gated',
        config: { validation_gate: 'action', multi_step: true },
      },
    );
    await service.createMemory(caller, {
      type: 'semantic',
      content: 'the ibis is white',
      agent_id: agent,
      sessionId: 's',
    });
    const old = await service.createMemory(caller, { type: 'fact', content: 'of the workspace, formerly' });
    await service.createMemory(caller, { type: 'fact', content: 'of the workspace', supersedes: old.id });
    await service.shareMemory(caller, hive, { type: 'fact', content: 'of the hive', agent_id: agent });
    await service.messageAgent(caller, agent, { content: 'what of the ibis?' });
    await service.execute(caller, sendMessage, { id: agent }, { content: 'unread' });
    await service.execute(
      caller,
      createSchedule,
      { id: agent },
      { every: 3600, input: 'report', sessionId: 's', name: 'hourly' },
    );
    const block = { id: agent, label: 'human' };
    await service.execute(caller, setBlock, block, { value: 'Likes tea.', subject: 'bo' });
    await service.execute(caller, setBlock, block, { value: 'Likes milk.', subject: 'bo' });
    await madeToken(service, caller, agent, { name: 't', scopes: ['agent:read'] });
    const run = await service.startRun(caller, gated.id, { input: 'remember it' });
    paused = await eventually(async () => {
      const now = await service.execute(caller, getRun, { id: gated.id, runId: run.id });
      return now.status === 'paused' && now;
    });
    const long = await service.execute(caller, spawnAgent, {}, { name: 'long' });
    await service.startRun(caller, long.id, { input: 'think long' });
    lines = await exported(from.store);
  });
  after(() => from.engine.stop(0));

  it('holds all that was asked for and no secret; the header, counts and digests are right', async () => {
    const [header] = records(lines);
    expect(header).to.deep.include({ record: 'export', version: 1, agent: null, credentials: false });
    const { counts } = await checkExport(source(lines));
    expect(counts).to.deep.equal({
      workspace: 1,
      hive: 1,
      agent: 3,
      memory: 4,
      message: 1,
      run: 3,
      journal: 3,
      schedule: 1,
      block: 1,
    });
    expect(lines.join('')).not.to.match(/"hash"|cursorSecret/);
    expect((await exported(from.store, { agent })).map((l) => (JSON.parse(l) as ExportRecord).record)).to.have.members([
      ...['export', 'agent', 'memory', 'message', 'run', 'journal', 'schedule', 'block', 'closed', 'end'],
    ]);
    expect(await exported(from.store, { agent: 'agent_none' })).to.deep.equal([]);
    const open = await exported(from.store, { credentials: true });
    expect(open.filter((l) => l.startsWith('{"record":"token"'))).to.have.length(1);
    expect(open.join('')).not.to.include('cursorSecret');
  });

  /** What an export says, without the run that was in progress, which ends when it is imported. */
  function lasting(all: readonly string[]): ExportRecord[] {
    const running = (r: ExportRecord): boolean =>
      JSON.stringify(r).includes('think long') || JSON.stringify(r).includes('"cancelled"');
    const longRun = contents(lines).find((r) => r.record === 'run' && r.data.input === 'think long') as {
      id: string;
    };
    const journalOfRunning = (r: ExportRecord): boolean => r.record === 'journal' && r.data.runId === longRun.id;
    // what is imported wakes nobody (Imports.I3), and no schedule goes on by itself (Imports.I1)
    const settled = (r: ExportRecord): ExportRecord =>
      r.record === 'message'
        ? { ...r, data: { ...r.data, wakes: 0 } }
        : r.record === 'schedule'
          ? { ...r, data: { ...r.data, paused: true } }
          : r;
    return contents(all)
      .filter((r) => !running(r) && !journalOfRunning(r))
      .map(settled);
  }

  it('is the same after a way through another store, and works there', async () => {
    const there = await testEngine(new MemoryStore());
    const result = await imported(there.store, lines);
    expect(result.refused).to.equal(0);
    const again = await exported(there.store);
    expect(lasting(again)).to.have.deep.members(lasting(lines));
    const { service } = there.engine;
    expect(await service.execute(caller, getAgent, { id: agent }, {})).to.deep.equal(
      await from.engine.service.execute(caller, getAgent, { id: agent }, {}),
    );
    expect(await service.execute(caller, getHive, { id: hive }, {})).to.deep.equal(
      await from.engine.service.execute(caller, getHive, { id: hive }, {}),
    );
    const [found] = await service.searchMemories(caller, { query: 'ibis', agent_id: agent });
    expect(found?.content).to.equal('the ibis is white');
    const thoughts = async (e: TestEngine) =>
      (await e.engine.service.execute(caller, listThoughts, { id: paused.agent_id }, { page })).items;
    expect(await thoughts(there)).to.deep.equal(await thoughts(from));
    expect(await there.store.sums('default')).to.include({ agents: 3, memories: 4, runs: 3, messages: 1, hives: 1 });
    // Imports.I1: the run that was in progress is over, and its followers are told so
    const lost = (await service.execute(caller, listRuns, { id: await ownerOf(service, 'long') }, { page })).items[0];
    expect(lost?.status).to.equal('cancelled');
    const events = [];
    for await (const event of await service.runEvents(
      caller,
      lost?.agent_id ?? '',
      lost?.id ?? '',
      0,
      new AbortController().signal,
    ))
      events.push(event);
    expect(events.at(-1)).to.include({ type: 'status', status: 'cancelled' });
    const [block] = (await service.execute(caller, listBlocks, { id: agent }, { page: page })).items;
    expect(block).to.include({ subject: 'bo', value: 'Likes milk.', version: 2 });
    await service.execute(caller, deleteBlock, { id: agent, label: 'human' }, { subject: 'bo' });
    const [schedule] = (await service.execute(caller, listSchedules, { id: agent }, { page: page })).items;
    expect(schedule).to.include({ paused: true, every: 3600, name: 'hourly' });
    expect(
      (await service.execute(caller, pauseSchedule, { id: agent, scheduleId: schedule!.id }, { paused: false }))
        .next_times,
    ).to.have.length(5);
    // the one that waits for a human goes on
    await service.resumeRun(caller, paused.agent_id, paused.id, { decision: 'approve' });
    await eventually(
      async () => (await service.execute(caller, getAgent, { id: paused.agent_id }, {})).memory_count === 1,
    );
    await there.engine.stop(0);
  });

  it('files come along, and one that is not what its id says is left out', async () => {
    const here = await testEngine(new MemoryStore());
    const { id } = await here.engine.service.execute(
      caller,
      spawnAgent,
      {},
      { name: 'sees', config: { model: 'openai/a' } },
    );
    const files = [{ mediaType: 'image/png', bytes: 'aGk=' }];
    const { run_id: run } = await here.engine.service.messageAgent(caller, id, { content: 'see', files });
    const all = await exported(here.store);
    const there = await testEngine(new MemoryStore());
    expect((await imported(there.store, all)).refused).to.equal(0);
    const [shown] = (await there.engine.service.execute(caller, getRun, { id, runId: run })).files;
    const read = there.engine.service.execute(caller, getFile, { id, sha256: shown?.sha256 ?? '' });
    expect(await read).to.deep.include({ bytes: 'aGk=', size: 2 });
    const other = forged(all, (record) => {
      if (record['record'] === 'file') record['data'] = { bytes: 'aG8=' };
    });
    const elsewhere = await testEngine(new MemoryStore());
    expect((await imported(elsewhere.store, other)).reasons).to.deep.equal([
      `file: line ${1 + all.findIndex((line) => line.includes('"record":"file"'))}: id: must be the SHA-256 of its bytes`,
    ]);
    await Promise.all([here, there, elsewhere].map(({ engine }) => engine.stop(0)));
  });

  it('a run in every state and with every tool comes back as it was, and one that waits is carried out there', async () => {
    const here = await testEngine(
      new MemoryStore(),
      ({ run: { input, triggeredBy } }, signal) => {
        if (triggeredBy === 'agent') return answers('so it is');
        const [tool, argument = ''] = input.split(' ');
        if (tool === 'wait')
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve(answers('stopped'))));
        if (tool === 'fail') throw new ReasonerError('refused', 'it is broken');
        return does(
          call(tool as ToolName, {
            memory: argument,
            to: 'other',
            agent: 'other',
            content: 'the ibis is grey',
            query: 'ibis',
            question: '?',
            name: 'book',
            input: '{"for":2}',
            label: 'pond',
            old: 'ibis',
            text: 'A heron.',
          }),
        );
      },
      { clock: fastClock(20) },
    );
    const { service } = here.engine;
    const nest = (await service.execute(caller, createHive, {}, { name: 'nest' })).id;
    await service.execute(caller, spawnAgent, {}, { name: 'other' });
    const waits: { run: Run; memory: string }[] = [];
    const book = { kind: 'client' as const, name: 'book', description: 'Books a table.' };
    let asks: Run | undefined;
    const states = new Set<string>();
    const settled = async (name: string, config: SpawnInput['config'], input: string): Promise<Run> => {
      const { id } = await service.execute(caller, spawnAgent, {}, { name, hives: [nest], ...(config && { config }) });
      await service.execute(caller, setBlock, { id, label: 'pond' }, { value: 'One ibis.' });
      const memory = (await service.createMemory(caller, { type: 'fact', content: `of ${name}`, agent_id: id })).id;
      const limits = input === 'wait long' ? { maxRuntimeSeconds: 1 } : { maxSteps: 2 };
      const { id: run } = await service.startRun(caller, id, { input: input.replace('MEMORY', memory), ...limits });
      const done = await eventually(async () => {
        const now = await service.execute(caller, getRun, { id, runId: run });
        return (input === 'wait' ? now.status === 'running' : isSettled(now)) && now;
      });
      states.add(done.status);
      if (done.waitingFor?.kind === 'approval') waits.push({ run: done, memory });
      return done;
    };
    const instructions = 'You may hand_off.';
    const spawn = { most: 1 };
    for (const tool of tools) {
      const done = await settled(tool, { multi_step: true, tools: [book], instructions, spawn }, `${tool} MEMORY`);
      if (done.waitingFor?.kind === 'tools') asks = done;
      if (!['recall', 'ask_human', 'answer', 'use_tool'].includes(tool))
        await settled(
          `${tool} gated`,
          { multi_step: true, validation_gate: 'action', instructions, spawn },
          `${tool} MEMORY`,
        );
    }
    await settled('late', {}, 'wait long');
    await settled('broken', {}, 'fail');
    const { agent_id: busy } = await settled('busy', { max_parallel: 1 }, 'wait');
    states.add((await service.startRun(caller, busy, { input: 'queued' })).status);
    const dropped = await service.startRun(caller, busy, { input: 'dropped' });
    states.add((await service.execute(caller, cancelRun, { id: busy, runId: dropped.id })).status);
    expect([...states].sort()).to.deep.equal([...runStatuses].sort());

    const all = await exported(here.store);
    const there = await testEngine(new MemoryStore());
    expect(await imported(there.store, all)).to.include({ refused: 0 });
    const runs = (lines: readonly string[]): ExportRecord[] =>
      contents(lines).filter(
        (r) => r.record === 'run' && !/"(input":"(wait|queued)"|cancelled)/.test(JSON.stringify(r)),
      );
    expect(runs(await exported(there.store))).to.deep.equal(runs(all));
    for (const { run, memory } of waits) {
      const { agent_id: id, input } = run;
      await there.engine.service.resumeRun(caller, id, run.id, { decision: 'approve' });
      await eventually(
        async () => (await there.engine.service.execute(caller, getRun, { id, runId: run.id })).steps > run.steps,
        input,
      );
      const [first] = (await there.engine.service.execute(caller, listCheckpoints, { id }, { runId: run.id, page }))
        .items;
      expect(first?.calls[0], input).to.include({ ok: true });
      const known = await there.engine.service.getMemory(caller, memory).catch(() => null);
      expect(known?.superseded_by ?? known, input).to.satisfy((k: unknown) =>
        input.startsWith('forget') ? k === null : input.startsWith('update') ? typeof k === 'string' : k !== null,
      );
    }
    const { agent_id: id = '', id: run = '', waitingFor } = asks ?? {};
    expect((await there.engine.service.execute(caller, getRun, { id, runId: run })).waitingFor).to.deep.equal(
      waitingFor,
    );
    expect(waitingFor?.calls).to.deep.equal([{ id: `${run}.1.1`, name: 'book', arguments: { for: 2 } }]);
    await there.engine.service.resumeRun(caller, id, run, { results: [{ id: `${run}.1.1`, content: 'done' }] });
    await there.engine.stop(0);
    await here.engine.stop(0);
  });

  const ownerOf = async (service: TestEngine['engine']['service'], name: string): Promise<string> =>
    (await service.execute(caller, listAgents, {}, { page })).items.find((a) => a.name === name)?.id ?? '';

  it('taken in twice, nothing changes; interrupted, it goes on', async () => {
    const store = new MemoryStore();
    await testEngine(store);
    let n = 0;
    async function* cut(all: AsyncIterable<CheckedRecord>): AsyncGenerator<CheckedRecord> {
      for await (const record of all) {
        if (++n === 9) throw new Error('killed');
        yield record;
      }
    }
    await imported(store, lines, {}, cut).then(
      () => expect.fail('it was to be interrupted'),
      () => undefined,
    );
    const first = await imported(store, lines);
    expect(first.present['agent'] ?? 0).to.be.below(3);
    const before = await exported(store);
    expect((await imported(store, lines)).added).to.deep.equal({});
    expect(contents(await exported(store))).to.deep.equal(contents(before));
    expect(contents(before).filter((r) => r.record === 'memory')).to.have.length(4);
  });

  it('with new ids, a copy stands beside the original, once for each label', async () => {
    const store = new MemoryStore();
    await testEngine(store);
    await imported(store, lines);
    const copy = (label: string) => imported(store, lines, {}, (all) => withNewIds(all, label));
    expect((await copy('a')).added).to.include({ agent: 3, run: 3, memory: 4 });
    expect((await copy('a')).added).to.deep.equal({});
    await copy('b');
    const all = contents(await exported(store));
    const named = all.filter((r) => r.record === 'agent' && r.data.name === script);
    expect(named).to.have.length(3);
    const hives = new Set(all.filter((r) => r.record === 'hive').map((r) => (r as { id: string }).id));
    for (const one of named)
      expect(hives.has((one as unknown as { data: { hives: string[] } }).data.hives[0] ?? '')).to.equal(true);
    expect(hives.size).to.equal(3);
  });

  it("the thresholds of usage alerts come with it, not over the workspace's own; webhooks come without their secrets", async () => {
    const { engine, store } = await testEngine(new MemoryStore());
    await engine.service.execute(caller, setUsageAlerts, {}, { thresholds: [70] });
    const { webhook } = await madeWebhook(engine.service, caller, {
      url: 'https://h.example/?k=1',
      events: ['run.failed'],
    });
    const set = await exported(store);
    await engine.stop(0);
    expect(set.join('')).to.contain('"usage_alerts":{"thresholds":[70]}').and.not.contain('secret');
    const there = await testEngine(new MemoryStore());
    await imported(there.store, set);
    expect(await there.engine.service.execute(caller, getUsageAlerts, {}, {})).to.deep.include({ thresholds: [70] });
    const { disabled_reason, ...copy } = await there.engine.service.execute(caller, getWebhook, { id: webhook.id }, {});
    expect(copy).to.deep.include({ url: webhook.url, events: webhook.events, enabled: false });
    expect(disabled_reason).to.contain('imported');
    const enable = () => there.engine.service.execute(caller, updateWebhook, { id: webhook.id }, { enabled: true });
    expect(await enable().catch(({ code }: HivekeepError) => code)).to.equal('CONFLICT');
    await there.engine.service.execute(caller, rotateWebhookSecret, { id: webhook.id }, {});
    expect(await enable()).to.include({ enabled: true, disabled_reason: null });
    await there.engine.service.execute(caller, setUsageAlerts, {}, { thresholds: [] });
    await imported(there.store, set);
    expect((await there.engine.service.execute(caller, getUsageAlerts, {}, {})).thresholds).to.deep.equal([]);
    await there.engine.stop(0);
    const poor = await testEngine(new MemoryStore());
    expect((await imported(poor.store, set, { tier: 'free' })).reasons.join()).to.contain(
      'usage alerts need the tier pro',
    );
    await poor.engine.stop(0);
    const bad = forged(set, (r) => {
      if (r['record'] === 'workspace') (r['data'] as Record<string, unknown>)['usage_alerts'] = { thresholds: [101] };
    });
    expect((await checkExport(source(bad))).leftOut.reasons.join()).to.contain('data.usage_alerts.thresholds');
  });

  it('credentials come with it only where both sides say so, and never a second time', async () => {
    const open = await exported(from.store, { credentials: true });
    const store = new MemoryStore();
    await testEngine(store);
    expect((await imported(store, open)).reasons.join()).to.include('only where this is asked for');
    expect((await imported(store, open, { credentials: true })).added['token']).to.equal(1);
    const stolen = forged(open, (r) => {
      if (r['record'] === 'token') r['id'] = 'tok_01m8285tn5f67g5qk0nb62dkwy';
    });
    expect((await imported(store, stolen, { credentials: true })).reasons.join()).to.include(
      'belongs to something else',
    );
  });

  const inMemories = (fields: object): string[] =>
    forged(lines, (r) => r['record'] === 'memory' && Object.assign(r['data'] as object, fields));

  it('names of a prototype in metadata are not taken in, and change nothing', async () => {
    const store = new MemoryStore();
    await testEngine(store);
    const metadata = JSON.parse('{"__proto__":{"admin":true},"constructor":"c"}') as object;
    await imported(store, inMemories({ metadata }));
    const kept = contents(await exported(store)).flatMap((r) => (r.record === 'memory' ? [r.data.metadata] : []));
    for (const one of kept) expect(JSON.stringify(one)).to.equal('{"constructor":"c"}');
    expect(({} as Record<string, unknown>)['admin']).to.equal(undefined);
  });

  it('memories that supersede each other in a circle are found, read and deleted as any others', async () => {
    const there = await testEngine(new MemoryStore());
    const ids = contents(lines).flatMap((r) => (r.record === 'memory' ? [r.id] : []));
    const circle = forged(lines, (r) => {
      if (r['record'] !== 'memory') return;
      const next = ids[(ids.indexOf(String(r['id'])) + 1) % ids.length];
      Object.assign(r['data'] as object, { supersedes: next, superseded_by: next, chain: next });
    });
    await imported(there.store, circle);
    const { service } = there.engine;
    await service.searchMemories(caller, { query: 'ibis', agent_id: agent });
    for (const id of ids) expect((await service.getMemory(caller, id)).id).to.equal(id);
    expect(await exported(there.store)).to.have.length.above(ids.length);
    for (const id of ids) await service.deleteMemory(caller, id);
    await there.engine.stop(0);
  });

  describe('refuses, before anything is changed', () => {
    const tells: Record<string, [() => string[], RegExp]> = {
      'a file that was cut': [() => lines.slice(0, -2), /ends after line/],
      'a line that was cut': [() => [...lines.slice(0, 3), (lines[3] ?? '').slice(0, 40)], /^Line 4: must be JSON/],
      'a changed letter': [() => lines.map((l) => l.replace('white', 'black')), /sha256: is not the digest/],
      'a record that was left out': [() => lines.filter((l) => !l.includes('of the hive')), /counts: are not those/],
      'another version': [
        () => forged(lines, (r) => r['record'] === 'export' && (r['version'] = 2)),
        /^Line 1: version: is 2/,
      ],
      'something else': [() => ['{"results":[]}\n'], /^Line 1: must be the first line of an export/],
      'an empty file': [() => [], /empty/],
      'an unknown record': [
        () => forged(lines, (r) => r['record'] === 'run' && (r['record'] = 'constructor')),
        /record: must be one of/,
      ],
      'a document of nobody': [
        () => [lines[0] ?? '', lines.find((l) => l.includes('"memory"')) ?? ''],
        /must follow the/,
      ],
      'a huge line': [() => [lines[0] ?? '', 'x'.repeat(17 * 1024 * 1024)], /^Line 2: is longer than/],
      'a deep value': [() => [lines[0] ?? '', `${'['.repeat(2_000_000)}\n`], /^Line 2: /],
    };
    for (const [name, [make, told]] of Object.entries(tells))
      it(name, async () => {
        expect(await refused(make())).to.match(told);
      });

    it('and says nothing that a terminal would obey', async () => {
      const evil = forged(lines, (r) => r['record'] === 'export' && (r['version'] = script));
      expect(await refused(evil)).not.to.include('\u001b');
    });
  });

  describe('leaves out alone, and tells why', () => {
    const tells: Record<string, [() => string[], RegExp]> = {
      'a field of another type': [
        () => forged(lines, (r) => r['record'] === 'memory' && Object.assign(r['data'] as object, { content: 7 })),
        /data\.content: /,
      ],
      'a foreign id': [
        () => forged(lines, (r) => r['record'] === 'memory' && (r['id'] = '../../etc')),
        /id: must be the id of a memory/,
      ],
      'a number as an id': [
        () => forged(lines, (r) => r['record'] === 'memory' && (r['id'] = 7)),
        /id: must be the id of a memory/,
      ],
      'a NUL': [() => inMemories({ content: 'a\0b' }), /data\.content: /],
      'half of a surrogate pair': [() => inMemories({ content: 'a\ud800b' }), /data\.content: /],
      'a date that nothing else knows': [
        () => inMemories({ occurred_at: '+275760-09-13T00:00:00.000Z' }),
        /data\.occurred_at: /,
      ],
      'a field that no memory has': [() => inMemories({ constructor: 1 }), /^memory: line \d+: data/],
      'a cycle of forks': [
        () =>
          forged(lines, (r) => {
            if (r['record'] === 'run')
              (r['data'] as Record<string, unknown>)['forkedFrom'] = { runId: r['id'], checkpointId: 'c', step: 1 };
          }),
        /forkedFrom\.runId: must be an earlier run/,
      ],
      'a schema of answers that is none': [
        () =>
          forged(lines, (r) => {
            if (r['record'] !== 'agent' || r['id'] !== agent) return;
            const { config } = r['data'] as { config: object };
            Object.assign(config, { model: 'openai/x', output_schema: { type: 'object', required: 7 } });
          }),
        /^agent: line \d+: data\.config\.output_schema: is no JSON Schema of 2020-12: .*required/,
      ],
      'a schema of answers of a run that is none': [
        () =>
          forged(lines, (r) => {
            if (r['record'] === 'run')
              Object.assign(r['data'] as object, { overrides: { output_schema: { type: 'object', required: 7 } } });
          }),
        /run: line \d+: data\.overrides\.output_schema: is no JSON Schema of 2020-12: /,
      ],
      'an agent with all that is its own': [
        () =>
          forged(
            lines,
            (r) => r['record'] === 'agent' && r['id'] === agent && Object.assign(r['data'] as object, { name: 7 }),
          ),
        /^agent: line \d+: data\.name: .*\|message: line \d+: the agent "agent_\w+" is left out/,
      ],
    };
    for (const [name, [make, told]] of Object.entries(tells))
      it(name, async () => {
        const there = await testEngine(new MemoryStore());
        const { refused, reasons, added } = await imported(there.store, make());
        expect(reasons.toReversed().toSorted().join('|')).to.match(told);
        const { counts } = await checkExport(source(lines));
        const left = Object.entries(counts).reduce((n, [kind, count]) => n + count - (added[kind as 'run'] ?? 0), 0);
        expect(left - 1).to.equal(refused);
        await there.engine.stop(0);
      });
  });

  it('an entity that was opened again is void before', async () => {
    const at = lines.findIndex((l) => l.startsWith('{"record":"agent"'));
    const opening = lines[at] ?? '';
    const twice = forged(
      [...lines.slice(0, at), opening, (lines[at + 1] ?? '').replace('ibis', 'emu'), ...lines.slice(at)],
      () => undefined,
    );
    const store = new MemoryStore();
    await testEngine(store);
    await imported(store, twice);
    expect(contents(await exported(store)).filter((r) => JSON.stringify(r).includes('emu'))).to.deep.equal([]);
  });

  it('what another entity has, and what was deleted, is left out and told', async () => {
    const there = await testEngine(new MemoryStore());
    await imported(there.store, lines);
    await there.engine.service.execute(caller, deleteAgent, { id: agent });
    const result = await imported(there.store, lines);
    expect(result.reasons.join()).to.include('was deleted here');
    const others = forged(lines, (r) => {
      if (String(r['id']).startsWith('agent_')) r['id'] = String(r['id']).replace(/.{14}$/, '00000000000000');
    });
    const both = new MemoryStore();
    await testEngine(both);
    await imported(both, lines);
    expect((await imported(both, others)).reasons.join()).to.include('belongs to something else here');
    await there.engine.stop(0);
  });

  describe('while the store is away again and again', () => {
    let waited = 0;
    const outlast = outlasting({
      clock: { elapsed: () => 0 },
      waitMs: 1,
      pause: () => Promise.resolve(waited++),
    });

    it('an export holds the same', async () => {
      const { store, outages } = troubled(from.store);
      const cut: string[] = [];
      for await (const line of exportLines(store, { workspace: 'default', credentials: false, now: 0, outlast }))
        cut.push(line);
      expect(outages()).to.be.greaterThan(3);
      const [whole, checked] = [await checkExport(source(lines)), await checkExport(source(cut))];
      expect(checked.counts).to.deep.equal(whole.counts);
      const there = new MemoryStore();
      await testEngine(there);
      await imported(there, cut);
      expect(lasting(await exported(there))).to.have.deep.members(lasting(lines));
    });

    it('an import adds everything once, and counts as added what a commit without an answer has added', async () => {
      const quiet = new MemoryStore();
      await testEngine(quiet);
      const undisturbed = await imported(quiet, lines);
      const there = new MemoryStore();
      await testEngine(there);
      const { store, outages, lost } = troubled(there);
      const touched: string[] = [];
      const result = await imported(store, lines, {
        outlast,
        touched: ({ id }) => Promise.resolve(void touched.push(id)),
      });
      expect(
        [outages(), lost()].every((n) => n > 0),
        `${outages()} outages, ${lost()} lost answers`,
      ).to.equal(true);
      expect(result).to.deep.equal(undisturbed);
      expect(touched).to.include(agent);
      expect(lasting(await exported(there))).to.have.deep.members(lasting(lines));
      expect(there.head({ workspace: 'default', kind: 'agent', id: agent })?.counts).to.deep.equal(
        quiet.head({ workspace: 'default', kind: 'agent', id: agent })?.counts,
      );
    });

    it('what does not pass by itself ends it at once', async () => {
      const there = new MemoryStore();
      await testEngine(there);
      there.beforeCommit = () => {
        throw new StoreError('full', 'The disk is full.');
      };
      waited = 0;
      const error = await imported(there, lines, { outlast }).catch((e: unknown) => e);
      expect(error).to.include({ reason: 'full' });
      expect(waited).to.equal(0);
    });

    it('the patience is for one outage', async () => {
      let now = 0;
      const told: (string | null)[] = [];
      const patient = outlasting({
        clock: { elapsed: () => now },
        waitMs: 60_000,
        told: (problem) => told.push(problem),
        pause: (ms) => Promise.resolve((now += ms)),
      });
      const away = new StoreError('io', 'It is away.', { away: true });
      const back = (at: number) => () => (now < at ? Promise.reject(away) : Promise.resolve(now));
      expect(await patient(back(59_000))).to.be.within(59_000, 65_000);
      expect(await patient(back(now + 59_000))).to.be.greaterThan(118_000);
      expect(told).to.deep.equal(['It is away.', null, 'It is away.', null]);
      const error = await patient(back(Infinity)).catch((e: unknown) => e);
      expect(error).to.equal(away);
      expect(now).to.be.lessThan(200_000);
    });
  });

  it('the limits of the tier hold', async () => {
    const store = new MemoryStore();
    await testEngine(store);
    await imported(store, lines, { tier: 'free' });
    const quota = { ...(store.head({ workspace: 'default', kind: 'agent', id: agent })?.counts ?? {}) };
    const desk = store.head({ workspace: 'default', kind: 'workspace', id: 'default' });
    await store.commit({
      ...desk!,
      seq: desk!.seq + 1,
      counts: { ...desk!.counts, bytes: 100 * 1024 * 1024 },
      puts: [],
      deletes: [],
      records: [],
      previousCounts: desk!.counts,
    });
    expect(quota['memories']).to.equal(1);
    const error = await imported(store, lines, { tier: 'free' }, (all) => withNewIds(all, 'copy')).catch(
      (e: unknown) => e,
    );
    expect(error).to.include({ code: 'QUOTA_EXCEEDED' });
  });

  it('into a file: it gets its name when it is complete, and goes on after an interruption', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'hivekeep-export-'));
    const file = join(dir, 'all.ndjson');
    const options = { workspace: 'default', credentials: false, now: 0 };
    const whole = await exportToFile(from.store, file, options);
    const text = readFileSync(file, 'utf8');
    expect(text).to.equal(lines.join(''));
    for (const share of [0.1, 0.5, 0.99]) {
      writeFileSync(partOf(file), text);
      truncateSync(partOf(file), Math.floor(text.length * share));
      const again = await exportToFile(from.store, file, options);
      expect(again?.sha256).to.equal(whole?.sha256);
      expect(readFileSync(file, 'utf8'), String(share)).to.equal(text);
    }
    expect(await exportToFile(from.store, file, { ...options, workspace: 'ws_none' })).to.equal(null);
    rmSync(dir, { recursive: true });
  });

  it('memories of mem0, Letta and plain texts', async () => {
    const mem0 = JSON.stringify({
      results: [
        {
          id: 'm1',
          memory: 'likes tea',
          user_id: 'u',
          metadata: { k: 1 },
          created_at: '2025-01-02T03:04:05-07:00',
          updated_at: null,
        },
        { id: 'm2', memory: 'has a dog' },
      ],
    });
    const [tea, dog] = foreignMemories('mem0', mem0, 0);
    expect(tea?.data).to.deep.include({
      content: 'likes tea',
      created_at: '2025-01-02T10:04:05.000Z',
      metadata: { k: 1, id: 'm1', user_id: 'u', imported_from: 'mem0' },
    });
    expect(dog?.data.content).to.equal('has a dog');
    expect(foreignMemories('mem0', mem0, 0).map((r) => r.id)).to.deep.equal([tea?.id, dog?.id]);
    const af = {
      agents: [
        {
          messages: [
            { role: 'system', content: 'no memory' },
            { role: 'user', content: [{ type: 'text', text: 'hello' }], created_at: '2025-01-01T00:00:00Z' },
          ],
        },
      ],
      blocks: [{ label: 'human', value: 'Their name is Ann.' }],
    };
    expect(
      foreignMemories('letta', JSON.stringify(af), 0).map((r) => [r.data.type, r.data.content, r.data.speaker]),
    ).to.deep.equal([
      ['semantic', 'human: Their name is Ann.', null],
      ['episodic', 'hello', 'user'],
    ]);
    const wrapped = {
      messages: [
        { role: 'user', content: '{"type":"user_message","message":"I moved","time":"now"}' },
        { role: 'user', content: '{"type":"heartbeat","reason":"timer"}' },
        {
          role: 'assistant',
          content: 'They moved; I should answer.',
          tool_calls: [{ function: { name: 'send_message', arguments: '{"message":"Where to?"}' } }],
        },
        { role: 'tool', content: '{"status":"OK"}' },
      ],
    };
    expect(
      foreignMemories('letta', JSON.stringify(wrapped), 0).map((r) => [r.data.content, r.data.speaker]),
    ).to.deep.equal([
      ['I moved', 'user'],
      ['Where to?', 'assistant'],
    ]);
    // thoughts beside the call of a tool are not said, except by agents of the newest type, whose text is what they say
    const text = (words: string): object => ({ type: 'text', text: words });
    const calls = [{ function: { name: 'archival_memory_search', arguments: '{}' }, type: 'function', id: 'c' }];
    const thinks = { type: 'reasoning', is_native: true, reasoning: 'hm', signature: null };
    const messages = [
      { role: 'assistant', content: [thinks, text('I look it up.')], tool_calls: calls },
      {
        role: 'assistant',
        content: [text('Sending.'), { type: 'tool_call', id: 'c', name: 'send_message', input: { message: 'Hi' } }],
      },
      { role: 'summary', content: [text('all of it')] },
      { role: 'approval', content: [text('may I?')], tool_calls: calls },
    ];
    const saidBy = (agent_type: string): unknown[] =>
      foreignMemories('letta', JSON.stringify({ agents: [{ agent_type, messages }] }), 0).map((r) => r.data.content);
    expect(saidBy('memgpt_v2_agent')).to.deep.equal(['Hi']);
    expect(saidBy('letta_v1_agent')).to.deep.equal(['I look it up.', 'Sending.', 'Hi']);
    const left: string[] = [];
    const block = {
      label: 'human',
      value: 'Ann',
      created_at: '2025-01-01T00:00:00',
      updated_at: '2025-02-01T00:00:00',
    };
    const old = { core_memory: [block], files: [{ content: 'x' }], passages: [{ text: 'gone', is_deleted: true }] };
    const [human, ...others] = foreignMemories('letta', JSON.stringify(old), 0, (n) => left.push(n));
    expect([human?.data.content, others, left]).to.deep.equal([
      'human: Ann',
      [],
      ["Left out: the agent's files (1), which are no memories."],
    ]);
    expect(human?.data).to.include({ created_at: '2025-01-01T00:00:00.000Z', updated_at: '2025-02-01T00:00:00.000Z' });

    // a block may be longer than a memory, and a file be JSON in a text of JSON
    const large = JSON.stringify(JSON.stringify({ blocks: [{ label: 'notes', value: 'y'.repeat(70_000) }] }));
    expect(foreignMemories('letta', large, 0).map((r) => String(r.data.content).length)).to.deep.equal([
      65_536,
      70_000 + 'notes: '.length - 65_536,
    ]);

    const notes: string[] = [];
    const page = {
      count: 3,
      next: 'https://api.mem0.ai/v3/memories/?page=2',
      previous: null,
      results: [{ memory: 'a' }],
    };
    foreignMemories('mem0', JSON.stringify(page), 0, (n) => notes.push(n));
    expect(notes.splice(0)).to.deep.equal(['The file is one page of a list that goes on: import the others, too.']);
    const theirs = {
      memory: 'b',
      hash: 'h',
      actor_id: 'ann',
      role: 'user',
      expiration_date: '2027-01-01',
      app_id: null,
    };
    const [kept] = foreignMemories('mem0', JSON.stringify([theirs]), 0);
    expect(kept?.data.metadata).to.deep.equal({
      actor_id: 'ann',
      role: 'user',
      expiration_date: '2027-01-01',
      imported_from: 'mem0',
    });
    const graph = { results: [{ memory: 'a' }], relations: [{ source: 's', relationship: 'r', target: 't' }] };
    expect(foreignMemories('mem0', JSON.stringify(graph), 0, (n) => notes.push(n))).to.have.length(1);
    expect(notes).to.deep.equal(['Left out: 1 relations of the graph, which are no memories.']);
    expect(() => foreignMemories('letta', 'PK\u0003\u0004...', 0)).to.throw(ImportError, 'unpack it first');
    const long = 'x'.repeat(70_000);
    const paragraphs = foreignMemories('text', `one\nline\n\n \n\ntwo\n\n${long}`, 0).map(
      (r) => String(r.data.content).length,
    );
    expect(paragraphs).to.deep.equal([8, 3, 65_536, 70_000 - 65_536]);
    for (const [format, bad] of [
      ['mem0', '[]'],
      ['mem0', '{'],
      ['letta', '{}'],
      ['mem0', '[{"memory":"a\\u0000"}]'],
    ] as const)
      expect(() => foreignMemories(format, bad, 0)).to.throw(ImportError);
  });
});
