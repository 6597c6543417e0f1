/**
 * When an agent wakes (section 7): a commit that leaves a message unread and no run pending
 * or running makes a run. Agent, inbox and runs are one entity, so one compare-and-set covers them.
 *
 * Two workers that both may have the agent in memory; messages that arrive at either. A step of a run reads what is
 * unread when it begins, works beside the actor, and reports later; the run may be cancelled meanwhile. Where messages
 * carry a budget (src/domain/causal-budget.ts), a report may send a message.
 */
import type { Can, Model } from './checker.js';

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
};
export const sizes = { carried: 0, messages: ['m1', 'm2'], steps: 2, crashes: 1, cancels: 1 };
export type WakeOptions = Partial<typeof asBuilt & typeof sizes>;

interface Run {
  active: boolean;
  steps: number;
  budget: number;
}
interface Agent {
  seq: number;
  inbox: Record<string, 'unread' | 'read'>;
  runs: Run[];
}
interface Step {
  run: number;
  after: number;
  read: string[];
}
interface Worker {
  agent: Agent | null;
  step: Step | null;
}
interface State {
  agent: Agent;
  workers: Worker[];
  crashes: number;
  cancels: number;
  /** Seen by nobody: a report counted that should not have. */ lateStep: boolean;
  /** Messages that the agent has sent, each by a commit that took effect. */ sent: number;
}

const isUnread = (agent: Agent) => Object.values(agent.inbox).includes('unread');
const active = (agent: Agent) => agent.runs.filter((run) => run.active).length;

export function wakeModel(options: WakeOptions = {}): Model<State> {
  const o = { ...asBuilt, ...sizes, ...options };

  function commit(s: State, w: Worker, decide: (agent: Agent) => void): void {
    if (o.fence && w.agent!.seq !== s.agent.seq) {
      w.agent = null;
      if (o.attempts) w.step = null;
      return;
    }
    decide(w.agent!);
    w.agent!.seq++;
    s.agent = structuredClone(w.agent!);
  }
  function wake(agent: Agent): void {
    if (isUnread(agent) && (!o.oneRun || active(agent) === 0)) agent.runs.push({ active: true, steps: 0, budget: 0 });
  }
  function end(agent: Agent, run: Run): void {
    run.active = false;
    if (o.wakeAfterRun) wake(agent);
  }
  function report(s: State, w: Worker, isLast: boolean, sends: boolean): void {
    const { run: at, after, read } = w.step!;
    const now = w.agent!.runs[at];
    w.step = null;
    if (o.attempts && !(now?.active && now.steps === after)) return;
    commit(s, w, (agent) => {
      const run = agent.runs[at]!;
      s.lateStep ||= !run.active || run.steps !== after;
      for (const m of read) {
        if (agent.inbox[m] === 'unread') run.budget += o.carried;
        agent.inbox[m] = 'read';
      }
      if (sends && run.budget > 0) {
        s.sent++;
        if (o.spends) run.budget--;
      }
      run.steps = Math.min(run.steps + 1, o.steps);
      if (isLast || run.steps === o.steps) end(agent, run);
    });
  }

  function workerSteps(s: State, i: number, can: Can<State>): void {
    const w = s.workers[i]!;
    const name = 'PQ'[i]!;
    const own = (t: State) => t.workers[i]!;
    const { agent } = w;
    if (!agent) {
      can(`${name} loads the agent`, (t) => {
        own(t).agent = structuredClone(t.agent);
      });
      return;
    }
    for (const m of o.messages)
      if (!s.agent.inbox[m])
        can(`${name} takes ${m} in`, (t) => {
          commit(t, own(t), (a) => {
            a.inbox[m] = 'unread';
            wake(a);
          });
        });
    const running = agent.runs.findIndex((run) => run.active);
    const run = agent.runs[running];
    if (run && !w.step)
      can(`${name} begins step ${run.steps + 1} of run ${running + 1}`, (t) => {
        own(t).step = { run: running, after: run.steps, read: o.messages.filter((m) => agent.inbox[m] === 'unread') };
      });
    if (w.step)
      for (const isLast of [true, false])
        for (const sends of o.carried > 0 ? [true, false] : [false])
          can(
            `${name} reports step ${w.step.after + 1} of run ${w.step.run + 1}${isLast ? ', the last' : ''}${sends ? ', which sends' : ''}`,
            (t) => {
              report(t, own(t), isLast, sends);
            },
          );
    if (run && s.cancels > 0)
      can(`run ${running + 1} is cancelled at ${name}`, (t) => {
        t.cancels--;
        commit(t, own(t), (a) => {
          end(a, a.runs[running]!);
        });
      });
    if (s.crashes > 0)
      can(`${name} crashes`, (t) => {
        t.crashes--;
        t.workers[i] = { agent: null, step: null };
      });
  }

  return {
    start: {
      agent: { seq: 0, inbox: {}, runs: [] },
      workers: [
        { agent: null, step: null },
        { agent: null, step: null },
      ],
      crashes: o.crashes,
      cancels: o.cancels,
      lateStep: false,
      sent: 0,
    },
    steps(s, can) {
      workerSteps(s, 0, can);
      workerSteps(s, 1, can);
    },
    invariants: {
      W1: { text: 'Never two runs that are pending or running.', holds: (s) => active(s.agent) <= 1 },
      W2: {
        text: 'No lost wake-up: while something is unread a run is pending or running.',
        holds: (s) => !isUnread(s.agent) || active(s.agent) > 0,
      },
      W3: { text: 'A step counts once, and never after its run has ended.', holds: (s) => !s.lateStep },
      W4: {
        text: 'Conserved: the agent sends no more than the messages that it got allow.',
        holds: (s) => s.sent <= o.carried * o.messages.length,
      },
    },
    finished: (s) => o.messages.every((m) => s.agent.inbox[m] === 'read') && active(s.agent) === 0,
    canonical(s) {
      if (JSON.stringify(s.workers[0]) > JSON.stringify(s.workers[1])) s.workers.reverse();
      return s;
    },
  };
}
