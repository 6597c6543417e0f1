/**
 * When an agent wakes (src/domain/mailbox/mailbox.ts), and which of its runs are running side by side (src/domain/run/run-queue.ts).
 * A decision that leaves a message unread which may wake, and no run pending or running, makes a run; so does one that
 * ends a run while others go on, unless a message triggered one of these. The decisions are the real ones, with so
 * small bounds that memory does not hold all messages, a step does not read all that memory holds, runs have to wait,
 * and messages use up their wakes.
 *
 * Two workers that both may have the agent in memory; messages that arrive at either. A step of a run begins with what
 * is unread in memory, works beside the actor, and reports later, also to an activation that did not begin it; the run
 * may be cancelled meanwhile, and messages deleted. Clients start runs, which may share a session. Where messages carry
 * a budget (src/domain/mailbox/causal-budget.ts), a report may send a message. An agent is loaded for a message, or because its
 * head says that there is work (actors/entities/recovery.ts).
 *
 * Left out: pauses; a commit that is decided on and not yet stored (commit.ts).
 */
import { decideAgent } from '../../src/domain/agent/agent.js';
import type { AgentState, ResolvedCall, StepReport } from '../../src/domain/agent/agent-state.js';
import type { Can, Model } from './checker.js';
import { isBusy } from '../../src/domain/run/run-queue.js';
import {
  type Active,
  type Decide,
  type Head,
  type Message,
  none,
  type Run,
  type SmallAgent,
  SmallAgents,
  type SmallCommand,
  type SmallDecision,
} from './small-agent.js';

export const asBuilt = {
  fence: true,
  /** A message that arrives makes no run while one is pending or running. */
  oneRun: true,
  /** Also the commit that ends a run makes the next where something is unread. */
  wakeAfterRun: true,
  /** Also where others go on. */
  wakesBeside: true,
  /** Of one session one run is running. */
  locksSession: true,
  /** What one step is reading no other reads. */
  readsOnce: true,
  /** A report counts only for the attempt that began the step. */
  attempts: true,
  /** A send takes from the budget of its run, which has what the messages carried that it has read. */
  spends: true,
  /** A step takes in the message that woke its run before all others. */
  readsWaking: true,
  /** What a decision says is still to be read from the mailbox is read. */
  refills: true,
  /** The head counts that as work, so that the agent is loaded for it after a crash. */
  countsReading: true,
  /** A decision after which there is no work is written if the head says that there is some. */
  settles: true,
};
export const sizes = {
  carried: 0,
  messages: ['m1', 'm2'],
  /** Runs that clients start: in sessions of their own, and in one that they share. */
  starts: 0,
  shared: 0,
  /** Whether its messages wake it; else any run reads them. */
  wakes: true,
  maxParallel: 2,
  /** Steps that a worker works on at a time. */
  atOnce: 1,
  steps: 2,
  crashes: 1,
  cancels: 1,
  deletes: 0,
  failures: 0,
  unreadInMemory: 1,
  unreadPerStep: 1,
  maxWakes: 2,
};
export type WakeOptions = Partial<typeof asBuilt & typeof sizes>;

interface Stored extends Head {
  /** Whether the head asks to be loaded after a crash. */
  isOpen: boolean;
  /** The runs that have not ended, and all messages, oldest first. */
  runs: Run[];
  messages: Message[];
}
interface Step {
  run: number;
  attempt: number;
  after: number;
  wokenBy: string;
  read: string[];
}
interface Worker {
  /** Somebody else has committed since: the store refuses what it commits. */
  isStale: boolean;
  agent: SmallAgent | null;
  steps: Step[];
  /** What the actor has told itself to do. */
  continues: boolean;
  refills: boolean;
  fetches: boolean;
}
interface State {
  stored: Stored;
  workers: Worker[];
  starts: number;
  shared: number;
  crashes: number;
  cancels: number;
  deletes: number;
  failures: number;
  /** Seen by nobody: a report counted that should not have. */ lateStep: boolean;
  /** A message that arrived made a run beside another. */ wokeBeside: boolean;
  /** A run ended, and of the messages that may wake none is being looked after. */ passedOver: boolean;
  /** What the messages that the agent has sent took from budgets, each by a commit that took effect. */ spent: number;
}

const post: ResolvedCall = {
  tool: 'send_message',
  arguments: { content: 'x' },
  to: { id: 'agent_2', name: 'Bo' },
  problem: null,
};
const report = (isLast: boolean, sends: boolean): StepReport => ({
  ok: true,
  thoughts: [],
  calls: [
    ...(sends ? [post] : []),
    isLast ? { tool: 'answer', arguments: { content: 'x' } } : { tool: 'recall', arguments: {}, result: '' },
  ],
  consulted: [],
});
const failed: StepReport = { ok: false, error: { code: 'model', message: 'away' } };

