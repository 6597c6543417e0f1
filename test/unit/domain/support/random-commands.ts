/** Any command, in any state: what fast-check makes up, and what it comes to in the world as it is then. */
import { addToken, removeToken } from '../../../../src/domain/agent/tokens.js';
import type { AgentDraft } from '../../../../src/domain/agent/agent-draft.js';
import { sizeOf } from '../../../../src/domain/workspace/usage.js';
import fc from 'fast-check';
import type { AgentCommand } from '../../../../src/domain/agent/agent-commands.js';
import type { LiveRun, ResolvedCall, StepReport } from '../../../../src/domain/agent/agent-state.js';
import { commandLine } from '../../../../src/domain/workspace/audit.js';
import { activeRuns } from '../../../../src/domain/run/run-queue.js';
import { isUnexpired } from '../../../../src/domain/memory/memories.js';
import type { PushConfigInput } from '../../../../src/domain/task/task.js';
import type { AgentWorld } from './agent-world.js';
import {
  answer,
  ask,
  cancels,
  decides,
  deletesPush,
  forks,
  joins,
  leaves,
  note,
  recall,
  receive,
  said,
  send,
  share,
  start,
  store,
  patches,
  replaces,
  replays,
  setsPush,
} from './commands.js';

const content = fc.constantFrom('a', 'something longer', '');
const call: fc.Arbitrary<ResolvedCall> = fc.oneof(
  content.map((c) => note(c)),
  content.map((c) => note(c, 'episodic')),
  fc.constant(note('x', 'no such type!')),
  fc.constant(recall('what')),
  content.map((c) => send(c)),
  fc.constant(send('hi', null, 'there is no agent')),
  fc.constant(share('known')),
  fc.constant(share('known', null)),
  content.map((c) => answer(c)),
  fc.constant(ask('which one?')),
);
const thoughts = fc.array(
  fc.record({
    thoughtType: fc.constantFrom('goal', 'recall', 'insight', 'action', 'result', 'reflection'),
    content: fc.constant('a thought'),
  }),
  { maxLength: 2 },
);
const report: fc.Arbitrary<StepReport> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ok: fc.constant(true as const),
      thoughts,
      calls: fc.array(call, { maxLength: 3 }),
      consulted: fc.constant([]),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ ok: false as const, error: { code: 'unreachable', message: 'no' } }) },
);
const which = fc.nat(30);
const config = fc.record(
  {
    validation_gate: fc.constantFrom('none' as const, 'action' as const, 'answer' as const),
    max_steps: fc.integer({ min: 1, max: 4 }),
    max_parallel: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
);

/** Becomes a command when it is its turn; null where the state has nothing to do it to. */
export type Action = (world: AgentWorld) => AgentCommand | 'restart' | null;
const pick = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(1, all.length)];

const settings: fc.Arbitrary<Action> = fc.oneof(
  fc
    .record(
      {
        wake_on_message: fc.boolean(),
        config,
        memory_quota: fc.option(fc.nat(3)),
        maxRuntimeSeconds: fc.option(fc.integer({ min: 1, max: 3 })),
      },
      { requiredKeys: [] },
    )
    .map(
      (input): Action =>
        () =>
          replaces(input, { mayJoin: true }),
    ),
  fc.constantFrom('active' as const, 'active' as const, 'inactive' as const).map(
    (status): Action =>
      () =>
        patches({ status }),
  ),
  fc
    .record(
      {
        config,
        metadata: fc.constantFrom<Record<string, unknown>>({ a: 1 }, { a: null, b: { c: null } }),
        memory_quota: fc.constant(null),
      },
      { requiredKeys: [] },
    )
    .map(
      (input): Action =>
        () =>
          patches(input, { mayJoin: true }),
    ),
  which.map(
    (n): Action =>
      () =>
        n % 2 ? joins(`hive_${n}`) : leaves(`hive_${n - 1}`),
  ),
);

