/**
 * When an agent wakes (src/domain/mailbox.ts): a decision that leaves a message unread which may wake, and no run
 * pending or running, makes a run. The decisions are the real ones, with so small bounds that memory does not hold all
 * messages, a step does not read all that memory holds, and messages use up their wakes.
 *
 * Two workers that both may have the agent in memory; messages that arrive at either. A step of a run begins with what
 * is unread in memory, works beside the actor, and reports later, also to an activation that did not begin it; the run
 * may be cancelled meanwhile, and messages deleted. Where messages carry a budget (src/domain/causal-budget.ts), a report may send a message.
 * An agent is loaded for a message, or because its head says that there is work (actors/entities/recovery.ts).
 *
 * Left out: runs that clients start, which may wait in line; pauses; a commit that is decided on and not yet stored
 * (commit.ts).
 */
import { decideAgent } from '../../src/domain/agent.js';
import type { AgentState, ResolvedCall, StepReport } from '../../src/domain/agent-state.js';
import type { Can, Model } from './checker.js';
import {
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
  /** No run is made while one is pending or running. */
  oneRun: true,
  /** Also the commit that ends a run makes the next where something is unread. */
  wakeAfterRun: true,
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
  step: Step | null;
  /** What the actor has told itself to do. */
  continues: boolean;
  refills: boolean;
}
interface State {
  stored: Stored;
  workers: Worker[];
  crashes: number;
  cancels: number;
  deletes: number;
  failures: number;
  /** Seen by nobody: a report counted that should not have. */ lateStep: boolean;
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
function decideWithout(o: typeof asBuilt): Decide {
  const changedAgent = (state: AgentState, changes: Partial<AgentState['agent']>): AgentState => ({
    ...state,
    agent: { ...state.agent, ...changes },
  });
  return (state, given, env) => {
    let before = state;
    let command = given;
    if (!o.oneRun && command.type === 'receive') before = changedAgent(before, { running: null });
    if (!o.wakeAfterRun && command.type !== 'receive') before = changedAgent(before, { wake_on_message: false });
    if (!o.attempts && command.type === 'step')
      command = { ...command, attempt: state.runs.get(command.runId)?.attempt ?? command.attempt };
    const decision = decideAgent(before, command, env);
    if (!o.spends)
      for (const { kind, body } of decision.puts)
        if (kind === 'outbox')
          for (const { record } of decision.state.runs.values())
            record.budget = (record.budget ?? 0) + 1 + Number(body['budget']);
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
    s.workers[s.workers.indexOf(w)] = { ...unloaded, step: w.step };
    return false;
  }

  /** Decides at a worker, and commits what is to be written. Returns whether a report counted and took effect. */
  function decide(s: State, w: Worker, command: SmallCommand): boolean {
    const decision = decided(s, w.agent!, command);
    if (!decision) return unload(s, w);
    const { agent, hasWork, runs, messages, spent, refill, counted } = decision;
    const settles = o.settles && s.stored.isOpen && !hasWork;
    if (runs.length === 0 && messages.length === 0 && !settles) {
      w.agent = agent;
      w.refills ||= refill && o.refills;
      return false;
    }
    if (o.fence && w.isStale) return unload(s, w);
    w.agent = agent;
    w.refills ||= refill && o.refills;
    const { running, unread } = agent;
    s.stored = {
      isOpen: hasWork && (o.countsReading || running !== none),
      running,
      unread,
      runs: replaced(s.stored.runs, runs).filter((run) => run.isActive),
      messages: replaced(s.stored.messages, messages),
    };
    for (const other of s.workers) other.isStale = other !== w && other.agent !== null;
    s.spent += spent;
    return counted;
  }

  function load({ stored }: State, w: Worker): void {
    const { isOpen, running, unread, messages } = stored;
    const runs = stored.runs.filter((run) => run.id === running).map((run) => ({ ...run }));
    const mailbox = unread === 0 ? { inMemory: [], moreMayWake: false } : agents.readMailbox(messages, runs);
    w.isStale = false;
    w.agent = { running, unread, runs, ...mailbox };
    w.continues = isOpen || running !== none || unread > 0;
  }

  function take(s: State, w: Worker, says: StepReport): void {
    const step = w.step!;
    const before = s.stored.runs.find((run) => run.id === step.run);
    w.step = null;
    if (decide(s, w, { type: 'step', run: step.run, attempt: step.attempt, read: step.read, says }))
      s.lateStep ||= before?.steps !== step.after;
  }

  function workerSteps(s: State, i: number, can: Can<State>): void {
    const w = s.workers[i]!;
    const name = 'PQ'[i]!;
    const own = (t: State) => t.workers[i]!;
    const { agent, step } = w;
    const next = o.messages[s.stored.messages.length];
    if (!agent) {
      if (s.stored.isOpen || next !== undefined)
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
        const { inMemory, moreMayWake } = agents.readMailbox(t.stored.messages, agent.runs);
        decide(t, own(t), { type: 'refill', messages: inMemory, moreMayWake });
      });
    if (next !== undefined)
      can(`${name} takes ${next} in`, (t) => {
        decide(t, own(t), { type: 'receive', id: next });
      });
    const run = agent.runs.find(({ id }) => id === agent.running);
    if (run?.stepping && !step)
      can(`${name} begins step ${run.steps + 1} of run ${run.id}`, (t) => {
        const read = agents.readBy(agent, o.readsWaking ? run : undefined);
        own(t).step = { run: run.id, attempt: run.attempt, after: run.steps, wokenBy: run.wokenBy, read };
      });
    if (step) {
      const told = `${name} reports step ${step.after + 1} of run ${step.run}`;
      for (const isLast of [true, false])
        for (const sends of o.carried > 0 ? [true, false] : [false])
          can(`${told}${isLast ? ', the last' : ''}${sends ? ', which sends' : ''}`, (t) => {
            take(t, own(t), report(isLast, sends));
          });
      if (s.failures > 0)
        can(`${told}, which failed`, (t) => {
          t.failures--;
          take(t, own(t), failed);
        });
    }
    if (run && s.cancels > 0)
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
  const mayWake = ({ stored }: State) => stored.messages.some(agents.mayWake);
  const { running, unread } = agents.fresh;
  return {
    start: {
      stored: { isOpen: false, running, unread, runs: [], messages: [] },
      workers: [{ ...unloaded }, { ...unloaded }],
      crashes: o.crashes,
      cancels: o.cancels,
      deletes: o.deletes,
      failures: o.failures,
      lateStep: false,
      spent: 0,
    },
    steps(s, can) {
      workerSteps(s, 0, can);
      workerSteps(s, 1, can);
    },
    invariants: {
      W1: { text: 'Never two runs that are pending or running.', holds: (s) => active(s) <= 1 },
      W2: {
        text: 'No lost wake-up: while something is unread that may wake, a run is pending or running, or the agent counts as one with work to do, which is to read on in its mailbox.',
        holds: (s) => !mayWake(s) || active(s) > 0 || s.stored.isOpen,
      },
      W3: { text: 'A step counts once, and never after its run has ended.', holds: (s) => !s.lateStep },
      W4: {
        text: 'Conserved: the agent sends no more than the messages that it got allow.',
        holds: (s) => s.spent <= o.carried * o.messages.length,
      },
      W5: {
        text: 'A woken run reads in its first step the message that woke it, unless that was read already.',
        holds: (s) =>
          s.workers.every(
            ({ step }) =>
              !step ||
              step.after > 0 ||
              step.read.includes(step.wokenBy) ||
              s.stored.messages.some((m) => m.id === step.wokenBy && m.isRead),
          ),
      },
    },
    finished: (s) =>
      s.stored.messages.length === o.messages.length && !mayWake(s) && active(s) === 0 && !s.stored.isOpen,
    canonical(s) {
      // only the order of times matters
      const times = timesIn(s);
      everyTime(s, (time) => times.indexOf(time) - 1);
      if (JSON.stringify(s.workers[0]) > JSON.stringify(s.workers[1])) s.workers.reverse();
      return s;
    },
  };
}

const unloaded: Worker = { isStale: false, agent: null, step: null, continues: false, refills: false };

function replaced<T extends { id: unknown }>(before: readonly T[], by: readonly T[]): T[] {
  const rest = by.filter(({ id }) => !before.some((old) => old.id === id));
  return [...before.map((old) => by.findLast(({ id }) => id === old.id) ?? old), ...rest];
}

/** Replaces every time in the state: of decisions that made runs, and that began steps. */
function everyTime(s: State, each: (time: number) => number): void {
  for (const head of [s.stored, ...s.workers.map((w) => w.agent)]) {
    if (!head) continue;
    head.running = each(head.running);
    for (const run of head.runs) {
      run.id = each(run.id);
      run.attempt = each(run.attempt);
    }
  }
  for (const { step } of s.workers) {
    if (!step) continue;
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