/** The real decision, without the guards that are left out. */
function decideWithout(o: typeof asBuilt & Pick<typeof sizes, 'unreadPerStep' | 'wakes'>): Decide {
  const changedAgent = (state: AgentState, changes: Partial<AgentState['agent']>): AgentState => ({
    ...state,
    agent: { ...state.agent, ...changes },
  });
  return (state, given, env) => {
    let before = state;
    let command = given;
    const receives = command.type === 'decide' && command.name === 'deliverMessage';
    if (!o.oneRun && receives) before = { ...before, mailDue: true };
    if (!o.wakeAfterRun && !receives) before = changedAgent(before, { wake_on_message: false });
    if (!o.wakesBeside && !receives && state.agent.wake_on_message) {
      const asleep = decideAgent(changedAgent(before, { wake_on_message: false }), command, env);
      if (isBusy(asleep.state.agent))
        return { ...asleep, state: { ...changedAgent(asleep.state, { wake_on_message: true }), mailDue: false } };
    }
    if (!o.locksSession)
      before = changedAgent(before, { running: before.agent.running.map((run) => ({ ...run, session: run.id })) });
    if (!o.attempts && command.type === 'step')
      command = { ...command, attempt: state.runs.get(command.runId)?.attempt ?? command.attempt };
    const decision = decideAgent(before, command, env);
    if (!o.locksSession)
      decision.state = changedAgent(decision.state, {
        running: decision.state.agent.running.map((run) => ({
          ...run,
          session: decision.state.runs.get(run.id)?.record.sessionId ?? run.session,
        })),
      });
    const { unread, runs } = decision.state;
    for (const live of runs.values())
      if (live.stepping && ((!o.readsWaking && live.record.messageId) || !o.readsOnce))
        live.reads = unread.slice(0, o.unreadPerStep).map(({ id }) => id);
    if (!o.spends)
      for (const { kind, body } of decision.puts)
        if (kind === 'outbox' && 'budget' in body)
          for (const { record } of decision.state.runs.values())
            record.budget = (record.budget ?? 0) + 1 + Number(body.budget);
    return o.wakeAfterRun
      ? decision
      : { ...decision, state: changedAgent(decision.state, { wake_on_message: state.agent.wake_on_message }) };
  };
}