const session = fc.constantFrom(undefined, undefined, 's1');
/** One of the runs in progress. */
const oneRunning = (w: AgentWorld, n: number): LiveRun | undefined => {
  const run = pick(w.state.agent.running, n);
  return run && w.state.runs.get(run.id);
};
const runs: fc.Arbitrary<Action> = fc.oneof(
  fc
    .record(
      {
        onBusy: fc.constantFrom('enqueue' as const, 'reject' as const),
        maxSteps: fc.integer({ min: 1, max: 4 }),
        maxRuntimeSeconds: fc.integer({ min: 1, max: 2 }),
        direct: fc.boolean(),
        sessionId: session,
      },
      { requiredKeys: ['direct'] },
    )
    .map(
      ({ sessionId, ...more }): Action =>
        () =>
          start('go', { ...more, ...(sessionId && { sessionId }) }),
    ),
  fc
    .record({
      n: which,
      onBusy: fc.constantFrom('interrupt' as const, 'steer' as const),
      written: fc.constantFrom('', 'so'),
    })
    .map(({ n, onBusy, written }): Action => (w) => {
      const active = pick(activeRuns(w.state.agent), n);
      if (!active) return null;
      const run = w.state.runs.get(active.id) ?? w.docs.live(active.id);
      return start('more', { sessionId: active.session, subject: run.record.subject, onBusy, busy: { run, written } });
    }),
  fc
    .record({
      n: which,
      input: fc.record(
        { decision: fc.constantFrom('approve' as const, 'reject' as const), input: fc.constant('because') },
        { requiredKeys: [] },
      ),
    })
    .map(({ n, input }): Action => (w) => {
      const run = pick(w.runs, n);
      return run ? { type: 'resume', run: w.live(w.runs.indexOf(run)), input, mayDecide: true } : null;
    }),
  which.map(
    (n): Action =>
      (w) =>
        w.runs.length ? cancels(w.live(n % w.runs.length)) : null,
  ),
  fc.record({ n: which }).map(({ n }): Action => (w) => {
    const checkpoint = pick(
      w.docs.all('journal').flatMap((e) => e.checkpoint ?? []),
      n,
    );
    return checkpoint ? forks(w.docs.live(checkpoint.runId), checkpoint) : null;
  }),
);

const steps: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({ n: which, report, usedMs: fc.constantFrom(5, 700, 2500) })
      .map(({ n, report: r, usedMs }): Action => (w) => {
        const live = oneRunning(w, n);
        return live ? { type: 'step', runId: live.record.id, attempt: live.attempt, report: r, usedMs } : null;
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ n: which, attempt: fc.nat(3), report, usedMs: fc.constant(5) })
      .map(({ n, attempt, ...rest }): Action => (w) => {
        const run = pick(w.runs, n);
        return run ? { type: 'step', runId: run.id, attempt, ...rest } : null;
      }),
  },
  {
    weight: 1,
    arbitrary: which.map((n): Action => (w) => {
      const live = oneRunning(w, n);
      return live ? { type: 'deadline', runId: live.record.id, attempt: live.attempt, usedMs: 3000 } : null;
    }),
  },
);

const mailbox: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ hops: fc.constantFrom(0, 0, 15, 16, 17) })
      .map(({ hops }): Action => receive('hello', { from: undefined, hops })),
  },
  fc.record({ n: fc.nat(3) }).map(({ n }): Action => (w) => {
    return receive('hello', { id: `msg_sent${n}`, from: 'agent_2', hops: 1 })(w);
  }),
  which.map((n): Action => (w) => {
    const item = pick(w.docs.posts(), n);
    return item ? { type: 'delivered', outboxId: item.id, bytes: sizeOf(item) } : null;
  }),
  which.map((n): Action => (w) => {
    const item = pick(w.docs.posts(), n);
    return item
      ? {
          type: 'undelivered',
          outboxId: item.id,
          bytes: sizeOf(item),
          to: item.to,
          content: item.content,
          reason: 'it is gone',
        }
      : null;
  }),
  fc.constant<Action>((w) => {
    const { unread: messages, moreMayWake } = w.unreadInStore();
    return { type: 'refill', messages, moreMayWake };
  }),
);

const pushConfig = fc
  .record({ id: fc.constantFrom('a', 'b'), url: fc.constantFrom('https://one.example/', 'https://two.example/?k=1') })
  .map((c): PushConfigInput => ({ ...c, version: '0.3' }));
