/**
 * What holds after every decision of an agent, whatever the command was. AgentWorld checks it each time, so every test
 * of this folder does. Numbers U, L, B, W, M: the headers of run.ts, run-queue.ts, mailbox.ts and run-queue.ts.
 */
import { expect } from 'chai';
import type { AgentDecision } from '../../../../src/domain/agent/agent-draft.js';
import { type AgentState, bounds, type RunRecord, staysInMemory } from '../../../../src/domain/agent/agent-state.js';
import { activeRun, activeRuns, isBusy, nextToBegin } from '../../../../src/domain/run/run-queue.js';
import { idTime } from '../../../../src/domain/shared/clock.js';
import { sizeOf, storageName } from '../../../../src/domain/workspace/usage.js';
import { packRun } from '../../../../src/domain/run/stored-run.js';
import { isSettled, isTerminal, type RunEvent } from '../../../../src/domain/model/model.js';
import type { Documents } from './documents.js';

/** `isFetching`: the decision asks to read the run that is first in line. */
export function checkState(state: AgentState, docs: Documents, isFetching: boolean): void {
  const { agent } = state;
  const where = JSON.stringify({ running: agent.running, pending: agent.pending });
  expect(JSON.parse(JSON.stringify(agent)), 'the snapshot is JSON').to.deep.equal(agent);
  const runs = docs.all('run');
  const withStatus = (status: string): string[] => runs.filter((r) => r.status === status).map((r) => r.id);
  const ids = (active: AgentState['agent']['running']): string[] => active.map(({ id }) => id).sort();
  expect(ids(agent.running), `U1: the agent says which are running ${where}`).to.deep.equal(
    withStatus('running').sort(),
  );
  expect(ids(agent.pending), 'U1: the runs that wait').to.deep.equal(withStatus('pending').sort());
  for (const active of activeRuns(agent))
    expect(active, 'what the head says of a run').to.deep.equal(activeRun(docs.get('run', active.id)));
  const sessions = agent.running.map(({ session }) => session);
  expect(new Set(sessions).size, 'L1: of one session one run').to.equal(sessions.length);
  expect(isFetching || !nextToBegin(agent), 'L2: whose turn it is runs, unless it is being read').to.equal(true);
  expect([...withStatus('running'), ...withStatus('pending')], 'runs in memory').to.include.members([
    ...state.runs.keys(),
  ]);
  expect([...state.runs.keys()], 'the runs in progress are in memory').to.include.members(withStatus('running'));
  for (const [id, live] of state.runs) {
    expect(staysInMemory(live), `run ${id} is small, or in progress`).to.equal(true);
    expect(live.record, `run ${id} in memory is the stored one`).to.deep.equal(docs.get('run', id));
    expect(live.stepping, `run ${id} has a step in progress exactly while it runs`).to.equal(
      live.record.status === 'running',
    );
    if (live.entry) expect(live.entry).to.deep.equal(docs.get('journal', live.entry.id));
    expect(live.record.entryId).to.equal(live.entry?.id ?? null);
    expect(live.nextHuman, 'what a human said is stored').to.equal(null);
    const stored = docs.live(id);
    expect(live.transcript, `transcript of ${id} as it would be read again`).to.deep.equal(stored.transcript);
    expect(live.humanInputs, `human inputs of ${id} as they would be read again`).to.deep.equal(stored.humanInputs);
  }
  for (const run of runs) checkRun(run, docs);
  checkMailbox(state, docs, isFetching);
  checkCounts(state, docs);
  checkBytes(state, docs);
  checkPushes(state, docs);
}

function checkPushes({ agent }: AgentState, docs: Documents): void {
  if (agent.deleting) return;
  const told = new Map<string, number>();
  expect(agent.pushes, 'H1: agent.pushes').to.equal(docs.pushes().length);
  for (const { task, config } of docs.pushes()) {
    const line = `${task.id}/${config.id}`;
    // one that is set anew at an ended task is told its status again; checkEffects counts how often
    expect(task.statusSeq, `H2: pushes of ${line} in the order of the changes`).to.be.at.least(told.get(line) ?? 0);
    told.set(line, task.statusSeq);
  }
}