export function wakeModel(options: WakeOptions = {}): Model<State> {
  const o = { ...asBuilt, ...sizes, ...options };
  const agents = new SmallAgents(o, decideWithout(o));

  /** Without the fence a head may name a run that has ended, on which the real decision throws. */
  function decided(s: State, agent: SmallAgent, command: SmallCommand): SmallDecision | null {
    try {
      return agents.decide(agent, command, timesIn(s).at(-1)! + 1);
    } catch (error) {
      if (o.fence) throw error;
      return null;
    }
  }

  function unload(s: State, w: Worker): false {
    s.workers[s.workers.indexOf(w)] = { ...unloaded, steps: w.steps };
    return false;
  }

  /** Decides at a worker, and commits what is to be written. Returns whether a report counted and took effect. */
  function decide(s: State, w: Worker, command: SmallCommand): boolean {
    const decision = decided(s, w.agent!, command);
    if (!decision) return unload(s, w);
    const { agent, hasWork, runs, messages, spent, refill, fetchNext, counted } = decision;
    const before = w.agent!;
    const settles = o.settles && s.stored.isOpen && !hasWork;
    if (runs.length === 0 && messages.length === 0 && !settles) {
      w.agent = agent;
      w.refills ||= refill && o.refills;
      w.fetches ||= fetchNext;
      return false;
    }
    if (o.fence && w.isStale) return unload(s, w);
    w.agent = agent;
    w.refills ||= refill && o.refills;
    w.fetches ||= fetchNext;
    const { running, pending, unread } = agent;
    const wasBusy = activeIn(before).length > 0;
    s.wokeBeside ||= command.type === 'receive' && wasBusy && activeIn(agent).length > activeIn(before).length;
    s.stored = {
      isOpen: hasWork && (o.countsReading || activeIn(agent).length > 0),
      running: copies(running),
      pending: copies(pending),
      unread,
      runs: replaced(s.stored.runs, runs).filter((run) => run.status !== 'ended'),
      messages: replaced(s.stored.messages, messages),
    };
    s.passedOver ||=
      o.wakes &&
      activeIn(before).some(({ id }) => !activeIn(agent).some((run) => run.id === id)) &&
      s.stored.messages.some(agents.mayWake) &&
      !activeIn(agent).some(({ wokenBy }) => wokenBy !== '') &&
      !w.refills;
    for (const other of s.workers) other.isStale = other !== w && other.agent !== null;
    s.spent += spent;
    return counted;
  }

  function load({ stored }: State, w: Worker): void {
    const { isOpen, running, pending, unread, messages } = stored;
    const runs = stored.runs.filter((run) => running.some(({ id }) => id === run.id)).map((run) => ({ ...run }));
    const triggers = [...running, ...pending];
    const mailbox = unread === 0 ? { inMemory: [], moreMayWake: false } : agents.readMailbox(messages, triggers);
    w.isStale = false;
    w.agent = { running: copies(running), pending: copies(pending), unread, runs, ...mailbox, mailDue: false };
    w.continues = isOpen || triggers.length > 0 || unread > 0;
  }

  function take(s: State, w: Worker, n: number, says: StepReport): void {
    const step = w.steps[n]!;
    const before = s.stored.runs.find((run) => run.id === step.run);
    w.steps.splice(n, 1);
    if (decide(s, w, { type: 'step', run: step.run, attempt: step.attempt, says }))
      s.lateStep ||= before?.steps !== step.after;
  }

  function workerSteps(s: State, i: number, can: Can<State>): void {
    const w = s.workers[i]!;
    const name = 'PQ'[i]!;
    const own = (t: State) => t.workers[i]!;
    const { agent, steps } = w;
    const mayStart = s.starts > 0 || s.shared > 0;
    const next = o.messages[s.stored.messages.length];
    if (!agent) {
      if (s.stored.isOpen || next !== undefined || mayStart)
        can(`${name} loads the agent`, (t) => {
          load(t, own(t));
        });
      return;
    }
    if (w.continues)
      can(`${name} continues after its load`, (t) => {
        own(t).continues = false;
        decide(t, own(t), { type: 'continue' });
      });
    if (w.refills)
      can(`${name} reads the mailbox`, (t) => {
        own(t).refills = false;
        const triggers = [...agent.running, ...agent.pending];
        const { inMemory, moreMayWake } = agents.readMailbox(t.stored.messages, triggers);
        decide(t, own(t), { type: 'refill', messages: inMemory, moreMayWake });
      });
    if (w.fetches)
      can(`${name} reads the run whose turn it is`, (t) => {
        own(t).fetches = false;
        const id = agents.next(agent);
        const run = agent.runs.find((r) => r.id === id) ?? t.stored.runs.find((r) => r.id === id);
        if (run) decide(t, own(t), { type: 'startNext', run });
        else if (id !== undefined) unload(t, own(t)); // somebody else has ended it
      });
    for (const kind of ['starts', 'shared'] as const)
      if (s[kind] > 0)
        can(`a client starts a run at ${name}${kind === 'shared' ? ' in the shared session' : ''}`, (t) => {
          t[kind]--;
          decide(t, own(t), { type: 'start', shares: kind === 'shared' });
        });
    if (next !== undefined)
      can(`${name} takes ${next} in`, (t) => {
        decide(t, own(t), { type: 'receive', id: next });
      });
    for (const run of agent.runs)
      if (run.stepping && steps.length < o.atOnce && !steps.some((step) => step.run === run.id))
        can(`${name} begins step ${run.steps + 1} of run ${run.id}`, (t) => {
          const { id, attempt, steps: after, wokenBy, reads } = run;
          own(t).steps = [...own(t).steps, { run: id, attempt, after, wokenBy, read: reads }].sort(
            (a, b) => a.run - b.run,
          );
        });
    for (const [n, step] of steps.entries()) {
      const told = `${name} reports step ${step.after + 1} of run ${step.run}`;
      for (const isLast of [true, false])
        for (const sends of o.carried > 0 ? [true, false] : [false])
          can(`${told}${isLast ? ', the last' : ''}${sends ? ', which sends' : ''}`, (t) => {
            take(t, own(t), n, report(isLast, sends));
          });
      if (s.failures > 0)
        can(`${told}, which failed`, (t) => {
          t.failures--;
          take(t, own(t), n, failed);
        });
    }
    if (s.cancels > 0)
      for (const run of agent.runs)
        can(`run ${run.id} is cancelled at ${name}`, (t) => {
          t.cancels--;
          decide(t, own(t), { type: 'cancel', run });
        });
    if (s.deletes > 0)
      for (const message of s.stored.messages.filter((m) => !m.isRead))
        can(`a client deletes ${message.id} at ${name}`, (t) => {
          t.deletes--;
          decide(t, own(t), { type: 'deleteMessage', message });
        });
    if (s.crashes > 0)
      can(`${name} crashes`, (t) => {
        t.crashes--;
        t.workers[i] = { ...unloaded };
      });
  }

  const active = ({ stored }: State) => stored.runs.length;
  const distinct = (names: readonly string[]) => new Set(names).size === names.length;
  const mayWake = ({ stored }: State) => stored.messages.some(agents.mayWake);
  const { running, pending, unread } = agents.fresh;
  return {
    start: {
      stored: { isOpen: false, running, pending, unread, runs: [], messages: [] },
      workers: [{ ...unloaded }, { ...unloaded }],
      starts: o.starts,
      shared: o.shared,
      crashes: o.crashes,
      cancels: o.cancels,
      deletes: o.deletes,
      failures: o.failures,
      lateStep: false,
      wokeBeside: false,
      passedOver: false,
      spent: 0,
    },
    steps(s, can) {
      workerSteps(s, 0, can);
      workerSteps(s, 1, can);
    },
    invariants: {
      W1: {
        text: 'Of the runs that are pending or running a message triggered one at most, and a message that arrives makes none beside others.',
        holds: (s) => !s.wokeBeside && s.stored.runs.filter(({ wokenBy }) => wokenBy !== '').length <= 1,
      },
      W2: {
        text: 'No lost wake-up: while something is unread that may wake, a run is pending or running, or the agent counts as one with work to do, which is to read on in its mailbox.',
        holds: (s) => !o.wakes || !mayWake(s) || active(s) > 0 || s.stored.isOpen,
      },
      W3: { text: 'A step counts once, and never after its run has ended.', holds: (s) => !s.lateStep },
      W4: {
        text: 'Conserved: the agent sends no more than the messages that it got allow.',
        holds: (s) => s.spent <= o.carried * o.messages.length,
      },
      W5: {
        text: 'A woken run reads in its first step the message that woke it, unless that was read already.',
        holds: (s) =>
          s.workers.every(({ steps }) =>
            steps.every(
              ({ after, read, wokenBy }) =>
                after > 0 ||
                wokenBy === '' ||
                read.includes(wokenBy) ||
                s.stored.messages.some((m) => m.id === wokenBy && m.isRead),
            ),
          ),
      },
      W6: {
        text: 'No message is read by two steps of an activation at a time.',
        holds: (s) =>
          s.workers.every(({ agent }) =>
            distinct((agent?.runs ?? []).flatMap((run) => (run.stepping ? run.reads : []))),
          ),
      },
      W7: {
        text: 'Nothing starves: where a run has ended and a message that may wake is unread, a run that a message triggered is pending or running, or the mailbox is read on.',
        holds: (s) => !s.passedOver,
      },
      L1: {
        text: 'Of one session at most one run is running, and at most so many of the agent.',
        holds: ({ stored }) =>
          stored.running.length <= o.maxParallel && stored.running.filter(({ shares }) => shares).length <= 1,
      },
      L2: {
        text: 'Whose turn it is runs, or is being read.',
        holds: (s) =>
          s.workers.every((w) => !w.agent || w.fetches || w.continues || agents.next(w.agent) === undefined),
      },
    },
    finished: (s) =>
      s.stored.messages.length === o.messages.length &&
      s.starts + s.shared === 0 &&
      (!o.wakes || !mayWake(s)) &&
      active(s) === 0 &&
      !s.stored.isOpen,
    canonical(s) {
      // only the order of times matters
      const times = timesIn(s);
      everyTime(s, (time) => times.indexOf(time) - 1);
      if (JSON.stringify(s.workers[0]) > JSON.stringify(s.workers[1])) s.workers.reverse();
      return s;
    },
  };
}

