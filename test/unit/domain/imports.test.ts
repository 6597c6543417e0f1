/** What an import makes of what a file says: it judges, and vouches for nothing (Imports.I2, Imports.I3). */
import { expect } from 'chai';
import { showMemory, type StoredMemory } from '../../../src/domain/memory/stored-memory.js';
import { type CheckedRecord, type CheckedRecordOf, checkRecord } from '../../../src/domain/import/import-records.js';
import { newEntity, takeInAll } from '../../../src/domain/import/imports.js';
import { noon } from './support/env.js';

const env = {
  now: noon,
  ids: (kind: string, at: number) => `${kind}_${at}`,
  defaults: { maxSteps: 10, maxRuntimeSeconds: 300, messageBudget: 1000 },
};
const at = '2026-01-01T00:00:00.000Z';
const days = (n: number): string => new Date(noon + n * 24 * 3600_000).toISOString();
const take = (...records: [kind: string, data: object][]) =>
  takeInAll(
    { kind: 'agent', id: 'agent_1' },
    newEntity(
      {
        kind: 'agent',
        id: 'agent_1',
        data: { name: 'A', shared_with: [], message_count: 0 },
      } as unknown as CheckedRecordOf<'agent'>,
      noon,
    ),
    records.map(([kind, data], i) => ({ kind, id: `${kind}_${i}`, data }) as unknown as CheckedRecord),
    env as Parameters<typeof takeInAll>[3],
  );
const run = {
  status: 'paused',
  nextSeq: 5,
  steps: 1,
  held: [{ tool: 'send_message', arguments: { to: 'Bob', content: 'pay 1,000' }, to: null, problem: null }],
  done: [],
  approved: true,
  waitingFor: { kind: 'approval', question: 'approve: hi', action: { tool: 'answer', arguments: { content: 'hi' } } },
  consulted: [],
  created_at: at,
  updated_at: at,
  started_at: at,
  ended_at: null,
};

describe('domain: imports', () => {
  it('secrets of tools are left out, because they are sealed where they are kept', () => {
    const secret = { header: 'X-Key', value: 'plain' };
    const tool = { kind: 'http', name: 'pay', description: '', url: 'https://example.com/', secret };
    const schedule = {
      ...{ cron: null, every: 3600, at: null, timezone: null, input: 'go', sessionId: null, catch_up: 'one' },
      ...{ paused: false, last: null, created_at: at, updated_at: at, overrides: { tools: [tool] } },
    };
    const checked = checkRecord('schedule', 'sched_01m86s0h3100z24bh2kcrwcekp', schedule);
    expect(checked).to.have.nested.property('data.overrides.tools[0].secret.header', 'X-Key');
    expect(JSON.stringify(checked)).not.to.contain('plain');
  });

  for (const [times, problem] of [
    [{ cron: '0 9 * * *', every: 3600, at: null, timezone: 'UTC' }, 'data.cron: must be given, or `every` or `at`'],
    [{ cron: null, every: null, at: null, timezone: null }, 'data.cron: must be given, or `every` or `at`'],
    [{ cron: null, every: 3600, at: null, timezone: 'UTC' }, 'data.timezone: must be null without cron'],
    [{ cron: null, every: 3600, at: null, timezone: null }, null],
  ] as const)
    it(`a schedule has one of its times, and a time zone with cron alone: ${JSON.stringify(times)}`, () => {
      const schedule = {
        ...{ input: 'go', sessionId: null, catch_up: 'one', paused: false, last: null, created_at: at },
        ...{ updated_at: at, overrides: null, ...times },
      };
      const checked = checkRecord('schedule', 'sched_01m86s0h3100z24bh2kcrwcekp', schedule);
      if (problem === null) expect(checked).to.include({ kind: 'schedule' });
      else expect(checked).to.be.a('string').and.include(problem);
    });

  for (const name of ['.', '..'])
    for (const field of ['sessionId', 'subject', 'source', 'run_id'])
      it(`${field} is not ${name}, which no path can name`, () => {
        const memory = { type: 'semantic', content: 'x', created_at: at, updated_at: at };
        expect(checkRecord('memory', 'mem_01m86s0h3100z24bh2kcrwcekp', memory)).to.include({ kind: 'memory' });
        expect(checkRecord('memory', 'mem_01m86s0h3100z24bh2kcrwcekp', { ...memory, [field]: name })).to.equal(
          `data.${field}: must not be "." or "..", which no path can name`,
        );
      });

  it('a memory keeps the run that wrote it', () => {
    const memory = { type: 'semantic', content: 'x', metadata: {}, expires_at: null, created_at: at, updated_at: at };
    const written = take(['memory', { ...memory, run_id: 'run_1' }]).puts[0]?.body;
    expect(written && showMemory(written as StoredMemory)).to.include({ run_id: 'run_1', source: null });
    expect(take(['memory', memory]).puts[0]?.body).to.not.have.property('run_id');
  });

  it('Imports.I3: no sender is verified, and no message wakes its agent', () => {
    const message = { from: 'agent_boss', content: 'go', hops: 0, wakes: 0, verified: true, created_at: at };
    const { puts, snapshot } = take(
      ['message', { ...message, read_at: null }],
      ['message', { ...message, read_at: at }],
    );
    expect(puts.map(({ body }) => body)).to.have.length(2);
    for (const { body } of puts) expect(body).to.not.have.property('verified');
    expect(puts[0]?.body).to.include({ wakes: 3 });
    expect(puts[1]?.body).to.include({ wakes: 0 });
    expect(snapshot).to.include({ unread: 1 });
  });
  it('Imports.I3: nothing is approved, and what waits for approval is what would be done', () => {
    const { puts } = take(['run', run]);
    expect(puts[0]?.body).to.not.have.property('approved');
    expect(puts[0]?.body).to.have.nested.property('waitingFor.action.arguments.content', 'pay 1,000');
    const nothing = take(['run', { ...run, held: [] }]).puts.find(({ kind }) => kind === 'run');
    expect(nothing?.body).to.include({ status: 'cancelled' });
  });
  it('Imports.I2: neither a claimed time nor a claimed source keeps a memory out of the month', () => {
    const memory = { type: 'semantic', content: 'x', metadata: {}, expires_at: null, created_at: at, updated_at: at };
    const used = `used:${days(0).slice(0, 7)}:live`;
    for (const claimed of [
      { created_at: days(360), expires_at: days(365) },
      { source: 'run_1' },
      { created_at: days(0), source: 'run_1' },
    ])
      expect(take(['memory', { ...memory, ...claimed }]).counts).to.include({ lasting: 1, [used]: 1 });
    expect(take(['memory', { ...memory, created_at: days(0), expires_at: days(20) }]).counts).to.not.have.property(
      used,
    );
  });
});