/** Run.U2, Run.U4. */
function checkRun(run: RunRecord, docs: Documents): void {
  const entries = docs.journal(run.id);
  const events = entries.flatMap((e) => e.events);
  expect(
    events.map((e) => e.seq),
    `U2: event numbers of ${run.id}`,
  ).to.deep.equal(events.map((_, i) => i + 1));
  expect(run.nextSeq).to.equal(events.length + 1);
  let next = 1;
  for (const entry of entries) {
    expect(entry.firstSeq, 'entries are contiguous').to.equal(next);
    next += entry.events.length;
  }
  const first = run.forkedFrom?.step ?? 0;
  const checkpoints = entries.flatMap((e) => (e.checkpoint ? [e.checkpoint] : []));
  expect(
    checkpoints.map((c) => c.step),
    `U2: steps of ${run.id}`,
  ).to.deep.equal(Array.from({ length: run.steps - first }, (_, i) => first + i + 1));
  for (const e of entries) if (e.checkpoint) expect([e.checkpoint.id, e.checkpoint.step]).to.deep.equal([e.id, e.step]);
  expect(run.steps - run.budgetFromStep, `U4: steps of ${run.id} within its budget`).to.be.at.most(run.maxSteps);
  const last = events.filter((e) => e.type === 'status').at(-1);
  expect(last, 'the last status event').to.include({ status: run.status, stopReason: run.stopReason });
  if (isTerminal(run.status)) {
    expect(events.at(-1), 'the terminal event is the last').to.equal(last);
    expect({ held: run.held, done: run.done, waitingFor: run.waitingFor }).to.deep.equal({
      held: [],
      done: [],
      waitingFor: null,
    });
    expect(run.ended_at).to.be.a('string');
  } else expect([run.ended_at, run.error, run.stopReason]).to.deep.equal([null, null, null]);
  expect(run.waitingFor === null, 'a run waits for somebody exactly while it is paused').to.equal(
    run.status !== 'paused',
  );
  expect(run.error === null, 'a run has an error exactly when it failed or timed out').to.equal(
    run.status !== 'failed' && run.status !== 'timeout',
  );
}

function checkMailbox({ agent, runs, unread }: AgentState, docs: Documents, isFetching: boolean): void {
  if (agent.deleting) return;
  const stored = docs.unread();
  const ids = new Set(stored.map((m) => m.id));
  expect(agent.unread, 'agent.unread').to.equal(stored.length);
  for (const m of unread)
    expect(m, 'an unread message in memory is the stored one').to.deep.equal(
      ids.has(m.id) ? docs.get('message', m.id) : null,
    );
  expect(
    unread.map((m) => m.created_at),
    'unread messages in memory, oldest first',
  ).to.deep.equal(unread.map((m) => m.created_at).sort());
  for (const m of docs.all('message'))
    expect(m.wakes, 'B3').to.be.at.most(m.hops > bounds.maxHops ? 0 : bounds.maxWakes);
  const waking = (stored.length > bounds.unreadInMemory ? unread : stored).filter(
    (m) => m.hops <= bounds.maxHops && m.wakes < bounds.maxWakes,
  );
  if (agent.wake_on_message && agent.status === 'active' && waking.length > 0 && !isFetching)
    expect(isBusy(agent), 'W2, B2: a message that may wake is unread, so a run is in progress').to.equal(true);
  const reads = [...runs.values()].flatMap((live) => live.reads.filter((id) => live.stepping && ids.has(id)));
  expect(new Set(reads).size, 'M1: each is read by one step').to.equal(reads.length);
  expect(
    unread.map((m) => m.id),
    'what is read is in memory',
  ).to.include.members(reads);
  expect(agent.outbox, 'agent.outbox').to.equal(docs.posts().length);
}

/** What the head counts as stored is what is stored: else a workspace's storage would drift from what it holds. */
function checkBytes({ agent, counts }: AgentState, docs: Documents): void {
  const kinds = [
    'memory',
    'message',
    'run',
    'journal',
    'outbox',
    'deadLetter',
    'token',
    'usageDay',
    'schedule',
  ] as const;
  const { name, description, config, metadata } = agent;
  let bytes = sizeOf({ name, description, config, metadata });
  // records of the audit do not count
  // a credential counts as when it was made: its last use is written without a look at what was there
  for (const kind of kinds)
    for (const doc of kind === 'run' ? docs.all(kind).map(packRun) : docs.all(kind))
      bytes += sizeOf('last_used_at' in doc ? { ...doc, last_used_at: null } : doc);
  expect(counts[storageName], 'bytes counted').to.equal(bytes);
}