const unloaded: Worker = { isStale: false, agent: null, steps: [], continues: false, refills: false, fetches: false };
const copies = (runs: readonly Active[]): Active[] => runs.map((run) => ({ ...run }));
/** The runs that are pending or running. */
const activeIn = ({ running, pending }: Head): readonly Active[] => [...running, ...pending];

function replaced<T extends { id: unknown }>(before: readonly T[], by: readonly T[]): T[] {
  const rest = by.filter(({ id }) => !before.some((old) => old.id === id));
  return [...before.map((old) => by.findLast(({ id }) => id === old.id) ?? old), ...rest];
}

/** Replaces every time in the state: of decisions that made runs, and that began steps. */
function everyTime(s: State, each: (time: number) => number): void {
  for (const head of [s.stored, ...s.workers.map((w) => w.agent)]) {
    if (!head) continue;
    for (const run of [...head.running, ...head.pending]) run.id = each(run.id);
    for (const run of head.runs) {
      run.id = each(run.id);
      run.attempt = each(run.attempt);
    }
  }
  for (const { steps } of s.workers)
    for (const step of steps) {
      step.run = each(step.run);
      step.attempt = each(step.attempt);
    }
}

/** The times in the state in their order, with those that stand for none. */
function timesIn(s: State): number[] {
  const times = [none, 0];
  everyTime(s, (time) => {
    if (!times.includes(time)) times.push(time);
    return time;
  });
  return times.sort((a, b) => a - b);
}