const reply = fc.constantFrom('approve', 'no', 'Lisbon');
const pushesAndTasks: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({ push: fc.option(pushConfig) })
      .map(({ push }): Action => () => ({ type: 'task', message: said('go'), run: null, push })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ n: which, text: reply, push: fc.option(pushConfig) })
      .map(({ n, text, push }): Action => (w) => {
        const paused = w.runs.filter((r) => r.status === 'paused');
        const run = pick(paused.length > 0 ? paused : w.runs, n);
        return run
          ? { type: 'task', message: said(text), run: w.live(w.runs.indexOf(run)), push, mayDecide: true }
          : null;
      }),
  },
  fc.record({ n: which, config: pushConfig }).map(
    ({ n, config: c }): Action =>
      (w) =>
        w.runs.length ? setsPush(w.live(n % w.runs.length), c) : null,
  ),
  fc.record({ n: which, id: fc.constantFrom('a', 'b') }).map(
    ({ n, id }): Action =>
      (w) =>
        w.runs.length ? deletesPush(w.live(n % w.runs.length), id) : null,
  ),
  which.map((n): Action => (w) => {
    const item = pick(w.docs.pushes(), n);
    return item ? { type: 'pushed', outboxId: item.id, bytes: sizeOf(item) } : null;
  }),
  which.map((n): Action => (w) => {
    const item = pick(w.docs.pushes(), n);
    return item ? { type: 'deadLettered', item, reason: 'answered 503', tries: 8 } : null;
  }),
  which.map((n): Action => (w) => {
    const letter = pick(w.docs.all('deadLetter'), n);
    return letter ? replays(letter) : null;
  }),
);

const inSeconds =
  (n: number) =>
  (w: AgentWorld): string =>
    new Date(w.env.now + n * 1000).toISOString();
const memories: fc.Arbitrary<Action> = fc.oneof(
  fc
    .record({
      type: fc.constantFrom('semantic', 'episodic', 'x.y'),
      expires: fc.option(fc.constantFrom(1, 3600)),
      sessionId: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
    })
    .map(
      ({ type, expires, sessionId }): Action =>
        (w) =>
          store({ type, sessionId, ...(expires !== null && { expires_at: inSeconds(expires)(w) }) })(w),
    ),
  fc
    .record({
      n: which,
      expires: fc.constantFrom(undefined, null, 1, 3600),
      type: fc.constantFrom(undefined, 'semantic', 'z'),
    })
    .map(({ n, expires, type }): Action => (w) => {
      const memory = pick(w.docs.all('memory'), n);
      return memory
        ? {
            type: 'patchMemory',
            memory,
            patch: {
              type,
              ...(expires !== undefined && { expires_at: expires === null ? null : inSeconds(expires)(w) }),
            },
          }
        : null;
    }),
  which.map((n): Action => (w) => {
    const memory = pick(w.docs.all('memory'), n);
    return memory ? { type: 'forget', memory } : null;
  }),
  fc.constant<Action>((w) => ({
    type: 'expire',
    memories: w.docs.all('memory').filter((m) => !isUnexpired(m, w.env.now)),
    next: null,
  })),
);

const tokens: fc.Arbitrary<Action> = fc.oneof(
  fc
    .record({
      expires_at: fc.constantFrom(null, '2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z'),
      held: fc.constantFrom(0, 100),
    })
    .map(
      ({ expires_at, held }): Action =>
        () =>
          decides((d: AgentDraft) =>
            addToken(d, {
              token: { name: 't', scopes: ['agent:read'], expires_at },
              hash: 'h',
              hint: 'at_x',
              held,
              by: commandLine,
            }),
          ),
    ),
  which.map((n): Action => (w) => {
    const token = pick(w.docs.all('token'), n);
    return token
      ? decides((d: AgentDraft) => {
          removeToken(d, token, commandLine);
        })
      : null;
  }),
);

const time: fc.Arbitrary<Action> = fc.constantFrom(-5000, 900, 86_400_000, 40 * 86_400_000).map((ms): Action => (w) => {
  w.env.now += ms;
  return null;
});
const ends: fc.Arbitrary<Action> = fc.constantFrom<Action>(
  () => patches({ status: 'terminated' }),
  (w) => ({ type: 'delete', tokens: w.docs.all('token'), by: commandLine }),
);

export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 40, arbitrary: steps },
  { weight: 20, arbitrary: runs },
  { weight: 14, arbitrary: mailbox },
  { weight: 14, arbitrary: pushesAndTasks },
  { weight: 10, arbitrary: memories },
  { weight: 6, arbitrary: settings },
  { weight: 3, arbitrary: fc.constant(() => 'restart') },
  { weight: 2, arbitrary: time },
  { weight: 2, arbitrary: tokens },
  { weight: 1, arbitrary: ends },
);