function checkCounts({ counts }: AgentState, docs: Documents): void {
  const memories = docs.all('memory');
  const journal = docs.all('journal');
  const stored: Record<string, number> = {
    agents: 1,
    memories: memories.length,
    lasting: memories.filter((m) => m.expires_at === null || m.countsIn !== undefined).length,
    messages: docs.all('message').length,
    deadLetters: docs.all('deadLetter').length,
    runs: docs.all('run').length,
    thoughts: journal.flatMap((e) => e.events).filter((e) => e.type === 'thought').length,
    checkpoints: journal.filter((e) => e.checkpoint).length,
  };
  for (const m of memories) stored[`type:${m.type}`] = (stored[`type:${m.type}`] ?? 0) + 1;
  const kept = Object.fromEntries(
    Object.entries(counts).filter(([name]) => !['handled', storageName].includes(name) && !/^(used|model):/.test(name)),
  );
  expect(kept, 'counts equal what is stored').to.deep.equal(
    Object.fromEntries(Object.entries(stored).filter(([, n]) => n !== 0)),
  );
}

/** What a decision tells the world agrees with what it writes. `before` is what was stored, `after` what is now. */
export function checkEffects(
  state: AgentState,
  decision: AgentDecision,
  before: ReadonlyMap<string, readonly RunEvent[]>,
  runsBefore: readonly RunRecord[],
  docs: Documents,
  command: string,
): void {
  expect(idTime(decision.state.agent), "the time of the entity's ids moves").to.be.greaterThan(idTime(state.agent));
  const published = new Map<string, RunEvent[]>();
  for (const e of decision.effects)
    if (e.type === 'publish') published.set(e.runId, [...(published.get(e.runId) ?? []), ...e.events]);
  for (const run of docs.all('run'))
    expect(published.get(run.id) ?? [], `published events of ${run.id} are the new ones`).to.deep.equal(
      docs.events(run.id).slice(before.get(run.id)?.length ?? 0),
    );
  for (const p of decision.puts) {
    if (p.kind !== 'memory' && !(p.kind === 'message' && p.isNew)) continue;
    expect(
      decision.effects.some((e) => e.type === 'index' && e.body.id === p.id),
      `${p.kind} ${p.id} is indexed`,
    ).to.equal(true);
  }
  for (const gone of decision.deletes)
    if (gone.kind === 'memory')
      expect(decision.effects).to.deep.include({ type: 'unindex', kind: 'memory', id: gone.id });
  let changes = 0;
  for (const run of docs.all('run'))
    changes += (published.get(run.id) ?? []).filter((e) => e.type === 'status').length * (run.push?.length ?? 0);
  // a config that comes to a run which has ended, or waits for somebody, is told how it is
  if (command === 'setPush')
    for (const was of runsBefore)
      if (isSettled(was))
        changes += (docs.get('run', was.id)?.push ?? []).filter(
          ({ id, url }) => !was.push?.some((known) => known.id === id && known.url === url),
        ).length;
  const pushes = decision.puts.filter((p) => p.kind === 'outbox' && p.body.kind === 'push').length;
  if (command !== 'replayDeadLetter') expect(pushes, 'every change is pushed to every config').to.equal(changes);
  for (const p of decision.puts)
    if (p.kind === 'outbox') expect(decision.effects).to.deep.include({ type: 'send', id: p.id });
  for (const [id, live] of decision.state.runs) {
    const begun = decision.effects.filter((e) => e.type === 'begin' && e.runId === id).length;
    expect(begun, `a begin effect of ${id} for each new attempt`).to.equal(
      live.stepping && live.attempt !== state.runs.get(id)?.attempt ? 1 : 0,
    );
  }
  for (const [id, was] of state.runs)
    if (was.stepping && !decision.state.runs.get(id)?.stepping)
      expect(decision.puts.some((p) => p.kind === 'run' && p.id === id)).to.equal(true);
}

/** Run.U3: terminal stays terminal but by a resume, which cancelled and answered runs never get. */
export function checkStatuses(before: readonly RunRecord[], docs: Documents, command: string): void {
  for (const was of before) {
    const run = docs.get('run', was.id);
    if (!isTerminal(was.status)) continue;
    if (command === 'setPush' || command === 'deletePush') {
      expect({ ...run, push: [] }, 'only its configs change').to.deep.equal({ ...was, push: [] });
      continue;
    }
    if (command === 'forkRun') {
      // the run that was forked notes it, so that its journal stays
      expect({ ...run, forks: 0 }, 'only its forks are counted').to.deep.equal({ ...was, forks: 0 });
      continue;
    }
    if (command !== 'resume' || was.status === 'cancelled' || was.stopReason === 'answer')
      expect(run, `U3: ${was.id} was ${was.status} and stays as it is`).to.deep.equal(was);
  }
}
